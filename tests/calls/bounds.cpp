// Bad input: bounded and clear.
#include "random_calls.hpp"

#include <gtest/gtest.h>

#include <ctime>

namespace jsonheal_test {
namespace {

using jsonheal::call_options;
using jsonheal::calls_reading;

std::string times(std::string_view piece, std::size_t bytes) {
    std::string out;
    while (out.size() < bytes) { out.append(piece); }
    return out;
}

/// Families that have made readers quadratic.
std::vector<std::pair<std::string, std::string>> families(std::size_t n) {
    return {
        {"openers", times("<tool_call>", n)},
        {"tags that are none", times("<tool x>", n)},
        {"braces", times("{\"a\":", n)},
        {"names", times("{\"name\":", n)},
        {"declared names", times("{\"name\":\"ping\",\"x\":", n)},
        {"arguments", times("{\"arguments\":", n)},
        {"brackets", times("[", n)},
        {"half markers", times("<|tool_calls_section_begi", n)},
        {"fences", times("```json\n", n)},
        {"calls", times("<tool_call>{\"name\":\"ping\",\"arguments\":{}}</tool_call>", n)},
        {"tag calls", times("<function=ping>\n</function>\n", n)},
        {"unclosed tags", times("<function=ping>", n)},
        {"closers in a value",
         "<tool_call>\n<function=note>\n<parameter=text>\n" + times("</parameter>\n", n)},
        {"closers of calls in a value",
         "<tool_call>\n<function=note>\n<parameter=text>\n" + times("</function>\n", n)},
        {"calls in a value",
         "<tool_call>\n<function=note>\n<parameter=text>\n" + times("<function=f>\n<parameter=x>", n)},
        {"parameters in a value",
         "<tool_call>\n<function=note>\n<parameter=text>\n" + times("\n<parameter=", n)},
        {"closers in a string",
         "<tool_call>{\"name\":\"note\",\"arguments\":{\"text\":\"" + times("</tool_call>", n)},
        {"quotes in a string", "<tool_call>{\"name\":\"note\",\"arguments\":{\"text\":\"" + times("\" ", n)},
        {"blanks behind a quote",
         "<tool_call>{\"name\":\"note\",\"arguments\":{\"text\":\"\"" + times("    ", n)},
        {"blanks behind a closer",
         "<tool_call>\n<function=note>\n<parameter=text>\nx</parameter>" + times("    ", n)},
        {"python", "[note(text=\"" + times("a)", n)},
        {"python brackets", "[note(text=" + times("[", n)},
        {"python names", times("note(", n)},
        {"drafts", "<think>" + times("<tool_call>", n)},
        {"attributes", "<tool_call name=\"@a\" args=\"" + times("\"x ", n)},
        {"bracket calls", times("[tool: @a ", n)},
        {"pairs", "<tool_call>note" + times("<arg_key>a</arg_key><arg_value>", n)},
        {"dict", "<|tool_call>call:note{text:<|\"|>" + times("<|\"|>x", n)},
        {"harmony", times("<|channel|>", n)},
        {"thoughts", times("Thought: x\n", n)},
        {"cdata", "<function name=\"note\"><param name=\"text\"><![CDATA[" + times("</param>", n)},
        {"elements", times("<note>", n)},
        {"actions", times("Action: note\n", n)},
    };
}

constexpr std::string_view declared =
    R"([{"name": "ping", "parameters": {"type": "object", "properties": {}}},
  {"name": "note", "parameters": {"type": "object", "properties": {"text": {"type": "string"}}}}, {"name": "@a"}])";

/// Of this process: what else the machine does is no fault of the reader.
double seconds(const std::string& text, const call_options& o, std::size_t chunk) {
    const std::clock_t start = std::clock();
    jsonheal::call_reader reader(o);
    std::size_t events = 0;
    for (std::size_t i = 0; i < text.size(); i += chunk) {
        events += reader.feed(std::string_view(text).substr(i, chunk)).size();
    }
    events += reader.finish().size();
    EXPECT_GE(events, 0u);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Eight times the text takes about eight times as long, not sixty-four; in one chunk and in chunks of four bytes.
TEST(bounds, time_is_linear_in_every_family) {
    const auto tools = jsonheal::tool_set::read(declared);
    ASSERT_TRUE(tools);
    const auto small = families(16'000), large = families(128'000);
    for (const std::string_view format :
         {"", "qwen3_coder", "chatcli", "react", "gemma4", "glm45", "pythonic", "minicpm5"}) {
        call_options o;
        o.tools = &tools.tools;
        o.format = jsonheal::find_call_format(format);
        for (std::size_t i = 0; i < small.size(); ++i) {
            for (const std::size_t chunk : {std::size_t{1} << 30, std::size_t{4}}) {
                double a = 1, b = 1;
                for (int tries = 0; tries < 3; ++tries) {
                    a = std::min(a, seconds(small[i].second, o, chunk));
                    b = std::min(b, seconds(large[i].second, o, chunk));
                    if (b < 24 * a + 0.02) { break; }
                }
                EXPECT_LT(b, 24 * a + 0.02)
                    << small[i].first << " " << format << " chunk " << chunk << ": " << a << " " << b;
            }
        }
    }
}

TEST(bounds, ten_thousand_calls) {
    const auto tools = jsonheal::tool_set::read(declared);
    call_options o;
    o.tools = &tools.tools;
    std::string text;
    for (int i = 0; i < 10'000; ++i) {
        text.append("<tool_call>{\"name\": \"note\", \"arguments\": {\"text\": \"x\"}}</tool_call>\n");
    }
    const calls_reading r = jsonheal::read_calls(text, o);
    ASSERT_EQ(r.calls.size(), 10'000u);
    EXPECT_EQ(r.calls.back().id, "call_9999");
}

TEST(bounds, deep_arguments_need_no_stack) {
    const auto tools = jsonheal::tool_set::read(declared);
    call_options o;
    o.tools = &tools.tools;
    const std::string deep(200'000, '[');
    const calls_reading json =
        jsonheal::read_calls("<tool_call>{\"name\": \"note\", \"arguments\": {\"text\": " + deep, o);
    ASSERT_EQ(json.calls.size(), 1u);
    EXPECT_EQ(json.calls[0].status, jsonheal::call_status::incomplete);
    const calls_reading python = jsonheal::read_calls("<|python_start|>[note(text=" + deep, o);
    ASSERT_EQ(python.calls.size(), 1u);
    EXPECT_TRUE(jsonheal::document::parse(python.calls[0].arguments));
}

TEST(bounds, an_unknown_format_has_a_nearest_one) {
    EXPECT_EQ(jsonheal::find_call_format("qwen3-coder"), jsonheal::find_call_format("qwen3_coder"));
    EXPECT_EQ(jsonheal::find_call_format("hermse"), nullptr);
    EXPECT_EQ(jsonheal::nearest_call_format("hermse"), "hermes");
    EXPECT_EQ(jsonheal::nearest_call_format("deepseek_v3.1"), "deepseek_v31");
    EXPECT_FALSE(jsonheal::nearest_call_format(std::string(1 << 20, 'x')).empty());
}

} // namespace
} // namespace jsonheal_test
