// Runs the cases: one test a file, which lists every case that is not met.
#include "cases.hpp"

#include <gtest/gtest.h>

#include <set>

namespace jsonheal_test {
namespace {

using jsonheal::arguments;
using jsonheal::document;
using jsonheal::value_kind;
using jsonheal::value_view;

bool is_value(const arguments& a, value_view wanted) {
    const auto got = document::parse(std::string(a.json()));
    return got && same_value(got.value.root(), wanted);
}

/// Is the answer one of those that the case allows? Nothing if it does not say.
std::optional<bool> is_right(const args_case& c, const arguments& a) {
    bool judged = false;
    bool right = false;
    const auto allow = [&](bool is) {
        judged = true;
        right = right || is;
    };
    if (const auto v = c.data.find("value")) { allow(a.ok() && !a.several() && is_value(a, *v)); }
    if (const auto v = c.data.find("json")) { allow(a.ok() && !a.several() && v->string_is(a.json())); }
    if (const auto v = c.data.find("values")) {
        allow(a.ok() && a.several() && a.objects().size() == v->size() && is_value(a, *v));
    }
    if (const auto all = c.data.find("also_ok")) {
        for (const value_view v : all->elements()) { allow(a.ok() && is_value(a, v)); }
    }
    if (flag_of(c.data, "refused")) { allow(!a.ok() && !a.passthrough && a.json().empty()); }
    if (flag_of(c.data, "passthrough")) {
        const auto text = c.data.find("text");
        allow(!a.ok() && a.passthrough && (!text || text->string_is(a.text())));
    }
    return judged ? std::optional(right) : std::nullopt;
}

std::string steps(const arguments& a) {
    std::string all = "[";
    for (const auto s : a.how.list()) {
        all.append(all.size() > 1 ? "," : "").append("\"").append(name(s)).append("\"");
    }
    return all + "]";
}

/// What an answer has wrong; empty if the case is met.
std::string judge(const args_case& c, const arguments& a) {
    std::string why;
    if (is_right(c, a) == false) { why += " answer"; }
    const auto compare = [&](std::string_view key, std::string_view got) {
        if (const auto v = c.data.find(key); v && !v->string_is(got)) { why.append(" ").append(key); }
    };
    compare("verdict", name(a.verdict));
    compare("cut", name(a.cut));
    compare("risk", name(a.risk));
    if (const auto how = c.data.find("how")) {
        const auto got = document::parse(steps(a));
        if (!same_value(got.value.root(), *how)) { why += " how"; }
    }
    if (a.ok() && jsonheal::replay(c.input, a.edits) != std::string(a.json())) { why += " proof"; }
    if (!why.empty()) {
        why = "  " + c.id + ":" + why + "\n    got " + std::string(name(a.verdict)) + " " +
              std::string(name(a.risk)) + " " + steps(a) +
              (a.passthrough ? " passthrough " + std::string(a.text()) : " " + std::string(a.json())) +
              "\n    case " + std::string(c.data.source()) + "\n";
    }
    return why;
}

class golden : public testing::TestWithParam<const char*> {};

TEST_P(golden, cases_are_met) {
    const document file = read_cases(GetParam());
    std::set<std::string> ids;
    std::string report;
    for (const args_case& c : cases_of(file)) {
        EXPECT_TRUE(ids.insert(c.id).second) << c.id;
        report += judge(c, c.run());
    }
    EXPECT_GT(ids.size(), 50U);
    EXPECT_TRUE(report.empty()) << report;
}

INSTANTIATE_TEST_SUITE_P(files, golden,
                         testing::Values("documented.json", "weaknesses.json", "arguments.json"),
                         [](const auto& row) {
                             return std::string(row.param).substr(0, std::string(row.param).find('.'));
                         });

// The rows of the table of rules that only args makes.
TEST(rules, examples_are_arguments_of_run_command) {
    std::size_t count = 0;
    for (const jsonheal::rule_info& row : jsonheal::rules()) {
        if (!row.id.starts_with("arguments_")) { continue; }
        ++count;
        jsonheal::args_options o;
        o.aliases = row.id == "arguments_renamed";
        const arguments a = jsonheal::normalize_args("run_command", row.before, o);
        EXPECT_EQ(a.json(), row.after) << row.id;
        bool named = false;
        for (const jsonheal::edit& e : a.edits) { named = named || info(e.rule).id == row.id; }
        EXPECT_TRUE(named) << row.id;
    }
    EXPECT_EQ(count, 8U);
}

} // namespace
} // namespace jsonheal_test
