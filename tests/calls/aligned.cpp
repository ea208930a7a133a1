// Arguments of calls are aligned to their tool's schema: as they complete where that is certain, the rest at the call's end.
#include "random.hpp"

#include <jsonheal/align.hpp>
#include <jsonheal/calls.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace jsonheal_test {
namespace {

using jsonheal::call_event;
using jsonheal::call_options;
using jsonheal::call_status;
using jsonheal::calls_reading;
using jsonheal::document;
using jsonheal::risk;
using jsonheal::tool_set;
using jsonheal::value_view;

constexpr std::string_view declared = R"([{"name": "order", "parameters": {"type": "object", "properties": {
    "count": {"type": "integer"}, "colour": {"enum": ["red", "dark_blue"]}, "gift": {"type": "boolean"},
    "tags": {"type": "array", "items": {"type": "string"}}, "name": {"type": "string"}, "note": {"type": ["string", "null"]},
    "box": {"type": "object", "properties": {"width": {"type": "number"}}, "required": ["width"]},
    "street_name": {"type": "string"}}, "required": ["count"]}}])";

/// What a text gives: the arguments that were streamed and all else.
struct seen {
    calls_reading all;
    std::vector<std::string> streamed; ///< of each call
    std::string events;                ///< but for where text is cut
};

seen read(std::string_view text, const call_options& o, std::size_t chunk, std::uint64_t seed = 0) {
    seen out;
    jsonheal::call_reader reader(o);
    const auto take = [&](std::span<const call_event> events) {
        gather(events, out.all);
        for (const call_event& e : events) {
            if (e.what == call_event::kind::begin) { out.streamed.emplace_back(); }
            if (e.what == call_event::kind::arguments) { out.streamed.back() += e.text; }
            if (e.what != call_event::kind::end) { continue; }
            out.events += std::string(name(e.status)) + std::to_string(e.begin_offset) + "-" +
                          std::to_string(e.end_offset);
            for (const auto& t : e.retyped) { out.events += t.key + (t.fits ? " fits " : " unfit "); }
            if (!e.fit) { continue; }
            out.events += (e.fit->fits ? "fits " : "unfit ") + e.fit->arguments;
            for (const auto& c : e.fit->changes) { out.events += c.pointer + c.before + c.after; }
            for (const auto& v : e.fit->violations) { out.events += v.message; }
        }
    };
    random_source random(seed);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = std::min(seed != 0 ? random.between(1, chunk) : chunk, text.size() - at);
        take(reader.feed(text.substr(at, size)));
        at += size;
    }
    take(reader.finish());
    return out;
}

/// The same in every chunking.
seen read_all_ways(std::string_view text, const call_options& o) {
    const seen whole = read(text, o, text.size());
    for (std::uint64_t way = 0; way != 8; ++way) {
        const seen cut = read(text, o, way == 0 ? 1 : way == 1 ? 4 : 9, way < 2 ? 0 : way);
        EXPECT_EQ(cut.streamed, whole.streamed) << text;
        EXPECT_EQ(cut.events, whole.events) << text;
        EXPECT_EQ(cut.all.calls.size(), whole.all.calls.size()) << text;
        for (std::size_t i = 0; i < std::min(cut.all.calls.size(), whole.all.calls.size()); ++i) {
            EXPECT_EQ(cut.all.calls[i].arguments, whole.all.calls[i].arguments) << text;
        }
    }
    return whole;
}

struct row {
    const char* text;
    const char* streamed; ///< arguments as they come
    const char* last;     ///< at the end; null: those
    call_status status;
    bool fits;
    jsonheal::risk risk = jsonheal::risk::exact; ///< of the fit and what was retyped
};

constexpr row rows[] = {
    // fits: nothing is touched
    {R"({"count": 3, "note": "null", "name": "12"})", R"({"count": 3, "note": "null", "name": "12"})",
     nullptr, call_status::complete, true},
    // a value that completes is aligned at once
    {R"({"count": "3"})", R"({"count": 3})", nullptr, call_status::repaired, true},
    {R"({"count": 1, "colour": "Dark Blue", "gift": "yes"})",
     R"({"count": 1, "colour": "dark_blue", "gift": true})", nullptr, call_status::repaired, true,
     risk::likely},
    {R"({"count": 1, "tags": "[\"a\", \"b\"]"})", R"({"count": 1, "tags": ["a", "b"]})", nullptr,
     call_status::repaired, true},
    {R"({"count": 1, "tags": "a"})", R"({"count": 1, "tags": ["a"]})", nullptr, call_status::repaired, true,
     risk::likely},
    {R"({"count": 1, "name": 12})", R"({"count": 1, "name": "12"})", nullptr, call_status::repaired, true},
    // what only the whole object decides comes at the end
    {R"({"count": 1, "box": {"width": "2.5"}})", R"({"count": 1, "box": {"width": "2.5"}})",
     R"({"count": 1, "box": {"width": 2.5}})", call_status::repaired, true},
    {R"({"count": 1, "tags": ["a", 2]})", R"({"count": 1, "tags": ["a", 2]})",
     R"({"count": 1, "tags": ["a", "2"]})", call_status::repaired, true},
    {R"({"Count": "1", "name": "x"})", R"({"Count": "1", "name": "x"})", R"({"count": 1, "name": "x"})",
     call_status::repaired, true, risk::likely},
    // what cannot be mended stays, and what can is
    {R"({"count": "many"})", R"({"count": "many"})", nullptr, call_status::repaired, false},
    {R"({"box": {"width": "2.5"}})", R"({"box": {"width": "2.5"}})", R"({"box": {"width": 2.5}})",
     call_status::repaired, false},
    {R"({"count": 1, "gift": "maybe"})", R"({"count": 1, "gift": "maybe"})", nullptr, call_status::repaired,
     false},
};

