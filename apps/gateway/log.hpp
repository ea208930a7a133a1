/// @file log.hpp
/// One JSON object a line on standard error. No key, no Authorization, no body unless bodies are asked for.
#pragma once

#include "config.hpp"

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <string>
#include <string_view>
#include <variant>

namespace jsonheal::gateway {

struct log_value {
    std::string_view name;
    std::variant<std::string_view, std::int64_t, double, bool> value;
};

/// Thread-safe; a line is one write. What is below the level costs a comparison.
class logger {
public:
    /// `descriptor` stays the caller's.
    explicit logger(const log_config& c, int descriptor = 2);
    /// A new configuration, at any time.
    void set(const log_config& c) noexcept;
    [[nodiscard]] bool shows(log_config::level l) const noexcept {
        return l != log_config::level::off && l >= least_.load(std::memory_order_relaxed);
    }
    /// Whether what was asked and answered is to be logged.
    [[nodiscard]] bool bodies() const noexcept { return bodies_.load(std::memory_order_relaxed); }
    /// `{"ts":"2026-12-01T03:00:00.123Z","level":"info","event":"request",…}`. Values longer than 4 KiB are cut. Names of secrets
    /// (authorization, x-api-key, api_key, cookie, set-cookie, proxy-authorization, in any case, with `-` or `_`) are written with
    /// the value `[redacted]`. Bytes that are no UTF-8 become U+FFFD; a number that JSON does not have becomes null.
    void write(log_config::level l, std::string_view event, std::initializer_list<log_value> values) const;

private:
    int descriptor_;
    std::atomic<log_config::level> least_;
    std::atomic<bool> bodies_;
    mutable std::mutex mutex_; ///< lines longer than the buffer of a pipe would mix
};

} // namespace jsonheal::gateway
