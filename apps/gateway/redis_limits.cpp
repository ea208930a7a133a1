#include "redis_limits.hpp"

#include "redis_connection.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <map>
#include <mutex>
#include <openssl/rand.h>
#include <thread>
#include <utility>

namespace jsonheal::gateway {

namespace {

using clock = std::chrono::steady_clock;
using detail::redis_command;
using detail::redis_reply;

/// Decides one request. Returns {verdict, milliseconds to wait}; the verdicts are those of `shared_limits`. The bucket holds the requests of
/// one minute, as in `key_ring`.
constexpr const char* decide = R"lua(
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local rate, most, lease = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if most > 0 then
    redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', string.format('%.3f', now))
    if redis.call('ZCARD', KEYS[2]) >= most then return {2, 1000} end
end
if rate > 0 then
    local full = math.max(rate, 1)
    local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
    local tokens, at = tonumber(bucket[1]) or full, tonumber(bucket[2]) or now
    tokens = math.min(full, tokens + math.max(0, now - at) * rate / 60000)
    if tokens < 1 - 1e-6 then return {1, math.ceil((1 - tokens) * 60000 / rate)} end
    redis.call('HSET', KEYS[1], 'tokens', string.format('%.9f', math.max(tokens - 1, 0)),
               'at', string.format('%.3f', math.max(now, at)))
    redis.call('PEXPIRE', KEYS[1], math.ceil(full * 60000 / rate) + 1000)
end
if most > 0 then
    redis.call('ZADD', KEYS[2], string.format('%.3f', now + lease), ARGV[4])
    redis.call('PEXPIRE', KEYS[2], lease)
end
return {0, 0}
)lua";

/// Renews the lease of one running request.
constexpr const char* renew = R"lua(
local time = redis.call('TIME')
redis.call('ZADD', KEYS[1], string.format('%.3f', time[1] * 1000 + time[2] / 1000 + tonumber(ARGV[1])), ARGV[2])
return redis.call('PEXPIRE', KEYS[1], ARGV[1])
)lua";

constexpr std::size_t most_open = 10'000; ///< questions that wait; more are answered `unknown`
constexpr std::size_t most_in_batch = 256;
constexpr auto try_again = std::chrono::seconds(1);

std::string digits(double n) {
    std::array<char, 40> out{};
    return {out.data(), std::to_chars(out.data(), out.data() + out.size(), n, std::chars_format::fixed).ptr};
}

/// Tells this gateway's requests from those of others.
std::string random_name() {
    std::array<unsigned char, 8> bytes{};
    RAND_bytes(bytes.data(), static_cast<int>(bytes.size()));
    std::string out;
    for (const unsigned char b : bytes) {
        out += "0123456789abcdef"[b >> 4];
        out += "0123456789abcdef"[b & 15];
    }
    return out;
}

/// A command on its way, and who waits for what it says.
struct job {
    redis_command command;
    std::string running_key; ///< where a granted request is a member
    std::uint64_t ticket = 0;
    std::function<void(shared_limits::answer)> done; ///< empty: nobody waits
};

shared_limits::answer read_answer(const redisReply& r, std::uint64_t ticket) {
    shared_limits::answer a;
    const bool good =
        r.type == REDIS_REPLY_ARRAY && r.elements == 2 && r.element[0]->type == REDIS_REPLY_INTEGER &&
        r.element[1]->type == REDIS_REPLY_INTEGER && r.element[0]->integer >= 0 && r.element[0]->integer <= 2;
    if (!good) { return a; }
    a.what = static_cast<shared_limits::verdict>(r.element[0]->integer);
    a.wait = std::chrono::milliseconds(r.element[1]->integer);
    if (a.what == shared_limits::verdict::granted) { a.ticket = ticket; }
    return a;
}

} // namespace

struct redis_limits::state {
    const redis_config config;
    const teller tell;
    const std::chrono::milliseconds lease;
    const std::string name = random_name();

    mutable std::mutex mutex;
    std::condition_variable changed;
    bool here = false;
    bool stopping = false;
    std::deque<job> jobs;
    std::map<std::uint64_t, std::string> running; ///< ticket → the key of its sorted set
    std::uint64_t tickets = 0;

    // Of the thread alone.
    detail::redis_connection redis;
    std::string decide_hash, renew_hash;
    clock::time_point renewed_at = clock::now();
    bool told_away = false;
    std::thread thread;

    state(redis_config c, teller t, std::chrono::milliseconds l)
        : config(std::move(c)), tell(std::move(t)), lease(l) {}

    /// In braces, so that a cluster keeps the keys of one client together.
    [[nodiscard]] std::string key(const std::string& sha256, std::string_view what) const {
        return config.prefix + ":{" + sha256.substr(0, 32) + "}:" + std::string(what);
    }
    [[nodiscard]] std::string member(std::uint64_t ticket) const {
        return name + "-" + std::to_string(ticket);
    }

    void run();
    void connect();
    void answer_batch(std::deque<job>& batch);
    void renew_leases();
    /// Redis is away: nobody waits for it any longer. `batch` is what was on its way.
    void give_up(std::deque<job>& batch);
    void finish(const job& j, const redisReply& r);
    /// Says what is new. Whoever ends this may be gone as soon as it is ending.
    void say(bool away) {
        bool silent = false;
        {
            const std::lock_guard lock(mutex);
            silent = stopping;
        }
        if (std::exchange(told_away, away) != away && !silent) { tell(away, away ? redis.why() : ""); }
    }
};

