// Letters, digits and blanks of ASCII, and trimming as people see it.
#pragma once

#include <jsonheal/unicode.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace jsonheal::args_detail {

[[nodiscard]] constexpr char to_lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}
[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_letter(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
[[nodiscard]] constexpr bool is_blank(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }

[[nodiscard]] constexpr bool same_word(std::string_view a, std::string_view b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return to_lower(x) == to_lower(y); });
}

/// Bytes of blanks, byte order marks and other blanks of Unicode at the beginning.
[[nodiscard]] inline std::size_t blanks_before(std::string_view text) noexcept {
    std::size_t i = 0;
    while (i < text.size()) {
        if (static_cast<unsigned char>(text[i]) < 0x80) {
            if (!is_blank(text[i])) { break; }
            ++i;
            continue;
        }
        const unicode::decoded d = unicode::decode(text.substr(i));
        const unicode::sign s = d.size != 0 ? unicode::sign_of(d.code) : unicode::sign::none;
        if (s != unicode::sign::blank && s != unicode::sign::byte_order_mark &&
            !(d.size != 0 && d.code == 0x85)) {
            break;
        }
        i += d.size;
    }
    return i;
}

/// The same at the end.
[[nodiscard]] inline std::size_t blanks_behind(std::string_view text) noexcept {
    std::size_t end = text.size();
    while (end > 0) {
        if (static_cast<unsigned char>(text[end - 1]) < 0x80) {
            if (!is_blank(text[end - 1])) { break; }
            --end;
            continue;
        }
        std::size_t lead = end - 1;
        while (lead > 0 && end - lead < 4 && (static_cast<unsigned char>(text[lead]) & 0xC0) == 0x80) {
            --lead;
        }
        if (blanks_before(text.substr(lead, end - lead)) != end - lead) { break; }
        end = lead;
    }
    return text.size() - end;
}

[[nodiscard]] inline std::string_view trimmed(std::string_view text) noexcept {
    text.remove_prefix(blanks_before(text));
    text.remove_suffix(blanks_behind(text));
    return text;
}

} // namespace jsonheal::args_detail
