/// @file config.hpp
/// What `jsonheal serve` is told to do: a YAML file, checked as a whole before anything starts.
#pragma once

#include <jsonheal/net_url.hpp>
#include <jsonheal/wire_message.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jsonheal::gateway {

class script;

using std::chrono::milliseconds;

/// How a healed answer reaches a client that asked for a stream.
enum class stream_policy : std::uint8_t {
    buffer, ///< heal first, then send it as a stream; comments keep the connection alive meanwhile
    live,   ///< healed bytes as they settle; stops the generation as soon as the value can no longer fit
    off     ///< the provider's stream as it is
};

/// What becomes of a tool call whose arguments were cut off.
enum class cut_call_policy : std::uint8_t {
    reask,          ///< the model is asked again
    accept_closers, ///< taken if only closing brackets were missing, else asked again
    accept          ///< taken as far as it came
};

struct upstream_timeouts {
    milliseconds connect{10'000};
    milliseconds first_token{120'000};
    milliseconds idle{60'000};
    milliseconds total{900'000};
};

/// Somebody who answers: an OpenAI-compatible server, or a script.
struct upstream_config {
    std::string name;
    net::url base;                                 ///< `https://api.openai.com/v1`; of no use with `script`
    std::shared_ptr<const gateway::script> script; ///< answers without a network
    std::string api_key; ///< sent as a bearer token; empty: the client's own Authorization is passed on
    std::vector<std::pair<std::string, std::string>> headers;
    std::vector<std::string> models;    ///< names that it serves; empty: any
    bool native_schema = true;          ///< knows `response_format` of type json_schema
    bool native_json = true;            ///< knows `json_object`
    bool native_tools = true;           ///< else tools go into the prompt and calls are read out of the text
    std::string tool_format = "hermes"; ///< the format of such calls
    bool continues = false;             ///< goes on with a last assistant message (Moonshot's `partial`)
    upstream_timeouts timeouts;
    unsigned retries = 2;                  ///< after a connection error, 429 or 5xx, before the first byte
    milliseconds retry_wait{500};          ///< doubled each time, with jitter
    milliseconds retry_after_most{60'000}; ///< longer demands of the upstream are not waited for
};

/// A model name of the gateway's own.
struct model_alias {
    std::string name;
    std::string upstream;
    std::string model; ///< the upstream's name for it
};

/// A client's key. The key itself is nowhere: only its SHA-256.
struct key_config {
    std::string name;   ///< for logs and metrics
    std::string sha256; ///< lower-case hex
    std::optional<double> requests_per_minute;
    std::optional<unsigned> concurrent;
    bool automatic_healing = false;  ///< every `response_format` is healed and checked
    std::vector<std::string> models; ///< allowed ones; empty: all
};

struct healing_config {
    unsigned max_attempts = 3;         ///< the first counted
    milliseconds time_budget{120'000}; ///< no attempt starts later than that after the first
    std::uint64_t token_budget = 0;    ///< of output over all attempts; 0: none
    stream_policy stream = stream_policy::buffer;
    cut_call_policy cut_calls = cut_call_policy::reask;
    bool check_response_format =
        false;                   ///< a plain `response_format` is checked and healed, but not asked again
    bool best_candidate = false; ///< the failure's body shows the best attempt
    int failure_status = 503;    ///< or 422
    bool should_retry = false;   ///< the failure's `x-should-retry`
    milliseconds retry_after{5'000};
    std::size_t reports = 200;       ///< kept for GET /v1/healings
    milliseconds keep_alive{10'000}; ///< between comments of a buffered stream
};

struct log_config {
    enum class level : std::uint8_t { debug, info, warning, error, off };
    level least = level::info;
    bool bodies = false; ///< also what was asked and answered; never on by default
};

/// Where limits of keys are counted, so that several gateways share them.
struct redis_config {
    std::string host = "127.0.0.1";
    std::uint16_t port = 6379;
    std::string socket; ///< path of a Unix socket, in place of host and port
    std::string user, password;
    unsigned database = 0;
    std::string prefix = "jsonheal"; ///< of all keys there
    milliseconds timeout{250};       ///< without an answer for so long, each gateway counts for itself
    friend bool operator==(const redis_config&, const redis_config&) = default;
};

struct listen_config {
    std::string address = "127.0.0.1";
    std::uint16_t port = 8080;
    unsigned cores = 0;
    std::string certificate, key; ///< PEM files; empty: no TLS
};

struct limits_config {
    std::size_t body_bytes = std::size_t{32} << 20;
    std::size_t header_bytes = 64 << 10;
    std::size_t header_count = 100;
    std::size_t connections = 50'000;
    std::size_t depth = 1000;                         ///< of a request's JSON
    std::size_t answer_bytes = std::size_t{64} << 20; ///< of an upstream's answer
    milliseconds header_timeout{10'000};
    milliseconds body_timeout{30'000};
    milliseconds idle_timeout{75'000};
    milliseconds write_timeout{30'000};
    milliseconds drain{30'000};
};

struct gateway_config {
    listen_config listen;
    limits_config limits;
    std::vector<upstream_config> upstreams;
    std::vector<model_alias> models;
    std::vector<key_config> keys; ///< empty: anybody may ask
    healing_config healing;
    std::optional<redis_config> redis; ///< none: every gateway counts for itself
    log_config log;
    std::string ca_file; ///< trusted besides the system's certificates

    /// The upstream of that name, or null.
    [[nodiscard]] const upstream_config* find_upstream(std::string_view name) const noexcept;
};

/// A mistake in a configuration: `gateway.yaml:12: 'max_atempts' is not known here; did you mean 'max_attempts'?`
struct config_mistake {
    std::string message;
};

struct config_reading {
    gateway_config config;
    std::vector<config_mistake> mistakes; ///< all of them, with file and line; empty: it can be used
    [[nodiscard]] explicit operator bool() const noexcept { return mistakes.empty(); }
};

/// Reads a configuration. `examples/gateway/gateway.yaml` shows all names.
///
/// `${NAME}` in a value (never in a name) is the environment's, `${NAME:-other}` has a default for where it is not set or empty, `$${`
/// is `${`; one that is not set is a mistake. Durations are `500ms`, `10s`, `5m`, `1h`, or seconds as a number. Clients' keys are given
/// as `sha256: <hex>` or, from the environment only, `key: ${SOME_KEY}`, which is hashed at once. Unknown and repeated names are
/// mistakes. Messages never show what came from the environment. `file` is for messages; scripts, certificates and `ca_file` are found
/// relative to its folder, and those paths are in the result. At most 1 MiB, 200 000 values and 100 mistakes.
[[nodiscard]] config_reading read_config(std::string_view yaml, const std::string& file);
/// The same from a file.
[[nodiscard]] config_reading load_config(const std::string& file);
/// What `--demo` runs: one upstream, the script that is compiled in, on 127.0.0.1.
[[nodiscard]] gateway_config demo_config();

} // namespace jsonheal::gateway
