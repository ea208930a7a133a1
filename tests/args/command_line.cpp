// The cases of command_lines.json, and what data cannot say.
#include "cases.hpp"

#include <jsonheal/args_command_line.hpp>

#include <gtest/gtest.h>

namespace jsonheal_test {
namespace {

using jsonheal::document;
using jsonheal::value_view;
using jsonheal::word_list;

std::string shown(const word_list& w) {
    if (!w.ok()) { return "error at " + std::to_string(w.offset) + ": " + std::string(w.error); }
    jsonheal::document_builder b;
    b.begin_array();
    for (const std::string& word : w.list) { b.string(word); }
    return std::string(b.end_array().finish().text());
}

/// Are the words those of the case, or the error at its place?
bool is_right(value_view c, const word_list& w) {
    if (const auto offset = c.find("error")) {
        return !w.ok() && w.list.empty() && offset->int64() == static_cast<std::int64_t>(w.offset);
    }
    const auto cut = c.find("cut");
    return w.ok() && (cut ? cut->string() : std::string()) == name(w.cut) &&
           same_value(document::parse(shown(w)).value.root(), *c.find("words"));
}

TEST(command_lines, cases_are_met) {
    const document file = read_cases("command_lines.json");
    std::size_t count = 0;
    for (const value_view c : file.root().find("cases")->elements()) {
        ++count;
        const std::string fn = text_of(c, "fn"), input = text_of(c, "input"), tool = text_of(c, "tool");
        if (fn == "fields") {
            const auto a = jsonheal::read_fields(input, tool);
            EXPECT_EQ(a.json(), text_of(c, "json")) << input;
        } else {
            const word_list w = fn == "split"     ? jsonheal::split_command_line(input)
                                : fn == "to_argv" ? jsonheal::to_argv(input)
                                                  : jsonheal::read_argv(tool, std::string_view(input));
            EXPECT_TRUE(is_right(c, w)) << c.source() << "\n  got " << shown(w);
        }
    }
    EXPECT_GT(count, 60U);
}

TEST(to_argv, refuses_what_is_no_json) {
    EXPECT_EQ(jsonheal::to_argv("{a:1}").offset, 1U);
    EXPECT_FALSE(jsonheal::to_argv("1").ok());
}

TEST(read_fields, refuses_open_quotes_and_nothing) {
    const auto a = jsonheal::read_fields("exec --cmd it's", "@coder");
    EXPECT_FALSE(a.ok());
    EXPECT_EQ(a.why.offset, 13U);
    EXPECT_FALSE(jsonheal::read_fields("  ", "@coder").ok());
}

} // namespace
} // namespace jsonheal_test
