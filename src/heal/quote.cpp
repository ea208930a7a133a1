// Where does a string end? The hardest question about text that models write, answered here and nowhere else.
//
// In valid JSON an unescaped quote always closes its string, and what follows always fits (`fit::strict`). So a quote
// closes unless what follows proves that it does not; only then are the readings weighed: a quote that belongs to the
// text, a quote that opens the next key because the closing one was lost, or a closing quote before some other fault.

#include "engine.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace jsonheal::heal_detail {

namespace {

constexpr bool opens_after(int c) noexcept {
    return is_blank(c) || c == '(' || c == '[' || c == '{' || c == '=' || c == ':' || c == ',' || c == '-' ||
           c == '>' || c == '/' || c == '<' || c == '+' || c == '|' || c == '*' || c == '`';
}

/// What structure is made of: separators, brackets, numbers and the letters of the literals.
constexpr std::array<bool, 256> tail_bytes = [] {
    std::array<bool, 256> table{};
    for (const char c : std::string_view(" \t\r\n0123456789,}]{[.-+truefalsn")) {
        table[static_cast<unsigned char>(c)] = true;
    }
    return table;
}();
constexpr bool in_tail(unsigned char c) noexcept { return tail_bytes[c]; }

/// “ ‘ „ ‚ « open, ” ’ » close.
bool opening_sign(std::string_view bytes, std::size_t& size) noexcept {
    const unicode::decoded d = unicode::decode(bytes);
    size = d.size;
    return d.code == 0x201C || d.code == 0x201E || d.code == 0x2018 || d.code == 0x201A || d.code == 0xAB;
}

bool low_sign(std::string_view bytes) noexcept {
    const unicode::decoded d = unicode::decode(bytes);
    return d.code == 0x201E || d.code == 0x201A;
}

constexpr bool begins_tail(unsigned char c) noexcept {
    return c == ',' || c == '}' || c == ']' || c == '\n' || c == '\r';
}

} // namespace

/// An inner quote that looks like an opening one: something that opens before it, text right behind it.
bool engine::looks_opening(look& l, std::size_t q, std::size_t size) const noexcept {
    const int next = l.at(q + size);
    if (next < 0 || is_blank(next) || next == ',' || next == '}' || next == ']' || next == ')' ||
        next == '"' || next == ';') {
        return false;
    }
    if (q == str_.content) { return true; }
    const unsigned char before = byte(q - 1);
    // "\n" and "\t" as escapes are blanks, too
    if ((before == 'n' || before == 't' || before == 'r') && q >= str_.content + 2 && byte(q - 2) == '\\') {
        return true;
    }
    // f"…", r"…", b"…"
    const bool prefix =
        std::string_view("fFrRbBuUL").find(static_cast<char>(before)) != std::string_view::npos &&
        (q < str_.content + 2 || !is_name(byte(q - 2)));
    return opens_after(before) || prefix;
}

/// Remembers what an inner quote says about the quotes to come.
void engine::note_inner(look& l, std::size_t q, std::size_t size) {
    if (str_.delimiter != delimiter::double_quote && str_.delimiter != delimiter::escaped) { return; }
    ++str_.inner;
    str_.first_inner |= q == str_.content;
    str_.inner_open = !str_.inner_open && looks_opening(l, q, size);
    if (str_.nested != 0) { return; }
    // {"a": 1} inside the text: its quotes belong to it until its brackets are closed
    std::size_t j = q;
    const std::size_t floor =
        std::max(str_.content, q > options_.limits.look_back ? q - options_.limits.look_back : 0);
    while (j > floor) {
        const unsigned char c = byte(j - 1);
        if (is_blank(c)) {
            --j;
        } else if ((c == 'n' || c == 't' || c == 'r') && j >= floor + 2 && byte(j - 2) == '\\') {
            j -= 2;
        } else {
            if (c == '{' || c == '[') { str_.nested = 1; }
            return;
        }
    }
}

