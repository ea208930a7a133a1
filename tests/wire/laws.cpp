// What holds of every codec: what is written reads back equal, streams keep their order whatever comes, nothing throws.
#include "invariants.hpp"
#include "random_messages.hpp"
#include "show.hpp"

#include <jsonheal/document.hpp>

#include <gtest/gtest.h>

namespace jsonheal_test {
namespace {

using namespace jsonheal::wire;

constexpr std::uint64_t seeds = 400;

class EveryWire : public testing::TestWithParam<std::size_t> {
protected:
    [[nodiscard]] static const codec& wire() { return codecs()[GetParam()]; }
};

/// What a wire says in another way is not compared: see the golden cases.
request as_on(const codec& c, request q) {
    q.origin = c.id;
    return q;
}

TEST_P(EveryWire, RequestsReadBackTheSame) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        random_source r(seed);
        const request q = as_on(wire(), random_request(r));
        decode_options options;
        options.model = q.model;
        options.stream = q.stream.value_or(false);
        const encoded first = wire().encode_request(q, {});
        const auto read = wire().decode_request(first.json, options);
        ASSERT_TRUE(read) << seed << " " << show(*read.error) << "\n" << first.json;
        const encoded second = wire().encode_request(read.value, {});
        ASSERT_EQ(second.json, first.json) << seed;
    }
}

TEST_P(EveryWire, ResponsesReadBackTheSame) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        random_source r(seed);
        const response a = random_response(r);
        const encoded first = wire().encode_response(a, {});
        const auto read = wire().decode_response(first.json, {});
        ASSERT_TRUE(read) << seed << " " << show(*read.error) << "\n" << first.json;
        const encoded second = wire().encode_response(read.value, {});
        ASSERT_EQ(second.json, first.json) << seed;
    }
}

/// The events of a body that an encoder wrote.
std::vector<stream_event> read_body(const codec& c, std::string_view body) {
    const auto decoder = c.make_decoder({});
    std::vector<stream_event> out;
    std::string_view name;
    while (!body.empty()) {
        const std::string_view line = body.substr(0, body.find('\n'));
        body.remove_prefix(std::min(body.size(), line.size() + 1));
        if (line.starts_with("event: ")) {
            name = line.substr(7);
        } else if (line.starts_with("data: ")) {
            decoder->feed(name, line.substr(6), out);
        } else if (!c.sse) {
            decoder->feed({}, line, out);
        } else {
            EXPECT_EQ(line, "");
        }
    }
    decoder->finish(out);
    return out;
}

TEST_P(EveryWire, StreamsGatherToTheResponse) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        random_source r(seed);
        response a = random_response(r);
        response_options options;
        options.include_usage = true;
        std::vector<stream_event> events;
        replay(a, r.below(6), events);
        ASSERT_EQ(broken_order(events), std::nullopt) << seed;
        const auto encoder = wire().make_encoder(options);
        std::string body;
        for (const stream_event& e : events) { encoder->put(e, body); }
        const std::vector<stream_event> read = read_body(wire(), body);
        ASSERT_EQ(broken_order(read), std::nullopt) << seed << body;
        response_gatherer gathered;
        for (const stream_event& e : read) { gathered.put(e); }
        ASSERT_FALSE(gathered.error()) << seed << " " << show(*gathered.error()) << body;
        const response got = gathered.take();
        ASSERT_EQ(wire().encode_response(got, {}).json, wire().encode_response(a, {}).json) << seed << body;
    }
}

/// Payloads made of parts in any order: valid ones of this wire, cut, repeated, mixed.
std::string random_payload(random_source& r, const std::vector<std::string>& known) {
    std::string p = known[r.below(known.size())];
    if (r.chance(15)) { p = p.substr(0, r.below(p.size() + 1)); }
    if (r.chance(10) && !p.empty()) { p[r.below(p.size())] = r.pick("{}[]\",:019a\\n"); }
    return p;
}

TEST_P(EveryWire, AnyOrderOfEventsKeepsTheInvariants) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        random_source r(seed);
        std::vector<std::string> names, known;
        for (int i = 0; i < 3; ++i) {
            std::vector<stream_event> events;
            replay(random_response(r), 3, events);
            std::string body;
            response_options options;
            options.include_usage = r.chance(50);
            const auto encoder = wire().make_encoder(options);
            for (const stream_event& e : events) { encoder->put(e, body); }
            for (std::string_view rest = body; !rest.empty();) {
                const std::string_view line = rest.substr(0, rest.find('\n'));
                rest.remove_prefix(std::min(rest.size(), line.size() + 1));
                if (line.starts_with("data: ")) { known.emplace_back(line.substr(6)); }
                if (!wire().sse) { known.emplace_back(line); }
            }
        }
        const auto decoder = wire().make_decoder({});
        std::vector<stream_event> out;
        for (std::size_t n = r.below(30); n > 0; --n) { decoder->feed({}, random_payload(r, known), out); }
        decoder->finish(out);
        ASSERT_EQ(broken_order(out), std::nullopt) << seed;
    }
}

