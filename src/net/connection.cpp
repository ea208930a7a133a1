// Reading, the phases of a connection, and its end. Writing is in connection_write.cpp.
#include "connection.hpp"

#include <algorithm>
#include <cerrno>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace jsonheal::net {

namespace {

/// How long the rest of a refused request is read and dropped: closing with unread bytes would reset the connection, and the
/// client would not see the answer.
constexpr std::chrono::milliseconds linger_time{2'000};
/// How often a connection is asked whether it still stands while it cannot be read.
constexpr std::chrono::milliseconds watch_interval{40};

/// True if the other side has closed, though bytes wait unread.
bool peer_closed(int socket) {
    tcp_info info{};
    socklen_t size = sizeof info;
    if (::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) { return true; }
    return info.tcpi_state != TCP_ESTABLISHED;
}

} // namespace

connection::connection(listener& owner, tcp_socket socket, std::string peer)
    : owner_(owner),
      loop_(owner.loop),
      socket_(std::move(socket)),
      parser_(owner.options.head),
      read_deadline_([](void* self) { static_cast<connection*>(self)->on_deadline(); }, this),
      write_deadline_([](void* self) { static_cast<connection*>(self)->on_write_deadline(); }, this),
      watch_([](void* self) { static_cast<connection*>(self)->on_watch(); }, this),
      beat_([](void* self) { static_cast<connection*>(self)->on_heartbeat(); }, this) {
    request_.peer = std::move(peer);
}

connection::~connection() = default;

void connection::start() {
    place_ = owner_.open.size();
    owner_.open.push_back(this);
    ++owner_.connections;
    if (owner_.tls) {
        tls_ = std::make_unique<tls_session>(owner_.tls, socket_.native_handle());
        phase_ = phase::handshake;
    }
    request_.tls = tls_ != nullptr;
    set_deadline(owner_.options.header_timeout);
    read_more();
}

void connection::set_deadline(std::chrono::milliseconds duration) {
    loop_.wheel.arm_in(read_deadline_, duration);
}

void connection::drain() {
    if (phase_ == phase::handshake || (phase_ == phase::idle && !parser_.started())) { close(); }
}

void connection::close() {
    if (phase_ == phase::closed) { return; }
    if (phase_ == phase::handling) { // the handler sees it; its end closes
        lost();
        return;
    }
    const auto self = shared_from_this(); // the last reference may be that of a pending read
    phase_ = phase::closed;
    if (tls_ && !gone_) { tls_->close_notify(); }
    error_code ignored;
    socket_.close(ignored);
    read_deadline_.disarm();
    write_deadline_.disarm();
    watch_.disarm();
    beat_.disarm();
    owner_.open.back()->place_ = place_;
    std::swap(owner_.open[place_], owner_.open.back());
    owner_.open.pop_back();
    --owner_.connections;
    if (owner_.draining && owner_.open.empty() && owner_.on_empty) { owner_.on_empty(); }
}

// --- reading

void connection::read_more() {
    if (reading_ || end_seen_ || gone_ || phase_ == phase::closed) { return; }
    if (phase_ == phase::handling && backlog_full()) {
        loop_.wheel.arm_in(watch_, watch_interval);
        return;
    }
    reading_ = true;
    if (tls_) { // TLS reads the socket by itself
        socket_.async_wait(tcp_socket::wait_read, [self = shared_from_this()](error_code ec) {
            self->reading_ = false;
            if (!ec) { self->on_readable(); }
        });
        return;
    }
    socket_.async_read_some(
        asio::buffer(small_),
        [self = shared_from_this()](error_code ec, std::size_t size) { self->on_read(ec, size); });
}

void connection::on_read(error_code ec, std::size_t size) {
    reading_ = false;
    if (phase_ == phase::closed || ec == asio::error::operation_aborted) { return; }
    if (ec) { return on_end(); }
    consume({small_.data(), size});
    if (size == small_.size()) { drain_socket(); }
    read_more();
}

/// Takes what the socket has beyond the small buffer, by way of memory shared with all connections of the core.
void connection::drain_socket() {
    while (!end_seen_ && !gone_ && phase_ != phase::closed &&
           !(phase_ == phase::handling && backlog_full())) {
        std::vector<char>& scratch = loop_.scratch();
        const ssize_t n = ::recv(socket_.native_handle(), scratch.data(), scratch.size(), MSG_DONTWAIT);
        if (n <= 0) {
            if (n == 0 || (errno != EAGAIN && errno != EINTR)) { on_end(); }
            return;
        }
        consume({scratch.data(), static_cast<std::size_t>(n)});
        if (static_cast<std::size_t>(n) < scratch.size()) { return; }
    }
}

void connection::on_readable() {
    if (phase_ == phase::closed) { return; }
    if (phase_ == phase::handshake) { return continue_handshake(); }
    drain_tls();
    read_more();
}

void connection::continue_handshake() {
    const io_step step = tls_->handshake();
    switch (step.state) {
    case io_state::done:
        phase_ = phase::idle;
        set_deadline(owner_.options.header_timeout);
        drain_tls();
        return read_more();
    case io_state::want_read: return read_more();
    case io_state::want_write:
        socket_.async_wait(tcp_socket::wait_write, [self = shared_from_this()](error_code ec) {
            if (!ec && self->phase_ == phase::handshake) { self->continue_handshake(); }
        });
        return;
    case io_state::end:
    case io_state::failed: gone_ = true; return close();
    }
}

void connection::drain_tls() {
    while (!end_seen_ && !gone_ && phase_ != phase::closed &&
           !(phase_ == phase::handling && backlog_full())) {
        std::vector<char>& scratch = loop_.scratch();
        const io_step step = tls_->read(scratch.data(), scratch.size());
        if (step.state == io_state::want_read || step.state == io_state::want_write) { return; }
        if (step.state != io_state::done) { return on_end(); }
        consume({scratch.data(), step.size});
    }
}

/// The other side has closed, or the connection broke. While a handler runs the client counts as gone, also if it closed only
/// its own direction: that is what a client that gave up looks like.
void connection::on_end() {
    end_seen_ = true;
    if (phase_ == phase::handling) { return lost(); }
    close();
}

void connection::on_watch() {
    if (phase_ != phase::handling || gone_) { return; }
    if (peer_closed(socket_.native_handle())) { return on_end(); }
    loop_.wheel.arm_in(watch_, watch_interval);
}

void connection::consume(std::string_view bytes) {
    if (phase_ == phase::handling) {
        ahead_.append(bytes);
        return;
    }
    if (!takes_requests()) { return; } // lingering: dropped
    consuming_ = true; // a handler that ends at once must not start the next request from within this one
    if (take(bytes)) {
        ahead_.append(bytes);
        run();
    }
    while (takes_requests() && ahead_begin_ < ahead_.size()) {
        std::string_view rest = std::string_view(ahead_).substr(ahead_begin_);
        const bool whole = take(rest);
        ahead_begin_ = ahead_.size() - rest.size();
        if (whole) { run(); }
    }
    if (ahead_begin_ == ahead_.size() || phase_ == phase::lingering || phase_ == phase::closed) {
        ahead_ = std::string();
        ahead_begin_ = 0;
    }
    consuming_ = false;
}

/// Takes bytes off the front; true when a request is whole.
bool connection::take(std::string_view& bytes) {
    if (phase_ == phase::body) { return take_body(bytes); }
    if (phase_ == phase::idle && !bytes.empty()) {
        phase_ = phase::head;
        set_deadline(owner_.options.header_timeout);
    }
    bytes.remove_prefix(parser_.feed(bytes));
    if (parser_.fault()) {
        refuse(parser_.fault());
        return false;
    }
    if (!parser_.done()) { return false; }
    begin_body(!bytes.empty());
    return take_body(bytes);
}

/// The head is whole.
void connection::begin_body(bool more) {
    static_cast<request_head&>(request_) = std::move(parser_.head);
    parser_.reset();
    body_ = body_parser(request_.body_framing, request_.length);
    phase_ = phase::body;
    if (!body_.done() && body_.remaining() <= owner_.options.body_limit) {
        body_until_ = steady::now() + owner_.options.body_total_timeout;
        if (request_.expects_continue && !more) { push({"HTTP/1.1 100 Continue\r\n\r\n"}); }
    }
}

bool connection::take_body(std::string_view& bytes) {
    while (!bytes.empty() && !body_.done() && !body_.fault()) {
        const std::string_view piece = body_.next(bytes);
        request_.body.append(piece);
    }
    if (body_.fault()) {
        refuse(body_.fault());
        return false;
    }
    if (request_.body.size() + body_.remaining() >
        owner_.options.body_limit) { // a chunk says so before it comes
        refuse({413, "the body is too large"});
        return false;
    }
    if (!body_.done()) {
        loop_.wheel.arm(read_deadline_,
                        std::min(body_until_, steady::now() + owner_.options.body_idle_timeout));
    }
    return body_.done();
}

void connection::on_deadline() {
    const bool begun = phase_ == phase::head || phase_ == phase::body;
    if (begun) { return refuse({408, "the request took too long to arrive"}); }
    close();
}

// --- handling

void connection::run() {
    phase_ = phase::handling;
    reply_ = reply::none;
    keep_ = request_.keep_alive;
    read_deadline_.disarm();
    ++owner_.requests;
    asio::co_spawn(
        loop_.context, run_handler(),
        asio::bind_cancellation_slot(
            signal_.slot(), [self = shared_from_this()](std::exception_ptr) { self->on_handled(); }));
}

task<void> connection::run_handler() {
    co_await asio::this_coro::throw_if_cancelled(false); // what is cancelled says so by its result
    responder answer(*this);
    bool failed = false;
    try {
        co_await owner_.handle(request_, answer);
    } catch (const std::exception& e) {
        failed = true;
        if (owner_.options.on_exception) { owner_.options.on_exception(e.what()); }
    } catch (...) {
        failed = true;
        if (owner_.options.on_exception) {
            owner_.options.on_exception("an exception of another type than std::exception");
        }
    }
    if (reply_ == reply::stream) { abort_response(); }
    if (reply_ == reply::none && !gone_) {
        fields headers;
        headers.add("content-type", owner_.options.error_content_type);
        const std::string body =
            owner_.options.error_body(500, failed ? "the handler failed" : "the handler gave no answer");
        static_cast<void>(co_await send(500, headers, body));
    }
}

void connection::on_handled() {
    --owner_.requests;
    beat_.disarm();
    watch_.disarm();
    phase_ = phase::idle;
    const std::string peer = std::move(request_.peer);
    request_ = request();
    request_.peer = peer;
    request_.tls = tls_ != nullptr;
    if (gone_ || reply_ == reply::aborted) {
        gone_ = true;
        return close();
    }
    if (!keep_ || owner_.draining) { return end_after_response(ahead_begin_ < ahead_.size()); }
    set_deadline(owner_.options.idle_timeout);
    if (consuming_) { return; } // its loop goes on
    consume({});
    read_more();
}

/// The client is gone, or is given up: what the handler awaits is cancelled, here and upstream.
void connection::lost() {
    if (gone_) { return; }
    gone_ = true;
    error_code ignored;
    socket_.cancel(ignored);
    // Once all is sent, what the handler still has to do is not the client's matter.
    const bool answered = reply_ == reply::done && !unsent();
    if (phase_ == phase::handling && !answered) { signal_.emit(asio::cancellation_type::all); }
}

/// Closes so that the response arrives. `unread`: the client may still be sending.
void connection::end_after_response(bool unread) {
    if (!unread) { return close(); }
    if (tls_) { tls_->close_notify(); }
    error_code ignored;
    socket_.shutdown(tcp_socket::shutdown_send, ignored);
    phase_ = phase::lingering;
    request_ = request();
    parser_.reset();
    set_deadline(linger_time);
    read_more();
}

} // namespace jsonheal::net
