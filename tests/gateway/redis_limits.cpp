// Limits that several gateways share: against a real redis-server, where there is one.
#include "redis_limits.hpp"

#include "keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <netinet/in.h>
#include <spawn.h>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace {

using namespace jsonheal::gateway;
using namespace std::chrono_literals;
using testing::HasSubstr;
using verdict = shared_limits::verdict;

/// Waits until it holds, for at most some seconds.
template <class Condition>
bool soon(Condition c) {
    for (int i = 0; i < 800; ++i) {
        if (c()) { return true; }
        std::this_thread::sleep_for(10ms);
    }
    return false;
}

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in a{};
    a.sin_family = AF_INET;
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    a.sin_port = htons(port);
    return a;
}

bool listens(std::uint16_t port) {
    const sockaddr_in a = loopback(port);
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    const bool good = connect(s, reinterpret_cast<const sockaddr*>(&a), sizeof a) == 0;
    close(s);
    return good;
}

std::uint16_t free_port() {
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in a = loopback(0);
    socklen_t size = sizeof a;
    const bool good = bind(s, reinterpret_cast<sockaddr*>(&a), sizeof a) == 0 &&
                      getsockname(s, reinterpret_cast<sockaddr*>(&a), &size) == 0;
    close(s);
    return good ? ntohs(a.sin_port) : 0;
}

/// A server of this test's own.
class redis_server {
public:
    explicit redis_server(std::uint16_t port, std::vector<std::string> more = {}) {
        std::vector<std::string> words{"redis-server",
                                       "--port",
                                       std::to_string(port),
                                       "--bind",
                                       "127.0.0.1",
                                       "--save",
                                       "",
                                       "--appendonly",
                                       "no",
                                       "--dir",
                                       testing::TempDir(),
                                       "--loglevel",
                                       "warning"};
        words.insert(words.end(), more.begin(), more.end());
        std::vector<char*> argv;
        for (std::string& w : words) { argv.push_back(w.data()); }
        argv.push_back(nullptr);
        posix_spawn_file_actions_t quiet;
        posix_spawn_file_actions_init(&quiet);
        posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
        if (posix_spawnp(&pid_, argv[0], &quiet, nullptr, argv.data(), environ) != 0) { pid_ = 0; }
        posix_spawn_file_actions_destroy(&quiet);
        EXPECT_TRUE(soon([&] { return listens(port); }));
    }
    redis_server(const redis_server&) = delete;
    redis_server& operator=(const redis_server&) = delete;
    ~redis_server() { stop(); }
    void stop() {
        if (pid_ == 0) { return; }
        signal(SIGKILL);
        waitpid(pid_, nullptr, 0);
        pid_ = 0;
    }
    void signal(int number) const { kill(pid_, number); }

private:
    pid_t pid_ = 0;
};

bool have_redis() { return std::system("command -v redis-server > /dev/null") == 0; }

#define JSONHEAL_NEEDS_REDIS()                                                                               \
    if (!have_redis()) { GTEST_SKIP() << "there is no redis-server on this machine"; }

/// What was told of Redis.
struct told {
    std::mutex mutex;
    std::vector<std::string> words;
    redis_limits::teller teller() {
        return [this](bool away, std::string_view why) {
            const std::lock_guard lock(mutex);
            words.push_back(away ? "away: " + std::string(why) : "back");
        };
    }
    std::size_t size() {
        const std::lock_guard lock(mutex);
        return words.size();
    }
};

struct fixture {
    std::uint16_t port = free_port();
    redis_server server{port};
    told said;
    redis_config config() const {
        redis_config c;
        c.port = port;
        c.timeout = 2s; // this machine may be busy
        return c;
    }
    /// A gateway's limits, once Redis answers.
    std::unique_ptr<redis_limits> gateway(std::chrono::milliseconds lease = 30s) {
        auto l = std::make_unique<redis_limits>(config(), said.teller(), lease);
        EXPECT_TRUE(soon([&] { return l->here(); }));
        return l;
    }
};

shared_limits::answer ask(shared_limits& l, const shared_limits::question& q) {
    std::mutex mutex;
    std::condition_variable changed;
    std::optional<shared_limits::answer> out;
    l.ask(q, [&](shared_limits::answer a) {
        const std::lock_guard lock(mutex);
        out = a;
        changed.notify_one();
    });
    std::unique_lock lock(mutex);
    EXPECT_TRUE(changed.wait_for(lock, 8s, [&] { return out.has_value(); }));
    return out.value_or(shared_limits::answer{});
}

