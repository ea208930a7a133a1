// read_calls(): prose without a call, long calls whole and in chunks of four bytes, and texts that have made readers quadratic.
// Answers are compared before anything is timed.
#include <jsonheal/calls.hpp>

#include <benchmark/benchmark.h>

#include <string>
#include <string_view>

namespace {

constexpr std::size_t megabyte = 1u << 20;

const jsonheal::tool_set& tools() {
    static const auto reading = jsonheal::tool_set::read(std::string_view(
        R"([{"name": "write_file", "parameters": {"type": "object", "properties": {"path": {"type": "string"}, "content": {"type": "string"}}}}])"));
    return reading.tools;
}

std::string repeated(std::string_view piece, std::size_t bytes) {
    std::string out;
    while (out.size() < bytes) { out.append(piece); }
    return out;
}

struct sample {
    std::string_view name;
    std::string text;
    std::size_t calls;
};

const std::vector<sample>& samples() {
    static const std::vector<sample> all = {
        {"prose",
         repeated("The quick brown fox jumps over the lazy dog, and nothing of this is a call at all. ",
                  megabyte),
         0},
        {"json",
         "<tool_call>{\"name\": \"write_file\", \"arguments\": {\"path\": \"a\", \"content\": \"" +
             repeated("int main() { return 0; } // a line of code\\n", megabyte) + "\"}}</tool_call>",
         1},
        {"tags",
         "<tool_call>\n<function=write_file>\n<parameter=content>\n" +
             repeated("int main() { return 0; } // a line of code\n", megabyte) +
             "\n</parameter>\n</function>\n</tool_call>",
         1},
        {"python",
         "<|python_start|>[write_file(content=\"" +
             repeated("int main() { return 0; } // a line of code\\n", megabyte) + "\")]<|python_end|>",
         1},
        {"calls",
         repeated("<tool_call>{\"name\": \"write_file\", \"arguments\": {\"path\": \"a\"}}</tool_call>\n",
                  megabyte),
         14170},
        {"openers", repeated("<tool_call>", megabyte), 0},
        {"braces", repeated("{\"name\":", megabyte), 0},
        {"tags_that_are_none", repeated("<tool x>", megabyte), 0},
        {"closers_in_a_value",
         "<tool_call>\n<function=write_file>\n<parameter=content>\n" + repeated("</parameter>\n", megabyte),
         1},
        {"quotes_in_a_string",
         "<tool_call>{\"name\":\"write_file\",\"arguments\":{\"content\":\"" + repeated("\" ", megabyte), 1},
    };
    return all;
}

jsonheal::calls_reading read_in(std::string_view text, std::size_t chunk) {
    jsonheal::call_options o;
    o.tools = &tools();
    jsonheal::call_reader reader(o);
    jsonheal::calls_reading out;
    for (std::size_t i = 0; i < text.size(); i += chunk) {
        jsonheal::gather(reader.feed(text.substr(i, chunk)), out);
    }
    jsonheal::gather(reader.finish(), out);
    return out;
}

void read(benchmark::State& state, std::size_t chunk) {
    const sample& s = samples()[static_cast<std::size_t>(state.range(0))];
    const auto first = read_in(s.text, chunk);
    if (first.calls.size() != s.calls || (s.calls == 0 && first.content.size() + 64 < s.text.size())) {
        state.SkipWithError(("wrong answer: " + std::to_string(first.calls.size()) + " calls").c_str());
        return;
    }
    for (auto _ : state) {
        auto r = read_in(s.text, chunk);
        benchmark::DoNotOptimize(r);
    }
    state.SetLabel(std::string(s.name));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(s.text.size()));
}

void whole(benchmark::State& state) { read(state, megabyte * 4); }
void four_bytes(benchmark::State& state) { read(state, 4); }

BENCHMARK(whole)->DenseRange(0, 9)->Unit(benchmark::kMillisecond);
BENCHMARK(four_bytes)->DenseRange(0, 9)->Unit(benchmark::kMillisecond);

} // namespace
