// What a kernel that looks at many bytes at once can get wrong: the ends of its blocks, and bytes beyond the text.
// Every kernel against the scalar one, which the other tests hold against a checker of its own kind.

#include "../support/random.hpp"
#include "guarded_memory.hpp"
#include "reference.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

namespace scan = jsonheal::scan;
using jsonheal_test::guarded_memory;
using jsonheal_test::shown;

class blocks : public testing::TestWithParam<scan::kernel> {
protected:
    static void agree(std::string_view text, std::uint32_t max_depth = 100) {
        ASSERT_EQ(GetParam().is_json(text, max_depth), scan::kernels().front().is_json(text, max_depth))
            << text.size() << " bytes: " << shown(text);
    }
};

constexpr std::string_view tokens[] = {
    "{}",
    "[]",
    "[ ]",
    "{ }",
    "true",
    "false",
    "null",
    "tru",
    "truee",
    "true1",
    "nulll",
    "falsetrue",
    "0",
    "-0",
    "01",
    "-01",
    "00",
    "1.5",
    "1.",
    ".5",
    "1.2.3",
    "1e5",
    "1E+5",
    "1e-",
    "1e5.5",
    "1e5e5",
    "1e+5.5",
    "1e-5e5",
    "-",
    "--1",
    "+1",
    "1-1",
    "1+1",
    "1.e1",
    "0e0",
    "1e+05",
    "1.5e-07",
    "-e1",
    "12345678901234567890.12345678901234567890e12345678901234567890",
    "\"\"",
    "\"a\"",
    "\"\\\"\"",
    "\"\\\\\"",
    "\"\\\\\\\"\"",
    "\"\\\\\\\\\"",
    "\"\\u00e9\"",
    "\"\\ud800\"",
    "\"\\u00g9\"",
    "\"\\u0\"",
    "\"\\ug123\"",
    "\"\\u1g23\"",
    "\"\\u12g3\"",
    "\"\\u123g\"",
    "\"\\x\"",
    "\"\\",
    "\"\n\"",
    "\"\x1F\"",
    "\"\x7F\"",
    "\"\xC3\xA9\"",
    "\"\xE4\xBD\xA0\"",
    "\"\xF0\x9F\x98\x80\"",
    "\"\xC3\"",
    "\"\xE4\xBD\"",
    "\"\xF0\x9F\x98\"",
    "\"\x80\"",
    "\"\xC0\x80\"",
    "\"\xE0\x80\x80\"",
    "\"\xED\xA0\x80\"",
    "\"\xF4\x90\x80\x80\"",
    "\"\xF5\"",
    "\xC3\xA9",
    "\x80",
    "{\"a\":1}",
    "{\"a\" : 1 , \"b\" : 2}",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\":1,}",
    "{\"a\" 1}",
    "{,}",
    "{1:2}",
    "{\"a\":\"b\":1}",
    "{\"a\":1 \"b\":2}",
    "[1,2]",
    "[1 , 2]",
    "[1,]",
    "[,1]",
    "[1 2]",
    "[1,,2]",
    "[\"a\":1]",
    "[\"a\" \"b\"]",
    "[1}",
    "{]",
    "]",
    "}",
    "[[]",
    "[[1],{\"a\":[]}]",
    ",",
    ":",
    "/",
    "#",
    "'a'",
    "\v",
    "\0",
};

/// Every token with its beginning, and its middle, at every place of a block: `pad` is blank, or inside of a string.
TEST_P(blocks, judge_a_token_at_every_place) {
    for (const std::string_view token : tokens) {
        for (std::size_t place = 0; place <= 140; ++place) {
            const std::string inner(token);
            const std::string pad(place, ' ');
            const std::string letters(place, 'x');
            for (const std::string& text :
                 {pad + inner, inner + pad, "[" + pad + inner + "]", "[\"" + letters + "\"," + inner + ",0]",
                  "{\"" + letters + "\":" + inner + "}", "{" + inner + pad + ":1}",
                  "[" + inner + pad + "," + inner + pad + "]", "[\"" + letters + inner + "\"]",
                  "{\"k\":[" + pad + "]," + inner + ":" + pad + inner + "}",
                  "[" + std::string(place, '1') + inner + "]",
                  std::string(place, '[') + inner + std::string(place, ']')}) {
                ASSERT_NO_FATAL_FAILURE(agree(text));
            }
        }
    }
}

TEST_P(blocks, judge_every_byte_at_every_place) {
    constexpr std::string_view before = "[{\"key\": \"";
    constexpr std::string_view after = "\", \"k\" : [1, -2.5e+1 ,true]}, null ]";
    for (std::size_t shift = 0; shift <= 66; ++shift) {
        const std::string valid = std::string(before).append(shift, 'y').append(after);
        ASSERT_TRUE(GetParam().is_json(valid, 9));
        for (std::size_t at = 0; at != valid.size(); ++at) {
            if (at > before.size() && at < before.size() + shift) { continue; }
            std::string text = valid;
            for (int byte = 0; byte != 256; ++byte) {
                text[at] = static_cast<char>(byte);
                ASSERT_NO_FATAL_FAILURE(agree(text));
            }
        }
    }
}

