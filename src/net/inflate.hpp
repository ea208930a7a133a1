// gzip and deflate, decoded as it comes.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

struct z_stream_s;

namespace jsonheal::net {

class inflater {
public:
    inflater();
    ~inflater();
    inflater(const inflater&) = delete;
    inflater& operator=(const inflater&) = delete;

    /// Decodes from the front of `in`; the result is valid until the next call, at most `block` bytes. Call again
    /// while `in` has bytes or `more()`.
    [[nodiscard]] std::string_view decode(std::string_view& in);
    [[nodiscard]] bool more() const noexcept { return more_; }
    [[nodiscard]] bool failed() const noexcept { return failed_; }
    /// True if the data may end here.
    [[nodiscard]] bool complete() const noexcept { return ended_ || !begun_; }

private:
    static constexpr std::size_t block = 64 << 10;
    std::unique_ptr<z_stream_s> stream_;
    std::vector<char> out_;
    bool begun_ = false, ended_ = false, failed_ = false, more_ = false;
};

} // namespace jsonheal::net
