// Scripts: which reply is given, how it looks as an answer and as a stream; and the demo, whose comments are promises.
#include "script.hpp"

#include <jsonheal/answer.hpp>
#include <jsonheal/document.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace jsonheal;
using namespace jsonheal::gateway;
using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

using turns = std::vector<std::pair<wire::role, std::string>>;

wire::request request_of(std::string model, const turns& messages) {
    wire::request r;
    r.model = std::move(model);
    for (const auto& [role, text] : messages) {
        wire::message m;
        m.role = role;
        m.blocks.push_back(wire::make_text(text));
        r.messages.push_back(std::move(m));
    }
    return r;
}

constexpr auto user = wire::role::user;
constexpr auto assistant = wire::role::assistant;

std::string text_of(const script& s, const wire::request& r) { return s.reply_to(r).text; }

TEST(script, the_first_rule_that_holds_answers) {
    const script_reading read = read_script(R"(replies:
  - {when: {model: m, contains: apple, turn: 2}, text: second}
  - {when: {model: m, contains: apple}, text: first}
  - {when: {contains: pear}, text: pear}
  - {when: {model: n}, text: n}
)",
                                            "s.yaml");
    ASSERT_TRUE(read) << read.mistakes[0];
    const script& s = *read.value;
    const std::string feedback = std::string(feedback_mark) + "is no pear.";
    EXPECT_EQ(text_of(s, request_of("m", {{user, "an apple"}})), "first");
    EXPECT_EQ(text_of(s, request_of("m", {{user, "an apple"}, {assistant, "x"}, {user, feedback}})),
              "second");
    EXPECT_EQ(
        text_of(s,
                request_of("m", {{user, "an apple"}, {assistant, "x"}, {assistant, "y"}, {user, feedback}})),
        "first")
        << "the third turn";
    EXPECT_EQ(text_of(s, request_of("m", {{user, "an apple"}, {assistant, "x"}, {user, "a pear"}})), "pear")
        << "a plain message of the user begins anew";
    EXPECT_EQ(text_of(s, request_of("n", {{wire::role::system, "be brief"}, {assistant, "an apple"}})), "n");
    EXPECT_EQ(s.reply_to(request_of("m", {{user, "a plum"}})).status, 404);
    EXPECT_EQ(s.reply_to(request_of("m", {})).status, 404);
    EXPECT_THAT(s.models(), ElementsAre("m", "n"));
}

TEST(script, values) {
    const script_reading read = read_script(R"(replies:
  - text: "${HOME} stays"
    reasoning: hm
    delay: 1.5
    pace: 20ms
    piece: 4
    fault: reset
    after: 7
    usage: {input: 5, output: 6}
  - tool_calls: [{name: f, arguments: "{a: 1", id: c1}, {name: g}]
  - {tool_calls: [{name: f}], finish: length}
  - {status: 429, error: busy, headers: {retry-after: "3"}}
  - {text: abc, fault: no_done}
  - {text: abc, fault: no_done, after: 0}
)",
                                            "s.yaml");
    ASSERT_TRUE(read) << read.mistakes[0];
    const auto reply = [&](std::size_t i) -> const scripted_reply& {
        return read.value->rules().at(i).reply;
    };
    EXPECT_EQ(reply(0).text, "${HOME} stays");
    EXPECT_EQ(reply(0).delay, 1500ms);
    EXPECT_EQ(reply(0).pace, 20ms);
    EXPECT_EQ(reply(0).piece, 4u);
    EXPECT_EQ(reply(0).fault, script_fault::reset);
    EXPECT_EQ(reply(0).after, 7u);
    EXPECT_EQ(reply(0).input_tokens, 5);
    EXPECT_EQ(reply(0).output_tokens, 6);
    EXPECT_EQ(reply(1).finish, wire::finish_reason::tool_calls);
    EXPECT_EQ(reply(1).calls.at(0).arguments, "{a: 1");
    EXPECT_EQ(reply(1).calls.at(0).id, "c1");
    EXPECT_EQ(reply(2).finish, wire::finish_reason::length);
    EXPECT_EQ(reply(3).status, 429);
    EXPECT_THAT(reply(3).headers, ElementsAre(testing::Pair("retry-after", "3")));
    EXPECT_EQ(reply(4).after, 3u);
    EXPECT_EQ(reply(5).after, 0u);
    EXPECT_THAT(read.value->models(), ElementsAre("demo"));
}

