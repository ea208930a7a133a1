// What a responder writes: tried at once, awaited only if the socket is full.
#include "connection.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/uio.h>

namespace jsonheal::net {

namespace {

void append_number(std::string& out, std::size_t value, int base) {
    std::array<char, 24> digits; // NOLINT: to_chars fills it
    out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value, base).ptr);
}

/// The size line of a chunk.
struct chunk_size {
    explicit chunk_size(std::size_t size) {
        char* end = std::to_chars(digits.data(), digits.data() + digits.size() - 2, size, 16).ptr;
        *end++ = '\r';
        *end++ = '\n';
        text = {digits.data(), static_cast<std::size_t>(end - digits.data())};
    }
    std::array<char, 20> digits; // NOLINT: to_chars fills it
    std::string_view text;
};

} // namespace

/// Hands bytes to the socket; what it does not take waits in `out_`. False if the client is gone.
bool connection::push(parts bytes) {
    if (gone_) { return false; }
    if (beat_.armed()) { last_write_ = steady::now(); }
    std::size_t taken = 0;
    if (!tls_ && !unsent()) {
        std::array<iovec, 4> pieces{};
        std::size_t count = 0;
        for (const std::string_view part : bytes) {
            if (!part.empty()) {
                pieces[count++] = {const_cast<char*>(part.data()), part.size()};
            } // NOLINT: sendmsg only reads
        }
        msghdr message{};
        message.msg_iov = pieces.data();
        message.msg_iovlen = count;
        const ssize_t n = ::sendmsg(socket_.native_handle(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno != EAGAIN && errno != EINTR) {
            lost();
            return false;
        }
        taken = n > 0 ? static_cast<std::size_t>(n) : 0;
    }
    for (std::string_view part : bytes) {
        const std::size_t skipped = std::min(taken, part.size());
        taken -= skipped;
        out_.append(part.substr(skipped));
    }
    if (tls_) { push_waiting(); }
    return !gone_;
}

/// Hands over what waits, as far as the socket takes it.
void connection::push_waiting() {
    while (unsent() && !gone_) {
        const std::string_view rest = std::string_view(out_).substr(out_begin_);
        io_step step;
        if (tls_) {
            step = tls_->write(rest.data(), rest.size());
        } else {
            const ssize_t n =
                ::send(socket_.native_handle(), rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            const bool full = n < 0 && (errno == EAGAIN || errno == EINTR);
            step = n >= 0 ? io_step{io_state::done, static_cast<std::size_t>(n)}
                          : io_step{full ? io_state::want_write : io_state::failed, 0};
        }
        write_wants_read_ = step.state == io_state::want_read;
        if (step.state == io_state::want_read || step.state == io_state::want_write) { return; }
        if (step.state != io_state::done) { return lost(); }
        out_begin_ += step.size;
    }
    if (!unsent()) {
        out_begin_ = 0;
        if (out_.capacity() > backlog_limit) {
            out_ = std::string();
        } else {
            out_.clear();
        }
    }
}

/// Waits until nothing is left to send. This is the back-pressure: who writes waits for the slowest reader.
task<bool> connection::flushed() {
    const auto self = shared_from_this();
    while (unsent() && !gone_) {
        loop_.wheel.arm_in(write_deadline_, owner_.options.write_idle_timeout);
        const auto [ec] = co_await socket_.async_wait(
            write_wants_read_ ? tcp_socket::wait_read : tcp_socket::wait_write, as_value);
        write_deadline_.disarm();
        if (ec) {
            lost();
        } else {
            push_waiting();
        }
    }
    co_return !gone_;
}

void connection::on_write_deadline() { lost(); }

/// The head of a response. `length`: of its body, if known.
std::string_view connection::head_text(int status, const fields& headers, std::optional<std::size_t> length) {
    std::string& out = loop_.text();
    out.append("HTTP/1.1 ");
    append_number(out, static_cast<std::size_t>(status), 10);
    out.append(" ").append(reason_phrase(status)).append("\r\n").append(loop_.date_line());
    for (const field f : headers) {
        if (is_hop_field(f.name) || same_name(f.name, "date")) { continue; }
        out.append(f.name).append(": ").append(f.value).append("\r\n");
    }
    const bool none = status == 204 || status == 304 || status < 200;
    bodiless_ = none || request_.method == "HEAD";
    chunked_ = false;
    if (length && !none) {
        out.append("Content-Length: ");
        append_number(out, *length, 10);
        out.append("\r\n");
    } else if (!length && !none) {
        chunked_ = request_.minor == 1;
        if (chunked_) {
            out.append("Transfer-Encoding: chunked\r\n");
        } else {
            keep_ = false;
        }
    }
    keep_ = keep_ && !owner_.draining;
    if (!keep_) {
        out.append("Connection: close\r\n");
    } else if (request_.minor == 0) {
        out.append("Connection: keep-alive\r\n");
    }
    out.append("\r\n");
    return out;
}

task<bool> connection::send(int status, const fields& headers, std::string_view body) {
    if (reply_ != reply::none) {
        throw std::logic_error("jsonheal::net::responder: a response was started already");
    }
    if (status < 200 || status > 999) {
        throw std::logic_error("jsonheal::net::responder: the status must be from 200 to 999");
    }
    reply_ = reply::done;
    const std::string_view head = head_text(status, headers, body.size());
    push({head, bodiless_ ? std::string_view() : body});
    if (!unsent()) { co_return !gone_; }
    co_return co_await flushed();
}

task<bool> connection::start_stream(int status, const fields& headers) {
    if (reply_ != reply::none) {
        throw std::logic_error("jsonheal::net::responder: a response was started already");
    }
    if (status < 200 || status > 999) {
        throw std::logic_error("jsonheal::net::responder: the status must be from 200 to 999");
    }
    reply_ = reply::stream;
    push({head_text(status, headers, std::nullopt)});
    if (!unsent()) { co_return !gone_; }
    co_return co_await flushed();
}

task<bool> connection::write(std::string_view bytes) {
    if (reply_ != reply::stream && reply_ != reply::aborted) {
        throw std::logic_error("jsonheal::net::responder: no stream is open");
    }
    if (bytes.empty() || bodiless_) { co_return !gone_; }
    if (chunked_) {
        const chunk_size size(bytes.size());
        push({size.text, bytes, "\r\n"});
    } else {
        push({bytes});
    }
    if (!unsent()) { co_return !gone_; }
    co_return co_await flushed();
}

task<bool> connection::finish() {
    if (reply_ != reply::stream && reply_ != reply::aborted) {
        throw std::logic_error("jsonheal::net::responder: no stream is open");
    }
    if (reply_ == reply::aborted) { co_return false; }
    reply_ = reply::done;
    beat_.disarm();
    if (chunked_ && !bodiless_) { push({"0\r\n\r\n"}); }
    if (!unsent()) { co_return !gone_; }
    co_return co_await flushed();
}

void connection::abort_response() {
    reply_ = reply::aborted;
    beat_.disarm();
    lost();
}

void connection::heartbeat(std::string bytes, std::chrono::milliseconds interval) {
    beat_bytes_ = std::move(bytes);
    beat_interval_ = interval;
    beat_.disarm();
    if (beat_bytes_.empty() || reply_ != reply::stream) { return; }
    last_write_ = steady::now();
    loop_.wheel.arm_in(beat_, interval);
}

void connection::on_heartbeat() {
    if (reply_ != reply::stream || gone_) { return; }
    const steady::time_point now = steady::now();
    // A socket that is full has something to send: the client will see that.
    if (now - last_write_ >= beat_interval_ && !unsent() && !bodiless_) {
        if (chunked_) {
            const chunk_size size(beat_bytes_.size());
            push({size.text, beat_bytes_, "\r\n"});
        } else {
            push({beat_bytes_});
        }
        last_write_ = now;
    }
    loop_.wheel.arm(beat_, last_write_ + beat_interval_);
}

/// Answers a request that was not understood or took too long, and ends the connection.
void connection::refuse(const http_fault& fault) {
    fields headers;
    headers.add("content-type", owner_.options.error_content_type);
    keep_ = false;
    request_.minor = 1;
    const std::string body = owner_.options.error_body(fault.status, fault.why);
    const std::string_view head = head_text(fault.status, headers, body.size());
    push({head, bodiless_ ? std::string_view() : std::string_view(body)});
    if (gone_) { return close(); }
    end_after_response(true);
}

// --- the public face

task<bool> responder::send(int status, const fields& headers, std::string_view body) {
    return connection_->send(status, headers, body);
}
task<bool> responder::start_stream(int status, const fields& headers) {
    return connection_->start_stream(status, headers);
}
task<bool> responder::write(std::string_view bytes) { return connection_->write(bytes); }
task<bool> responder::finish() { return connection_->finish(); }
void responder::abort() noexcept { connection_->abort_response(); }
void responder::heartbeat(std::string bytes, std::chrono::milliseconds interval) {
    connection_->heartbeat(std::move(bytes), interval);
}
bool responder::started() const noexcept { return connection_->response_started(); }
bool responder::client_gone() const noexcept { return connection_->gone(); }

} // namespace jsonheal::net
