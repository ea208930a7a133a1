// Law 1: valid JSON comes back byte for byte. Mostly with the fast path off: the engine must be an identity by itself.
#include "corpus.hpp"
#include "options.hpp"
#include "strict_json.hpp"
#include "sweep.hpp"

#include <gtest/gtest.h>

namespace jsonheal_test {
namespace {

using jsonheal::heal_options;

/// Judges valid texts only, so that shrinking stays among them.
sweep::law identity_under(std::vector<heal_options> variants) {
    return [variants = std::move(variants)](std::string_view text) -> failure {
        if (!check_strict_json(text).valid) { return std::nullopt; }
        for (const heal_options& o : variants) {
            if (auto why = check_identity(text, o)) { return show(o) + ": " + *why; }
        }
        return std::nullopt;
    };
}

TEST(identity, texts_written_by_hand) {
    sweep run(identity_under(slow_path_variants()));
    for (std::string_view text : valid_by_hand()) { run(text); }
}

TEST(identity, hostile_pairs) {
    sweep run(identity_under(slow_path_variants()));
    for (std::size_t i = 0; i < hostile_pair_count(); i += 3) { run(hostile_pair(i)); }
}

TEST(identity, hostile_documents) {
    sweep run(identity_under(slow_path_variants()));
    random_source random(11);
    for (int i = 0; i < 4000; ++i) { run(hostile_valid(random)); }
}

TEST(identity, hostile_documents_under_any_options) {
    heal_options o;
    sweep run([&](std::string_view text) -> failure {
        strict_result r = check_strict_json(text);
        if (!r.valid || r.depth > o.limits.depth) { return std::nullopt; }
        if (auto why = check_identity(text, o)) { return show(o) + ": " + *why; }
        return std::nullopt;
    });
    random_source random(12);
    for (int i = 0; i < 6000; ++i) {
        o = random_options(random);
        run(hostile_valid(random));
    }
}

TEST(identity, ordinary_documents) {
    sweep run(identity_under(slow_path_variants()));
    random_source random(13);
    for (int i = 0; i < 3000; ++i) { run(join(random_document(random))); }
}

TEST(identity, every_length_and_place) {
    // Kernels work on blocks: what matters must be seen at every place of every block.
    sweep run(identity_under(both_presets()));
    for (std::size_t length = 0; length <= 140; ++length) {
        std::string a(length, 'a');
        run("\"" + a + "\"");
        run("{\"" + a + "\":\"" + a + "\"}");
        run("[" + std::string(length, ' ') + "1" + std::string(length, '\n') + "]");
        run(std::string(length, '\t') + "{}" + std::string(length, ' '));
        run("1" + std::string(length, '0'));
        run("[\"" + a + "\\\"\\\\" + a + "\"]");
        run("\"" + a + "é日\xF0\x9F\x98\x80" + a + "\"");
        run("{\"k\":[" + std::string(length, '[') + std::string(length, ']') + "]}");
    }
}

TEST(identity, keys_longer_than_any_look) {
    sweep run(identity_under(slow_path_variants()));
    for (std::string_view part : hostile_fragments()) {
        std::string name;
        while (name.size() < 1200) { name.append(part); }
        run("{\"a\":\"b\",\"" + name + "\":1}");
        run("{\"a\":\"" + name + "\" , \"" + name + "\" : [\"" + name + "\"]}");
        run("[\"" + name + "\",\"" + name + "\"]");
    }
    for (std::size_t length = 500; length < 530; ++length) {
        std::string name(length, 'k');
        run("{\"a\":\"b\",\"" + name + "\":1}");
        run("{\"a\":\"b\"," + std::string(length, ' ') + "\"c\":1}");
        run("[\"b\"" + std::string(length, ' ') + ",\"c\"" + std::string(length, '\n') + "]");
        run("[" + std::string(length, '9') + ",true" + std::string(length, '\t') + "]");
    }
}

TEST(identity, deep_nesting) {
    sweep run(identity_under(both_presets()), false);
    for (std::size_t depth : {1000U, 100'000U, 1'000'000U}) {
        run(std::string(depth, '[') + std::string(depth, ']'));
        std::string objects;
        for (std::size_t i = 0; i < depth; ++i) { objects += "{\"\":"; }
        run(objects + "1" + std::string(depth, '}'));
    }
}

TEST(identity, long_runs_within_the_hold) {
    sweep run(identity_under(both_presets()), false);
    std::string blanks(60'000, ' ');
    run("[1," + blanks + "2]");
    run("{\"a\"" + blanks + ":" + blanks + "1" + blanks + "}");
    run(blanks + "[]" + blanks);
    run("[" + std::string(60'000, '7') + "]");
    run("{\"" + std::string(300'000, 'k') + "\":\"" + std::string(300'000, 'v') + "\"}");
    std::string escapes;
    while (escapes.size() < 200'000) { escapes += "\\\\\\\""; }
    run("[\"" + escapes + "\"]");
}

TEST(identity, the_forbidden_and_the_ceiling_do_not_matter) {
    heal_options strict;
    strict.max_risk = jsonheal::risk::exact;
    for (std::size_t i = 0; i < jsonheal::rules().size(); ++i) {
        strict.forbidden.add(static_cast<jsonheal::rule>(i));
    }
    sweep run(identity_under({strict}));
    random_source random(14);
    for (int i = 0; i < 500; ++i) { run(hostile_valid(random)); }
}

} // namespace
} // namespace jsonheal_test