TEST(script, mistakes) {
    const std::pair<const char*, const char*> cases[] = {
        {"", "s.yaml: there are no 'replies'"},
        {"replies: []", "there are no 'replies'"},
        {"replys: []", "s.yaml:1: 'replys' is not known here; did you mean 'replies'?"},
        {"replies:\n  - txt: a", "s.yaml:2: 'txt' is not known here; did you mean 'text'?"},
        {"replies:\n  - {text: a, fault: hung}",
         "must be none, hang, reset, half_event or no_done, not 'hung'"},
        {"replies:\n  - {text: a, after: 3}", "'replies[0]' has 'after', which needs a fault"},
        {"replies:\n  - {text: a, status: 500}", "'replies[0]' has an answer; that needs the status 200"},
        {"replies:\n  - {text: a, error: b}",
         "'replies[0]' has an error; that needs a status other than 200"},
        {"replies:\n  - {status: 99}", "from 200 to 599, not '99'"},
        {"replies:\n  - {tool_calls: [{arguments: a}]}",
         "'replies[0].tool_calls[0]' needs the name of a tool"},
        {"replies:\n  - {text: a, piece: 0}", "'replies[0].piece' must be a whole number from 1"},
        {"replies:\n  - {text: {a: 1}}", "'replies[0].text' must be a single value"},
        {"replies:\n  - {when: {turn: 0}}", "'replies[0].when.turn' must be a whole number from 1"},
        {"replies: [", "no YAML"},
    };
    for (const auto& [yaml, message] : cases) {
        EXPECT_THAT(read_script(yaml, "s.yaml").mistakes, Contains(HasSubstr(message))) << yaml;
    }
}

TEST(script, an_answer) {
    scripted_reply reply;
    reply.text = "12345678";
    reply.reasoning = "hm, hm";
    reply.calls = {{"", "f", "{}", false, {}, {}, {}}, {"own", "g", "", false, {}, {}, {}}};
    reply.finish = wire::finish_reason::tool_calls;
    wire::request asked = request_of("m", {{user, "four"}});
    asked.n = 2;
    const wire::response r = as_response(reply, asked, "id-1", 77);
    EXPECT_EQ(r.id, "id-1");
    EXPECT_EQ(r.model, "m");
    EXPECT_EQ(r.created, 77);
    ASSERT_EQ(r.choices.size(), 2u);
    EXPECT_EQ(r.choices[1].index, 1);
    EXPECT_EQ(r.choices[1].finish.reason, wire::finish_reason::tool_calls);
    const auto& blocks = r.choices[1].message.blocks;
    ASSERT_EQ(blocks.size(), 4u);
    EXPECT_EQ(blocks[0].get<wire::reasoning_block>()->text, "hm, hm");
    EXPECT_EQ(blocks[1].get<wire::text_block>()->text, "12345678");
    EXPECT_EQ(blocks[2].get<wire::tool_call>()->id, "call_id-1_1_0");
    EXPECT_EQ(blocks[3].get<wire::tool_call>()->id, "own");
    EXPECT_EQ(r.usage->input, 1);
    EXPECT_EQ(r.usage->output, 2 * 5) << "18 bytes, twice";
    EXPECT_EQ(r.usage->total, 11);
    reply.input_tokens = 100;
    reply.output_tokens = 10;
    EXPECT_EQ(as_response(reply, asked, "id", 1).usage->total, 120);
}

