// Bytes and short texts as the reader looks at them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace jsonheal::dialect::detail {

[[nodiscard]] constexpr bool is_blank(char c) noexcept {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}
[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr char to_lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}
[[nodiscard]] constexpr bool is_letter(char c) noexcept { return to_lower(c) >= 'a' && to_lower(c) <= 'z'; }
/// A byte of an identifier; any beyond ASCII counts.
[[nodiscard]] constexpr bool is_name_byte(char c) noexcept {
    return is_letter(c) || is_digit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
[[nodiscard]] constexpr std::size_t skip_blanks(std::string_view w, std::size_t i) noexcept {
    while (i < w.size() && is_blank(w[i])) { ++i; }
    return i;
}
[[nodiscard]] constexpr std::string_view trimmed(std::string_view w) noexcept {
    w.remove_prefix(skip_blanks(w, 0));
    while (!w.empty() && is_blank(w.back())) { w.remove_suffix(1); }
    return w;
}
/// The first place of `what` that begins within `limit` bytes from `from`. So looking from every opener of a text is linear.
[[nodiscard]] constexpr std::size_t find_near(std::string_view w, std::string_view what, std::size_t from,
                                              std::size_t limit) noexcept {
    if (from > w.size()) { return std::string_view::npos; }
    const std::size_t at = w.substr(from, limit + what.size()).find(what);
    return at == std::string_view::npos ? at : from + at;
}
/// Bytes at the end of `w` that may be the beginning of `marker`.
[[nodiscard]] constexpr std::size_t partial_at_end(std::string_view w, std::string_view marker) noexcept {
    for (std::size_t n = std::min(w.size(), marker.size() - 1); n > 0; --n) {
        if (w.ends_with(marker.substr(0, n))) { return n; }
    }
    return 0;
}
/// Bytes at the end of `w` that are the beginning of a character of UTF-8.
[[nodiscard]] constexpr std::size_t partial_character(std::string_view w) noexcept {
    for (std::size_t n = 1; n <= 3 && n <= w.size(); ++n) {
        const auto c = static_cast<unsigned char>(w[w.size() - n]);
        if ((c & 0xC0) == 0x80) { continue; }
        const std::size_t size = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
        return size > n ? n : 0;
    }
    return 0;
}

} // namespace jsonheal::dialect::detail
