// The stream's faces: snapshots, show rules, events, sinks, misuse.
#include <jsonheal/stream.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal {
namespace {

/// What each chunk leaves to be seen.
std::vector<std::string> seen(stream_options o, const std::vector<std::string>& chunks) {
    stream s(std::move(o));
    std::vector<std::string> out;
    for (const std::string& c : chunks) {
        s.feed(c);
        out.push_back(s.snapshot_text());
    }
    EXPECT_TRUE(s.finish().ok());
    out.push_back(s.snapshot_text());
    return out;
}

using texts = std::vector<std::string>;

TEST(stream_object, shows_what_is_certain) {
    EXPECT_EQ(seen({}, {"Sure:\n```json\n{'ti", "tle': \"Dra", "ft\", 'n': 1", "2, 'done': tr", "ue}\n```"}),
              (texts{"", R"({"title": "Dra"})", R"({"title": "Draft"})", R"({"title": "Draft", "n": 12})",
                     R"({"title": "Draft", "n": 12, "done": true})",
                     R"({"title": "Draft", "n": 12, "done": true})"}));
}

TEST(stream_object, waits_until_done) {
    stream_options o;
    o.show = {{.place = "/rows/*", .when_done = true}};
    EXPECT_EQ(
        seen(o, {R"({"t": "a", "rows": [{"id": 1, "x": [)", R"(2]}, {"id": 2)", R"(}], "n": "y)", R"("})"}),
        (texts{R"({"t": "a", "rows": []})", R"({"t": "a", "rows": [{"id": 1, "x": [2]}]})",
               R"({"t": "a", "rows": [{"id": 1, "x": [2]}, {"id": 2}], "n": "y"})",
               R"({"t": "a", "rows": [{"id": 1, "x": [2]}, {"id": 2}], "n": "y"})",
               R"({"t": "a", "rows": [{"id": 1, "x": [2]}, {"id": 2}], "n": "y"})"}));
}

TEST(stream_object, hides_the_parent_until_a_member_is_not_null) {
    stream_options o;
    o.show = {{.place = "/rows/*/id", .not_null = true}};
    EXPECT_EQ(seen(o, {R"({"rows": [{"x": "te)", R"(xt", "id": "A)", R"(1"}, {"id": null, "x": ["y", )",
                       R"("z"]}]})"}),
              (texts{R"({"rows": []})", R"({"rows": [{"x": "text", "id": "A"}]})",
                     R"({"rows": [{"x": "text", "id": "A1"}]})",
                     R"({"rows": [{"x": "text", "id": "A1"}, {"id": null, "x": ["y", "z"]}]})",
                     R"({"rows": [{"x": "text", "id": "A1"}, {"id": null, "x": ["y", "z"]}]})"}));
}

TEST(stream_object, puts_the_state_beside_the_value) {
    stream_options o;
    o.show = {{.place = "/t", .with_state = true},
              {.place = "/l", .with_state = true},
              {.place = "/n", .with_state = true}};
    EXPECT_EQ(
        seen(o, {R"({"t": "ab)", R"(c", "l": [1, 2, )", R"(3], "n": 4 })"}),
        (texts{
            R"({"t": {"value": "ab", "state": "incomplete"}})",
            R"({"t": {"value": "abc", "state": "complete"}, "l": {"value": [1, 2], "state": "incomplete"}})",
            R"({"t": {"value": "abc", "state": "complete"}, "l": {"value": [1, 2, 3], "state": "complete"}})",
            R"({"t": {"value": "abc", "state": "complete"}, "l": {"value": [1, 2, 3], "state": "complete"}, "n": {"value": 4, "state": "complete"} })"}));
}

TEST(stream_object, reads_show_rules_from_a_schema) {
    const auto text = document::parse(R"({"properties": {
        "a": {"x-stream": "done"}, "l": {"items": {"properties": {"i~/d": {"x-stream": ["not_null", "state"]}}}},
        "r": {"$ref": "#/$defs/r"}}, "$defs": {"r": {"x-stream": "state", "properties": {"r": {"$ref": "#/$defs/r"}}}}})");
    ASSERT_TRUE(text);
    const auto rules = show_rules_of(schema::compile(text.value).value);
    std::vector<std::string> words;
    for (const show_rule& r : rules) {
        words.push_back(r.place + (r.when_done ? " done" : "") + (r.not_null ? " not_null" : "") +
                        (r.with_state ? " state" : ""));
    }
    std::sort(words.begin(), words.end());
    EXPECT_EQ(words, (texts{"/a done", "/l/*/i~0~1d not_null state", "/r state"}));
}

TEST(stream_object, is_a_live_document) {
    stream s;
    EXPECT_FALSE(s.value());
    s.feed(R"({"a": [1, 2, 3], "b": {"c": "text wi)");
    const auto v = s.value();
    ASSERT_TRUE(v);
    EXPECT_EQ(v->size(), 2U);
    EXPECT_TRUE(s.complete(*v->find("a")));
    EXPECT_EQ(v->find("a")->size(), 3U);
    EXPECT_FALSE(s.complete(*v));
    EXPECT_FALSE(s.complete(*v->find("b")));
    EXPECT_FALSE(s.complete(*v->find("b")->find("c")));
    EXPECT_EQ(v->find("b")->find("c")->string(), "text wi");
    s.feed("th \\\"quotes\\\" inside\"}, \"d\": 4");
    EXPECT_EQ(s.value()->find("b")->find("c")->string(), "text with \"quotes\" inside");
    EXPECT_TRUE(s.complete(*s.value()->find("b")));
    s.feed("}");
    EXPECT_EQ(s.finish().json(), s.value()->source());
    EXPECT_EQ(s.value()->size(), 3U);
}

