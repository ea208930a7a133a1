// One connection of the server: a machine driven by what arrives, and a coroutine only while a handler runs.
#pragma once

#include "core.hpp"
#include "tls.hpp"

#include <jsonheal/net_server.hpp>

#include <array>
#include <atomic>
#include <initializer_list>
#include <memory>
#include <optional>

namespace jsonheal::net {

/// What the connections of one core share.
struct listener {
    listener(core& c, const server_options& o, const handler& h, std::shared_ptr<tls_context> t)
        : loop(c), options(o), handle(h), tls(std::move(t)) {}
    core& loop;
    const server_options& options;
    const handler& handle;
    std::shared_ptr<tls_context> tls;
    std::vector<connection*> open;
    std::atomic<std::size_t> connections{0}; // read by other threads
    std::atomic<std::size_t> requests{0};
    bool draining = false;
    std::function<void()> on_empty; // when draining and the last connection has closed
};

class connection : public std::enable_shared_from_this<connection> {
public:
    connection(listener& owner, tcp_socket socket, std::string peer);
    ~connection();
    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;

    void start();
    /// Closes if no request is running; else the running one is the last.
    void drain();
    /// Cancels what runs and closes.
    void close();

    // The responder's side.
    task<bool> send(int status, const fields& headers, std::string_view body);
    task<bool> start_stream(int status, const fields& headers);
    task<bool> write(std::string_view bytes);
    task<bool> finish();
    void abort_response();
    void heartbeat(std::string bytes, std::chrono::milliseconds interval);
    [[nodiscard]] bool response_started() const noexcept { return reply_ != reply::none; }
    [[nodiscard]] bool gone() const noexcept { return gone_; }

private:
    enum class phase : unsigned char { handshake, idle, head, body, handling, lingering, closed };
    enum class reply : unsigned char { none, stream, done, aborted };
    using parts = std::initializer_list<std::string_view>;
    static constexpr std::size_t backlog_limit = 64 << 10; // bytes taken ahead while a handler runs

    // Reading.
    void read_more();
    void on_read(error_code ec, std::size_t size);
    void on_readable();
    void drain_socket();
    void drain_tls();
    void on_end();
    void consume(std::string_view bytes);
    bool take(std::string_view& bytes);
    bool take_body(std::string_view& bytes);
    void begin_body(bool more);
    void continue_handshake();
    [[nodiscard]] bool backlog_full() const { return ahead_.size() - ahead_begin_ >= backlog_limit; }
    [[nodiscard]] bool takes_requests() const {
        return phase_ == phase::idle || phase_ == phase::head || phase_ == phase::body;
    }

    // Handling.
    void run();
    task<void> run_handler();
    void on_handled();
    void next_request();
    void lost();

    // Writing.
    bool push(parts bytes);
    void push_waiting();
    task<bool> flushed();
    [[nodiscard]] bool unsent() const { return out_begin_ < out_.size(); }
    std::string_view head_text(int status, const fields& headers, std::optional<std::size_t> length);
    void refuse(const http_fault& fault);
    void end_after_response(bool unread);

    void on_deadline();
    void on_write_deadline();
    void on_watch();
    void on_heartbeat();
    void set_deadline(std::chrono::milliseconds duration);

    listener& owner_;
    core& loop_;
    tcp_socket socket_;
    std::unique_ptr<tls_session> tls_;
    std::size_t place_ = 0; // in owner_.open
    phase phase_ = phase::idle;
    reply reply_ = reply::none;
    bool reading_ = false;          // a read of the socket is pending
    bool consuming_ = false;        // inside `consume`
    bool gone_ = false;             // the client is gone, or the connection given up
    bool keep_ = true;              // the connection lives on after this request
    bool chunked_ = false;          // the stream of the response is
    bool bodiless_ = false;         // the response has none: HEAD, 204, 304
    bool end_seen_ = false;         // nothing more will come
    bool write_wants_read_ = false; // TLS: writing goes on once something can be read
    request_parser parser_;
    body_parser body_;
    request request_;
    std::string ahead_; // what came while a handler ran, from ahead_begin_
    std::size_t ahead_begin_ = 0;
    std::string out_; // what the socket has not taken, from out_begin_
    std::size_t out_begin_ = 0;
    asio::cancellation_signal signal_;
    deadline read_deadline_, write_deadline_, watch_, beat_;
    steady::time_point body_until_{};
    std::string beat_bytes_;
    std::chrono::milliseconds beat_interval_{0};
    steady::time_point last_write_{};
    std::array<char, 1024> small_; // NOLINT: filled by reads
};

} // namespace jsonheal::net
