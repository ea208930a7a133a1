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

/// How much of the text begins valid JSON, and whether that is all of it.
scan::validation strict_part(std::string_view text, const heal_options& options) {
    const bool tried =
        options.fast_path && !options.list_candidates && text.size() <= options.limits.bytes;
    return tried ? scan::validate_json(text, options.limits.depth) : scan::validation{};
}

healing intact(std::string_view text) {
    healing h;
    h.verdict = verdict::intact;
    h.set_borrowed(text);
    return h;
}

healing heal_by(heal_detail::engine& e, std::string_view text, std::size_t valid_to) {
    e.read_all(text, valid_to);
    healing h = e.result();
    if (h.verdict == verdict::intact) {
        h.set_owned({});
        h.set_borrowed(text);
    }
    return h;
}

} // namespace

healing heal(std::string_view text, const heal_options& options) {
    const scan::validation strict = strict_part(text, options);
    if (strict.valid) { return intact(text); }
    heal_detail::engine e(options);
    return heal_by(e, text, strict.offset);
}

healer::healer(const heal_options& options) {
    if (options.preset == preset::live &&
        (options.several == several_policy::last || options.several == several_policy::all)) {
        throw std::invalid_argument(
            "jsonheal: preset live takes the first value; `several` must be automatic or first");
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

void healer::reset() { engine_->reset(); }

void healer::reset(healing&& used) {
    engine_->reset();
    engine_->recycle(std::move(used.owned_), std::move(used.edits));
}

healing healer::heal(std::string_view text) {
    const scan::validation strict = strict_part(text, engine_->options());
    if (strict.valid) { return intact(text); }
    engine_->reset();
    return heal_by(*engine_, text, strict.offset);
}

} // namespace jsonheal
