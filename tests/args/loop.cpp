// The agent's loop of docs/args.md does what the page says.
#include "agent_loop.hpp" // cut out of the page

#include <gtest/gtest.h>

namespace {

TEST(agent_loop, runs_whole_arguments) {
    const auto s = next_steps("read_file", "{'file': 'a'}", false);
    ASSERT_EQ(s.size(), 1U);
    EXPECT_EQ(s[0].what, step::what::run);
    EXPECT_EQ(s[0].text, R"({"file": "a"})");
}

TEST(agent_loop, runs_no_half_command) {
    EXPECT_EQ(next_steps("bash", R"({"command": "rm -rf /tmp/x)", true)[0].what, step::what::ask_again);
    EXPECT_EQ(next_steps("bash", R"({"command": "ls"})", false)[0].what, step::what::run);
    EXPECT_EQ(next_steps("bash", R"({"command": "ls")", false)[0].what, step::what::ask_again);
    EXPECT_EQ(next_steps("read_file", R"({"file": "a")", true)[0].what, step::what::run);
}

TEST(agent_loop, reads_command_lines) {
    EXPECT_EQ(next_steps("@coder", "read --file main.go", false)[0].text,
              R"({"cmd":"read","args":{"file":"main.go"}})");
}

TEST(agent_loop, asks_which_of_several) {
    EXPECT_EQ(next_steps("f", R"({"a":1}{"a":2})", true).size(), 2U);
    EXPECT_EQ(next_steps("f", R"({"a":1}{"a":2})", false)[0].what, step::what::ask_again);
}

TEST(agent_loop, says_what_is_wrong) {
    EXPECT_EQ(next_steps("f", "[1,2]", false)[0].what, step::what::ask_again);
    EXPECT_EQ(next_steps("f", std::string(2 << 20, ' '), false)[0].what, step::what::ask_again);
}

} // namespace
