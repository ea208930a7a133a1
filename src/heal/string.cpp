// Strings: their content, byte by byte where it matters, and how they begin and end.

#include "engine.hpp"

#include <array>
#include <string_view>

namespace jsonheal::heal_detail {

namespace {

constexpr bool is_bracket(unsigned c) noexcept { return c == '{' || c == '}' || c == '[' || c == ']'; }

/// Inside JSON-like text brackets need a look, too.
constexpr std::array<bool, 256> nested_stops = [] {
    std::array<bool, 256> stops = string_stops;
    for (unsigned c = 0; c < 256; ++c) { stops[c] = stops[c] || is_bracket(c); }
    return stops;
}();

constexpr const char* hex = "0123456789abcdef";

} // namespace

/// A quote, or what stands for one, opens a string at p_. `c` is its sign: " ' ` \ <
bool engine::open_string(role r, int c) {
    if (byte(p_) == '\\') { c = '\\'; }
    look l(*this, p_);
    std::size_t size = 1;
    const char sign = c == '\\' || c == '<' ? '"' : l.sign_at(p_, size);
    if (starved_) { return false; }
    if (c == '\\') {
        begin_string(r, delimiter::escaped, 2);
        return true;
    }
    if (c == '<') {
        // <|"> and <|"|>
        const std::size_t length = l.at(p_ + 3) == '>'                          ? 4
                                   : l.at(p_ + 3) == '|' && l.at(p_ + 4) == '>' ? 5
                                                                                : 3;
        if (starved_) { return false; }
        begin_string(r, delimiter::token, length);
        return true;
    }
    if (sign == '`') {
        begin_string(r, delimiter::backtick, 1);
        return true;
    }
    const bool is_double = sign == '"';
    const auto plain = is_double ? delimiter::double_quote : delimiter::single_quote;
    if (size == 1 && l.at(p_ + 1) == sign) {
        // "" is an empty string, the first half of """, or a doubled quote
        const auto triple_ahead = [&] {
            for (std::size_t i = p_ + 3; l.at(i) >= 0; ++i) {
                if (l.at(i) == '\n' && r == role::key) { return false; }
                if (l.at(i) == sign && l.at(i + 1) == sign && l.at(i + 2) == sign) { return true; }
            }
            return l.past;
        };
        const bool key = r == role::key;
        bool other = false;
        const auto ends = [&](std::size_t i) {
            if (key) {
                return l.colon_at(i, other) || l.at(l.skip(i).position) == ',' ||
                       l.at(l.skip(i).position) == '}';
            }
            return l.after_value(i, 0) >= fit::poor;
        };
        // {"a": """"}: two quotes in quotes
        const bool two_inner = l.at(p_ + 2) == sign && l.at(p_ + 3) == sign && ends(p_ + 4);
        if (l.at(p_ + 2) == sign && !two_inner &&
            (!ends(p_ + 3) || (l.skip(p_ + 3).newline && triple_ahead()))) {
            if (starved_) { return false; }
            begin_string(r, is_double ? delimiter::triple_double : delimiter::triple_single, 3);
            return true;
        }
        const bool empty = ends(p_ + 2) || l.at(p_ + 2) < 0;
        bool doubled = false;
        if (!empty && is_double) {
            const std::size_t close = l.quoted_end(p_ + 1, 1, sign);
            doubled = close != 0 && (key || doubled_keys_ || stack_.empty()) &&
                      (l.at(close) == sign ||
                       (key ? l.colon_at(close, other) : l.after_value(close, 0) >= fit::good));
        }
        if (starved_) { return false; }
        if (doubled) {
            drop(p_, p_ + 1, rule::quote_surplus);
            ++p_;
            begin_string(r, plain, 1);
            str_.doubled = true;
            if (key) { doubled_keys_ = true; }
            return true;
        }
    }
    if (starved_) { return false; }
    begin_string(r, plain, size);
    str_.typographic = size > 1;
    return true;
}

void engine::begin_string(role r, delimiter d, std::size_t size) {
    if (r == role::key) {
        if (member_ == none) {
            member_ = p_;
            member_edit_ = edits_.size();
        }
        quoted_keys_ = true;
        if (d == delimiter::escaped) { escaped_ = true; }
    } else {
        commit_comma();
    }
    str_ = {};
    str_.role = r;
    str_.delimiter = d;
    str_.open = p_;
    str_.content = p_ + size;
    if (size != 1 || byte(p_) != '"') {
        const rule why = d == delimiter::triple_double || d == delimiter::triple_single ? rule::quote_triple
                         : d == delimiter::escaped ? rule::escape_structure
                         : d == delimiter::token   ? rule::quote_token
                                                   : rule::quote_style;
        put(p_, p_ + size, "\"", why);
    }
    p_ += size;
    str_.edits = edits_.size();
    mode_ = mode::string;
}

bool engine::step_string() {
    if (p_ < end_ && nested_stops[byte(p_)] && (str_.nested != 0 || !is_bracket(byte(p_)))) {
        // many stops side by side: nothing to search
    } else if (str_.nested == 0) {
        const char* from = data_ + (p_ - base_);
        p_ += static_cast<std::size_t>(kernel_.find_string_stop(from, data_ + (end_ - base_)) - from);
    } else {
        while (p_ < end_ && !nested_stops[byte(p_)]) { ++p_; }
    }
    if (p_ >= end_) {
        starved_ = !final_;
        return false;
    }
    const unsigned char c = byte(p_);
    if (waits_for_next_token()) {
        starved_ = true;
        return false;
    }
    switch (c) {
    case '\\': return string_escape();
    case '"':
        switch (str_.delimiter) {
        case delimiter::double_quote:
        case delimiter::escaped:
        case delimiter::triple_double: return string_quote(1, false);
        default: break;
        }
        put(p_, p_ + 1, "\\\"", rule::inner_quote_other);
        ++p_;
        return true;
    case '\'':
        if (str_.delimiter == delimiter::single_quote || str_.delimiter == delimiter::triple_single) {
            return string_quote(1, false);
        }
        ++p_;
        return true;
    case '`':
        if (str_.delimiter == delimiter::backtick) { return string_quote(1, false); }
        ++p_;
        return true;
    case '<':
        if (str_.delimiter == delimiter::token) {
            look l(*this, p_);
            const bool token = l.word_is(p_, "<|\"");
            const std::size_t length = l.at(p_ + 3) == '>'                          ? 4
                                       : l.at(p_ + 3) == '|' && l.at(p_ + 4) == '>' ? 5
                                                                                    : 3;
            if (starved_) { return false; }
            if (token) {
                close_string(p_, p_ + length);
                return true;
            }
        }
        ++p_;
        return true;
    case '{':
    case '[':
        ++str_.nested;
        ++p_;
        return true;
    case '}':
    case ']':
        --str_.nested;
        ++p_;
        return true;
    default: return c < 0x20 ? string_control(c) : string_bytes();
    }
}

/// A raw control character. At a line end the string may also have lost its closing quote.
bool engine::string_control(unsigned char c) {
    if ((c == '\n' || c == '\r') && p_ >= str_.line_checked &&
        (str_.role == role::member || str_.role == role::element) && str_.nested == 0 &&
        (str_.delimiter == delimiter::double_quote || str_.delimiter == delimiter::single_quote)) {
        look l(*this, p_);
        const std::size_t where = lost_close(l, p_, false);
        if (starved_) { return false; }
        if (where != none) { return close_at(where, rule::quote_missing_close); }
        // { at a line's end, then "a": 1 — JSON-like text inside the string: its quotes belong to it
        const std::size_t next = l.skip(p_).position;
        const bool quoted = l.at(next) == '"';
        if (starved_) { return false; }
        std::size_t before = p_;
        while (before > str_.content && before + 64 > p_ && is_blank(byte(before - 1))) { --before; }
        if (quoted && before > str_.content && (byte(before - 1) == '{' || byte(before - 1) == '[') &&
            str_.delimiter == delimiter::double_quote) {
            str_.nested = 1;
            ++str_.inner;
        }
        str_.line_checked = next; // the line ends of one run of blanks have one answer
    }
    if (c == '\n' && str_.role == role::key) {
        look l(*this, p_);
        const std::size_t where = key_lost_close(l, p_);
        if (starved_) { return false; }
        if (where != none) { return close_at(where, rule::quote_missing_close); }
    }
    char text[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
    std::size_t size = 6;
    // RFC 8259, section 7: these five have an escape of two characters
    if (const std::size_t k = std::string_view("\n\r\t\b\f").find(static_cast<char>(c));
        k != std::string_view::npos) {
        text[1] = "nrtbf"[k];
        size = 2;
    }
    put(p_, p_ + 1, {text, size}, rule::control_character);
    ++p_;
    return true;
}

/// Bytes outside ASCII: checked as UTF-8, and watched for typographic quotes where one may close the string.
bool engine::string_bytes() {
    const bool quotes = mode_ == mode::string &&
                        (str_.delimiter == delimiter::double_quote ||
                         str_.delimiter == delimiter::single_quote || str_.delimiter == delimiter::backtick);
    while (p_ < end_ && byte(p_) >= 0x80) {
        const unsigned length = unicode::sequence_length(byte(p_));
        const std::size_t want = p_ + std::max(1u, length);
        if (want > end_ && !final_) {
            // an ill-formed beginning is ill-formed whatever follows
            const unicode::decoded d = unicode::decode(view(p_, end_));
            if (d.bad == 0 || p_ + d.bad >= end_) {
                starved_ = true;
                return false;
            }
        }
        const unicode::decoded d = unicode::decode(view(p_, std::min(end_, want)));
        if (d.size == 0) {
            put(p_, p_ + d.bad, "\xEF\xBF\xBD", rule::invalid_utf8);
            p_ += d.bad;
            if (mode_ == mode::words) { break; }
            continue;
        }
        if (quotes && d.code >= 0xAB) {
            const unicode::sign s = unicode::sign_of(d.code);
            const bool mine =
                str_.delimiter == delimiter::backtick
                    ? d.code == 0xB4
                    : s == (str_.delimiter == delimiter::double_quote ? unicode::sign::double_quote
                                                                      : unicode::sign::single_quote);
            if (mine) { return string_quote(d.size, true); }
        }
        p_ += d.size;
        if (mode_ == mode::words) { break; }
    }
    return true;
}

/// A quote of the string's own kind: it closes the string, or is part of it.
bool engine::string_quote(std::size_t size, bool typographic) {
    if (str_.delimiter == delimiter::triple_double || str_.delimiter == delimiter::triple_single) {
        const int c = byte(p_);
        const bool three = at(p_ + 1) == c && at(p_ + 2) == c;
        // """say "hi"""": the last three close
        const bool four = three && at(p_ + 3) == c;
        look l(*this, p_);
        const bool ends = three && !four && (l.after_value(p_ + 3, 0) >= fit::poor || stack_.empty());
        if (starved_) { return false; }
        if (ends) {
            close_string(p_, p_ + 3);
            return true;
        }
        if (c == '"') { put(p_, p_ + 1, "\\\"", rule::inner_quote_other); }
        ++p_;
        return true;
    }
    if (quote_run()) { return true; }
    std::size_t where = none;
    const closing verdict = judge_quote(size, typographic, where);
    if (starved_) { return false; }
    switch (verdict) {
    case closing::closes: close_string(p_, p_ + size); return true;
    case closing::doubled: close_string(p_, p_ + 2); return true;
    case closing::unclear:
        last_close_ = edits_.size();
        last_quote_ = p_;
        put(p_, p_ + size, "\"", rule::inner_quote_unclear);
        p_ += size;
        string_ended();
        return true;
    case closing::starts_next: return close_at(where, rule::quote_missing_close);
    case closing::inner: break;
    }
    if (typographic == str_.typographic) {
        look l(*this, p_);
        note_inner(l, p_, size);
        if (starved_) { return false; }
    }
    if (!typographic && byte(p_) == '"') { put(p_, p_ + 1, "\\\"", rule::inner_quote); }
    p_ += size;
    return true;
}

/// Quotes with a quote before them and five behind: no structure stands anywhere near, so `judge_quote` would find each
/// of them an inner one, and `note_inner` nothing around it. `"x""""""""y"`
bool engine::quote_run() {
    constexpr std::string_view near = "\"\"\"\"\"\"\"";
    const bool judged = str_.delimiter == delimiter::double_quote && !str_.typographic &&
                        (str_.role == role::member || str_.role == role::element) && !stack_.empty();
    const std::size_t from = p_;
    while (judged && p_ > str_.content && p_ + near.size() - 1 <= end_ &&
           view(p_ - 1, p_ - 1 + near.size()) == near && !refused_) {
        ++str_.inner;
        str_.inner_open = false;
        put(p_, p_ + 1, "\\\"", rule::inner_quote);
        ++p_;
    }
    return p_ != from;
}

void engine::close_string(std::size_t from, std::size_t to) {
    last_close_ = edits_.size();
    last_quote_ = from;
    if (to - from != 1 || byte(from) != '"') {
        const rule why =
            str_.delimiter == delimiter::triple_double || str_.delimiter == delimiter::triple_single
                ? rule::quote_triple
            : str_.delimiter == delimiter::escaped && byte(from) == '\\' ? rule::escape_structure
            : str_.delimiter == delimiter::token                         ? rule::quote_token
            : to - from == 2 && byte(from) == '"'                        ? rule::quote_surplus
                                                                         : rule::quote_style;
        put(from, to, "\"", why);
    }
    p_ = to;
    string_ended();
}

/// The closing quote was lost: the string ended at an earlier place, and what follows it is read again.
/// `{"a":"b, "c":1}` → `{"a":"b", "c":1}`
bool engine::close_at(std::size_t position, rule why) {
    roll_back(position, str_.edits);
    last_close_ = edits_.size();
    last_quote_ = position;
    put(position, position, "\"", why);
    p_ = position;
    string_ended();
    return true;
}

void engine::string_ended() {
    if (str_.inner != 0) { inner_seen_ = true; }
    if (str_.role == role::key) {
        mode_ = mode::container;
        phase_ = phase::colon;
        value_end_ = p_;
        if (options_.expect != nullptr) { note_key(str_.content, last_quote_); }
        return;
    }
    const std::size_t quote = last_quote_;
    value_done();
    if (!stack_.empty()) {
        last_string_ = true;
        last_quote_ = quote;
    }
}

/// `"a" + "b"` → `"ab"`
bool engine::join_strings() {
    look l(*this, p_);
    const gap g = l.skip(byte(p_) == '+' ? p_ + 1 : p_);
    std::size_t size = 1;
    const char sign = l.sign_at(g.position, size);
    if (starved_) { return false; }
    if (sign != '"' && sign != '\'') { return step_foreign('+'); }
    if (held_too_long(last_quote_)) {
        refuse("strings are joined over more bytes than may be held back", last_quote_);
        return true;
    }
    edits_.resize(last_close_);
    const std::size_t from = last_quote_;
    p_ = g.position;
    str_ = {};
    str_.role = in_object() ? role::member : role::element;
    str_.delimiter = sign == '"' ? delimiter::double_quote : delimiter::single_quote;
    str_.typographic = size > 1;
    str_.open = p_;
    str_.content = p_ + size;
    put(from, p_ + size, {}, rule::concatenation);
    str_.edits = edits_.size();
    p_ += size;
    last_string_ = false;
    mode_ = mode::string;
    return true;
}

/// The text ends inside a string. Returns whether the string turned out to be whole.
bool engine::string_end_of_text() {
    look l(*this, p_);
    const std::size_t where = lost_close(l, p_, true);
    if (where == none) { return false; }
    return close_at(where, rule::quote_missing_close);
}

} // namespace jsonheal::heal_detail
