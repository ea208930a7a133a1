#include "connection.hpp"
#include "sockets.hpp"

#include <jsonheal/net_server.hpp>

#include <stdexcept>
#include <thread>

namespace jsonheal::net {

namespace {

using reuse_port = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

/// How long accepting pauses when the machine is out of descriptors.
constexpr std::chrono::milliseconds pause_time{100};
/// How long handlers that were cancelled have to return before the loop ends under them.
constexpr std::chrono::milliseconds grace_time{1'000};

std::string json_string(std::string_view text) { // only ever the sentences of http_fault, so no quotes
    return '"' + std::string(text) + '"';
}

std::string default_error_body(int status, std::string_view why) {
    const std::string type = status >= 500 ? "server_error" : "invalid_request_error";
    return R"({"error":{"message":)" + json_string(why) + R"(,"type":)" + json_string(type) +
           R"(,"param":null,"code":null}})";
}

/// Cores share the port by SO_REUSEPORT, which would let another process of the same user share it too, unnoticed.
void check_free(const tcp::endpoint& at) {
    asio::io_context context;
    tcp::acceptor probe(context, at.protocol());
    probe.set_option(tcp::acceptor::reuse_address(true));
    error_code ec;
    probe.bind(at, ec);
    if (ec) {
        throw std::runtime_error("jsonheal::net::server: cannot listen on " + at.address().to_string() +
                                 " port " + std::to_string(at.port()) + ": " + ec.message());
    }
}

/// One core: its loop, its socket that listens, its connections.
struct server_core {
    server_core(const server_options& options, const handler& handle, std::shared_ptr<tls_context> tls,
                std::atomic<std::size_t>& all)
        : shared(loop, options, handle, std::move(tls)),
          acceptor(loop.context.get_executor()),
          total(all),
          pause([](void* self) { static_cast<server_core*>(self)->accept(); }, this),
          last_call([](void* self) { static_cast<server_core*>(self)->cancel_all(); }, this),
          grace([](void* self) { static_cast<server_core*>(self)->loop.context.stop(); }, this) {
        shared.on_empty = [this] { stop_when_empty(); };
    }

    ~server_core() { loop.shut(); }
    server_core(const server_core&) = delete;
    server_core& operator=(const server_core&) = delete;

    void listen(const tcp::endpoint& at) {
        acceptor.open(at.protocol());
        acceptor.set_option(tcp::acceptor::reuse_address(true));
        acceptor.set_option(reuse_port(true));
        acceptor.bind(at);
        acceptor.listen(4096);
    }

    void accept() {
        if (shared.draining) { return; }
        acceptor.async_accept(peer, [this](error_code ec, tcp_socket socket) {
            if (ec == asio::error::operation_aborted || shared.draining) { return; }
            if (ec == asio::error::no_descriptors || ec == asio::error::no_buffer_space ||
                ec == asio::error::no_memory || ec.value() == ENFILE) {
                return loop.wheel.arm_in(pause, pause_time);
            }
            if (!ec) { open(std::move(socket)); }
            accept();
        });
    }

    void open(tcp_socket socket) {
        if (total.load(std::memory_order_relaxed) >= shared.options.connection_limit) {
            static constexpr std::string_view busy = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: "
                                                     "0\r\nRetry-After: 1\r\nConnection: close\r\n\r\n";
            if (!shared.tls) {
                ::send(socket.native_handle(), busy.data(), busy.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            }
            return;
        }
        prepare(socket);
        // The count is given back when the last reference to the connection goes.
        total.fetch_add(1, std::memory_order_relaxed);
        const std::shared_ptr<connection> made(
            new connection(shared, std::move(socket), peer.address().to_string()),
            [&all = total](connection* c) {
                delete c; // NOLINT: a shared_ptr's own deleter
                all.fetch_sub(1, std::memory_order_relaxed);
            });
        made->start();
    }

    void drain(std::chrono::milliseconds deadline) {
        if (shared.draining) { return; }
        shared.draining = true;
        error_code ignored;
        acceptor.close(ignored);
        for (std::size_t i = shared.open.size(); i-- > 0;) {
            if (i < shared.open.size()) { shared.open[i]->drain(); }
        }
        loop.wheel.arm_in(last_call, deadline);
        stop_when_empty();
    }

    void cancel_all() {
        loop.wheel.arm_in(grace, grace_time);
        for (std::size_t i = shared.open.size(); i-- > 0;) {
            if (i < shared.open.size()) { shared.open[i]->close(); }
        }
    }

    void stop_when_empty() {
        if (shared.draining && shared.open.empty()) {
            asio::post(loop.context, [this] { loop.context.stop(); });
        }
    }

    core loop;
    listener shared;
    asio::basic_socket_acceptor<tcp, loop_executor> acceptor;
    tcp::endpoint peer;
    std::atomic<std::size_t>& total;
    deadline pause, last_call, grace;
    std::thread thread;
};

} // namespace

struct server::state {
    server_options options;
    handler handle;
    std::atomic<std::size_t> connections{0};
    std::uint16_t port = 0;
    std::vector<std::unique_ptr<server_core>> cores;
};

server::server(server_options options, handler h) : state_(std::make_unique<state>()) {
    state& s = *state_;
    s.options = std::move(options);
    s.handle = std::move(h);
    if (!s.options.error_body) { s.options.error_body = default_error_body; }
    if (s.options.cores == 0) { s.options.cores = std::max(1u, std::thread::hardware_concurrency()); }
    std::shared_ptr<tls_context> tls;
    if (!s.options.certificate_file.empty()) {
        tls = tls_context::for_server(s.options.certificate_file, s.options.key_file);
    }
    error_code ec;
    const asio::ip::address address = asio::ip::make_address(s.options.address, ec);
    if (ec) {
        throw std::runtime_error("jsonheal::net::server: '" + s.options.address + "' is no IP address");
    }
    if (s.options.port != 0) { check_free({address, s.options.port}); }
    s.port = s.options.port;
    for (unsigned i = 0; i < s.options.cores; ++i) {
        s.cores.push_back(std::make_unique<server_core>(s.options, s.handle, tls, s.connections));
        try {
            s.cores.back()->listen({address, s.port});
        } catch (const boost::system::system_error& e) {
            throw std::runtime_error("jsonheal::net::server: cannot listen on " + s.options.address +
                                     " port " + std::to_string(s.port) + ": " + e.code().message());
        }
        s.port = s.cores.back()->acceptor.local_endpoint().port(); // the others share the one that was free
    }
}

server::~server() {
    drain(std::chrono::milliseconds(0));
    join();
}

std::uint16_t server::port() const noexcept { return state_->port; }

void server::start() {
    for (const auto& c : state_->cores) {
        c->accept();
        c->thread = std::thread([&core = *c] {
            const auto work = asio::make_work_guard(core.loop.context);
            core.loop.run();
        });
    }
}

void server::drain(std::chrono::milliseconds deadline) {
    for (const auto& c : state_->cores) {
        asio::post(c->loop.context, [&core = *c, deadline] { core.drain(deadline); });
    }
}

void server::join() {
    for (const auto& c : state_->cores) {
        if (c->thread.joinable()) { c->thread.join(); }
    }
}

server_load server::load() const noexcept {
    server_load sum;
    for (const auto& c : state_->cores) {
        sum.connections += c->shared.connections.load(std::memory_order_relaxed);
        sum.requests += c->shared.requests.load(std::memory_order_relaxed);
    }
    return sum;
}

} // namespace jsonheal::net
