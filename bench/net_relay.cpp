// For timing: an upstream that answers at once, or streams, and a relay before it; both print what they cost.
//
//   bench_net_relay echo PORT CORES             answers 645 bytes of JSON; /stream: 50 events, one each 20 ms; /big: 4 MB
//   bench_net_relay relay PORT CORES UPSTREAM   passes everything on to the upstream's address
//
// Stops on the end of its standard input and prints requests and processor time.
#include <jsonheal/net.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace {

namespace net = jsonheal::net;
using namespace std::chrono_literals;

std::atomic<std::size_t> requests{0};

const std::string answer = "{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion\",\"choices\":[{\"index\":0,"
                           "\"message\":{\"role\":\"assistant\",\"content\":\"" +
                           std::string(500, 'x') + "\"},\"finish_reason\":\"stop\"}]}";
const std::string event =
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + std::string(60, 'y') + "\"}}]}\n\n";

net::task<void> echo(net::request& rq, net::responder& rs) {
    ++requests;
    net::fields headers;
    if (rq.path != "/stream") {
        headers.add("content-type", "application/json");
        static const std::string big(4 << 20, 'b');
        static_cast<void>(co_await rs.send(200, headers, rq.path == "/big" ? big : answer));
        co_return;
    }
    headers.add("content-type", "text/event-stream");
    bool there = co_await rs.start_stream(200, headers);
    for (int i = 0; i < 50 && there; ++i) { there = co_await net::sleep(20ms) && co_await rs.write(event); }
    if (there) { static_cast<void>(co_await rs.finish()); }
}

struct relay {
    net::url upstream;
    net::client& client;

    net::task<void> operator()(net::request& rq, net::responder& rs) const {
        ++requests;
        net::client_request ask(rq.method, upstream, rq.headers, rq.body);
        ask.to.target = rq.target;
        ask.headers.erase("host");
        auto response = co_await client.send(ask);
        if (!response) {
            static_cast<void>(co_await rs.send(502, {}, response.error().message));
            co_return;
        }
        if (response->head.body_framing != net::framing::chunked && response->head.length < 65536) {
            auto body = co_await response->read_all(65536);
            if (body) {
                static_cast<void>(co_await rs.send(response->head.status, response->head.headers, *body));
            }
            co_return;
        }
        bool there = co_await rs.start_stream(response->head.status, response->head.headers);
        while (there) {
            auto piece = co_await response->read_some();
            if (!piece) { co_return; } // the stream is not finished, so the client sees that
            if (piece->empty()) { break; }
            there = co_await rs.write(*piece);
        }
        if (there) { static_cast<void>(co_await rs.finish()); }
    }
};

} // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    if (!(what == "echo" && argc == 4) && !(what == "relay" && argc == 5)) {
        std::fprintf(stderr, "usage: bench_net_relay echo PORT CORES | relay PORT CORES UPSTREAM\n");
        return 2;
    }
    net::server_options options;
    options.port = static_cast<std::uint16_t>(std::atoi(argv[2]));
    options.cores = static_cast<unsigned>(std::atoi(argv[3]));
    net::client client;
    net::url upstream;
    if (what == "relay") {
        const net::url_reading read = net::read_url(argv[4]);
        if (!read) {
            std::fprintf(stderr, "%s: %s\n", argv[4], read.why.c_str());
            return 2;
        }
        upstream = read.value;
    }
    net::server server(options, what == "echo" ? net::handler(echo) : net::handler(relay{upstream, client}));
    server.start();
    char byte = 0;
    while (::read(STDIN_FILENO, &byte, 1) > 0) {}
    server.drain(1s);
    server.join();
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
    const double us = 1e6 * static_cast<double>(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
                      static_cast<double>(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
    std::printf("%s: %zu requests, %.1f us of processor each, peak %ld kB\n", what.c_str(), requests.load(),
                us / static_cast<double>(requests.load()), use.ru_maxrss);
}
