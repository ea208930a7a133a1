// The client against upstreams that answer in every way, and in none.
#include "support.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <zlib.h>

namespace {

using namespace jsonheal_test;
using namespace std::chrono_literals;
using clock_type = std::chrono::steady_clock;

/// Serves scripted bytes: connection by connection, for each request the next reply of that connection's list. A
/// reply of "CLOSE" closes at once, "RESET" resets, "HANG" keeps silent until the client leaves.
class scripted {
public:
    using script = std::vector<std::vector<std::string>>;
    explicit scripted(script connections)
        : thread_([this, list = std::move(connections)] {
              for (const auto& replies : list) {
                  raw_socket socket = listener_.accept();
                  ++accepted_;
                  bool open = true;
                  for (const std::string& reply : replies) {
                      if (!open) { break; }
                      requests_ += socket.read_until("\r\n\r\n");
                      if (reply == "CLOSE") { break; }
                      if (reply == "RESET") {
                          socket.reset();
                          open = false;
                      } else if (reply == "HANG") {
                          open = !socket.closed_within(10s);
                      } else if (reply.starts_with("SLOWLY ")) {
                          for (const char c : reply.substr(7)) {
                              socket.send(std::string(1, c));
                              std::this_thread::sleep_for(1ms);
                          }
                      } else {
                          socket.send(reply);
                      }
                  }
              }
          }) {}
    ~scripted() { join(); }
    scripted(const scripted&) = delete;
    scripted& operator=(const scripted&) = delete;
    void join() {
        if (thread_.joinable()) { thread_.join(); }
    }
    [[nodiscard]] net::url at(std::string_view target = "/") const { return listener_.at(target); }
    /// After `join`.
    [[nodiscard]] const std::string& requests() const { return requests_; }
    [[nodiscard]] int accepted() const { return accepted_; }

private:
    raw_listener listener_;
    std::string requests_;
    std::atomic<int> accepted_{0};
    std::thread thread_;
};

exchange once(const std::string& reply, net::client_options options = {}) {
    scripted upstream(scripted::script{{reply}});
    return call({"GET", upstream.at()}, options);
}

std::string compressed(const std::string& text, int window_bits, bool finish = true) {
    z_stream z{};
    deflateInit2(&z, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
    std::string out(text.size() + 1000, '\0');
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    z.avail_in = static_cast<uInt>(text.size());
    z.next_out = reinterpret_cast<Bytef*>(out.data());
    z.avail_out = static_cast<uInt>(out.size());
    deflate(&z, finish ? Z_FINISH : Z_SYNC_FLUSH);
    const std::size_t size = z.total_out;
    deflateEnd(&z);
    return out.substr(0, size);
}
constexpr int as_gzip = 31, as_zlib = 15, as_raw = -15;

std::string chunked(const std::string& body, std::size_t size) {
    std::string out;
    for (std::size_t i = 0; i < body.size(); i += size) {
        const std::string piece = body.substr(i, size);
        std::array<char, 20> digits{};
        std::snprintf(digits.data(), digits.size(), "%zx\r\n", piece.size());
        out += digits.data() + piece + "\r\n";
    }
    return out + "0\r\n\r\n";
}

TEST(client, reads_every_framing) {
    EXPECT_EQ(once("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello").body, "hello");
    EXPECT_EQ(once("HTTP/1.1 200 OK\r\n\r\nhello").body, "hello");
    EXPECT_EQ(once("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked("hello", 2)).body,
              "hello");
    EXPECT_EQ(once("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nhe\r\n3\r\nllo\r\n0\r\nA: "
                   "b\r\n\r\n")
                  .body,
              "hello");
    EXPECT_EQ(once("SLOWLY HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked("hello", 1)).body,
              "hello");
    EXPECT_EQ(once("HTTP/1.1 204 No Content\r\n\r\n").head.status, 204);
    EXPECT_EQ(once("HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n").head.status,
              302); // not followed
    EXPECT_EQ(once("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nA: b\r\n\r\nHTTP/1.1 200 "
                   "OK\r\nContent-Length: 2\r\n\r\nok")
                  .body,
              "ok");
    scripted heads(scripted::script{
        {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"}});
    net::run([](net::url to) -> net::task<void> {
        net::client c;
        const net::client_request head("HEAD", to), get("GET", to);
        EXPECT_EQ((co_await call(c, head)).body, "");
        const exchange e = co_await call(c, get);
        EXPECT_EQ(e.body, "ok");
        EXPECT_TRUE(e.reused);
    }(heads.at()));
}

TEST(client, names_what_went_wrong) {
    EXPECT_EQ(once("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel").failed, "reset");
    EXPECT_EQ(once("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n").failed, "reset");
    EXPECT_EQ(once("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n").failed, "protocol");
    EXPECT_EQ(once("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nhello").failed,
              "protocol");
    EXPECT_EQ(once("SSH-2.0-OpenSSH\r\n").failed, "protocol");
    EXPECT_EQ(once("HTTP/1.1 101 Switching Protocols\r\n\r\n").failed, "protocol");
    EXPECT_EQ(once("HTTP/1.1 200 OK\r\nA: " + std::string(100'000, 'a') + "\r\n\r\n").failed, "protocol");
    EXPECT_EQ(once("CLOSE").failed, "reset");
    EXPECT_EQ(once("RESET").failed, "reset");
    std::string interim;
    for (int i = 0; i < 30; ++i) { interim += "HTTP/1.1 102 Processing\r\n\r\n"; }
    EXPECT_EQ(once(interim).failed, "protocol");
    net::url nowhere = raw_listener().at("/"); // closed again
    EXPECT_EQ(call({"GET", nowhere}).failed, "connect");
    nowhere.host = "no-such-host.invalid";
    EXPECT_EQ(call({"GET", nowhere}).failed, "resolve");
}

TEST(client, resolves_names) {
    scripted upstream(scripted::script{{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"}});
    net::url to = upstream.at();
    to.host = "localhost"; // may be ::1 first, where nobody listens
    EXPECT_EQ(call({"GET", to}).body, "ok");
}

TEST(client, ends_what_takes_too_long) {
    const auto timed = [](const std::string& reply, net::call_limits limits) {
        scripted upstream(scripted::script{{reply, "HANG"}});
        net::client_options o;
        o.limits = limits;
        const auto before = clock_type::now();
        const exchange e = call({"GET", upstream.at()}, o);
        EXPECT_LT(clock_type::now() - before, 1s * patience());
        return e.failed;
    };
    EXPECT_EQ(timed("HANG", {.first_byte = 60ms}), "timeout_first_byte");
    EXPECT_EQ(timed("HTTP/1.1 200 OK\r\nA:", {.first_byte = 60ms}), "timeout_first_byte");
    EXPECT_EQ(timed("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", {.idle = 60ms}), "timeout_idle");
    EXPECT_EQ(timed("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", {.total = 60ms}), "timeout_total");
    EXPECT_EQ(timed("SLOWLY HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + std::string(200, 'x'),
                    {.idle = 5s, .total = 100ms}),
              "timeout_total");
    EXPECT_EQ(timed("HANG", {.first_byte = 0ms, .total = 60ms}), "timeout_total");
    // A listener whose queue is full does not answer.
    raw_listener full;
    std::vector<int> waiting;
    ::listen(full.native(), 0);
    for (int i = 0; i < 4; ++i) {
        const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        const sockaddr_in to = raw_socket::address(full.port());
        static_cast<void>(::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to));
        waiting.push_back(fd);
    }
    std::this_thread::sleep_for(20ms);
    net::client_options o;
    o.limits.connect = 100ms;
    EXPECT_EQ(call({"GET", full.at("/")}, o).failed, "timeout_connect");
    for (const int fd : waiting) { ::close(fd); }
}

TEST(client, keeps_connections_and_replaces_closed_ones) {
    const std::string ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    scripted upstream(
        scripted::script{{ok, ok},
                         {ok, "CLOSE"},
                         {ok + "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n"},
                         {"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"},
                         {ok}});
    net::run([](scripted& u) -> net::task<void> {
        net::client c;
        const net::client_request get("GET", u.at());
        EXPECT_FALSE((co_await call(c, get)).reused);
        EXPECT_TRUE((co_await call(c, get)).reused);
        co_await must(net::sleep(20ms)); // the upstream has closed: a new connection
        const exchange third = co_await call(c, get);
        EXPECT_EQ(third.body, "ok");
        EXPECT_FALSE(third.reused);
        // The upstream closes as the request arrives: sent again over a new connection.
        const exchange fourth = co_await call(c, get);
        EXPECT_EQ(fourth.body, "ok");
        EXPECT_FALSE(fourth.reused);
        co_await must(net::sleep(20ms)); // a response that nobody asked for is no answer to the next request
        const exchange fifth = co_await call(c, get);
        EXPECT_EQ(fifth.head.status, 200);
        EXPECT_FALSE(fifth.reused);
        EXPECT_FALSE((co_await call(c, get)).reused); // it said close
    }(upstream));
    upstream.join();
    EXPECT_EQ(upstream.accepted(), 5);
}

TEST(client, sends_nothing_twice_once_an_answer_began) {
    const std::string ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    scripted upstream(scripted::script{{ok, "HTTP/1.1 2"}, {ok}});
    net::run([](scripted& u) -> net::task<void> {
        net::client c;
        const net::client_request get("GET", u.at());
        EXPECT_EQ((co_await call(c, get)).body, "ok");
        EXPECT_EQ((co_await call(c, get)).failed, "reset");
        EXPECT_EQ((co_await call(c, get)).body, "ok");
    }(upstream));
    scripted fresh(scripted::script{{"CLOSE"}, {ok}}); // a connection that was not reused is no race
    net::run([](scripted& u) -> net::task<void> {
        net::client c;
        const net::client_request get("GET", u.at());
        EXPECT_EQ((co_await call(c, get)).failed, "reset");
        EXPECT_EQ((co_await call(c, get)).body, "ok");
    }(fresh));
}

TEST(client, drops_connections_whose_response_was_not_read) {
    const std::string two = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    scripted upstream(scripted::script{{two}, {two}});
    net::run([](scripted& u) -> net::task<void> {
        net::client c;
        const net::client_request get("GET", u.at());
        {
            const auto r = co_await c.send(get);
            EXPECT_TRUE(r.ok());
        }
        const exchange e = co_await call(c, get);
        EXPECT_FALSE(e.reused);
        EXPECT_EQ(e.body, "hello");
    }(upstream));
}

TEST(client, closes_connections_that_wait_too_long) {
    const std::string ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    scripted upstream(scripted::script{{ok, "HANG"}, {ok}});
    net::run([](scripted& u) -> net::task<void> {
        net::client_options o;
        o.keep_alive = 50ms;
        net::client c(o);
        const net::client_request get("GET", u.at());
        EXPECT_EQ((co_await call(c, get)).body, "ok");
        co_await must(net::sleep(150ms * patience()));
        const exchange e = co_await call(c, get);
        EXPECT_EQ(e.body, "ok");
        EXPECT_FALSE(e.reused);
    }(upstream));
}

TEST(client, decodes_gzip_and_deflate) {
    std::string text;
    for (int i = 0; text.size() < 300'000; ++i) { text += "line " + std::to_string(i * i) + "\n"; }
    struct row {
        const char* coding;
        int bits;
    };
    for (const row& r : {row{"gzip", as_gzip}, row{"GZIP", as_gzip}, row{"x-gzip", as_gzip},
                         row{"deflate", as_zlib}, row{"deflate", as_raw}}) {
        const std::string body = compressed(text, r.bits);
        const std::string head = std::string("HTTP/1.1 200 OK\r\nContent-Encoding: ") + r.coding + "\r\n";
        const exchange counted =
            once(head + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
        EXPECT_EQ(counted.failed, "") << r.coding;
        EXPECT_TRUE(counted.body == text) << r.coding;
        EXPECT_FALSE(counted.head.headers.contains("content-encoding"));
        EXPECT_FALSE(counted.head.headers.contains("content-length"));
        for (const std::size_t size : {1u, 7u, 5000u}) {
            EXPECT_TRUE(once(head + "Transfer-Encoding: chunked\r\n\r\n" + chunked(body, size)).body == text)
                << r.coding << " in chunks of " << size;
        }
        EXPECT_TRUE(once(head + "\r\n" + body).body == text) << r.coding << " to the end";
        EXPECT_EQ(once(head + "\r\n" + body.substr(0, body.size() / 2)).failed, "reset")
            << "cut " << r.coding;
    }
    EXPECT_TRUE(once("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + compressed("one,", as_gzip) +
                     compressed("two", as_gzip))
                    .body == "one,two");
    EXPECT_EQ(once("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nno gzip at all").failed, "protocol");
    EXPECT_EQ(once("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n").failed, "");
    const exchange other = once("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 2\r\n\r\nxx");
    EXPECT_EQ(other.body, "xx");
    EXPECT_EQ(other.head.headers.find("content-encoding"), "br");
    net::client_options raw;
    raw.decode = false;
    EXPECT_EQ(once("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + compressed("x", as_gzip), raw).body,
              compressed("x", as_gzip));
}

TEST(client, gives_each_event_of_a_compressed_stream_as_it_is_flushed) {
    flag second_wanted;
    live_server upstream([&](net::request&, net::responder& rs) -> net::task<void> {
        net::fields headers;
        headers.add("content-encoding", "gzip");
        co_await must(rs.start_stream(200, headers));
        co_await must(rs.write(compressed("data: one\n\n", as_gzip, false)));
        while (!second_wanted.wait(0ms)) { co_await must(net::sleep(2ms)); }
        co_await must(rs.write(compressed("", as_raw).substr(0, 2))); // an empty last block
        co_await must(rs.write(std::string(8, '\0'))); // a wrong checksum: the stream is damaged at its end
        co_await must(rs.finish());
    });
    net::run([](live_server& u, flag& wanted) -> net::task<void> {
        net::client c;
        const net::client_request get("GET", u.at("/"));
        auto r = co_await c.send(get);
        if (!r) { co_return must_not(r.error()); }
        auto piece = co_await r->read_some();
        EXPECT_TRUE(piece.ok());
        if (piece) { EXPECT_EQ(*piece, "data: one\n\n"); }
        wanted.raise();
        piece = co_await r->read_some();
        EXPECT_FALSE(piece.ok());
    }(upstream, second_wanted));
}

TEST(client, bounds_what_it_reads) {
    scripted upstream(
        scripted::script{{"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + std::string(1000, 'x')},
                         {"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + std::string(1000, 'x')},
                         {"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" +
                          compressed(std::string(50'000'000, '0'), as_gzip)}});
    net::run([](scripted& u) -> net::task<void> {
        net::client c;
        const net::client_request get("GET", u.at());
        EXPECT_EQ((co_await call(c, get, 999)).failed, "too_large");
        EXPECT_EQ((co_await call(c, get, 1000)).body.size(), 1000u);
        co_await must(net::sleep(10ms));
        EXPECT_EQ((co_await call(c, get, 1'000'000)).failed, "too_large"); // a bomb
    }(upstream));
}

TEST(client, writes_requests_that_can_be_read_one_way_only) {
    const std::string ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    scripted upstream(scripted::script{{ok}});
    net::client_request rq("POST", upstream.at("/a?b"), {}, "body");
    for (const char* name : {"Content-Length", "Transfer-Encoding", "Connection", "TE", "Expect"}) {
        rq.headers.add(name, "7");
    }
    rq.headers.add("authorization", "Bearer x");
    EXPECT_EQ(call(rq).head.status, 200);
    upstream.join();
    EXPECT_EQ(
        upstream.requests(),
        "POST /a?b HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(rq.to.port) +
            "\r\nauthorization: Bearer x\r\nAccept-Encoding: gzip, deflate\r\nContent-Length: 4\r\n\r\nbody");
    EXPECT_THROW(call({"GET /", upstream.at()}), std::invalid_argument);
    EXPECT_THROW(call({"", upstream.at()}), std::invalid_argument);
    EXPECT_THROW(call({"GET", upstream.at("/a b")}), std::invalid_argument);
    EXPECT_THROW(call({"GET", upstream.at("/\r\nx: y")}), std::invalid_argument);
    EXPECT_THROW(call({"GET", upstream.at("")}), std::invalid_argument);
}

TEST(client, reads_answers_that_come_before_the_request_is_taken) {
    net::server_options o = live_server::one_core();
    o.body_limit = 1000;
    live_server upstream(
        [](net::request&, net::responder& rs) -> net::task<void> { co_await must(rs.send(200, {}, "")); }, o);
    const std::string body(20'000'000, 'x');
    const exchange e = call({"POST", upstream.at("/"), {}, body});
    EXPECT_EQ(e.failed, "");
    EXPECT_EQ(e.head.status, 413);
}

} // namespace
