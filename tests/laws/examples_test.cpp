// The examples that the headers and the table of rules give are tests.
#include "json_tape.hpp"
#include "options.hpp"
#include "sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace jsonheal_test {
namespace {

using jsonheal::heal_options;
using jsonheal::healing;

TEST(examples, heal) {
    auto h = jsonheal::heal("{'a': True,}");
    EXPECT_EQ(h.json(), R"({"a": true})");
    EXPECT_EQ(h.edits.size(), 4U) << show(h); // two quotes, the literal, the comma
}

TEST(examples, where_the_value_stood) {
    const auto taken = [](std::string_view text, const heal_options& o = {}) {
        const healing h = jsonheal::heal(text, o);
        return std::string(text.substr(h.value_begin, h.value_end - h.value_begin));
    };
    EXPECT_EQ(taken("Sure: {'a': 1} as you wish"), "{'a': 1}");
    EXPECT_EQ(taken("Sure: {'a': 1} as you wish", heal_options::live()), "{'a': 1}");
    EXPECT_EQ(taken("First {\"a\":1} but then {\"b\":2,} in the end"), "{\"b\":2,}");
    EXPECT_EQ(taken("{\"a\":1,}\n{\"b\":2}"), "{\"a\":1,}"); // the first of a list
    EXPECT_EQ(taken(" {\"a\":1}\n"), " {\"a\":1}\n");        // intact: all of it
    EXPECT_EQ(taken("no value here"), "");
}

/// Texts under options that a long run of random texts found to break a law.
TEST(examples, found_by_random_texts) {
    heal_options shallow = heal_options::live();
    shallow.limits.depth = 3;
    heal_options nothing_invented = heal_options::live();
    nothing_invented.max_risk = jsonheal::risk::likely;
    const std::pair<std::string_view, heal_options> found[] = {
        {R"("a:{a:{"a"[a)", shallow}, // a key went out without its lost colon, and was taken back
        {R"({""{"a"{"a"{+)", shallow},
        {R"({"name": "demo","status "success","enabled": true})", nothing_invented},
        {"{a\t::+<|", heal_options{}}, // the plain path opened what a look refuses
    };
    for (const auto& [text, o] : found) {
        const auto why = check_all(text, o, {chunks_of(1), chunks_of(2), chunks_of(5)});
        EXPECT_FALSE(why) << *why << "\n  input " << show(text);
    }
}

class rule_example : public testing::TestWithParam<std::size_t> {};

TEST_P(rule_example, heals_as_the_table_says) {
    const jsonheal::rule_info& row = jsonheal::rules()[GetParam()];
    heal_options o;
    healing h = jsonheal::heal(row.before, o);
    EXPECT_EQ(h.json(), row.after) << show(row.before) << "\n  got " << show(h);
    bool named =
        std::any_of(h.edits.begin(), h.edits.end(), [&](const auto& e) { return info(e.rule).id == row.id; });
    EXPECT_TRUE(named) << show(row.before) << "\n  got " << show(h);
    for (const heal_options& both : both_presets()) {
        auto why = check_all(row.before, both, {chunks_of(1), chunks_of(2), chunks_of(5)});
        EXPECT_FALSE(why) << *why << "\n  input " << show(row.before);
    }
}

INSTANTIATE_TEST_SUITE_P(all, rule_example, testing::Range(std::size_t{0}, jsonheal::healing_rules),
                         [](const auto& row) { return std::string(jsonheal::rules()[row.param].id); });

} // namespace
} // namespace jsonheal_test
