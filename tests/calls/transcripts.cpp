// tests/calls/loop: what models of several dialects wrote, turn by turn. A reply is read, what is wrong with its calls goes
// back, and the next reply is read, up to three corrections.
#include "cases.hpp"

#include <jsonheal/calls.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace jsonheal_test {
namespace {

using jsonheal::call_status;
using jsonheal::calls_reading;
using jsonheal::document;
using jsonheal::value_view;

constexpr std::size_t most_corrections = 3;

struct conversation {
    calls_reading last;
    std::vector<std::string> corrections; ///< what the model was told, in order
    std::size_t replies = 0;
    bool settled = false; ///< the last reply can be run, or has no call
};

/// An agent's turn: asks until nothing is wrong, at most three times again.
conversation talk(const std::vector<std::string>& replies, const jsonheal::tool_set& tools,
                  const jsonheal::call_options& options) {
    conversation c;
    while (c.replies != replies.size()) {
        c.last = jsonheal::read_calls(replies[c.replies++], options);
        std::string correction = jsonheal::correction_message(c.last, tools);
        c.settled = correction.empty();
        if (c.settled || c.corrections.size() == most_corrections) { return c; }
        c.corrections.push_back(std::move(correction));
    }
    return c;
}

void expect_calls(const calls_reading& r, const jsonheal::tool_set& tools, value_view wanted) {
    ASSERT_EQ(r.calls.size(), wanted.size());
    for (std::size_t i = 0; i != r.calls.size(); ++i) {
        const auto& c = r.calls[i];
        EXPECT_EQ(c.name, wanted.at(i).find("name")->string());
        EXPECT_TRUE(same_value(document::parse(c.arguments).value.root(), *wanted.at(i).find("arguments")))
            << c.arguments;
        EXPECT_TRUE(c.status == call_status::complete || c.status == call_status::repaired);
        EXPECT_TRUE(c.fit && c.fit->fits);
        EXPECT_TRUE(
            jsonheal::schema::fits(tools.find(c.name)->program, document::parse(c.arguments).value.root()));
    }
}

void play(value_view one) {
    const auto tools = jsonheal::tool_set::read(*one.find("tools"));
    ASSERT_TRUE(tools);
    jsonheal::call_options options;
    options.tools = &tools.tools;
    options.format = jsonheal::find_call_format(one.find("format")->string());
    ASSERT_NE(options.format, nullptr);
    std::vector<std::string> replies;
    for (const value_view turn : one.find("turns")->elements()) {
        replies.push_back(turn.find("reply")->string());
    }
    const bool gives_up = one.find("gives_up").has_value();
    for (const bool named : {true, false}) { // and by the markers alone
        if (!named) { options.format = nullptr; }
        if (!named && one.find("format")->string() == "react") { continue; } // its labels are prose elsewhere
        const conversation c = talk(replies, tools.tools, options);
        EXPECT_EQ(c.replies, replies.size());
        EXPECT_EQ(c.settled, !gives_up);
        ASSERT_LE(c.corrections.size(), most_corrections);
        EXPECT_EQ(c.corrections.size(), replies.size() - 1);
        for (std::size_t i = 0; i != c.corrections.size(); ++i) {
            for (const value_view part : one.find("turns")->at(i).find("said")->elements()) {
                EXPECT_NE(c.corrections[i].find(part.string()), std::string::npos)
                    << part.string() << " is not in: " << c.corrections[i];
            }
            EXPECT_LT(c.corrections[i].size(), 1000U);
        }
        if (!gives_up) { expect_calls(c.last, tools.tools, *one.find("calls")); }
        if (const auto content = one.find("content")) { EXPECT_EQ(c.last.content, content->string()); }
    }
}

TEST(transcripts, end_in_calls_that_fit_or_are_given_up) {
    std::size_t count = 0, corrected = 0;
    for (const auto& path : case_files("tests/calls/loop")) {
        SCOPED_TRACE(path.filename().string());
        const auto files = documents_in(path);
        ASSERT_EQ(files.size(), 1U);
        play(files[0].root());
        ++count;
        corrected = std::max(corrected, files[0].root().find("turns")->size() - 1);
    }
    EXPECT_GE(count, 10U);
    EXPECT_EQ(corrected, most_corrections);
}

/// What a correction is about is repeated, and nothing else: a reply of good calls has none.
TEST(transcripts, a_good_call_beside_a_bad_one_is_not_named) {
    const auto tools = jsonheal::tool_set::read(std::string_view(
        R"([{"name": "good", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}}, {"name": "bad", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}}])"));
    jsonheal::call_options options;
    options.tools = &tools.tools;
    const std::string said = jsonheal::correction_message(
        jsonheal::read_calls(
            R"(<tool_call>{"name": "good", "arguments": {"n": "1"}}</tool_call><tool_call>{"name": "bad", "arguments": {"n": "one of"}}</tool_call>)",
            options),
        tools.tools);
    EXPECT_EQ(said.find("good"), std::string::npos) << said;
    EXPECT_NE(said.find("bad"), std::string::npos) << said;
}

} // namespace
} // namespace jsonheal_test
