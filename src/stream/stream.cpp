#include "state.hpp"

#include <jsonheal/stream.hpp>

#include <utility>

namespace jsonheal {

stream_place::step stream_place::at(std::size_t i) const noexcept {
    const level& l = steps_[i];
    if (l.in_array) { return {true, l.index}; }
    const std::size_t end = i + 1 < steps_.size() ? steps_[i + 1].key_begin : keys_.size();
    return {false, 0, std::string_view(keys_).substr(l.key_begin, end - l.key_begin)};
}

void stream_place::append_pointer(std::string& out) const {
    for (std::size_t i = 0; i != depth(); ++i) {
        const step s = at(i);
        out.push_back('/');
        if (s.in_array) {
            out += std::to_string(s.index);
            continue;
        }
        for (const char c : s.key) {
            if (c == '~' || c == '/') {
                out += c == '~' ? "~0" : "~1";
            } else {
                out.push_back(c);
            }
        }
    }
}

std::string stream_place::pointer() const {
    std::string out;
    append_pointer(out);
    return out;
}

stream::stream(stream_options options) : state_(std::make_unique<stream_state>(std::move(options))) {}
stream::~stream() = default;
stream::stream(stream&&) noexcept = default;
stream& stream::operator=(stream&&) noexcept = default;

void stream::feed(std::string_view chunk) {
    state_->require_open("jsonheal: feed after finish; call reset first");
    state_->feed(chunk);
}

healing stream::finish() {
    stream_state& s = *state_;
    s.require_open("jsonheal: finish twice; call reset first");
    healing h = s.finish();
    h.set_owned(s.keeps_text() ? s.out_.substr(s.taken_) : s.doc_text_);
    return h;
}

void stream::reset() { state_->reset(); }

std::string_view stream::drain() {
    stream_state& s = *state_;
    s.require_open("jsonheal: drain after finish; the result has the rest");
    if (!s.keeps_text()) { return {}; }
    s.out_.erase(0, s.taken_);
    s.out_base_ += s.taken_;
    s.taken_ = 0;
    s.taken_ = s.handed_to() - s.out_base_;
    return std::string_view(s.out_).substr(0, s.taken_);
}

std::span<const edit> stream::drain_edits() {
    state_->require_open("jsonheal: drain_edits after finish; the result has the rest");
    return state_->engine.drain_edits();
}

snapshot stream::snapshot() {
    state_->require_open("jsonheal: snapshot after finish; the result is whole");
    state_->catch_up();
    const stream_state::cut c = state_->shown();
    return {c.at, state_->tail(c)};
}

std::string stream::snapshot_text() {
    if (!state_->finished) { state_->catch_up(); }
    return state_->text_with_states();
}

std::optional<value_view> stream::value() {
    if (!state_->keeps_document()) { return std::nullopt; }
    if (!state_->finished) { state_->catch_up(); }
    return state_->view();
}

bool stream::complete(value_view v) const noexcept { return state_->complete(v.index()); }

bool stream::can_still_fit() const noexcept { return !state_->fit || state_->fit->possible(); }

const schema::violation* stream::misfit() const noexcept {
    return can_still_fit() ? nullptr : &state_->fit->violation();
}

const alignment* stream::aligned() const noexcept { return state_->aligned ? &*state_->aligned : nullptr; }

const schema::validation* stream::validation() const noexcept {
    return state_->validation ? &*state_->validation : nullptr;
}

} // namespace jsonheal