TEST(redis_limits, requests_a_minute_are_counted_over_all) {
    JSONHEAL_NEEDS_REDIS();
    fixture f;
    const auto a = f.gateway(), b = f.gateway();
    int granted = 0;
    for (int i = 0; i < 10; ++i) {
        granted += ask(*a, {"k", 5, 0}).what == verdict::granted ? 1 : 0;
        granted += ask(*b, {"k", 5, 0}).what == verdict::granted ? 1 : 0;
    }
    EXPECT_EQ(granted, 5);
    const auto refused = ask(*a, {"k", 5, 0});
    EXPECT_EQ(refused.what, verdict::too_many_a_minute);
    EXPECT_GT(refused.wait, 1s);
    EXPECT_LE(refused.wait, 12s);
    EXPECT_EQ(ask(*b, {"l", 5, 0}).what, verdict::granted) << "another key";
    EXPECT_EQ(ask(*a, {"m", 6000, 0}).what, verdict::granted);
    EXPECT_EQ(f.said.size(), 0u) << "nothing went wrong, but " << f.said.words[0];
}

TEST(redis_limits, the_bucket_fills_again) {
    JSONHEAL_NEEDS_REDIS();
    fixture f;
    const auto a = f.gateway();
    // 600 a minute are one in 100 ms.
    shared_limits::answer last;
    for (int i = 0; i < 2000 && last.what != verdict::too_many_a_minute; ++i) {
        last = ask(*a, {"k", 600, 0});
    }
    ASSERT_EQ(last.what, verdict::too_many_a_minute);
    EXPECT_LE(last.wait, 100ms);
    std::this_thread::sleep_for(last.wait + 5ms);
    EXPECT_EQ(ask(*a, {"k", 600, 0}).what, verdict::granted);
}

TEST(redis_limits, requests_at_once_are_counted_over_all) {
    JSONHEAL_NEEDS_REDIS();
    fixture f;
    const auto a = f.gateway(), b = f.gateway();
    const auto first = ask(*a, {"k", 0, 2}), second = ask(*b, {"k", 0, 2});
    EXPECT_NE(first.ticket, 0u);
    EXPECT_EQ(ask(*a, {"k", 0, 2}).what, verdict::too_many_at_once);
    EXPECT_EQ(ask(*b, {"k", 0, 2}).what, verdict::too_many_at_once);
    a->leave(first.ticket);
    a->leave(first.ticket); // twice does no harm
    EXPECT_TRUE(soon([&] { return ask(*b, {"k", 0, 2}).what == verdict::granted; }));
    b->leave(second.ticket);
}

TEST(redis_limits, a_gateway_that_died_holds_nothing_for_long) {
    JSONHEAL_NEEDS_REDIS();
    fixture f;
    const auto b = f.gateway();
    {
        const auto a = f.gateway(900ms);
        EXPECT_EQ(ask(*a, {"k", 0, 1}).what, verdict::granted);
        std::this_thread::sleep_for(2s);
        EXPECT_EQ(ask(*b, {"k", 0, 1}).what, verdict::too_many_at_once) << "the lease is renewed";
    }
    EXPECT_TRUE(soon([&] { return ask(*b, {"k", 0, 1}).what == verdict::granted; }));
}

TEST(redis_limits, away_is_said_once_and_nobody_waits) {
    JSONHEAL_NEEDS_REDIS();
    fixture f;
    const auto a = f.gateway();
    EXPECT_EQ(ask(*a, {"k", 1, 0}).what, verdict::granted);
    f.server.stop();
    for (int i = 0; i < 100; ++i) { EXPECT_EQ(ask(*a, {"k", 1, 1}).what, verdict::unknown); }
    EXPECT_FALSE(a->here());
    std::this_thread::sleep_for(1500ms); // it is tried again
    EXPECT_EQ(f.said.size(), 1u);
    const redis_server again(f.port);
    EXPECT_TRUE(soon([&] { return a->here(); }));
    EXPECT_TRUE(soon([&] { return f.said.size() == 2; }));
    EXPECT_EQ(f.said.words.back(), "back");
    EXPECT_EQ(ask(*a, {"k", 1, 0}).what, verdict::granted) << "a new server knows nothing of before";
    EXPECT_EQ(ask(*a, {"k", 1, 0}).what, verdict::too_many_a_minute);
}

TEST(redis_limits, a_server_that_hangs_is_away) {
    JSONHEAL_NEEDS_REDIS();
    fixture f;
    redis_config c = f.config();
    c.timeout = 200ms;
    redis_limits a(c, f.said.teller());
    ASSERT_TRUE(soon([&] { return a.here(); }));
    f.server.signal(SIGSTOP);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(ask(a, {"k", 1, 0}).what, verdict::unknown);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 3s);
    f.server.signal(SIGCONT);
    EXPECT_TRUE(soon([&] { return a.here(); }));
}

TEST(redis_limits, a_server_that_forgot_the_scripts_gets_them_again) {
    JSONHEAL_NEEDS_REDIS();
    fixture f;
    const auto a = f.gateway();
    ASSERT_EQ(ask(*a, {"k", 9, 0}).what, verdict::granted);
    const std::string flush = "redis-cli -p " + std::to_string(f.port) + " script flush > /dev/null";
    ASSERT_EQ(std::system(flush.c_str()), 0);
    EXPECT_TRUE(soon([&] { return ask(*a, {"k", 9, 0}).what == verdict::granted; }));
}

