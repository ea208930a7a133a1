/// @file bytes.hpp
/// Classes of single bytes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace jsonheal::scan_detail {

using byte_class = std::uint8_t;

inline constexpr byte_class blank = 1;
inline constexpr byte_class digit = 2;
inline constexpr byte_class hex_digit = 4;
inline constexpr byte_class short_escape = 8; ///< stands behind a backslash, and nothing follows

namespace tables {

constexpr std::array<byte_class, 256> make_classes() noexcept {
    std::array<byte_class, 256> classes{};
    const auto add = [&classes](std::string_view bytes, byte_class what) {
        for (const char c : bytes) { classes[static_cast<unsigned char>(c)] |= what; }
    };
    add(" \t\n\r", blank);
    add("0123456789", digit | hex_digit);
    add("abcdefABCDEF", hex_digit);
    add("\"\\/bfnrt", short_escape);
    return classes;
}

inline constexpr std::array<byte_class, 256> classes = make_classes();

} // namespace tables

[[nodiscard]] constexpr bool is(char c, byte_class what) noexcept {
    return (tables::classes[static_cast<unsigned char>(c)] & what) != 0;
}

} // namespace jsonheal::scan_detail
