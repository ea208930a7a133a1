// normalize_args() on calls of about 200 bytes beside simdjson's DOM parse of the mended text. Answers are compared before
// anything is timed.
#include <jsonheal/args.hpp>

#include <benchmark/benchmark.h>
#include <simdjson.h>

#include <string>
#include <string_view>

namespace {

struct sample {
    const char* tool;
    const char* raw;
    const char* mended;
};

constexpr sample samples[] = {
    {"Edit",
     R"j({"file_path":"/srv/app/internal/server/handlers.go","old_string":"return nil, err","new_string":"return nil, fmt.Errorf(\"load %q: %w\", name, err)","replace_all":false,"line":128,"tags":["go","errors"]})j",
     R"j({"file_path":"/srv/app/internal/server/handlers.go","old_string":"return nil, err","new_string":"return nil, fmt.Errorf(\"load %q: %w\", name, err)","replace_all":false,"line":128,"tags":["go","errors"]})j"},
    {"Edit",
     R"j({'file_path':'/srv/app/internal/server/handlers.go','old_string':'return nil, err','new_string':'return nil, fmt.Errorf("load: %w", name, err)','replace_all':False,'line':128,'tags':['go','errors'],})j",
     R"j({"file_path":"/srv/app/internal/server/handlers.go","old_string":"return nil, err","new_string":"return nil, fmt.Errorf(\"load: %w\", name, err)","replace_all":false,"line":128,"tags":["go","errors"]})j"},
    {"@coder",
     R"j({cmd: read, args: {file: internal/server/handlers.go, start: 120, end: 180, encoding: utf-8, context: 3, max-bytes: 65536, head: 20, tail: 20}, reason: check how errors are wrapped before the change, dry: true})j",
     R"j({"cmd": "read", "args": {"file": "internal/server/handlers.go", "start": 120, "end": 180, "encoding": "utf-8", "context": 3, "max-bytes": 65536, "head": 20, "tail": 20}, "reason": "check how errors are wrapped before the change", "dry": true})j"},
    {"bash",
     R"j(find . -name '*.go' -not -path './vendor/*' -print0 | xargs -0 grep -nE 'fmt\.Errorf\("[^"]*%v' | awk -F: '{print $1}' | sort | uniq -c | sort -rn | head -20 && echo "{done}" || echo failed)j",
     R"j({"command":"find . -name '*.go' -not -path './vendor/*' -print0 | xargs -0 grep -nE 'fmt\\.Errorf\\(\"[^\"]*%v' | awk -F: '{print $1}' | sort | uniq -c | sort -rn | head -20 && echo \"{done}\" || echo failed"})j"},
    {"get_tide",
     R"j({"name":"get_tide","arguments":"{\"port\":\"Brest\",\"from\":\"2024-05-01T00:00:00Z\",\"to\":\"2024-05-02T00:00:00Z\",\"unit\":\"metre\",\"interpolate\":true,\"station\":4,\"zone\":\"Europe/Paris\"}"})j",
     R"j({"port":"Brest","from":"2024-05-01T00:00:00Z","to":"2024-05-02T00:00:00Z","unit":"metre","interpolate":true,"station":4,"zone":"Europe/Paris"})j"},
    {"get_tide",
     "Sure, here are the "
     "arguments:\n\n```json\n{\"port\":\"Brest\",\"from\":\"2024-05-01T00:00:00Z\",\"to\":\"2024-05-02T00:00:"
     "00Z\",\"unit\":\"metre\",\"interpolate\":true,\"station\":4,}\n```\nTell me if you need more.",
     R"j({"port":"Brest","from":"2024-05-01T00:00:00Z","to":"2024-05-02T00:00:00Z","unit":"metre","interpolate":true,"station":4})j"},
};

const sample& pick(const benchmark::State& state) { return samples[state.range(0)]; }

void normalize(benchmark::State& state) {
    const sample& s = pick(state);
    const auto first = jsonheal::normalize_args(s.tool, std::string_view(s.raw));
    if (first.json() != s.mended) {
        state.SkipWithError(("wrong answer: " + std::string(first.json())).c_str());
        return;
    }
    for (auto _ : state) {
        auto a = jsonheal::normalize_args(s.tool, std::string_view(s.raw));
        benchmark::DoNotOptimize(a);
    }
    state.counters["bytes"] = static_cast<double>(std::string_view(s.raw).size());
}

void simdjson_dom_of_mended(benchmark::State& state) {
    const simdjson::padded_string text(std::string_view(pick(state).mended));
    simdjson::dom::parser parser;
    for (auto _ : state) {
        simdjson::dom::element root;
        if (parser.parse(text).get(root) != simdjson::SUCCESS) {
            state.SkipWithError("not JSON");
            return;
        }
        benchmark::DoNotOptimize(root);
    }
}

// valid, quotes, literal, bare, whole call, prose
BENCHMARK(simdjson_dom_of_mended)->DenseRange(0, 5);
BENCHMARK(normalize)->DenseRange(0, 5);

} // namespace
