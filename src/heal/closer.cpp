// Closing brackets: which of the open ones a closer closes, and whether it means what it says.

#include "engine.hpp"

namespace jsonheal::heal_detail {

namespace {

constexpr std::size_t reach = 64; // open brackets searched for one that a closer of another kind may mean

} // namespace

/// How many frames lie above the innermost one that this closer matches; `none` if there is none near.
std::size_t engine::matching_frame(char c) const noexcept {
    for (std::size_t k = 0; k < stack_.size() && k < reach; ++k) {
        if (frame_below(k).awaits() == c) { return k; }
    }
    return none;
}

/// Closes the innermost bracket at p_, where `written` stands (0: nothing of the right kind).
void engine::close_top(std::size_t size, char written) {
    kill_comma(rule::comma_trailing);
    if (refused_) { return; }
    const frame top = stack_.back();
    const char right = top.closer();
    if (top.has(frame::call)) {
        drop(p_, p_ + size, rule::call_wrapper);
    } else if (written != right) {
        put(p_, p_ + size, {&right, 1},
            top.has(frame::paren) && written == ')' ? rule::bracket_style
            : top.has(frame::set) && written == '}' ? rule::set_as_array
                                                    : rule::closer_wrong);
    }
    p_ += size;
    pop();
}

/// Is the key behind the comma that follows the closer at p_ the first key of the object that it closes?
bool engine::same_first_key(look& l) {
    if (last_open_depth_ != stack_.size() || p_ - last_open_ > options_.limits.look_back ||
        last_open_ < base_) {
        return false;
    }
    const std::size_t next = l.skip(l.skip(p_ + 1).position + 1).position;
    const std::size_t end = l.quoted_end(next, 1, '"');
    std::size_t first = last_open_ + 1;
    while (first < p_ && is_blank(byte(first))) { ++first; }
    if (l.at(next) != '"' || end == 0 || first + (end - next) > p_) { return false; }
    return view(next, end) == view(first, first + (end - next));
}

bool engine::step_closer(char c) {
    if (phase_ == phase::colon || phase_ == phase::value) {
        if (!stack_.back().has(frame::call)) {
            value_missing_here();
            return true;
        }
        if (c == ')') {
            // f() → null
            put(p_, p_, "null", rule::value_missing);
            close_top(1, c);
            return true;
        }
    }
    look l(*this, p_);
    l.early_close = false;
    const frame top = stack_.back();
    const std::size_t depth = stack_.size();
    const bool right = top.awaits() == c;
    if (right) {
        // {{"a":1}} → {"a":1}: the second of a doubled pair
        if (top.has(frame::doubled)) {
            const gap g = l.skip(p_ + 1);
            const bool twice = l.at(g.position) == '}';
            if (starved_) { return false; }
            if (twice) {
                kill_comma(rule::comma_trailing);
                drop(p_, p_ + 1, rule::braces_doubled);
                ++p_;
                stack_.back().flags &= static_cast<std::uint8_t>(~frame::doubled);
                phase_ = phase::after;
                value_end_ = p_;
                return true;
            }
        }
        // {"a":1},"b":2} → {"a":1,"b":2}: more members follow where no member can stand
        const bool homeless = c == '}' && (depth == 1 || !frame_below(1).is_object());
        if (homeless) {
            const gap g = l.skip(p_ + 1);
            bool early = false;
            std::size_t size = 1;
            const char sign = l.sign_at(g.position, size);
            if (sign == ',') {
                const gap n = l.skip(g.position + size);
                std::size_t quote_size = 1;
                const char quote = l.sign_at(n.position, quote_size);
                if (quote == '"' || quote == '\'') {
                    early = l.quoted_key(n.position) == key_shape::colon && !l.past;
                } else if (bare_keys_ && is_name_start(l.at(n.position))) {
                    early = l.bare_key(n.position) == key_shape::colon && !l.past;
                }
            }
            if (early && depth > 1 && same_first_key(l)) {
                // [{"a":1}, "a":2}]: the key begins the next record, which lost its brace
                const std::size_t comma = l.skip(p_ + 1).position;
                record_key_ = l.skip(comma + 1).position;
                early = false;
            }
            if (early && depth > 2 && frame_below(1).awaits() == ']' && frame_below(2).is_object()) {
                // {"rows":[{"a":1},"total":2}: the array was not closed, unless the member's end closes an element
                const gap n = l.skip(l.skip(p_ + 1).position + 1);
                const std::size_t key_end = l.quoted_end(n.position, 1, '"');
                std::size_t end = 0;
                if (key_end != 0) {
                    end = simple_value_end(l, l.skip(l.skip(key_end).position + 1).position);
                }
                if (end != 0) {
                    const gap m = l.skip(end);
                    const gap k = l.skip(m.position + 1);
                    early = l.at(m.position) == '}' &&
                            (l.at(k.position) == ']' ||
                             (l.at(k.position) == ',' && l.at(l.skip(k.position + 1).position) == '{'));
                }
            }
            if (starved_) { return false; }
            if (early) {
                const bool empty = phase_ == phase::first;
                kill_comma(rule::comma_trailing);
                drop(p_, p_ + 1, rule::closer_early);
                ++p_;
                phase_ = empty ? phase::first : phase::after;
                value_end_ = p_;
                return true;
            }
        }
        close_top(1, c);
        return true;
    }
    // A: brackets before it were lost. B: it is the wrong kind. C: it closes nothing.
    const std::size_t k = matching_frame(c);
    const fit lost = k == none ? fit::none : l.after_value(p_ + 1, k + 1);
    const fit wrong = l.after_value(p_ + 1, 1);
    const fit surplus = l.after_value(p_ + 1, 0);
    if (starved_) { return false; }
    if (k != none && lost >= wrong && (lost >= surplus || lost >= fit::good)) {
        kill_comma(rule::comma_trailing);
        for (std::size_t i = 0; i < k; ++i) {
            const char right_closer = stack_.back().closer();
            if (!stack_.back().has(frame::call)) { put(p_, p_, {&right_closer, 1}, rule::closer_missing); }
            stack_.pop_back();
        }
        close_top(1, c);
        return true;
    }
    if (wrong >= surplus && wrong > fit::poor) {
        close_top(1, c);
        return true;
    }
    drop(p_, p_ + 1, rule::closer_surplus);
    last_string_ = false;
    ++p_;
    return true;
}

} // namespace jsonheal::heal_detail
