// Limits, and inputs that are no text.
#include "corpus.hpp"
#include "options.hpp"
#include "strict_json.hpp"
#include "sweep.hpp"

#include <gtest/gtest.h>

namespace jsonheal_test {
namespace {

using jsonheal::heal_options;
using jsonheal::healing;
using jsonheal::verdict;
using std::string_view;

/// One text under both presets, in one shot and byte by byte; the outcomes agree. Returns that of each preset.
std::vector<healing> outcomes(string_view text, const std::function<void(heal_options&)>& change = {}) {
    std::vector<healing> out;
    for (heal_options o : both_presets()) {
        if (change) { change(o); }
        auto why = check_all(text, o, {chunks_of(1), chunks_of(3)});
        EXPECT_FALSE(why) << *why << "\n  input " << show(text) << "\n  under " << show(o);
        out.push_back(jsonheal::heal(text, o));
    }
    return out;
}

void expect_refused(const std::vector<healing>& all, string_view word) {
    for (const healing& h : all) {
        EXPECT_EQ(h.verdict, verdict::refused) << show(h);
        EXPECT_NE(h.why.message.find(word), string_view::npos) << "the refusal names the limit: " << show(h);
        EXPECT_FALSE(h.why.by_rule) << show(h);
    }
}

void expect_intact(const std::vector<healing>& all) {
    for (const healing& h : all) { EXPECT_EQ(h.verdict, verdict::intact) << show(h); }
}

TEST(limits, depth) {
    auto depth_3 = [](heal_options& o) { o.limits.depth = 3; };
    expect_intact(outcomes("[[[]]]", depth_3));
    expect_intact(outcomes("{\"a\":[{}]}", depth_3));
    expect_intact(outcomes("[[],[[]],[[1]]]", depth_3));
    expect_refused(outcomes("[[[[]]]]", depth_3), "deep");
    expect_refused(outcomes("[[[{", depth_3), "deep");
    expect_refused(outcomes("{'a':[[[1]]]}", depth_3), "deep");
}

TEST(limits, depth_without_the_fast_path) {
    for (string_view text : {"[[[]]]", "[[[[]]]]"}) {
        for (bool fast : {true, false}) {
            heal_options o;
            o.limits.depth = 3;
            o.fast_path = fast;
            EXPECT_EQ(jsonheal::heal(text, o).ok(), text.size() == 6) << text << fast;
        }
    }
}

TEST(limits, bytes) {
    auto bytes_8 = [](heal_options& o) { o.limits.bytes = 8; };
    expect_intact(outcomes("[1,2,34]", bytes_8));
    expect_refused(outcomes("[1,2,345]", bytes_8), "bytes");
    expect_refused(outcomes("[1,2,3]  ", bytes_8), "bytes");
    expect_refused(outcomes("{'a':'b', 'c':'d'}", bytes_8), "bytes");
}

TEST(limits, edits) {
    auto edits_4 = [](heal_options& o) { o.limits.edits = 4; };
    expect_intact(outcomes("{\"a\":1,\"b\":2,\"c\":3}", edits_4));
    expect_refused(outcomes("{'a':'b','c':'d'}", edits_4), "edits");
    for (const healing& h : outcomes("{'a':'b'}", edits_4)) { EXPECT_TRUE(h.ok()) << show(h); }
}

TEST(limits, hold_back_refuses_or_changes_nothing) {
    // A hold too long may refuse a valid text, by name; it may never change one.
    random_source random(71);
    for (int i = 0; i < 400; ++i) {
        std::string text = hostile_valid(random);
        for (std::uint32_t hold : {1U, 4U, 16U, 64U}) {
            for (heal_options o : slow_path_variants()) {
                o.limits.hold_back = hold;
                healing h = jsonheal::heal(text, o);
                EXPECT_TRUE(h.verdict == verdict::intact || h.verdict == verdict::refused)
                    << show(text) << show(h);
            }
        }
    }
}

TEST(limits, tiny_holds_keep_the_laws) {
    heal_options o;
    sweep run([&](string_view text) -> failure {
        if (auto why = check_all(text, o, {chunks_of(1), random_chunks(3, 9)})) {
            return *why + "\n  under " + show(o);
        }
        return std::nullopt;
    });
    random_source random(72);
    for (int i = 0; i < 3000; ++i) {
        o = random_options(random);
        o.limits.hold_back = static_cast<std::uint32_t>(random.between(1, 40));
        run(any_text(random));
    }
}

TEST(limits, tiny_looks_keep_the_laws) {
    std::uint32_t look = 0;
    sweep run([&](string_view text) -> failure {
        for (heal_options o : both_presets()) {
            o.limits.look_ahead = look % 4;
            o.limits.look_back = look % 3;
            if (auto why = check_all(text, o, {chunks_of(1)})) { return *why + "\n  under " + show(o); }
        }
        return std::nullopt;
    });
    random_source random(73);
    for (look = 0; look < 3000; ++look) { run(any_text(random)); }
}

TEST(limits, zero_of_everything) {
    for (string_view text : {"", "1", "[]", "{'a':[1,]}", "prose", "[[", "\"a"}) {
        for (heal_options o : both_presets()) {
            o.limits = {0, 0, 0, 0, 0, 0};
            healing h = jsonheal::heal(text, o);
            EXPECT_TRUE(h.verdict == verdict::refused || h.json() == text) << show(h);
        }
    }
}

// ---- no JSON, no text

TEST(odd_input, nothing_is_refused) {
    for (string_view text : {"", " ", "\n\n\t ", "\r\n", "\xEF\xBB\xBF", "\xC2\xA0", "//", "/* a */",
                             "```json\n```", "hello there"}) {
        for (const healing& h : outcomes(text)) {
            EXPECT_EQ(h.verdict, verdict::refused) << show(text) << show(h);
            EXPECT_TRUE(h.json().empty()) << show(h);
        }
    }
}

TEST(odd_input, byte_order_mark_is_dropped) {
    for (const healing& h : outcomes("\xEF\xBB\xBF{\"a\":1}")) {
        EXPECT_EQ(h.json(), "{\"a\":1}");
        EXPECT_EQ(h.risk, jsonheal::risk::exact);
    }
}

TEST(odd_input, utf16_is_refused) {
    for (bool mark : {true, false}) {
        for (bool little : {true, false}) {
            std::string text;
            auto put = [&](unsigned char high, unsigned char low) {
                text.push_back(static_cast<char>(little ? low : high));
                text.push_back(static_cast<char>(little ? high : low));
            };
            if (mark) { put(0xFE, 0xFF); }
            for (char c : string_view("{\"key\": [1, 2, \"text\"]}")) {
                put(0, static_cast<unsigned char>(c));
            }
            for (const healing& h : outcomes(text)) {
                EXPECT_EQ(h.verdict, verdict::refused) << mark << little << show(h);
            }
        }
    }
}

TEST(odd_input, bytes_that_are_not_utf8_are_replaced) {
    for (string_view bad : {"\xFF", "\xC3", "\xC0\xAF", "\xE2\x82", "\xED\xA0\x80", "\xF0\x9F\x98",
                            "\xF4\x90\x80\x80", "\x80\x80"}) {
        for (string_view frame :
             {"[\"a@b\"]", "{\"@\":1}", "[\"@", "{'k@':'@'}", "[1,@2]", "@[1]", "[1]@", "{\"a\":@}"}) {
            std::string text(frame);
            for (std::size_t at; (at = text.find('@')) != std::string::npos;) { text.replace(at, 1, bad); }
            for (const healing& h : outcomes(text)) { EXPECT_TRUE(is_utf8(h.json())) << show(h); }
        }
        std::string text = "[\"a" + std::string(bad) + "b\"]";
        for (const healing& h : outcomes(text)) {
            EXPECT_EQ(h.verdict, verdict::healed) << show(h);
            EXPECT_EQ(h.risk, jsonheal::risk::lossy) << show(h);
            EXPECT_NE(h.json().find("\xEF\xBF\xBD"), string_view::npos) << show(h);
        }
    }
}

TEST(odd_input, lone_surrogate_escapes_are_valid) {
    expect_intact(outcomes("[\"\\ud800\",\"\\uDFFF\\ud800\",\"\\ud83dx\"]"));
}

TEST(odd_input, nul_and_control_bytes) {
    for (int c = 0; c < 0x20; ++c) {
        std::string byte(1, static_cast<char>(c));
        for (string_view frame : {"[\"a@b\"]", "{\"a@\":1}", "[1,@2]", "@[1]", "[1]@", "{@\"a\"@:@1@}",
                                  "['@']", "[\"\\@\"]", "[a@b]"}) {
            std::string text(frame);
            for (std::size_t at; (at = text.find('@')) != std::string::npos;) { text.replace(at, 1, byte); }
            outcomes(text);
        }
        for (const healing& h : outcomes("[\"a" + byte + "b\"]")) {
            EXPECT_EQ(h.verdict, verdict::healed) << show(h);
            EXPECT_EQ(h.risk, jsonheal::risk::exact) << show(h);
        }
    }
}

TEST(odd_input, every_single_byte_and_pair) {
    for (int a = 0; a < 256; ++a) {
        outcomes(std::string(1, static_cast<char>(a)));
        for (int b = 0; b < 256; b += 5) {
            outcomes(std::string{static_cast<char>(a), static_cast<char>(b)});
        }
    }
}

} // namespace
} // namespace jsonheal_test
