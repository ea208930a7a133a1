// heal() beside simdjson's DOM parse of the undamaged text. The answer is compared before anything is timed.
#include "records.hpp"

#include <jsonheal/heal.hpp>

#include <benchmark/benchmark.h>
#include <simdjson.h>

#include <string>

namespace {

using jsonheal::bench::make_records;

// The value of a text in one spelling, or nothing if it is not JSON.
std::string minified(const std::string& text) {
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    if (parser.parse(text).get(root) != simdjson::SUCCESS) { return {}; }
    return simdjson::minify(root);
}

bool same_value(std::string_view healed, const std::string& wanted) {
    const std::string a = minified(std::string(healed));
    return !a.empty() && a == minified(wanted);
}

void time_healing(benchmark::State& state, const std::string& text, const std::string& wanted,
                  jsonheal::verdict verdict, const jsonheal::heal_options& options) {
    const auto first = jsonheal::heal(text, options);
    if (first.verdict != verdict || !same_value(first.json(), wanted)) {
        state.SkipWithError("wrong answer");
        return;
    }
    for (auto _ : state) {
        auto h = jsonheal::heal(text, options);
        benchmark::DoNotOptimize(h);
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) *
                            static_cast<std::int64_t>(state.iterations()));
    state.counters["edits"] = static_cast<double>(first.edit_count);
}

void heal_valid(benchmark::State& state) {
    const auto texts = make_records(static_cast<std::size_t>(state.range(0)));
    time_healing(state, texts.valid, texts.valid, jsonheal::verdict::intact, {});
}

// The same text through the repair path.
void heal_valid_by_engine(benchmark::State& state) {
    const auto texts = make_records(static_cast<std::size_t>(state.range(0)));
    jsonheal::heal_options options;
    options.fast_path = false;
    time_healing(state, texts.valid, texts.valid, jsonheal::verdict::intact, options);
}

void heal_late_fault(benchmark::State& state) {
    const auto texts = make_records(static_cast<std::size_t>(state.range(0)));
    time_healing(state, texts.late_fault, texts.valid, jsonheal::verdict::healed, {});
}

void heal_broken(benchmark::State& state) {
    const auto texts = make_records(static_cast<std::size_t>(state.range(0)));
    time_healing(state, texts.broken, texts.valid, jsonheal::verdict::healed, {});
}

void simdjson_dom_of_undamaged(benchmark::State& state) {
    const simdjson::padded_string text(make_records(static_cast<std::size_t>(state.range(0))).valid);
    simdjson::dom::parser parser;
    for (auto _ : state) {
        simdjson::dom::element root;
        if (parser.parse(text).get(root) != simdjson::SUCCESS) {
            state.SkipWithError("not JSON");
            return;
        }
        benchmark::DoNotOptimize(root);
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) *
                            static_cast<std::int64_t>(state.iterations()));
}

void sizes(benchmark::internal::Benchmark* b) { b->Arg(1'000)->Arg(100'000)->Arg(10'000'000); }

BENCHMARK(simdjson_dom_of_undamaged)->Apply(sizes);
BENCHMARK(heal_valid)->Apply(sizes);
BENCHMARK(heal_valid_by_engine)->Apply(sizes);
BENCHMARK(heal_late_fault)->Apply(sizes);
BENCHMARK(heal_broken)->Apply(sizes);

} // namespace
