// Values of a stream are aligned: certain scalars before they are shown, the rest at the end, and the end is what `answer`
// gives for the whole text.
#include "cases.hpp"
#include "random.hpp"
#include "show.hpp"

#include <jsonheal/answer.hpp>
#include <jsonheal/stream.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jsonheal_test {
namespace {

using jsonheal::document;
using jsonheal::heal_options;
using jsonheal::stream_options;
using jsonheal::value_view;

jsonheal::schema::program compiled(std::string_view text) {
    return jsonheal::schema::compile(document::parse(std::string(text)).value).value;
}

/// What a stream showed, and how it ended.
struct run {
    std::vector<std::string> snapshots; ///< after each chunk
    std::string shown, last;            ///< all that was handed out; the final value
    std::string events;
    jsonheal::verdict verdict{};
    bool fits = false;
};

stream_options options_for(const jsonheal::schema::program& p, bool whole) {
    stream_options o;
    o.heal = whole ? heal_options() : heal_options::live();
    o.schema = p;
    o.align.emplace();
    return o;
}

template <class Next>
run feed(std::string_view text, stream_options o, bool looks, Next next) {
    run out;
    o.piece_bytes = 4;
    o.on_event = [&](const jsonheal::stream_event& e) {
        out.events += e.place.pointer() + "|" + std::to_string(static_cast<int>(e.kind)) + "|" +
                      std::string(name(e.value)) + "|" + std::string(e.text) + "|" + std::to_string(e.begin) +
                      "|" + std::to_string(e.end) + "\n";
    };
    jsonheal::stream s(o);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = std::min(std::max<std::size_t>(next(), 1), text.size() - at);
        s.feed(text.substr(at, size));
        at += size;
        out.shown += s.drain();
        if (!looks) { continue; }
        out.snapshots.push_back(s.snapshot_text());
        const auto live = s.value();
        EXPECT_EQ(live.has_value(), !out.snapshots.back().empty());
        if (live) { EXPECT_EQ(live->source(), document::parse(out.snapshots.back()).value.root().source()); }
    }
    const jsonheal::healing h = s.finish();
    out.shown += h.json();
    out.verdict = h.verdict;
    if (s.aligned() != nullptr) {
        out.last = s.aligned()->json;
        out.fits = s.aligned()->fits;
        EXPECT_EQ(s.validation()->valid, out.fits);
    }
    return out;
}

run whole_run(std::string_view text, const stream_options& o) {
    return feed(text, o, false, [&] { return text.size(); });
}

/// Is a snapshot a beginning of what was shown in the end, but for its closers?
bool begins(std::string_view snapshot, std::string_view shown) {
    std::size_t same = 0;
    while (same < snapshot.size() && same < shown.size() && snapshot[same] == shown[same]) { ++same; }
    return snapshot.substr(same).find_first_not_of("\"]}") == std::string_view::npos;
}

/// Any chunking shows the same, takes nothing back, and ends the same.
void expect_same_in_chunks(std::string_view text, const stream_options& o, const run& whole,
                           std::uint64_t seed) {
    const auto expect_same = [&](const run& cut) {
        EXPECT_EQ(cut.shown, whole.shown);
        EXPECT_EQ(cut.last, whole.last);
        EXPECT_EQ(cut.fits, whole.fits);
        EXPECT_EQ(cut.verdict, whole.verdict);
        EXPECT_EQ(cut.events, whole.events);
        for (const std::string& snapshot : cut.snapshots) {
            EXPECT_TRUE(begins(snapshot, whole.shown)) << snapshot << " was taken back: " << whole.shown;
        }
    };
    random_source random(seed);
    for (std::size_t way = 0; way != 52 / sweep_share; ++way) {
        expect_same(feed(text, o, true, [&] { return way == 0 ? 1 : way == 1 ? 4 : random.between(1, 12); }));
    }
    for (std::size_t at = 1; at < text.size(); at += sweep_share) {
        bool first = true;
        expect_same(feed(text, o, true, [&] { return std::exchange(first, false) ? at : text.size(); }));
    }
}

struct row {
    const char* what;
    const char* schema;
    const char* text;
    const char* shown;
    const char* last; ///< null: what was shown
};

