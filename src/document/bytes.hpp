/// @file bytes.hpp
/// Scans over JSON text that the parser, the writer and the string functions share.
#pragma once

#include <jsonheal/unicode.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace jsonheal::document_detail {

[[nodiscard]] constexpr unsigned byte(char c) noexcept { return static_cast<unsigned char>(c); }

[[nodiscard]] constexpr bool is_blank(char c) noexcept {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}
[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// 0-15, or 16 for a byte that is no hexadecimal digit.
[[nodiscard]] constexpr unsigned hex_value(char c) noexcept {
    if (c >= '0' && c <= '9') { return byte(c) - '0'; }
    if (c >= 'a' && c <= 'f') { return byte(c) - 'a' + 10; }
    if (c >= 'A' && c <= 'F') { return byte(c) - 'A' + 10; }
    return 16;
}

/// Reads the character at `p`. @pre p < end
[[nodiscard]] inline unicode::decoded decode_at(const char* p, const char* end) noexcept {
    return unicode::decode({p, static_cast<std::size_t>(end - p)});
}

/// True if `p` begins the three bytes of a lone surrogate, which WTF-8 has and UTF-8 has not.
[[nodiscard]] inline bool is_wtf8_surrogate(const char* p, const char* end) noexcept {
    return end - p >= 3 && byte(p[0]) == 0xED && byte(p[1]) >= 0xA0 && byte(p[1]) <= 0xBF &&
           (byte(p[2]) & 0xC0) == 0x80;
}

/// The characters at which line-based readers split a text though JSON allows them raw.
[[nodiscard]] constexpr bool is_line_separator(char32_t c) noexcept {
    return c == 0x85 || c == 0x2028 || c == 0x2029;
}

/// Which bytes end a run inside a string.
enum class stop_at : std::uint8_t {
    quotes,  ///< `"` and backslash
    special, ///< those, control characters, and all beyond ASCII
};

/// The first byte at or after `p` that ends the run, or `end`. Eight bytes a step.
///
/// x - 0x20 borrows into the top bit exactly where a byte is below 0x20, and so on; a borrow can also mark
/// bytes above the first hit, never one below it, so the lowest mark is right.
template <stop_at Stop>
[[nodiscard]] inline const char* skip_run(const char* p, const char* end) noexcept {
    const auto stops = [](char c) {
        if (c == '"' || c == '\\') { return true; }
        return Stop == stop_at::special && (byte(c) < 0x20 || byte(c) >= 0x80);
    };
    if constexpr (std::endian::native == std::endian::little) {
        constexpr std::uint64_t ones = 0x0101'0101'0101'0101ull;
        constexpr std::uint64_t tops = ones * 0x80;
        for (; end - p >= 8; p += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, p, 8);
            const std::uint64_t quote = word ^ ones * '"';
            const std::uint64_t backslash = word ^ ones * '\\';
            std::uint64_t hit = ((quote - ones) & ~quote) | ((backslash - ones) & ~backslash);
            if constexpr (Stop == stop_at::special) { hit |= ((word - ones * 0x20) & ~word) | word; }
            hit &= tops;
            if (hit != 0) { return p + std::countr_zero(hit) / 8; }
        }
    }
    while (p != end && !stops(*p)) { ++p; }
    return p;
}

/// A string token: where it ends, or why it is none.
struct string_scan {
    const char* end = nullptr; ///< after the closing quote; at the offending byte where there is a message
    bool has_escape = false;
    std::string_view message; ///< empty if strict
};
/// Checks the strict JSON string whose opening quote is at `p`.
[[nodiscard]] string_scan scan_string(const char* p, const char* end) noexcept;

/// A number token: as `string_scan`.
struct number_scan {
    const char* end = nullptr;
    std::string_view message;
};
/// Checks the strict JSON number at `p`. It ends where no further byte belongs to it.
[[nodiscard]] number_scan scan_number(const char* p, const char* end) noexcept;

/// Appends the content of a string that is known to be strict, without its quotes, as WTF-8.
void decode_content(std::string_view content, std::string& out);

/// Appends `\uXXXX`, or a surrogate pair of them.
void append_unicode_escape(char32_t c, std::string& out);
/// Appends WTF-8. @pre c <= 0x10FFFF
void append_wtf8(char32_t c, std::string& out);

/// A number as digits and a power of ten: 0.D1D2D3… × 10^exponent, first and last digit not zero.
struct decimal {
    bool negative = false;
    std::string_view digits;   ///< of the source, so a decimal point may stand among them; empty for zero
    std::size_t count = 0;     ///< digits without the point
    std::int64_t exponent = 0; ///< clamped to about ±10^18

    /// @pre a number spelled as RFC 8259 section 6 allows. O(length).
    explicit decimal(std::string_view spelling) noexcept;
    [[nodiscard]] bool is_zero() const noexcept { return digits.empty(); }
    [[nodiscard]] bool is_integer() const noexcept {
        return is_zero() || (exponent > 0 && static_cast<std::uint64_t>(exponent) >= count);
    }
};

} // namespace jsonheal::document_detail
