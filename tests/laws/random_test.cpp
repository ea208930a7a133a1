// All laws at once on random texts under random options.
//
// JSONHEAL_SEED starts another sequence, JSONHEAL_COUNT sets its length: the soak test uses both.
#include "corpus.hpp"
#include "options.hpp"
#include "sweep.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace jsonheal_test {
namespace {

using jsonheal::heal_options;

std::size_t setting(const char* name, std::size_t otherwise) {
    const char* value = std::getenv(name);
    return value == nullptr ? otherwise : std::stoul(value);
}

TEST(random_texts, keep_all_laws) {
    std::size_t seed = setting("JSONHEAL_SEED", 41);
    std::size_t count = setting("JSONHEAL_COUNT", 25'000);
    heal_options o;
    std::uint64_t chunk_seed = 0;
    sweep run([&](std::string_view text) -> failure {
        std::vector<chunking> chunks = {chunks_of(1), random_chunks(chunk_seed, 5),
                                        random_chunks(chunk_seed, 40)};
        if (auto why = check_all(text, o, chunks)) { return *why + "\n  under " + show(o); }
        return std::nullopt;
    });
    random_source random(seed);
    for (std::size_t i = 0; i < count; ++i) {
        o = random_options(random);
        chunk_seed = random.next();
        run(any_text(random));
    }
}

TEST(random_texts, keep_all_laws_by_default) {
    std::size_t seed = setting("JSONHEAL_SEED", 43);
    std::size_t count = setting("JSONHEAL_COUNT", 25'000) / 2;
    sweep run([&](std::string_view text) -> failure {
        for (const heal_options& o : both_presets()) {
            if (auto why = check_all(text, o, {chunks_of(1), chunks_of(4)})) {
                return *why + "\n  under " + show(o);
            }
        }
        return std::nullopt;
    });
    random_source random(seed);
    for (std::size_t i = 0; i < count; ++i) { run(any_text(random)); }
}

TEST(random_texts, large_ones_keep_the_cheap_laws) {
    random_source random(setting("JSONHEAL_SEED", 47));
    for (int i = 0; i < 12; ++i) {
        std::string text;
        while (text.size() < 200'000) { text += any_text(random) + (i % 2 == 0 ? "" : ",\n"); }
        for (const heal_options& o : both_presets()) {
            auto why = check_all(text, o, {random_chunks(9, 1000)});
            EXPECT_FALSE(why) << why->substr(0, 1500) << "\n  under " << show(o);
        }
    }
}

} // namespace
} // namespace jsonheal_test
