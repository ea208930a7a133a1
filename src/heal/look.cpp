#include "look.hpp"

#include "engine.hpp"

#include <algorithm>
#include <array>

namespace jsonheal::heal_detail {

namespace {

constexpr std::size_t key_reach = 128; // bytes of a bare key

/// Bytes that neither are nor begin a blank or a comment.
constexpr std::array<bool, 256> begins_no_gap = [] {
    std::array<bool, 256> table{};
    for (int c = 0; c < 0xC2; ++c) {
        table[static_cast<std::size_t>(c)] = !is_blank(c) && c != '/' && c != '<' && c != '\\' && c != '#';
    }
    return table;
}();

constexpr fit at_most(fit f, fit cap) noexcept { return f < cap ? f : cap; }

} // namespace

bool look::at_end() const noexcept { return !past && !e.starved_; }

unicode::decoded look::decode_at(std::size_t i) noexcept {
    const int c = at(i);
    if (c < 0x80) { return {}; }
    const unsigned length = unicode::sequence_length(static_cast<unsigned char>(c));
    char bytes[4] = {static_cast<char>(c)};
    for (unsigned k = 1; k < length; ++k) {
        const int d = at(i + k);
        if (d < 0) { return {}; }
        bytes[k] = static_cast<char>(d);
    }
    return length < 2 ? unicode::decoded{} : unicode::decode({bytes, length});
}

unicode::sign look::wide_sign(std::size_t i, std::size_t& size) noexcept {
    const int c = at(i);
    // the lead bytes of all signs in the table
    if (c != 0xC2 && c != 0xEF && (c < 0xE1 || c > 0xE3)) { return unicode::sign::none; }
    const unicode::decoded d = decode_at(i);
    if (d.size == 0) { return unicode::sign::none; }
    size = d.size;
    return unicode::sign_of(d.code);
}

std::size_t look::wide_blank(std::size_t i) noexcept {
    std::size_t size = 0;
    const unicode::sign s = wide_sign(i, size);
    return s == unicode::sign::blank || s == unicode::sign::byte_order_mark ? size : 0;
}

gap look::skip(std::size_t i) noexcept {
    gap g{i};
    const bool starved_before = e.starved_;
    for (;;) {
        const int c = at(g.position);
        if (c < 0 && e.starved_ && !starved_before) {
            e.waits_ = engine::waits::other_than_blank;
            e.waits_until_ = limit;
            return g;
        }
        if (begins_no_gap[static_cast<unsigned char>(c)] && c >= 0) { return g; }
        if (is_blank(c)) {
            g.blank = true;
            // the rest of the run, as far as it is there
            const std::size_t stop = std::min(e.end_, limit);
            std::size_t j = g.position;
            for (; j < stop && is_blank(e.byte(j)); ++j) {
                g.newline |= e.byte(j) == '\n' || e.byte(j) == '\r';
            }
            e.work_ += j - g.position - 1;
            g.position = j;
        } else if (c == '/' && (at(g.position + 1) == '/' || at(g.position + 1) == '*')) {
            const bool block = at(g.position + 1) == '*';
            std::size_t j = g.position + 2;
            for (int d = at(j); d >= 0; d = at(++j)) {
                if (block ? (d == '*' && at(j + 1) == '/') : (d == '\n' || d == '\r')) { break; }
            }
            const bool open = at(j) < 0; // a comment that runs to the end of the text
            if (open && block && !at_end()) { return g; }
            g.position = block && !open ? j + 2 : j;
            g.comment = true;
        } else if (c == '<' && word_is(g.position, "<!--")) {
            std::size_t j = g.position + 4;
            while (at(j) >= 0 && !word_is(j, "-->")) { ++j; }
            if (at(j) < 0) { return g; }
            g.position = j + 3;
            g.comment = true;
        } else if (c == '\\' && (escaped_blanks || e.escaped_blanks_) &&
                   (at(g.position + 1) == 'n' || at(g.position + 1) == 't' || at(g.position + 1) == 'r')) {
            g.newline |= at(g.position + 1) == 'n';
            g.position += 2;
            g.comment = true; // no strict JSON
        } else if (c == '#' && (g.newline || g.blank) && at(g.position + 1) != '#') {
            std::size_t j = g.position + 1;
            for (int d = at(j); d >= 0 && d != '\n' && d != '\r'; d = at(++j)) {}
            g.position = j;
            g.comment = true;
        } else if (const std::size_t wide = c >= 0xC2 ? wide_blank(g.position) : 0; wide != 0) {
            g.position += wide;
            g.blank = true;
        } else {
            return g;
        }
    }
}

bool look::name_at(std::size_t i) noexcept {
    const int c = at(i);
    std::size_t size = 0;
    return is_name(c) && (c < 0x80 || wide_sign(i, size) == unicode::sign::none);
}

char look::sign_at(std::size_t i, std::size_t& size) noexcept {
    const int c = at(i);
    size = 1;
    if (c < 0) { return 0; }
    if (c == '\\' && e.escaped_ && at(i + 1) == '"') {
        size = 2;
        return '"';
    }
    if (c < 0x80) {
        return c == '"' || c == '\'' || c == '`' ? static_cast<char>(c)
               : c == ',' || c == ';'            ? ','
               : c == ':'                        ? ':'
                                                 : '\0';
    }
    switch (wide_sign(i, size)) {
    case unicode::sign::double_quote: return '"';
    case unicode::sign::single_quote: return '\'';
    case unicode::sign::comma: return ',';
    case unicode::sign::colon: return ':';
    default: return 0;
    }
}

std::size_t look::quoted_end(std::size_t i, std::size_t size, char quote) noexcept {
    std::size_t j = i + size;
    const bool starved_before = e.starved_;
    for (int c = at(j); c >= 0; c = at(j)) {
        if (c == '\\') {
            if (e.escaped_ && size == 2 && at(j + 1) == quote) { return j + 2; }
            j += 2;
            continue;
        }
        std::size_t length = 1;
        if ((c == quote && size == 1) || (c >= 0x80 && size > 1 && sign_at(j, length) == quote) ||
            (size > 1 && c == quote)) {
            return j + length;
        }
        ++j;
    }
    if (size == 1 && e.starved_ && !starved_before && (quote == '"' || quote == '\'')) {
        e.waits_ = quote == '"' ? engine::waits::double_quote : engine::waits::single_quote;
        e.waits_until_ = limit;
    }
    return 0;
}

bool look::word_is(std::size_t i, const char* word) noexcept {
    for (; *word != '\0'; ++word, ++i) {
        if (at(i) != static_cast<unsigned char>(*word)) { return false; }
    }
    return true;
}

bool look::ends_document(std::size_t i) noexcept {
    const int c = at(i);
    if (c == '`') { return at(i + 1) == '`' && at(i + 2) == '`'; }
    if (c != '<') { return false; }
    const int d = at(i + 1);
    return (d == '|' && at(i + 2) != '"') || (d == '/' && is_letter(at(i + 2)));
}

bool look::colon_at(std::size_t i, bool& other) noexcept {
    const gap g = skip(i);
    const int c = at(g.position);
    other = g.comment;
    if (c == ':') { return true; }
    other = true;
    if (c == '=') { return (equals || e.equals_seen_) && at(g.position + 1) != '='; }
    std::size_t size = 0;
    return c >= 0x80 && sign_at(g.position, size) == ':';
}

bool look::value_starts(std::size_t i) noexcept {
    const int c = at(i);
    if (c == '"' || c == '\'' || c == '{' || c == '[' || c == '`' || is_digit(c)) { return true; }
    if (c == '-' || c == '+' || c == '.') { return is_digit(at(i + 1)); }
    std::size_t size = 0;
    if (c >= 0x80) {
        const char s = sign_at(i, size);
        return s == '"' || s == '\'';
    }
    for (const char* word : {"true", "false", "null", "None", "True", "False"}) {
        std::size_t length = 0;
        while (word[length] != '\0') { ++length; }
        if (c == word[0] && word_is(i, word) && !name_at(i + length)) { return true; }
    }
    return false;
}

/// Looks at `"key" :` from its opening quote.
key_shape look::quoted_key(std::size_t i) noexcept {
    std::size_t size = 1;
    const char quote = sign_at(i, size);
    if (e.doubled_keys_ && size == 1 && at(i + 1) == quote && name_at(i + 2)) {
        // ""b"": 1
        const std::size_t end = quoted_end(i + 1, 1, quote);
        bool other = false;
        if (end != 0 && colon_at(at(end) == quote ? end + 1 : end, other)) { return key_shape::colon; }
    }
    const std::size_t close = quoted_end(i, size, quote);
    bool other = false;
    if (close != 0) {
        if (colon_at(close, other)) { return key_shape::colon; }
        if (past) { return key_shape::colon; }
    } else if (past) {
        return key_shape::colon;
    }
    // {"size: "large"}: a name and a colon, but the quote that comes next is no key's end.
    std::size_t j = i + size;
    while (name_at(j) || at(j) == '-') { ++j; }
    if (j > i + size && at(j) == ':' && value_starts(skip(j + 1).position)) { return key_shape::lost_close; }
    if (close == 0) { return at_end() ? key_shape::cut : key_shape::none; }
    if (at(skip(close).position) < 0) { return key_shape::cut; }
    // {"a" 1}: a value on the same line. Behind a name any value will do, behind other text it must end as a member does.
    const gap v = skip(close);
    const int first = at(v.position);
    if (!v.newline && (v.blank || first == '{' || first == '[') && value_starts(v.position)) {
        if (j + size >= close && j > i + size) { return key_shape::no_colon; }
        std::size_t end = 0;
        if (first == '"') {
            end = quoted_end(v.position, 1, '"');
        } else if (first != '{' && first != '[' && first != '\'') {
            end = v.position + 1;
            while (name_at(end) || at(end) == '.' || at(end) == '-' || at(end) == '+') { ++end; }
        }
        const int next_sign = end != 0 ? at(skip(end).position) : -1;
        if (first == '"' && end == 0 && past) { return key_shape::no_colon; }
        if (first == '{' || first == '[' || next_sign == '}' ||
            (next_sign == ',' && at(skip(skip(end).position + 1).position) == '"')) {
            return key_shape::no_colon;
        }
    }
    // {"the ("real") key": 1}: the first quote inside the key opens something; a later one has the colon
    const int before = at(close - 2), next = at(close);
    const int lead = at(i + 1);
    if (size == 1 && close > i + 2 && (is_blank(before) || before == '(') && is_name(next) && lead != ',' &&
        lead != '}' && lead != ']' && !is_blank(lead)) {
        for (std::size_t k = close; at(k) >= 0 && at(k) != '\n'; ++k) {
            if (at(k) == quote && colon_at(k + 1, other)) {
                return past ? key_shape::alone : key_shape::inner;
            }
        }
    }
    return key_shape::alone;
}

/// Looks at `key:`, `key":` or `key =` from the first byte of the name.
key_shape look::bare_key(std::size_t i) noexcept {
    std::size_t j = i;
    if (!name_at(j)) { return key_shape::none; }
    while (j < i + key_reach && (name_at(j) || at(j) == '-' || at(j) == '.')) { ++j; }
    if (at(j) < 0) { return past ? key_shape::none : key_shape::cut; }
    const int c = at(j);
    if (c == '"' || c == '\'') {
        bool other = false;
        return colon_at(j + 1, other) ? key_shape::colon : key_shape::none;
    }
    bool other = false;
    if (!colon_at(j, other)) { return key_shape::none; }
    const gap g = skip(j);
    // `https://` is no key, nor is `std::string`
    if (at(g.position) == ':' && (at(g.position + 1) == '/' || at(g.position + 1) == ':')) {
        return key_shape::none;
    }
    return key_shape::colon;
}

fit look::after_root(const gap& g) noexcept {
    const int c = at(g.position);
    if (past || c < 0) { return fit::strict; }
    if (c == ',') {
        const gap n = skip(g.position + 1);
        std::size_t size = 0;
        const char s = sign_at(n.position, size);
        if ((s == '"' || s == '\'') && quoted_key(n.position) == key_shape::colon) {
            return early_close ? fit::good : fit::none;
        }
        return fit::poor;
    }
    if (c == ':') { return fit::none; }
    if (c == '}' || c == ']') { return fit::poor; }
    if (g.newline || g.comment || c == '{' || c == '[' || c == ';' || c == ')' || ends_document(g.position)) {
        return fit::good;
    }
    return fit::poor;
}

/// Does the number or literal at i end as one?
fit look::token_fits(std::size_t i) noexcept {
    const int first = at(i);
    std::size_t j = i;
    while (name_at(j) || at(j) == '-' || at(j) == '+' || at(j) == '.') { ++j; }
    if (past) { return fit::strict; }
    const gap g = skip(j);
    const int c = at(g.position);
    std::size_t size = 1;
    const bool ends =
        c == ',' || c == ']' || c == '}' || c < 0 || g.newline || sign_at(g.position, size) == ',';
    if (!ends) { return is_name_start(first) ? words_fit(i) : fit::none; }
    if (is_digit(first) || first == '-') { return c < 0 && !past ? fit::good : fit::strict; }
    return value_starts(i) ? fit::strict : words_fit(i);
}

/// Bare words fit if they end as a value does before any quote comes.
fit look::words_fit(std::size_t i) noexcept {
    for (std::size_t j = i;; ++j) {
        const int c = at(j);
        if (past || c < 0) { return fit::poor; }
        if (c == ',' || c == '}' || c == ']' || c == '\n') { return fit::good; }
        if (c == '"' || c == '\'' || c == '{' || c == '[' || c == '(') { return fit::none; }
    }
}

bool look::noise_line(std::size_t i) noexcept {
    std::size_t j = i;
    int c = at(j);
    while (c >= 0 && c != '\n' && c != '"' && c != ':' && c != ',' && c != '{' && c != '[' && c != '}' &&
           c != ']') {
        c = at(++j);
    }
    return c == '\n' && at(skip(j).position) == '"' && quoted_key(skip(j).position) == key_shape::colon &&
           !past;
}

fit look::member_after_comma(const gap& g, std::size_t depth, unsigned commas) noexcept {
    const int c = at(g.position);
    std::size_t size = 1;
    const char s = sign_at(g.position, size);
    if (s == '"' || s == '\'' || s == '`') {
        const key_shape shape = quoted_key(g.position);
        switch (shape) {
        case key_shape::colon: {
            if (c != '"' || g.comment) { return fit::good; }
            if (!deep) { return fit::strict; }
            const std::size_t close = quoted_end(g.position, 1, '"');
            if (close == 0) { return fit::strict; }
            const std::size_t colon = skip(close).position;
            sign_at(colon, size);
            const gap v = skip(colon + size);
            const int d = at(v.position);
            if (past || d == '"' || d == '{' || d == '[' || d < 0) { return fit::strict; }
            if (sign_at(v.position, size) != 0 || d == '\\') { return fit::good; }
            return token_fits(v.position);
        }
        case key_shape::lost_close: return fit::good;
        case key_shape::no_colon: return fit::poor;
        case key_shape::inner: return fit::good;
        case key_shape::cut: return fit::good;
        default: break;
        }
        // "quote"inside": 1 on a line of its own
        if (shape == key_shape::alone && g.newline && c == '"') {
            bool other = false;
            for (std::size_t k = g.position + 1; at(k) >= 0 && at(k) != '\n' && at(k) != ','; ++k) {
                if (at(k) == '"' && colon_at(k + 1, other)) { return past ? fit::strict : fit::good; }
            }
        }
        // `","` between members: a stray quote and comma, then a key
        if (c == '"' && !deep && commas < 2 &&
            (at(g.position + 1) == ',' || (at(g.position + 1) == '"' && at(g.position + 2) == ','))) {
            return at_most(after_comma(g.position + (at(g.position + 1) == ',' ? 2 : 3), depth, commas + 1),
                           fit::good);
        }
        return fit::none;
    }
    if (is_name(c)) {
        const key_shape shape = bare_key(g.position);
        if (shape == key_shape::colon) { return fit::good; }
        return shape == key_shape::cut ? fit::poor : fit::none;
    }
    if (c == '{' && depth + 1 < e.stack_.size() && !e.frame_below(depth + 1).is_object()) {
        return fit::poor;
    }
    return fit::none;
}

fit look::element_after_comma(const gap& g, std::size_t, unsigned) noexcept {
    const int c = at(g.position);
    std::size_t size = 1;
    const char s = sign_at(g.position, size);
    const fit cap = g.comment ? fit::good : fit::strict;
    if (c == '"') {
        if (!deep) { return cap; }
        const std::size_t close = quoted_end(g.position, 1, '"');
        if (past) { return fit::strict; }
        if (close == 0) { return fit::good; }
        const gap n = skip(close);
        const int d = at(n.position);
        if (past || d == ',' || d == ']') { return cap; }
        if (d == '}' || d < 0 || sign_at(n.position, size) == ',') { return fit::good; }
        // ["a", "5\""]: the next string ends with a quote of its own
        if (d == '"' && n.position == close) {
            const int after = at(skip(close + 1).position);
            if (after == ',' || after == ']') { return fit::good; }
        }
        // the next string may hold inner quotes, too: ["…", "She said "yes" and left"]
        const int before = at(close - 2);
        const bool opening =
            !is_blank(at(close)) && (is_blank(before) || before == '(' || before == '=' || before == '{' ||
                                     before == '[' || before == ':' || close == g.position + 2);
        if (d == ':' && closed_some) { return fit::good; } // [{"a":1}, "b":2}]: closed too early
        if (closed_some || opening) { return fit::good; }
        return n.newline ? fit::poor : fit::none;
    }
    if (s == '"' || s == '\'' || s == '`') { return fit::good; }
    if (c == '{') {
        const int d = at(skip(g.position + 1).position);
        return !deep || past || d == '"' || d == '}' ? cap : is_name(d) || d == '\'' ? fit::good : fit::none;
    }
    if (c == '[') { return cap; }
    if (is_digit(c) || c == '-' || is_name(c)) { return at_most(token_fits(g.position), cap); }
    if (c == '.' || c == '+') { return is_digit(at(g.position + 1)) ? fit::good : fit::none; }
    return fit::none;
}

fit look::after_comma(std::size_t i, std::size_t depth, unsigned commas) noexcept {
    const gap g = skip(i);
    const int c = at(g.position);
    if (past) { return fit::strict; }
    if (c < 0 || ends_document(g.position)) { return fit::good; }
    if (c == '}' || c == ']') { return at_most(closer_fits(g, static_cast<char>(c), depth, 0), fit::good); }
    if (c == ',' || c == ';') {
        return commas < 2 ? at_most(after_comma(g.position + 1, depth, commas + 1), fit::good) : fit::poor;
    }
    if (c == '.' && at(g.position + 1) == '.' && at(g.position + 2) == '.') { return fit::good; }
    return e.frame_below(depth).is_object() ? member_after_comma(g, depth, commas)
                                            : element_after_comma(g, depth, commas);
}

fit look::closer_fits(const gap& g, char c, std::size_t depth, unsigned closers) noexcept {
    const std::size_t open = e.stack_.size();
    const fit cap = g.comment ? fit::good : fit::strict;
    if (e.frame_below(depth).awaits() == c) {
        if (closers >= closers_proved) { return cap; }
        closed_some = true;
        return at_most(after_value(g.position + 1, depth + 1, closers + 1), cap);
    }
    // a closer of the wrong kind: a lost one before it, or this one is wrong
    for (std::size_t k = 1; k <= closers_proved && depth + k < open; ++k) {
        if (e.frame_below(depth + k).awaits() != c) { continue; }
        if (closers >= closers_proved) { return fit::good; }
        const fit f = after_value(g.position + 1, depth + k + 1, closers + 1);
        if (f >= fit::good) { return fit::good; }
        break;
    }
    if (closers >= closers_proved) { return fit::poor; }
    // the wrong kind, or one too many
    const fit wrong = after_value(g.position + 1, depth + 1, closers + 1);
    return at_most(wrong >= fit::poor ? wrong : after_value(g.position + 1, depth, closers + 1), fit::poor);
}

fit look::after_value(std::size_t i, std::size_t depth, unsigned closers) noexcept {
    const gap g = skip(i);
    const int c = at(g.position);
    if (past) { return fit::strict; }
    if (depth >= e.stack_.size()) { return after_root(g); }
    if (c < 0) { return fit::good; }
    const fit cap = g.comment ? fit::good : fit::strict;
    if (c == ',') { return at_most(after_comma(g.position + 1, depth), cap); }
    if (c == '}' || c == ']') { return closer_fits(g, static_cast<char>(c), depth, closers); }
    const frame& f = e.frame_below(depth);
    if (c == ')') {
        if (f.awaits() == ')') { return fit::good; }
        if (closers >= closers_proved || after_value(g.position + 1, depth + 1, closers + 1) < fit::good) {
            return fit::none;
        }
        return fit::poor;
    }
    if (ends_document(g.position)) { return fit::good; }
    std::size_t size = 1;
    const char s = sign_at(g.position, size);
    if (s == ',') { return at_most(after_comma(g.position + size, depth), fit::good); }
    if (s == '"' || s == '\'') {
        if (f.is_object()) {
            const key_shape shape = quoted_key(g.position);
            const bool key = shape == key_shape::colon || shape == key_shape::lost_close;
            if (key) { return g.newline ? fit::good : fit::poor; }
            // 'a' 'b': strings that stand side by side are one
            const std::size_t end = g.blank && depth == 0 ? quoted_end(g.position, size, s) : 0;
            if (end == 0 || past) { return fit::none; }
            const gap n = skip(end);
            const int d = at(n.position);
            const bool ends =
                d == '}' || (d == ',' && quoted_key(skip(n.position + 1).position) == key_shape::colon);
            return ends && !past ? fit::poor : fit::none;
        }
        if (g.newline) {
            deep = true;
            return at_most(element_after_comma(g, depth, 0), fit::good);
        }
        return g.blank ? fit::poor : fit::none;
    }
    if (f.is_object()) {
        if (is_name(c) && bare_key(g.position) == key_shape::colon) {
            // a line of text may look like a key; in a document with quoted keys it hardly is one
            if (g.newline) { return e.quoted_keys_ && !e.bare_keys_ ? fit::poor : fit::good; }
            return g.blank && e.bare_keys_ ? fit::poor : fit::none;
        }
        if (c == '{' && g.newline && depth + 1 < e.stack_.size() && !e.frame_below(depth + 1).is_object()) {
            return fit::poor;
        }
    } else if (c == '{' || c == '[') {
        return g.newline ? fit::good : fit::poor;
    } else if (g.newline && value_starts(g.position)) {
        return fit::good;
    } else if (is_digit(c) && token_fits(g.position) == fit::strict) {
        return fit::poor;
    }
    if (c == '+' && (at(skip(g.position + 1).position) == '"' || at(skip(g.position + 1).position) == '\'')) {
        return fit::good;
    }
    if (c == '.' && at(g.position + 1) == '.' && at(g.position + 2) == '.') {
        const int d = at(skip(g.position + 3).position);
        return d == '}' || d == ']' ? fit::good : fit::none;
    }
    // text on a new line behind matching closers: the value ended there without the rest of its closers
    return closed_some && g.newline && is_name(c) ? fit::poor : fit::none;
}

} // namespace jsonheal::heal_detail