TEST_P(blocks, judge_texts_cut_at_every_place) {
    const std::string text = "[\"" + std::string(50, 'x') +
                             "\\\\\\\"\\u00e9\xF0\x9F\x98\x80\" , {\"k\" :\t-12.5e+10,\"l\":[ ] ,\"\":{}} ,"
                             "\n    true,false , null, \"" +
                             std::string(70, ' ') + "\", 123456789]\n";
    ASSERT_TRUE(GetParam().is_json(text, 9));
    for (std::size_t from = 0; from <= text.size(); ++from) {
        for (std::size_t to = from; to <= text.size(); ++to) {
            ASSERT_NO_FATAL_FAILURE(agree(std::string_view(text).substr(from, to - from)));
        }
    }
}

TEST_P(blocks, judge_runs_of_backslashes) {
    for (std::size_t count = 0; count <= 140; ++count) {
        for (std::size_t place = 0; place <= 66; ++place) {
            const std::string run = std::string(place, 'x') + std::string(count, '\\');
            ASSERT_NO_FATAL_FAILURE(agree("\"" + run + "\""));
            ASSERT_NO_FATAL_FAILURE(agree("[\"" + run + "n\\\\\",1]"));
            ASSERT_NO_FATAL_FAILURE(agree("[\"" + run + "u12aF\"]"));
        }
    }
}

/// The page behind the text may not be read, nor the one before it.
TEST_P(blocks, read_nothing_outside_of_the_text) {
    guarded_memory memory;
    const std::string text =
        "[\"" + std::string(60, 'x') +
        "\\\"\xF0\x9F\x98\x80\", {\"k\" :\t-12.5e+10,\"l\":[ ]} ,\n    true,false , null ]";
    for (std::size_t from = 0; from <= text.size(); ++from) {
        for (const std::string& part : {text.substr(from), text.substr(0, from)}) {
            for (const std::string_view copy : {memory.at_end(part), memory.at_begin(part)}) {
                ASSERT_NO_FATAL_FAILURE(agree(copy));
                const char* const begin = copy.data();
                const char* const end = begin + copy.size();
                ASSERT_EQ(GetParam().find_string_stop(begin, end),
                          jsonheal_test::plain_string_stop(begin, end));
                ASSERT_EQ(GetParam().skip_blanks(begin, end), jsonheal_test::plain_skip_blanks(begin, end));
                ASSERT_EQ(GetParam().find_prose_stop(begin, end),
                          jsonheal_test::plain_prose_stop(begin, end));
            }
        }
    }
    for (std::size_t size = 0; size <= 300; ++size) {
        for (const char filler : {'x', ' ', '1', '"', '\\', '[', '\xE4', 't'}) {
            const std::string_view copy = memory.at_end(std::string(size, filler));
            ASSERT_NO_FATAL_FAILURE(agree(copy));
            const char* const end = copy.data() + copy.size();
            ASSERT_EQ(GetParam().find_string_stop(copy.data(), end),
                      jsonheal_test::plain_string_stop(copy.data(), end));
            ASSERT_EQ(GetParam().skip_blanks(copy.data(), end),
                      jsonheal_test::plain_skip_blanks(copy.data(), end));
            ASSERT_EQ(GetParam().find_prose_stop(copy.data(), end),
                      jsonheal_test::plain_prose_stop(copy.data(), end));
        }
    }
}

/// Tokens side by side, most of it invalid by one fault, over several blocks.
TEST_P(blocks, judge_random_sequences_of_tokens) {
    jsonheal_test::random_source random(11);
    constexpr std::string_view joints[] = {",",          ",",   ",", ":", "",        " ",
                                           "\n        ", " , ", "[", "]", "{\"k\":", "}"};
    std::size_t valid = 0;
    for (int round = 0; round != 100'000; ++round) {
        std::string text = "[";
        for (std::size_t n = random.below(20); n != 0; --n) {
            const bool good = random.chance(97);
            text += good ? std::string_view("\"abc\"") : random.pick(tokens);
            text += good ? std::string_view(",") : random.pick(joints);
            if (random.chance(10)) { text.append(random.below(70), ' '); }
        }
        text += "0]";
        ASSERT_NO_FATAL_FAILURE(agree(text));
        valid += GetParam().is_json(text, 100) ? 1U : 0U;
    }
    EXPECT_GT(valid, 20'000u);
    EXPECT_LT(valid, 90'000u);
}

INSTANTIATE_TEST_SUITE_P(all, blocks, testing::ValuesIn(scan::kernels().begin(), scan::kernels().end()),
                         [](const auto& kernel) { return std::string(kernel.param.name); });

} // namespace
