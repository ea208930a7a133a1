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

} // namespace
} // namespace jsonheal_test
