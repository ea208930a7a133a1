/// @file unicode.hpp
/// Code points that matter to healing: UTF-8 decoding, and the table of quotes, blanks and separators that models
/// write in place of JSON's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jsonheal::unicode {

/// What a code point outside ASCII stands for in broken JSON.
enum class sign : std::uint8_t {
    none,
    double_quote, ///< stands for "
    single_quote, ///< stands for '
    blank,        ///< a blank that JSON does not know
    comma,        ///< full-width or ideographic comma, full-width semicolon
    colon,        ///< full-width colon
    ellipsis,
    open_brace, ///< full-width brackets
    close_brace,
    open_bracket,
    close_bracket,
    byte_order_mark
};

/// One code point read from UTF-8.
struct decoded {
    char32_t code = 0;
    std::uint8_t size = 0; ///< bytes; 0 if they are not UTF-8, see `bad`
    std::uint8_t bad =
        0; ///< bytes of the longest ill-formed prefix, replaced by one U+FFFD (Unicode 3.9, table 3-8)
};

/// How many bytes the sequence that begins with this byte has: 1 to 4, or 0 for a byte that begins none.
[[nodiscard]] constexpr unsigned sequence_length(unsigned char lead) noexcept {
    if (lead < 0x80) { return 1; }
    if (lead < 0xC2) { return 0; }
    if (lead < 0xE0) { return 2; }
    if (lead < 0xF0) { return 3; }
    return lead < 0xF5 ? 4 : 0;
}

/// Reads one code point. O(1). RFC 3629: no surrogates, no overlong forms, nothing above U+10FFFF.
/// @pre !bytes.empty()
[[nodiscard]] decoded decode(std::string_view bytes) noexcept;

/// What the code point stands for.
[[nodiscard]] sign sign_of(char32_t code) noexcept;

} // namespace jsonheal::unicode