/// Where the run of blanks, commas and closers before q begins: the part of a string that may turn out to be
/// structure. With `hold` a special token that is still arriving counts as well.
std::size_t engine::tail_start(std::size_t q, bool hold) const noexcept {
    const std::size_t back = options_.limits.look_back;
    const std::size_t content = mode_ == mode::words ? word_end_ : str_.content;
    const std::size_t floor = std::max({content, q > back ? q - back : 0, base_});
    std::size_t i = q, token_at = q;
    for (;;) {
        while (i > floor && in_tail(byte(i - 1))) { --i; }
        // }<|im_end|> and }</s>
        std::size_t j = i;
        const std::size_t reach = i > floor + 40 ? i - 40 : floor;
        while (j > reach &&
               (is_name(byte(j - 1)) || byte(j - 1) == '|' || byte(j - 1) == '/' || byte(j - 1) == '>')) {
            --j;
        }
        const bool token = j > floor && byte(j - 1) == '<' && (i == j || byte(j) == '|' || byte(j) == '/');
        if (!token || (!hold && (i == 0 || byte(i - 1) != '>'))) { break; }
        i = token_at = j - 1;
    }
    // the run counts from its first separator or closer on, and from the blanks before that
    const std::size_t last = hold ? token_at : q;
    while (i < last && !begins_tail(byte(i))) { ++i; }
    while (i > floor && is_blank(byte(i - 1))) { --i; }
    return i;
}

/// Is the closer at c the partner of an opener inside the same string?
bool engine::balanced_closer(std::size_t c) const noexcept {
    const char closer = static_cast<char>(byte(c));
    const char opener = closer == '}' ? '{' : '[';
    const std::size_t back = options_.limits.look_back;
    const std::size_t floor = std::max({str_.content, c > back ? c - back : 0, base_});
    std::size_t depth = 0;
    for (std::size_t i = c; i > floor; --i) {
        const char b = static_cast<char>(byte(i - 1));
        if (b == closer) { ++depth; }
        if (b == opener) {
            if (depth == 0) { return true; }
            --depth;
        }
    }
    return false;
}

/// Do the closers from c on close everything that is open, and does the document end there?
bool engine::tail_empties(look& l, std::size_t c) noexcept {
    std::size_t depth = 0;
    unsigned surplus = 0;
    gap g = l.skip(c);
    for (;;) {
        int d = l.at(g.position);
        if (d == ',') { // a trailing comma
            const gap n = l.skip(g.position + 1);
            if (l.at(n.position) != '}' && l.at(n.position) != ']') { break; }
            g = n;
            d = l.at(g.position);
        }
        if (d != '}' && d != ']') { break; }
        if (depth == stack_.size()) { // one too many; not a whole run of them
            if (++surplus > 3) { return false; }
            g = l.skip(g.position + 1);
            continue;
        }
        if (frame_below(depth).awaits() != d) { return false; }
        ++depth;
        g = l.skip(g.position + 1);
        // more elements of numbers and literals: }, 130]
        while (l.at(g.position) == ',' && depth < stack_.size() && !frame_below(depth).is_object()) {
            std::size_t i = l.skip(g.position + 1).position;
            if (!l.value_starts(i) || l.at(i) == '{' || l.at(i) == '[' || l.at(i) == '"') { return false; }
            while (l.name_at(i) || l.at(i) == '.' || l.at(i) == '-' || l.at(i) == '+') { ++i; }
            g = l.skip(i);
        }
    }
    // an object that lost both braces is closed by the end of the text
    if (depth + 1 == stack_.size() && depth != 0 && frame_below(depth).has(frame::no_opener) &&
        l.at(g.position) < 0) {
        return !l.past;
    }
    if (depth != stack_.size() || l.past) { return false; }
    if (l.at(g.position) < 0 || l.ends_document(g.position) || (g.newline && l.at(g.position) == '{')) {
        return true;
    }
    if (!g.newline) { return false; }
    // prose below, and no quote in it that could close the string
    std::size_t i = g.position;
    while (l.at(i) >= 0 && l.at(i) != '"') { ++i; }
    return l.at(i) < 0 && !l.past;
}

