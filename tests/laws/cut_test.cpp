// Law 4 on texts that stop early: what was certain is there, what was not is not, and the place has its name.
#include "corpus.hpp"
#include "cut_reading.hpp"
#include "golden.hpp"
#include "json_tape.hpp"
#include "options.hpp"
#include "strict_json.hpp"
#include "sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace jsonheal_test {
namespace {

using jsonheal::cut_place;
using jsonheal::heal_options;
using jsonheal::healing;
using jsonheal::verdict;

/// A closer inside a string may be the end of the text as well, its quote lost: two readings, both fair.
bool ends_in_a_closer(std::string_view prefix, const cut_reading& reading) {
    bool in_text =
        reading.places.front() == cut_place::in_string || reading.places.front() == cut_place::in_key;
    std::size_t last = prefix.find_last_not_of(" \t\r\n");
    return in_text && last != std::string_view::npos && (prefix[last] == '}' || prefix[last] == ']');
}

failure judge_cut(std::string_view prefix, const heal_options& options) {
    cut_reading want = read_cut(prefix);
    healing h = jsonheal::heal(prefix, options);
    auto bad = [&](std::string what) {
        return "cut: " + what + "\n  want " + show(want.json) + "\n  got  " + show(h) + "\n  under " +
               show(options);
    };
    if (want.nothing) {
        if (h.verdict == verdict::intact || h.verdict == verdict::healed) {
            return bad("nothing had begun, yet it is whole");
        }
        return std::nullopt;
    }
    if (want.whole) {
        if (h.verdict != verdict::intact) { return bad("the value was whole"); }
        return std::nullopt;
    }
    if (ends_in_a_closer(prefix, want)) { return std::nullopt; }
    if (h.verdict != verdict::truncated) { return bad("a cut value must be called truncated"); }
    auto got = read_json(h.json());
    bool right = got && same_tokens(*got, *read_json(want.json));
    if (!right && !is_utf8(prefix)) {
        // Half a character may also be read as bytes that are not UTF-8.
        std::size_t quote = want.json.find_last_of('"');
        right = got && same_tokens(*got, *read_json(want.json.insert(quote, "\xEF\xBF\xBD")));
    }
    if (!right) { return bad("other value"); }
    if (std::count(want.places.begin(), want.places.end(), h.cut) == 0) {
        return bad("the place is " + std::string(name(want.places.front())));
    }
    return std::nullopt;
}

/// Cuts valid texts at every byte.
void cut_everywhere(std::string_view text, sweep& run) {
    for (std::size_t at = 0; at <= text.size(); ++at) { run(text.substr(0, at)); }
}

sweep::law cut_law() {
    return [](std::string_view prefix) -> failure {
        for (const heal_options& o : both_presets()) {
            if (auto why = judge_cut(prefix, o)) { return why; }
        }
        return std::nullopt;
    };
}

// Shrinking would leave the beginnings of valid texts, so it is off.

TEST(cut, texts_written_by_hand) {
    sweep run(cut_law(), false);
    for (std::string_view text : valid_by_hand()) { cut_everywhere(text, run); }
}

TEST(cut, ordinary_documents) {
    sweep run(cut_law(), false);
    random_source random(61);
    for (int i = 0; i < 400; ++i) { cut_everywhere(join(random_document(random)), run); }
}

TEST(cut, laws_hold_at_every_place_of_damaged_texts) {
    sweep run([](std::string_view text) -> failure {
        for (const heal_options& o : both_presets()) {
            if (auto why = check_all(text, o, {chunks_of(1)})) { return *why + "\n  under " + show(o); }
        }
        return std::nullopt;
    });
    for (std::string_view kind : damage_kinds()) {
        random_source random(62);
        for (int i = 0; i < 2; ++i) { cut_everywhere(damaged(random, kind).substr(0, 300), run); }
    }
}

TEST(cut, a_withheld_number_is_not_there) {
    heal_options o;
    o.cut_number = jsonheal::cut_number_policy::withhold;
    for (std::string_view text : {"[1,23", "{\"a\":1,\"b\":23", "[1,-", "[1,2.", "[1,2e"}) {
        healing h = jsonheal::heal(text, o);
        EXPECT_EQ(h.verdict, verdict::truncated) << text;
        EXPECT_EQ(h.json().find('2'), std::string_view::npos) << show(h);
        EXPECT_NE(h.json().find('1'), std::string_view::npos) << show(h);
    }
}

} // namespace
} // namespace jsonheal_test
