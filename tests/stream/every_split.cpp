// Law 5 for every text of our cases: at every place where it can be cut in two, byte by byte, by four bytes and in fifty
// random ways, with both presets, a stream says and shows what it does for the whole text.
//
// JSONHEAL_CORPUS names a folder of further cases (`make measure`).
#include "cases.hpp"
#include "event_log.hpp"
#include "laws.hpp"
#include "options.hpp"
#include "show.hpp"
#include "sweep.hpp"

#include <jsonheal/stream.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal_test {
namespace {

constexpr std::size_t random_ways = 50;
constexpr std::size_t longest_at_every_place = 2000;

struct watched {
    jsonheal::healing outcome;
    std::vector<std::string> events;
    failure broken; ///< a snapshot that is not that of these bytes
};

/// `snapshots`: what is shown after so many bytes. With `learn` they are written down, else compared.
watched watch(std::string_view text, const jsonheal::heal_options& heal, const chunking& chunks,
              std::vector<std::string>& snapshots, bool learn) {
    jsonheal::stream_options o;
    o.heal = heal;
    event_log events(false);
    o.on_event = [&](const jsonheal::stream_event& e) { events.add(e); };
    jsonheal::stream s(o);
    watched out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = std::min(std::max<std::size_t>(chunks(at), 1), text.size() - at);
        s.feed(text.substr(at, size));
        at += size;
        std::string now = s.snapshot_text();
        if (learn) {
            snapshots[at] = std::move(now);
        } else if (now != snapshots[at]) {
            out.broken = "after " + std::to_string(at) + " bytes the snapshot is " +
                         jsonheal_test::show(now) + " and not " + jsonheal_test::show(snapshots[at]);
            return out;
        }
    }
    out.outcome = s.finish();
    out.events = std::move(events.all);
    return out;
}

failure check_every_way(std::string_view text) {
    for (const jsonheal::heal_options& o : both_presets()) {
        const jsonheal::healing whole = jsonheal::heal(text, o);
        std::vector<std::string> snapshots(text.size() + 1);
        const watched bytes = watch(text, o, chunks_of(1), snapshots, true);
        if (auto why = compare(whole, bytes.outcome, "fed by bytes")) { return why; }
        const auto differs = [&](const chunking& chunks, const std::string& how) -> failure {
            const watched got = watch(text, o, chunks, snapshots, false);
            if (got.broken) { return *got.broken + "\n  " + how; }
            if (auto why = compare(whole, got.outcome, how)) { return why; }
            if (got.events != bytes.events) { return "events differ\n  " + how; }
            return std::nullopt;
        };
        if (auto why = differs(chunks_of(4), "fed by four bytes")) { return why; }
        for (std::size_t way = 0; way != random_ways; ++way) {
            if (auto why = differs(random_chunks(way + 1, way % 2 == 0 ? 9 : 40),
                                   "random way " + std::to_string(way))) {
                return why;
            }
        }
        if (text.size() > longest_at_every_place) { continue; }
        for (std::size_t at = 0; at <= text.size(); ++at) {
            if (auto why = differs(split_at(at), "split at " + std::to_string(at))) { return why; }
        }
    }
    return std::nullopt;
}

void run(const std::vector<std::string>& texts, std::size_t shard, std::size_t shards) {
    sweep all(check_every_way);
    for (std::size_t i = shard * sweep_share; i < texts.size(); i += shards * sweep_share) { all(texts[i]); }
}

class every_split : public testing::TestWithParam<std::size_t> {};

TEST_P(every_split, of_our_cases) {
    const auto texts = case_texts({"tests/golden", "tests/golden_answer", "tests/golden_text", "tests/args",
                                   "tests/calls", "tests/align", "tests/cli"});
    ASSERT_GT(texts.size(), 1500U) << "run it in the root of the sources";
    run(texts, GetParam(), 4);
}

TEST_P(every_split, of_a_corpus) {
    const auto folder = corpus_folder();
    if (folder.empty()) { GTEST_SKIP() << "JSONHEAL_CORPUS names no folder"; }
    run(case_texts(folder), GetParam(), 4);
}

INSTANTIATE_TEST_SUITE_P(shard, every_split, testing::Range(std::size_t{0}, std::size_t{4}));

} // namespace
} // namespace jsonheal_test
