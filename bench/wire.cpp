// Wires: an answer of 2 KB read from each wire and written as chat completions, the same for one event of a stream, and the
// bytes read by simdjson beside. What is written is compared before anything is timed.
#include <jsonheal/wire.hpp>

#include <benchmark/benchmark.h>
#include <simdjson.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace jsonheal::wire;

/// Text and two calls, about 2 KB on any wire.
response answer() {
    response r;
    r.id = "chatcmpl-1";
    r.model = "model-1";
    r.created = 1700000000;
    choice c;
    std::string text;
    while (text.size() < 1200) { text += "The \"quick\" brown fox jumps over the lazy dog.\n"; }
    c.message.blocks.push_back(make_text(text));
    for (const char* id : {"call_1", "call_2"}) {
        tool_call call;
        call.id = id;
        call.name = "search";
        call.arguments =
            R"({"query":"weather in Paris \"now\"","limit":10,"tags":["a","b"],"filter":{"from":"2024-01-01","deep":[1,2,3]}})";
        c.message.blocks.push_back({std::move(call), {}, {}});
    }
    c.finish.reason = finish_reason::tool_calls;
    r.choices.push_back(std::move(c));
    usage u;
    u.input = 1000;
    u.output = 200;
    u.total = 1200;
    r.usage = std::move(u);
    return r;
}

void demand(bool holds, const char* what) {
    if (holds) { return; }
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

void translate(benchmark::State& state, const codec* from) {
    const codec& to = get_codec(wire_id::openai_chat);
    const std::string json = from->encode_response(answer(), {}).json;
    const response again = from->decode_response(json, {}).value;
    const auto told = [&](response r) { // without what wires add of their own
        r.usage.reset();
        response_options options;
        options.id = "x";
        options.created = 1;
        return to.encode_response(r, options).json;
    };
    demand(told(again) == told(answer()), "the answer changed");
    for (auto _ : state) {
        const auto read = from->decode_response(json, {});
        benchmark::DoNotOptimize(to.encode_response(read.value, {}));
    }
    state.counters["bytes"] = static_cast<double>(json.size());
}

void simdjson_parse(benchmark::State& state, const codec* from) {
    const simdjson::padded_string json(from->encode_response(answer(), {}).json);
    simdjson::dom::parser parser;
    for (auto _ : state) { benchmark::DoNotOptimize(parser.parse(json).error()); }
}

/// The data lines, or lines, of a stream of `answer()`, with the names of their events.
struct payload {
    std::string event, data;
};
std::vector<payload> stream_of(const codec& c) {
    std::vector<stream_event> events;
    replay(answer(), 12, events);
    const auto encoder = c.make_encoder({});
    std::string body, name;
    for (const stream_event& e : events) { encoder->put(e, body); }
    std::vector<payload> out;
    for (std::string_view rest = body; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        if (line.starts_with("event: ")) { name = line.substr(7); }
        if (line.starts_with("data: ")) { out.push_back({name, std::string(line.substr(6))}); }
        if (!c.sse) { out.push_back({{}, std::string(line)}); }
    }
    return out;
}

/// One whole stream an iteration; the time counts for one of its events.
void stream(benchmark::State& state, const codec* from) {
    const std::vector<payload> payloads = stream_of(*from);
    const codec& to = get_codec(wire_id::openai_chat);
    std::vector<stream_event> events;
    std::string body;
    for (auto _ : state) {
        const auto decoder = from->make_decoder({});
        const auto encoder = to.make_encoder({});
        for (const payload& p : payloads) {
            events.clear();
            body.clear();
            decoder->feed(p.event, p.data, events);
            for (const stream_event& e : events) { encoder->put(e, body); }
        }
        benchmark::DoNotOptimize(body);
    }
    const auto count = static_cast<double>(payloads.size());
    state.counters["events"] = count;
    state.counters["per_event"] = benchmark::Counter(count, benchmark::Counter::kIsIterationInvariantRate |
                                                                benchmark::Counter::kInvert);
}

} // namespace

int main(int argc, char** argv) {
    for (const codec& c : codecs()) {
        benchmark::RegisterBenchmark(("translate/" + std::string(c.name)).c_str(), translate, &c);
        benchmark::RegisterBenchmark(("simdjson/" + std::string(c.name)).c_str(), simdjson_parse, &c);
        benchmark::RegisterBenchmark(("stream/" + std::string(c.name)).c_str(), stream, &c);
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