/// Does the string, up to c, open a bracket that it does not close? Then it does not end before that bracket does.
bool engine::opens_bracket(std::size_t c) const noexcept {
    const std::size_t back = options_.limits.look_back;
    const std::size_t floor = std::max({str_.content, c > back ? c - back : 0, base_});
    int braces = 0, brackets = 0;
    for (std::size_t i = c; i > floor; --i) {
        const unsigned char b = byte(i - 1);
        braces += b == '}' ? 1 : b == '{' ? -1 : 0;
        brackets += b == ']' ? 1 : b == '[' ? -1 : 0;
        if (braces < 0 || brackets < 0) { return true; }
    }
    return false;
}

/// Does the text from c on, read as what follows a value, lead to a member or an element that begins at q?
/// `abc}, 130, "next": 1`
bool engine::leads_to(look& l, std::size_t c, std::size_t q) {
    std::size_t depth = 0;
    bool opened = false; // a bracket opened on the way, still without content
    for (std::size_t i = c;;) {
        const gap g = l.skip(i);
        i = g.position;
        const int d = l.at(i);
        if (d == '}' || d == ']') {
            if (depth == stack_.size() || frame_below(depth).awaits() != d || opened) { return false; }
            ++depth;
            ++i;
            continue;
        }
        if (depth == stack_.size()) {
            // the next value begins: }{"a": 1
            return d == '{' && l.skip(i + 1).position == q && l.quoted_key(q) == key_shape::colon && !l.past;
        }
        if (d != ',') { return false; }
        i = l.skip(i + 1).position;
        if (l.at(i) == '}' || l.at(i) == ']') { continue; } // a trailing comma
        const bool object = frame_below(depth).is_object();
        if (i == q) {
            if (object) { return l.quoted_key(q) == key_shape::colon && !l.past; }
            const std::size_t close = l.quoted_end(q, 1, '"');
            if (close == 0 || depth == 0 || l.past) { return false; }
            const int e = l.at(l.skip(close).position);
            return e == ',' || e == ']';
        }
        if (object) { return false; }
        if (l.at(i) == '{' && l.skip(i + 1).position == q) {
            return l.quoted_key(q) == key_shape::colon && !l.past;
        }
        if (!l.value_starts(i) || l.at(i) == '{' || l.at(i) == '[' || l.at(i) == '"' || l.past) {
            return false;
        }
        while (l.name_at(i) || l.at(i) == '.' || l.at(i) == '-' || l.at(i) == '+') { ++i; }
        if (l.at(i) < 0 || l.past) { return false; }
    }
}

