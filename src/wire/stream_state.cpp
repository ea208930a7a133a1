#include "stream_state.hpp"

#include <algorithm>
#include <utility>

namespace jsonheal::wire_detail {

namespace {

constexpr std::size_t most_choices = 1024; // n is at most 128 anywhere; the rest is a fault or an attack
constexpr std::size_t most_calls = 4096;   // in one choice

bool is_blank_text(std::string_view s) noexcept {
    return s.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// `{}` with blanks: what some providers put before the arguments that they then stream.
bool is_empty_object(std::string_view s) noexcept {
    std::string_view wanted = "{}";
    for (const char c : s) {
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n') { continue; }
        if (wanted.empty() || c != wanted[0]) { return false; }
        wanted.remove_prefix(1);
    }
    return wanted.empty();
}

} // namespace

void piece_joiner::join(std::string_view piece, std::string& out) {
    const auto at = [](std::string_view s, std::size_t i) { return static_cast<unsigned char>(s[i]); };
    if (!half_.empty()) {
        if (piece.empty()) { return; }
        const bool low = piece.size() >= 3 && at(piece, 0) == 0xED && at(piece, 1) >= 0xB0;
        if (low) { // ED A0 BD, ED B8 80 → F0 9F 98 80
            const unsigned high = (at(half_, 1) & 0x0Fu) << 6 | (at(half_, 2) & 0x3Fu);
            const unsigned low_bits = (at(piece, 1) & 0x0Fu) << 6 | (at(piece, 2) & 0x3Fu);
            const unsigned c = 0x10000u + (high << 10) + low_bits;
            for (const unsigned b : {0xF0u | c >> 18, 0x80u | (c >> 12 & 0x3Fu), 0x80u | (c >> 6 & 0x3Fu),
                                     0x80u | (c & 0x3Fu)}) {
                out += static_cast<char>(static_cast<unsigned char>(b));
            }
            piece.remove_prefix(3);
        } else {
            out += half_;
        }
        half_.clear();
    }
    const std::size_t n = piece.size();
    if (n >= 3 && at(piece, n - 3) == 0xED && at(piece, n - 2) >= 0xA0 && at(piece, n - 2) <= 0xAF) {
        half_ = piece.substr(n - 3);
        piece.remove_suffix(3);
    }
    out += piece;
}

stream_state::stream_state(wire_id w, const decode_options& options) : wire_(w), id_seed_(options.id_seed) {
    head_.origin = w;
}

choice_state* stream_state::at(std::size_t choice) {
    if (choice >= most_choices) { return nullptr; }
    if (choice >= choices_.size()) { choices_.resize(choice + 1); }
    choices_[choice].seen = true;
    return &choices_[choice];
}

void stream_state::start(std::vector<stream_event>& out) {
    if (started_) { return; }
    started_ = true;
    response_id_ = head_.id;
    out.emplace_back(head_);
}

void stream_state::text(std::size_t choice, std::string_view piece, std::vector<stream_event>& out) {
    if (ended()) { return; }
    text_delta d{choice, {}};
    at(choice)->text.join(piece, d.text);
    if (d.text.empty()) { return; }
    start(out);
    out.emplace_back(std::move(d));
}

void stream_state::reasoning(std::size_t choice, reasoning_delta piece, std::vector<stream_event>& out) {
    if (ended()) { return; }
    std::string joined;
    at(choice)->reasoning.join(piece.text, joined);
    if (joined.empty() && piece.signature.empty() && piece.redacted.empty()) { return; }
    piece.choice = choice;
    piece.text = std::move(joined);
    start(out);
    out.emplace_back(std::move(piece));
}

void stream_state::refusal(std::size_t choice, std::string_view piece, std::vector<stream_event>& out) {
    if (ended()) { return; }
    refusal_delta d{choice, {}};
    at(choice)->refusal.join(piece, d.text);
    if (d.text.empty()) { return; }
    start(out);
    out.emplace_back(std::move(d));
}

void stream_state::extra(extra_delta piece, std::vector<stream_event>& out) {
    if (ended()) { return; }
    if (piece.chunk.empty() && piece.in_choice.empty() && piece.in_delta.empty()) { return; }
    start(out);
    out.emplace_back(std::move(piece));
}

call_state& stream_state::add_call(choice_state& c) {
    c.calls.emplace_back();
    return c.calls.back();
}

/// Announces a call once its name is known. Its id is final then: one that comes later is not.
void stream_state::begin(std::size_t choice, call_state& call, std::vector<stream_event>& out) {
    if (call.begun || call.name.empty()) { return; }
    choice_state& c = choices_[choice];
    start(out);
    const auto taken = [&](const call_state& other) { return other.begun && other.id == call.id; };
    if (call.id.empty() || std::any_of(c.calls.begin(), c.calls.end(), taken)) {
        call.id = make_call_id(id_seed_, response_id_, choice, c.begun);
    }
    call.index = c.begun++;
    call.begun = true;
    out.emplace_back(call_begin{choice, call.index, call.id, call.name, call.custom, call.signature,
                                call.extra, call.wrapper_extra});
}

void stream_state::send(std::size_t choice, call_state& call, std::string text,
                        std::vector<stream_event>& out) {
    if (text.empty()) { return; }
    call.any = true;
    out.emplace_back(call_arguments{choice, call.index, std::move(text)});
}

void stream_state::arguments(std::size_t choice, call_state& call, std::string_view piece,
                             std::vector<stream_event>& out) {
    if (ended()) { return; }
    if (choices_[choice].calls.size() > most_calls) {
        fail("too many tool calls", out);
        return;
    }
    std::string joined;
    call.joiner.join(piece, joined);
    if (call.custom) {
        begin(choice, call, out);
        call.held += joined;
        if (call.begun) { send(choice, call, std::exchange(call.held, {}), out); }
        return;
    }
    // `{}` and then `{"a":1}`: the first was a placeholder, not a value.
    if (!joined.empty() && !call.any && is_empty_object(call.held) &&
        joined.find_first_not_of(" \t\r\n") != std::string::npos) {
        if (joined[joined.find_first_not_of(" \t\r\n")] == '{') {
            call.held.clear();
            call.extent = {};
        }
    }
    call.extent.feed(joined);
    call.held += joined;
    begin(choice, call, out);
    const bool waits = !call.any && (is_blank_text(call.held) || is_empty_object(call.held));
    if (call.begun && !waits) { send(choice, call, std::exchange(call.held, {}), out); }
}

void stream_state::end(std::size_t choice, finish f) {
    choice_state& c = *at(choice);
    // Said twice, the later word counts, but for a `stop` that would hide a cut.
    if (!c.end || c.end->reason == finish_reason::none || f.reason != finish_reason::stop) {
        c.end = std::move(f);
    }
}

/// What was held of the choice's calls. False if one of them cannot be told.
bool stream_state::finish_calls(std::size_t choice, std::vector<stream_event>& out) {
    for (call_state& call : choices_[choice].calls) {
        std::string rest = std::exchange(call.held, {}) + call.joiner.take();
        if (!call.begun) {
            if (rest.empty() && call.id.empty()) { continue; } // an empty element that says nothing
            fail("a tool call has no name", out);
            return false;
        }
        if (!call.any && !call.custom) {
            send(choice, call,
                 is_blank_text(rest) || is_empty_object(rest) ? std::string("{}") : std::move(rest), out);
        } else {
            send(choice, call, std::move(rest), out);
        }
    }
    return true;
}

/// Half characters that nothing followed.
void stream_state::flush(std::size_t choice, std::vector<stream_event>& out) {
    choice_state& c = choices_[choice];
    if (std::string rest = c.reasoning.take(); !rest.empty()) {
        out.emplace_back(reasoning_delta{choice, std::move(rest), {}, {}, {}});
    }
    if (std::string rest = c.text.take(); !rest.empty()) {
        out.emplace_back(text_delta{choice, std::move(rest)});
    }
    if (std::string rest = c.refusal.take(); !rest.empty()) {
        out.emplace_back(refusal_delta{choice, std::move(rest)});
    }
}

void stream_state::fail(wire_error e, std::vector<stream_event>& out) {
    if (ended()) { return; }
    start(out);
    failed_ = true;
    out.emplace_back(stream_error{std::move(e)});
}

void stream_state::fail(std::string_view message, std::vector<stream_event>& out, std::string field) {
    wire_error e;
    e.wire = wire_;
    e.status = 502;
    e.message = message;
    e.field = std::move(field);
    fail(std::move(e), out);
}

void stream_state::done(std::vector<stream_event>& out) {
    if (done_) { return; }
    if (!failed_) {
        start(out);
        const bool any =
            std::any_of(choices_.begin(), choices_.end(), [](const choice_state& c) { return c.seen; });
        if (!any) { fail("the stream ended without an answer", out); }
    }
    for (std::size_t i = 0; i < choices_.size() && !failed_; ++i) {
        if (!choices_[i].seen) { continue; }
        flush(i, out);
        if (!choices_[i].end || choices_[i].end->reason == finish_reason::none) {
            fail("the stream ended before the answer did", out);
        } else {
            finish_calls(i, out);
        }
    }
    for (std::size_t i = 0; i < choices_.size() && !failed_; ++i) {
        choice_state& c = choices_[i];
        if (!c.seen) { continue; }
        finish f = std::move(*c.end);
        agree_with_calls(f, c.begun);
        out.emplace_back(choice_finish{i, std::move(f)});
    }
    if (!failed_ && usage_) { out.emplace_back(usage_total{std::move(*usage_)}); }
    done_ = true;
    out.emplace_back(stream_done{});
}

} // namespace jsonheal::wire_detail
