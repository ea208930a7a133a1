// What the tests of `net` share: a server of a handler, one call, sockets that write what they like.
#pragma once

#include <jsonheal/net.hpp>

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace jsonheal_test {

namespace net = jsonheal::net;

/// Sanitizers and crowded machines are slower; bounds of time are widened by this.
inline int patience() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return 10;
#else
    return 1;
#endif
}

inline net::task<void> must(net::task<bool> work) { EXPECT_TRUE(co_await std::move(work)); }
inline void must_not(const net::error& e) { ADD_FAILURE() << name(e.kind) << ": " << e.message; }

/// Raised by one thread, awaited by another.
class flag {
public:
    void raise() {
        const std::lock_guard lock(mutex_);
        raised_ = true;
        changed_.notify_all();
    }
    [[nodiscard]] bool wait(std::chrono::milliseconds limit) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, limit * patience(), [&] { return raised_; });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool raised_ = false;
};

class live_server {
public:
    explicit live_server(net::handler h, net::server_options o = one_core())
        : tls_(!o.certificate_file.empty()), server_(std::move(o), std::move(h)) {
        server_.start();
    }
    static net::server_options one_core() {
        net::server_options o;
        o.cores = 1;
        return o;
    }
    [[nodiscard]] net::url at(std::string_view target) const {
        net::url u;
        u.scheme = tls_ ? "https" : "http";
        u.host = "127.0.0.1";
        u.port = server_.port();
        u.target = target;
        return u;
    }
    [[nodiscard]] std::uint16_t port() const { return server_.port(); }
    [[nodiscard]] net::server& operator*() { return server_; }
    [[nodiscard]] net::server* operator->() { return &server_; }

private:
    bool tls_;
    net::server server_;
};

/// What came back of one call, or the name of the class of its error.
struct exchange {
    net::response_head head;
    std::string body;
    std::string failed;
    bool reused = false;
};

inline net::task<exchange> call(net::client& client, const net::client_request& rq,
                                std::size_t limit = std::size_t{1} << 30) {
    exchange out;
    auto response = co_await client.send(rq);
    if (!response) {
        out.failed = name(response.error().kind);
        co_return out;
    }
    out.head = std::move(response->head);
    out.reused = response->reused();
    auto body = co_await response->read_all(limit);
    if (!body) {
        out.failed = name(body.error().kind);
    } else {
        out.body = std::move(*body);
    }
    co_return out;
}

inline exchange call(const net::client_request& rq, net::client_options options = {}) {
    exchange out;
    net::client client(std::move(options));
    net::run([](net::client& c, const net::client_request& r, exchange& o) -> net::task<void> {
        o = co_await call(c, r);
    }(client, rq, out));
    return out;
}

/// A connected socket of which the test decides every byte.
class raw_socket {
public:
    explicit raw_socket(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
        const sockaddr_in to = address(port);
        if (::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
            ADD_FAILURE() << "connect";
        }
    }
    explicit raw_socket(int fd) : fd_(fd) {}
    ~raw_socket() { close(); }
    raw_socket(raw_socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    raw_socket& operator=(raw_socket&&) = delete;

    static sockaddr_in address(std::uint16_t port) {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return to;
    }
    /// False if the other side has gone.
    bool send(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (n <= 0) { return false; }
            bytes.remove_prefix(static_cast<std::size_t>(n));
        }
        return true;
    }
    /// What comes until the other side closes or is silent for `limit`.
    std::string read_to_end(std::chrono::milliseconds limit = std::chrono::milliseconds(3000)) {
        std::string out;
        while (read_some(out, limit)) {}
        return out;
    }
    /// What comes until the text holds `mark`.
    std::string read_until(std::string_view mark,
                           std::chrono::milliseconds limit = std::chrono::milliseconds(3000)) {
        std::string out;
        while (out.find(mark) == std::string::npos && read_some(out, limit)) {}
        return out;
    }
    [[nodiscard]] bool closed_within(std::chrono::milliseconds limit) {
        std::string dropped;
        while (read_some(dropped, limit)) {}
        return ended_;
    }
    void shutdown_send() { ::shutdown(fd_, SHUT_WR); }
    void close() {
        if (fd_ >= 0) { ::close(fd_); }
        fd_ = -1;
    }
    /// Closes so that the other side gets a reset.
    void reset() {
        const linger now{1, 0};
        ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
        close();
    }
    [[nodiscard]] int native() const { return fd_; }

private:
    bool read_some(std::string& out, std::chrono::milliseconds limit) {
        pollfd p{fd_, POLLIN, 0};
        if (::poll(&p, 1, static_cast<int>((limit * patience()).count())) <= 0) { return false; }
        std::array<char, 65536> bytes; // NOLINT: filled by recv
        const ssize_t n = ::recv(fd_, bytes.data(), bytes.size(), 0);
        if (n <= 0) {
            ended_ = true;
            return false;
        }
        out.append(bytes.data(), static_cast<std::size_t>(n));
        return true;
    }
    int fd_;
    bool ended_ = false;
};

/// Listens and hands out what connects: an upstream of which the test decides every byte.
class raw_listener {
public:
    raw_listener() : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in at = raw_socket::address(0);
        socklen_t size = sizeof at;
        EXPECT_EQ(::bind(fd_, reinterpret_cast<const sockaddr*>(&at), size), 0);
        EXPECT_EQ(::listen(fd_, 64), 0);
        EXPECT_EQ(::getsockname(fd_, reinterpret_cast<sockaddr*>(&at), &size), 0);
        port_ = ntohs(at.sin_port);
    }
    ~raw_listener() { ::close(fd_); }
    raw_listener(const raw_listener&) = delete;
    raw_listener& operator=(const raw_listener&) = delete;
    [[nodiscard]] raw_socket accept() { return raw_socket(::accept(fd_, nullptr, nullptr)); }
    [[nodiscard]] net::url at(std::string_view target) const {
        net::url u;
        u.scheme = "http";
        u.host = "127.0.0.1";
        u.port = port_;
        u.target = target;
        return u;
    }
    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] int native() const { return fd_; }

private:
    int fd_;
    std::uint16_t port_ = 0;
};

} // namespace jsonheal_test