/// The string may have lost its closing quote before q (a quote that opens something, a line end, or the end of the
/// text). Returns where its content ended, or `none`.
std::size_t engine::lost_close(look& l, std::size_t q, bool at_end) {
    if (str_.role != role::member && str_.role != role::element) { return none; }
    if (str_.nested != 0) { return none; }
    const std::size_t start = tail_start(q, false);
    std::size_t tried = 0;
    for (std::size_t c = start; c < q && tried < 8; ++c) {
        const unsigned char b = byte(c);
        if (b != ',' && b != '}' && b != ']') { continue; }
        ++tried;
        // a comma before a closer is a trailing one: what matters is the closer
        std::size_t after = c;
        if (b == ',') {
            const std::size_t next = l.skip(c + 1).position;
            if (l.at(next) == '}' || l.at(next) == ']') { after = next; }
            if (starved_) { return none; }
        }
        if (byte(after) != ',' && balanced_closer(after)) { continue; }
        if (opens_bracket(c)) { continue; }
        look m(*this, c);
        if (!at_end && leads_to(m, c, q)) { return c; }
        if (starved_) { return none; }
        m.deep = true;
        if (tail_empties(m, c)) { return c; }
        if (at_end) { continue; }
        if (!m.past && m.after_value(after, 0) == fit::strict && !m.past) { return c; }
        if (starved_) { return none; }
    }
    if (at_end) { return none; }
    if (is_blank(byte(q)) || (start < q && view(start, q).find('\n') != std::string_view::npos)) {
        // the line ends without quote or comma, and the next one begins a member or closes the value
        const gap g = l.skip(start);
        const int d = l.at(g.position);
        if (opens_bracket(start)) { return none; }
        if (g.comment) { return none; } // # and // begin lines of text as well
        if ((d == '}' || d == ']') && balanced_closer(g.position)) { return none; }
        if ((d == '}' || d == ']') && tail_empties(l, start)) { return start; }
        if (d == '"' && in_object() && l.quoted_key(g.position) == key_shape::colon && !l.past) {
            return start;
        }
        if ((d == '}' || d == ']') && str_.inner == 0 && l.after_value(start, 0) == fit::strict && !l.past) {
            return start;
        }
        return none;
    }
    // Or one man who sou"rating": 4, — the next key follows at once
    const unsigned char before = q > str_.content ? byte(q - 1) : 0;
    if (in_object() && byte(q) == '"' && str_.inner == 0 && (is_name(before) || before == '.')) {
        if (l.quoted_key(q) == key_shape::colon && !l.past) {
            const std::size_t close = l.quoted_end(q, 1, '"');
            const gap v = l.skip(l.skip(close).position + 1);
            const int d = l.at(v.position);
            std::size_t end = 0;
            if (d == '"') {
                end = l.quoted_end(v.position, 1, '"');
            } else if (l.value_starts(v.position) && l.token_fits(v.position) == fit::strict) {
                end = v.position + 1;
                while (l.name_at(end) || l.at(end) == '.' || l.at(end) == '-') { ++end; }
            }
            if (end != 0 && l.after_value(end, 0) == fit::strict && !l.past) { return q; }
        }
    }
    return none;
}

/// The end of the name that the key begins with, up to q. Each byte is looked at once, however many quotes ask.
std::size_t engine::key_name_end(look& l, std::size_t q) {
    std::size_t j = std::max(str_.content, str_.name_end);
    while (j < q && (l.name_at(j) || byte(j) == '-')) { ++j; }
    if (!starved_) { str_.name_end = j; }
    return j;
}

/// `{"size: "large"}`: a name, a colon and a value inside what should be the key. Returns where the key ended.
std::size_t engine::key_lost_close(look& l, std::size_t q) {
    if (held_too_long(str_.open)) { return none; }
    const std::size_t j = key_name_end(l, q);
    if (j == str_.content || j >= q || byte(j) != ':') { return none; }
    const std::size_t v = l.skip(j + 1).position;
    if (l.at(v) == '"') {
        // {"Agree: "good."": 1} is a key with quotes inside
        const std::size_t end = l.quoted_end(v, 1, '"');
        if (end != 0 && l.at(end) == '"') { return none; }
    }
    return l.value_starts(v) ? j : none;
}

