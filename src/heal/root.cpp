// The root value: how it begins and ends, and what becomes of it where the text ends.

#include "engine.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace jsonheal::heal_detail {

/// A value begins at p_.
void engine::begin_root(bool scalar, bool citation) {
    found_value v;
    v.begin = p_;
    v.before = p_ > base_ ? byte(p_ - 1) : std::uint8_t{0};
    v.scalar = scalar;
    v.citation = citation;
    v.reasoning = reasoning_ != 0;
    v.foreign = fence_foreign_;
    v.fenced = in_fence_;
    v.after_prose = prose_seen_;
    if (options_.preset == preset::live) { close_gap(p_); }
    v.edit_begin = edits_.size();
    found_.push_back(v);
    stack_.clear();
    comma_ = member_ = none;
    last_string_ = false;
    value_end_ = p_;
    deepest_ = 0;
    cut_ = cut_place::none;
    bare_keys_ = quoted_keys_ = doubled_keys_ = equals_seen_ = escaped_blanks_ = inner_seen_ = escaped_ =
        false;
    start_ = false;
    in_root_ = true;
    mode_ = mode::container;
    phase_ = phase::first;
}

void engine::end_root(cut_place cut) {
    found_value& v = found_.back();
    v.end = p_;
    v.edit_end = edits_.size();
    v.cut = cut;
    v.depth = deepest_;
    gap_begin_ = p_;
    // only where values are weighed; a stream may have forgotten its edits
    v.empty = options_.preset == preset::whole && v.edit_end - v.edit_begin <= 2 && v.end - v.begin < 256 &&
              is_empty_value(v);
    in_root_ = false;
    prose_seen_ = false;
    start_ = v.scalar;       // a number, a string or a literal on each line
    line_text_ = v.citation; // more of them may follow on the line
    cut_ = cut;
    mode_ = mode::seek;
}

/// Makes a run of edits cover a gap without holes, so that blanks between dropped texts go with them. A gap of
/// blanks alone is left as it is. Returns how many edits it takes; they are the first of the run.
std::size_t engine::cover(std::span<edit> run, std::size_t from, std::size_t to) noexcept {
    if (run.empty()) { return 0; }
    std::size_t kept = 0;
    run.front().begin = static_cast<std::uint32_t>(from);
    for (std::size_t i = 0; i < run.size(); ++i) {
        run[i].end = static_cast<std::uint32_t>(i + 1 < run.size() ? run[i + 1].begin : to);
        if (i != kept && run[i].rule == run[kept].rule &&
            (run[i].rule == rule::prose || run[i].rule == rule::stray_word)) {
            run[kept].end = run[i].end;
        } else if (i != 0) {
            run[++kept] = run[i];
        }
    }
    return kept + 1;
}

/// The text is over. Ends what is open, as far as it is certain, and picks the answer.
void engine::end_of_text() {
    while (!refused_ && mode_ != mode::seek) {
        switch (mode_) {
        case mode::container:
            if (p_ < end_) { // nothing could be made of the rest
                close_all(cut_place::closers);
            } else {
                p_ = end_;
                close_all(cut_place::closers);
            }
            break;
        case mode::string: end_string_cut(); break;
        case mode::words: {
            end_words(word_end_, 0);
            if (!stack_.empty()) {
                const bool only_virtual = stack_.size() == 1 && stack_.back().has(frame::no_opener);
                while (p_ < end_ && is_blank(byte(p_))) { ++p_; }
                close_all(only_virtual ? cut_place::closers : cut_place::in_string);
            }
            break;
        }
        case mode::comment:
            p_ = end_;
            end_comment();
            break;
        default:
            starved_ = false;
            if (!step()) { refuse("the text could not be read", p_); }
            break;
        }
        run();
    }
    if (refused_) { return; }
    if (options_.preset == preset::whole) {
        choose();
        return;
    }
    if (found_.empty()) { return refuse("there is no JSON in the text", 0); }
    close_gap(end_); // what follows the value goes with its blanks
}

/// The text ended inside a string.
void engine::end_string_cut() {
    if (str_.role == role::key) {
        look l(*this, p_);
        const std::size_t where = key_lost_close(l, p_);
        if (where != none) {
            close_at(where, rule::quote_missing_close);
            return;
        }
        if (!drop_pending(end_, rule::cut_member)) {
            if (refuse_placeholder()) { return; }
            if (p_ < end_) { put(p_, end_, {}, rule::cut_escape); }
            put(end_, end_, "\":null", rule::value_missing);
            commit_comma();
        }
        p_ = end_;
        mode_ = mode::container;
        phase_ = phase::after;
        return close_all(cut_place::in_key);
    }
    if (p_ == end_ && string_end_of_text()) { return; }
    if (p_ == end_) {
        // "x<|im_end|>: the token is none of the string's
        const std::size_t back =
            std::min({end_ - str_.content, std::size_t{40}, std::size_t{options_.limits.look_back}});
        const std::size_t at = view(end_ - back, end_).rfind("<|");
        const std::size_t from = end_ - back + (at != std::string_view::npos ? at : 0);
        bool token =
            at != std::string_view::npos && from + 4 < end_ && byte(end_ - 1) == '>' && byte(end_ - 2) == '|';
        for (std::size_t i = from + 2; token && i + 2 < end_; ++i) { token = is_name(byte(i)); }
        if (token) {
            p_ = from;
            roll_back(p_, str_.edits);
            put(p_, end_, {}, rule::special_token);
            p_ = end_;
        }
    }
    if (p_ < end_) { put(p_, end_, {}, rule::cut_escape); }
    p_ = end_;
    put(end_, end_, "\"", rule::cut_string);
    if (stack_.empty()) { return end_root(cut_place::in_string); }
    value_done();
    close_all(cut_place::in_string);
}

} // namespace jsonheal::heal_detail
