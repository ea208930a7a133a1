// Upstream connections of a core: made, kept for the next request, and given up; and the addresses of names.
#pragma once

#include "core.hpp"
#include "tls.hpp"

#include <jsonheal/net_client.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace jsonheal::net {

/// A time by which something must have happened, and what it is called if it has not.
struct time_bound {
    steady::time_point at = steady::time_point::max();
    error_class kind = error_class::timeout_total;

    /// The earlier of the two. A duration of zero is no bound.
    [[nodiscard]] time_bound within(std::chrono::milliseconds duration, error_class kind_then) const {
        if (duration.count() <= 0) { return *this; }
        const steady::time_point then = steady::now() + duration;
        return then < at ? time_bound{then, kind_then} : *this;
    }
};

class upstream_connection {
public:
    upstream_connection(core& loop, std::string key);
    ~upstream_connection();
    upstream_connection(const upstream_connection&) = delete;
    upstream_connection& operator=(const upstream_connection&) = delete;

    using fault = std::optional<error>;
    task<fault> connect(const std::vector<tcp::endpoint>& addresses, const time_bound& bound);
    task<fault> handshake(std::shared_ptr<tls_context> context, const std::string& host,
                          const time_bound& bound);
    task<fault> write(std::string_view head, std::string_view body, const time_bound& bound);
    /// Reads once; with nothing new in `unread()` and no fault the other side has closed.
    task<fault> read(const time_bound& bound);

    [[nodiscard]] std::string_view unread() const noexcept {
        return {buffer_.data() + begin_, end_ - begin_};
    }
    void consume(std::size_t size) noexcept { begin_ += size; }
    /// True if it could serve a request now: neither closed nor with bytes that nobody asked for.
    [[nodiscard]] bool fresh();

    const std::string key;
    bool used = false;

private:
    friend class upstreams;
    task<error_code> wait(tcp_socket::wait_type what, const time_bound& bound);
    [[nodiscard]] io_step write_some(std::string_view head, std::string_view body);
    [[nodiscard]] error explain(error_code ec, error_class otherwise, const char* doing);
    void watch(const time_bound& bound);
    void release_buffer();

    core& loop_;
    tcp_socket socket_;
    std::unique_ptr<tls_session> tls_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0, end_ = 0;
    time_bound bound_;
    bool expired_ = false;
    bool idle_ = false;
    deadline deadline_;
};

class upstreams {
public:
    explicit upstreams(core& loop) : loop_(loop) {}
    ~upstreams();
    upstreams(const upstreams&) = delete;
    upstreams& operator=(const upstreams&) = delete;

    /// A connection that waits, or null.
    [[nodiscard]] std::unique_ptr<upstream_connection> take(const std::string& key);
    void give(std::unique_ptr<upstream_connection> c, std::chrono::milliseconds keep_alive,
              std::size_t limit);
    task<result<std::vector<tcp::endpoint>>> resolve(const std::string& host, std::uint16_t port,
                                                     const time_bound& bound,
                                                     std::chrono::milliseconds again);

private:
    friend class upstream_connection;
    struct lookup;
    void evict(upstream_connection& c);
    void begin(const std::string& host, const std::shared_ptr<lookup>& entry,
               std::chrono::milliseconds again);

    core& loop_;
    std::unordered_map<std::string, std::vector<std::unique_ptr<upstream_connection>>> idle_;
    std::unordered_map<std::string, std::shared_ptr<lookup>> names_;
    std::vector<std::vector<char>> buffers_;
};

} // namespace jsonheal::net
