// A drained stream and all that a stream shows, under random chunks. Four bytes choose the options, one the pieces of
// strings, then each byte of a list the size of a chunk. A second stream is fed the same text at once.
#include "target.hpp"

#include <jsonheal/stream.hpp>

#include <memory>
#include <utility>
#include <vector>

using namespace jsonheal_test;

namespace {

/// Chunks of the sizes that the input lists, over and over.
chunking listed(std::vector<std::size_t> sizes) {
    auto next = std::make_shared<std::size_t>(0);
    return [sizes = std::move(sizes), next](std::size_t) { return sizes[(*next)++ % sizes.size()]; };
}

/// All events in one text, and the last snapshot; what was broken on the way.
struct report {
    std::string events, last;
    failure broken;
};

report watch(std::string_view text, const jsonheal::heal_options& options, std::size_t piece,
             const chunking& chunks, bool looks) {
    report out;
    jsonheal::stream_options o;
    o.heal = options;
    o.piece_bytes = 1 + piece;
    o.on_event = [&out](const jsonheal::stream_event& e) {
        out.events +=
            std::to_string(static_cast<int>(e.kind)) + e.place.pointer() + "=" + std::string(e.text) + ";";
    };
    jsonheal::stream s(o);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = std::min(chunks(at), text.size() - at);
        s.feed(text.substr(at, size));
        at += size;
        if (!looks) { continue; }
        const std::string now = s.snapshot_text();
        const auto live = s.value();
        if (live.has_value() == now.empty() ||
            (live && live->source() != jsonheal::document::parse(now).value.root().source())) {
            out.broken = "the live document is not the snapshot " + show(now);
            return out;
        }
    }
    (void)s.finish();
    out.last = s.snapshot_text();
    return out;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    jsonheal_fuzz::bytes in(data, size);
    jsonheal::heal_options options = options_from(in.word());
    const std::size_t piece = in.byte() % 32;
    std::vector<std::size_t> sizes;
    for (std::size_t count = 1 + in.byte() % 16; count > 0; --count) { sizes.push_back(1 + in.byte() % 24); }
    std::string text = in.rest();
    const jsonheal::healing whole = jsonheal::heal(text, options);
    jsonheal_fuzz::require(check_drained(text, whole, options, listed(sizes)), text, options);
    const report want = watch(
        text, options, piece, [](std::size_t) { return ~std::size_t{0}; }, false);
    const report got = watch(text, options, piece, listed(sizes), text.size() < 500);
    failure broken = got.broken;
    if (!broken && got.events != want.events) {
        broken = "events differ: " + show(want.events) + " and " + show(got.events);
    }
    if (!broken && got.last != want.last) {
        broken = "the end differs: " + show(want.last) + " and " + show(got.last);
    }
    jsonheal_fuzz::require(broken, text, options);
    return 0;
}
