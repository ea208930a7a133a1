/// @file net_server.hpp
/// HTTP/1.1 server: one loop and thread a core, a coroutine for each request.
///
///     net::server server(options, [](net::request& rq, net::responder& rs) -> net::task<void> {
///         net::fields headers;
///         headers.add("content-type", "text/plain");
///         co_await rs.send(200, headers, "You asked for " + rq.path);
///     });
///     server.start();
///     …
///     server.drain(std::chrono::seconds(30)); // any thread
///     server.join();
#pragma once

#include <jsonheal/net_http.hpp>
#include <jsonheal/net_task.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace jsonheal::net {

class connection;

/// A whole request. Valid until its handler returns.
struct request : request_head {
    std::string body;
    std::string peer; ///< address of the other side, without port
    bool tls = false;
};

/// Where a handler answers: either `send` once, or `start_stream`, any number of `write`, `finish`.
///
/// All but `abort` are awaited and return once the bytes are with the kernel, so a slow reader slows its handler and memory stays
/// bounded. False means that the client is gone; the handler should return, and what it awaits upstream was cancelled.
/// Content-Length, Transfer-Encoding, Connection and Date are written here; those given are left out. Using it twice, or out of
/// order, throws std::logic_error.
class responder {
public:
    explicit responder(connection& c) : connection_(&c) {}
    responder(const responder&) = delete;
    responder& operator=(const responder&) = delete;

    /// The whole response. The body is not copied unless the socket is full.
    [[nodiscard]] task<bool> send(int status, const fields& headers, std::string_view body);
    /// The head of a response whose length is not known: chunked, or ended by closing for HTTP/1.0.
    [[nodiscard]] task<bool> start_stream(int status, const fields& headers);
    /// A piece of the stream, as one chunk in one system call. Empty pieces write nothing.
    [[nodiscard]] task<bool> write(std::string_view bytes);
    /// The end of the stream.
    [[nodiscard]] task<bool> finish();
    /// Ends the connection so that the client sees that the response is not whole.
    void abort() noexcept;

    /// While the stream is open: writes `bytes` as a chunk whenever nothing was written for `interval`. For comments that keep
    /// an event stream alive. An empty text switches it off.
    void heartbeat(std::string bytes, std::chrono::milliseconds interval);

    [[nodiscard]] bool started() const noexcept;
    [[nodiscard]] bool client_gone() const noexcept;

private:
    connection* connection_;
};

using handler = std::function<task<void>(request&, responder&)>;

struct server_options {
    std::string address = "127.0.0.1"; ///< an IP address
    std::uint16_t port = 0;            ///< 0: one that is free, see `server::port`
    unsigned cores = 0;                ///< loops and threads; 0: as many as the machine has
    std::string certificate_file;      ///< PEM, the chain; empty: no TLS
    std::string key_file;              ///< PEM
    head_limits head;
    std::size_t body_limit = std::size_t{32} << 20; ///< more is answered 413 before it is read
    std::size_t connection_limit = 50'000;          ///< more are answered 503 and closed
    std::chrono::milliseconds header_timeout{
        10'000}; ///< from the first byte to the end of the head; the TLS handshake too
    std::chrono::milliseconds body_idle_timeout{30'000};   ///< between two pieces of the body
    std::chrono::milliseconds body_total_timeout{300'000}; ///< for the whole body
    std::chrono::milliseconds idle_timeout{75'000};        ///< between two requests of a connection
    std::chrono::milliseconds write_idle_timeout{30'000};  ///< the client takes nothing of a response
    /// The body of answers that the server gives by itself (400, 408, 413, 414, 417, 431, 500, 501, 503, 505) and its type.
    /// Default: `{"error":{"message":…,"type":"invalid_request_error","param":null,"code":null}}`.
    std::function<std::string(int status, std::string_view why)> error_body;
    std::string error_content_type = "application/json";
    /// Told what a handler threw; called on the core's thread. The client gets 500, or an aborted stream.
    std::function<void(std::string_view what)> on_exception;
};

/// What a server is doing now, summed over its cores.
struct server_load {
    std::size_t connections = 0; ///< open
    std::size_t requests = 0;    ///< whose handlers run
};

class server {
public:
    /// Listens at once. Throws std::runtime_error if the address cannot be used or the certificate not be read.
    server(server_options options, handler h);
    /// Stops at once, if it still runs.
    ~server();
    server(const server&) = delete;
    server& operator=(const server&) = delete;

    [[nodiscard]] std::uint16_t port() const noexcept;
    /// Starts the threads.
    void start();
    /// Stops accepting, lets running requests finish, closes idle connections; what still runs after `deadline` is cancelled and
    /// closed. Returns at once; `join` waits. May be called from any thread, but not from a signal handler.
    void drain(std::chrono::milliseconds deadline);
    /// Waits until the threads have ended after `drain`.
    void join();
    [[nodiscard]] server_load load() const noexcept;

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace jsonheal::net
