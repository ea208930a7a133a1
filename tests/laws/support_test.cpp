// The judges judged: the strict checker, the tape, the cut reading and the table of shapes.
#include "corpus.hpp"
#include "cut_reading.hpp"
#include "json_tape.hpp"
#include "rule_shapes.hpp"
#include "strict_json.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace jsonheal_test {
namespace {

using std::string_view;

TEST(strict_checker, accepts_what_is_valid) {
    for (string_view text : valid_by_hand()) { EXPECT_TRUE(check_strict_json(text).valid) << text; }
    random_source random(1);
    for (int i = 0; i < 500; ++i) {
        std::string text = hostile_valid(random);
        strict_result r = check_strict_json(text);
        EXPECT_TRUE(r.valid) << r.reason << " at " << r.offset << " of " << text;
        EXPECT_TRUE(check_strict_json(join(random_document(random))).valid);
    }
    for (std::size_t i = 0; i < hostile_pair_count(); i += 13) {
        EXPECT_TRUE(check_strict_json(hostile_pair(i)).valid);
    }
}

TEST(strict_checker, refuses_what_is_not) {
    constexpr string_view texts[] = {
        "",
        " ",
        "nul",
        "nulll",
        "True",
        "01",
        "-",
        "-01",
        "1.",
        ".5",
        "1e",
        "1e+",
        "+1",
        "0x1",
        "1 2",
        "[",
        "]",
        "[1",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[1,,2]",
        "{",
        "}",
        "{]",
        "[}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{1:2}",
        "{\"a\" 1}",
        "{\"a\"::1}",
        "{\"a\":1 \"b\":2}",
        "{,}",
        "\"",
        "\"a",
        "'a'",
        "\"\\\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12G4\"",
        "\"\t\"",
        "\"\n\"",
        "[1]]",
        "{}{}",
        "[]x",
        "\"a\"b",
        "\xEF\xBB\xBF{}",
        "\"\xFF\"",
        "\"\xC0\xAF\"",
        "\"\xED\xA0\x80\"",
        "\"\xF4\x90\x80\x80\"",
        "\"\xE2\x82\"",
        "[1]\xC2\xA0",
        "//\n1",
        "NaN",
        "[1\f]",
        string_view("1\0", 2),
        string_view("\"\0\"", 3),
    };
    for (string_view text : texts) { EXPECT_FALSE(check_strict_json(text).valid) << text; }
}

TEST(strict_checker, depth_costs_no_stack) {
    std::string deep = std::string(2'000'000, '[') + std::string(2'000'000, ']');
    strict_result r = check_strict_json(deep);
    EXPECT_TRUE(r.valid);
    EXPECT_EQ(r.depth, 2'000'000U);
}

TEST(json_tape, numbers_have_one_spelling) {
    EXPECT_EQ(normal_number("1.50e2"), normal_number("150"));
    EXPECT_EQ(normal_number("-0.0"), normal_number("0"));
    EXPECT_EQ(normal_number("1E+2"), normal_number("100"));
    EXPECT_EQ(normal_number("0.001"), normal_number("1e-3"));
    EXPECT_NE(normal_number("12345678901234567890"), normal_number("12345678901234567891"));
    EXPECT_NE(normal_number("-1"), normal_number("1"));
}

TEST(json_tape, strings_are_decoded) {
    EXPECT_EQ(decode_string("a\\u0041\\n\\\\\\\"\\/"), "aA\n\\\"/");
    EXPECT_EQ(decode_string("\\ud83d\\ude00"), "\xF0\x9F\x98\x80");
    EXPECT_EQ(decode_string("\\ud83dx"), "\xED\xA0\xBDx");
}

TEST(json_tape, members_are_found) {
    std::string text = R"({"a":[1,{"b":[]},"c"],"d":{"e":null}, "f" : "g"})";
    auto tape = read_json(text);
    ASSERT_TRUE(tape);
    json_view root(text, *tape, 0);
    ASSERT_EQ(root.members().size(), 3U);
    EXPECT_EQ(root.get("a")->members().size(), 3U);
    EXPECT_EQ(root.get("a")->source(), R"([1,{"b":[]},"c"])");
    EXPECT_EQ(root.get("d")->get("e")->text(), "null");
    EXPECT_EQ(root.get("f")->text(), "g");
    EXPECT_FALSE(root.get("e"));
}

TEST(json_tape, values_compare_as_values) {
    auto same = [](string_view a, string_view b) { return same_value(*read_json(a), *read_json(b)); };
    EXPECT_TRUE(same(R"({"a":1,"b":[2,{}]})", R"({ "b" : [2.0, {}], "a" : 1 })"));
    EXPECT_TRUE(same(R"({"a":1,"a":2})", R"({"a":2})"));
    EXPECT_FALSE(same("[1,2]", "[2,1]"));
    EXPECT_FALSE(same("[[1],2]", "[1,[2]]"));
    EXPECT_FALSE(same(R"(["null"])", "[null]"));
    EXPECT_FALSE(same(R"({"a":{}})", R"({"a":[]})"));
    EXPECT_FALSE(same_tokens(*read_json(R"({"a":1,"b":2})"), *read_json(R"({"b":2,"a":1})")));
}

TEST(cut_reading, names_the_place) {
    using jsonheal::cut_place;
    struct row {
        string_view text;
        string_view json;
        cut_place place;
    };
    constexpr row rows[] = {
        {"[1,", "[1]", cut_place::between},
        {"{\"a\":1,\"b", "{\"a\":1}", cut_place::in_key},
        {"{\"a\":", "{}", cut_place::after_colon},
        {"[1,tr", "[1]", cut_place::in_literal},
        {"[1e", "[1]", cut_place::in_number},
        {"[\"a\\u26", "[\"a\"]", cut_place::in_string},
        {"[\"a\\ud83d", "[\"a\"]", cut_place::in_string},
        {"[\"a\xC3", "[\"a\"]", cut_place::in_string},
        {"{\"a\":[1]", "{\"a\":[1]}", cut_place::closers},
        {"[true", "[true]", cut_place::closers},
        {"{\"a\":-", "{}", cut_place::in_number},
        {"[[],[", "[[],[]]", cut_place::between},
    };
    for (const row& r : rows) {
        cut_reading got = read_cut(r.text);
        EXPECT_EQ(got.json, r.json) << r.text;
        EXPECT_EQ(std::count(got.places.begin(), got.places.end(), r.place), 1) << r.text;
    }
    EXPECT_TRUE(read_cut(" ").nothing);
    EXPECT_TRUE(read_cut("12").whole);
    EXPECT_TRUE(read_cut("{} ").whole);
}

TEST(rule_shapes, every_rule_has_one) { EXPECT_EQ(rules_without_shape(), ""); }

TEST(rule_shapes, the_wrong_edit_is_seen) {
    using jsonheal::edit;
    using jsonheal::rule;
    string_view input = "[1, abc, 'd']";
    EXPECT_FALSE(check_edit_shape(input, edit(9, 10, "\"", rule::quote_style)));
    EXPECT_TRUE(check_edit_shape(input, edit(4, 7, "\"", rule::quote_style)));
    EXPECT_TRUE(check_edit_shape(input, edit(2, 7, "", rule::comma_surplus)));
    EXPECT_TRUE(check_edit_shape(input, edit(4, 4, "x", rule::value_unquoted)));
    EXPECT_TRUE(check_edit_shape(input, edit(4, 4, "", rule::prose)));
}

TEST(damage, every_kind_breaks_documents) {
    for (string_view kind : damage_kinds()) {
        random_source random(7);
        int broken = 0;
        for (int i = 0; i < 60; ++i) { broken += check_strict_json(damaged(random, kind)).valid ? 0 : 1; }
        EXPECT_GT(broken, 5) << kind;
    }
}

} // namespace
} // namespace jsonheal_test
