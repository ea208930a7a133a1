/// @file upstream.hpp
/// Asking an upstream, whichever kind it is: whole answers, streams, and requests that go through as they are.
#pragma once

#include "config.hpp"
#include "metrics.hpp"

#include <jsonheal/net_client.hpp>
#include <jsonheal/wire.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace jsonheal::gateway {

/// Why there is no answer.
struct upstream_failure {
    wire::wire_error error; ///< its status is what the client gets
    std::optional<milliseconds> retry_after;
    std::string outcome; ///< for metrics: a status or an error class
    bool client_gone = false;
};

/// What is passed on of the client's request.
struct caller {
    std::string authorization;           ///< used where the upstream has no key of its own
    std::string traceparent, tracestate; ///< W3C trace context
    std::string request_id;
};

/// An answer that is being written.
class generation {
public:
    virtual ~generation() = default;
    /// Waits for more. Appends events; false after the last one, `stream_done`. Failures come as `stream_error`. Dropping the
    /// generation before its end closes the connection to the upstream at once.
    [[nodiscard]] virtual net::task<bool> next(std::vector<wire::stream_event>& out) = 0;
};

class upstreams {
public:
    upstreams(const gateway_config& config, metrics& counts);
    ~upstreams();

    /// A whole answer. Connection errors, 429 and 5xx are tried again as configured.
    [[nodiscard]] net::task<std::variant<wire::response, upstream_failure>>
    complete(const upstream_config& up, const wire::request& asked, const caller& who);
    /// A stream, once its head is there.
    [[nodiscard]] net::task<std::variant<std::unique_ptr<generation>, upstream_failure>>
    open(const upstream_config& up, const wire::request& asked, const caller& who);
    /// A request of any kind, byte for byte; its response is relayed by the caller. Not for scripts.
    [[nodiscard]] net::task<std::variant<net::response, upstream_failure>>
    forward(const upstream_config& up, std::string_view method, std::string_view target,
            const net::fields& headers, std::string_view body, const caller& who);

private:
    [[nodiscard]] net::task<std::variant<net::response, upstream_failure>>
    send(const upstream_config& up, std::string_view method, net::url to, net::fields headers,
         std::string_view body);
    [[nodiscard]] net::fields headers_for(const upstream_config& up, const caller& who) const;

    const gateway_config& config_;
    metrics& counts_;
    net::client client_;
};

} // namespace jsonheal::gateway
