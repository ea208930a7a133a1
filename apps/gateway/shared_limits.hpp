/// @file shared_limits.hpp
/// Limits of keys that several gateways count together.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace jsonheal::gateway {

/// Somewhere that all gateways ask. Thread-safe.
class shared_limits {
public:
    struct question {
        std::string key;         ///< the SHA-256 of the key, in hexadecimal
        double per_minute = 0;   ///< requests; 0: no limit
        unsigned concurrent = 0; ///< likewise
    };
    enum class verdict : std::uint8_t {
        granted,
        too_many_a_minute,
        too_many_at_once,
        unknown ///< nobody is there who could say: the caller's own count must do
    };
    struct answer {
        verdict what = verdict::unknown;
        std::chrono::milliseconds wait{0}; ///< after which a refused request may be granted
        std::uint64_t ticket = 0;          ///< to be given to `leave` when the request ends; 0: none
    };

    virtual ~shared_limits() = default;
    /// Counts a request. `done` is called once, in this call or on another thread, always within about a second; it must not throw.
    virtual void ask(const question& q, std::function<void(answer)> done) = 0;
    /// The request has ended.
    virtual void leave(std::uint64_t ticket) noexcept = 0;

protected:
    shared_limits() = default;
    shared_limits(const shared_limits&) = default;
    shared_limits& operator=(const shared_limits&) = default;
};

} // namespace jsonheal::gateway
