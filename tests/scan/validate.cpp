// Texts that are JSON and texts that are not, by the sections of RFC 8259, and the byte where each stops being it.

#include <jsonheal/scan.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace {

using jsonheal::scan::validation;

constexpr std::string_view valid_texts[] = {
    // 2: a value of any sort, blanks around the six structural characters
    "null",
    "true",
    "false",
    "0",
    "\"\"",
    "[]",
    "{}",
    " 1",
    "1 ",
    "\t\n\r 1 \t\n\r",
    " [ ] ",
    "\r\n{\r\n}\r\n",
    "[ 1 , 2 ]",
    "{ \"a\" : 1 , \"b\" : 2 }",
    "[\t1\n,\r2 ]",
    "                    [                    ]",
    "\n\n\n\n\n\n\n\n\n\n\n\n[\n]",
    "\t\t\t\t\t\t\t\t\t\t\t1",
    "[1,\n        2,\n                3]",
    // 3: literals
    "[true,false,null]",
    "[ true , false , null ]",
    "{\"true\":true}",
    "\ttrue\n",
    // 4: objects
    "{\"a\":1}",
    "{\"\":0}",
    "{\"a\":1,\"a\":2}",
    "{\"a\":{\"a\":{\"a\":{}}}}",
    "{\"a\":[],\"b\":{}}",
    "{\"a key of some length\":\"a value of some length\"}",
    "{\"\\u0061\":1,\"a\":2}",
    "{\"a\"\n:\n1}",
    "{\"a\":\"b\",\"c\":\"d\",\"e\":\"f\"}",
    "{\"k\":-1,\"l\":1e1,\"m\":true,\"n\":null,\"o\":false}",
    // 5: arrays
    "[1]",
    "[1,2,3]",
    "[[]]",
    "[[],[]]",
    "[[[[[[]]]]]]",
    "[{}]",
    "[{},{}]",
    "[1,\"a\",null,[],{}]",
    "[\"]\"]",
    "[\"[\",\"{\"]",
    "[[1,2],[3,4]]",
    "[{\"a\":[{\"b\":[]}]}]",
    // 6: numbers
    "-0",
    "1",
    "9",
    "10",
    "-1",
    "-10",
    "0.0",
    "0.5",
    "-0.5",
    "0.000000000000000000000000000001",
    "1.0",
    "1.25",
    "1e1",
    "1E1",
    "1e+1",
    "1e-1",
    "1E+1",
    "1E-1",
    "0e0",
    "0E-0",
    "-0e+0",
    "0.1e1",
    "1.5E+300",
    "1e999999999",
    "1e-999999999",
    "1e00001",
    "12345678",
    "123456789",
    "1234567812345678",
    "12345678123456789",
    "-123456789012345678901234567890",
    "0.12345678",
    "0.123456789",
    "1.00000000",
    "1.2345678e12345678",
    "[0,-0,0.0,0e0]",
    "[1,1]",
    "{\"a\":0}",
    "4 ",
    "-0.0 ",
    "18446744073709551616",
    "1E400",
    // 7: strings
    "\"a\"",
    "\"abcdefg\"",
    "\"abcdefgh\"",
    "\"abcdefghi\"",
    "\"abcdefghijklmnopqrstuvwxyz\"",
    "\" \"",
    "\"\x7F\"",
    "\"'\"",
    "\"/\"",
    "\"\\\"\"",
    "\"\\\\\"",
    "\"\\/\"",
    "\"\\b\\f\\n\\r\\t\"",
    "\"\\\\\\\\\"",
    "\"\\\\\\\"\"",
    "\"1234567\\\"\"",
    "\"12345678\\n\"",
    "\"\\u0000\"",
    "\"\\u0022\"",
    "\"\\u005C\"",
    "\"\\uabcd\"",
    "\"\\uABCD\"",
    "\"\\uaBcD\"",
    "\"\\u0123\\u4567\\u89ab\\ucdef\"",
    "\"\\uD83D\\uDE00\"",
    "\"[1,2]{}:,\"",
    "\"//\"",
    "\"/* */\"",
    "\"`<>\"",
    "\"\\u00e9t\\u00e9\"",
    // 8.1: UTF-8; 8.2: lone surrogates as escapes
    "\"\xC2\x80\"",
    "\"\xDF\xBF\"",
    "\"\xE0\xA0\x80\"",
    "\"\xED\x9F\xBF\"",
    "\"\xEE\x80\x80\"",
    "\"\xEF\xBF\xBF\"",
    "\"\xF0\x90\x80\x80\"",
    "\"\xF4\x8F\xBF\xBF\"",
    "\"\xEF\xBB\xBF\"",
    "\"\xE2\x80\xA8\xE2\x80\xA9\"",
    "\"caf\xC3\xA9\"",
    "\"\xC3\xA9\xE4\xBD\xA0\xF0\x9F\x98\x80\xC3\xA9\"",
    "{\"\xC3\xA9\":\"\xF0\x9F\x98\x80\"}",
    "\"\\uD800\"",
    "\"\\uDFFF\"",
    "\"\\uDE00\\uD83D\"",
    "\"\\uD800x\"",
    "\"\\uDBFF\\\\\"",
    "\"\xC2\x85\"",
    "\"1234567\xC3\xA9\"",
    "\"12345678\xC3\xA9\"",
};

