// The public faces: one-shot and push.

#include "engine.hpp"

#include <jsonheal/heal.hpp>
#include <jsonheal/scan.hpp>

#include <stdexcept>
#include <utility>

namespace jsonheal {

std::string_view name(verdict v) noexcept {
    switch (v) {
    case verdict::intact: return "intact";
    case verdict::healed: return "healed";
    case verdict::truncated: return "truncated";
    case verdict::refused: break;
    }
    return "refused";
}

std::string_view name(cut_place c) noexcept {
    switch (c) {
    case cut_place::none: return {};
    case cut_place::closers: return "closers";
    case cut_place::between: return "between";
    case cut_place::after_colon: return "after_colon";
    case cut_place::in_key: return "in_key";
    case cut_place::in_string: return "in_string";
    case cut_place::in_number: return "in_number";
    case cut_place::in_literal: break;
    }
    return "in_literal";
}

std::string healing::take_json() {
    if (borrowed_.data() != nullptr) { return std::string(borrowed_); }
    return std::move(owned_);
}

void healing::set_owned(std::string text) noexcept {
    owned_ = std::move(text);
    borrowed_ = {};
}

namespace {

/// Is the text known to be valid JSON, so that there is nothing to heal?
bool known_valid(std::string_view text, const heal_options& options) {
    return options.fast_path && !options.list_candidates && text.size() <= options.limits.bytes &&
           scan::is_json(text, options.limits.depth);
}

healing intact(std::string_view text) {
    healing h;
    h.verdict = verdict::intact;
    h.value_end = text.size();
    h.set_borrowed(text);
    return h;
}

healing heal_by(heal_detail::engine& e, std::string_view text) {
    e.read_all(text);
    healing h = e.result();
    if (h.verdict == verdict::intact) {
        h.set_owned({});
        h.set_borrowed(text);
    }
    return h;
}

} // namespace

healing heal(std::string_view text, const heal_options& options) {
    if (known_valid(text, options)) { return intact(text); }
    heal_detail::engine e(options);
    return heal_by(e, text);
}

healer::healer(const heal_options& options) {
    if (options.preset == preset::live &&
        (options.several == several_policy::last || options.several == several_policy::all)) {
        throw std::invalid_argument(
            "jsonheal: preset live takes the first value; `several` must be automatic or first");
    }
    if (options.preset == preset::live && options.close_at_known_keys) {
        throw std::invalid_argument(
            "jsonheal: preset live cannot take back a bracket: no close_at_known_keys");
    }
    engine_ = std::make_unique<heal_detail::engine>(options);
}

healer::~healer() = default;
healer::healer(healer&&) noexcept = default;
healer& healer::operator=(healer&&) noexcept = default;

void healer::feed(std::string_view chunk) {
    if (engine_->ended()) { throw std::logic_error("jsonheal: feed after finish; call reset first"); }
    engine_->feed(chunk);
}

healing healer::finish() {
    if (engine_->ended()) { throw std::logic_error("jsonheal: finish twice; call reset first"); }
    engine_->end();
    return engine_->result();
}

std::string_view healer::settled() const noexcept { return engine_->settled(); }

namespace {

void require_open(const heal_detail::engine& e, const char* message) {
    if (e.ended()) { throw std::logic_error(message); }
}

} // namespace

std::string_view healer::drain() {
    require_open(*engine_, "jsonheal: drain after finish; the result has the rest");
    return engine_->drain();
}

std::span<const edit> healer::drain_edits() {
    require_open(*engine_, "jsonheal: drain_edits after finish; the result has the rest");
    return engine_->drain_edits();
}

bool healer::token_ended() const noexcept { return engine_->token_ended(); }

void healer::settle() {
    require_open(*engine_, "jsonheal: settle after finish; the result is whole");
    engine_->catch_up();
}

snapshot healer::snapshot() {
    require_open(*engine_, "jsonheal: snapshot after finish; the result is whole");
    return engine_->snapshot();
}

void healer::reset() { engine_->reset(); }

void healer::reset(healing&& used) {
    engine_->reset();
    engine_->recycle(std::move(used.owned_), std::move(used.edits));
}

healing healer::heal(std::string_view text) {
    if (known_valid(text, engine_->options())) { return intact(text); }
    engine_->reset();
    return heal_by(*engine_, text);
}

} // namespace jsonheal
