// What goes back to a model: corrections, prompts, results; and how tools are read.
#include <jsonheal/calls.hpp>

#include <gtest/gtest.h>

namespace {

using jsonheal::tool_set;

constexpr std::string_view declared =
    R"([{"type": "function", "function": {"name": "get_time", "description": "The time", "parameters":
  {"type": "object", "properties": {"tz": {"type": "string"}}, "required": ["tz"]}}}, {"name": "ping", "input_schema": {"type": "object"}}])";

std::string correction(std::string_view reply) {
    const auto tools = tool_set::read(declared);
    jsonheal::call_options o;
    o.tools = &tools.tools;
    return jsonheal::correction_message(jsonheal::read_calls(reply, o), tools.tools);
}

TEST(answers, corrections_say_what_to_change) {
    EXPECT_EQ(correction("<tool_call>{\"name\": \"get_time\", \"arguments\": {\"tz\": \"UTC\"}}</tool_call>"),
              "");
    EXPECT_EQ(correction("no call"), "");
    const std::string unknown = correction("<tool_call>{\"name\": \"time\", \"arguments\": {}}</tool_call>");
    EXPECT_NE(unknown.find("no tool named time"), std::string::npos) << unknown;
    EXPECT_NE(unknown.find("get_time, ping"), std::string::npos) << unknown;
    const std::string missing =
        correction("<tool_call>{\"name\": \"get_time\", \"arguments\": {}}</tool_call>");
    EXPECT_NE(missing.find("tz"), std::string::npos) << missing;
    const std::string cut = correction("<tool_call>{\"name\": \"get_time\", \"arguments\": {\"tz\": \"U");
    EXPECT_NE(cut.find("cut off"), std::string::npos) << cut;
}

TEST(answers, a_prompt_declares_the_tools_and_shows_a_call) {
    const auto tools = tool_set::read(declared);
    for (const jsonheal::call_format& f : jsonheal::call_formats()) {
        const std::string prompt = jsonheal::tool_prompt(tools.tools, f);
        EXPECT_NE(prompt.find("\"name\":\"get_time\",\"description\":\"The time\""), std::string::npos)
            << f.name;
        EXPECT_NE(prompt.find(f.opener), std::string::npos) << f.name << "\n" << prompt;
    }
    EXPECT_EQ(jsonheal::tool_prompt(tool_set(), jsonheal::call_formats()[0]), "");
}

TEST(answers, a_result_names_its_call) {
    jsonheal::read_call c;
    c.name = "get_time";
    c.id = "call_0";
    const auto& hermes = *jsonheal::find_call_format("hermes");
    EXPECT_EQ(jsonheal::render_result(c, "12:00", hermes),
              "<tool_response name=\"get_time\" id=\"call_0\">\n12:00\n</tool_response>\n");
    EXPECT_EQ(jsonheal::render_result(c, "no", *jsonheal::find_call_format("react"), true),
              "Observation: [ERROR] no\n");
}

TEST(answers, lists_of_tools_are_read_or_say_why_not) {
    EXPECT_EQ(tool_set::read(declared).tools.tools().size(), 2u);
    EXPECT_NE(tool_set::read("{}").error, "");
    EXPECT_NE(tool_set::read("[{}]").error, "");
    EXPECT_NE(tool_set::read("[").error.find("at byte"), std::string::npos);
    const auto broken = tool_set::read(R"([{"name": "f", "parameters": {"type": "nothing"}}])");
    EXPECT_TRUE(broken);
    EXPECT_EQ(broken.notes.size(), 1u);
}

} // namespace
