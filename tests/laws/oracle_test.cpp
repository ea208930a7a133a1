// A second judge that we did not write: what simdjson reads as JSON is JSON, and must come back intact.
//
// It refuses some valid texts (numbers out of range, deep nesting), so only its yes counts.
#include "corpus.hpp"
#include "options.hpp"
#include "strict_json.hpp"
#include "sweep.hpp"

#include <gtest/gtest.h>
#include <simdjson.h>

namespace jsonheal_test {
namespace {

using jsonheal::heal_options;
using jsonheal::healing;

/// True if simdjson accepts the text as it is. It skips a byte order mark, which RFC 8259 does not allow us.
bool oracle_accepts(simdjson::dom::parser& parser, std::string_view text) {
    if (text.substr(0, 3) == "\xEF\xBB\xBF") { return false; }
    return parser.parse(simdjson::padded_string(text)).error() == simdjson::SUCCESS;
}

TEST(oracle, its_yes_is_ours) {
    simdjson::dom::parser parser;
    std::size_t accepted = 0;
    sweep run([&](std::string_view text) -> failure {
        bool oracle = oracle_accepts(parser, text);
        bool strict = check_strict_json(text).valid;
        if (oracle && !strict) { return "the strict checker refuses what simdjson accepts"; }
        accepted += oracle ? 1 : 0;
        for (heal_options o : both_presets()) {
            for (bool fast : {true, false}) {
                o.fast_path = fast;
                healing h = jsonheal::heal(text, o);
                bool intact = h.verdict == jsonheal::verdict::intact;
                if (oracle && !intact) {
                    return "simdjson accepts it\n  got  " + show(h) + "\n  under " + show(o);
                }
                if (intact && !strict) {
                    return "intact, but not valid\n  got  " + show(h) + "\n  under " + show(o);
                }
            }
        }
        return std::nullopt;
    });
    random_source random(51);
    for (int i = 0; i < 6000; ++i) {
        run(any_text(random));
        run(mutated(random, hostile_valid(random)));
    }
    EXPECT_GT(accepted, 1500U);
}

TEST(oracle, reads_every_healed_text) {
    simdjson::dom::parser parser;
    std::size_t read = 0;
    std::size_t refused = 0;
    random_source random(52);
    for (int i = 0; i < 6000; ++i) {
        std::string text = damaged(random, 1);
        healing h = jsonheal::heal(text);
        if (!h.ok()) { continue; }
        auto error = parser.parse(simdjson::padded_string(h.json())).error();
        // It does not read lone surrogates, which RFC 8259 allows.
        bool surrogate = h.json().find("\\ud") != std::string_view::npos ||
                         h.json().find("\\uD") != std::string_view::npos;
        bool known = (surrogate && error == simdjson::STRING_ERROR) || error == simdjson::NUMBER_ERROR ||
                     error == simdjson::CAPACITY || error == simdjson::DEPTH_ERROR;
        EXPECT_TRUE(error == simdjson::SUCCESS || known) << simdjson::error_message(error) << show(h);
        (error == simdjson::SUCCESS ? read : refused) += 1;
    }
    EXPECT_GT(read, 20 * refused);
}

} // namespace
} // namespace jsonheal_test
