// Laws 2, 3, 4, 7 and 8 on single outcomes: golden inputs, every kind of damage, combinations, noise.
#include "corpus.hpp"
#include "golden.hpp"
#include "options.hpp"
#include "sweep.hpp"

#include <gtest/gtest.h>

namespace jsonheal_test {
namespace {

using jsonheal::heal_options;
using jsonheal::healing;

/// All that can be said of one outcome and of healing it again.
sweep::law outcome_under(std::vector<heal_options> variants) {
    return [variants = std::move(variants)](std::string_view text) -> failure {
        for (const heal_options& o : variants) {
            healing h = jsonheal::heal(text, o);
            auto why = check_outcome(text, o, h);
            if (!why) { why = check_idempotent(h, o); }
            if (why) { return *why + "\n  under " + show(o); }
        }
        return std::nullopt;
    };
}

sweep::law refusals_under(std::vector<heal_options> variants) {
    return [variants = std::move(variants)](std::string_view text) -> failure {
        for (const heal_options& o : variants) {
            healing h = jsonheal::heal(text, o);
            auto why = check_ceilings(text, h, o);
            if (!why) { why = check_log_policies(text, h, o); }
            if (why) { return *why + "\n  under " + show(o); }
        }
        return std::nullopt;
    };
}

class damage_kind : public testing::TestWithParam<std::string_view> {};

TEST_P(damage_kind, outcome) {
    sweep run(outcome_under(slow_path_variants()));
    random_source random(21);
    for (int i = 0; i < 150; ++i) { run(damaged(random, GetParam())); }
}

TEST_P(damage_kind, ceilings_and_logs) {
    sweep run(refusals_under(both_presets()));
    random_source random(22);
    for (int i = 0; i < 40; ++i) { run(damaged(random, GetParam())); }
}

INSTANTIATE_TEST_SUITE_P(all, damage_kind, testing::ValuesIn(damage_kinds().begin(), damage_kinds().end()),
                         [](const auto& row) { return std::string(row.param); });

TEST(proof, golden_inputs) {
    sweep run(outcome_under(slow_path_variants()));
    for (const std::string& text : golden_inputs()) { run(text); }
}

TEST(proof, golden_inputs_ceilings_and_logs) {
    sweep run(refusals_under(both_presets()));
    for (const std::string& text : golden_inputs()) { run(text); }
}

TEST(proof, combined_damage) {
    sweep run(outcome_under(slow_path_variants()));
    random_source random(23);
    for (int i = 0; i < 6000; ++i) { run(damaged(random, random.between(2, 5))); }
}

TEST(proof, noise) {
    sweep run(outcome_under(slow_path_variants()));
    random_source random(24);
    for (int i = 0; i < 6000; ++i) {
        run(token_soup(random, 20));
        run(byte_soup(random, 40));
    }
}

TEST(proof, mutations) {
    sweep run(outcome_under(slow_path_variants()));
    random_source random(25);
    for (int i = 0; i < 6000; ++i) { run(mutated(random, hostile_valid(random))); }
}

TEST(proof, noise_ceilings_and_logs) {
    sweep run(refusals_under(both_presets()));
    random_source random(26);
    for (int i = 0; i < 4000; ++i) { run(any_text(random)); }
}

TEST(proof, any_options) {
    heal_options o;
    sweep run([&](std::string_view text) -> failure {
        healing h = jsonheal::heal(text, o);
        auto why = check_outcome(text, o, h);
        if (!why) { why = check_idempotent(h, o); }
        if (!why) { why = check_ceilings(text, h, o); }
        if (why) { return *why + "\n  under " + show(o); }
        return std::nullopt;
    });
    random_source random(27);
    for (int i = 0; i < 8000; ++i) {
        o = random_options(random);
        run(any_text(random));
    }
}

TEST(bounds, runs_of_one_character_again_and_again) {
    // A look that starts anew at every character of a run shows only where the runs come back: one alone is short.
    constexpr std::string_view starts[] = {"a", " a", "\"a", "\"k\":a", "\"k\":\"a", "'a", "<", "\"a\"", "1"};
    constexpr std::string_view runs[] = {"{",    "[",   "}",    "]",      "(", ")",  "/",  "<",   "\"", "'",
                                         "\\",   ".",   " ",    "\n",     "-", ",",  ":",  "1",   "k",  "“",
                                         "\xFF", "\\n", "\\\"", "\\frac", "`", "//", "/*", "\"\""};
    constexpr std::string_view ends[] = {",", "\n,", "],[", "\",\"", "}", "\n\"k\":1,", "\n\n{\"a\":", " b"};
    sweep run([](std::string_view text) -> failure {
        for (const heal_options& o : both_presets()) {
            if (auto why = check_bounds(text, jsonheal::heal(text, o))) {
                return *why + "\n  under " + show(o);
            }
        }
        return std::nullopt;
    });
    for (std::string_view start : starts) {
        for (std::string_view part : runs) {
            for (std::string_view end : ends) {
                for (std::size_t times : {30U, 420U}) {
                    std::string one(start);
                    for (std::size_t i = 0; i < times; ++i) { one += part; }
                    one += end;
                    std::string text = "[a, ";
                    while (text.size() < 8000) { text += one; }
                    run(text);
                }
            }
        }
    }
}

} // namespace
} // namespace jsonheal_test
