// The classes of faults that readers of calls have had, one test each.
#include "random_calls.hpp"

#include <gtest/gtest.h>

namespace jsonheal_test {
namespace {

using jsonheal::call_options;
using jsonheal::call_status;
using jsonheal::calls_reading;
using jsonheal::find_call_format;

constexpr std::string_view declared = R"([
  {"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}, "metric": {"type": "boolean"}}, "required": ["city"]}},
  {"name": "ping", "parameters": {"type": "object", "properties": {}}},
  {"name": "write_file", "parameters": {"type": "object", "properties": {"path": {"type": "string"}, "content": {"type": "string"}}}},
  {"name": "order", "parameters": {"type": "object", "properties": {"id": {"type": "string"}, "qty": {"type": "integer"}, "gift": {"type": "boolean"},
    "note": {"type": ["string", "null"]}, "kind": {"anyOf": [{"const": "memo"}, {"const": "idea"}]}, "level": {"enum": [1, 2]}, "at": {"$ref": "#/$defs/P"}},
    "$defs": {"P": {"type": "object", "properties": {"x": {"type": "integer"}}}}}}
])";

class failure_class : public testing::Test {
protected:
    jsonheal::tool_set_reading tools = jsonheal::tool_set::read(declared);

    call_options options(std::string_view format) {
        call_options o;
        o.tools = &tools.tools;
        o.format = format.empty() ? nullptr : find_call_format(format);
        EXPECT_TRUE(format.empty() || o.format != nullptr) << format;
        return o;
    }
    calls_reading read(std::string_view format, std::string_view text) {
        return jsonheal::read_calls(text, options(format));
    }
};

TEST_F(failure_class, c01_two_code_paths) {
    const call_options o = options("glm47");
    const std::string text = "<tool_call>ping</tool_call><tool_call>ping</tool_call>";
    const calls_reading whole = jsonheal::read_calls(text, o);
    ASSERT_EQ(whole.calls.size(), 2u);
    EXPECT_EQ(whole.calls[0].arguments, "{}");
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        EXPECT_EQ(show(read_chunked(text, o, seed)), show(whole));
    }
}

TEST_F(failure_class, c02_chunk_size_assumptions) {
    // everything in one chunk, and markers that end and begin in the same one
    const auto r = read("gemma4", "<|tool_call>call:ping{}<tool_call|><|tool_call>call:get_weather{city:<|\"|"
                                  ">Rome<|\"|>}<tool_call|>ok");
    ASSERT_EQ(r.calls.size(), 2u);
    EXPECT_EQ(r.calls[1].arguments, "{\"city\":\"Rome\"}");
    EXPECT_EQ(r.content, "ok");
}

TEST_F(failure_class, c03_complete_then_diff) {
    // bytes that were handed out are never taken back
    const call_options o = options("qwen3_coder");
    const std::string text = "<tool_call>\n<function=order>\n<parameter=qty>\n12\n</"
                             "parameter>\n<parameter=id>\n\"x\"\\n\n</parameter>\n</function>\n</tool_call>";
    jsonheal::call_reader reader(o);
    std::string so_far;
    for (const char c : text) {
        for (const auto& e : reader.feed(std::string_view(&c, 1))) {
            if (e.what == jsonheal::call_event::kind::arguments) { so_far += e.text; }
        }
    }
    for (const auto& e : reader.finish()) {
        if (e.what == jsonheal::call_event::kind::arguments) { so_far += e.text; }
    }
    EXPECT_EQ(so_far, R"({"qty":12,"id":"\"x\"\\n"})");
}

TEST_F(failure_class, c04_held_back_text_lost_at_the_end) {
    for (const std::string_view text : {"almost <tool_c", "half <|tool_ca", "a [", "a {\"name\": \"get_wea",
                                        "`", "x <function=get_weather"}) {
        EXPECT_EQ(read("", text).content, text);
        EXPECT_TRUE(read("", text).calls.empty());
    }
}

