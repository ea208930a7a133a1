// The server against clients that are slow, hostile, many or gone.
#include "support.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>

namespace {

using namespace jsonheal_test;
using namespace std::chrono_literals;
using clock_type = std::chrono::steady_clock;

net::task<void> echo(net::request& rq, net::responder& rs) {
    co_await must(rs.send(200, {}, rq.method + " " + rq.target + " " + rq.body));
}

/// The statuses of the responses in a text, in order.
std::string statuses(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; (at = text.find("HTTP/1.1 ", at)) != std::string_view::npos; at += 9) {
        const std::string_view status = text.substr(at + 9, 3);
        if (status.find_first_not_of("0123456789") == std::string_view::npos) {
            out += std::string(status) + " ";
        }
    }
    return out;
}

std::string ask(const live_server& s, std::string_view bytes) {
    raw_socket socket(s.port());
    socket.send(bytes);
    socket.shutdown_send();
    return socket.read_to_end();
}

struct hostile_case {
    const char* name;
    std::string bytes;
    std::string wanted;
    friend std::ostream& operator<<(std::ostream& out, const hostile_case& c) { return out << c.name; }
};
class hostile : public testing::TestWithParam<hostile_case> {};

TEST_P(hostile, is_answered_and_closed) {
    std::atomic<int> handled{0};
    live_server s([&](net::request& rq, net::responder& rs) -> net::task<void> {
        ++handled;
        return echo(rq, rs);
    });
    raw_socket socket(s.port());
    socket.send(GetParam().bytes);
    const std::string answer = socket.read_to_end(1000ms);
    EXPECT_EQ(statuses(answer), GetParam().wanted) << answer;
    EXPECT_EQ(handled, GetParam().wanted.starts_with("200") ? 1 : 0);
    EXPECT_NE(answer.find("Connection: close"), std::string::npos);
    EXPECT_NE(answer.find("{\"error\":{\"message\":\""), std::string::npos);
    EXPECT_EQ(s->load().requests, 0u);
}
const std::string good = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nab";
INSTANTIATE_TEST_SUITE_P(
    table, hostile,
    testing::Values(
        hostile_case{"two lengths",
                     "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
                     "400 "},
        hostile_case{"length and coding",
                     "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nTransfer-Encoding: "
                     "chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n",
                     "400 "},
        hostile_case{"bare LF", "GET / HTTP/1.1\nHost: h\n\n", "400 "},
        hostile_case{"bad version", "GET / HTTP/3.0\r\nHost: h\r\n\r\n", "505 "},
        hostile_case{"bad chunk after a whole request",
                     good + "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                     "200 400 "},
        hostile_case{"huge chunk size",
                     "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
                     "400 "},
        hostile_case{"chunk larger than the limit",
                     "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n7FFFFFFFFFFFFFF\r\n" +
                         std::string(200, 'x'),
                     "413 "},
        hostile_case{"head of 1 MB", "GET / HTTP/1.1\r\nHost: h\r\nA: " + std::string(1 << 20, 'a'), "431 "},
        hostile_case{"10 000 fields",
                     [] {
                         std::string out = "GET / HTTP/1.1\r\nHost: h\r\n";
                         for (int i = 0; i < 10'000; ++i) { out += "A: b\r\n"; }
                         return out + "\r\n";
                     }(),
                     "431 "},
        hostile_case{"long target", "GET /" + std::string(1 << 20, 'a'), "414 "},
        hostile_case{"binary", std::string("\x16\x03\x01\x00\xa5\x01", 6), "400 "}));

TEST(server, refuses_large_bodies_before_they_come) {
    net::server_options o = live_server::one_core();
    o.body_limit = 1000;
    live_server s(echo, o);
    for (const char* head : {"Content-Length: 1001\r\n", "Content-Length: 1001\r\nExpect: 100-continue\r\n",
                             "Content-Length: 9223372036854775807\r\n"}) {
        raw_socket socket(s.port());
        socket.send(std::string("POST / HTTP/1.1\r\nHost: h\r\n") + head + "\r\n");
        EXPECT_EQ(statuses(socket.read_until("}}")), "413 ") << head; // and nothing of the body was sent
    }
    raw_socket chunked(s.port());
    chunked.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (int i = 0; i < 11; ++i) { chunked.send("64\r\n" + std::string(100, 'x') + "\r\n"); }
    EXPECT_EQ(statuses(chunked.read_until("}}")), "413 ");
    EXPECT_EQ(
        statuses(ask(s, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n" +
                            std::string(1000, 'x'))),
        "200 ");
}

TEST(server, takes_bodies_of_any_size_and_cut) {
    live_server s(echo);
    for (const std::size_t size : {0u, 1u, 900u, 1023u, 1024u, 1025u, 70'000u, 3'000'000u}) {
        const std::string body(size, 'b');
        const exchange e = call({"POST", s.at("/x"), {}, body});
        ASSERT_EQ(e.failed, "") << size;
        EXPECT_EQ(e.body, "POST /x " + body);
    }
    const std::string bytes =
        "POST /y HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n" + good;
    for (std::size_t cut = 1; cut < bytes.size(); cut += 3) {
        raw_socket socket(s.port());
        socket.send(bytes.substr(0, cut));
        std::this_thread::sleep_for(1ms);
        socket.send(bytes.substr(cut));
        const std::string answer = socket.read_until("POST / ab");
        EXPECT_NE(answer.find("POST /y abc"), std::string::npos) << answer;
        EXPECT_EQ(statuses(answer), "200 200 ") << cut;
    }
}

TEST(server, answers_pipelined_requests_in_order) {
    live_server s([](net::request& rq, net::responder& rs) -> net::task<void> {
        if (rq.target == "/slow") { co_await must(net::sleep(30ms)); }
        co_await must(rs.send(200, {}, "<" + rq.target + rq.body + ">"));
    });
    raw_socket socket(s.port());
    std::string many, wanted;
    for (int i = 0; i < 3000; ++i) { // more than is taken ahead while the first is handled
        const std::string target = i % 1500 == 0 ? "/slow" : "/" + std::to_string(i);
        many += "POST " + target + " HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nab";
        wanted += "<" + target + "ab>";
    }
    std::thread writer(
        [&] { socket.send(many + "GET /last HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"); });
    const std::string answer = socket.read_to_end();
    writer.join();
    std::string got;
    for (std::size_t at = 0; (at = answer.find('<', at)) != std::string::npos;) {
        const std::size_t end = answer.find('>', at);
        got += answer.substr(at, end + 1 - at);
        at = end;
    }
    EXPECT_EQ(got, wanted + "</last>");
}

TEST(server, says_continue_to_those_who_ask) {
    live_server s(echo);
    raw_socket socket(s.port());
    socket.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
    EXPECT_EQ(socket.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
    socket.send("ab");
    EXPECT_NE(socket.read_until("POST / ab").find("200 OK"), std::string::npos);
}

TEST(server, serves_heads_old_clients_and_statuses_without_body) {
    live_server s([](net::request& rq, net::responder& rs) -> net::task<void> {
        if (rq.path == "/stream") {
            co_await must(rs.start_stream(200, {}));
            co_await must(rs.write("one"));
            co_await must(rs.write(""));
            co_await must(rs.write("two"));
            co_await must(rs.finish());
        } else {
            co_await must(rs.send(rq.path == "/none" ? 204 : 200, {}, "body"));
        }
    });
    const std::string head = ask(s, "HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    EXPECT_TRUE(head.ends_with("\r\n\r\n")) << head;
    EXPECT_NE(head.find("Content-Length: 4\r\n"), std::string::npos);
    const std::string none = ask(s, "GET /none HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    EXPECT_TRUE(none.ends_with("\r\n\r\n")) << none;
    EXPECT_EQ(none.find("Content-Length"), std::string::npos);
    const std::string old = ask(s, "GET /stream HTTP/1.0\r\n\r\n");
    EXPECT_TRUE(old.ends_with("\r\n\r\nonetwo")) << old;
    EXPECT_EQ(old.find("chunked"), std::string::npos);
    raw_socket kept(s.port());
    kept.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    EXPECT_NE(kept.read_until("body").find("Connection: keep-alive"), std::string::npos);
    kept.send("GET /stream HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    EXPECT_TRUE(kept.read_to_end().ends_with("\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n"));
    const std::string head_of_stream =
        ask(s, "HEAD /stream HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    EXPECT_TRUE(head_of_stream.ends_with("\r\n\r\n")) << head_of_stream;
}

TEST(server, writes_framing_by_itself) {
    live_server s([](net::request&, net::responder& rs) -> net::task<void> {
        net::fields headers;
        for (const char* name : {"Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Date"}) {
            headers.add(name, "7");
        }
        headers.add("X-Own", "7");
        co_await must(rs.send(200, headers, "four"));
    });
    const exchange e = call({"GET", s.at("/")});
    EXPECT_EQ(e.body, "four");
    EXPECT_EQ(e.head.headers.find("content-length"), "4");
    EXPECT_EQ(e.head.headers.count("content-length"), 1u);
    EXPECT_EQ(e.head.headers.find("x-own"), "7");
    EXPECT_FALSE(e.head.headers.contains("transfer-encoding"));
    EXPECT_EQ(e.head.headers.find("date")->size(), 29u);
}

TEST(server, closes_slow_clients) {
    net::server_options o = live_server::one_core();
    o.header_timeout = 150ms * patience();
    o.body_idle_timeout = 150ms * patience();
    o.body_total_timeout = 400ms * patience();
    o.idle_timeout = 150ms * patience();
    live_server s(echo, o);
    const auto drip = [&](const std::string& start,
                          const std::string& drop) { // one drop after the other, each in time by itself
        raw_socket socket(s.port());
        socket.send(start);
        const auto begin = clock_type::now();
        while (clock_type::now() - begin < 2s * patience() && socket.send(drop)) {
            std::string answer = socket.read_to_end(20ms);
            if (!answer.empty()) { return statuses(answer); }
        }
        return std::string("not closed");
    };
    EXPECT_EQ(drip("GET / HTTP/1.1\r\nHost: h\r\n", "A: b\r\n"), "408 ");
    EXPECT_EQ(drip("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n", "x"), "408 ");
    EXPECT_EQ(drip("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"), "408 ");
    raw_socket silent(s.port());
    EXPECT_TRUE(silent.closed_within(1s));
    raw_socket body(s.port());
    body.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nx");
    EXPECT_EQ(statuses(body.read_to_end()), "408 ");
    raw_socket idle(s.port());
    idle.send(good);
    EXPECT_EQ(statuses(idle.read_to_end(1s)), "200 ");
    EXPECT_TRUE(idle.closed_within(1s));
}

TEST(server, waits_for_slow_readers_within_bounds) {
    std::atomic<std::size_t> written{0};
    flag done;
    net::server_options o = live_server::one_core();
    o.write_idle_timeout = 300ms * patience();
    live_server s(
        [&](net::request&, net::responder& rs) -> net::task<void> {
            const std::string piece(100'000, 'x');
            bool there = co_await rs.start_stream(200, {});
            while (there && written < 200'000'000) {
                there = co_await rs.write(piece);
                if (there) { written += piece.size(); }
            }
            EXPECT_TRUE(rs.client_gone());
            done.raise();
        },
        o);
    raw_socket socket(s.port());
    socket.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    ASSERT_TRUE(done.wait(5s)); // reads nothing: given up after the bound, with what the kernel buffers
    EXPECT_LT(written, 20'000'000u);
}

TEST(server, sends_large_bodies_to_readers_of_any_pace) {
    const std::string big = [] {
        std::string out;
        for (int i = 0; out.size() < 8'000'000; ++i) { out += std::to_string(i) + ","; }
        return out;
    }();
    live_server s(
        [&](net::request&, net::responder& rs) -> net::task<void> { co_await must(rs.send(200, {}, big)); });
    raw_socket socket(s.port());
    socket.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    std::this_thread::sleep_for(50ms);
    const std::string answer = socket.read_to_end();
    EXPECT_TRUE(answer.ends_with("\r\n\r\n" + big));
}

class leaving : public testing::TestWithParam<const char*> {};
TEST_P(leaving, is_noticed_while_a_handler_waits) {
    const std::string how = GetParam();
    flag begun, gone;
    live_server s([&](net::request&, net::responder& rs) -> net::task<void> {
        begun.raise();
        if (!co_await net::sleep(20s) && rs.client_gone()) { gone.raise(); }
        EXPECT_TRUE(co_await net::cancelled());
        EXPECT_FALSE(co_await rs.send(200, {}, "late"));
    });
    raw_socket socket(s.port());
    socket.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    if (how == "close behind unread requests") { // more than is taken ahead, so the end cannot be read
        for (int i = 0; i < 3'500; ++i) { socket.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n"); }
    }
    ASSERT_TRUE(begun.wait(2s));
    const auto before = clock_type::now();
    if (how == "reset") {
        socket.reset();
    } else if (how == "half close") {
        socket.shutdown_send();
    } else {
        socket.close();
    }
    ASSERT_TRUE(gone.wait(2s));
    EXPECT_LT(clock_type::now() - before, 100ms * patience());
}
INSTANTIATE_TEST_SUITE_P(ways, leaving,
                         testing::Values("close", "reset", "half close", "close behind unread requests"));

TEST(server, aborts_so_that_clients_see_it) {
    live_server s([](net::request& rq, net::responder& rs) -> net::task<void> {
        co_await must(rs.start_stream(200, {}));
        co_await must(rs.write("half"));
        if (rq.path == "/throw") { throw std::runtime_error("oops"); }
        if (rq.path == "/abort") { rs.abort(); }
    });
    for (const char* path : {"/abort", "/throw", "/forgotten"}) {
        EXPECT_EQ(call({"GET", s.at(path)}).failed, "reset") << path;
    }
}

TEST(server, answers_500_for_handlers_that_fail) {
    std::string told;
    net::server_options o = live_server::one_core();
    o.on_exception = [&](std::string_view what) { told = what; };
    o.error_body = [](int status, std::string_view) { return "own " + std::to_string(status); };
    o.error_content_type = "text/plain";
    live_server s(
        [](net::request& rq, net::responder&) -> net::task<void> {
            if (rq.path == "/throw") { throw std::runtime_error("oops"); }
            if (rq.path == "/other") { throw 7; } // NOLINT: on purpose no std::exception
            co_return;
        },
        o);
    for (const char* path : {"/throw", "/other", "/silent"}) {
        const exchange e = call({"GET", s.at(path)});
        EXPECT_EQ(e.head.status, 500) << path;
        EXPECT_EQ(e.body, "own 500");
        EXPECT_EQ(e.head.headers.find("content-type"), "text/plain");
    }
    EXPECT_EQ(call({"GET", s.at("/throw")}).head.status, 500);
    EXPECT_EQ(told, "oops");
}

TEST(server, forbids_using_a_responder_out_of_order) {
    live_server s([](net::request&, net::responder& rs) -> net::task<void> {
        EXPECT_THROW(static_cast<void>(co_await rs.write("x")), std::logic_error);
        EXPECT_THROW(static_cast<void>(co_await rs.finish()), std::logic_error);
        EXPECT_THROW(static_cast<void>(co_await rs.send(100, {}, "x")), std::logic_error);
        co_await must(rs.send(200, {}, "x"));
        EXPECT_THROW(static_cast<void>(co_await rs.send(200, {}, "x")), std::logic_error);
        EXPECT_THROW(static_cast<void>(co_await rs.start_stream(200, {})), std::logic_error);
    });
    EXPECT_EQ(call({"GET", s.at("/")}).body, "x");
}

TEST(server, keeps_silent_streams_alive) {
    live_server s([](net::request&, net::responder& rs) -> net::task<void> {
        co_await must(rs.start_stream(200, {}));
        rs.heartbeat(": alive\n\n", 50ms * patience());
        co_await must(net::sleep(280ms * patience()));
        co_await must(rs.write("data: x\n\n"));
        rs.heartbeat("", 0ms);
        co_await must(net::sleep(150ms * patience()));
        co_await must(rs.finish());
    });
    const exchange e = call({"GET", s.at("/")});
    ASSERT_EQ(e.failed, "");
    std::size_t beats = 0;
    for (std::size_t at = 0; (at = e.body.find(": alive\n\n", at)) != std::string::npos; at += 9) { ++beats; }
    EXPECT_GE(beats, 2u);
    EXPECT_LE(beats, 6u);
    EXPECT_TRUE(e.body.ends_with("\n\ndata: x\n\n")) << e.body;
}

TEST(server, drains) {
    flag begun;
    auto s = std::make_unique<live_server>([&](net::request&, net::responder& rs) -> net::task<void> {
        co_await must(rs.start_stream(200, {}));
        begun.raise();
        co_await must(net::sleep(150ms));
        co_await must(rs.write("whole"));
        co_await must(rs.finish());
    });
    raw_socket idle(s->port());
    raw_socket busy(s->port());
    busy.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    ASSERT_TRUE(begun.wait(2s));
    const std::uint16_t port = s->port();
    (*s)->drain(10s);
    EXPECT_TRUE(idle.closed_within(500ms));
    EXPECT_NE(busy.read_to_end().find("whole\r\n0\r\n\r\n"), std::string::npos);
    (*s)->join();
    const int refused = ::socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in to = raw_socket::address(port);
    EXPECT_NE(::connect(refused, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
    ::close(refused);
}

TEST(server, ends_what_outlasts_the_deadline_of_a_drain) {
    flag begun, cancelled;
    live_server s([&](net::request&, net::responder&) -> net::task<void> {
        begun.raise();
        if (!co_await net::sleep(60s)) { cancelled.raise(); }
    });
    raw_socket busy(s.port());
    busy.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    ASSERT_TRUE(begun.wait(2s));
    const auto before = clock_type::now();
    s->drain(100ms);
    s->join();
    EXPECT_TRUE(cancelled.wait(1s));
    EXPECT_LT(clock_type::now() - before, 1s * patience());
    EXPECT_TRUE(busy.closed_within(500ms));
}

TEST(server, bounds_its_connections) {
    net::server_options o = live_server::one_core();
    o.connection_limit = 3;
    live_server s(echo, o);
    std::vector<raw_socket> open;
    for (int i = 0; i < 3; ++i) {
        open.emplace_back(s.port());
        open.back().send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
        EXPECT_EQ(statuses(open.back().read_until("GET / ")), "200 ");
    }
    raw_socket refused(s.port());
    EXPECT_EQ(statuses(refused.read_to_end()), "503 ");
    open.clear();
    for (int i = 0; i < 100 && s->load().connections > 0; ++i) { std::this_thread::sleep_for(10ms); }
    EXPECT_EQ(statuses(ask(s, "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")), "200 ");
}

TEST(server, says_why_it_cannot_listen) {
    live_server s(echo);
    net::server_options o = live_server::one_core();
    o.port = s.port();
    EXPECT_THROW(net::server(o, echo), std::runtime_error);
    o.address = "localhost";
    EXPECT_THROW(net::server(o, echo), std::runtime_error);
    o.address = "127.0.0.1";
    o.port = 0;
    o.certificate_file = "no_such.pem";
    EXPECT_THROW(net::server(o, echo), std::runtime_error);
}

TEST(server, many_cores_serve_many_clients) {
    net::server_options o;
    o.cores = 3;
    std::atomic<int> handled{0};
    live_server upstream(
        [&](net::request& rq, net::responder& rs) -> net::task<void> {
            ++handled;
            co_await must(rs.send(200, {}, rq.body));
        },
        o);
    net::client client;
    live_server gateway(
        [&](net::request& rq, net::responder& rs) -> net::task<void> {
            const net::client_request ask("POST", upstream.at("/"), {}, rq.body);
            const exchange e = co_await call(client, ask);
            EXPECT_EQ(e.failed, "");
            co_await must(rs.send(e.head.status, {}, e.body));
        },
        o);
    std::vector<std::thread> clients;
    std::atomic<int> right{0};
    for (int t = 0; t < 4; ++t) {
        clients.emplace_back([&, t] {
            net::client own;
            net::run([](net::client& c, net::url to, int thread, std::atomic<int>& count) -> net::task<void> {
                for (int i = 0; i < 50; ++i) {
                    const std::string body = std::to_string(thread * 1000 + i);
                    const net::client_request ask("POST", to, {}, body);
                    const exchange e = co_await call(c, ask);
                    count += e.body == body ? 1 : 0;
                }
            }(own, gateway.at("/"), t, right));
        });
    }
    for (std::thread& t : clients) { t.join(); }
    EXPECT_EQ(right, 200);
    EXPECT_EQ(handled, 200);
}

/// In kB, of this process.
std::size_t resident() {
    std::ifstream file("/proc/self/statm");
    std::size_t total = 0, pages = 0;
    file >> total >> pages;
    return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) / 1024;
}

TEST(server, idle_connections_cost_little) {
    constexpr std::size_t count = 400; // both ends are in this process, so twice as many descriptors
    net::server_options o = live_server::one_core();
    live_server s(echo, o);
    std::vector<raw_socket> open;
    open.reserve(count);
    const auto fill = [&](std::size_t n) {
        while (open.size() < n) {
            open.emplace_back(s.port());
            open.back().send(good);
            ASSERT_EQ(statuses(open.back().read_until("POST / ab")), "200 ");
        }
    };
    fill(count / 4);
    const std::size_t before = resident();
    fill(count);
    const std::size_t each = (resident() - before) * 1024 / (count - count / 4);
    if (patience() == 1) { EXPECT_LT(each, 8192u); }
    EXPECT_EQ(s->load().connections, count);
}

} // namespace