engine::closing engine::judge_key_quote(look& l, std::size_t after) {
    l.equals = true;
    bool other = false;
    const std::size_t q = p_;
    if (l.colon_at(after, other)) { return closing::closes; }
    if (l.past) { return closing::closes; }
    const gap g = l.skip(after);
    const int c = l.at(g.position);
    // {"size: "large"}: the key lost its closing quote
    if (key_lost_close(l, q) != none) { return closing::starts_next; }
    const bool long_key = held_too_long(str_.open); // its beginning may have left the window
    const std::size_t j = long_key ? q : key_name_end(l, q);
    if (c < 0) { return closing::closes; }
    // {""a"": 1}
    if (str_.doubled && byte(q) == '"' && l.at(after) == '"' && l.colon_at(after + 1, other)) {
        return closing::doubled;
    }
    if (c == ',' || c == '}' || c == ']' || c == '{' || c == '[') { return closing::closes; }
    const bool tight = j == q && !long_key; // the key is one name
    if (!tight && !long_key && byte(q) == '"' && str_.inner == 0 &&
        l.quoted_key(str_.open) == key_shape::no_colon) {
        return closing::closes;
    }
    if (tight && (l.value_starts(g.position) || c == '(')) {
        // {"a" 1}, but not {"a"b": 1}
        if (g.blank || c == '{' || c == '[') { return closing::closes; }
    }
    if (g.newline && (c == '"' || is_name(c))) { return closing::closes; }
    return closing::inner;
}

/// Would the text from here on read well if this quote were the partner of an inner one? True if a later quote on
/// the same line, with all quotes before it in pairs, ends the string as JSON wants it.
bool engine::pairs_up(std::size_t q, std::size_t size) {
    look l(*this, q);
    bool open = false;
    unsigned tests = 0;
    std::size_t j = q + size;
    for (int c = l.at(j); c >= 0 && c != '\n'; c = l.at(j)) {
        if (c == '\\') {
            j += 2;
            continue;
        }
        if (c == '"') {
            const int before = l.at(j - 1);
            const int next = l.at(j + 1);
            if (!open && !is_blank(before)) {
                if (++tests > 8) { return false; }
                look m(*this, j);
                m.deep = true;
                if (m.after_value(j + 1, 0) == fit::strict && !m.past) { return true; }
                if (starved_) { return false; }
            }
            open = !open && opens_after(before) && next >= 0 && !is_blank(next) && next != ',' &&
                   next != '}' && next != ']';
        }
        ++j;
    }
    return false;
}

/// {"a": "b”}: a typographic quote closes a string that a plain one opened, only where the next plain one could not.
bool engine::foreign_closes(look& l, std::size_t q, std::size_t after) {
    bool other = false;
    const bool key = str_.role == role::key;
    if (key ? !l.colon_at(after, other) : l.after_value(after, 0) < fit::good) { return false; }
    std::size_t j = after;
    const int plain = str_.delimiter == delimiter::single_quote ? '\''
                      : str_.delimiter == delimiter::backtick   ? '`'
                                                                : '"';
    for (int c = l.at(j); c >= 0 && c != plain; c = l.at(j)) { j += c == '\\' ? 2 : 1; }
    if (l.past || starved_) { return false; }
    if (l.at(j) < 0) { return !starved_ && l.at(l.skip(after).position) >= 0; }
    look m(*this, std::max(q, j));
    return key ? !m.colon_at(j + 1, other) && !m.past : m.after_value(j + 1, 0) < fit::strict;
}

