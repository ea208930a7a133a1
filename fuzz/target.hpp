// What the fuzz targets share: taking settings off the front of the input, and stopping with a readable message.
#pragma once

#include "laws.hpp"
#include "options.hpp"
#include "show.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace jsonheal_fuzz {

/// Bytes read from the front of the input; zeros when it is used up.
class bytes {
public:
    bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

    [[nodiscard]] bool empty() const { return size_ == 0; }

    std::uint8_t byte() {
        if (size_ == 0) { return 0; }
        --size_;
        return *data_++;
    }
    std::uint32_t word() {
        std::uint32_t value = 0;
        for (unsigned shift = 0; shift < 32; shift += 8) {
            value |= static_cast<std::uint32_t>(byte()) << shift;
        }
        return value;
    }
    /// All that is left, in memory of its own exact size.
    std::string rest() {
        std::string text(size_, '\0');
        if (size_ > 0) { std::memcpy(text.data(), data_, size_); }
        size_ = 0;
        return text;
    }

private:
    const std::uint8_t* data_;
    std::size_t size_;
};

/// Ends the process if a law is broken: the fuzzer keeps the input, the replay test fails.
inline void require(const jsonheal_test::failure& broken, std::string_view text,
                    const jsonheal::heal_options& options) {
    if (!broken) { return; }
    std::string message =
        *broken + "\n  input " + jsonheal_test::show(text) + "\n  under " + jsonheal_test::show(options);
    std::fprintf(stderr, "%s\n", message.c_str());
    std::abort();
}

} // namespace jsonheal_fuzz