constexpr row rows[] = {
    {"what fits is not touched", R"({"properties": {"n": {"type": "integer"}, "s": {"type": "string"}}})",
     R"({"n": 3, "s": "3", "t": "4"})", R"({"n": 3, "s": "3", "t": "4"})", nullptr},
    {"scalars of one type",
     R"({"properties": {"n": {"type": "integer"}, "x": {"type": "number"}, "b": {"type": "boolean"}, "s": {"type": "string"}}})",
     R"({"n": "12", "x": "1.5", "b": "true", "s": 1.50})", R"({"n": 12, "x": 1.5, "b": true, "s": "1.50"})",
     nullptr},
    {"enums by case and spelling",
     R"({"properties": {"c": {"enum": ["RED", "dark_blue"]}, "d": {"const": "x"}}})",
     R"({"c": "red", "d": "X"})", R"({"c": "RED", "d": "x"})", nullptr},
    {"lists of scalars", R"({"type": "array", "items": {"type": "integer"}})", R"(["1", 2, "3"])",
     "[1, 2, 3]", nullptr},
    {"deep inside, through a reference",
     R"({"type": "object", "properties": {"a": {"type": "array", "items": {"$ref": "#/$defs/i"}}},
         "$defs": {"i": {"type": "object", "properties": {"n": {"type": "integer"}}}}})",
     R"({"a": [{"n": "1"}, {"n": 2}, {"m": "3"}]})", R"({"a": [{"n": 1}, {"n": 2}, {"m": "3"}]})", nullptr},
    {"a list in a string", R"({"properties": {"l": {"type": "array", "items": {"type": "integer"}}}})",
     R"({"l": "[\"1\", 2]"})", R"({"l": [1, 2]})", nullptr},
    {"one value for a list", R"({"properties": {"l": {"type": "array", "items": {"type": "string"}}}})",
     R"({"l": "a", "m": 1})", R"({"l": ["a"], "m": 1})", nullptr},
    {"a scalar of several types",
     R"({"properties": {"n": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}})", R"({"n": "7"})",
     R"({"n": 7})", nullptr},
    {"a union of objects waits",
     R"({"properties": {"o": {"anyOf": [{"type": "object", "properties": {"n": {"type": "integer"}},
         "required": ["n"]}, {"type": "object", "properties": {"m": {"type": "integer"}}, "required": ["m"]}]}}})",
     R"({"o": {"m": "7"}})", R"({"o": {"m": "7"}})", R"({"o": {"m": 7}})"},
    {"keys wait",
     R"({"type": "object", "properties": {"first_name": {"type": "string"}}, "required": ["first_name"]})",
     R"({"firstName": "x"})", R"({"firstName": "x"})", R"({"first_name": "x"})"},
    {"a wrapper waits", R"({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]})",
     R"({"answer": {"a": "1"}})", R"({"answer": {"a": "1"}})", R"({"a": 1})"},
    {"a word for null may stand for an absent member",
     R"({"type": "object", "properties": {"c": {"enum": ["NONE", "ALL"]}}})", R"({"c": "none"})",
     R"({"c": "none"})", R"({"c": "NONE"})"},
    {"what is broken is healed first",
     R"({"properties": {"n": {"type": "integer"}, "c": {"enum": ["RED"]}}})", R"(Sure: {n: '12', 'c': red,})",
     R"({"n": 12, "c": "RED"})", nullptr},
    {"a number at the cut", R"({"properties": {"s": {"type": "string"}}})", R"({"s": 12)", R"({"s": "12"})",
     nullptr},
};

TEST(stream_align, table) {
    for (const row& r : rows) {
        SCOPED_TRACE(r.what);
        const stream_options o = options_for(compiled(r.schema), false);
        const run whole = whole_run(r.text, o);
        EXPECT_EQ(whole.shown, r.shown);
        EXPECT_EQ(whole.last, r.last != nullptr ? r.last : r.shown);
        EXPECT_TRUE(whole.fits);
        expect_same_in_chunks(r.text, o, whole, 1);
    }
}

