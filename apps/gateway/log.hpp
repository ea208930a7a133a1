/// @file log.hpp
/// One JSON object a line on standard error. No key, no Authorization, no body unless bodies are asked for.
#pragma once

#include "config.hpp"

#include <cstdint>
#include <initializer_list>
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
    explicit logger(const log_config& c, int descriptor = 2);
    void set(const log_config& c) noexcept;
    [[nodiscard]] bool shows(log_config::level l) const noexcept;
    /// `{"ts":"2026-12-01T03:00:00.123Z","level":"info","event":"request",…}`. Values longer than 4 KiB are cut. Names of secrets
    /// (authorization, x-api-key, api_key, cookie, set-cookie, proxy-authorization) are written with the value `[redacted]`.
    void write(log_config::level l, std::string_view event, std::initializer_list<log_value> values) const;

private:
    int descriptor_;
    log_config config_;
};

} // namespace jsonheal::gateway
