/// @file redis_limits.hpp
/// Limits of keys counted in Redis, so that several gateways share them.
#pragma once

#include "config.hpp"
#include "shared_limits.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string_view>

namespace jsonheal::gateway {

/// Asks a Redis server (5 or later), or what speaks its protocol and Lua.
///
/// One thread of its own sends what all loops ask, in one batch as long as it waits for the last, and each question is decided by one script
/// in Redis, by Redis's clock: two gateways never grant the same request of a minute. Where Redis does not answer within the timeout, or
/// answers with an error, it is away: questions are answered `unknown` at once, and it is tried again every second.
///
/// A request that runs is a member of a sorted set with a lease that is renewed; those of a gateway that died fall out of it.
class redis_limits : public shared_limits {
public:
    /// Called when Redis goes away, with the reason, and when it is back; on any thread; not while this is being
    /// destroyed.
    using teller = std::function<void(bool away, std::string_view why)>;

    /// Connects at once, for as long as the timeout, and goes on trying if that fails.
    redis_limits(redis_config config, teller tell,
                 std::chrono::milliseconds lease = std::chrono::seconds(30));
    /// Questions that are open are answered before it returns, or right after if one of them dropped the last hold on this.
    ~redis_limits() override;
    redis_limits(const redis_limits&) = delete;
    redis_limits& operator=(const redis_limits&) = delete;

    void ask(const question& q, std::function<void(answer)> done) override;
    void leave(std::uint64_t ticket) noexcept override;
    /// Whether Redis answered when it was last asked.
    [[nodiscard]] bool here() const;

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace jsonheal::gateway