TEST(redis_limits, passwords) {
    JSONHEAL_NEEDS_REDIS();
    const std::uint16_t port = free_port();
    const redis_server server(port, {"--requirepass", "secret"});
    told said, said_wrong;
    redis_config c;
    c.port = port;
    c.timeout = 2s;
    c.password = "secret";
    c.database = 3;
    redis_limits a(c, said.teller());
    EXPECT_TRUE(soon([&] { return a.here(); }));
    EXPECT_EQ(ask(a, {"k", 1, 0}).what, verdict::granted);
    c.password = "wrong";
    redis_limits b(c, said_wrong.teller());
    EXPECT_FALSE(b.here());
    ASSERT_EQ(said_wrong.size(), 1u);
    EXPECT_THAT(said_wrong.words[0], HasSubstr("away: "));
    EXPECT_THAT(said_wrong.words[0], testing::Not(HasSubstr("secret")));
    EXPECT_EQ(ask(b, {"k", 1, 0}).what, verdict::unknown);
}

TEST(redis_limits, without_a_server_nothing_waits) {
    told said;
    redis_config c;
    c.port = free_port();
    redis_limits a(c, said.teller());
    EXPECT_EQ(said.size(), 1u);
    EXPECT_EQ(ask(a, {"k", 1, 1}).what, verdict::unknown);
    a.leave(7);
}

TEST(redis_limits, questions_open_at_the_end_are_answered) {
    JSONHEAL_NEEDS_REDIS();
    fixture f;
    auto a = f.gateway();
    std::atomic<int> answers{0};
    for (int i = 0; i < 500; ++i) {
        a->ask({"k", 100, 0}, [&](shared_limits::answer) { ++answers; });
    }
    a.reset();
    EXPECT_EQ(answers, 500);
}

TEST(redis_limits, an_answer_may_drop_the_last_hold) {
    JSONHEAL_NEEDS_REDIS();
    fixture f;
    std::shared_ptr<redis_limits> a = f.gateway();
    std::atomic<bool> answered{false};
    redis_limits* const limits = a.get();
    limits->ask({"k", 100, 0}, [held = std::move(a), &answered](shared_limits::answer) mutable {
        held.reset();
        answered = true;
    });
    EXPECT_TRUE(soon([&] { return answered.load(); }));
}

// With keys --------------------------------------------------------------------------------------------------

key_ring::decision ask(const key_ring& ring, std::string_view key) {
    key_ring::decision d = ring.ask(key, key_ring::clock::now());
    if (!key_ring::is_shared(d)) { return d; }
    std::mutex mutex;
    std::condition_variable changed;
    std::optional<key_ring::decision> out;
    key_ring::confirm(std::move(d), [&](key_ring::decision c) {
        const std::lock_guard lock(mutex);
        out = std::move(c);
        changed.notify_one();
    });
    std::unique_lock lock(mutex);
    EXPECT_TRUE(changed.wait_for(lock, 8s, [&] { return out.has_value(); }));
    return out ? std::move(*out) : key_ring::decision{};
}

key_config key(double per_minute, std::optional<unsigned> concurrent) {
    key_config k;
    k.name = "k";
    k.sha256 = sha256_hex("secret");
    if (per_minute > 0) { k.requests_per_minute = per_minute; }
    k.concurrent = concurrent;
    return k;
}

TEST(redis_limits, two_gateways_grant_what_one_may) {
    JSONHEAL_NEEDS_REDIS();
    fixture f;
    const key_ring a({key(6, {})}, nullptr, f.gateway()), b({key(6, {})}, nullptr, f.gateway());
    int granted = 0;
    key_ring::decision refused;
    for (int i = 0; i < 10; ++i) {
        for (const key_ring* ring : {&a, &b}) {
            if (key_ring::decision d = ask(*ring, "secret")) {
                ++granted;
            } else {
                refused = std::move(d);
            }
        }
    }
    EXPECT_EQ(granted, 6);
    EXPECT_EQ(refused.status, 429);
    EXPECT_GT(refused.retry_after, 0ms);
    EXPECT_THAT(refused.message, HasSubstr("in a minute"));
    EXPECT_EQ(ask(a, "wrong").status, 401);
}

TEST(redis_limits, a_pass_holds_its_place_everywhere) {
    JSONHEAL_NEEDS_REDIS();
    fixture f;
    const key_ring a({key(0, 1)}, nullptr, f.gateway()), b({key(0, 1)}, nullptr, f.gateway());
    key_ring::decision held = ask(a, "secret");
    ASSERT_TRUE(held);
    EXPECT_THAT(ask(b, "secret").message, HasSubstr("at once"));
    held = {};
    EXPECT_TRUE(soon([&] { return bool(ask(b, "secret")); }));
}

TEST(redis_limits, alone_each_gateway_counts_for_itself) {
    told said;
    redis_config c;
    c.port = free_port();
    const auto nobody = std::make_shared<redis_limits>(c, said.teller());
    const key_ring ring({key(3, {})}, nullptr, nobody);
    int granted = 0;
    for (int i = 0; i < 10; ++i) { granted += ask(ring, "secret") ? 1 : 0; }
    EXPECT_EQ(granted, 3);
}

} // namespace