TEST(stream_object, sends_each_event_once) {
    texts events;
    stream_options o;
    o.sink = stream_sink::text;
    o.on_event = [&](const stream_event& e) {
        const char* const kinds[] = {"begin", "piece", "end"};
        events.push_back(std::string(kinds[static_cast<int>(e.kind)]) + " " + e.place.pointer() + " " +
                         std::string(name(e.value)) + " " + std::string(e.text) + (e.item ? " item" : ""));
    };
    stream s(o);
    s.feed("{\"a/b\": [1, \"x\\ny");
    s.feed("z\", {}], \"n\": nul");
    s.feed("l}");
    EXPECT_EQ(s.finish().json(), R"({"a/b": [1, "x\nyz", {}], "n": null})");
    EXPECT_EQ(events, (texts{"begin  object ", "begin /a~1b array ", "end /a~1b/0 number 1 item",
                             "begin /a~1b/1 string  item", "piece /a~1b/1 string x item",
                             "piece /a~1b/1 string \nyz item", "end /a~1b/1 string \"x\\nyz\" item",
                             "begin /a~1b/2 object  item", "end /a~1b/2 object  item", "end /a~1b array ",
                             "end /n null null", "end  object "}));
}

TEST(stream_object, cuts_long_strings_in_the_event_of_their_end) {
    std::string last;
    bool cut = false;
    std::size_t pieces = 0;
    stream_options o;
    o.longest_text = 100;
    o.on_event = [&](const stream_event& e) {
        if (e.kind == event_kind::piece) { pieces += e.text.size(); }
        if (e.kind == event_kind::ended && e.value == value_kind::string) {
            last = e.text;
            cut = e.cut;
        }
    };
    stream s(o);
    s.feed("[\"");
    for (int i = 0; i != 100; ++i) { s.feed("0123456789"); }
    s.feed("\"]");
    EXPECT_TRUE(s.finish().ok());
    EXPECT_EQ(pieces, 1000U);
    EXPECT_TRUE(cut);
    EXPECT_LE(last.size(), 102U);
}

TEST(stream_object, sinks_keep_what_they_say) {
    stream_options o;
    o.sink = stream_sink::document;
    stream document_only(o);
    document_only.feed("{'a': [1], 'b': {'c': 'te");
    EXPECT_EQ(document_only.drain(), "");
    EXPECT_EQ(document_only.snapshot_text(), R"({"a": [1], "b": {"c": "te"}})");
    EXPECT_EQ(document_only.finish().json(), R"({"a": [1], "b": {"c": "te"}})");
    o.sink = stream_sink::text;
    stream text_only(o);
    text_only.feed("{'a': [1], 'b': {'c': 'te");
    EXPECT_FALSE(text_only.value());
    std::string out(text_only.drain());
    out += text_only.finish().json();
    EXPECT_EQ(out, R"({"a": [1], "b": {"c": "te"}})");
}

TEST(stream_object, shows_nothing_early_with_the_preset_whole) {
    stream_options o;
    o.heal = heal_options{};
    stream s(o);
    s.feed("{\"a\": 1} and then {\"b\": 2}");
    EXPECT_EQ(s.snapshot_text(), "");
    EXPECT_EQ(s.snapshot().settled_length, 0U);
    EXPECT_EQ(s.finish().json(), R"({"b": 2})");
    EXPECT_EQ(s.value()->source(), R"({"b": 2})");
}

TEST(stream_object, starts_anew_after_reset) {
    stream s;
    s.feed("{\"a\": [1, {\"b\": \"x");
    (void)s.value();
    s.reset();
    s.feed("[{'c': true, \"d\": \"x");
    EXPECT_EQ(s.snapshot_text(), "[{\"c\": true, \"d\": \"x\"}]");
    s.feed("\"}]");
    EXPECT_EQ(s.finish().json(), "[{\"c\": true, \"d\": \"x\"}]");
    s.reset();
    EXPECT_FALSE(s.value());
}

TEST(stream_object, a_callers_mistake_throws) {
    stream s;
    s.feed("[1]");
    EXPECT_TRUE(s.finish().ok());
    EXPECT_THROW(s.feed("x"), std::logic_error);
    EXPECT_THROW((void)s.finish(), std::logic_error);
    EXPECT_THROW((void)s.drain(), std::logic_error);
    EXPECT_THROW((void)s.drain_edits(), std::logic_error);
    EXPECT_THROW((void)s.snapshot(), std::logic_error);
    stream_options o;
    o.show = {{.place = "no pointer"}};
    EXPECT_THROW(stream{o}, std::invalid_argument);
    o.show.clear();
    o.heal.several = several_policy::last;
    EXPECT_THROW(stream{o}, std::invalid_argument);
    healer h;
    EXPECT_TRUE(!h.finish().ok());
    EXPECT_THROW((void)h.drain(), std::logic_error);
    EXPECT_THROW((void)h.snapshot(), std::logic_error);
    EXPECT_THROW(h.settle(), std::logic_error);
}

} // namespace
} // namespace jsonheal
