// The golden transcripts: tests/wire/cases/README.md has the format.
#include "show.hpp"

#include <jsonheal/document.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace jsonheal_test {
namespace {

using namespace jsonheal::wire;
using jsonheal::document;
using jsonheal::value_kind;
using jsonheal::value_view;

/// The folder, relative to the root of the sources, in which tests run.
constexpr const char* folder = "tests/wire/cases";

struct golden {
    std::string name; ///< `file_id`
    document file;
    value_view value;
};

std::vector<golden> read_cases() {
    std::vector<golden> out;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".json") { files.push_back(entry.path()); }
    }
    std::sort(files.begin(), files.end());
    for (const auto& path : files) {
        std::ifstream in(path, std::ios::binary);
        auto parsed = document::parse(std::string{std::istreambuf_iterator<char>(in), {}});
        const std::string stem = path.stem().string();
        if (!parsed) {
            ADD_FAILURE() << path << ": " << parsed.error->message << " at " << parsed.error->offset;
            continue;
        }
        for (const value_view c : parsed.value.root().elements()) {
            std::string name = stem + "_" + c.find("id")->string();
            std::replace_if(
                name.begin(), name.end(), [](unsigned char ch) { return std::isalnum(ch) == 0; }, '_');
            out.push_back({std::move(name), parsed.value, c});
        }
    }
    return out;
}

const std::vector<golden>& cases() {
    static const std::vector<golden> all = read_cases();
    return all;
}

std::string text_of(value_view c, std::string_view key, std::string fallback = {}) {
    const auto v = c.find(key);
    return v && v->is(value_kind::string) ? v->string() : fallback;
}

/// A payload: a string as it is, anything else as JSON.
std::string payload(value_view v) { return v.is(value_kind::string) ? v.string() : std::string(v.source()); }

bool same(const std::string& json, value_view wanted) {
    const auto parsed = document::parse(json);
    return parsed && same_value(parsed.value.root(), wanted);
}

/// Made ids stand as `?` in the cases.
std::string with_made_ids_hidden(std::string json, value_view wanted) {
    for (const std::string_view key : {"\"id\":\"call_"}) {
        if (wanted.source().find("\"?\"") == std::string_view::npos) { break; }
        const std::size_t at = json.find(key);
        if (at == std::string::npos) { continue; }
        const std::size_t from = at + 6, to = json.find('"', from);
        json.replace(from, to - from, "?");
    }
    return json;
}

const codec& wire_of(value_view c, std::string_view key, const std::string& fallback) {
    const std::string name = text_of(c, key, fallback);
    const codec* found = find_codec(name);
    EXPECT_NE(found, nullptr) << name;
    return found != nullptr ? *found : codecs()[0];
}

void expect_error(const std::optional<wire_error>& error, value_view wanted) {
    ASSERT_TRUE(error);
    const document shown = document::parse(show(*error)).value;
    for (const jsonheal::member m : wanted.members()) {
        const auto found = shown.root().find(m.key.string());
        EXPECT_TRUE(found && same_value(*found, m.value)) << m.key.string() << " in " << shown.text();
    }
}

void expect_notes(const std::vector<note>& notes, value_view c) {
    std::vector<std::string> fields, wanted;
    for (const note& n : notes) { fields.push_back(n.field); }
    if (const auto list = c.find("notes")) {
        for (const value_view n : list->elements()) { wanted.push_back(n.string()); }
    }
    EXPECT_EQ(fields, wanted);
}

encode_options encode_options_of(value_view c) {
    encode_options o;
    const auto options = c.find("options");
    if (!options) { return o; }
    const std::pair<std::string_view, bool*> flags[] = {
        {"cache_control", &o.cache_control},
        {"native_tools", &o.native_tools},
        {"json_schema", &o.json_schema},
        {"json_object", &o.json_object},
        {"strict", &o.strict},
        {"tool_choice", &o.tool_choice},
        {"parallel_tool_calls", &o.parallel_tool_calls},
        {"text_content_only", &o.text_content_only},
        {"old_max_tokens", &o.old_max_tokens},
    };
    for (const jsonheal::member m : options->members()) {
        const std::string key = m.key.string();
        const auto* flag =
            std::find_if(std::begin(flags), std::end(flags), [&](const auto& f) { return f.first == key; });
        if (flag != std::end(flags)) { *flag->second = m.value.boolean(); }
        EXPECT_NE(flag, std::end(flags)) << key;
    }
    return o;
}

void check_request(value_view c) {
    const codec& from = wire_of(c, "wire", "openai_chat");
    const std::string model = text_of(c, "model");
    decode_options options;
    options.model = model;
    const auto read = from.decode_request(payload(*c.find("in")), options);
    if (const auto error = c.find("error")) {
        expect_error(read.error, *error);
        return;
    }
    ASSERT_TRUE(read) << show(*read.error);
    const codec& to = wire_of(c, "to", std::string(from.name));
    const encoded out = to.encode_request(read.value, encode_options_of(c));
    const auto wanted = c.find("out");
    EXPECT_TRUE(same(out.json, wanted ? *wanted : *c.find("in"))) << out.json;
    expect_notes(out.notes, c);
}

