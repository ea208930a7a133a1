// Where a value begins in a text: brackets that open JSON and not prose, strings, numbers and literals that stand
// alone, and objects that lost their opening brace.

#include "engine.hpp"
#include "lower_case.hpp"

#include <algorithm>
#include <string_view>

namespace jsonheal::heal_detail {

namespace {

// What stands before a colon and is no key: Answer: {…}
constexpr std::string_view labels[] = {"answer", "result",  "results", "output", "json",  "response",
                                       "reply",  "example", "object",  "array",  "input", "final"};

} // namespace

/// At the very start of the text, of a fence or of a tag a value may be a string, a number or a literal, and an
/// object may have lost its opening brace.
bool engine::seek_start(int c) {
    if (only_passing() || (options_.preset == preset::live && reasoning_ != 0)) { return false; }
    if (c == '"' || c == '\'') { return start_quoted(c); }
    if (is_digit(c) || c == '-' || c == '+' || c == '.') { return start_number(); }
    return is_name_start(c) && start_word();
}

/// The root is an object whose opening brace was lost; its first key stands at p_.
void engine::begin_lost_root() {
    begin_root(false, false);
    put(p_, p_, "{", rule::opener_missing);
    push(frame::object | frame::no_opener, 0);
}

/// A quote at the start opens a key, if the object lost its brace, or a string that is all there is.
bool engine::start_quoted(int c) {
    look l(*this, p_);
    std::size_t size = 1;
    l.sign_at(p_, size);
    const std::size_t close = l.quoted_end(p_, size, static_cast<char>(c));
    const bool whole = close != 0 && l.at(l.skip(close).position) < 0; // nothing but this string
    if (!whole && !l.past) {
        const key_shape shape = l.quoted_key(p_);
        const bool value = shape == key_shape::no_colon && member_follows(l, close);
        // "10:30 is a string that was cut, "owner: null a key that lost its quote
        const bool lost = shape == key_shape::lost_close && (close != 0 || lost_key_alone(l));
        if (starved_) { return false; }
        if ((shape == key_shape::colon || lost || value) && !l.past) {
            begin_lost_root();
            return true;
        }
    }
    if (starved_) { return false; }
    bool string = close == 0 || l.past || l.after_root(l.skip(close)) >= fit::good;
    if (!string) {
        // "x {"k":1} y": one string if its last quote is the text's last character
        std::size_t j = close, last = close;
        for (int d = l.at(j); d >= 0; d = l.at(++j)) {
            if (!is_blank(d)) { last = j; }
        }
        string = !l.past && l.at(last) == c;
    }
    if (starved_ || !string) { return false; }
    begin_root(true, false);
    return open_string(role::root, c);
}

/// A number that is all there is on its line.
bool engine::start_number() {
    look l(*this, p_);
    std::size_t j = p_;
    while (l.name_at(j) || l.at(j) == '.' || l.at(j) == '+' || l.at(j) == '-') { ++j; }
    const gap g = l.skip(j);
    const bool mark = l.at(g.position) == ';' || l.at(g.position) == ',';
    const bool alone = l.past || l.at(g.position) < 0 || (g.newline && !in_fence_) ||
                       l.ends_document(g.position) || (mark && l.at(l.skip(g.position + 1).position) < 0);
    if (starved_ || !alone || !number_like(view(p_, j))) { return false; }
    begin_root(true, false);
    return number_or_text();
}

/// A literal that is all there is on its line, or the bare first key of an object that lost its brace.
bool engine::start_word() {
    look l(*this, p_);
    std::size_t j = p_;
    while (l.name_at(j)) { ++j; }
    const gap g = l.skip(j);
    if (starved_) { return false; }
    if (is_literal(view(p_, j)) &&
        (l.value_starts(p_) || l.word_is(p_, "NaN") || l.word_is(p_, "undefined"))) {
        const bool alone =
            l.at(g.position) < 0 || g.newline || l.ends_document(g.position) || l.at(g.position) == ';';
        if (!alone || starved_) { return false; }
        begin_root(true, false);
        return literal(view(p_, j), j);
    }
    if (!lost_root(l) || starved_) { return false; }
    begin_lost_root();
    return true;
}

/// Is all that follows the quote at p_ a name, a colon, and a value that is no number?
bool engine::lost_key_alone(look& l) {
    std::size_t j = p_ + 1;
    if (!is_name_start(l.at(j))) { return false; }
    while (l.name_at(j)) { ++j; }
    const int c = l.at(l.skip(j + 1).position);
    return l.at(j) == ':' && !is_digit(c) && c != '-';
}

/// The end of the value that begins at v, if it is a string, a bracket that closes within reach, or a plain token; 0
/// if it is none of these.
std::size_t engine::simple_value_end(look& l, std::size_t v) {
    const int c = l.at(v);
    std::size_t size = 1;
    const char sign = l.sign_at(v, size);
    if (sign == '"' || sign == '\'' || sign == '`') { return l.quoted_end(v, size, sign); }
    if (c == '{' || c == '[') {
        std::size_t depth = 0;
        for (std::size_t k = v;; ++k) {
            const int d = l.at(k);
            if (d < 0) { return 0; }
            if (d == '"') {
                k = l.quoted_end(k, 1, '"');
                if (k == 0) { return 0; }
                --k;
            } else if (d == '{' || d == '[') {
                ++depth;
            } else if ((d == '}' || d == ']') && --depth == 0) {
                return k + 1;
            }
        }
    }
    if (!l.value_starts(v)) { return 0; }
    std::size_t end = v + 1;
    while (l.name_at(end) || l.at(end) == '.' || l.at(end) == '-' || l.at(end) == '+') { ++end; }
    return end;
}

/// `"a" 1, "b": 2` at the start of the text: does a member's end follow the value behind a key without colon?
bool engine::member_follows(look& l, std::size_t key_end) {
    const std::size_t v = l.skip(key_end).position;
    const std::size_t end = simple_value_end(l, v);
    if (end == 0) { return l.at(v) == '{' || l.at(v) == '['; }
    const gap g = l.skip(end);
    const int c = l.at(g.position);
    if (c == '}' || (c < 0 && !l.past)) { return true; }
    return c == ',' && l.quoted_key(l.skip(g.position + 1).position) == key_shape::colon;
}

/// `config: {a: 1}, …`: a name in lower case before a value whose keys are bare, too, is a key. `Result: {"a": 1}` and
/// the usual words for an answer are labels.
bool engine::member_not_label(look& l, std::size_t name_end, std::size_t v) {
    const std::string_view word = view(p_, name_end);
    if (word[0] < 'a' || word[0] > 'z' || listed(labels, word)) { return false; }
    std::size_t i = l.skip(v + 1).position;
    if (l.at(v) == '[' && l.at(i) == '{') { i = l.skip(i + 1).position; }
    const int inner = l.at(i);
    if (is_name_start(inner) && l.bare_key(i) == key_shape::colon) { return true; }
    if (l.at(v) != '[') { return false; }
    const std::size_t end = simple_value_end(l, v);
    return end != 0 && !l.past && l.at(l.skip(end).position) < 0;
}

/// Do a value and then a comma and another key follow a name in lower case?
bool engine::two_members(look& l, std::size_t name_end, std::size_t v) {
    const std::string_view word = view(p_, name_end);
    if (word[0] < 'a' || word[0] > 'z' || listed(labels, word)) { return false; }
    const std::size_t end = simple_value_end(l, v);
    if (end == 0 || l.past) { return false; }
    const gap g = l.skip(end);
    return l.at(g.position) == ',' && l.member_after_comma(l.skip(g.position + 1), 0, 0) >= fit::good &&
           !l.past;
}

/// `id: 5, name: "x"}` at the start of the text: an object that lost its brace, if its first member is one and
/// another follows. A label (`Result: {…}`) and YAML are not.
bool engine::lost_root(look& l) {
    std::size_t j = p_;
    while (l.name_at(j) || l.at(j) == '-') { ++j; }
    const bool quote = l.at(j) == '"'; // id": 5
    bool other = false;
    if (!l.colon_at(quote ? j + 1 : j, other)) { return false; }
    const std::size_t v = l.skip(l.skip(quote ? j + 1 : j).position + 1).position;
    const int c = l.at(v);
    const std::size_t end = simple_value_end(l, v);
    // `Output = {` and `Result: {` are labels, `content": [` is not
    if (quote && !l.past && (end == 0 || l.at(l.skip(end).position) < 0)) { return l.value_starts(v); }
    if (!quote && (c == '{' || c == '[')) { return member_not_label(l, j, v) || two_members(l, j, v); }
    if (end == 0 || l.past) { return false; }
    const gap g = l.skip(end);
    if (l.at(g.position) == '}') { return true; }
    if (l.at(g.position) != ',') { return quote && g.newline; }
    const gap n = l.skip(g.position + 1);
    const int d = l.at(n.position);
    if (d == '"' || d == '\'') { return l.quoted_key(n.position) == key_shape::colon && !l.past; }
    return l.bare_key(n.position) == key_shape::colon;
}

/// A member alone at the start of a line, below prose: an object that lost its opening brace.
bool engine::seek_member() {
    if (only_passing() || (options_.preset == preset::live && reasoning_ != 0)) { return false; }
    look l(*this, p_);
    const std::size_t close = l.quoted_end(p_, 1, '"');
    bool other = false;
    if (close == 0 || l.past || !l.colon_at(close, other) || other) { return false; }
    const std::size_t v = l.skip(l.skip(close).position + 1).position;
    const int c = l.at(v);
    if (!(c == '{' || c == '[')) {
        const std::size_t end = simple_value_end(l, v);
        if (end == 0 || l.past) { return false; }
        const int d = l.at(l.skip(end).position);
        if (d != '}' &&
            !(d == ',' && l.quoted_key(l.skip(l.skip(end).position + 1).position) == key_shape::colon)) {
            return false;
        }
    }
    if (l.past || starved_) { return false; }
    begin_lost_root();
    return true;
}

bool engine::object_begins(look& l, std::size_t i, unsigned braces) {
    l.equals = true;
    gap g = l.skip(i);
    while (l.at(g.position) == '\\' && (l.at(g.position + 1) == 'n' || l.at(g.position + 1) == 't')) {
        g = l.skip(g.position + 2);
    }
    const int d = l.at(g.position);
    if (l.past) { return true; }
    if (d < 0) { return !line_text_; }
    std::size_t size = 1;
    const char s = l.sign_at(g.position, size);
    if (s == '"' || s == '\'' || s == '`') {
        const key_shape shape = l.quoted_key(g.position);
        if (shape == key_shape::cut || shape == key_shape::none) {
            return !line_text_ || shape == key_shape::cut;
        }
        if (shape != key_shape::alone) { return true; }
        const std::size_t close = l.quoted_end(g.position, size, s);
        const int e = l.at(l.skip(close).position);
        return e == ',' || e == '}' || (!line_text_ && (l.at(close) == s || is_name(e)));
    }
    if (d == '}') { return !line_text_ || l.after_root(l.skip(g.position + 1)) >= fit::good; }
    if (d == ']') { return start_ && l.at(l.skip(g.position + 1).position) < 0; } // {]
    if (d == '\\') { return l.at(g.position + 1) == '"' || l.at(g.position + 1) == '\''; }
    if (d == '<') { return l.word_is(g.position, "<|\""); }
    if (d == '{') { return !prose_seen_ || (braces < 2 && object_begins(l, g.position + 1, braces + 1)); }
    if (d == ',') { return !line_text_ && object_begins(l, g.position + 1); }
    if (g.comment) { return true; }
    if (is_name(d)) {
        const key_shape shape = l.bare_key(g.position);
        if (shape == key_shape::colon) { return true; }
        if (shape == key_shape::cut) { return !line_text_; }
        std::size_t j = g.position;
        while (l.name_at(j) || l.at(j) == ' ' || l.at(j) == '-' || l.at(j) == '.' || l.at(j) == '\\') { ++j; }
        if (l.at(j) == ':' || l.at(j) == '=') { return true; }
        if (is_digit(d) && (l.at(j) == ',' || l.at(j) == '}')) { return !line_text_; }
        // {te!st: 1} at the very start of the text
        if (start_ && found_.empty()) {
            std::size_t k = j;
            for (int e = l.at(k);
                 e > ' ' && e != ',' && e != '{' && e != '}' && e != '[' && e != ']' && e != '"' && e != ':';
                 e = l.at(++k)) {}
            if (l.at(k) == ':') { return true; }
        }
        // {a, "b": 1} and {a, b: 1}
        const std::size_t next = l.skip(j + 1).position;
        return l.at(j) == ',' && !l.past &&
               (l.quoted_key(next) == key_shape::colon || l.bare_key(next) == key_shape::colon);
    }
    return false;
}

bool engine::array_begins(look& l, std::size_t i, int bracket, bool& citation) {
    const gap g = l.skip(i);
    const int d = l.at(g.position);
    if (bracket == '(' && !start_) { return false; }
    if (l.past) { return true; }
    if (d < 0) { return !line_text_ && bracket == '['; }
    std::size_t size = 1;
    const char s = l.sign_at(g.position, size);
    if (s == '"' || s == '\'' || s == '`') {
        const std::size_t close = l.quoted_end(g.position, size, s);
        if (close == 0) { return !line_text_ || l.past; }
        const gap n = l.skip(close);
        const int e = l.at(n.position);
        return e == ',' || e == ']' || e == ':' || e < 0 || e == '+' || (bracket == '(' && e == ')') ||
               !line_text_;
    }
    if (d == ']') {
        return bracket == '[' && (!line_text_ || l.after_root(l.skip(g.position + 1)) >= fit::good);
    }
    if (d == '}') { return start_ && bracket == '['; } // [}]
    if (d == '{') { return object_begins(l, g.position + 1); }
    if (d == '[' || d == '(') {
        const int e = l.at(l.skip(g.position + 1).position);
        if (e < 0) { return !line_text_; }
        if (is_name(e)) {
            std::size_t j = l.skip(g.position + 1).position;
            while (l.name_at(j)) { ++j; }
            if (l.at(j) < 0) { return !line_text_; } // [[n, cut
        }
        return e == '"' || e == '\'' || e == '[' || e == '{' || e == ']' || e == '(' || e == '-' ||
               is_digit(e) || l.value_starts(l.skip(g.position + 1).position);
    }
    if (d == '<') { return l.word_is(g.position, "<|\""); }
    if (d == '/' && bracket == '[') { return !line_text_ && !is_blank(l.at(g.position + 1)); }
    if (d == ',') { return !line_text_ && bracket == '['; }
    if (d == '\\') { return l.at(g.position + 1) == '"'; }
    if (g.comment) { return true; }
    if (is_digit(d) || d == '-' || d == '+' || d == '.') {
        std::size_t j = g.position;
        bool numbers = true;
        for (int e = l.at(j); e >= 0 && e != ']' && e != ')'; e = l.at(++j)) {
            numbers = numbers && (is_digit(e) || is_blank(e) || e == ',' || e == '.' || e == '-' ||
                                  e == '+' || e == 'e' || e == 'E' || e == '_');
            if (e == '\n' && line_text_) { numbers = false; }
            if (!numbers) { break; }
        }
        if (l.past) { return true; }
        if (!numbers) { return !line_text_; }
        if (bracket == '(') { return l.at(j) == ')' && l.at(l.skip(j + 1).position) < 0; }
        const gap n = l.skip(j + 1);
        citation = line_text_ ||
                   (l.at(j) == ']' && !n.newline && l.at(n.position) >= 0 && !l.ends_document(n.position) &&
                    l.at(n.position) != '}' && l.at(n.position) != ']' && l.at(n.position) != ',' &&
                    l.at(n.position) != '[' && l.at(n.position) != '{');
        return true;
    }
    if (l.value_starts(g.position) && bracket == '[') { return true; }
    if (!is_name(d) || !start_ || bracket == '(') { return false; }
    // [a, b] at the very start
    std::size_t j = g.position;
    while (l.name_at(j) || l.at(j) == ' ' || l.at(j) == '-' || l.at(j) == '.' || l.at(j) == '\\' ||
           l.at(j) == '/') {
        ++j;
    }
    if (l.at(j) == ']') {
        const gap n = l.skip(j + 1);
        return l.at(n.position) < 0 || ((l.at(n.position) == ',' || l.at(n.position) == ';') &&
                                        l.at(l.skip(n.position + 1).position) < 0);
    }
    return l.at(j) == ',' || l.at(j) < 0 || l.at(j) == '"';
}

} // namespace jsonheal::heal_detail
