// UTF-8 in strings, against table 3-7 of the Unicode standard (RFC 3629 section 4), row by row.

#include <jsonheal/scan.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace {

using jsonheal::scan::validation;

struct range {
    unsigned low, high;
    bool has(unsigned byte) const { return low <= byte && byte <= high; }
};

struct row {
    std::size_t size;
    std::array<range, 4> bytes;
};

constexpr range tail{0x80, 0xBF};
constexpr row table_3_7[] = {
    {2, {{{0xC2, 0xDF}, tail}}},
    {3, {{{0xE0, 0xE0}, {0xA0, 0xBF}, tail}}},
    {3, {{{0xE1, 0xEC}, tail, tail}}},
    {3, {{{0xED, 0xED}, {0x80, 0x9F}, tail}}},
    {3, {{{0xEE, 0xEF}, tail, tail}}},
    {4, {{{0xF0, 0xF0}, {0x90, 0xBF}, tail, tail}}},
    {4, {{{0xF1, 0xF3}, tail, tail, tail}}},
    {4, {{{0xF4, 0xF4}, {0x80, 0x8F}, tail, tail}}},
};

/// How many of the bytes the table allows, from the first on; `whole` if they begin with a whole character.
struct fitting {
    std::size_t count = 0;
    bool whole = false;
};
fitting fits(std::span<const unsigned> bytes) {
    for (const row& r : table_3_7) {
        if (!r.bytes[0].has(bytes[0])) { continue; }
        std::size_t n = 1;
        while (n != r.size && n != bytes.size() && r.bytes[n].has(bytes[n])) { ++n; }
        return {n, n == r.size};
    }
    return {};
}

/// Checks the bytes, of which the first is at or above 0x80, as a string: near the end of the text and far from it.
void check(std::span<const unsigned> bytes) {
    const fitting wanted = fits(bytes);
    std::string text = "\"";
    for (const unsigned byte : bytes) { text += static_cast<char>(byte); }
    const std::size_t size = text.size();
    for (const std::string_view rest : {"\"", "\"      ", "x\"", "\xC3\xA9\xF0\x9F\x98\x80\"", ""}) {
        text.resize(size);
        text += rest;
        const bool ends_well = wanted.whole && wanted.count == bytes.size();
        const validation expected = rest.empty() && ends_well ? validation{false, size}
                                    : ends_well               ? validation{true, text.size()}
                                                              : validation{false, 1 + wanted.count};
        for (const auto& kernel : jsonheal::scan::kernels()) {
            const validation got = kernel.validate_json(text, 1);
            ASSERT_EQ(got.valid, expected.valid)
                << kernel.name << std::hex << " " << bytes[0] << " " << bytes[1];
            ASSERT_EQ(got.offset, expected.offset)
                << kernel.name << std::hex << " " << bytes[0] << " " << bytes[1];
        }
    }
}

TEST(characters, all_pairs) {
    for (unsigned first = 0x80; first != 256; ++first) {
        for (unsigned second = 0; second != 256; ++second) {
            ASSERT_NO_FATAL_FAILURE(check(std::array{first, second}));
        }
    }
}

TEST(characters, all_triples) {
    for (unsigned first = 0xE0; first != 0xF0; ++first) {
        for (unsigned second = 0; second != 256; ++second) {
            for (unsigned third = 0; third != 256; ++third) {
                ASSERT_NO_FATAL_FAILURE(check(std::array{first, second, third}));
            }
        }
    }
}

TEST(characters, quadruples_at_the_bounds) {
    constexpr unsigned bounds[] = {0x00, 0x22, 0x41, 0x7F, 0x80, 0x81, 0x8F, 0x90,
                                   0x9F, 0xA0, 0xBE, 0xBF, 0xC0, 0xC2, 0xE0, 0xFF};
    for (unsigned first = 0xF0; first != 256; ++first) {
        for (unsigned second = 0; second != 256; ++second) {
            for (const unsigned third : bounds) {
                for (const unsigned fourth : bounds) {
                    ASSERT_NO_FATAL_FAILURE(check(std::array{first, second, third, fourth}));
                }
            }
        }
    }
}

TEST(characters, a_byte_of_ascii_inside_of_a_character_is_the_bad_one) {
    for (const std::string_view begun : {"\xC3", "\xE4", "\xE4\xBD", "\xF0", "\xF0\x9F", "\xF0\x9F\x98"}) {
        for (const std::string_view rest : {"\"", "a\"", "\\n\"", "a longer rest\""}) {
            const std::string text = "[\"ab" + std::string(begun) + std::string(rest) + "]";
            for (const auto& kernel : jsonheal::scan::kernels()) {
                EXPECT_EQ(kernel.validate_json(text, 1), (validation{false, 4 + begun.size()}));
            }
        }
    }
}

std::string encoded(char32_t code) {
    const auto byte = [](char32_t bits) { return static_cast<char>(bits); };
    if (code < 0x80) { return {byte(code)}; }
    if (code < 0x800) { return {byte(0xC0 | code >> 6), byte(0x80 | (code & 63))}; }
    if (code < 0x10000) {
        return {byte(0xE0 | code >> 12), byte(0x80 | (code >> 6 & 63)), byte(0x80 | (code & 63))};
    }
    return {byte(0xF0 | code >> 18), byte(0x80 | (code >> 12 & 63)), byte(0x80 | (code >> 6 & 63)),
            byte(0x80 | (code & 63))};
}

TEST(characters, every_code_point_but_the_surrogates) {
    std::string text = "\"";
    for (char32_t code = 0x20; code != 0x110000; ++code) {
        if (code == '"' || code == '\\' || (code >= 0xD800 && code < 0xE000)) { continue; }
        text += encoded(code);
    }
    text += '"';
    for (const auto& kernel : jsonheal::scan::kernels()) {
        EXPECT_EQ(kernel.validate_json(text, 0), (validation{true, text.size()}));
    }
    for (char32_t code = 0xD800; code != 0xE000; ++code) {
        for (const auto& kernel : jsonheal::scan::kernels()) {
            ASSERT_EQ(kernel.validate_json("\"" + encoded(code) + "\"", 0), (validation{false, 2}));
        }
    }
}

} // namespace
