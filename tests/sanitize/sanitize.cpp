#include "corpus.hpp"
#include "text_laws.hpp"

#include <jsonheal/sanitize.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace jsonheal_test {
namespace {

using jsonheal::cut_place;
using jsonheal::rewritten;
using jsonheal::risk;
using jsonheal::rule;
using jsonheal::sanitize;
using jsonheal::sanitize_options;
using jsonheal::verdict;

TEST(sanitize, examples_of_the_header) {
    EXPECT_EQ(sanitize(R"({"formatter": function(v) { return v * 2; }})").text,
              R"({"formatter": "function(v) { return v * 2; }"})");
    EXPECT_EQ(jsonheal::extract_objects("first {\"id\":1}, then {\"id\":2}").size(), 2U);
    EXPECT_EQ(jsonheal::complete_object("\"a\":{\"b\":1").text, "{\"a\":{\"b\":1}}");
}

TEST(sanitize, edits_name_their_rules) {
    const rewritten r = sanitize(R"({'a': x"y, "b": True})");
    ASSERT_EQ(r.edits.size(), 6U);
    EXPECT_EQ(r.edits[0].rule, rule::quote_style);
    EXPECT_EQ(r.edits[2].rule, rule::value_unquoted);
    EXPECT_EQ(r.edits[3].rule, rule::inner_quote_other);
    EXPECT_EQ(r.edits[5].rule, rule::literal_style);
    EXPECT_EQ(r.risk, risk::likely);
}

TEST(sanitize, ceilings_and_limits_refuse_and_say_why) {
    sanitize_options o;
    o.max_risk = risk::exact;
    rewritten r = sanitize("{a: 'x', b: y}", o);
    EXPECT_EQ(r.verdict, verdict::refused);
    EXPECT_TRUE(r.why.by_rule);
    EXPECT_EQ(r.why.offset, 12U);
    EXPECT_TRUE(sanitize("{a: 'x'}", o).ok());
    o = {};
    o.forbidden.add(rule::quote_style);
    EXPECT_EQ(sanitize("{a: 'x'}", o).why.rule, rule::quote_style);
    o = {};
    o.limits.bytes = 3;
    EXPECT_FALSE(sanitize("{a: x}", o).ok());
    EXPECT_FALSE(jsonheal::complete_object("{a: x", o).ok());
    EXPECT_TRUE(jsonheal::extract_objects("{a: x}", o.limits).empty());
    o = {};
    o.limits.edits = 1;
    EXPECT_FALSE(sanitize("{a: x}", o).ok());
}

TEST(sanitize, depth_is_bounded_in_values_and_in_expressions) {
    sanitize_options o;
    o.limits.depth = 100;
    for (const std::string_view opener : {"{", "[", "{a:[", "{a:x(", "{a:`${"}) {
        std::string text;
        for (int i = 0; i < 300; ++i) { text += opener; }
        EXPECT_FALSE(sanitize(text, o).ok()) << opener;
    }
    EXPECT_FALSE(jsonheal::complete_object(std::string(101, '{'), o).ok());
    EXPECT_TRUE(jsonheal::extract_objects(std::string(101, '{') + std::string(101, '}'), o.limits).empty());
    EXPECT_TRUE(sanitize(std::string(100, '[') + std::string(100, ']'), o).ok());
}

/// Text that is valid JSON holds no JavaScript, however much its strings look like it.
TEST(sanitize, valid_json_is_intact) {
    std::vector<std::string> texts;
    for (const std::string_view t : valid_by_hand()) { texts.emplace_back(t); }
    for (std::size_t i = 0; i < hostile_pair_count(); ++i) { texts.push_back(hostile_pair(i)); }
    random_source random(7);
    for (int i = 0; i < 2000; ++i) {
        texts.push_back(hostile_valid(random));
        texts.push_back(join(random_document(random)));
    }
    for (const auto& file : std::filesystem::directory_iterator("tests/hard")) {
        std::ifstream in(file.path(), std::ios::binary);
        texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    for (const std::string& t : texts) {
        const rewritten r = sanitize(t);
        ASSERT_EQ(r.verdict, verdict::intact) << show(t) << "\n  became " << show(r.text);
    }
}

/// An object of valid JSON is found whole wherever prose puts it, and completing it does nothing.
TEST(sanitize, valid_objects_are_found_and_complete) {
    random_source random(8);
    for (int i = 0; i < 2000; ++i) {
        const std::string object = "{\"k\":" + hostile_valid(random) + "}";
        const std::string text = "It's here: " + object + " and `there`.";
        const auto found = jsonheal::extract_objects(text);
        ASSERT_EQ(found.size(), 1U) << show(object);
        EXPECT_EQ(found.front(), object);
        EXPECT_EQ(jsonheal::complete_object(object).verdict, verdict::intact) << show(object);
    }
}

TEST(text_laws, hold_on_fragments_in_any_order) {
    constexpr std::string_view fragments[] = {
        "{",  "}",    "[",       "]",       "(",         ")",      "\"",     "'",      "`",      "${",
        ",",  ":",    ";",       "a",       "b: ",       "\"k\":", "'k':",   "x => ",  "/",      "/a/g",
        "//", "/*",   "*/",      "\n",      "\\",        "\\'",    " ",      "...",    "1",      "function(",
        "){", "new ", "return ", "class A", "NaN",       "async ", ".f",     "[1].f(", "\u201C", "\u2019",
        "#",  "# ",   "=",       "?",       "get x() {", "\xFF",   "\u00AB", "*",
    };
    random_source random(9);
    for (int i = 0; i < 60'000; ++i) {
        std::string text;
        for (std::size_t n = random.below(14); n > 0; --n) {
            text += fragments[random.below(std::size(fragments))];
        }
        const failure broken = check_text_laws(text);
        ASSERT_FALSE(broken) << *broken << "\n  input " << show(text);
    }
}

/// However a text is cut, nothing breaks, and what was cut is not called whole.
TEST(text_laws, hold_on_every_prefix) {
    const std::string text =
        R"({"a": function(x) { return /[}]/.test(`${x}`) ? "y" : 'z' }, 'b': [x, 'y'], c() { }, ...d, "e": f})";
    for (std::size_t n = 0; n <= text.size(); ++n) {
        const std::string cut = text.substr(0, n);
        const failure broken = check_text_laws(cut);
        ASSERT_FALSE(broken) << *broken << "\n  input " << show(cut);
        if (n > 0) { EXPECT_EQ(sanitize(cut).verdict == verdict::truncated, n < text.size()) << show(cut); }
    }
}

} // namespace
} // namespace jsonheal_test
