// Event streams: any bytes, whole and in pieces, give the same events; what is written from them reads back. The first
// byte chooses the pieces and a small bound.
#include <jsonheal/net_sse.hpp>
#include <jsonheal/net_url.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace net = jsonheal::net;

void demand(bool holds, const char* what) {
    if (holds) { return; }
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

struct kept {
    std::string event, data, id;
    bool terminated = true;
    friend bool operator==(const kept&, const kept&) = default;
};

void take(net::sse_reader& reader, std::vector<kept>& out) {
    while (const auto e = reader.next()) {
        demand(e->terminated, "an event without end inside the stream");
        out.push_back({std::string(e->event), std::string(e->data), std::string(e->id)});
    }
}
void finish(net::sse_reader& reader, std::vector<kept>& out) {
    if (const auto e = reader.finish()) {
        out.push_back({std::string(e->event), std::string(e->data), std::string(e->id), e->terminated});
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) { return 0; }
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1); // NOLINT: bytes are bytes
    static_cast<void>(net::read_url(text));
    std::vector<kept> whole, pieces, again;
    net::sse_reader one, many;
    one.feed(text);
    take(one, whole);
    finish(one, whole);
    std::uint32_t chunks = data[0];
    for (std::string_view rest = text; !rest.empty();) {
        chunks = chunks * 1664525u + 1013904223u;
        const std::size_t n = std::min<std::size_t>(rest.size(), 1 + (chunks >> 24) % 9);
        many.feed(std::string(rest.substr(0, n)));
        take(many, pieces);
        rest.remove_prefix(n);
    }
    finish(many, pieces);
    demand(whole == pieces, "pieces change the events");
    demand(one.retry() == many.retry(), "pieces change the retry");

    std::string written;
    for (const kept& e : whole) {
        net::append_event(written, {.data = e.data, .event = e.event, .id = e.id});
    }
    net::sse_reader back;
    back.feed(written);
    take(back, again);
    demand(again.size() == whole.size(), "events written do not all read back");
    for (std::size_t i = 0; i < again.size(); ++i) {
        // A NUL is dropped where lines are written; an id that is empty is not written, so the one before stays.
        std::string event = whole[i].event;
        std::erase(event, '\0');
        demand(again[i].data == whole[i].data, "data does not read back");
        demand(again[i].event == (event.empty() ? "message" : event), "the type does not read back");
    }

    const std::size_t bound = 1 + data[0] % 64;
    net::sse_reader bounded(bound);
    bounded.feed(text);
    while (const auto e = bounded.next()) { demand(e->data.size() <= bound, "an event beyond the bound"); }
    return 0;
}