struct refusal {
    std::string_view text;
    std::size_t offset;
};

/// A view that keeps NUL bytes.
template <std::size_t N>
constexpr refusal bad(const char (&text)[N], std::size_t offset) {
    return {{text, N - 1}, offset};
}

constexpr refusal refusals[] = {
    // 2: one value
    bad("", 0),
    bad(" ", 1),
    bad("\n\n\n", 3),
    bad("            ", 12),
    bad("1 1", 2),
    bad("[][]", 2),
    bad("{}{}", 2),
    bad("[] []", 3),
    bad("\"\"\"\"", 2),
    bad("nullnull", 4),
    bad("[],", 2),
    bad("1,", 1),
    bad(",", 0),
    bad(":", 0),
    bad("]", 0),
    bad("}", 0),
    bad("[]]", 2),
    bad("{}}", 2),
    bad("[] x", 3),
    bad("\"a\":1", 3),
    bad("1]", 1),
    bad("x", 0),
    bad("//\n1", 0),
    bad("/**/1", 0),
    bad("1//", 1),
    bad("#", 0),
    // 2: blanks are four bytes; NUL and other blanks are none
    bad("\v1", 0),
    bad("\f1", 0),
    bad("1\v", 1),
    bad("\0", 0),
    bad("1\0", 1),
    bad("[]\0", 2),
    bad("\xC2\xA0"
        "1",
        0),
    bad("[\b]", 1),
    bad("1 \x1F", 2),
    bad("[1\xE2\x80\xA8]", 2),
    bad("    \v  1", 4),
    bad("\x08", 0),
    bad("[1,\v2]", 3),
    // 3: literals
    bad("t", 1),
    bad("tru", 3),
    bad("truex", 4),
    bad("trux", 3),
    bad("True", 0),
    bad("TRUE", 0),
    bad("tRue", 1),
    bad("f", 1),
    bad("fals", 4),
    bad("falsy", 4),
    bad("n", 1),
    bad("nul", 3),
    bad("nil", 1),
    bad("nULL", 1),
    bad("None", 0),
    bad("undefined", 0),
    bad("NaN", 0),
    bad("nan", 1),
    bad("Infinity", 0),
    bad("[true", 5),
    bad("[tru]", 4),
    bad("[nulll]", 5),
    bad("falsefalse", 5),
    bad("true1", 4),
    // 4: objects
    bad("{", 1),
    bad("{ ", 2),
    bad("{,}", 1),
    bad("{1:2}", 1),
    bad("{a:1}", 1),
    bad("{'a':1}", 1),
    bad("{\"a\"}", 4),
    bad("{\"a\"", 4),
    bad("{\"a\":", 5),
    bad("{\"a\":}", 5),
    bad("{\"a\" 1}", 5),
    bad("{\"a\"::1}", 5),
    bad("{\"a\":1", 6),
    bad("{\"a\":1,", 7),
    bad("{\"a\":1,}", 7),
    bad("{\"a\":1,,}", 7),
    bad("{\"a\":1 \"b\":2}", 7),
    bad("{\"a\":1]", 6),
    bad("{\"a\",1}", 4),
    bad("{:1}", 1),
    bad("{null:1}", 1),
    bad("{[]:1}", 1),
    bad("{\"a\":1,2}", 7),
    bad("{\"a\":1:2}", 6),
    bad("{]", 1),
    bad("{\"a\"=1}", 4),
    bad("{\"a", 3),
    bad("{\"a\":1;\"b\":2}", 6),
    bad("{}}", 2),
    bad("{{}}", 1),
    bad("{\"a\":{}", 7),
    bad("{\"a\":1,b:2}", 7),
    bad("{\"a\":,}", 5),
    // 5: arrays
    bad("[", 1),
    bad("[ ", 2),
    bad("[1", 2),
    bad("[1,", 3),
    bad("[1,]", 3),
    bad("[,1]", 1),
    bad("[,]", 1),
    bad("[1,,2]", 3),
    bad("[1 2]", 3),
    bad("[1}", 2),
    bad("[}", 1),
    bad("[[]", 3),
    bad("[1:2]", 2),
    bad("[\"a\":1]", 4),
    bad("[\"a\"", 4),
    bad("[1;2]", 2),
    bad("[(1)]", 1),
    bad("[\"a\" \"b\"]", 5),
    bad("[[1,2],3", 8),
    bad("[{]", 2),
    bad("[{}", 3),
    bad("[...]", 1),
    bad("[1]]", 3),
    bad("[[[[}", 4),
    // 6: numbers
    bad("-", 1),
    bad("--1", 1),
    bad("+1", 0),
    bad("00", 1),
    bad("01", 1),
    bad("-01", 2),
    bad("00.5", 1),
    bad(".5", 0),
    bad("-.5", 1),
    bad("1.", 2),
    bad("0.", 2),
    bad("1.e1", 2),
    bad("1..2", 2),
    bad("1.2.3", 3),
    bad("1e", 2),
    bad("1E", 2),
    bad("1e+", 3),
    bad("1e-", 3),
    bad("1e+-1", 3),
    bad("1e1e1", 3),
    bad("1e1.5", 3),
    bad("0x10", 1),
    bad("1_000", 1),
    bad("1,000", 1),
    bad("1a", 1),
    bad("1 000", 2),
    bad("- 1", 1),
    bad("-a", 1),
    bad("-Infinity", 1),
    bad("1.5f", 3),
    bad("10L", 2),
    bad("[1.]", 3),
    bad("[-]", 2),
    bad("[1e]", 3),
    bad("[01]", 2),
    bad("{\"a\":01}", 6),
    bad("12345678.", 9),
    bad("123456789x", 9),
    bad("1.12345678x", 10),
    bad("0e", 2),
    bad("\xEF\xBC\x91", 0),
    bad("1+1", 1),
    bad("0-1", 1),
    // 7: strings
    bad("\"", 1),
    bad("\"a", 2),
    bad("\"abcdefgh", 9),
    bad("'a'", 0),
    bad("\"a'", 3),
    bad("\"\n\"", 1),
    bad("\"\t\"", 1),
    bad("\"a\rb\"", 2),
    bad("\"\0\"", 1),
    bad("\"\x1F\"", 1),
    bad("\"\x01\"", 1),
    bad("\"1234567\x1F\"", 8),
    bad("\"12345678\n\"", 9),
    bad("\"\\", 2),
    bad("\"\\\"", 3),
    bad("\"\\x41\"", 2),
    bad("\"\\'\"", 2),
    bad("\"\\a\"", 2),
    bad("\"\\v\"", 2),
    bad("\"\\0\"", 2),
    bad("\"\\N\"", 2),
    bad("\"\\ \"", 2),
    bad("\"\\\n\"", 2),
    bad("\"\\U0041\"", 2),
    bad("\"\\u", 3),
    bad("\"\\u\"", 3),
    bad("\"\\u1\"", 4),
    bad("\"\\u12\"", 5),
    bad("\"\\u123\"", 6),
    bad("\"\\u123g\"", 6),
    bad("\"\\u12g4\"", 5),
    bad("\"\\ug123\"", 3),
    bad("\"\\u{41}\"", 3),
    bad("\"\\u 123\"", 3),
    bad("\"\\u+123\"", 3),
    bad("\"\\u0041", 7),
    bad("\"\\ud83d\\ude0\"", 12),
    bad("\"\\\xC3\xA9\"", 2),
    bad("\"\\u00\xC3\xA9\"", 5),
    bad("\"\\\\\\\"", 5),
    bad("`a`", 0),
    bad("\xE2\x80\x9C"
        "a\xE2\x80\x9D",
        0),
    bad("\"a\"b\"", 3),
    bad("\"\\\0\"", 2),
    // 8.1: UTF-8, in strings only, and no byte order mark
    bad("\xEF\xBB\xBF{}", 0),
    bad("\xFE\xFF", 0),
    bad("{}\xEF\xBB\xBF", 2),
    bad("\xC3\xA9", 0),
    bad("\x80", 0),
    bad("\"\x80\"", 1),
    bad("\"\xBF\"", 1),
    bad("\"\xC0\x80\"", 1),
    bad("\"\xC1\xBF\"", 1),
    bad("\"\xE0\x80\x80\"", 2),
    bad("\"\xE0\x9F\xBF\"", 2),
    bad("\"\xED\xA0\x80\"", 2),
    bad("\"\xED\xBF\xBF\"", 2),
    bad("\"\xF0\x80\x80\x80\"", 2),
    bad("\"\xF0\x8F\xBF\xBF\"", 2),
    bad("\"\xF4\x90\x80\x80\"", 2),
    bad("\"\xF5\x80\x80\x80\"", 1),
    bad("\"\xFF\"", 1),
    bad("\"\xC3\"", 2),
    bad("\"\xC3", 2),
    bad("\"\xE2\x82\"", 3),
    bad("\"\xE2\x82", 3),
    bad("\"\xF0\x9F\x98\"", 4),
    bad("\"\xF0\x9F\x98", 4),
    bad("\"\xC3\xA9\xA9\"", 3),
    bad("\"1234567\x80\"", 8),
    bad("\"12345678\xC3(\"", 10),
    bad("{\"\xFF\":1}", 2),
    bad("\"\xE9t\xE9\"", 2),
    bad("[\xC3\xA9]", 1),
    bad("\"\xF8\x88\x80\x80\x80\"", 1),
    bad("\"\xED\xA0\xBD\xED\xB8\x80\"", 2),
};

