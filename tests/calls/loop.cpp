// The C++ block of docs/calls.md, run.
#include "calls_loop.hpp"

#include <gtest/gtest.h>

TEST(loop, asks_again_and_runs) {
    const auto tools = jsonheal::tool_set::read(std::string_view(
        R"([{"name": "get_time", "parameters": {"type": "object", "properties": {"tz": {"type": "string"}}, "required": ["tz"]}}])"));
    const auto& hermes = *jsonheal::find_call_format("hermes");
    int asked = 0;
    std::string second;
    const auto ask = [&](const std::string& prompt) -> std::string {
        if (++asked == 1) { return "<tool_call>{\"name\": \"get_time\", \"arguments\": {}}</tool_call>"; }
        second = prompt;
        return "<tool_call>{\"name\": \"get_time\", \"arguments\": {\"tz\": \"UTC\"}}</tool_call>";
    };
    const auto run = [](std::string_view name, std::string_view arguments) {
        return std::string(name) + std::string(arguments);
    };
    const std::string out = turn(tools.tools, hermes, "what time is it?", ask, run);
    EXPECT_EQ(asked, 2);
    EXPECT_NE(second.find("tz"), std::string::npos) << second;
    EXPECT_NE(out.find("get_time{\"tz\": \"UTC\"}"), std::string::npos) << out;
}
