// Valid texts with a few bytes changed, judged by a checker that shares no code with the validator.

#include "../support/random.hpp"
#include "reference.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using jsonheal_test::random_source;

constexpr std::string_view seeds[] = {
    R"({"id":17,"name":"a longer name, of some words","tags":["x","yy","zzz"],"ok":true,"none":null})",
    "[\n  {\n    \"a\": -12.5e+10,\n    \"b\": [ ],\n    \"c\": { }\n  },\n  false\n]\n",
    R"(["\u00e9\ud83d\ude00 \" \\ \/ \b\f\n\r\t", "", "12345678", "123456789abcdef0"])",
    "[\"\xC3\xA9t\xC3\xA9 \xE4\xBD\xA0\xE5\xA5\xBD \xF0\x9F\x98\x80 \xED\x9F\xBF\xEE\x80\x80 "
    "\xF4\x8F\xBF\xBF\", 0]",
    "[0,-0,0.0,1e1,1E-1,123456789012345678901234567890.123456789012345678901234567890e-123456789]",
    "[[[[[[[[[[{\"\":{\"\":[[{\"k\":[1,[2,[3]]]}]]}}]]]]]]]]]]",
    "\t\t\t[ \r\n\r\n\r\n 1 \t , \n\n 2             ]              ",
    "\"a text of one string that is longer than any word of a machine\"",
    "-1.25",
};

constexpr std::string_view pieces[] = {
    "{",    "}",    "[",        "]",    ",",       ":",    "\"",   "\\",       "\\u",
    "\\n",  " ",    "\n",       "\t",   "\r",      "0",    "1",    "-",        "+",
    ".",    "e",    "E",        "true", "false",   "null", "\xC3", "\xC3\xA9", "\x80",
    "\xE0", "\xED", "\xA0\x80", "\xF0", "\xF4",    "\x90", "\xBF", "/",        "\x7F",
    "\x1F", "'",    "\"k\":1",  "[]",   "\"abc\"", "\v",   "\xFF", "a",        "F"};

std::string any_byte(random_source& random) { return std::string(1, static_cast<char>(random.below(256))); }

void mutate(random_source& random, std::string& text) {
    const std::size_t at = random.below(text.size() + 1);
    const std::size_t size = random.below(4);
    switch (random.below(5)) {
    case 0: text.erase(at, 1 + size); break;
    case 1: text.insert(at, random.pick(pieces)); break;
    case 2: text.insert(at, any_byte(random)); break;
    case 3: text.replace(at, at < text.size() ? 1 : 0, random.pick(pieces)); break;
    default: text.replace(at, size, text.substr(random.below(text.size() + 1), size)); break;
    }
}

TEST(mutations, get_the_answer_of_the_plain_checker) {
    random_source random(3);
    std::size_t valid = 0;
    for (int round = 0; round != 400'000; ++round) {
        std::string text(random.pick(seeds));
        for (std::size_t n = random.below(4); n != 0; --n) { mutate(random, text); }
        const auto max_depth = static_cast<std::uint32_t>(random.chance(20) ? random.below(20) : 1000);
        const auto wanted = jsonheal_test::expected_validation(text, max_depth);
        ASSERT_EQ(jsonheal_test::disagreement(text, max_depth, wanted), "");
        valid += wanted.valid ? 1 : 0;
    }
    EXPECT_GT(valid, 80'000u);
    EXPECT_LT(valid, 320'000u);
}

// What the offset means: before it all is well, and nothing that follows it matters.
TEST(mutations, the_offset_is_the_same_for_every_longer_text_and_the_end_for_every_shorter_one) {
    random_source random(4);
    for (int round = 0; round != 5'000; ++round) {
        std::string text(random.pick(seeds));
        mutate(random, text);
        const std::size_t offset = jsonheal_test::expected_validation(text, 12).offset;
        for (std::size_t size = 0; size <= text.size(); ++size) {
            const jsonheal_test::exact_copy copy(std::string_view(text).substr(0, size));
            for (const auto& kernel : jsonheal::scan::kernels()) {
                const auto found = kernel.validate_json(copy.text(), 12);
                ASSERT_EQ(found.offset, std::min(size, offset)) << jsonheal_test::shown(copy.text());
                ASSERT_FALSE(found.valid && size > offset);
            }
        }
    }
}

} // namespace
