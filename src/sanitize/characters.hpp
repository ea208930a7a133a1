/// @file characters.hpp
/// Classes of bytes in JavaScript source.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jsonheal::sanitize_detail {

enum class byte_class : std::uint8_t { other, blank, word, quote, opener, closer };

namespace tables {

constexpr std::array<byte_class, 256> make_classes() noexcept {
    std::array<byte_class, 256> classes{};
    const auto set = [&classes](std::string_view bytes, byte_class what) {
        for (const char c : bytes) { classes[static_cast<unsigned char>(c)] = what; }
    };
    set(" \t\r\n\f\v", byte_class::blank);
    set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$", byte_class::word);
    // Beyond ASCII a letter is likelier than anything else; what is none stays in the text all the same.
    for (std::size_t i = 0x80; i < 256; ++i) { classes[i] = byte_class::word; }
    set("\"'`", byte_class::quote);
    set("([{", byte_class::opener);
    set(")]}", byte_class::closer);
    return classes;
}

inline constexpr std::array<byte_class, 256> classes = make_classes();

} // namespace tables

[[nodiscard]] constexpr byte_class class_of(char c) noexcept {
    return tables::classes[static_cast<unsigned char>(c)];
}
[[nodiscard]] constexpr bool is_blank(char c) noexcept { return class_of(c) == byte_class::blank; }
[[nodiscard]] constexpr bool is_word(char c) noexcept { return class_of(c) == byte_class::word; }
[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_letter(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
/// May a name begin with this byte?
[[nodiscard]] constexpr bool begins_name(char c) noexcept { return is_word(c) && !is_digit(c); }

/// The byte at an offset, or NUL behind the end.
[[nodiscard]] constexpr char byte_at(std::string_view text, std::size_t i) noexcept {
    return i < text.size() ? text[i] : '\0';
}
[[nodiscard]] constexpr std::size_t skip_blanks(std::string_view text, std::size_t i) noexcept {
    while (i < text.size() && is_blank(text[i])) { ++i; }
    return i;
}
[[nodiscard]] constexpr std::size_t skip_word(std::string_view text, std::size_t i) noexcept {
    while (i < text.size() && is_word(text[i])) { ++i; }
    return i;
}

} // namespace jsonheal::sanitize_detail
