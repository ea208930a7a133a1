// The laws of the design as they bind arguments: on the cases, on every cut of them, and on texts made of their pieces.
#include "cases.hpp"

#include <gtest/gtest.h>

#include <random>

namespace jsonheal_test {
namespace {

using jsonheal::args_options;
using jsonheal::arguments;
using jsonheal::document;
using jsonheal::string_quotes;
using jsonheal::value_kind;
using jsonheal::verdict;

constexpr const char* tools[] = {"", "read_file", "bash", "@coder", "Grep", "get_tide"};

/// What is wrong with an answer whatever the text was; empty if nothing.
std::string broken_law(std::string_view tool, std::string_view text, const args_options& o,
                       const arguments& a) {
    if (a.verdict == verdict::refused) {
        if (a.why.message.empty()) { return "a refusal without a reason"; }
        if (!a.edits.empty() || a.several()) { return "a refusal with a result"; }
        return {};
    }
    if (a.passthrough) { return "passed through and not refused"; }
    const auto parsed = document::parse(std::string(a.json()));
    if (!parsed) { return "not JSON: " + std::string(a.json()); }
    if (parsed.value.root().kind() != (a.several() ? value_kind::array : value_kind::object)) {
        return "not an object";
    }
    if (jsonheal::replay(text, a.edits) != std::string(a.json())) { return "the edits are no proof"; }
    if ((a.verdict == verdict::truncated) != (a.cut != jsonheal::cut_place::none)) {
        return "verdict and cut disagree";
    }
    if ((a.verdict == verdict::intact) != a.edits.empty() && a.cut == jsonheal::cut_place::none) {
        return "verdict and edits disagree";
    }
    jsonheal::risk worst = jsonheal::risk::exact;
    for (const auto& e : a.edits) { worst = std::max(worst, e.risk()); }
    if (worst != a.risk) { return "the risk is not that of the edits"; }
    if (a.how.empty()) { return "no step is named"; }
    if (a.several()) { return {}; }
    // What came out is arguments, and arguments stay as they are: unless they are a call in a call beyond the limit.
    const arguments again = jsonheal::normalize_args(tool, a.json(), o);
    if (again.verdict != verdict::intact || again.json() != a.json()) {
        return "not idempotent: " + std::string(again.json());
    }
    return {};
}

std::string check(std::string_view tool, std::string_view text, const args_options& o = {}) {
    std::string why = broken_law(tool, text, o, jsonheal::normalize_args(tool, text, o));
    const arguments map = jsonheal::arguments_map(text, o);
    if (why.empty() && map.ok() && jsonheal::replay(text, map.edits) != std::string(map.json())) {
        why = "map: no proof";
    }
    return why;
}

std::vector<std::string> inputs() {
    std::vector<std::string> all;
    for (const char* file : {"documented.json", "weaknesses.json", "arguments.json"}) {
        const document d = read_cases(file);
        for (const args_case& c : cases_of(d)) { all.push_back(c.input); }
    }
    return all;
}

TEST(args_laws, hold_on_the_cases_for_any_tool) {
    for (const std::string& text : inputs()) {
        for (const char* tool : tools) {
            for (const string_quotes q :
                 {string_quotes::all, string_quotes::code_fields, string_quotes::off}) {
                args_options o;
                o.quotes = q;
                o.aliases = q == string_quotes::all;
                EXPECT_EQ(check(tool, text, o), "") << "tool " << tool << ", text " << text;
            }
        }
    }
}

TEST(args_laws, hold_wherever_the_text_is_cut) {
    for (const std::string& text : inputs()) {
        for (std::size_t size = 0; size < text.size(); ++size) {
            EXPECT_EQ(check("@coder", text.substr(0, size)), "") << text.substr(0, size);
        }
    }
}

TEST(args_laws, hold_on_texts_of_random_pieces) {
    constexpr const char* pieces[] = {"{",
                                      "}",
                                      "[",
                                      "]",
                                      "\"",
                                      "'",
                                      ":",
                                      ",",
                                      " ",
                                      "\n",
                                      "\\\"",
                                      "\\\\",
                                      "name",
                                      "arguments",
                                      "\"a\"",
                                      "\"cmd\":",
                                      "1",
                                      "null",
                                      "\"\"",
                                      "“",
                                      "’",
                                      "«",
                                      "read",
                                      "--file",
                                      "ls",
                                      "{\"a\":1}",
                                      "```",
                                      "<|x|>",
                                      "\"{\\\"b\\\":2}\"",
                                      "\xFF"};
    std::mt19937 random(20240501);
    for (int i = 0; i < 20000; ++i) {
        std::string text;
        for (auto n = random() % 14; n > 0; --n) { text += pieces[random() % std::size(pieces)]; }
        const char* tool = tools[random() % std::size(tools)];
        EXPECT_EQ(check(tool, text), "") << "tool " << tool << ", text " << text;
    }
}

// A valid object that is no wrapper comes back byte for byte, and is not copied.
TEST(args_laws, valid_objects_are_borrowed) {
    for (const std::string_view text :
         {R"({"a":1,"a":2})", R"( {"n": 1.50e+007, "s":"\ud800"} )", R"({"name":"x","arguments":{}})"}) {
        const arguments a = jsonheal::normalize_args("f", text);
        EXPECT_EQ(a.verdict, verdict::intact) << text;
        EXPECT_EQ(a.json().data(), text.data());
    }
}

TEST(args_laws, the_ceiling_is_kept) {
    for (const std::string& text : inputs()) {
        for (const auto ceiling : {jsonheal::risk::exact, jsonheal::risk::likely, jsonheal::risk::invented}) {
            args_options o;
            o.engine.max_risk = ceiling;
            const arguments a = jsonheal::normalize_args("read_file", text, o);
            if (a.ok()) { EXPECT_LE(a.risk, ceiling) << text; }
        }
    }
}

} // namespace
} // namespace jsonheal_test
