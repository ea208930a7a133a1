#include "keys.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <mutex>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <unordered_map>

namespace jsonheal::gateway {

namespace {

using digest = std::array<unsigned char, 32>;

digest sha256(std::string_view text) {
    static const EVP_MD* const algorithm =
        EVP_MD_fetch(nullptr, "SHA256", nullptr); // EVP_sha256() is sought anew each time
    digest out{};
    unsigned size = 0;
    if (EVP_Digest(text.data(), text.size(), out.data(), &size, algorithm, nullptr) != 1) {
        throw std::bad_alloc(); // the only way in which it fails
    }
    return out;
}

unsigned nibble(char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10) & 15; }

digest from_hex(std::string_view hex) {
    digest out{};
    for (std::size_t i = 0; i < out.size() && 2 * i + 1 < hex.size(); ++i) {
        out[i] = static_cast<unsigned char>(nibble(hex[2 * i]) << 4 | nibble(hex[2 * i + 1]));
    }
    return out;
}

std::chrono::milliseconds in_seconds(double s) {
    return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(s * 1000)));
}

constexpr const char* at_once = "This key has as many requests running as it may have at once.";
constexpr const char* a_minute = "This key has made as many requests as it may make in a minute.";

/// What one key has used. Outlives the ring, so that a reload takes nothing back and forgets nothing.
class account {
public:
    using clock = key_ring::clock;
    enum class answer : std::uint8_t { yes, too_many_at_once, too_many_a_minute };
    struct ruling {
        account::answer answer;
        std::chrono::milliseconds wait{0};
    };

    /// Takes a place and a request of the minute, or neither. The bucket holds the requests of one minute.
    ruling enter(const key_config& limits, clock::time_point now) {
        const std::lock_guard lock(mutex_);
        if (limits.concurrent && running_ >= *limits.concurrent) { return {answer::too_many_at_once}; }
        if (limits.requests_per_minute && !take_token(*limits.requests_per_minute, now)) {
            return {answer::too_many_a_minute, in_seconds((1 - tokens_) * 60 / *limits.requests_per_minute)};
        }
        ++running_;
        return {answer::yes};
    }
    void leave() {
        const std::lock_guard lock(mutex_);
        --running_;
    }
    /// A request that was granted here did not come about.
    void give_back(const key_config& limits) {
        const std::lock_guard lock(mutex_);
        if (limits.requests_per_minute) {
            tokens_ = std::min(tokens_ + 1, std::max(*limits.requests_per_minute, 1.0));
        }
    }

private:
    bool take_token(double per_minute, clock::time_point now) {
        const double most = std::max(per_minute, 1.0);
        if (!begun_) {
            tokens_ = most;
            at_ = now;
            begun_ = true;
        }
        if (now > at_) { // the calls of several threads may come out of order
            tokens_ += std::chrono::duration<double>(now - at_).count() * per_minute / 60;
            at_ = now;
        }
        tokens_ = std::min(tokens_, most); // also where a reload made the limit smaller
        // A client that waits as long as it was told finds its token there, whatever the rounding of sums.
        if (tokens_ < 1 - 1e-9) { return false; }
        tokens_ = std::max(tokens_ - 1, 0.0);
        return true;
    }

    std::mutex mutex_;
    unsigned running_ = 0;
    bool begun_ = false;
    double tokens_ = 0;
    clock::time_point at_{};
};

/// What differs from process to process, so that the time of a look into the table tells nothing about stored hashes.
struct secret {
    std::uint64_t add = 0, times = 1;
    secret() {
        std::array<std::uint64_t, 2> random{};
        if (RAND_bytes(reinterpret_cast<unsigned char*>(random.data()), sizeof random) == 1) {
            add = random[0];
            times = random[1] | 1;
        }
    }
    [[nodiscard]] std::uint64_t place(const digest& d) const {
        std::uint64_t first = 0;
        std::memcpy(&first, d.data(), sizeof first);
        const std::uint64_t mixed = (first ^ add) * times;
        return mixed ^ (mixed >> 32);
    }
};

} // namespace

struct key_ring::pass::entry {
    key_config config;
    digest hash{};
    std::shared_ptr<gateway::account> account;
    std::shared_ptr<shared_limits> shared; ///< null: only this gateway counts
};

