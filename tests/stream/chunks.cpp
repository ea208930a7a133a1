// Law 5 for all that a stream shows: events, the live document and its states are the same however the text is cut.
#include "corpus.hpp"
#include "event_log.hpp"
#include "golden.hpp"
#include "laws.hpp"
#include "show.hpp"
#include "sweep.hpp"

#include <jsonheal/stream.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace jsonheal_test {
namespace {

using jsonheal::stream_options;

struct shown {
    std::vector<std::string> events; ///< one text each
    std::string text;                ///< what was drained, and the rest
    std::string last_snapshot;
    failure broken;
};

/// Feeds a text and looks at everything after every chunk.
shown watch(std::string_view text, const chunking& chunks, std::size_t piece_bytes, bool looks) {
    shown out;
    stream_options o;
    o.piece_bytes = piece_bytes;
    event_log events(piece_bytes != 0);
    o.on_event = [&](const jsonheal::stream_event& e) { events.add(e); };
    jsonheal::stream s(o);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = std::min(std::max<std::size_t>(chunks(at), 1), text.size() - at);
        s.feed(text.substr(at, size));
        at += size;
        out.text += s.drain();
        if (!looks) { continue; }
        const std::string now = s.snapshot_text();
        const auto live = s.value();
        const auto parsed = jsonheal::document::parse(now);
        if (live.has_value() != !now.empty() || (live && !parsed)) {
            out.broken = "after " + std::to_string(at) + " bytes the snapshot is " + show(now);
        } else if (live && (!same_value(*live, parsed.value.root()) ||
                            live->source() != parsed.value.root().source())) {
            out.broken = "after " + std::to_string(at) + " bytes the live document is " +
                         show(live->source()) + ", the snapshot " + show(now);
        }
        if (out.broken) { return out; }
        out.text += s.drain();
    }
    const jsonheal::healing h = s.finish();
    out.text += h.json();
    out.last_snapshot = s.snapshot_text();
    out.events = std::move(events.all);
    return out;
}

TEST(stream_chunks, events_and_documents_are_the_same) {
    sweep run([](std::string_view text) -> failure {
        const auto whole = jsonheal::heal(text, jsonheal::heal_options::live());
        for (const std::size_t piece : {std::size_t{0}, std::size_t{5}}) {
            const shown want = watch(text, chunks_of(text.size() + 1), piece, false);
            for (const auto& [chunks, looks] : {std::pair{chunks_of(1), true}, std::pair{chunks_of(4), false},
                                                std::pair{random_chunks(3, 9), true}}) {
                const shown got = watch(text, chunks, piece, looks && text.size() < 600);
                if (got.broken) { return got.broken; }
                if (got.text != whole.json()) {
                    return "drained " + show(got.text) + ", healed " + show(whole.json());
                }
                if (got.events != want.events) {
                    std::string all;
                    for (const auto& e : want.events) { all += "\n  want " + show(e); }
                    for (const auto& e : got.events) { all += "\n  got  " + show(e); }
                    return "events differ" + all;
                }
            }
        }
        return std::nullopt;
    });
    for (const std::string& text : golden_inputs()) { run(text); }
    random_source random(51);
    for (int i = 0; i < 300; ++i) { run(any_text(random)); }
    for (int i = 0; i < 150; ++i) { run(join(random_document(random))); }
}

} // namespace
} // namespace jsonheal_test
