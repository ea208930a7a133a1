/// @file metrics.hpp
/// What Prometheus reads at /metrics. Names are those of OpenTelemetry's GenAI conventions (semconv 1.29), with counters of healing beside them.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace jsonheal::gateway {

/// Counters of one process. Every member may be called on any core; registering a new label takes a lock, counting none.
class metrics {
public:
    metrics();
    ~metrics();

    /// A request was answered. `route` is a pattern (`/v1/chat/completions`), never a client's text.
    /// → http_server_request_duration_seconds{http_route, http_response_status_code}
    void answered(std::string_view route, int status, std::chrono::nanoseconds took);
    /// One upstream call ended: `outcome` is `ok`, a status or an error class. → gen_ai_client_operation_duration_seconds
    /// {gen_ai_operation_name="chat", gen_ai_system, gen_ai_request_model, error_type}: the upstream's name is the system, and the
    /// outcome the type of error, empty for `ok`
    void generation(std::string_view upstream, std::string_view model, std::string_view outcome,
                    std::chrono::nanoseconds took);
    /// → gen_ai_client_token_usage (histogram; besides those labels gen_ai_token_type is `input` or `output`)
    void tokens(std::string_view upstream, std::string_view model, std::int64_t input, std::int64_t output);
    /// → gen_ai_server_time_to_first_token_seconds
    void first_token(std::string_view upstream, std::string_view model, std::chrono::nanoseconds took);
    /// A healing ended: `outcome` is `intact`, `healed`, `reasked`, `failed`, `passed`; attempts counted. → jsonheal_healings_total, jsonheal_attempts (histogram)
    void healing(std::string_view outcome, std::uint64_t attempts);
    /// An edit rule or alignment rule that was used. → jsonheal_edits_total{rule}
    void rule_used(std::string_view rule, std::uint64_t times);
    /// A generation was stopped early, since it could no longer fit. → jsonheal_stopped_early_total{gen_ai_system}
    void stopped_early(std::string_view upstream);
    /// Gauges: jsonheal_requests_in_flight, jsonheal_streams_open
    void request_began();
    void request_ended();
    void stream_began();
    void stream_ended();

    /// Text exposition format 0.0.4. Model names come from clients, so at most 200 different ones are told apart, the rest is `other`;
    /// they are cut at 128 bytes, and what is no UTF-8 in them becomes U+FFFD.
    [[nodiscard]] std::string exposition() const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace jsonheal::gateway