static_assert(std::size(valid_texts) >= 120 && std::size(refusals) >= 200);

std::string with_name(const jsonheal::scan::kernel& kernel, std::string_view text) {
    return std::string(kernel.name).append(": ").append(text);
}

TEST(validate, accepts_what_is_json) {
    for (const auto& kernel : jsonheal::scan::kernels()) {
        for (const std::string_view text : valid_texts) {
            EXPECT_EQ(kernel.validate_json(text, 100), (validation{true, text.size()}))
                << with_name(kernel, text);
        }
    }
}

TEST(validate, accepts_it_inside_of_every_container_and_far_from_the_end) {
    for (const auto& kernel : jsonheal::scan::kernels()) {
        for (const std::string_view text : valid_texts) {
            const std::string inner(text);
            for (const std::string& outer :
                 {"[" + inner + "]", "{\"k\":" + inner + "}", "[" + inner + "," + inner + "]",
                  "{\"k\":" + inner + ",\"l\":[" + inner + ",0]}", inner + std::string(40, ' '),
                  std::string(40, '\n') + inner}) {
                EXPECT_EQ(kernel.validate_json(outer, 100), (validation{true, outer.size()}))
                    << with_name(kernel, outer);
            }
        }
    }
}

TEST(validate, says_where_a_text_stops_being_json) {
    for (const auto& kernel : jsonheal::scan::kernels()) {
        for (const refusal& r : refusals) {
            EXPECT_EQ(kernel.validate_json(r.text, 100), (validation{false, r.offset}))
                << with_name(kernel, r.text);
        }
    }
}