void check_response(value_view c) {
    const codec& from = wire_of(c, "wire", "openai_chat");
    const auto read = from.decode_response(payload(*c.find("in")), {});
    if (const auto error = c.find("error")) {
        expect_error(read.error, *error);
        return;
    }
    ASSERT_TRUE(read) << show(*read.error);
    const codec& to = wire_of(c, "to", std::string(from.name));
    const encoded out = to.encode_response(read.value, {});
    const value_view wanted = c.find("out") ? *c.find("out") : *c.find("in");
    EXPECT_TRUE(same(with_made_ids_hidden(out.json, wanted), wanted)) << out.json;
    expect_notes(out.notes, c);
}

/// A body as its payloads: the events' names, where there are any, before their data.
std::vector<std::string> payloads_of(std::string_view body, bool sse) {
    std::vector<std::string> out;
    while (!body.empty()) {
        const std::string_view end = sse ? "\n\n" : "\n";
        const std::size_t at = body.find(end);
        EXPECT_NE(at, std::string_view::npos) << "not framed: " << body;
        std::string_view event = body.substr(0, at);
        body.remove_prefix(std::min(body.size(), at + end.size()));
        std::string data;
        while (sse && !event.empty()) {
            const std::string_view line = event.substr(0, event.find('\n'));
            event.remove_prefix(std::min(event.size(), line.size() + 1));
            if (line.starts_with("data: ")) { data = line.substr(6); }
        }
        out.push_back(sse ? data : std::string(event));
    }
    return out;
}

void expect_payloads(const std::vector<std::string>& got, value_view wanted) {
    std::size_t i = 0;
    for (const value_view w : wanted.elements()) {
        ASSERT_LT(i, got.size()) << "nothing for " << w.source();
        const bool same_payload =
            w.is(value_kind::string) ? got[i] == w.string() : same(with_made_ids_hidden(got[i], w), w);
        EXPECT_TRUE(same_payload) << got[i] << "\n  wanted " << w.source();
        ++i;
    }
    for (; i < got.size(); ++i) { ADD_FAILURE() << "too much: " << got[i]; }
}

void check_stream(value_view c) {
    const codec& from = wire_of(c, "wire", "openai_chat");
    const auto decoder = from.make_decoder({});
    std::vector<stream_event> events;
    for (const value_view p : c.find("in")->elements()) {
        const std::string data = payload(p);
        const std::string event = p.is(value_kind::object) ? text_of(p, "type") : std::string();
        decoder->feed(event, data, events);
    }
    decoder->finish(events);
    std::size_t i = 0;
    if (const auto wanted = c.find("events")) {
        for (const value_view w : wanted->elements()) {
            ASSERT_LT(i, events.size()) << "nothing for " << w.source();
            const std::string got = with_made_ids_hidden(show(events[i]), w);
            EXPECT_TRUE(same(got, w)) << got << "\n  wanted " << w.source();
            ++i;
        }
        for (; i < events.size(); ++i) { ADD_FAILURE() << "too much: " << show(events[i]); }
    }
    if (const auto out = c.find("out")) {
        const codec& to = wire_of(c, "to", std::string(from.name));
        response_options options;
        options.include_usage = c.find("include_usage") && c.find("include_usage")->boolean();
        const auto encoder = to.make_encoder(options);
        std::string body;
        for (const stream_event& e : events) { encoder->put(e, body); }
        expect_payloads(payloads_of(body, to.sse), *out);
    }
}

void check_error(value_view c) {
    const codec& from = wire_of(c, "wire", "openai_chat");
    const wire_error error =
        from.decode_error(static_cast<int>(*c.find("status")->int64()), payload(*c.find("in")));
    expect_error(error, *c.find("error"));
    if (const auto out = c.find("out")) {
        const std::string json = wire_of(c, "to", std::string(from.name)).encode_error(error);
        EXPECT_TRUE(same(json, *out)) << json;
    }
}

class WireCase : public testing::TestWithParam<std::size_t> {};

TEST_P(WireCase, Holds) {
    const golden& g = cases()[GetParam()];
    const std::string kind = text_of(g.value, "kind");
    if (kind == "request") {
        check_request(g.value);
    } else if (kind == "response") {
        check_response(g.value);
    } else if (kind == "stream") {
        check_stream(g.value);
    } else if (kind == "error") {
        check_error(g.value);
    } else {
        ADD_FAILURE() << "no such kind: " << kind;
    }
}

INSTANTIATE_TEST_SUITE_P(Golden, WireCase, testing::Range<std::size_t>(0, cases().size()),
                         [](const auto& test) { return cases()[test.param].name; });

} // namespace
} // namespace jsonheal_test
