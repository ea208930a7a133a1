// The reader's own events, below types.
#include <jsonheal/dialect.hpp>

#include <gtest/gtest.h>

namespace {

namespace dialect = jsonheal::dialect;

/// Writes every event down. Pieces of one text are one.
class notes final : public dialect::sink {
public:
    void on_content(std::string_view text) override { add("content:", text); }
    void on_reasoning(std::string_view text) override { add("reasoning:", text); }
    void on_call(const dialect::call_begin& c) override {
        out += "|call " + std::string(c.name) + (c.tool.empty() ? " undeclared" : "") +
               (c.id.empty() ? "" : " #" + std::string(c.id)) + " @" + std::to_string(c.offset);
        last.clear();
    }
    void on_json(std::string_view bytes) override { add("json:", bytes); }
    void on_text(std::string_view text, std::size_t) override { add("text:", text); }
    void on_parameter(std::string_view key, dialect::type_hint, std::size_t) override {
        add("key " + std::string(key), "=");
    }
    void on_value(std::string_view text, std::size_t) override { add("value:", text); }
    void on_value_end(bool whole) override { add(whole ? "end" : "cut", ""); }
    void on_call_end(const dialect::call_end& e) override {
        constexpr std::string_view names[] = {"closed", "mended", "cut", "rejected"};
        out += "|" + std::string(names[static_cast<std::size_t>(e.ending)]);
        last.clear();
    }
    std::string out, last;

private:
    void add(const std::string& what, std::string_view text) {
        if (what != last) { out += "|" + what; }
        last = what;
        out += text;
    }
};

std::string events(std::string_view text, const dialect::tool_names& tools, std::size_t chunk = 1000) {
    notes to;
    dialect::reader_options o;
    o.tools = &tools;
    dialect::reader r(o, to);
    for (std::size_t i = 0; i < text.size(); i += chunk) { r.feed(text.substr(i, chunk)); }
    r.finish();
    return to.out;
}

TEST(reader, tells_what_stands_where) {
    dialect::tool_names tools;
    tools.add({"f", {"a", "b"}, true});
    EXPECT_EQ(events("hi <tool_call>{\"name\": \"f\", \"arguments\": {\"a\": 1}}</tool_call>", tools),
              "|content:hi |call f @3|json:{\"a\": 1}|closed");
    EXPECT_EQ(
        events("<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>", tools),
        "|call f @0|key a=|value:1|end|closed");
    EXPECT_EQ(events("<think>x</think>y", tools), "|reasoning:x|content:y");
    EXPECT_EQ(events("<tool_call>{\"name\": \"g\", \"arguments\": \"x\"}</tool_call>", tools),
              "|call g undeclared @0|text:x|closed");
    EXPECT_EQ(events("[f(a=1)]", tools), "|call f @0|json:{\"a\":1}|closed");
    EXPECT_EQ(events("[g(a=1)]", tools), "|content:[g(a=1)]");
}

TEST(reader, says_the_same_in_any_chunks) {
    dialect::tool_names tools;
    tools.add({"f", {"a", "b"}, true});
    const std::string text = "hi <tool_call>\n<function=f>\n<parameter=a>\nx </parameter> "
                             "y\n</parameter>\n</function>\n</tool_call> and [f(a='x')] "
                             "<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_"
                             "argument_begin|>{a: 1}<|tool_call_end|><|tool_calls_section_end|>";
    const std::string whole = events(text, tools);
    for (std::size_t chunk = 1; chunk < 40; ++chunk) {
        EXPECT_EQ(events(text, tools, chunk), whole) << chunk;
    }
}

TEST(names, are_found_through_what_models_put_around_them) {
    dialect::tool_names tools;
    tools.add({"get_weather", {}, false});
    tools.add({"ns.get_time", {}, false});
    for (const std::string_view written :
         {"get_weather", "functions.get_weather", " functions.get_weather:12 ", "functions_get_weather_1",
          "mcp:files:get_weather", "@get_weather", "get_weather<|channel|>commentary", "get-weather"}) {
        EXPECT_EQ(tools.meant(written), 0u) << written;
    }
    EXPECT_EQ(tools.meant("functions.ns.get_time:0"), 1u);
    EXPECT_EQ(tools.meant("weather"), dialect::tool_names::none);
}

} // namespace
