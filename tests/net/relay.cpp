// Server, client and event streams together, over loopback: what a gateway is made of.
#include "support.hpp"

#include <gtest/gtest.h>

namespace {

using namespace jsonheal_test;
using namespace std::chrono_literals;

TEST(relay, answers_a_request) {
    live_server s([](net::request& rq, net::responder& rs) -> net::task<void> {
        net::fields headers;
        headers.add("content-type", "text/plain");
        co_await must(rs.send(200, headers, rq.method + " " + rq.path + " " + rq.query + " " + rq.body));
    });
    const exchange e = call({"POST", s.at("/a/b?c=d"), {}, "the body"});
    ASSERT_EQ(e.failed, "");
    EXPECT_EQ(e.head.status, 200);
    EXPECT_EQ(e.head.headers.find("content-type"), "text/plain");
    EXPECT_EQ(e.body, "POST /a/b c=d the body");
}

TEST(relay, streams_events_through) {
    live_server upstream([](net::request&, net::responder& rs) -> net::task<void> {
        net::fields headers;
        headers.add("content-type", "text/event-stream");
        co_await must(rs.start_stream(200, headers));
        for (int i = 0; i < 5; ++i) {
            std::string text;
            net::append_event(text, {.data = "{\"n\":" + std::to_string(i) + "}"});
            co_await must(rs.write(text));
            co_await must(net::sleep(5ms));
        }
        co_await must(rs.finish());
    });
    net::client client;
    live_server gateway([&](net::request& rq, net::responder& rs) -> net::task<void> {
        const net::client_request ask(rq.method, upstream.at(rq.path), rq.headers, rq.body);
        auto response = co_await client.send(ask);
        if (!response) { co_return must_not(response.error()); }
        co_await must(rs.start_stream(response->head.status, response->head.headers));
        net::sse_reader reader;
        for (;;) {
            auto piece = co_await response->read_some();
            if (!piece) { co_return must_not(piece.error()); }
            if (piece->empty()) { break; }
            reader.feed(*piece);
            while (auto event = reader.next()) {
                std::string out;
                net::append_event(out, {.data = event->data});
                co_await must(rs.write(out));
            }
        }
        co_await must(rs.finish());
    });
    const exchange e = call({"POST", gateway.at("/"), {}, "{}"});
    ASSERT_EQ(e.failed, "");
    EXPECT_EQ(
        e.body,
        "data: {\"n\":0}\n\ndata: {\"n\":1}\n\ndata: {\"n\":2}\n\ndata: {\"n\":3}\n\ndata: {\"n\":4}\n\n");
}

/// The upstream hangs in one of three places; the client of the gateway leaves. The upstream must see its connection closed.
enum class hang { before_head, in_body, in_sleep };
class disconnect : public testing::TestWithParam<hang> {};

TEST_P(disconnect, is_seen_upstream_within_100_ms) {
    flag upstream_asked, upstream_left, gateway_returned;
    live_server upstream([&](net::request&, net::responder& rs) -> net::task<void> {
        if (GetParam() == hang::in_body) { co_await must(rs.start_stream(200, {})); }
        if (GetParam() == hang::in_body) { co_await must(rs.write("data: 1\n\n")); }
        upstream_asked.raise();
        const bool slept = co_await net::sleep(20s);
        if (!slept && rs.client_gone()) { upstream_left.raise(); }
    });
    net::client client;
    live_server gateway([&](net::request&, net::responder& rs) -> net::task<void> {
        if (GetParam() == hang::in_sleep) {
            upstream_asked.raise();
            const bool slept = co_await net::sleep(20s);
            if (!slept && rs.client_gone()) { upstream_left.raise(); }
        } else {
            const net::client_request ask("POST", upstream.at("/"), {}, "{}");
            auto response = co_await client.send(ask);
            while (response) {
                auto piece = co_await response->read_some();
                if (!piece) {
                    EXPECT_EQ(piece.error().kind, net::error_class::cancelled) << piece.error().message;
                    break;
                }
                if (piece->empty()) { break; }
            }
            if (!response) {
                EXPECT_EQ(response.error().kind, net::error_class::cancelled) << response.error().message;
            }
            // Whatever is tried after that fails at once: no further attempt.
            const auto again = co_await client.send(ask);
            EXPECT_FALSE(again.ok());
            EXPECT_TRUE(rs.client_gone());
        }
        gateway_returned.raise();
    });
    {
        raw_socket client_socket(gateway.port());
        client_socket.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}");
        ASSERT_TRUE(upstream_asked.wait(2s));
        std::this_thread::sleep_for(30ms);
    }
    const auto left = std::chrono::steady_clock::now();
    ASSERT_TRUE(upstream_left.wait(2s));
    ASSERT_TRUE(gateway_returned.wait(2s));
    EXPECT_LT(std::chrono::steady_clock::now() - left, 100ms * patience());
}
INSTANTIATE_TEST_SUITE_P(everywhere, disconnect,
                         testing::Values(hang::before_head, hang::in_body, hang::in_sleep));

} // namespace
