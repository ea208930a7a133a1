/// @file gateway.hpp
/// `jsonheal serve`: OpenAI-compatible chat completions in front of any model, healed.
#pragma once

#include "config.hpp"

#include <jsonheal/net_server.hpp>

#include <memory>
#include <string>

namespace jsonheal::gateway {

/// The gateway without its socket: what answers requests. Thread-safe.
class service {
public:
    explicit service(gateway_config config);
    ~service();

    [[nodiscard]] net::task<void> handle(net::request& rq, net::responder& to);
    /// New settings for new requests. Address, port, cores and certificates stay as they are until a restart.
    void reload(gateway_config config);
    /// From now on `/readyz` says no.
    void begin_drain() noexcept;
    /// Options for the server that calls `handle`.
    [[nodiscard]] net::server_options server_options() const;

    struct state;

private:
    std::unique_ptr<state> state_;
};

/// What `jsonheal serve` was asked for.
struct serve_options {
    std::string config_file; ///< empty: none
    bool demo = false;
    std::string script_file; ///< serve this script as a bare provider would, without healing: for tests
    bool check_only = false; ///< read the configuration, say what is wrong, and end
    std::string address;     ///< in place of the configuration's
    int port = -1;
};

/// Runs until SIGTERM or SIGINT, then drains; SIGHUP reads the configuration again. The exit code: 0, or 2 with messages on standard
/// error.
[[nodiscard]] int serve(const serve_options& options);

} // namespace jsonheal::gateway
