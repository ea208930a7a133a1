// Every short text over the bytes that matter, and every short row of tokens. What can go wrong in a small way goes
// wrong here.
//
// JSONHEAL_LENGTH picks the length (else all up to 5 bytes, 3 tokens); JSONHEAL_SHARD=i/n takes every n-th text from
// the i-th.
#include "options.hpp"
#include "strict_json.hpp"
#include "sweep.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <span>
#include <string>

namespace jsonheal_test {
namespace {

using jsonheal::heal_options;
using jsonheal::healing;
using std::string_view;

using vocabulary = std::span<const string_view>;

constexpr string_view bytes[] = {"{", "}", "[", "]", ":", ",", "\"", "'", "\\", "a", "1", " ", "\n"};

constexpr string_view tokens[] = {
    "{",    "}",         "[",   "]",       ":",        ",",      "\"",  "'",   "`",        "\\",
    "a",    "1",         " ",   "\n",      "-",        ".",      "0",   "e5",  "true",     "nul",
    "None", "NaN",       "u12", "\\\"",    "\"a\"",    "\"b\":", "{}",  "[1]", "/*",       "*/",
    "//",   "#",         "```", "<think>", "</think>", "<|\"|>", "<|",  "|>",  "...",      "(",
    ")",    "=",         ";",   "+",       "“",        "”",      "，",  "：",  "\xC2\xA0", "\xEF\xBB\xBF",
    "\xFF", "word and ", "\t",  "\"\"\"",  "<a>",      "r\"",    "\\n", "@",
};

string_view setting(const char* name, string_view otherwise) {
    const char* value = std::getenv(name);
    return value == nullptr ? otherwise : value;
}

std::size_t number_in(string_view text) { return std::stoul(std::string(text)); }

/// Calls `run` with every text of `length` words whose number is `first` plus a multiple of `step`.
template <class Run>
void every_text(vocabulary words, std::size_t length, std::size_t first, std::size_t step, Run run) {
    std::size_t count = 1;
    for (std::size_t i = 0; i < length; ++i) { count *= words.size(); }
    std::string text;
    for (std::size_t number = first; number < count; number += step) {
        text.clear();
        std::size_t rest = number;
        for (std::size_t i = 0; i < length; ++i) {
            text += words[rest % words.size()];
            rest /= words.size();
        }
        run(text, number);
    }
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

class exhaustive : public testing::TestWithParam<std::size_t> {
protected:
    /// `step` thins the texts out where no shard is asked for.
    void check(vocabulary words, std::size_t shortest, std::size_t longest, std::size_t step) {
        heal_options options = slow_path_variants()[GetParam()];
        string_view length = setting("JSONHEAL_LENGTH", "");
        if (!length.empty()) { shortest = longest = number_in(length); }
        string_view shard = setting("JSONHEAL_SHARD", "");
        std::size_t first = 0;
        if (!shard.empty()) {
            first = number_in(shard);
            step = number_in(shard.substr(shard.find('/') + 1));
        }
        std::size_t number = 0;
        sweep run([&](string_view text) -> failure {
            if (auto why = judge(text, options, number)) { return *why + "\n  under " + show(options); }
            return std::nullopt;
        });
        for (std::size_t n = shortest; n <= longest; ++n) {
            every_text(words, n, first, step, [&](const std::string& text, std::size_t which) {
                number = which;
                run(text);
            });
        }
    }
};

TEST_P(exhaustive, bytes) { check(bytes, 0, 5, 1); }

TEST_P(exhaustive, tokens) { check(tokens, 1, 3, 1); }

// Four tokens are eleven million texts; a prime step meets every token at every place.
TEST_P(exhaustive, four_tokens) { check(tokens, 4, 4, 41); }

std::string variant_name(const testing::TestParamInfo<std::size_t>& variant) {
    constexpr const char* names[] = {"whole", "whole_short_look", "live", "live_short_look"};
    return names[variant.param];
}

INSTANTIATE_TEST_SUITE_P(all, exhaustive, testing::Values(0U, 1U, 2U, 3U), variant_name);

} // namespace
} // namespace jsonheal_test
