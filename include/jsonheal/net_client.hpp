/// @file net_client.hpp
/// HTTP/1.1 requests to upstreams, over connections that are kept for the next request of the same core.
///
///     net::client upstream;
///     const net::client_request ask("POST", where, headers, text);
///     auto response = co_await upstream.send(ask);
///     if (!response) { … response.error().kind … }
///     for (;;) {
///         auto piece = co_await response->read_some();
///         if (!piece) { … piece.error() … }
///         if (piece->empty()) { break; } // the end
///         …
///     }
///
/// Cancelling the task that waits (a server does it when the client of a request goes away) closes the upstream connection at
/// once; so does dropping a response that was not read to its end. Redirects are not followed, proxies not used.
#pragma once

#include <jsonheal/net_http.hpp>
#include <jsonheal/net_result.hpp>
#include <jsonheal/net_task.hpp>
#include <jsonheal/net_url.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace jsonheal::net {

/// How long a call may take; zero is no bound.
struct call_limits {
    std::chrono::milliseconds connect{10'000}; ///< name, connection and TLS handshake
    std::chrono::milliseconds first_byte{
        120'000};                             ///< from the end of the request to the head of the response
    std::chrono::milliseconds idle{60'000};   ///< between two pieces of the body; for taking the request too
    std::chrono::milliseconds total{900'000}; ///< from the call to the end of the body
};

struct client_options {
    call_limits limits;
    std::string ca_file;                             ///< PEM, trusted besides the system's certificates
    bool verify = true;                              ///< false trusts any certificate: for tests only
    bool decode = true;                              ///< ask for gzip and deflate, and decode them
    std::chrono::milliseconds keep_alive{30'000};    ///< how long a connection waits for its next request
    std::size_t idle_per_origin = 256;               ///< connections that wait, for each origin and core
    std::chrono::milliseconds resolve_again{30'000}; ///< how long addresses of a name are used
    head_limits head;
};

/// What to ask. `method` and `body` are views: they and the request itself must live until the head of the response is there.
struct client_request {
    // A constructor on purpose: g++ 12 destroys the temporaries of aggregates inside co_await twice.
    client_request(std::string_view m, url u, fields h = {}, std::string_view b = {})
        : method(m), to(std::move(u)), headers(std::move(h)), body(b) {}

    std::string_view method;
    url to;
    /// Host, Content-Length, Accept-Encoding are written if not given. Hop-by-hop fields are left out.
    fields headers;
    std::string_view body;
    std::optional<call_limits> limits; ///< in place of the client's
};

/// A response whose head has come; the body is read piece by piece. Belongs to the core where it was sent.
class response {
public:
    response(response&&) noexcept;
    response& operator=(response&&) noexcept;
    ~response();

    /// Content-Encoding and Content-Length are gone from the fields if the body is decoded here.
    response_head head;

    /// The next piece, as soon as there is one: a view that is valid until the next call. Empty at the end. An event of a
    /// compressed stream comes out when the upstream has flushed it. After an error the same error again.
    [[nodiscard]] task<result<std::string_view>> read_some();
    /// All that is left; error_class::too_large if it is more than `limit` bytes, decoded.
    [[nodiscard]] task<result<std::string>> read_all(std::size_t limit);
    /// True if the connection had served another request before.
    [[nodiscard]] bool reused() const noexcept;

private:
    friend class client;
    struct state;
    explicit response(std::unique_ptr<state> s);
    std::unique_ptr<state> state_;
};

class client {
public:
    /// Throws std::runtime_error if `ca_file` cannot be read.
    explicit client(client_options options = {});
    ~client();
    client(const client&) = delete;
    client& operator=(const client&) = delete;

    /// Sends a request and waits for the head of the response. A connection that turns out to be closed is replaced, and the
    /// request sent again, only if it had been used before and not a byte of a response came. May be called on any core;
    /// throws std::logic_error outside of a server's handler or `run`, std::invalid_argument if the method is no token.
    [[nodiscard]] task<result<response>> send(const client_request& request);

private:
    friend class response;
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace jsonheal::net