TEST_F(failure_class, c05_marker_text_as_data) {
    auto r = read(
        "hermes",
        R"(<tool_call>{"name": "write_file", "arguments": {"content": "a </tool_call> b <tool_call>{\"name\": \"ping\"}</tool_call>"}}</tool_call>)");
    ASSERT_EQ(r.calls.size(), 1u);
    EXPECT_EQ(r.calls[0].arguments,
              R"({"content": "a </tool_call> b <tool_call>{\"name\": \"ping\"}</tool_call>"})");
    const std::string quoted = "<tool_call>\n<function=ping>\n</function>\n</tool_call>";
    r = read("qwen3_coder",
             "<tool_call>\n<function=write_file>\n<parameter=content>\nuse\n" + quoted +
                 "\nto ping, then </parameter> and more\n</parameter>\n</function>\n</tool_call>");
    ASSERT_EQ(r.calls.size(), 1u);
    EXPECT_EQ(
        r.calls[0].arguments,
        R"({"content":"use\n<tool_call>\n<function=ping>\n</function>\n</tool_call>\nto ping, then </parameter> and more"})");
}

TEST_F(failure_class, c06_fabricated_calls_from_prose_or_drafts) {
    for (const std::string_view text :
         {"Use `<function=get_weather>` with a `<parameter=city>` child.",
          "The call {\"name\": \"get_weather\", \"arguments\": {\"city\": \"X\"}} would do.",
          "Write `{\"name\": \"ping\", \"arguments\": {}}` to ping.", "get_weather(city) is a function.",
          "The tag <tool_call> opens a call.", "{\"name\": \"Ann\"}"}) {
        EXPECT_TRUE(read("", text).calls.empty()) << text;
        EXPECT_EQ(read("", text).content, text);
    }
    const std::string draft = "<think>perhaps <tool_call>{\"name\": \"ping\", \"arguments\": {}}</tool_call>";
    EXPECT_TRUE(read("hermes", draft + "</think>no").calls.empty());
    EXPECT_EQ(read("hermes", draft).calls.size(), 1u) << "never closed: it counts";
    call_options o = options("hermes");
    o.in_reasoning = jsonheal::dialect::reasoning_calls::ignore;
    EXPECT_TRUE(jsonheal::read_calls(draft, o).calls.empty());
    o.in_reasoning = jsonheal::dialect::reasoning_calls::read;
    EXPECT_EQ(jsonheal::read_calls(draft + "</think>no", o).calls.size(), 1u);
}

TEST_F(failure_class, c07_typing) {
    const auto value = [&](std::string_view key, std::string_view text) {
        const auto r =
            read("glm47", "<tool_call>order<arg_key>" + std::string(key) + "</arg_key><arg_value>" +
                              std::string(text) + "</arg_value></tool_call>");
        return r.calls.size() == 1 ? r.calls[0].arguments : "no call";
    };
    EXPECT_EQ(value("id", "123_456"), R"({"id":"123_456"})");
    EXPECT_EQ(value("id", "null"), R"({"id":"null"})");
    EXPECT_EQ(value("id", "  x "), R"({"id":"  x "})");
    EXPECT_EQ(value("qty", " 9007199254740993 "), R"({"qty":9007199254740993})");
    EXPECT_EQ(value("qty", "1.5"), R"({"qty":"1.5"})") << "never lossy";
    EXPECT_EQ(value("gift", "True"), R"({"gift":true})");
    EXPECT_EQ(value("gift", "maybe"), R"({"gift":"maybe"})");
    EXPECT_EQ(value("note", "null"), R"({"note":null})");
    EXPECT_EQ(value("note", "5"), R"({"note":"5"})");
    EXPECT_EQ(value("kind", "memo"), R"({"kind":"memo"})");
    EXPECT_EQ(value("level", "2"), R"({"level":2})");
    EXPECT_EQ(value("at", "{'x': 1}"), R"({"at":{"x": 1}})");
    EXPECT_EQ(value("unknown", "5"), R"({"unknown":"5"})");
}

TEST_F(failure_class, c08_whitespace) {
    auto r = read("qwen3_coder", "<tool_call>\n<function=write_file>\n<parameter=content>\n\n    if x:\n     "
                                 "   y\n\n</parameter>\n</function>\n</tool_call>");
    ASSERT_EQ(r.calls.size(), 1u);
    EXPECT_EQ(r.calls[0].arguments, R"({"content":"\n    if x:\n        y\n"})");
    r = read("minimax_m2", "<minimax:tool_call>\n<invoke name=\"write_file\">\n<parameter "
                           "name=\"content\">\n x </parameter>\n</invoke>\n</minimax:tool_call>");
    ASSERT_EQ(r.calls.size(), 1u);
    EXPECT_EQ(r.calls[0].arguments, R"({"content":"\n x "})");
}

