// Layouts.

#include <jsonheal/document.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using jsonheal::layout;

std::string written(std::string_view json, const jsonheal::write_options& options) {
    std::string out;
    write_text(json, options, out);
    return out;
}

std::string compacted(std::string_view json, const jsonheal::string_escapes& escapes = {}) {
    std::string out;
    jsonheal::compact(json, out, escapes);
    return out;
}

constexpr std::string_view sample =
    " { \"a \\\" b\" : [ 1.50 , { } , [ ] , \"\xC3\xA9\xE2\x80\xA8\" ] ,\r\n\t\"c\":null } ";

TEST(print, preserve_changes_nothing) { EXPECT_EQ(written(sample, {}), sample); }

TEST(print, compact_drops_blanks_outside_strings_only) {
    EXPECT_EQ(compacted(sample), "{\"a \\\" b\":[1.50,{},[],\"\xC3\xA9\xE2\x80\xA8\"],\"c\":null}");
    EXPECT_EQ(compacted(" 1 "), "1");
    EXPECT_EQ(compacted(R"("ends in a backslash \\" )"), R"("ends in a backslash \\")");
}

TEST(print, indented_puts_one_member_a_line) {
    EXPECT_EQ(written(R"({"a":[1,{},[ ],"x"],"b":{"c":[]}})",
                      {.layout = layout::indented, .indent = 2, .escapes = {}}),
              "{\n  \"a\": [\n    1,\n    {},\n    [],\n    \"x\"\n  ],\n  \"b\": {\n    \"c\": []\n  }\n}");
    EXPECT_EQ(written("[1]", {.layout = layout::indented, .indent = 0, .escapes = {}}), "[\n1\n]");
}

TEST(print, escapes_on_request_in_every_layout) {
    EXPECT_EQ(compacted("[ \"\xC2\x85\xE2\x80\xA8\xE2\x80\xA9\xC3\xA9\" ]", {.line_separators = true}),
              "[\"\\u0085\\u2028\\u2029\xC3\xA9\"]");
    EXPECT_EQ(written("[ \"\xC3\xA9\xF0\x9F\x98\x80\\n\" ]",
                      {.layout = layout::preserve,
                       .indent = 2,
                       .escapes = {.line_separators = false, .non_ascii = true}}),
              R"([ "\u00e9\ud83d\ude00\n" ])");
}

TEST(print, writes_one_value_of_a_document) {
    const auto d = jsonheal::document::parse(std::string(sample)).value;
    std::string out = "> ";
    write(*d.root().find("a \" b"), {.layout = layout::compact, .indent = 0, .escapes = {}}, out);
    EXPECT_EQ(out, "> [1.50,{},[],\"\xC3\xA9\xE2\x80\xA8\"]");
}

TEST(print, is_memory_safe_on_text_that_is_no_json) {
    for (const std::string_view text : {"\"", "\"\\", "]]]]", "{\"a", "\"\xE2\x80", "}{", ",:", "\"\x01\""}) {
        for (const auto l : {layout::preserve, layout::compact, layout::indented}) {
            written(text,
                    {.layout = l, .indent = 2, .escapes = {.line_separators = true, .non_ascii = true}});
            written(text, {.layout = l, .indent = 2, .escapes = {}});
        }
    }
}

} // namespace
