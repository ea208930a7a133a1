// Bare words: keys without quotes, literals of many languages, calls around a value, and text that lost its quotes.

#include "engine.hpp"
#include "lower_case.hpp"

#include <algorithm>
#include <string_view>

namespace jsonheal::heal_detail {

namespace {

enum class meaning : std::uint8_t { as_is, spelled, undefined, nonfinite };

struct literal_row {
    std::string_view word; // in lower case
    std::string_view json;
    meaning what;
};

constexpr literal_row literals[] = {
    {"true", "true", meaning::spelled},     {"false", "false", meaning::spelled},
    {"null", "null", meaning::spelled},     {"none", "null", meaning::spelled},
    {"nil", "null", meaning::spelled},      {"undefined", "null", meaning::undefined},
    {"nan", "\"NaN\"", meaning::nonfinite}, {"infinity", "", meaning::nonfinite},
    {"inf", "", meaning::nonfinite},
};

constexpr std::size_t longest_literal = 9;
constexpr std::size_t key_reach = 256;

const literal_row* find_literal(std::string_view word) noexcept {
    if (word.size() < 3 || word.size() > longest_literal || !begins_literal(word.front())) { return nullptr; }
    for (const literal_row& row : literals) {
        if (same_word(word, row.word)) {
            // `Inf`, `NaN` and the like only as they are written, `nil` and `inf` only in lower case
            if (row.word == "nil" && word != "nil" && word != "NIL") { return nullptr; }
            return &row;
        }
    }
    return nullptr;
}

} // namespace

/// The opening quote of a bare key, and its text up to `end` without backslashes and ill-formed bytes.
void engine::put_bare_key(std::size_t end, rule why) {
    put(p_, p_, "\"", why);
    for (std::size_t i = p_; i < end;) {
        if (byte(i) == '\\') { drop(i, i + 1, rule::escape_markdown); }
        const unicode::decoded u = unicode::decode(view(i, end));
        if (u.size == 0) { put(i, i + u.bad, "\xEF\xBF\xBD", rule::invalid_utf8); }
        i += u.size != 0 ? u.size : u.bad;
    }
    p_ = end;
}

/// A key without its opening quote, or without both.
bool engine::bare_key(int c) {
    look l(*this, p_);
    l.equals = true;
    std::size_t j = p_, end = p_;
    int d = c;
    bool several = false;
    for (; j < p_ + key_reach; d = l.at(++j)) {
        if (d < 0 || d == ':' || d == '"' || d == '\'' || d == ',' || d == '{' || d == '}' || d == '[' ||
            d == ']' || d == '\n' || d == '\r' || d == '=' || d == '`' || d == '<' || d == ';') {
            break;
        }
        std::size_t size = 1;
        if (d >= 0x80) {
            const char s = l.sign_at(j, size);
            if (s != 0) {
                d = s == '"' || s == '\'' ? '"' : s;
                break;
            }
        }
        if (d == '\t' || (d < 0x20 && d >= 0)) { break; }
        // a /* comment */: 1
        if (d == '/' && (l.at(j + 1) == '*' || (l.at(j + 1) == '/' && end < j))) { break; }
        if (!is_blank(d)) {
            several |= end > p_ && end < j;
            end = j + 1;
        }
    }
    bool other = false;
    const bool found = end > p_ && l.colon_at(end, other) && !l.past;
    const int quote_next = l.at(end);
    const bool closing_quote =
        end > p_ && !found && (quote_next == '"' || quote_next == '\'') && l.colon_at(end + 1, other);
    if (starved_) { return false; }
    if (found || closing_quote) {
        if (member_ == none) {
            member_ = p_;
            member_edit_ = edits_.size();
        }
        const std::size_t from = p_;
        put_bare_key(end, closing_quote ? rule::quote_missing_open : rule::key_unquoted);
        if (!closing_quote) {
            put(p_, p_, "\"", rule::key_unquoted);
            bare_keys_ = true;
        } else {
            if (quote_next == '\'') { put(p_, p_ + 1, "\"", rule::quote_style); }
            ++p_;
        }
        value_end_ = p_;
        phase_ = phase::colon;
        if (options_.expect != nullptr) { note_key(from, end); }
        return true;
    }
    const bool single = end > p_ && !several && is_name(c);
    if (l.at(j) < 0 && !l.past && j < p_ + key_reach) {
        // cut in the key
        if (single || end == p_) {
            if (member_ == none) {
                member_ = p_;
                member_edit_ = edits_.size();
            }
            if (!drop_pending(end_, rule::cut_member) && refuse_released_comma()) { return true; }
            p_ = end_;
            phase_ = phase::after;
            close_all(cut_place::in_key);
            return true;
        }
        return step_foreign(c);
    }
    if (single && (d == ',' || d == '}')) {
        // {a, "b": 1} → {"a":null, "b": 1}
        const bool member =
            d == '}' ? phase_ == phase::next : l.member_after_comma(l.skip(j + 1), 0, 0) >= fit::good;
        if (starved_) { return false; }
        if (member) {
            if (member_ == none) {
                member_ = p_;
                member_edit_ = edits_.size();
            }
            put_bare_key(end, rule::key_unquoted);
            put(end, end, "\"", rule::key_unquoted);
            phase_ = phase::colon;
            value_missing_here();
            return true;
        }
    }
    return step_foreign(c);
}

/// A word where a value may stand.
bool engine::begin_word() {
    look l(*this, p_);
    std::size_t j = p_;
    while (l.name_at(j) || l.at(j) == '.') { ++j; }
    const int next = l.at(j);
    if (starved_) { return false; }
    if (l.past) {
        begin_words(rule::value_unquoted);
        return true;
    }
    const std::string_view word = view(p_, j);
    const bool unwraps = options_.calls == call_policy::unwrap;
    if (unwraps && next == '(' && call_wrapper(j)) { return true; }
    if (unwraps && word == "new" && is_blank(next)) {
        // new Date("…")
        std::size_t k = l.skip(j).position;
        while (l.name_at(k) || l.at(k) == '.') { ++k; }
        if (l.at(k) == '(' && call_wrapper(k)) { return true; }
    }
    if (starved_) { return false; }
    if ((next == '"' || next == '\'') && word.size() <= 2 && word.size() >= 1 &&
        std::all_of(word.begin(), word.end(), [](char ch) {
            return std::string_view("rRbBfFuU").find(ch) != std::string_view::npos;
        })) {
        // r'…', b"…"
        const std::size_t from = p_;
        look m(*this, j);
        drop(from, j, rule::string_prefix);
        p_ = j;
        const role r = stack_.empty() ? role::root : in_object() ? role::member : role::element;
        if (!open_string(r, next)) {
            edits_.pop_back();
            p_ = from;
            return false;
        }
        return true;
    }
    l.escaped_blanks = true;
    const bool short_word = word.size() <= longest_literal;
    if (short_word && next < 0) {
        // at the very end: whole literals stay, pieces of one are dropped
        if (literal(word, j)) { return true; }
        for (const literal_row& row : literals) {
            if (word.size() < row.word.size() && same_word(word, row.word.substr(0, word.size()))) {
                drop_unsure(rule::cut_literal, cut_place::in_literal);
                return true;
            }
        }
    }
    if (short_word && find_literal(word) != nullptr) {
        const gap g = l.skip(j);
        const bool ends = g.newline || g.comment ||
                          (l.at(j) == ',' && (!in_object() || l.noise_line(j + 1))) ||
                          (!in_object() && g.blank && l.value_starts(g.position)) ||
                          l.after_value(j, 0) >= fit::poor || l.at(g.position) < 0;
        if (starved_) { return false; }
        const bool text = is_boolean(word) && wants_text(value_kind::boolean);
        if (ends && !text && literal(word, j)) { return true; }
    }
    begin_words(rule::value_unquoted);
    return true;
}

/// A boolean in another spelling than JSON's.
bool engine::is_boolean(std::string_view word) noexcept {
    return word != "true" && word != "false" && (same_word(word, "true") || same_word(word, "false"));
}

bool engine::is_literal(std::string_view word) noexcept { return find_literal(word) != nullptr; }

/// A literal in any language's spelling, from p_ to `end`.
bool engine::literal(std::string_view word, std::size_t end) {
    const literal_row* row = find_literal(word);
    if (row == nullptr) { return false; }
    const std::string own(word); // view into the window
    commit_comma();
    switch (row->what) {
    case meaning::undefined:
        if (options_.undefined == undefined_policy::string) {
            put(p_, p_, "\"", rule::literal_undefined);
            put(end, end, "\"", rule::literal_undefined);
        } else {
            put(p_, end, row->json, rule::literal_undefined);
        }
        break;
    case meaning::nonfinite:
        if (options_.nonfinite == nonfinite_policy::string) {
            put(p_, p_, "\"", rule::literal_nonfinite);
            put(end, end, "\"", rule::literal_nonfinite);
        } else {
            put(p_, end, "null", rule::literal_nonfinite);
        }
        break;
    default:
        if (own != row->json) { put(p_, end, row->json, rule::literal_style); }
        break;
    }
    p_ = end;
    value_done();
    return true;
}

/// `ObjectId("1")` → `"1"`; the call's name and brackets go.
bool engine::call_wrapper(std::size_t word_end) {
    look l(*this, p_);
    const gap g = l.skip(word_end + 1);
    const int c = l.at(g.position);
    bool single = false;
    if (c == '"' || c == '\'') {
        const std::size_t close = l.quoted_end(g.position, 1, static_cast<char>(c));
        single = close != 0 && l.at(l.skip(close).position) == ')' &&
                 l.after_value(l.skip(close).position + 1, 0) >= fit::poor;
    } else if (c == '{' || c == '[') {
        single = true;
    } else if (is_digit(c) || c == '-') {
        std::size_t j = g.position + 1;
        while (l.name_at(j) || l.at(j) == '.') { ++j; }
        single = l.at(l.skip(j).position) == ')';
    }
    if (starved_ || !single || l.past) { return false; }
    if (refuse_depth()) { return true; }
    drop(p_, word_end + 1, rule::call_wrapper);
    push(frame::call, word_end + 1 - p_);
    return true;
}

void engine::begin_words(rule why) {
    commit_comma();
    put(p_, p_, "\"", why);
    words_rule_ = why;
    str_ = {};
    str_.role = stack_.empty() ? role::root : in_object() ? role::member : role::element;
    str_.content = str_.open = p_;
    str_.edits = edits_.size();
    word_end_ = p_;
    word_depth_ = 0;
    word_quote_ = p_;
    mode_ = mode::words;
}

/// Text without quotes: it goes on until something ends it that cannot be part of it.
bool engine::step_words() {
    while (p_ < end_) {
        const int c = byte(p_);
        if (is_name(c) && c < 0x80) {
            word_end_ = ++p_;
            continue;
        }
        if (c == ' ') {
            ++p_;
            if (held_too_long(word_end_)) { word_end_ = p_; } // too many to be held: they are text
            continue;
        }
        if (c >= 0x80) {
            std::size_t size = 1;
            look l(*this, p_);
            const char s = l.sign_at(p_, size);
            if (starved_) { return false; }
            bool ends = false;
            std::size_t quote = 0;
            if (s == ',') { ends = l.after_comma(p_ + size, 0) >= fit::good || !in_object(); }
            if (s == '"' && p_ != str_.content) {
                ends = l.after_value(p_ + size, 0) >= fit::good;
                quote = ends ? size : 0;
            }
            if (starved_) { return false; }
            if (ends) {
                end_words(quote != 0 ? p_ : word_end_, quote);
                return true;
            }
            const std::size_t before = p_;
            if (!string_bytes()) { return false; }
            if (p_ == before) { p_ += size; }
            word_end_ = p_;
            continue;
        }
        if (c == '\\') {
            if (!words_escape()) { return false; }
            continue;
        }
        look l(*this, p_);
        bool quote = false;
        const bool quoted = p_ < word_quote_ && c != '\n' && c != '\r';
        const bool ends = !quoted && words_end(l, p_, c, quote);
        if (!quoted && !ends && (c == '"' || c == '\'')) { word_quote_ = quoted_words_end(l, p_, c); }
        if (starved_) { return false; }
        if (ends) {
            end_words(quote ? p_ : word_end_, quote ? 1 : 0);
            return true;
        }
        if (c == '"') { put(p_, p_ + 1, "\\\"", rule::inner_quote_other); }
        if (c < 0x20) {
            string_control(static_cast<unsigned char>(c));
        } else {
            ++p_;
        }
        if (!is_blank(c)) { word_end_ = p_; }
    }
    starved_ = !final_;
    return false;
}

/// The end of a quoted part of text without quotes, on whose other side the text goes on; `i` if none begins there.
/// `{c: echo "a, b", t: 3}` → `{"c": "echo \"a, b\"", "t": 3}`
std::size_t engine::quoted_words_end(look& l, std::size_t i, int quote) {
    const bool opens = i != str_.content && is_blank(byte(i - 1));
    if (!opens || is_blank(l.at(i + 1))) { return i; }
    std::size_t j = i + 1;
    for (int c = l.at(j); c >= 0 && c != quote && c != '\n'; c = l.at(++j)) {}
    const int next = l.at(j + 1);
    const bool closes =
        l.at(j) == quote && !is_blank(l.at(j - 1)) &&
        (is_blank(next) || next == ',' || next == '}' || next == ']' || next == ';' || next == ')');
    return closes && !l.past && !starved_ ? j + 1 : i;
}

/// Does the text without quotes end before the character c at i? `quote`: c is its closing quote.
bool engine::words_end(look& l, std::size_t i, int c, bool& quote) {
    l.deep = true;
    switch (c) {
    case ',':
        if (word_depth_ != 0) { return false; }
        l.deep = false;
        return !in_object() || l.after_comma(i + 1, 0) >= fit::good;
    case ';': return word_depth_ == 0 && in_object() && l.after_comma(i + 1, 0) == fit::good;
    case '{':
    case '[':
    case '(': ++word_depth_; return false;
    case '}':
    case ']':
        if (word_depth_ != 0) {
            --word_depth_;
            return false;
        }
        if (stack_.empty()) { return false; }
        // the right one needs no look, so that it settles as soon as it is there
        return stack_.back().closer() == c || l.closer_fits({i}, static_cast<char>(c), 0, 0) >= fit::poor;
    case ')':
        if (word_depth_ != 0) {
            --word_depth_;
            return false;
        }
        return !stack_.empty() && (stack_.back().has(frame::paren) || stack_.back().has(frame::call));
    case '\n':
    case '\r': return true;
    case '"':
        if (i == str_.content) { return false; }
        l.deep = false;
        quote = l.after_value(i + 1, 0) >= fit::good;
        if (quote) { return true; }
        return in_object() && is_blank(byte(i - 1)) && l.quoted_key(i) == key_shape::colon;
    case '/': {
        const int d = l.at(i + 1);
        if (i == str_.content || !is_blank(byte(i - 1))) { return d == '*' && i != str_.content; }
        return d == '/' || d == '*';
    }
    case '#': return i != str_.content && is_blank(byte(i - 1)) && is_blank(l.at(i + 1));
    case '<':
    case '`': return i != str_.content && l.ends_document(i);
    default: return false;
    }
}

/// `quote`: the size of a closing quote at `end`, if there is one.
void engine::end_words(std::size_t end, std::size_t quote) {
    roll_back(end, str_.edits);
    mode_ = mode::container;
    if (quote != 0) {
        if (quote > 1) { put(end, end + quote, "\"", rule::quote_style); }
        p_ = end + quote;
    } else {
        p_ = end;
        put(p_, p_, "\"", words_rule_);
    }
    value_done();
}

/// A backslash in text without quotes: a JSON escape stays one, any other is data.
bool engine::words_escape() {
    const int c = at(p_ + 1);
    if (c < 0 && starved_) { return false; }
    if (c == '"' || c == '\\') {
        p_ += 2;
    } else {
        put(p_, p_, "\\", rule::escape_invalid);
        ++p_;
    }
    word_end_ = p_;
    return true;
}

} // namespace jsonheal::heal_detail
