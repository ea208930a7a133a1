// The table of formats, and which of them a text is in.
#include <jsonheal/dialect.hpp>

#include <gtest/gtest.h>

#include <set>

namespace {

using jsonheal::call_format;

TEST(formats, names_are_stable_words_and_each_stands_once) {
    std::set<std::string_view> names;
    for (const call_format& f : jsonheal::call_formats()) {
        EXPECT_TRUE(names.insert(f.name).second) << f.name;
        EXPECT_EQ(f.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), std::string_view::npos)
            << f.name;
        EXPECT_FALSE(f.models.empty()) << f.name;
        EXPECT_EQ(jsonheal::find_call_format(f.name), &f);
    }
    EXPECT_GE(names.size(), 63u);
}

TEST(formats, all_twelve_shapes_are_there) {
    std::set<std::string_view> shapes;
    for (const call_format& f : jsonheal::call_formats()) { shapes.insert(name(f.shape)); }
    EXPECT_EQ(shapes.size(), 12u);
}

TEST(formats, a_reply_tells_its_format) {
    const auto of = [](std::string_view text) {
        const call_format* f = jsonheal::detect_call_format(text);
        return f != nullptr ? f->name : std::string_view("none");
    };
    EXPECT_EQ(of("<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>"),
              "qwen3_coder");
    EXPECT_EQ(of("<tool_call>{\"name\": \"f\"}</tool_call>"), "hermes");
    EXPECT_EQ(of("<tool_call>f<arg_key>a</arg_key><arg_value>1</arg_value></tool_call>"), "glm45");
    EXPECT_EQ(of("<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"f\">"), "deepseek_v4");
    EXPECT_EQ(of("<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0"), "kimi_k2");
    EXPECT_EQ(of("<|channel|>commentary to=functions.f <|message|>{}<|call|>"), "harmony");
    EXPECT_EQ(of("{%- if tools %}{{- '<tool_call>\\n{\"name\": ' }}{{ '</tool_call>' }}{% endif %}"),
              "hermes")
        << "a chat template";
    EXPECT_EQ(of("plain prose with a { and a <b>"), "none");
}

TEST(formats, each_recognizes_what_it_writes_or_has_no_marker) {
    for (const call_format& f : jsonheal::call_formats()) {
        const jsonheal::dialect::written_call c{"f", "{\"a\":1}", "0"};
        std::string text;
        jsonheal::dialect::write_calls(f, {&c, 1}, text);
        if (f.opener.size() < 4) { continue; } // too short to tell
        EXPECT_NE(jsonheal::detect_call_format(text), nullptr) << f.name << "\n" << text;
    }
}

} // namespace