TEST_P(EveryWire, HostileInputIsAnError) {
    for (const std::string_view text : {"", "null", "[]", "{}", "\"x\"", "{\"a\":", "\xFF\xFE",
                                        "{\"choices\":{}}", "{\"messages\":[[]]}"}) {
        EXPECT_FALSE(wire().decode_request(text, {})) << text;
        EXPECT_FALSE(wire().decode_response(text, {})) << text;
        const wire_error e = wire().decode_error(500, text);
        EXPECT_EQ(e.status, 500) << text;
        EXPECT_FALSE(e.message.empty()) << text;
    }
    const std::string deep(200000, '[');
    EXPECT_FALSE(wire().decode_request("{\"model\":\"m\",\"messages\":" + deep, {}));
    EXPECT_EQ(wire().decode_error(500, deep).status, 500);
}

/// What all wires can say of a conversation: text, calls, results, the system prompt, tools, the schema.
std::string said(const request& q) {
    std::string out = "s:";
    for (const content_block& b : gather_system(q)) {
        if (const auto* t = b.get<text_block>()) { out += t->text; }
    }
    for (const message& m : q.messages) {
        const bool system = m.role == role::system || m.role == role::developer;
        if (system) { continue; }
        out += m.role == role::assistant ? "\na:" : m.role == role::user ? "\nu:" : "";
        out += m.text();
        for (const content_block& b : m.blocks) {
            if (const auto* c = b.get<tool_call>()) {
                out += "<" + c->id + " " + c->name + " " + c->arguments + ">";
            }
            const auto* r = b.get<tool_result>();
            if (r != nullptr) {
                out += "\nr:" + r->call_id + (r->is_error ? "!" + r->error_code : "=") + r->content;
            }
        }
    }
    for (const tool_definition& t : q.tools) { out += "\nt:" + t.name + t.description + t.parameters; }
    const bool schema = q.response_format.what == response_format::kind::json_schema;
    out += "\n" + std::to_string(q.max_tokens.value_or(0)) + q.temperature + q.top_p +
           (schema ? q.response_format.schema : "");
    return out;
}

TEST_P(EveryWire, ConversationsSurviveEveryOtherWire) {
    for (const codec& other : codecs()) {
        for (std::uint64_t seed = 0; seed < seeds / 4; ++seed) {
            random_source r(seed);
            request q = random_request(r);
            q.origin = wire_id::none;
            if (!q.max_tokens) { q.max_tokens = 77; } // some wires demand it
            q.tool_choice = {};                       // none of them, said as no tools at all on one
            decode_options options;
            options.model = q.model;
            const auto first = wire().decode_request(wire().encode_request(q, {}).json, options);
            ASSERT_TRUE(first) << seed << " " << show(*first.error);
            const auto there = other.decode_request(other.encode_request(first.value, {}).json, options);
            ASSERT_TRUE(there) << seed << " " << show(*there.error);
            const auto back = wire().decode_request(wire().encode_request(there.value, {}).json, options);
            ASSERT_TRUE(back) << seed << " " << show(*back.error);
            ASSERT_EQ(said(back.value), said(first.value)) << seed << " over " << other.name;
        }
    }
}

/// Answers, whole: text, calls and the reason; reasoning is not every wire's.
std::string said(const response& a) {
    const choice& c = a.choices.at(0);
    std::string out = c.message.text();
    for (const content_block& b : c.message.blocks) {
        if (const auto* call = b.get<tool_call>()) {
            out += "<" + call->id + " " + call->name + " " + call->arguments + ">";
        }
    }
    return out + std::string(name(c.finish.reason));
}

