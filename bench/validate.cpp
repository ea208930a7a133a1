// Every kernel's validator beside simdjson's DOM parse of the same text, and every kernel's search of prose. The answers
// are compared before anything is timed.
#include "validate_documents.hpp"

#include <jsonheal/scan.hpp>

#include <benchmark/benchmark.h>
#include <simdjson.h>

#include <string>

namespace {

using jsonheal::bench::document_sort;
namespace scan = jsonheal::scan;

constexpr std::size_t sizes[] = {200, 1'000, 100'000, 10'000'000};
constexpr std::uint32_t max_depth = 1'000'000;

void count_bytes(benchmark::State& state, std::size_t size) {
    state.SetBytesProcessed(static_cast<std::int64_t>(size) * static_cast<std::int64_t>(state.iterations()));
}

void parse_dom(benchmark::State& state, const document_sort& sort, std::size_t size) {
    const simdjson::padded_string text(jsonheal::bench::make_document(sort, size));
    simdjson::dom::parser parser;
    // The first parse takes the memory, and is not timed.
    if (parser.parse(text).error() != simdjson::SUCCESS) { return state.SkipWithError("not JSON"); }
    for (auto _ : state) {
        auto root = parser.parse(text);
        benchmark::DoNotOptimize(root);
    }
    count_bytes(state, text.size());
}

void validate(benchmark::State& state, const scan::kernel& kernel, const document_sort& sort,
              std::size_t size) {
    const std::string text = jsonheal::bench::make_document(sort, size);
    const std::string cut = text.substr(0, text.size() - 1);
    if (!kernel.is_json(text, max_depth) || kernel.is_json(cut, max_depth)) {
        return state.SkipWithError("wrong answer");
    }
    for (auto _ : state) {
        bool valid = kernel.is_json(text, max_depth);
        benchmark::DoNotOptimize(valid);
    }
    count_bytes(state, text.size());
}

/// Paragraphs without JSON: the search stops at each line end and goes on.
void search_prose(benchmark::State& state, const scan::kernel& kernel) {
    std::string text;
    std::size_t lines = 0;
    while (text.size() < 1'000'000) {
        text += "The weather in Paris was fine, and so we went out; nobody said a word about any object or "
                "list.\n";
        ++lines;
    }
    const char* const end = text.data() + text.size();
    const auto count = [&] {
        std::size_t stops = 0;
        for (const char* p = text.data(); (p = kernel.find_prose_stop(p, end)) != end; ++p) { ++stops; }
        return stops;
    };
    if (count() != lines) { return state.SkipWithError("wrong answer"); }
    for (auto _ : state) { benchmark::DoNotOptimize(count()); }
    count_bytes(state, text.size());
}

/// Strings of 0 to 31 bytes, one behind the other, as the engine meets them.
void search_short_strings(benchmark::State& state, const scan::kernel& kernel) {
    std::string text;
    std::size_t strings = 0;
    for (; text.size() < 100'000; ++strings) { text.append(strings * 7 % 32, 'x').append("\""); }
    const char* const end = text.data() + text.size();
    const auto count = [&] {
        std::size_t stops = 0;
        for (const char* p = text.data(); (p = kernel.find_string_stop(p, end)) != end; ++p) { ++stops; }
        return stops;
    };
    if (count() != strings) { return state.SkipWithError("wrong answer"); }
    for (auto _ : state) { benchmark::DoNotOptimize(count()); }
    state.SetItemsProcessed(static_cast<std::int64_t>(strings) *
                            static_cast<std::int64_t>(state.iterations()));
    count_bytes(state, text.size());
}

} // namespace

int main(int argc, char** argv) {
    for (const document_sort& sort : jsonheal::bench::document_sorts()) {
        for (const std::size_t size : sizes) {
            const std::string name = std::string(sort.name) + "/" + std::to_string(size) + "/";
            benchmark::RegisterBenchmark((name + "simdjson_dom").c_str(), parse_dom, sort, size);
            for (const scan::kernel& k : scan::kernels()) {
                benchmark::RegisterBenchmark((name + std::string(k.name)).c_str(), validate, k, sort, size);
            }
        }
    }
    for (const scan::kernel& k : scan::kernels()) {
        benchmark::RegisterBenchmark(("prose/" + std::string(k.name)).c_str(), search_prose, k);
        benchmark::RegisterBenchmark(("short_strings/" + std::string(k.name)).c_str(), search_short_strings,
                                     k);
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) { return 1; }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