engine::closing engine::judge_quote(std::size_t size, bool typographic, std::size_t& where) {
    const std::size_t q = p_, after = q + size;
    look l(*this, q);
    const bool foreign_quote = typographic && !str_.typographic;
    if (foreign_quote) {
        // "„Ja“, said she": typographic quotes inside come in pairs
        std::size_t length = 0;
        const std::string_view bytes = view(q, after);
        if (low_sign(bytes) || (opening_sign(bytes, length) && !str_.low_open)) {
            ++str_.pairs;
            str_.low_open = low_sign(bytes);
            return closing::inner;
        }
        if (str_.pairs != 0) {
            --str_.pairs;
            str_.low_open = false;
            return closing::inner;
        }
    }
    if (foreign_quote) { return foreign_closes(l, q, after) ? closing::closes : closing::inner; }
    if (str_.role == role::key) {
        const closing c = judge_key_quote(l, after);
        if (c == closing::starts_next) { where = key_lost_close(l, q); }
        return c;
    }
    // in an array `", "` separates, whatever other strings held
    l.deep = str_.inner > 0 || (inner_seen_ && str_.role == role::member);
    fit f = l.after_value(after, 0);
    if (starved_) { return closing::inner; }
    if (str_.role == role::root) { return f >= fit::good ? closing::closes : closing::inner; }
    if (str_.typographic && typographic) {
        // “a “b” c”: typographic quotes have a direction, and inner ones come in pairs
        std::size_t length = 0;
        const bool low = low_sign(view(q, after)); // „ is closed by “
        const bool opens = low || (opening_sign(view(q, after), length) && !str_.low_open);
        if (opens && f < fit::good) {
            ++str_.pairs;
            str_.low_open = low;
            return closing::inner;
        }
        str_.low_open = false;
        if (!opens && str_.pairs != 0) {
            --str_.pairs;
            return closing::inner;
        }
        if (f >= fit::good) { return closing::closes; }
        return last_quote(l, q, size) ? closing::closes : closing::inner;
    }
    if (str_.typographic && byte(q) < 0x80) { return f >= fit::good ? closing::closes : closing::inner; }
    if (str_.delimiter != delimiter::double_quote) {
        if (f >= fit::good) { return closing::closes; }
        if (f == fit::poor && str_.delimiter != delimiter::single_quote) { return closing::closes; }
        if (f == fit::poor && !l.name_at(after)) { return closing::closes; }
        return last_quote(l, q, size) ? closing::closes : closing::inner;
    }
    if (str_.doubled && l.at(after) == '"' && l.after_value(after + 1, 0) >= fit::good) {
        return closing::doubled;
    }
    if (f < fit::good && str_.role == role::element && str_.inner > 0 && !str_.inner_open &&
        q > str_.content + 1 && byte(q - 1) == '"' && l.at(after) == ',' &&
        l.at(l.skip(after + 1).position) == '"') {
        f = fit::good; // ["2\"", "3\""]
    }
    if (f >= fit::good) {
        const bool new_line = l.at(after) == ',' && (l.at(after + 1) == '\n' || l.at(after + 1) == '\r');
        if (str_.nested != 0) { return new_line && f == fit::strict ? closing::unclear : closing::inner; }
        // ""a"" may be a doubled quote or a quoted text
        if (str_.first_inner && q > str_.content + 1 && byte(q - 1) == '"' && byte(q - 2) != '\\') {
            return closing::unclear;
        }
        if (!str_.inner_open) { return closing::closes; }
        if (const named next = key_after(l, after); next != named::unsure) {
            return next == named::known ? closing::closes : closing::inner;
        }
        return pairs_up(q, size) ? closing::inner : closing::unclear;
    }
    const bool opening = looks_opening(l, q, size);
    if (f == fit::poor && str_.inner == 0 && !opening) { return closing::closes; }
    if (str_.nested == 0) {
        where = lost_close(l, q, false);
        if (where != none && (str_.inner == 0 || !pairs_up(q, size))) { return closing::starts_next; }
    }
    if (starved_) { return closing::inner; }
    if (!opening && last_quote(l, q, size)) { return closing::closes; }
    return closing::inner;
}

/// Is this the last quote of the text? Then it must be the one that closes.
bool engine::last_quote(look& l, std::size_t q, std::size_t size) {
    std::size_t j = q + size;
    if (size == 1) {
        const std::size_t stop = std::min(l.limit, end_);
        const std::string_view rest = view(std::min(j, stop), stop);
        const std::size_t found = rest.find(static_cast<char>(byte(q)));
        work_ += std::min(found, rest.size());
        if (found != std::string_view::npos) { return false; }
        j = std::max(j, stop);
    }
    for (;; ++j) {
        const int c = l.at(j);
        if (c < 0) { return l.at_end(); }
        std::size_t length = 1;
        if (c >= 0x80 && l.sign_at(j, length) == '"') { return false; }
    }
}

} // namespace jsonheal::heal_detail
