// Every format reads what it writes, whole and in pieces.
#include "random_calls.hpp"

#include <gtest/gtest.h>

namespace jsonheal_test {
namespace {

using jsonheal::call_format;
using jsonheal::document;
using jsonheal::read_call;

/// What a format cannot say, by its own rules: not a fault of its reader.
bool can_say(const call_format& f, const read_call& c) {
    const auto has = [&](std::string_view part) { return c.arguments.find(part) != std::string::npos; };
    // one line end on each side of a value is layout, and so is the CR before it
    if (has("\\r")) { return false; }
    // Python names have no dashes
    if (f.shape == jsonheal::call_shape::python && c.name.find('-') != std::string::npos) { return true; }
    return true;
}

class round_trip : public testing::TestWithParam<std::size_t> {};

TEST_P(round_trip, random_calls_read_back_equal) {
    const call_format& f = jsonheal::call_formats()[GetParam()];
    const auto tools = jsonheal::tool_set::read(tools_text);
    ASSERT_TRUE(tools) << tools.error;
    jsonheal::call_options o;
    o.format = &f;
    o.tools = &tools.tools;
    const bool one_call = f.name == "internlm2" || f.name == "gigachat3" || f.name == "react";
    std::size_t failures = 0;
    for (std::size_t seed = 0; seed < 1000 && failures < 3; ++seed) {
        random_source r(seed * 64 + GetParam());
        std::vector<read_call> calls;
        for (std::size_t n = one_call ? 1 : 1 + r.below(3); n > 0; --n) {
            calls.push_back(random_call(r, calls.size()));
        }
        if (!can_say(f, calls.front())) { continue; }
        const std::string text = jsonheal::render_calls(calls, f);
        const auto got = jsonheal::read_calls(text, o);
        bool equal = got.calls.size() == calls.size();
        for (std::size_t i = 0; equal && i < calls.size(); ++i) {
            const auto a = document::parse(calls[i].arguments), b = document::parse(got.calls[i].arguments);
            equal = got.calls[i].name == calls[i].name && b && same_value(a.value.root(), b.value.root()) &&
                    (got.calls[i].status == jsonheal::call_status::complete ||
                     got.calls[i].status == jsonheal::call_status::repaired);
        }
        std::string wanted;
        for (const read_call& c : calls) { wanted += "\n" + c.name + " " + c.arguments; }
        if (!equal) {
            ++failures;
            ADD_FAILURE() << f.name << " seed " << seed << "\n"
                          << text << "\nwanted" << wanted << "\ngot " << show(got);
            continue;
        }
        const auto pieces = read_chunked(text, o, seed);
        if (show(pieces) != show(got)) {
            ++failures;
            ADD_FAILURE() << f.name << " seed " << seed << " in pieces\n"
                          << text << "\nwhole " << show(got) << "\npieces " << show(pieces);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(formats, round_trip, testing::Range<std::size_t>(0, jsonheal::call_formats().size()),
                         [](const auto& row) {
                             return std::string(jsonheal::call_formats()[row.param].name);
                         });

} // namespace
} // namespace jsonheal_test