TEST(script, a_stream_says_the_same_as_the_answer) {
    scripted_reply reply;
    reply.text = "héllo wörld, ünder the ärch";
    reply.reasoning = "ßßß";
    reply.calls = {{"c", "f", R"({"a":"é"})", false, {}, {}, {}}};
    const wire::request asked = request_of("m", {{user, "x"}});
    for (const std::size_t piece : {1u, 2u, 3u, 5u, 16u, 1000u}) {
        reply.piece = piece;
        wire::response_gatherer gathered;
        for (const wire::stream_event& e : as_events(reply, asked, "id", 7)) {
            gathered.put(e);
            if (const auto* t = std::get_if<wire::text_delta>(&e)) {
                EXPECT_LE(t->text.size(), std::max<std::size_t>(piece, 2));
                EXPECT_NE(static_cast<unsigned char>(t->text[0]) & 0xC0, 0x80) << "whole characters";
            }
        }
        EXPECT_TRUE(gathered.done());
        EXPECT_EQ(gathered.response(), as_response(reply, asked, "id", 7)) << piece;
    }
}

// The demo ---------------------------------------------------------------------------------------------------

const schema::program& person() {
    static const schema::program p =
        schema::compile(document::parse(R"({"type": "object", "required": ["name", "age"],
            "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}})")
                            .value)
            .value;
    return p;
}

const scripted_reply& demo_reply(const std::string& model, std::size_t turn) {
    turns t{{user, "Who was the first programmer?"}};
    for (std::size_t i = 1; i < turn; ++i) {
        t.emplace_back(assistant, "…");
        t.emplace_back(user, std::string(feedback_mark) + "does not fit.");
    }
    return demo_script()->reply_to(request_of(model, t));
}

TEST(demo, has_no_mistakes) {
    const std::ifstream file("apps/gateway/demo.yaml");
    std::stringstream text;
    text << file.rdbuf();
    const script_reading read = read_script(text.str(), "demo.yaml");
    for (const std::string& m : read.mistakes) { ADD_FAILURE() << m; }
    EXPECT_EQ(read.value->rules().size(), demo_script()->rules().size())
        << "what is compiled in is that file";
    EXPECT_GE(demo_script()->models().size(), 12u);
    EXPECT_THAT(demo_script()->models(), Contains("demo"));
    for (const script_rule& r : demo_script()->rules()) { EXPECT_FALSE(r.model.empty()); }
}

TEST(demo, what_can_be_healed_is_healed) {
    for (const char* const model : {"demo-fenced", "demo-prose", "demo-reset"}) {
        const fitted f = answer(demo_reply(model, 1).text, person());
        ASSERT_TRUE(f.fits()) << model << ": " << f.reason;
        const document d = document::parse(std::string(f.json())).value;
        EXPECT_EQ(d.root().find("name")->string(), "Ada Lovelace") << model;
    }
}

TEST(demo, what_cannot_is_asked_again_and_then_fits) {
    for (const char* const model : {"demo-wrong-type", "demo-cut", "demo-astray"}) {
        EXPECT_FALSE(answer(demo_reply(model, 1).text, person()).fits()) << model;
        EXPECT_TRUE(answer(demo_reply(model, 2).text, person()).fits()) << model;
        EXPECT_TRUE(answer(demo_reply(model, 3).text, person()).fits()) << model;
    }
    for (std::size_t turn = 1; turn <= 10; ++turn) {
        EXPECT_FALSE(answer(demo_reply("demo-never", turn).text, person()).fits()) << turn;
    }
}

TEST(demo, others) {
    EXPECT_EQ(demo_reply("demo-busy", 1).status, 429);
    EXPECT_FALSE(demo_reply("demo-refusal", 1).refusal.empty());
    EXPECT_EQ(demo_reply("demo-cut", 1).finish, wire::finish_reason::length);
    EXPECT_GT(demo_reply("demo-slow", 1).pace, 0ms);
    EXPECT_EQ(demo_reply("demo-tool", 1).calls.at(0).name, "get_weather");
    EXPECT_EQ(demo_reply("demo-tool", 2).text, "It will rain in London.");
    EXPECT_THAT(demo_reply("demo-tool-text", 1).text, HasSubstr("<tool_call>"));
    EXPECT_EQ(demo_reply("no-such-model", 1).status, 404);
}

} // namespace
