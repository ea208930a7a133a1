// The cases: replies in every format with what they say, whole and in every chunking.
#include "random_calls.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace jsonheal_test {
namespace {

using jsonheal::call_status;
using jsonheal::calls_reading;
using jsonheal::document;
using jsonheal::value_kind;
using jsonheal::value_view;

document read_file(const std::string& name) {
    std::ifstream in("tests/calls/" + name, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    auto parsed = document::parse(std::move(text));
    EXPECT_TRUE(in && parsed) << name << " cannot be read: run it in the root of the sources";
    return parsed.value;
}

std::string text_of(value_view c, std::string_view key) {
    const auto v = c.find(key);
    return v && v->is(value_kind::string) ? v->string() : std::string();
}

std::string stripped(std::string_view text) {
    constexpr std::string_view blank = " \t\r\n\f\v";
    const std::size_t from = text.find_first_not_of(blank);
    return from == std::string_view::npos
               ? std::string()
               : std::string(text.substr(from, text.find_last_not_of(blank) + 1 - from));
}

bool same_arguments(const std::string& json, value_view wanted) {
    const auto parsed = document::parse(json);
    return parsed && same_value(parsed.value.root(), wanted);
}

/// One reading of the text in chunks of `size` bytes, or random ones.
calls_reading read_in(std::string_view text, const jsonheal::call_options& o, std::size_t size,
                      std::uint64_t seed) {
    random_source r(seed);
    jsonheal::call_reader reader(o);
    calls_reading out;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t n = size != 0 ? size : 1 + r.below(24);
        gather(reader.feed(text.substr(i, n)), out);
        i += n;
    }
    gather(reader.finish(), out);
    return out;
}

/// Every chunking says what the whole text does.
void expect_same_in_chunks(const std::string& id, const std::string& text, const jsonheal::call_options& o,
                           const calls_reading& whole) {
    for (std::size_t run = 0; run < 22; ++run) {
        const calls_reading pieces = read_in(text, o, run == 0 ? 1 : run == 1 ? 4 : 0, run);
        ASSERT_EQ(show(whole), show(pieces)) << id << " run " << run << "\n" << text;
    }
}

TEST(golden_calls, replies_in_every_format) {
    const document cases = read_file("formats.json");
    for (const value_view c : cases.root().elements()) {
        const std::string id = text_of(c, "id"), text = text_of(c, "text");
        const auto tools = jsonheal::tool_set::read(*c.find("tools"));
        jsonheal::call_options o;
        o.tools = &tools.tools;
        o.format = jsonheal::find_call_format(text_of(c, "format"));
        o.open_reasoning = c.find("open_reasoning") && c.find("open_reasoning")->boolean();
        const calls_reading r = jsonheal::read_calls(text, o);
        const value_view wanted = *c.find("expected");
        EXPECT_EQ(stripped(r.content), stripped(text_of(wanted, "content"))) << id;
        EXPECT_EQ(stripped(r.reasoning), stripped(text_of(wanted, "reasoning"))) << id;
        const value_view calls = *wanted.find("tool_calls");
        ASSERT_EQ(r.calls.size(), calls.size()) << id << "\n" << text << "\n" << show(r);
        for (std::size_t i = 0; i < r.calls.size(); ++i) {
            const value_view w = calls.at(i);
            EXPECT_EQ(r.calls[i].name, text_of(w, "name")) << id;
            EXPECT_TRUE(same_arguments(r.calls[i].arguments, *w.find("arguments")))
                << id << " " << r.calls[i].arguments;
            const bool whole =
                r.calls[i].status == call_status::complete || r.calls[i].status == call_status::repaired;
            EXPECT_EQ(whole, !w.find("incomplete")) << id << " " << name(r.calls[i].status);
        }
        expect_same_in_chunks(id, text, o, r);
    }
}

/// Cases that give several right answers, of calls only.
void run_answers(const std::string& file) {
    const document cases = read_file(file);
    for (const value_view c : cases.root().elements()) {
        const std::string id = text_of(c, "id"), text = text_of(c, "text");
        std::string list = "[";
        for (const value_view t : c.find("tools")->elements()) {
            list += (list.size() > 1 ? "," : "") + std::string("{\"name\":") + std::string(t.source()) + "}";
        }
        const auto tools = jsonheal::tool_set::read(std::string_view(list + "]"));
        jsonheal::call_options o;
        o.tools = &tools.tools;
        const calls_reading r = jsonheal::read_calls(text, o);
        bool right = false;
        for (const value_view w : c.find("wanted")->elements()) {
            const value_view calls = *w.find("calls");
            bool equal = calls.size() == r.calls.size();
            for (std::size_t i = 0; equal && i < r.calls.size(); ++i) {
                equal = r.calls[i].name == text_of(calls.at(i), "name") &&
                        same_arguments(r.calls[i].arguments, *calls.at(i).find("arguments"));
            }
            if (w.find("truncated")) {
                bool cut = false;
                for (const auto& one : r.calls) { cut = cut || one.status == call_status::incomplete; }
                equal = equal && cut;
            }
            right = right || equal;
        }
        EXPECT_TRUE(right) << id << "\n" << text << "\n" << show(r);
        expect_same_in_chunks(id, text, o, r);
    }
}

TEST(golden_calls, calls_of_chatcli) { run_answers("chatcli.json"); }
TEST(golden_calls, weaknesses_of_chatcli) { run_answers("weaknesses.json"); }

} // namespace
} // namespace jsonheal_test