TEST(validate, says_it_inside_of_an_array_too) {
    for (const auto& kernel : jsonheal::scan::kernels()) {
        for (const refusal& r : refusals) {
            // A text that only ends too early, or goes on behind its value, may be well in there.
            if (r.offset == r.text.size() || kernel.validate_json(r.text.substr(0, r.offset), 100)) {
                continue;
            }
            const std::string text =
                "[[1,2],{\"a\":\"b\"}," + std::string(r.text) + ", \"and much more text\" ]";
            EXPECT_EQ(kernel.validate_json(text, 100), (validation{false, 17 + r.offset}))
                << with_name(kernel, text);
        }
    }
}

TEST(validate, takes_a_view_of_no_memory) {
    for (const auto& kernel : jsonheal::scan::kernels()) {
        EXPECT_EQ(kernel.validate_json({}, 0), (validation{false, 0}));
        EXPECT_EQ(kernel.validate_json(std::string_view("1]x").substr(0, 1), 0), (validation{true, 1}));
    }
}

TEST(validate, long_tokens_of_every_length) {
    for (std::size_t size = 1; size <= 100; ++size) {
        const std::string digits(size, '7');
        const std::string letters(size, 'x');
        const std::string blanks(size, ' ');
        for (const std::string& text :
             {digits, "-" + digits + "." + digits + "e" + digits, "[" + digits + "]", "\"" + letters + "\"",
              "{\"" + letters + "\":\"" + letters + "\"}", "[" + blanks + "1" + blanks + "]" + blanks}) {
            for (const auto& kernel : jsonheal::scan::kernels()) {
                EXPECT_EQ(kernel.validate_json(text, 1), (validation{true, text.size()}))
                    << with_name(kernel, text);
                EXPECT_EQ(kernel.validate_json(text + '\x01', 1), (validation{false, text.size()}));
            }
        }
    }
}

} // namespace
