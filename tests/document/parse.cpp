// What is strict JSON and what is not, and where a text stops being it.

#include "../support/random.hpp"
#include "../support/strict_json.hpp"

#include <jsonheal/document.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using jsonheal::document;
using jsonheal::value_kind;

TEST(parse, accepts_every_spelling_and_keeps_it) {
    constexpr std::string_view texts[] = {
        "null",
        "true",
        "false",
        "0",
        "-0",
        "-0.0e-5",
        "1E+400",
        "123456789012345678901234567890.000",
        "\"\"",
        "\"\\u0000\\ud800\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
        "\"\\ud83d\\ude00 \xF0\x9F\x98\x80 \x7F\"",
        "[]",
        "{}",
        " [ ] ",
        "\t\r\n {\"a\":1,\"a\":2} \n",
        "[[[]],{\"\":{}}]",
        "{\"a\":[1,2,{\"b\":null}]}",
    };
    for (const std::string_view text : texts) {
        const auto parsed = document::parse(std::string(text));
        ASSERT_TRUE(parsed) << text << ": " << parsed.error->message;
        EXPECT_EQ(parsed.value.text(), text);
        EXPECT_EQ(document::parse_borrowed(text).value.root().source(), parsed.value.root().source());
    }
}

struct refusal_case {
    std::string_view text;
    std::size_t offset;
    std::string_view message;
};

TEST(parse, says_where_and_why_a_text_is_not_json) {
    constexpr refusal_case cases[] = {
        {"", 0, "there is no value"},
        {"  ", 2, "there is no value"},
        {"\xEF\xBB\xBF{}", 0, "a byte order mark is not JSON"},
        {"nul", 0, "no value begins here"},
        {"True", 0, "no value begins here"},
        {"nullx", 4, "more text follows the value"},
        {"1 2", 2, "more text follows the value"},
        {"01", 1, "a number may not begin with a zero before other digits"},
        {"-", 1, "a number has no digit here"},
        {"[-x]", 2, "a number has no digit here"},
        {"1.", 2, "a number has no digit behind its point"},
        {"1e+", 3, "a number has no digit in its exponent"},
        {"+1", 0, "no value begins here"},
        {"[1,]", 3, "no value begins here"},
        {"[1", 2, "the text ends inside an array"},
        {"[1}", 2, "a comma or ] is due here"},
        {"[", 1, "the text ends where a value was due"},
        {"{\"a\":1", 6, "the text ends inside an object"},
        {"{\"a\":1]", 6, "a comma or } is due here"},
        {"{\"a\" 1}", 5, "a colon is due behind the key"},
        {"{\"a\":1,}", 7, "a key in double quotes is due here"},
        {"{'a':1}", 1, "a key in double quotes is due here"},
        {"{", 1, "the text ends where a key was due"},
        {"[\"ab", 4, "the text ends inside a string"},
        {"[\"a\nb\"]", 3, "a control character in a string is not escaped"},
        {"[\"\\x\"]", 2, "a backslash in a string begins no valid escape"},
        {"[\"\\u12g4\"]", 2, "a backslash in a string begins no valid escape"},
        {"[\"\\", 2, "a backslash in a string begins no valid escape"},
        {"[\"12345678\xED\xA0\x80\"]", 10, "the bytes in a string are not UTF-8"},
        {"[\"\xC0\xAF\"]", 2, "the bytes in a string are not UTF-8"},
    };
    for (const auto& c : cases) {
        const auto parsed = document::parse(std::string(c.text));
        ASSERT_FALSE(parsed) << c.text;
        EXPECT_EQ(parsed.error->message, c.message) << c.text;
        EXPECT_EQ(parsed.error->offset, c.offset) << c.text;
        EXPECT_TRUE(parsed.value.root().is(value_kind::null));
    }
}

TEST(parse, holds_a_million_levels_and_refuses_one_more) {
    const std::size_t depth = 1'000'000;
    std::string text;
    for (std::size_t i = 0; i != depth / 2; ++i) { text += "[{\"\":"; }
    text += "1";
    for (std::size_t i = 0; i != depth / 2; ++i) { text += "}]"; }
    const auto parsed = document::parse(text);
    ASSERT_TRUE(parsed);
    EXPECT_TRUE(same_value(parsed.value.root(), document::parse(" " + text).value.root()));
    EXPECT_EQ(hash_value(parsed.value.root()), hash_value(document::parse(" " + text).value.root()));
    const auto deeper = document::parse("[" + text + "]");
    ASSERT_FALSE(deeper);
    EXPECT_EQ(deeper.error->message, "brackets are nested deeper than the limit");
}

TEST(parse, keeps_to_the_limits_it_is_given) {
    EXPECT_TRUE(document::parse("[[1],2]", {.bytes = 7, .depth = 2}));
    EXPECT_FALSE(document::parse("[[1],2]", {.bytes = 6, .depth = 2}));
    EXPECT_FALSE(document::parse("[[1],2]", {.bytes = 7, .depth = 1}));
    EXPECT_TRUE(document::parse("1", {.bytes = 7, .depth = 0}));
}

// The judge shares no code with the parser.
TEST(parse, agrees_with_a_second_checker_on_random_texts) {
    jsonheal_test::random_source random(11);
    constexpr std::string_view pieces[] = {"{",     "}",
                                           "[",     "]",
                                           ",",     ":",
                                           "\"a\"", "\"\\u00e9\"",
                                           "1",     "-0.5e3",
                                           "true",  "null",
                                           " ",     "\n",
                                           "\"",    "\\",
                                           "0",     ".",
                                           "e",     "\xC3\xA9",
                                           "\x80",  "\"\xF0\x9F\x98\x80\""};
    std::size_t valid = 0;
    for (int round = 0; round != 200'000; ++round) {
        std::string text;
        for (std::size_t n = random.below(9); n != 0; --n) { text += random.pick(pieces); }
        const auto judged = jsonheal_test::check_strict_json(text);
        const auto parsed = document::parse_borrowed(text);
        ASSERT_EQ(bool(parsed), judged.valid) << text;
        valid += judged.valid ? 1 : 0;
    }
    EXPECT_GT(valid, 1000u);
}

} // namespace
