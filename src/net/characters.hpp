// Classes of characters in HTTP messages.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace jsonheal::net::characters {

enum : unsigned char {
    token_bit = 1,
    value_bit = 2,
    target_bit = 4,
    digit_bit = 8,
    hex_bit = 16,
    host_bit = 32
};

constexpr std::array<unsigned char, 256> make_table() {
    std::array<unsigned char, 256> table{};
    for (unsigned c = 0; c < 256; ++c) {
        const bool digit = c >= '0' && c <= '9';
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        unsigned bits = 0;
        if (digit || letter ||
            (c < 128 &&
             std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) != std::string_view::npos)) {
            bits |= token_bit;
        }
        if (c == '\t' || (c >= 32 && c != 127)) { bits |= value_bit; }
        if (c > 32 && c < 127 && c != '#') { bits |= target_bit; }
        if (digit) { bits |= digit_bit | hex_bit; }
        if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) { bits |= hex_bit; }
        if (digit || letter ||
            (c < 128 &&
             std::string_view("-._~!$&'()*+,;=").find(static_cast<char>(c)) != std::string_view::npos)) {
            bits |= host_bit;
        }
        table[c] = static_cast<unsigned char>(bits);
    }
    return table;
}
inline constexpr std::array<unsigned char, 256> table = make_table();

constexpr bool is(char c, unsigned char bits) { return (table[static_cast<unsigned char>(c)] & bits) != 0; }

constexpr bool all(std::string_view text, unsigned char bits) {
    for (const char c : text) {
        if (!is(c, bits)) { return false; }
    }
    return true;
}

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

constexpr unsigned hex_value(char c) {
    if (c <= '9') { return static_cast<unsigned>(c - '0'); }
    return static_cast<unsigned>(lower(c) - 'a') + 10;
}

/// Without the blanks and tabs around it.
constexpr std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) { text.remove_prefix(1); }
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) { text.remove_suffix(1); }
    return text;
}

} // namespace jsonheal::net::characters
