// Law 5 for every reply of our cases: at every place where it can be cut in two, byte by byte, by four bytes and in fifty
// random ways, the same content, calls, edits and fits. Each event stream is also checked for itself.
//
// JSONHEAL_CORPUS names a folder of further cases (`make measure`).
#include "cases.hpp"
#include "laws.hpp"
#include "random_calls.hpp"
#include "show.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace jsonheal_test {
namespace {

using jsonheal::call_event;
using jsonheal::value_kind;
using jsonheal::value_view;

constexpr std::size_t random_ways = 50;

struct heard {
    std::string said;     ///< the reading, and the arguments as they were streamed
    std::string disorder; ///< an event where it cannot be
};

heard listen(std::string_view text, const jsonheal::call_options& o, const chunking& chunks) {
    jsonheal::call_reader reader(o);
    jsonheal::calls_reading reading;
    heard out;
    std::string streamed;
    std::size_t calls = 0;
    bool open = false;
    const auto take = [&](std::span<const call_event> events) {
        gather(events, reading);
        for (const call_event& e : events) {
            switch (e.what) {
            case call_event::kind::begin:
                if (open || e.index != calls) { out.disorder += " begin"; }
                open = true;
                streamed += "\nstreamed ";
                break;
            case call_event::kind::arguments:
                if (!open || e.index != calls || e.text.empty()) { out.disorder += " arguments"; }
                streamed += e.text;
                break;
            case call_event::kind::end:
                if (!open || e.index != calls++) { out.disorder += " end"; }
                open = false;
                break;
            default:
                if (e.text.empty()) { out.disorder += " empty text"; }
                break;
            }
        }
    };
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = std::min(std::max<std::size_t>(chunks(at), 1), text.size() - at);
        take(reader.feed(text.substr(at, size)));
        at += size;
    }
    take(reader.finish());
    if (open) { out.disorder += " no end"; }
    out.said = show(reading) + streamed;
    return out;
}

failure check_every_way(std::string_view text, const jsonheal::call_options& o) {
    const heard whole = listen(text, o, chunks_of(text.size() + 1));
    const auto differs = [&](const chunking& chunks, const std::string& how) -> failure {
        const heard got = listen(text, o, chunks);
        if (!got.disorder.empty()) { return "events in disorder:" + got.disorder + "\n  " + how; }
        if (got.said != whole.said) { return how + "\n  whole:\n" + whole.said + "\n  pieces:\n" + got.said; }
        return std::nullopt;
    };
    if (auto why = differs(chunks_of(text.size() + 1), "whole")) { return why; }
    if (auto why = differs(chunks_of(1), "fed by bytes")) { return why; }
    if (auto why = differs(chunks_of(4), "fed by four bytes")) { return why; }
    for (std::size_t way = 0; way != random_ways; ++way) {
        if (auto why =
                differs(random_chunks(way + 1, way % 2 == 0 ? 9 : 40), "random way " + std::to_string(way))) {
            return why;
        }
    }
    for (std::size_t at = 1; at < text.size(); ++at) {
        if (auto why = differs(split_at(at), "split at " + std::to_string(at))) { return why; }
    }
    return std::nullopt;
}

/// The tools of a case: declarations, or names alone.
jsonheal::tool_set tools_of(value_view one) {
    const auto given = one.find("tools");
    if (!given || !given->is(value_kind::array)) { return {}; }
    std::string list;
    for (const value_view t : given->elements()) {
        list += list.empty() ? "[" : ",";
        list +=
            t.is(value_kind::string) ? "{\"name\":" + std::string(t.source()) + "}" : std::string(t.source());
    }
    return jsonheal::tool_set::read(std::string_view(list.empty() ? "[]" : list + "]")).tools;
}

std::size_t run(const std::vector<std::string>& folders, std::size_t shard, std::size_t shards) {
    std::size_t number = 0, checked = 0;
    for (const std::string& folder : folders) {
        for (const auto& path : case_files(folder)) {
            const auto files = documents_in(path);
            for (const value_view one : cases_in(files)) {
                const auto text = one.is(value_kind::object) ? one.find("text") : std::nullopt;
                if (!text || !text->is(value_kind::string)) { continue; }
                if (number++ % (shards * sweep_share) != shard * sweep_share) { continue; }
                const jsonheal::tool_set tools = tools_of(one);
                const std::string reply = text->string();
                const auto format = one.find("format");
                const auto open = one.find("open_reasoning");
                jsonheal::call_options o;
                o.tools = &tools;
                o.open_reasoning = open && open->boolean();
                for (const bool named : {true, false}) { // and found by its markers
                    if (named && !format) { continue; }
                    o.format = named ? jsonheal::find_call_format(format->string()) : nullptr;
                    const failure why = check_every_way(reply, o);
                    EXPECT_FALSE(why) << path << " " << show(reply) << "\n" << why.value_or("");
                    ++checked;
                }
            }
        }
    }
    return checked;
}

class every_split : public testing::TestWithParam<std::size_t> {};

TEST_P(every_split, of_our_cases) { EXPECT_GT(run({"tests/calls"}, GetParam(), 4), 100U / sweep_share); }

TEST_P(every_split, of_a_corpus) {
    const auto folder = corpus_folder();
    if (folder.empty()) { GTEST_SKIP() << "JSONHEAL_CORPUS names no folder"; }
    EXPECT_GT(run(folder, GetParam(), 4), 0U);
}

/// Long prose is searched by vectors and short pieces are not: the same is found, in every place within a vector.
TEST(prose, is_read_the_same_in_pieces) {
    static constexpr std::string_view parts[] = {"the quick brown fox ",
                                                 "functions ",
                                                 "func",
                                                 "functools",
                                                 "**Tool Call:**",
                                                 "**bold** ",
                                                 "A",
                                                 "Action: ",
                                                 "]",
                                                 "]<]minimax[>[",
                                                 "<",
                                                 "<tool_call>",
                                                 "</tool_call>",
                                                 "<|channel|>",
                                                 "[",
                                                 "{",
                                                 "{\"name\": \"ping\", \"arguments\": {}}",
                                                 "(",
                                                 "ping(",
                                                 "ping()",
                                                 "save_note(",
                                                 "mcp__files-app__read(",
                                                 "mcp__files-app__rea",
                                                 "run_shell",
                                                 "`",
                                                 "```",
                                                 "\n",
                                                 "\n\n",
                                                 "Łódź ",
                                                 "日本",
                                                 "x"};
    const auto tools = jsonheal::tool_set::read(tools_text);
    for (const std::string_view format : {"", "react", "rwkv", "minimax_m3", "llama4_pythonic"}) {
        jsonheal::call_options o;
        o.tools = &tools.tools;
        o.format = jsonheal::find_call_format(format);
        for (std::uint64_t seed = 1; seed <= 400 / sweep_share; ++seed) {
            random_source random(seed);
            std::string text(random.below(64), 'a');
            while (text.size() < 300) { text += random.chance(60) ? parts[0] : random.pick(parts); }
            const std::string whole = listen(text, o, chunks_of(text.size())).said;
            for (const chunking& chunks : {chunks_of(1), chunks_of(40), random_chunks(seed, 90)}) {
                ASSERT_EQ(listen(text, o, chunks).said, whole) << show(text) << " " << format;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(shard, every_split, testing::Range(std::size_t{0}, std::size_t{4}));

} // namespace
} // namespace jsonheal_test