TEST(aligned_calls, table) {
    const auto tools = tool_set::read(declared);
    call_options o;
    o.tools = &tools.tools;
    for (const row& r : rows) {
        const std::string text =
            "Now. <tool_call>{\"name\": \"order\", \"arguments\": " + std::string(r.text) + "}</tool_call>";
        const seen s = read_all_ways(text, o);
        ASSERT_EQ(s.all.calls.size(), 1U) << text;
        const auto& c = s.all.calls[0];
        EXPECT_EQ(s.streamed[0], r.streamed);
        EXPECT_EQ(c.arguments, r.last != nullptr ? r.last : r.streamed);
        EXPECT_EQ(name(c.status), name(r.status)) << text;
        ASSERT_TRUE(c.fit) << text;
        EXPECT_EQ(c.fit->fits, r.fits) << text;
        EXPECT_EQ(c.fit->violations.empty(), r.fits) << text;
        EXPECT_EQ(c.fit->changes.empty(), r.last == nullptr) << text;
        jsonheal::risk highest = c.fit->risk;
        for (const auto& t : c.retyped) { highest = std::max(highest, t.risk); }
        EXPECT_EQ(name(highest), name(r.risk)) << text;
    }
}

TEST(aligned_calls, text_of_tags_is_aligned_as_well) {
    const auto tools = tool_set::read(declared);
    call_options o;
    o.tools = &tools.tools;
    const seen s = read_all_ways(
        "<tool_call>\n<function=order>\n<parameter=count>\n1,000,000\n</parameter>\n<parameter=colour>\n"
        "RED\n</parameter>\n<parameter=box>\n{\"width\": \"2\"}\n</parameter>\n</function>\n</tool_call>",
        o);
    ASSERT_EQ(s.all.calls.size(), 1U);
    EXPECT_EQ(s.all.calls[0].arguments, R"({"count":1000000,"colour":"red","box":{"width": 2}})");
    EXPECT_TRUE(s.all.calls[0].fit && s.all.calls[0].fit->fits);
}

TEST(aligned_calls, a_call_that_was_cut_or_has_no_schema_is_not_judged) {
    const auto tools = tool_set::read(declared);
    call_options o;
    o.tools = &tools.tools;
    const seen cut = read_all_ways(R"(<tool_call>{"name": "order", "arguments": {"box": {"width": "2)", o);
    ASSERT_EQ(cut.all.calls.size(), 1U);
    EXPECT_FALSE(cut.all.calls[0].fit);
    EXPECT_EQ(cut.all.calls[0].arguments, R"({"box": {"width": "2"}})");
    const seen free =
        read_all_ways(R"(<tool_call>{"name": "other", "arguments": {"count": "2"}}</tool_call>)", o);
    ASSERT_EQ(free.all.calls.size(), 1U);
    EXPECT_FALSE(free.all.calls[0].fit);
    EXPECT_EQ(free.all.calls[0].arguments, R"({"count": "2"})");
}

/// Every case of tests/align as an argument: what `align` makes of the object is what the call holds in the end.
TEST(aligned_calls, every_coercion_holds_for_arguments) {
    std::ifstream in("tests/align/cases.json", std::ios::binary);
    const auto cases = document::parse(std::string{std::istreambuf_iterator<char>(in), {}});
    ASSERT_TRUE(in && cases) << "run it in the root of the sources";
    std::size_t count = 0;
    for (const value_view one : cases.value.root().elements()) {
        if (one.find("options")) { continue; }
        const std::string schema = R"({"type": "object", "properties": {"v": )" +
                                   std::string(one.find("schema")->source()) + R"(}, "required": ["v"]})";
        const std::string object = "{\"v\": " + std::string(one.find("before")->source()) + "}";
        SCOPED_TRACE(object + " under " + schema);
        const auto program = jsonheal::schema::compile(document::parse(schema).value);
        if (!program) { continue; } // references to the root of the case
        const auto wanted = jsonheal::align(document::parse(object).value, program.value);
        const auto tools = tool_set::read("[{\"name\": \"f\", \"parameters\": " + schema + "}]");
        call_options o;
        o.tools = &tools.tools;
        const seen s =
            read_all_ways("<tool_call>{\"name\": \"f\", \"arguments\": " + object + "}</tool_call>", o);
        ASSERT_EQ(s.all.calls.size(), 1U);
        const auto& c = s.all.calls[0];
        ASSERT_TRUE(c.fit);
        EXPECT_EQ(c.fit->fits, wanted.fits);
        if (!wanted.fits) { continue; }
        EXPECT_TRUE(
            same_value(document::parse(c.arguments).value.root(), document::parse(wanted.json).value.root()))
            << c.arguments << " is not " << wanted.json;
        ++count;
    }
    EXPECT_GT(count, 150U);
}

} // namespace
} // namespace jsonheal_test
