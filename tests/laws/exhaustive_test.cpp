// Every short text over the bytes that matter. What can go wrong in a small way goes wrong here.
//
// JSONHEAL_LENGTH picks the length (else all up to 5); JSONHEAL_SHARD=i/n takes every n-th text from the i-th.
#include "options.hpp"
#include "strict_json.hpp"
#include "sweep.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace jsonheal_test {
namespace {

using jsonheal::heal_options;
using jsonheal::healing;

constexpr std::string_view alphabet = "{}[]:,\"'\\a1 \n";

std::string setting(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value == nullptr ? otherwise : value;
}

/// The text of a number written in base 13, one byte a digit.
void spell(std::string& text, std::size_t number) {
    for (char& c : text) {
        c = alphabet[number % alphabet.size()];
        number /= alphabet.size();
    }
}

std::size_t texts_of(std::size_t length) {
    std::size_t count = 1;
    for (std::size_t i = 0; i < length; ++i) { count *= alphabet.size(); }
    return count;
}

/// All laws on every text, but those of options that refuse on a fixed sample.
failure judge(std::string_view text, const heal_options& options, std::size_t number) {
    healing h = jsonheal::heal(text, options);
    if (auto why = check_outcome(text, options, h)) { return why; }
    if (h.verdict != jsonheal::verdict::intact && check_strict_json(text).valid) {
        return "identity: valid JSON was changed\n  got  " + show(h);
    }
    if (auto why = check_same_answer(text, h, options, chunks_of(1))) { return why; }
    if (auto why = check_idempotent(h, options)) { return why; }
    if (number % 23 == 2) {
        if (auto why = check_ceilings(text, h, options)) { return why; }
        if (auto why = check_candidates(text, h, options)) { return why; }
        if (auto why = check_log_policies(text, h, options)) { return why; }
    }
    return std::nullopt;
}

class exhaustive : public testing::TestWithParam<std::size_t> {};

TEST_P(exhaustive, short_texts) {
    heal_options options = slow_path_variants()[GetParam()];
    std::string lengths = setting("JSONHEAL_LENGTH", "");
    std::string shard = setting("JSONHEAL_SHARD", "0/1");
    std::size_t first = std::stoul(shard);
    std::size_t step = std::stoul(shard.substr(shard.find('/') + 1));
    std::size_t shortest = lengths.empty() ? 0 : std::stoul(lengths);
    std::size_t longest = lengths.empty() ? 5 : shortest;
    std::size_t number = 0;
    sweep run([&](std::string_view text) -> failure {
        if (auto why = judge(text, options, number)) { return *why + "\n  under " + show(options); }
        return std::nullopt;
    });
    for (std::size_t length = shortest; length <= longest; ++length) {
        std::string text(length, ' ');
        for (number = first; number < texts_of(length); number += step) {
            spell(text, number);
            run(text);
        }
    }
}

std::string variant_name(const testing::TestParamInfo<std::size_t>& variant) {
    constexpr const char* names[] = {"whole", "whole_short_look", "live", "live_short_look"};
    return names[variant.param];
}

INSTANTIATE_TEST_SUITE_P(all, exhaustive, testing::Values(0U, 1U, 2U, 3U), variant_name);

} // namespace
} // namespace jsonheal_test