void redis_limits::state::connect() {
    const auto load = [&](const char* text, std::string& hash) {
        const redis_reply r = redis.call({"SCRIPT", "LOAD", text});
        if (r && r->type == REDIS_REPLY_STRING) { hash.assign(r->str, static_cast<std::size_t>(r->len)); }
        return r != nullptr;
    };
    const bool good = redis.open(config) && load(decide, decide_hash) && load(renew, renew_hash);
    if (!good) {
        std::deque<job> none;
        return give_up(none);
    }
    {
        const std::lock_guard lock(mutex);
        here = true;
    }
    say(false);
}

void redis_limits::state::give_up(std::deque<job>& batch) {
    redis.close();
    {
        const std::lock_guard lock(mutex);
        here = false;
        batch.insert(batch.end(), std::make_move_iterator(jobs.begin()), std::make_move_iterator(jobs.end()));
        jobs.clear();
    }
    for (const job& j : batch) {
        if (j.done) { j.done({}); }
    }
    say(true);
}

void redis_limits::state::finish(const job& j, const redisReply& r) {
    if (!j.done) { return; }
    const answer a = read_answer(r, j.ticket);
    if (a.ticket != 0) {
        const std::lock_guard lock(mutex);
        running.emplace(a.ticket, j.running_key);
    }
    j.done(a);
}

void redis_limits::state::answer_batch(std::deque<job>& batch) {
    for (job& j : batch) {
        if (j.command[1].empty()) { j.command[1] = decide_hash; } // not known to those who ask
        redis.send(j.command);
    }
    while (!batch.empty()) {
        const redis_reply r = redis.receive();
        if (!r) { return give_up(batch); }
        const job j = std::move(batch.front());
        batch.pop_front();
        finish(j, *r);
    }
}

void redis_limits::state::renew_leases() {
    renewed_at = clock::now();
    std::map<std::uint64_t, std::string> all;
    {
        const std::lock_guard lock(mutex);
        all = running;
    }
    for (const auto& [ticket, set] : all) {
        redis.send({"EVALSHA", renew_hash, "1", set, std::to_string(lease.count()), member(ticket)});
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (redis.receive()) { continue; }
        std::deque<job> none;
        return give_up(none);
    }
    // One that ended meanwhile was put back in by its renewal.
    const std::lock_guard lock(mutex);
    for (const auto& [ticket, set] : all) {
        if (!running.contains(ticket)) { jobs.push_back({{"ZREM", set, member(ticket)}, {}, 0, {}}); }
    }
}

void redis_limits::state::run() {
    sigset_t set; // a connection that Redis closed must not end the process
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);

    std::unique_lock lock(mutex);
    for (;;) {
        const bool connected = redis.is_open();
        const auto until = connected ? renewed_at + lease / 3 : clock::now() + try_again;
        changed.wait_until(lock, until, [&] { return stopping || (connected && !jobs.empty()); });
        if (stopping && (!connected || jobs.empty())) { break; }
        std::deque<job> batch;
        while (!jobs.empty() && batch.size() < most_in_batch) {
            batch.push_back(std::move(jobs.front()));
            jobs.pop_front();
        }
        lock.unlock();
        if (!connected) {
            connect();
        } else {
            answer_batch(batch);
            if (redis.is_open() && clock::now() >= renewed_at + lease / 3) { renew_leases(); }
        }
        lock.lock();
    }
    here = false;
}

redis_limits::redis_limits(redis_config config, teller tell, std::chrono::milliseconds lease)
    : state_(std::make_shared<state>(std::move(config), std::move(tell), lease)) {
    state_->connect();
    state_->thread = std::thread([s = state_] { s->run(); });
}

redis_limits::~redis_limits() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->stopping = true;
    }
    state_->changed.notify_all();
    if (state_->thread.get_id() ==
        std::this_thread::get_id()) { // what an answer held was the last to hold this
        state_->thread.detach();
    } else {
        state_->thread.join();
    }
}

void redis_limits::ask(const question& q, std::function<void(answer)> done) {
    const std::shared_ptr<state> held = state_; // an answer may drop the last hold on this meanwhile
    state& s = *held;
    {
        const std::lock_guard lock(s.mutex);
        if (s.here && !s.stopping && s.jobs.size() < most_open) {
            job j;
            j.ticket = q.concurrent != 0 ? ++s.tickets : 0;
            j.running_key = s.key(q.key, "running");
            j.command = {"EVALSHA",
                         "",
                         "2",
                         s.key(q.key, "bucket"),
                         j.running_key,
                         digits(q.per_minute),
                         std::to_string(q.concurrent),
                         std::to_string(s.lease.count()),
                         s.member(j.ticket)};
            j.done = std::move(done);
            s.jobs.push_back(std::move(j));
        }
    }
    if (done) { return done({}); }
    s.changed.notify_one();
}

void redis_limits::leave(std::uint64_t ticket) noexcept {
    const std::shared_ptr<state> held = state_; // an answer may drop the last hold on this meanwhile
    state& s = *held;
    try {
        const std::lock_guard lock(s.mutex);
        const auto found = s.running.find(ticket);
        if (found == s.running.end()) { return; }
        if (s.here) { s.jobs.push_back({{"ZREM", found->second, s.member(ticket)}, {}, 0, {}}); }
        s.running.erase(found);
    } catch (const std::bad_alloc&) { return; } // its lease runs out
    s.changed.notify_one();
}

bool redis_limits::here() const {
    const std::lock_guard lock(state_->mutex);
    return state_->here;
}

} // namespace jsonheal::gateway