TEST_F(failure_class, c09_all_or_nothing) {
    const auto r =
        read("hermes",
             "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"unclosed}}\n</tool_call>\n"
             "<tool_call>\n{\"name\": \"ping\", \"arguments\": {}}\n</tool_call>\n<tool_call>not a "
             "call</tool_call>\n"
             "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Rome\"}}\n</tool_call>");
    ASSERT_EQ(r.calls.size(), 3u) << show(r);
    EXPECT_EQ(r.calls[1].name, "ping");
    EXPECT_EQ(r.calls[1].status, call_status::complete);
    EXPECT_EQ(r.calls[2].arguments, "{\"city\": \"Rome\"}");
    const auto python = read("pythonic", "[get_weather(city=\"Rome\"), get_weather(city=1+1), ping()]");
    ASSERT_EQ(python.calls.size(), 2u) << show(python);
}

TEST_F(failure_class, c10_executable_empties) {
    const auto r = read(
        "deepseek_v4",
        "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"write_file\">\n<｜DSML｜parameter name=\"path\" str");
    ASSERT_EQ(r.calls.size(), 1u);
    EXPECT_EQ(r.calls[0].status, call_status::incomplete);
    const auto cut = read("hermes", "<tool_call>\n{\"name\": \"write_file\", \"arguments\": {");
    ASSERT_EQ(cut.calls.size(), 1u);
    EXPECT_EQ(cut.calls[0].status, call_status::incomplete);
}

TEST_F(failure_class, c11_schema_ordered_grammars) {
    const auto r =
        read("qwen3_coder", "<tool_call>\n<function=get_weather>\n<parameter=days>\n2\n</"
                            "parameter>\n<parameter=city>\nRome\n</parameter>\n</function>\n</tool_call>");
    ASSERT_EQ(r.calls.size(), 1u);
    EXPECT_EQ(r.calls[0].arguments, R"({"days":2,"city":"Rome"})");
}

TEST_F(failure_class, c12_cost) {
    // a long value in single bytes: far beyond what quadratic time would allow
    std::string text = "<tool_call>\n<function=write_file>\n<parameter=content>\n";
    text.append(300'000, '<').append("\n</parameter>\n</function>\n</tool_call>");
    const call_options o = options("qwen3_coder");
    jsonheal::call_reader reader(o);
    calls_reading r;
    for (const char c : text) { gather(reader.feed(std::string_view(&c, 1)), r); }
    gather(reader.finish(), r);
    ASSERT_EQ(r.calls.size(), 1u);
    EXPECT_EQ(r.calls[0].arguments.size(), 300'000 + std::string_view(R"({"content":""})").size());
}

TEST_F(failure_class, c13_unicode) {
    const call_options o = options("hermes");
    const std::string text = "Łódź 🌴 <tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": "
                             "\"\\ud83c\\udf34 日本\"}}</tool_call>🌴";
    jsonheal::call_reader reader(o);
    calls_reading r;
    for (const char c : text) {
        for (const auto& e : reader.feed(std::string_view(&c, 1))) {
            // no piece is cut inside a character
            if (!e.text.empty()) { EXPECT_NE(static_cast<unsigned char>(e.text[0]) & 0xC0, 0x80) << e.text; }
            gather({&e, 1}, r);
        }
    }
    gather(reader.finish(), r);
    ASSERT_EQ(r.calls.size(), 1u);
    EXPECT_EQ(r.calls[0].arguments, "{\"city\": \"\\ud83c\\udf34 日本\"}");
    EXPECT_EQ(r.content, "Łódź 🌴 🌴");
    const auto cut = jsonheal::read_calls(
        "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"x\\ud83c", o);
    ASSERT_EQ(cut.calls.size(), 1u);
    EXPECT_EQ(cut.calls[0].arguments, "{\"city\": \"x\"}");
}

TEST_F(failure_class, c14_truncation_by_counting_brackets) {
    const auto r = read(
        "hermes",
        "<tool_call>{\"name\": \"order\", \"arguments\": {\"id\": \"a]}\", \"at\": {\"x\": [1, {\"y\": \"z,");
    ASSERT_EQ(r.calls.size(), 1u);
    EXPECT_EQ(r.calls[0].status, call_status::incomplete);
    EXPECT_EQ(r.calls[0].arguments, "{\"id\": \"a]}\", \"at\": {\"x\": [1, {\"y\": \"z,\"}]}}");
}

} // namespace
} // namespace jsonheal_test
