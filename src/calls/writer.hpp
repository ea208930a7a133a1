// The arguments of one call as JSON that only grows.
#pragma once

#include "typing.hpp"

#include <jsonheal/calls.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::calls_detail {

/// Takes arguments as JSON bytes or parameter by parameter and appends typed JSON. A value goes out as it comes where its kind
/// is right already; else it waits for its end.
class argument_writer {
public:
    /// `out` gets the bytes. Both must outlive the call.
    void start(const call_tool* tool, std::string& out);
    void json(std::string_view bytes);
    void parameter(std::string_view key, bool as_json);
    void value(std::string_view text);
    void value_end(bool whole);
    /// Closes what is open.
    void finish();

    [[nodiscard]] bool changed() const noexcept { return changed_; }
    [[nodiscard]] bool empty() const noexcept { return !opened_; }
    [[nodiscard]] std::vector<retyping>&& take_retyped() noexcept { return std::move(retyped_); }

private:
    enum class place : std::uint8_t { outside, key, in_key, colon, value_start, pass, hold, behind };
    [[nodiscard]] value_type type_of_key() const;
    void put(typed&& t);
    void put_key();
    void value_start(char first);
    [[nodiscard]] std::size_t run_of_value(std::string_view bytes, std::size_t i, bool& ended);

    const call_tool* tool_ = nullptr;
    std::string* out_ = nullptr;
    place place_ = place::outside;
    std::string key_; // WTF-8; of JSON while it arrives as it is spelled
    std::string held_;
    value_type type_;
    std::size_t depth_ = 0; // of the value
    bool in_string_ = false, escape_ = false, scalar_ = false;
    bool as_json_ = false;
    bool streaming_ = false; // text goes out as it comes
    bool opened_ = false;
    bool changed_ = false;
    std::vector<retyping> retyped_;
};

} // namespace jsonheal::calls_detail
