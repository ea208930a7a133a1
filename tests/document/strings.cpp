// JSON strings to WTF-8 and back.

#include "../support/random.hpp"

#include <jsonheal/document.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using jsonheal::decode_string;
using jsonheal::encode_string;

std::string encoded(std::string_view wtf8, const jsonheal::string_escapes& escapes = {}) {
    std::string out;
    encode_string(wtf8, out, escapes);
    return out;
}

struct pair_case {
    std::string_view json;
    std::string_view wtf8;
};

TEST(strings, decode_to_wtf8) {
    constexpr pair_case cases[] = {
        {R"("")", ""},
        {R"("a\"\\\/\b\f\n\r\t")", "a\"\\/\b\f\n\r\t"},
        {R"("\u0041\u00e9\u20AC")", "A\xC3\xA9\xE2\x82\xAC"},
        {R"("\ud83d\ude00")", "\xF0\x9F\x98\x80"},
        {R"("\ud800")", "\xED\xA0\x80"},
        {R"("\udfff!")", "\xED\xBF\xBF!"},
        {R"("\ude00\ud83d")", "\xED\xB8\x80\xED\xA0\xBD"},
        {R"("\ud83d\ud83d\ude00")", "\xED\xA0\xBD\xF0\x9F\x98\x80"},
        {R"("\ud83d\n")", "\xED\xA0\xBD\n"},
        {R"("\ud83dx\ude00")", "\xED\xA0\xBDx\xED\xB8\x80"},
    };
    for (const auto& c : cases) {
        std::string out = "before ";
        ASSERT_TRUE(decode_string(c.json, out)) << c.json;
        EXPECT_EQ(out, "before " + std::string(c.wtf8)) << c.json;
    }
}

TEST(strings, decode_refuses_what_is_no_string_and_leaves_the_output) {
    for (const std::string_view bad :
         {"", "\"", "a", "\"a", "a\"", "\"a\"b\"", "\"\\\"", "\"\\q\"", "\"\n\"", "\"\xFF\"", " \"a\""}) {
        std::string out = "kept";
        EXPECT_FALSE(decode_string(bad, out)) << bad;
        EXPECT_EQ(out, "kept");
    }
}

TEST(strings, encode_escapes_only_what_it_must) {
    EXPECT_EQ(encoded(std::string_view("\0\x1F\"\\/\b\f\n\r\t\x7F", 11)),
              "\"\\u0000\\u001f\\\"\\\\/\\b\\f\\n\\r\\t\x7F\"");
    EXPECT_EQ(encoded("\xC3\xA9\xF0\x9F\x98\x80"), "\"\xC3\xA9\xF0\x9F\x98\x80\"");
    EXPECT_EQ(encoded("\xED\xA0\x80"), R"("\ud800")");
    EXPECT_EQ(encoded("\xED\xBF\xBF"), R"("\udfff")");
}

TEST(strings, encode_replaces_bytes_that_are_no_character) {
    EXPECT_EQ(encoded("a\xFFz"), "\"a\xEF\xBF\xBDz\"");
    EXPECT_EQ(encoded("\xE2\x82"), "\"\xEF\xBF\xBD\"") << "one for the longest ill-formed prefix";
    EXPECT_EQ(encoded("\xFF", {.line_separators = false, .non_ascii = true}), R"("\ufffd")");
}

TEST(strings, encode_escapes_more_on_request) {
    const std::string_view text = "\xC2\x85\xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xAA\xC3\xA9\xF0\x9F\x98\x80";
    EXPECT_EQ(encoded(text, {.line_separators = true}),
              "\"\\u0085\\u2028\\u2029\xE2\x80\xAA\xC3\xA9\xF0\x9F\x98\x80\"");
    EXPECT_EQ(encoded(text, {.line_separators = false, .non_ascii = true}),
              R"("\u0085\u2028\u2029\u202a\u00e9\ud83d\ude00")");
}

TEST(strings, decoding_undoes_encoding) {
    jsonheal_test::random_source random(5);
    constexpr std::string_view pieces[] = {"a",
                                           "bcdefghij",
                                           "\"",
                                           "\\",
                                           "\n",
                                           std::string_view("\0", 1),
                                           "\xC3\xA9",
                                           "\xE2\x80\xA8",
                                           "\xF0\x9F\x98\x80",
                                           "\xED\xA0\x80x"};
    for (int round = 0; round != 20'000; ++round) {
        std::string text;
        for (std::size_t n = random.below(12); n != 0; --n) { text += random.pick(pieces); }
        const std::string json =
            encoded(text, {.line_separators = random.chance(50), .non_ascii = random.chance(50)});
        std::string back;
        ASSERT_TRUE(decode_string(json, back)) << json;
        ASSERT_EQ(back, text) << json;
    }
}

} // namespace
