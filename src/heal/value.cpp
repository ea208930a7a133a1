// Where a value begins: one look at its first character says which reader takes it.

#include "engine.hpp"

#include <algorithm>

namespace jsonheal::heal_detail {

namespace {

constexpr std::size_t least_piece = 64; // bytes of a comment

} // namespace

/// The root itself: what `begin_root` was asked for, tried again where a look had starved.
bool engine::begin_at_root(int c) {
    if (!found_.back().scalar) { return begin_open(c); }
    if (is_digit(c) || c == '-' || c == '+' || c == '.') { return number_or_text(); }
    std::size_t size = 1;
    look l(*this, p_);
    const char sign = c < 0x80 ? static_cast<char>(c) : l.sign_at(p_, size);
    return starved_ ? false : open_string(role::root, sign);
}

bool engine::begin_value(int c) {
    const role r = in_object() ? role::member : role::element;
    if (c == '"' || c == '\'' || c == '`') { return open_string(r, c); }
    if (is_digit(c) || c == '-' || c == '+') { return number_or_text(); }
    if (c == '{' || c == '[' || c == '(') { return begin_open(c); }
    if (c == ':' && phase_ == phase::value) {
        drop(p_, p_ + 1, rule::colon_surplus);
        ++p_;
        return true;
    }
    look l(*this, p_);
    if (c == '\\') {
        const int d = l.at(p_ + 1);
        if (starved_) { return false; }
        if (d == '"') { return open_string(r, c); }
    }
    if (c == '<') {
        const bool token = l.word_is(p_, "<|\"");
        if (starved_) { return false; }
        if (token) { return open_string(r, c); }
    }
    if (c == '.') {
        const int d = l.at(p_ + 1);
        if (starved_) { return false; }
        if (is_digit(d)) { return number_or_text(); }
        const bool dots = l.word_is(p_, "...");
        if (starved_) { return false; }
        if (dots && in_object()) {
            // {"a": ...} has no value
            drop(p_, p_ + 3, rule::ellipsis);
            p_ += 3;
            return true;
        }
    }
    if (c >= 0x80) {
        std::size_t size = 1;
        const char sign = l.sign_at(p_, size);
        if (starved_) { return false; }
        if (sign == '"' || sign == '\'') { return open_string(r, sign); }
    }
    if (is_name_start(c)) { return begin_word(); }
    if (!in_object() && phase_ != phase::value && !begins_text(l, c)) {
        return starved_ ? false : step_foreign(c);
    }
    if (starved_) { return false; }
    begin_words(c == '/' ? rule::regex_literal : rule::value_unquoted);
    return true;
}

/// May a character that begins no JSON value begin bare text in an array? Paths and patterns do, lone marks do not.
bool engine::begins_text(look& l, int c) {
    if (c == '/' || c == '#' || c == '@' || c == '$' || c == '.' || c == '~' || c == '*') {
        const int d = l.at(p_ + 1);
        return is_name(d) || d == '/' || d == '.' || d == '^' || d == '\\' || d == '[';
    }
    return false;
}

/// An opening bracket. It is one, unless what follows shows that it belongs to bare text.
bool engine::begin_open(int c) {
    look l(*this, p_);
    const gap g = l.skip(p_ + 1);
    const int d = l.at(g.position);
    if (starved_) { return false; }
    if (c == '(') {
        std::size_t size = 1;
        const char s = l.sign_at(g.position, size);
        const bool tuple =
            s != 0 || d == '{' || d == '[' || d == '(' || d == ')' || l.value_starts(g.position);
        if (starved_) { return false; }
        bool text = !tuple;
        if (tuple && in_object() && is_digit(d)) {
            // "q": (555) 123-4567 is text
            std::size_t j = g.position;
            while (is_digit(l.at(j)) || l.at(j) == '-' || l.at(j) == ' ') { ++j; }
            text = l.at(j) == ')' && l.after_value(j + 1, 0) == fit::none;
        }
        if (starved_) { return false; }
        if (text && !stack_.empty()) {
            begin_words(rule::value_unquoted);
            return true;
        }
        if (refuse_depth()) { return true; }
        put(p_, p_ + 1, "[", rule::bracket_style);
        push(frame::paren, 1);
        return true;
    }
    if (c == '[') {
        if (in_object() && is_digit(d)) {
            // "q": [1] see note is text
            std::size_t j = g.position;
            while (is_digit(l.at(j))) { ++j; }
            const gap n = l.skip(j + 1);
            const bool text = l.at(j) == ']' && n.blank && !n.newline && is_letter(l.at(n.position)) &&
                              l.after_value(j + 1, 0) == fit::none && !l.past;
            if (starved_) { return false; }
            if (text) {
                begin_words(rule::value_unquoted);
                return true;
            }
        }
        push(0, 1);
        return true;
    }
    if (d == '"' || d == '\'') {
        // {"a", "b"} is a set
        std::size_t close = l.quoted_end(g.position, 1, static_cast<char>(d));
        bool set = false;
        if (close != 0 && !l.past) {
            const gap n = l.skip(close);
            const int e = l.at(n.position);
            if (e == ',') {
                const gap m = l.skip(n.position + 1);
                const int f = l.at(m.position);
                set = (f == '"' || f == '\'') ? l.quoted_key(m.position) == key_shape::alone
                                              : is_digit(f) || f == '}';
                if (set && f == '}') { set = false; }
            }
            set = set || (e == '}' && close > g.position + 2);
        }
        if (starved_) { return false; }
        if (set && !l.past) { return begin_set(); }
    } else if (is_digit(d) || d == '-') {
        std::size_t j = g.position + 1;
        while (l.name_at(j) || l.at(j) == '.') { ++j; }
        const int e = l.at(l.skip(j).position);
        if (starved_) { return false; }
        if (!l.past && (e == ',' || e == '}')) { return begin_set(); }
    } else if (is_name(d) && !stack_.empty()) {
        // "a": {about}: words in braces without a colon are text
        std::size_t j = g.position;
        int e = l.at(j);
        while (e >= 0 && e != ':' && e != '"' && e != '\'' && e != '}' && e != '{' && e != '\n' && e != '=' &&
               e < 0x80 && !(e == '/' && l.at(j + 1) == '*')) {
            e = l.at(++j);
        }
        if (starved_) { return false; }
        if (e == '}' && !l.past) {
            begin_words(rule::value_unquoted);
            return true;
        }
    }
    push(frame::object, 1);
    return true;
}

bool engine::begin_set() {
    if (refuse_depth()) { return true; }
    put(p_, p_ + 1, "[", rule::set_as_array);
    push(frame::set, 1);
    return true;
}

/// A comment is dropped whole, however long it is.
bool engine::skip_comment() {
    if (mode_ != mode::comment) {
        comment_from_ = mode_;
        comment_begin_ = p_;
        comment_kind_ = byte(p_) == '<'                        ? comment_kind::html
                        : byte(p_) == '/' && at(p_ + 1) == '*' ? comment_kind::block
                                                               : comment_kind::line;
        p_ += byte(p_) == '#' ? 1u : 2u;
        mode_ = mode::comment;
        return true;
    }
    // in a live stream a long comment goes in pieces of a fixed size, so that it need not be held
    const std::size_t piece = std::max<std::size_t>(options_.limits.hold_back, least_piece);
    for (; p_ < end_; ++p_) {
        if (options_.preset == preset::live && p_ - comment_begin_ == piece) {
            drop(comment_begin_, p_, rule::comment);
            comment_begin_ = p_;
        }
        if (comment_kind_ == comment_kind::line) {
            if (byte(p_) == '\n' || byte(p_) == '\r') { break; }
        } else if (byte(p_) == (comment_kind_ == comment_kind::block ? '*' : '-')) {
            const bool closes = comment_kind_ == comment_kind::block ? at(p_ + 1) == '/'
                                                                     : at(p_ + 1) == '-' && at(p_ + 2) == '>';
            if (starved_) { return false; }
            if (closes) { break; }
        }
    }
    if (p_ >= end_) {
        starved_ = !final_;
        return false;
    }
    if (comment_kind_ != comment_kind::line) { p_ += comment_kind_ == comment_kind::block ? 2u : 3u; }
    end_comment();
    return true;
}

void engine::end_comment() {
    mode_ = comment_from_;
    drop(comment_begin_, p_, rule::comment);
}

} // namespace jsonheal::heal_detail
