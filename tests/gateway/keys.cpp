// Who may ask: hashes, requests a minute, requests at once, reloads.
#include "keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace jsonheal::gateway;
using namespace std::chrono_literals;
using testing::HasSubstr;

const key_ring::clock::time_point start{1000h};

key_config key(std::string name, std::optional<double> per_minute = {},
               std::optional<unsigned> concurrent = {}) {
    key_config k;
    k.sha256 = sha256_hex(name + "-secret");
    k.name = std::move(name);
    k.requests_per_minute = per_minute;
    k.concurrent = concurrent;
    return k;
}

TEST(keys, sha256) { // FIPS 180-4, and its examples
    EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(keys, without_any_all_may_ask) {
    const key_ring ring({});
    const auto d = ring.ask(std::nullopt, start);
    EXPECT_TRUE(d);
    EXPECT_EQ(d.granted.key(), nullptr);
}

TEST(keys, only_those_that_are_known) {
    const key_ring ring({key("a"), key("b")});
    const auto a = ring.ask("a-secret", start);
    ASSERT_TRUE(a);
    EXPECT_EQ(a.granted.key()->name, "a");
    EXPECT_EQ(ring.ask("b-secret", start).granted.key()->name, "b");
    for (const std::string& wrong : {std::string("a-secret "), std::string("A-secret"), std::string("a"),
                                     sha256_hex("a-secret"), std::string("a-secret\0", 9)}) {
        const auto d = ring.ask(wrong, start);
        EXPECT_EQ(d.status, 401) << wrong;
        EXPECT_EQ(d.granted.key(), nullptr);
        EXPECT_THAT(d.message, HasSubstr("not known")) << "and nothing of what was sent";
    }
    EXPECT_EQ(ring.ask(std::nullopt, start).status, 401);
    EXPECT_THAT(ring.ask("", start).message, HasSubstr("No API key"));
}

TEST(keys, requests_a_minute) {
    const key_ring ring({key("a", 60.0), key("b")});
    for (int i = 0; i < 60; ++i) { ASSERT_TRUE(ring.ask("a-secret", start)) << i; }
    const auto d = ring.ask("a-secret", start);
    EXPECT_EQ(d.status, 429);
    EXPECT_EQ(d.retry_after, 1000ms);
    EXPECT_TRUE(ring.ask("b-secret", start)) << "another key";
    EXPECT_FALSE(ring.ask("a-secret", start + 999ms));
    EXPECT_TRUE(ring.ask("a-secret", start + 1000ms)) << "after the time that was told";
    EXPECT_FALSE(ring.ask("a-secret", start + 1000ms));
    int granted = 0;
    for (int i = 0; i < 600; ++i) { granted += ring.ask("a-secret", start + 1s + i * 100ms) ? 1 : 0; }
    EXPECT_EQ(granted, 59) << "one a second, in the minute less a tenth of a second that follows";
    granted = 0;
    for (int i = 0; i < 100; ++i) { granted += ring.ask("a-secret", start + 10h) ? 1 : 0; }
    EXPECT_EQ(granted, 60) << "no more is saved up than a minute's";
}

TEST(keys, slow_rates_and_clocks_that_go_back) {
    const key_ring ring({key("a", 0.5)});
    EXPECT_TRUE(ring.ask("a-secret", start));
    const auto d = ring.ask("a-secret", start);
    EXPECT_EQ(d.retry_after, 120s);
    EXPECT_FALSE(ring.ask("a-secret", start - 1h));
    EXPECT_FALSE(ring.ask("a-secret", start + 119s));
    EXPECT_TRUE(ring.ask("a-secret", start + 120s));
}

TEST(keys, a_wait_as_long_as_told_is_enough) {
    for (const double rate : {0.3, 0.7, 1.0, 7.0, 13.0, 59.0, 61.0, 333.3, 9999.0}) {
        const key_ring ring({key("a", rate)});
        auto now = start;
        for (int i = 0; i < 30'000; ++i) {
            const auto d = ring.ask("a-secret", now);
            if (d) { continue; }
            ASSERT_GT(d.retry_after, 0ms);
            now += d.retry_after;
            ASSERT_TRUE(ring.ask("a-secret", now)) << rate << " " << i;
        }
    }
}

TEST(keys, requests_at_once) {
    const key_ring ring({key("a", 3.0, 2)});
    auto first = ring.ask("a-secret", start);
    auto second = ring.ask("a-secret", start);
    ASSERT_TRUE(first && second);
    const auto third = ring.ask("a-secret", start);
    EXPECT_EQ(third.status, 429);
    EXPECT_THAT(third.message, HasSubstr("at once"));
    EXPECT_GT(third.retry_after, 0ms);
    first = {};
    EXPECT_TRUE(ring.ask("a-secret", start)) << "a refusal took no request of the minute";
    EXPECT_THAT(ring.ask("a-secret", start).message, HasSubstr("in a minute"));
}

TEST(keys, passes_move) {
    const key_ring ring({key("a", {}, 1)});
    key_ring::pass held;
    {
        auto d = ring.ask("a-secret", start);
        held = std::move(d.granted);
    }
    EXPECT_FALSE(ring.ask("a-secret", start)) << "still held";
    EXPECT_EQ(held.key()->name, "a");
    key_ring::pass other = std::move(held);
    EXPECT_FALSE(ring.ask("a-secret", start));
    held = std::move(other);
    other = key_ring::pass();
    EXPECT_FALSE(ring.ask("a-secret", start));
    held = key_ring::pass();
    EXPECT_TRUE(ring.ask("a-secret", start));
}

TEST(keys, a_reload_forgets_nothing) {
    auto before = std::make_unique<key_ring>(std::vector{key("a", 2.0, 2), key("gone")});
    auto running = before->ask("a-secret", start);
    ASSERT_TRUE(running);
    key_config renamed = key("a", 2.0, 2);
    renamed.name = "a2";
    const key_ring after({renamed, key("new")}, before.get());
    before.reset();
    auto second = after.ask("a-secret", start);
    ASSERT_TRUE(second);
    EXPECT_EQ(second.granted.key()->name, "a2");
    EXPECT_EQ(running.granted.key()->name, "a") << "what it was granted under";
    EXPECT_THAT(after.ask("a-secret", start).message, HasSubstr("at once"));
    running = {};
    EXPECT_THAT(after.ask("a-secret", start).message, HasSubstr("in a minute"));
    EXPECT_EQ(after.ask("gone-secret", start).status, 401);
    EXPECT_TRUE(after.ask("new-secret", start));
}

TEST(keys, a_smaller_limit_holds_at_once) {
    const key_ring before({key("a", 1000.0)});
    ASSERT_TRUE(before.ask("a-secret", start));
    const key_ring after({key("a", 1.0)}, &before);
    EXPECT_TRUE(after.ask("a-secret", start));
    EXPECT_FALSE(after.ask("a-secret", start));
}

TEST(keys, many_threads) {
    const key_ring ring({key("a", 1000.0, 3), key("b", 500.0)});
    std::atomic<int> running{0}, most{0}, granted_b{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 2000; ++i) {
                if (const auto d = ring.ask("a-secret", start)) {
                    const int now = ++running;
                    int seen = most;
                    while (now > seen && !most.compare_exchange_weak(seen, now)) {}
                    --running;
                }
                if (ring.ask("b-secret", start)) { ++granted_b; }
            }
        });
    }
    for (std::thread& t : threads) { t.join(); }
    EXPECT_LE(most, 3);
    EXPECT_EQ(granted_b, 500);
}

} // namespace
