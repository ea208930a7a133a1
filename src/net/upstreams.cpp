#include "upstreams.hpp"

#include "sockets.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/socket.h>
#include <sys/uio.h>

namespace jsonheal::net {

namespace {

constexpr std::size_t buffer_size = 16 << 10;
constexpr std::size_t spare_buffers = 64;
/// Names whose addresses are remembered. Names come from the configuration, so more are a mistake of its author.
constexpr std::size_t names_limit = 1'000;
constexpr std::chrono::milliseconds unknown_again{1'000}; // how long a name counts as unknown

std::string with(const char* doing, const std::string& what) { return std::string(doing) + ": " + what; }

} // namespace

// --- a connection

upstream_connection::upstream_connection(core& loop, std::string k)
    : key(std::move(k)),
      loop_(loop),
      socket_(loop.context.get_executor()),
      deadline_(
          [](void* self) {
              auto& c = *static_cast<upstream_connection*>(self);
              if (c.idle_) { return c.loop_.upstream_pools().evict(c); }
              c.expired_ = true;
              error_code ignored;
              c.socket_.cancel(ignored);
          },
          this) {}

upstream_connection::~upstream_connection() {
    release_buffer();
    if (tls_) { tls_->close_notify(); }
}

void upstream_connection::release_buffer() {
    auto& spare = loop_.upstream_pools().buffers_;
    if (!buffer_.empty() && spare.size() < spare_buffers) { spare.push_back(std::move(buffer_)); }
    buffer_ = {};
    begin_ = end_ = 0;
}

void upstream_connection::watch(const time_bound& bound) {
    bound_ = bound;
    expired_ = false;
    if (bound.at == steady::time_point::max()) {
        deadline_.disarm();
    } else {
        loop_.wheel.arm(deadline_, bound.at);
    }
}

error upstream_connection::explain(error_code ec, error_class otherwise, const char* doing) {
    if (expired_) { return {bound_.kind, with(doing, "timed out")}; }
    if (ec == asio::error::operation_aborted) { return {error_class::cancelled, with(doing, "cancelled")}; }
    return {otherwise, with(doing, ec.message())};
}

task<error_code> upstream_connection::wait(tcp_socket::wait_type what, const time_bound& bound) {
    watch(bound);
    const auto [ec] = co_await socket_.async_wait(what, as_value);
    deadline_.disarm();
    co_return ec;
}

task<upstream_connection::fault> upstream_connection::connect(const std::vector<tcp::endpoint>& addresses,
                                                              const time_bound& bound) {
    error last{error_class::connect, "no address"};
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        // One address that does not answer must leave time for the others.
        time_bound share = bound;
        const auto others = static_cast<std::int64_t>(addresses.size() - i);
        if (others > 1 && bound.at != steady::time_point::max()) {
            share.at = steady::now() + (bound.at - steady::now()) / others;
        }
        watch(share);
        error_code ignored;
        socket_.close(ignored);
        const auto [ec] = co_await socket_.async_connect(addresses[i], as_value);
        deadline_.disarm();
        if (!ec) {
            prepare(socket_);
            co_return std::nullopt;
        }
        last = explain(ec, error_class::connect, "connect");
        if (last.kind == error_class::cancelled) { break; }
    }
    co_return last;
}

task<upstream_connection::fault> upstream_connection::handshake(std::shared_ptr<tls_context> context,
                                                                const std::string& host,
                                                                const time_bound& bound) {
    tls_ = std::make_unique<tls_session>(std::move(context), socket_.native_handle(), host);
    for (;;) {
        const io_step step = tls_->handshake();
        if (step.state == io_state::done) { co_return std::nullopt; }
        if (step.state == io_state::end || step.state == io_state::failed) {
            co_return error{error_class::tls, with("TLS handshake", tls_->why())};
        }
        const error_code ec = co_await wait(
            step.state == io_state::want_read ? tcp_socket::wait_read : tcp_socket::wait_write, bound);
        if (ec) { co_return explain(ec, error_class::tls, "TLS handshake"); }
    }
}

io_step upstream_connection::write_some(std::string_view head, std::string_view body) {
    if (tls_) {
        return tls_->write(head.empty() ? body.data() : head.data(),
                           head.empty() ? body.size() : head.size());
    }
    iovec pieces[2] = {{const_cast<char*>(head.data()), head.size()},
                       {const_cast<char*>(body.data()), body.size()}}; // NOLINT: sendmsg only reads
    msghdr message{};
    message.msg_iov = pieces;
    message.msg_iovlen = 2;
    const ssize_t n = ::sendmsg(socket_.native_handle(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n >= 0) { return {io_state::done, static_cast<std::size_t>(n)}; }
    return {errno == EAGAIN || errno == EINTR ? io_state::want_write : io_state::failed, 0};
}

task<upstream_connection::fault> upstream_connection::write(std::string_view head, std::string_view body,
                                                            const time_bound& bound) {
    while (!head.empty() || !body.empty()) {
        const io_step step = write_some(head, body);
        if (step.state == io_state::done) {
            const std::size_t of_head = std::min(step.size, head.size());
            head.remove_prefix(of_head);
            body.remove_prefix(step.size - of_head);
            continue;
        }
        if (step.state == io_state::end || step.state == io_state::failed) {
            co_return error{error_class::reset, "the upstream closed while the request was sent"};
        }
        const error_code ec = co_await wait(
            step.state == io_state::want_read ? tcp_socket::wait_read : tcp_socket::wait_write, bound);
        if (ec) { co_return explain(ec, error_class::reset, "sending the request"); }
    }
    co_return std::nullopt;
}

task<upstream_connection::fault> upstream_connection::read(const time_bound& bound) {
    if (buffer_.empty()) {
        auto& spare = loop_.upstream_pools().buffers_;
        if (spare.empty()) {
            buffer_.resize(buffer_size);
        } else {
            buffer_ = std::move(spare.back());
            spare.pop_back();
        }
    }
    if (begin_ == end_) {
        begin_ = end_ = 0;
    } else if (end_ == buffer_.size()) {
        std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
                  buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
        end_ -= begin_;
        begin_ = 0;
    }
    if (!tls_) {
        watch(bound);
        const auto [ec, size] = co_await socket_.async_read_some(
            asio::buffer(buffer_.data() + end_, buffer_.size() - end_), as_value);
        deadline_.disarm();
        end_ += size;
        if (ec && ec != asio::error::eof) {
            co_return explain(ec, error_class::reset, "reading the response");
        }
        co_return std::nullopt;
    }
    for (;;) {
        const io_step step = tls_->read(buffer_.data() + end_, buffer_.size() - end_);
        if (step.state == io_state::done) {
            end_ += step.size;
            co_return std::nullopt;
        }
        if (step.state == io_state::end) { co_return std::nullopt; }
        if (step.state == io_state::failed) {
            co_return error{error_class::reset, with("reading the response", tls_->why())};
        }
        const error_code ec = co_await wait(
            step.state == io_state::want_read ? tcp_socket::wait_read : tcp_socket::wait_write, bound);
        if (ec) { co_return explain(ec, error_class::reset, "reading the response"); }
    }
}

bool upstream_connection::fresh() {
    char byte = 0;
    if (tls_) {
        return tls_->read(&byte, 1).state == io_state::want_read;
    } // takes session tickets on the way
    return ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

// --- those that wait

upstreams::~upstreams() {
    // Connections give their buffers back here while they go.
    auto all = std::move(idle_);
    all.clear();
}

std::unique_ptr<upstream_connection> upstreams::take(const std::string& key) {
    const auto found = idle_.find(key);
    if (found == idle_.end()) { return nullptr; }
    while (!found->second.empty()) {
        std::unique_ptr<upstream_connection> c =
            std::move(found->second.back()); // the one used last is the likeliest to stand
        found->second.pop_back();
        c->deadline_.disarm();
        c->idle_ = false;
        if (c->fresh()) { return c; }
    }
    idle_.erase(found);
    return nullptr;
}

void upstreams::give(std::unique_ptr<upstream_connection> c, std::chrono::milliseconds keep_alive,
                     std::size_t limit) {
    c->release_buffer();
    auto& waiting = idle_[c->key];
    if (waiting.size() >= limit) { return; }
    c->used = c->idle_ = true;
    loop_.wheel.arm_in(c->deadline_, keep_alive);
    waiting.push_back(std::move(c));
}

void upstreams::evict(upstream_connection& c) {
    const auto found = idle_.find(c.key);
    std::erase_if(found->second, [&](const auto& waiting) { return waiting.get() == &c; });
    if (found->second.empty()) { idle_.erase(found); }
}

// --- names

struct upstreams::lookup {
    std::vector<asio::ip::address> addresses;
    std::string why;
    bool pending = false;
    steady::time_point until{};
    std::vector<loop_timer*> waiting;
};

void upstreams::begin(const std::string& host, const std::shared_ptr<lookup>& entry,
                      std::chrono::milliseconds again) {
    using resolver_type = asio::ip::basic_resolver<tcp, loop_executor>;
    const auto resolver = std::make_shared<resolver_type>(loop_.context.get_executor());
    entry->pending = true;
    resolver->async_resolve(
        host, "", asio::ip::resolver_base::flags(),
        [resolver, entry, again](error_code ec, const resolver_type::results_type& found) {
            entry->pending = false;
            entry->addresses.clear();
            for (const auto& one : found) { entry->addresses.push_back(one.endpoint().address()); }
            entry->why = ec ? ec.message() : "no address";
            entry->until =
                steady::now() + (entry->addresses.empty() ? std::min(again, unknown_again) : again);
            for (loop_timer* timer : entry->waiting) { timer->cancel(); }
        });
}

/// getaddrinfo cannot be stopped, so it goes on behind: who waits waits for a timer that its answer ends early.
task<result<std::vector<tcp::endpoint>>> upstreams::resolve(const std::string& host, std::uint16_t port,
                                                            const time_bound& bound,
                                                            std::chrono::milliseconds again) {
    std::vector<tcp::endpoint> out;
    error_code literal;
    const asio::ip::address address = asio::ip::make_address(host, literal);
    if (!literal) {
        out.emplace_back(address, port);
        co_return out;
    }
    if (names_.size() >= names_limit && names_.find(host) == names_.end()) {
        std::erase_if(names_, [](const auto& one) { return !one.second->pending; });
    }
    std::shared_ptr<lookup>& slot = names_[host];
    if (!slot) { slot = std::make_shared<lookup>(); }
    const std::shared_ptr<lookup> entry = slot;
    if (!entry->pending && entry->until <= steady::now()) { begin(host, entry, again); }
    if (entry->pending) {
        loop_timer timer(loop_.context.get_executor(), bound.at);
        entry->waiting.push_back(&timer);
        const auto [ec] = co_await timer.async_wait(as_value);
        std::erase(entry->waiting, &timer);
        if (entry->pending) {
            const bool timed_out = !ec;
            co_return error{timed_out ? bound.kind : error_class::cancelled,
                            "resolving " + host + (timed_out ? ": timed out" : ": cancelled")};
        }
    }
    if (entry->addresses.empty()) {
        co_return error{error_class::resolve, "resolving " + host + ": " + entry->why};
    }
    for (const asio::ip::address& one : entry->addresses) { out.emplace_back(one, port); }
    co_return out;
}

} // namespace jsonheal::net
