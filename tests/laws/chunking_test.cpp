// Laws 5 and 6: one answer however a text is cut into chunks, and nothing taken back.
#include "corpus.hpp"
#include "golden.hpp"
#include "options.hpp"
#include "strict_json.hpp"
#include "sweep.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace jsonheal_test {
namespace {

using jsonheal::heal_options;
using jsonheal::healer;
using jsonheal::healing;

sweep::law same_answer(std::vector<heal_options> variants, std::vector<chunking> chunks) {
    return [=](std::string_view text) -> failure {
        for (const heal_options& o : variants) {
            healing h = jsonheal::heal(text, o);
            for (const chunking& c : chunks) {
                if (auto why = check_same_answer(text, h, o, c)) { return *why + "\n  under " + show(o); }
                if (auto why = check_drained(text, h, o, c)) { return *why + "\n  under " + show(o); }
            }
        }
        return std::nullopt;
    };
}

std::vector<heal_options> short_and_long_looks() {
    std::vector<heal_options> out = both_presets();
    for (heal_options o : both_presets()) {
        o.limits.look_ahead = 8;
        o.limits.look_back = 8;
        out.push_back(o);
    }
    return out;
}

std::vector<chunking> usual_chunks() {
    return {chunks_of(1), chunks_of(4), chunks_of(3), random_chunks(5, 7), random_chunks(6, 64)};
}

#ifdef __SANITIZE_ADDRESS__
constexpr int share = 5; // a sanitizer makes each text twenty times as dear
#else
constexpr int share = 1;
#endif

TEST(chunking, golden_inputs) {
    sweep run(same_answer(short_and_long_looks(), usual_chunks()));
    for (const std::string& text : golden_inputs()) { run(text); }
}

TEST(chunking, golden_inputs_at_every_place) {
    sweep run([](std::string_view text) -> failure {
        for (const heal_options& o : both_presets()) {
            healing h = jsonheal::heal(text, o);
            for (std::size_t at = 0; at <= text.size(); ++at) {
                if (auto why = check_same_answer(text, h, o, split_at(at))) {
                    return *why + "\n  split at " + std::to_string(at) + " under " + show(o);
                }
            }
        }
        return std::nullopt;
    });
    for (const std::string& text : golden_inputs()) {
        if (text.size() < 2000) { run(text); }
    }
}

TEST(chunking, damage) {
    sweep run(same_answer(short_and_long_looks(), usual_chunks()));
    for (std::string_view kind : damage_kinds()) {
        random_source random(31);
        for (int i = 0; i < 60 / share; ++i) { run(damaged(random, kind)); }
    }
}

TEST(chunking, combined_damage) {
    sweep run(same_answer(short_and_long_looks(), usual_chunks()));
    random_source random(32);
    for (int i = 0; i < 3000 / share; ++i) { run(damaged(random, random.between(2, 4))); }
}

TEST(chunking, noise) {
    sweep run(same_answer(short_and_long_looks(), usual_chunks()));
    random_source random(33);
    for (int i = 0; i < 6000 / share; ++i) {
        run(token_soup(random, 20));
        run(byte_soup(random, 30));
    }
}

TEST(chunking, valid_documents) {
    sweep run(same_answer(short_and_long_looks(), usual_chunks()));
    random_source random(34);
    for (int i = 0; i < 1500 / share; ++i) { run(hostile_valid(random)); }
}

TEST(chunking, any_options) {
    heal_options o;
    std::uint64_t seed = 0;
    sweep run([&](std::string_view text) -> failure {
        healing h = jsonheal::heal(text, o);
        for (const chunking& c : {chunks_of(1), random_chunks(seed, 9)}) {
            if (auto why = check_same_answer(text, h, o, c)) { return *why + "\n  under " + show(o); }
            if (auto why = check_drained(text, h, o, c)) { return *why + "\n  under " + show(o); }
        }
        return std::nullopt;
    });
    random_source random(35);
    for (int i = 0; i < 8000 / share; ++i) {
        o = random_options(random);
        seed = random.next();
        run(any_text(random));
    }
}

TEST(chunking, long_streams) {
    // Long enough that what has settled is thrown away many times over; no look back may reach there.
    heal_options o;
    std::uint64_t seed = 0;
    sweep run(
        [&](std::string_view text) -> failure {
            healing h = jsonheal::heal(text, o);
            if (check_strict_json(text).valid && h.verdict != jsonheal::verdict::intact) {
                return "identity: " + show(h);
            }
            auto why = check_same_answer(text, h, o, random_chunks(seed, 200));
            if (!why) { why = check_drained(text, h, o, random_chunks(seed, 200)); }
            return why ? failure(*why + "\n  under " + show(o)) : std::nullopt;
        },
        false);
    random_source random(39);
    for (int i = 0; i < 24; ++i) {
        o = random_options(random);
        o.preset = jsonheal::preset::live;
        o.several = jsonheal::several_policy::automatic;
        o.limits.depth = heal_options{}.limits.depth;
        seed = random.next();
        std::string text = "[";
        while (text.size() < 400'000) {
            switch (i % 4) {
            case 0: text += join(random_document(random)); break;
            case 1: text += hostile_valid(random); break;
            case 2: text += hostile_string(random); break;
            default: text += damaged(random, 1);
            }
            text += text.size() < 400'000 ? ", " : "]";
        }
        run(text);
    }
}

TEST(settled, follows_valid_text_closely) {
    // What is held back of ordinary valid text is a blank run, a comma, a key: never a member.
    heal_options o = heal_options::live();
    random_source random(36);
    for (int i = 0; i < 300; ++i) {
        std::string text = join(random_document(random));
        streamed s = stream(text, o, chunks_of(1));
        EXPECT_LE(s.most_held, 64U) << show(text);
    }
    std::string value = "{\"a\":\"" + std::string(100'000, 'x') + "\"}";
    EXPECT_LE(stream(value, o, chunks_of(10)).most_held, 64U) << "a long string must settle as it comes";
}

TEST(settled, holds_no_more_than_the_limits_say) {
    // Of valid text nothing is dropped, so what was fed and has not settled is what is held.
    heal_options o = heal_options::live();
    o.limits.hold_back = 4000;
    std::size_t bound = o.limits.hold_back + o.limits.look_ahead + o.limits.look_back + 100;
    sweep run([&](std::string_view text) -> failure {
        if (!check_strict_json(text).valid) { return std::nullopt; }
        streamed s = stream(text, o, chunks_of(11));
        // After a refusal nothing settles any more.
        if (!s.outcome.ok() || s.most_held <= bound) { return std::nullopt; }
        return "held back " + std::to_string(s.most_held) + " bytes\n  got  " + show(s.outcome);
    });
    random_source random(37);
    for (int i = 0; i < 600; ++i) { run(hostile_valid(random)); }
    for (std::string_view part : {"k", "\\\"", ",", "}", "é", "/* c */", "'", "\\n", ": "}) {
        std::string much;
        while (much.size() < 200'000) { much += part; }
        run("{\"a\":1,\"" + much + "\":2}");
        run("{\"" + much + "\" \n :[\"" + much + "\" \n ,1]}");
        run("{\"a\":\"" + much + "\",\"b\":[\"" + much + "\"]}");
    }
    std::string blanks(200'000, ' ');
    for (std::string_view frame :
         {"@{\"a\":1}", "{@\"a\":1}", "{\"a\"@:1}", "{\"a\":@1}", "{\"a\":1@}", "[1@,2]", "[1,@2]",
          "[\"a\"@,2]", "[\"a\",@2]", "[1,2]@", "{\"a\":\"b\"@,\"c\":1}", "{\"a\":\"b\",@\"c\":1}"}) {
        std::string text(frame);
        text.replace(text.find('@'), 1, blanks);
        run(text);
    }
    run("[1" + std::string(200'000, '0') + ",1." + std::string(200'000, '3') + "]");
}

TEST(settled, is_kept_when_a_change_inside_a_value_is_refused) {
    // A key is handed out when its value begins, so a refusal inside the value leaves null there.
    const auto refusing = [](jsonheal::rule r) {
        heal_options o = heal_options::live();
        o.forbidden.add(r);
        return o;
    };
    using jsonheal::rule;
    const std::string digits(700, '1');
    const struct {
        std::string text;
        heal_options options;
        std::string json;
    } cases[] = {
        {"{\"a\": 1_000, \"b\": 1}", refusing(rule::number_separator), "{\"a\": null}"},
        {"[\"x\", 1_000]", refusing(rule::number_separator), "[\"x\", null]"},
        {"[1_000]", refusing(rule::number_separator), "[]"},
        {"{\"a\": 1e", refusing(rule::cut_literal), "{\"a\": null}"},
        {"{\"a\": 12 Main Street, \"b\": 1}", refusing(rule::number_as_text), "{\"a\": null}"},
        {"{\"a\": True, \"b\": 1}", refusing(rule::literal_style), "{\"a\": null}"},
        {"[1;2]", refusing(rule::separator_style), "[1]"},
        {"[" + digits + ".x, 2]", refusing(rule::cut_literal), "[" + digits + "]"},
    };
    for (const auto& c : cases) {
        const healing h = jsonheal::heal(c.text, c.options);
        EXPECT_EQ(h.json(), c.json) << c.text;
        for (const chunking& chunks : usual_chunks()) {
            const failure why = check_same_answer(c.text, h, c.options, chunks);
            EXPECT_FALSE(why) << why.value_or("");
        }
    }
}

TEST(healer_object, reset_makes_it_new) {
    random_source random(38);
    for (const heal_options& o : both_presets()) {
        healer used(o);
        for (int i = 0; i < 600; ++i) {
            std::string text = any_text(random);
            used.reset();
            streamed s = stream(used, text, o, random_chunks(random.next(), 20));
            auto why = compare(jsonheal::heal(text, o), s.outcome, "a healer used again");
            ASSERT_FALSE(why) << *why << "\n  input " << show(text);
        }
        used.reset();
        used.feed("{\"half\": [1, ");
        used.reset();
        used.feed("[true]");
        EXPECT_EQ(used.finish().json(), "[true]");
    }
}

TEST(healer_object, moves_with_what_it_was_fed) {
    healer a;
    a.feed("{'a': [1,");
    healer b(std::move(a));
    b.feed(" 2]");
    healer c;
    c.feed("nonsense");
    c = std::move(b);
    c.feed("}");
    EXPECT_EQ(c.finish().json(), "{\"a\": [1, 2]}");
}

TEST(healer_object, empty_chunks_change_nothing) {
    healer h;
    h.feed("");
    h.feed("{\"a\"");
    h.feed("");
    h.feed(":1}");
    h.feed({});
    healing out = h.finish();
    EXPECT_EQ(out.json(), "{\"a\":1}");
    EXPECT_EQ(out.verdict, jsonheal::verdict::intact);
}

TEST(healer_object, a_callers_mistake_throws) {
    healer h;
    h.feed("[1]");
    EXPECT_TRUE(h.finish().ok());
    EXPECT_THROW(h.feed("x"), std::logic_error);
    heal_options o = heal_options::live();
    o.several = jsonheal::several_policy::last;
    EXPECT_THROW(healer{o}, std::invalid_argument);
    o.several = jsonheal::several_policy::all;
    EXPECT_THROW(healer{o}, std::invalid_argument);
    o.several = jsonheal::several_policy::first;
    EXPECT_NO_THROW(healer{o});
}

TEST(healing_object, text_outlives_moves) {
    for (std::string_view text : {"[1]", "['a']", "{'a': True,}"}) {
        healing h = jsonheal::heal(text);
        std::string want(h.json());
        healing moved = std::move(h);
        EXPECT_EQ(moved.json(), want);
        healing assigned;
        assigned = std::move(moved);
        EXPECT_EQ(assigned.json(), want);
        EXPECT_EQ(assigned.take_json(), want);
    }
}

} // namespace
} // namespace jsonheal_test
