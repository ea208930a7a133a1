// Events to blocks that never overlap, for wires that send one block after another: what arrives for a later block while an
// earlier call is unfinished waits.
#pragma once

#include "json_extent.hpp"

#include <jsonheal/wire_stream.hpp>

#include <cstddef>
#include <deque>
#include <string>
#include <utility>

namespace jsonheal::wire_detail {

/// One block of the answer.
struct out_block {
    enum class kind : std::uint8_t { text, reasoning, refusal, call };
    kind what = kind::text;
    wire::call_begin call;
    std::string waiting;   ///< pieces that have not gone out
    std::string signature; ///< of reasoning
    std::string redacted;
    json_extent extent; ///< of a call's arguments
    bool opened = false;
    bool any = false; ///< of a call: arguments went out, or wait
};

/// `Sink` has `open(const out_block&)`, `piece(const out_block&, std::string)`, `close(const out_block&)`; each is called in the
/// order open, piece…, close, for one block after the other.
template <class Sink>
class block_queue {
public:
    explicit block_queue(Sink& sink) : sink_(sink) {}

    void text(out_block::kind what, const std::string& piece) {
        if (blocks_.empty() || blocks_.back().what != what || !blocks_.back().signature.empty()) {
            add(what);
        }
        blocks_.back().waiting += piece;
        pump(false);
    }
    void reasoning(const wire::reasoning_delta& e) {
        if (!e.redacted.empty()) {
            add(out_block::kind::reasoning).redacted = e.redacted;
        } else {
            const bool signature_alone = e.text.empty() && !e.signature.empty();
            const bool fresh = blocks_.empty() || blocks_.back().what != out_block::kind::reasoning ||
                               !blocks_.back().redacted.empty() ||
                               (!signature_alone && !blocks_.back().signature.empty());
            if (fresh) { add(out_block::kind::reasoning); }
            blocks_.back().waiting += e.text;
            blocks_.back().signature += e.signature;
        }
        pump(false);
    }
    void begin(const wire::call_begin& e) {
        add(out_block::kind::call).call = e;
        pump(false);
    }
    /// False if the call's block is closed and the piece is more than blanks.
    bool arguments(const wire::call_arguments& e) {
        for (out_block& b : blocks_) {
            if (b.what != out_block::kind::call || b.call.call != e.call) { continue; }
            b.waiting += e.text;
            b.extent.feed(e.text);
            b.any = true;
            pump(false);
            return true;
        }
        return e.text.find_first_not_of(" \t\r\n") == std::string::npos;
    }
    /// Closes all that is open or waits.
    void finish() { pump(true); }

private:
    out_block& add(out_block::kind what) {
        blocks_.emplace_back().what = what;
        return blocks_.back();
    }

    /// The first block goes out as it comes; it gives way to the next once it can have no more.
    void pump(bool last) {
        while (!blocks_.empty()) {
            out_block& front = blocks_.front();
            if (!std::exchange(front.opened, true)) { sink_.open(front); }
            const bool whole_only = front.what == out_block::kind::call && front.call.custom;
            const bool over = last || (blocks_.size() > 1 && (front.what != out_block::kind::call ||
                                                              (front.extent.whole() && !front.call.custom)));
            if (over && front.what == out_block::kind::call && !front.any && !front.call.custom) {
                front.waiting = "{}";
            }
            if (!front.waiting.empty() && (!whole_only || over)) {
                sink_.piece(front, std::exchange(front.waiting, {}));
            }
            if (!over) { return; }
            sink_.close(front);
            blocks_.pop_front();
        }
    }

    Sink& sink_;
    std::deque<out_block> blocks_; ///< the first is open
};

} // namespace jsonheal::wire_detail
