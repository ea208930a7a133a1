// A second judge that we did not write. simdjson refuses some valid texts (numbers out of range, lone surrogate
// escapes, deep nesting), so its yes counts always, its no only for the reasons that leave no doubt.

#include "oracle.hpp"

#include "../support/random.hpp"

#include <jsonheal/scan.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using jsonheal_test::certain;
using jsonheal_test::random_source;

constexpr std::string_view pieces[] = {"{",
                                       "}",
                                       "[",
                                       "]",
                                       ",",
                                       ":",
                                       "\"a\"",
                                       "\"key\":",
                                       "\"\\u00e9\\n\"",
                                       "1",
                                       "-0.5",
                                       "1e5",
                                       "true",
                                       "false",
                                       "null",
                                       " ",
                                       "\n  ",
                                       "\"",
                                       "\\",
                                       "0",
                                       ".",
                                       "e",
                                       "\xC3\xA9",
                                       "\x80",
                                       "\"\xF0\x9F\x98\x80\"",
                                       "\"\xE4\xBD\xA0\"",
                                       "[1]",
                                       "{}",
                                       "{\"b\":2}",
                                       "\"\"",
                                       "\t",
                                       "\"long enough for more than one word\""};

void value(random_source& random, std::string& out, unsigned depth) {
    const auto members = [&](char open, char close, bool keys) {
        out += open;
        for (std::size_t i = 0, n = random.below(4); i != n; ++i) {
            if (i != 0) { out += ','; }
            if (keys) { out += random.chance(50) ? "\"k\":" : " \"caf\xC3\xA9\" : "; }
            value(random, out, depth + 1);
        }
        out += close;
    };
    switch (depth > 6 ? 2 : random.below(4)) {
    case 0: return members('[', ']', false);
    case 1: return members('{', '}', true);
    default: {
        constexpr std::string_view scalars[] = {"0",
                                                "-1.5e-3",
                                                "12345678.125",
                                                "true",
                                                "false",
                                                "null",
                                                "\"\"",
                                                "\"\\\"\\u0041\"",
                                                "\"text of a few words\"",
                                                "\"\xE4\xBD\xA0\xE5\xA5\xBD\"",
                                                "\"\xF0\x9F\x98\x80\""};
        out += random.pick(scalars);
    }
    }
}

TEST(oracle, its_yes_is_ours_and_so_is_its_certain_no) {
    simdjson::dom::parser parser;
    random_source random(6);
    std::size_t accepted = 0;
    std::size_t refused = 0;
    for (int round = 0; round != 200'000; ++round) {
        std::string text;
        if (random.chance(50)) {
            value(random, text, 0);
            for (std::size_t n = random.below(3); n != 0; --n) {
                text.insert(random.below(text.size() + 1), random.pick(pieces));
            }
        } else {
            for (std::size_t n = random.below(8); n != 0; --n) { text += random.pick(pieces); }
        }
        const auto error = parser.parse(simdjson::padded_string(text)).error();
        for (const auto& kernel : jsonheal::scan::kernels()) {
            const bool valid = kernel.validate_json(text, 1000).valid;
            if (error == simdjson::SUCCESS) { ASSERT_TRUE(valid) << kernel.name << ": " << text; }
            if (certain(error)) { ASSERT_FALSE(valid) << kernel.name << ": " << text; }
        }
        if (error == simdjson::SUCCESS) { ++accepted; }
        if (certain(error)) { ++refused; }
    }
    EXPECT_GT(accepted, 30'000u);
    EXPECT_GT(refused, 60'000u);
}

} // namespace
