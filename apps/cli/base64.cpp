#include "base64.hpp"

#include <array>
#include <cstdint>

namespace jsonheal::cli {

namespace {

constexpr std::uint8_t no_digit = 64;

constexpr auto digits = [] {
    std::array<std::uint8_t, 256> table{};
    table.fill(no_digit);
    std::uint8_t value = 0;
    for (const char c :
         std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")) {
        table[static_cast<unsigned char>(c)] = value++;
    }
    return table;
}();

} // namespace

bool decode_base64(std::string_view text, std::string& out) {
    const bool padded = text.ends_with('=');
    if (padded && text.size() % 4 != 0) { return false; }
    for (int n = 0; n != 2 && text.ends_with('='); ++n) { text.remove_suffix(1); }
    if (text.size() % 4 == 1) { return false; }
    out.reserve(out.size() + text.size() / 4 * 3 + 2);
    std::uint32_t bits = 0;
    unsigned held = 0;
    for (const char c : text) {
        const std::uint8_t digit = digits[static_cast<unsigned char>(c)];
        if (digit == no_digit) { return false; }
        bits = (bits << 6 | digit) & 0xFFF;
        held += 6;
        if (held >= 8) {
            held -= 8;
            out.push_back(static_cast<char>(static_cast<unsigned char>(bits >> held & 0xFF)));
        }
    }
    return (bits & ((1u << held) - 1)) == 0; // the bits that fill up the last digit are zero
}

} // namespace jsonheal::cli
