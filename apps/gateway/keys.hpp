/// @file keys.hpp
/// Who may ask, how often and how much at once.
#pragma once

#include "config.hpp"
#include "shared_limits.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace jsonheal::gateway {

/// What a key may still do: shared by the cores, O(1) under a short lock.
class key_ring {
public:
    using clock = std::chrono::steady_clock;

    /// The limits of keys that were there before go on counting where they stood (`before` may be null). With `shared`, other gateways
    /// count too.
    explicit key_ring(const std::vector<key_config>& keys, const key_ring* before = nullptr,
                      std::shared_ptr<shared_limits> shared = nullptr);
    ~key_ring();

    /// Held while a request runs; gives its place back when it ends.
    class pass {
    public:
        pass() = default;
        pass(pass&&) noexcept;
        pass& operator=(pass&&) noexcept;
        ~pass();
        /// Null where no keys are configured.
        [[nodiscard]] const key_config* key() const noexcept;

    private:
        friend class key_ring;
        struct entry;
        std::shared_ptr<entry> entry_;
        std::uint64_t ticket_ = 0; ///< of the shared limits
    };

    struct decision {
        pass granted;
        int status = 200;                         ///< 401: no such key; 429: too many
        std::string message;                      ///< a sentence for the client
        std::chrono::milliseconds retry_after{0}; ///< with 429
        [[nodiscard]] explicit operator bool() const noexcept { return status == 200; }
    };

    /// What this gateway alone says. `presented` is what the client sent (`Authorization: Bearer` or `x-api-key`), or nothing. Compares
    /// hashes in constant time.
    [[nodiscard]] decision ask(std::optional<std::string_view> presented, clock::time_point now) const;
    /// Whether other gateways have a say in that grant too: its key has limits, and limits are shared.
    [[nodiscard]] static bool is_shared(const decision& granted) noexcept;
    /// Asks them. `done` is called once with what became of the grant: in this call, or on another thread about as fast as Redis answers;
    /// where that is away, the grant holds. `allow` does it for coroutines. @pre is_shared(granted)
    static void confirm(decision granted, const std::function<void(decision)>& done);

private:
    struct state;
    std::unique_ptr<state> state_;
};

/// Lower-case hex of the SHA-256 of a text.
[[nodiscard]] std::string sha256_hex(std::string_view text);

} // namespace jsonheal::gateway