TEST_P(EveryWire, AnswersSurviveEveryOtherWire) {
    for (const codec& other : codecs()) {
        for (std::uint64_t seed = 0; seed < seeds / 4; ++seed) {
            random_source r(seed);
            const response a = random_response(r);
            const auto there = other.decode_response(other.encode_response(a, {}).json, {});
            ASSERT_TRUE(there) << seed << " " << show(*there.error);
            const auto back = wire().decode_response(wire().encode_response(there.value, {}).json, {});
            ASSERT_TRUE(back) << seed << " " << show(*back.error);
            ASSERT_EQ(said(back.value), said(a)) << seed << " over " << other.name;
            // And the same as a stream, read from the other wire and written to this one.
            std::vector<stream_event> events;
            replay(a, 5, events);
            std::string body;
            const auto writes = other.make_encoder({});
            for (const stream_event& e : events) { writes->put(e, body); }
            std::string here;
            const auto rewrites = wire().make_encoder({});
            for (const stream_event& e : read_body(other, body)) { rewrites->put(e, here); }
            response_gatherer gathered;
            for (const stream_event& e : read_body(wire(), here)) { gathered.put(e); }
            ASSERT_FALSE(gathered.error()) << seed << " over " << other.name << here;
            ASSERT_EQ(said(gathered.response()), said(a)) << seed << " over " << other.name;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Laws, EveryWire, testing::Range<std::size_t>(0, codecs().size()),
                         [](const auto& test) { return std::string(codecs()[test.param].name); });

/// The example of wire.hpp.
TEST(Wire, Example) {
    const codec& chat = get_codec(wire_id::openai_chat);
    auto asked = chat.decode_request(
        R"({"model": "m", "messages": [{"role": "user", "content": "Hi"}], "top_a": 0.50})", {});
    ASSERT_TRUE(asked);
    EXPECT_EQ(asked.value.messages.at(0).text(), "Hi");
    EXPECT_EQ(chat.encode_request(asked.value, {}).json,
              R"({"model":"m","messages":[{"role":"user","content":"Hi"}],"top_a":0.50})");
}

TEST(Wire, CodecsAreFoundByNameAndId) {
    for (const codec& c : codecs()) {
        EXPECT_EQ(find_codec(c.name), &c);
        EXPECT_EQ(&get_codec(c.id), &c);
        EXPECT_EQ(name(c.id), c.name);
    }
    EXPECT_EQ(find_codec("smoke_signals"), nullptr);
}

/// On chat, what was made comes back as the same value, not only as the same text.
TEST(Chat, NeutralValuesComeBackEqual) {
    const codec& chat = get_codec(wire_id::openai_chat);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        random_source r(seed);
        request q = random_request(r);
        q.origin = wire_id::openai_chat;
        const auto read = chat.decode_request(chat.encode_request(q, {}).json, {});
        ASSERT_TRUE(read);
        ASSERT_EQ(read.value, q) << seed;
        response a = random_response(r);
        a.origin = wire_id::openai_chat;
        auto answer = chat.decode_response(chat.encode_response(a, {}).json, {});
        ASSERT_TRUE(answer);
        for (choice& c : answer.value.choices) { c.extra.clear(); } // `logprobs: null`
        ASSERT_EQ(answer.value, a) << seed;
    }
}

/// Chunks that are not what this library writes: members present or not, in any combination.
std::string random_chunk(random_source& r) {
    std::string call = "{";
    if (r.chance(60)) { call += "\"index\":" + std::to_string(r.below(3)) + ","; }
    if (r.chance(50)) {
        call += r.chance(20) ? "\"id\":null," : "\"id\":\"" + std::string(1, r.pick("abc")) + "\",";
    }
    call += "\"function\":{";
    if (r.chance(50)) {
        call += r.chance(20) ? "\"name\":null," : "\"name\":\"" + std::string(1, r.pick("fg")) + "\",";
    }
    static constexpr std::string_view arguments[] = {R"("")",      R"("{}")", R"("{\"a\"")",   R"(":1}")",
                                                     R"({"a":1})", "null",    R"("{\"a\":2}")"};
    call += "\"arguments\":" + std::string(r.pick(arguments)) + "}}";
    std::string delta = r.chance(40) ? "\"content\":\"x\"" : "\"role\":\"assistant\"";
    if (r.chance(60)) { delta += ",\"tool_calls\":[" + call + (r.chance(20) ? "," + call : "") + "]"; }
    static constexpr std::string_view reasons[] = {"null",           "null",       "null", "\"stop\"",
                                                   "\"tool_calls\"", "\"length\"", "\"\""};
    std::string chunk = "{\"choices\":[{";
    if (r.chance(70)) { chunk += "\"index\":" + std::to_string(r.below(2)) + ","; }
    chunk += "\"delta\":{" + delta + "},\"finish_reason\":" + std::string(r.pick(reasons)) + "}]";
    if (r.chance(10)) { chunk += R"(,"usage":{"prompt_tokens":1,"completion_tokens":2})"; }
    if (r.chance(2)) { chunk += R"(,"error":{"message":"x"})"; }
    return chunk + "}";
}

TEST(Chat, EverySpellingOfCallsKeepsTheInvariants) {
    std::size_t whole = 0;
    for (std::uint64_t seed = 0; seed < 20000; ++seed) {
        random_source r(seed);
        const auto decoder = get_codec(wire_id::openai_chat).make_decoder({});
        std::vector<stream_event> out;
        for (std::size_t n = 1 + r.below(8); n > 0; --n) { decoder->feed({}, random_chunk(r), out); }
        if (r.chance(50)) { decoder->feed({}, "[DONE]", out); }
        decoder->finish(out);
        ASSERT_EQ(broken_order(out), std::nullopt) << seed;
        response_gatherer gathered;
        for (const stream_event& e : out) { gathered.put(e); }
        if (!gathered.error()) { ++whole; }
    }
    EXPECT_GT(whole, 2000u); // the chunks are not all refused
}

} // namespace
} // namespace jsonheal_test