struct key_ring::state {
    gateway::secret secret;
    std::unordered_multimap<std::uint64_t, std::shared_ptr<pass::entry>> entries;

    [[nodiscard]] std::shared_ptr<pass::entry> find(const digest& hash) const {
        const auto [begin, end] = entries.equal_range(secret.place(hash));
        for (auto e = begin; e != end; ++e) {
            if (CRYPTO_memcmp(e->second->hash.data(), hash.data(), hash.size()) == 0) { return e->second; }
        }
        return nullptr;
    }
};

key_ring::key_ring(const std::vector<key_config>& keys, const key_ring* before,
                   std::shared_ptr<shared_limits> shared)
    : state_(std::make_unique<state>()) {
    for (const key_config& k : keys) {
        auto e = std::make_shared<pass::entry>();
        e->config = k;
        e->hash = from_hex(k.sha256);
        if (k.requests_per_minute || k.concurrent) { e->shared = shared; }
        const std::shared_ptr<pass::entry> old = before == nullptr ? nullptr : before->state_->find(e->hash);
        e->account = old ? old->account : std::make_shared<account>();
        state_->entries.emplace(state_->secret.place(e->hash), std::move(e));
    }
}

key_ring::~key_ring() = default;

key_ring::pass::pass(pass&& other) noexcept
    : entry_(std::move(other.entry_)), ticket_(std::exchange(other.ticket_, 0)) {}

key_ring::pass& key_ring::pass::operator=(pass&& other) noexcept {
    std::swap(entry_, other.entry_);
    std::swap(ticket_, other.ticket_);
    return *this;
}

key_ring::pass::~pass() {
    if (!entry_) { return; }
    entry_->account->leave();
    if (ticket_ != 0) { entry_->shared->leave(ticket_); }
}

const key_config* key_ring::pass::key() const noexcept { return entry_ ? &entry_->config : nullptr; }

key_ring::decision key_ring::ask(std::optional<std::string_view> presented, clock::time_point now) const {
    decision d;
    if (state_->entries.empty()) { return d; }
    const auto refuse = [&](int status, std::string message, std::chrono::milliseconds wait = {}) {
        d.status = status;
        d.message = std::move(message);
        d.retry_after = wait;
    };
    if (!presented || presented->empty()) {
        refuse(401, "No API key was given: send it as 'Authorization: Bearer KEY' or as 'x-api-key: KEY'.");
        return d;
    }
    std::shared_ptr<pass::entry> e = state_->find(sha256(*presented));
    if (!e) {
        refuse(401, "The API key is not known here.");
        return d;
    }
    const account::ruling r = e->account->enter(e->config, now);
    if (r.answer == account::answer::yes) {
        d.granted.entry_ = std::move(e);
    } else if (r.answer == account::answer::too_many_at_once) {
        refuse(429, at_once, std::chrono::seconds(1));
    } else {
        refuse(429, a_minute, r.wait);
    }
    return d;
}

bool key_ring::is_shared(const decision& granted) noexcept {
    return granted.granted.entry_ != nullptr && granted.granted.entry_->shared != nullptr;
}

void key_ring::confirm(decision granted, const std::function<void(decision)>& done) {
    const std::shared_ptr<pass::entry> e = granted.granted.entry_;
    const shared_limits::question q{e->config.sha256, e->config.requests_per_minute.value_or(0),
                                    e->config.concurrent.value_or(0)};
    const auto held = std::make_shared<decision>(std::move(granted));
    e->shared->ask(q, [held, done, account = e->account, limits = e->config](shared_limits::answer a) {
        using verdict = shared_limits::verdict;
        held->granted.ticket_ = a.ticket;
        if (a.what == verdict::too_many_a_minute || a.what == verdict::too_many_at_once) {
            account->give_back(limits);
            *held = decision{{}, 429, a.what == verdict::too_many_at_once ? at_once : a_minute, a.wait};
        }
        done(std::move(*held));
    });
}

std::string sha256_hex(std::string_view text) {
    constexpr char digits[] = "0123456789abcdef";
    std::string out;
    for (const unsigned char byte : sha256(text)) {
        out += digits[byte >> 4];
        out += digits[byte & 15];
    }
    return out;
}

} // namespace jsonheal::gateway