TEST(stream_align, a_scalar_is_shown_when_it_is_whole) {
    jsonheal::stream s(options_for(
        compiled(
            R"({"properties": {"n": {"type": "integer"}, "c": {"enum": ["red"]}, "t": {"type": "string"}}})"),
        false));
    const auto after = [&](std::string_view chunk) {
        s.feed(chunk);
        return s.snapshot_text();
    };
    EXPECT_EQ(after(R"({"n": "1)"), "{}");
    EXPECT_EQ(after(R"(2", "c":)"), R"({"n": 12})");
    EXPECT_EQ(after(R"( "Re)"), R"({"n": 12})");
    EXPECT_EQ(after(R"(d", "t": "go)"), R"({"n": 12, "c": "red", "t": "go"})");
    EXPECT_EQ(after(R"(es on"})"), R"({"n": 12, "c": "red", "t": "goes on"})");
}

TEST(stream_align, a_stream_can_be_used_again) {
    jsonheal::stream s(options_for(compiled(R"({"properties": {"n": {"type": "integer"}}})"), false));
    for (int i = 0; i != 2; ++i) {
        s.feed(R"({"n": "1)");
        EXPECT_EQ(s.snapshot_text(), "{}");
        if (i == 0) {
            s.reset();
            s.feed(R"({"n": "2)");
        }
        s.feed("5\"}");
        EXPECT_EQ(s.finish().json(), i == 0 ? R"({"n": 25})" : R"({"n": 15})");
        EXPECT_TRUE(s.aligned() != nullptr && s.aligned()->fits);
        s.reset();
        EXPECT_EQ(s.aligned(), nullptr);
    }
}

/// The law of this file for one text: with the preset `whole` the end is that of `answer`, edits and all; with `live` it is
/// where the text is read as `answer` reads it. True if `live` showed at once what the end is.
bool expect_answer(std::string_view text, const jsonheal::schema::program& program, std::uint64_t seed) {
    const jsonheal::fitted want = jsonheal::answer(text, program);
    const stream_options at_end = options_for(program, true);
    const run whole = whole_run(text, at_end);
    EXPECT_EQ(whole.last, want.json());
    EXPECT_EQ(whole.shown, want.json());
    EXPECT_EQ(whole.fits, want.text.ok() && want.value.fits);
    EXPECT_EQ(whole.verdict, want.text.verdict);
    expect_same_in_chunks(text, at_end, whole, seed);

    const stream_options live = options_for(program, false);
    const run first = whole_run(text, live);
    expect_same_in_chunks(text, live, first, seed + 1);
    heal_options plain = heal_options::live();
    const auto expected = jsonheal::schema::make_expectation(program);
    plain.expect = expected.get();
    const auto healed = jsonheal::heal(text, plain);
    if (!healed.ok() || healed.json() != want.text.json()) { return false; }
    EXPECT_EQ(first.last, want.json());
    EXPECT_EQ(first.fits, want.value.fits);
    // what was shown was certain: it leads to the same value
    const auto shown = document::parse(first.shown);
    EXPECT_TRUE(shown);
    if (first.fits && shown) { EXPECT_EQ(jsonheal::align(shown.value, program).json, first.last); }
    return first.shown == first.last;
}

value_view cases_of(const document& file) {
    const value_view root = file.root();
    return root.is(jsonheal::value_kind::object) ? *root.find("cases") : root;
}

/// A share of each file: number `shard` of four.
class every_case : public testing::TestWithParam<std::size_t> {};

TEST_P(every_case, ends_as_answer) {
    std::size_t count = 0, at_once = 0;
    for (const char* name : {"align/cases", "golden_answer/choice", "golden_answer/bare_values",
                             "golden_answer/brackets", "golden_answer/reported"}) {
        std::ifstream in(std::string("tests/") + name + ".json", std::ios::binary);
        const auto file = document::parse(std::string{std::istreambuf_iterator<char>(in), {}});
        ASSERT_TRUE(in && file) << name << ": run it in the root of the sources";
        std::size_t number = 0;
        for (const value_view one : cases_of(file.value).elements()) {
            if (++number % 4 != GetParam() || one.find("tool")) { continue; }
            const auto before = one.find("before");
            const std::string text = before ? std::string(before->source()) : one.find("input")->string();
            SCOPED_TRACE(std::string(name) + " " + show(text) + " under " +
                         std::string(one.find("schema")->source()));
            const auto made =
                jsonheal::schema::compile(document::parse(std::string(one.find("schema")->source())).value);
            ASSERT_TRUE(made);
            at_once += expect_answer(text, made.value, number) ? 1U : 0U;
            ++count;
        }
    }
    RecordProperty("cases", std::to_string(count));
    RecordProperty("shown_at_once", std::to_string(at_once));
    EXPECT_GT(count, 90U);
    EXPECT_GT(at_once * 10, count * 4) << at_once << " of " << count;
}

INSTANTIATE_TEST_SUITE_P(shard, every_case, testing::Range(std::size_t{0}, std::size_t{4}));

} // namespace
} // namespace jsonheal_test
