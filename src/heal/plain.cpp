#include "plain.hpp"

#include "string_run.hpp"

#include <algorithm>
#include <array>
#include <string_view>

// For what every token passes through: a call for each of its parts costs a fifth of the time.
#define JSONHEAL_PLAIN_INLINE [[gnu::always_inline]] inline

namespace jsonheal::heal_detail {

namespace {

constexpr std::size_t least_look_ahead = 128; // below it the looks of the steps may end before a proof does
constexpr std::size_t token_reach = 64;       // bytes of a number, a literal or a bare key
constexpr std::size_t other = static_cast<std::size_t>(-1);
constexpr std::size_t token_edits = 2; // for the two quotes of a key or a string

constexpr bool plain_name(int c) noexcept { return c < 0x80 && is_name(c); }
constexpr bool plain_name_start(int c) noexcept { return c < 0x80 && is_name_start(c); }
constexpr bool plain_frame(frame f) noexcept { return (f.flags & ~frame::object) == 0; }

/// Bytes of text without quotes that neither end it nor need a look.
constexpr std::array<bool, 256> bare_bytes = [] {
    std::array<bool, 256> table{};
    for (std::size_t c = ' '; c < 0x7F; ++c) {
        table[c] = std::string_view("\"'{}[](),;#<`\\").find(static_cast<char>(c)) == std::string_view::npos;
    }
    return table;
}();

/// The literals that both this path and the looks know, and what JSON calls them.
struct word_row {
    std::string_view word, json;
};
constexpr word_row words[] = {{"true", "true"}, {"false", "false"}, {"null", "null"},
                              {"True", "true"}, {"False", "false"}, {"None", "null"}};

const word_row* find_word(std::string_view text) noexcept {
    if (text.size() < 4 || text.size() > 5) { return nullptr; }
    for (const word_row& row : words) {
        if (text == row.word) { return &row; }
    }
    return nullptr;
}

} // namespace

plain_path::plain_path(engine& owner) noexcept : e_(owner), s_(owner.data_ - owner.base_), end_(owner.end_) {
    const std::size_t ahead = owner.options_.limits.look_ahead;
    const bool other_signs =
        owner.equals_seen_ || owner.escaped_blanks_ || owner.escaped_ || owner.doubled_keys_;
    const bool on = owner.options_.plain_path && ahead >= least_look_ahead && !other_signs;
    reach_ = on ? ahead - token_reach : 0;
}

void plain_path::run() {
    std::size_t i = reach_ != 0 ? blank_run_end(s_, e_.p_, end_) : end_;
    step last = step::bracket;
    bool known = false; // what stands at i was seen to be a key, or an element
    while (i < end_ && (last == step::taken || enter())) {
        behind_.comma = none;
        last = known ? member(i, in_object_) : token(i);
        if (last == step::other) { break; }
        known = behind_.comma != none;
        if (!known) {
            i = blank_run_end(s_, e_.p_, end_);
        } else {
            e_.p_ = behind_.comma;
            e_.take_comma(1, false);
            i = behind_.next;
        }
    }
}

/// Which bracket is the innermost now, and is it one for this path?
JSONHEAL_PLAIN_INLINE bool plain_path::enter() noexcept {
    if (e_.refused_ || e_.stack_.empty()) { return false; }
    const frame top = e_.stack_.back();
    in_object_ = top.is_object();
    return plain_frame(top);
}

JSONHEAL_PLAIN_INLINE plain_path::step plain_path::token(std::size_t i) {
    const unsigned char c = byte(i);
    if (c == '/') { return comment(i); }
    const phase now = e_.phase_;
    if (now == phase::colon) { return step::other; }
    if ((c == '}' || c == ']') && now != phase::value) { return close(i); }
    if (now == phase::after) {
        if (c != ',') { return step::other; }
        e_.p_ = i;
        e_.take_comma(1, false);
        return step::taken;
    }
    return member(i, in_object_ && now != phase::value);
}

/// A key and what stands behind its colon, or a value alone.
inline plain_path::step plain_path::member(std::size_t i, bool has_key) {
    if (has_key) {
        const step s = key(i);
        if (s != step::taken) { return s; }
        i = blank_run_end(s_, e_.p_, end_);
        if (i >= end_ || byte(i) == '/') { return step::taken; }
    }
    return value(i);
}

/// The caller has asked whether there is room.
JSONHEAL_PLAIN_INLINE void plain_path::add(std::size_t from, std::size_t to, std::string_view text,
                                           rule why) {
    if (e_.edits_.size() == e_.edits_.capacity()) { e_.grow_log(); }
    e_.edits_.emplace_back(from, to, text, why);
}

bool plain_path::opens_object(std::size_t i) noexcept {
    const std::size_t stop = std::min(end_, i + reach_);
    const std::size_t j = skip(i + 1, stop);
    return j < stop && key_and_colon(j, stop) &&
           (s_[j] == '"' || s_[j] == '\'' || begins_plainly(key_.value)); // {a:: is for the look to judge
}

void plain_path::close_string() {
    const string_state& str = e_.str_;
    const bool is_double = str.delimiter == delimiter::double_quote;
    const bool plain = (is_double || str.delimiter == delimiter::single_quote) && str.role != role::key &&
                       str.role != role::root && !str.typographic && !str.doubled && str.inner == 0 &&
                       str.pairs == 0 && str.nested == 0;
    if (reach_ == 0 || !plain || e_.p_ >= end_ || s_[e_.p_] != (is_double ? '"' : '\'') ||
        e_.stack_.empty() || !plain_frame(e_.stack_.back()) || !room(token_edits)) {
        return;
    }
    in_object_ = e_.in_object();
    if (ends_well(e_.p_ + 1, e_.inner_seen_ && e_.in_object())) { e_.close_string(e_.p_, e_.p_ + 1); }
}

// ---- what follows

/// The next byte of structure, or `stop`.
inline std::size_t plain_path::skip(std::size_t i, std::size_t stop) const noexcept {
    return blank_run_end(s_, i, stop);
}

/// The same, behind comments as well.
inline std::size_t plain_path::skip_comments(std::size_t i, std::size_t stop, bool& seen) const noexcept {
    i = blank_run_end(s_, i, stop);
    while (i < stop && byte(i) == '/') {
        seen = true;
        i = comment_end(i, stop);
        if (i == other) { return stop; }
        i = blank_run_end(s_, i, stop);
    }
    return i;
}

/// The end of the comment at i, if it is one and ends before `stop`: a line comment before its line end.
std::size_t plain_path::comment_end(std::size_t i, std::size_t stop) const noexcept {
    if (i + 1 >= stop) { return other; }
    if (s_[i + 1] == '/') {
        for (i += 2; i < stop; ++i) {
            if (s_[i] == '\n' || s_[i] == '\r') { return i; }
        }
    } else if (s_[i + 1] == '*') {
        for (i += 2; i + 1 < stop; ++i) {
            if (s_[i] == '*' && s_[i + 1] == '/') { return i + 2; }
        }
    }
    return other;
}

/// `"key" :` or `key :` at i, without anything in the key that needs a look. Remembers it.
JSONHEAL_PLAIN_INLINE bool plain_path::key_and_colon(std::size_t i, std::size_t stop) noexcept {
    if (i == key_.at) { return true; }
    const std::size_t close = key_end(i, stop);
    if (close == other) { return false; }
    const std::size_t colon = skip(close, stop);
    if (colon >= stop || byte(colon) != ':') { return false; }
    key_ = {i, close, colon + 1};
    return true;
}

/// The end of the key at i, behind its quote if it has one.
JSONHEAL_PLAIN_INLINE std::size_t plain_path::key_end(std::size_t i, std::size_t stop) const noexcept {
    const unsigned char c = byte(i);
    if (c == '"' || c == '\'') {
        const std::size_t close = key_string_end(i + 1, stop, s_[i]);
        return close == other || close == i + 1 ? other : close + 1;
    }
    if (!plain_name_start(c)) { return other; }
    std::size_t j = i + 1;
    const std::size_t limit = std::min(stop, i + token_reach);
    while (j < limit && (plain_name(byte(j)) || byte(j) == '-' || byte(j) == '.')) { ++j; }
    return j < limit ? j : other;
}

/// Does a number or a literal stand at i that ends as one?
bool plain_path::token_ends(std::size_t i, std::size_t stop) const noexcept {
    const unsigned char c = byte(i);
    std::size_t j = i;
    const std::size_t limit = std::min(stop, i + token_reach);
    while (j < limit && (plain_name(byte(j)) || byte(j) == '-' || byte(j) == '+' || byte(j) == '.')) { ++j; }
    if (j >= limit) { return false; }
    const bool known = is_digit(c) || c == '-' || find_word({s_ + i, j - i}) != nullptr;
    const std::size_t k = skip(j, stop);
    return known && k < stop && (byte(k) == ',' || byte(k) == '}' || byte(k) == ']');
}

/// A value at i, of which a look sees that it is one.
bool plain_path::value_follows(std::size_t i, std::size_t stop) const noexcept {
    i = skip(i, stop);
    if (i >= stop) { return false; }
    const unsigned char c = byte(i);
    return c == '"' || c == '{' || c == '[' || token_ends(i, stop);
}

/// A brace at i, of which a look sees that it opens an object.
bool plain_path::object_follows(std::size_t i, std::size_t stop) const noexcept {
    i = skip(i + 1, stop);
    if (i >= stop) { return false; }
    const unsigned char c = byte(i);
    return c == '"' || c == '}' || c == '\'' || plain_name(c);
}

/// Is there a line end among the blanks before i?
bool plain_path::after_line_end(std::size_t i, std::size_t from) const noexcept {
    for (; i > from && is_blank(byte(i - 1)); --i) {
        if (s_[i - 1] == '\n' || s_[i - 1] == '\r') { return true; }
    }
    return false;
}

/// May the value that ends at i end there beyond doubt? `deep`: quotes inside strings were seen, so that the value
/// behind the next key counts as well.
JSONHEAL_PLAIN_INLINE bool plain_path::ends_well(std::size_t i, bool deep) noexcept {
    // most values are followed by a comma and a key
    const std::size_t stop = std::min(end_, i + reach_);
    if (in_object_ && !deep && i < stop && s_[i] == ',') {
        const std::size_t next = skip(i + 1, stop);
        if (next < stop && key_and_colon(next, stop) &&
            (s_[next] == '"' || s_[next] == '\'' || begins_plainly(key_.value))) {
            behind_ = {i, next};
            e_.work_ += next - i;
            return true;
        }
    }
    return ends_somehow(i, deep);
}

/// The same for all that may follow a value.
bool plain_path::ends_somehow(std::size_t i, bool deep) noexcept {
    const std::size_t from = i, stop = std::min(end_, i + reach_);
    std::size_t depth = 0;
    unsigned closers = 0;
    bool well = false, comments = false;
    const auto text_ends = [&] { return i >= stop && stop == end_ && e_.final_ && !comments; };
    for (i = skip_comments(i, stop, comments); i < stop; i = skip_comments(i + 1, stop, comments)) {
        const frame f = e_.frame_below(depth);
        if (!plain_frame(f)) { break; }
        if (byte(i) == ',') {
            const std::size_t comma = i;
            i = skip_comments(i + 1, stop, comments);
            if (i >= stop) { break; }
            const unsigned char c = byte(i);
            if (c != '}' && c != ']') {
                if (f.is_object()) {
                    well = key_and_colon(i, stop) && (c == '"' ? !deep || value_follows(key_.value, stop)
                                                               : c == '\'' || begins_plainly(key_.value));
                } else {
                    well = c == '{' ? !deep || object_follows(i, stop)
                                    : (c == '"' && !deep) || c == '\'' || c == '[' || token_ends(i, stop);
                }
                if (well && depth == 0 && !comments) { behind_ = {comma, i}; }
                break;
            }
            closers = 0; // a trailing comma
        }
        if (byte(i) != f.closer()) {
            // a lost comma between lines
            well = byte(i) == '"' && f.is_object() && after_line_end(i, from) && key_and_colon(i, stop);
            break;
        }
        well = closers == closers_proved;
        if (well) { break; }
        if (++depth == e_.stack_.size()) {
            // behind the root a line end will do, unless structure goes on
            const std::size_t root_end = i + 1;
            i = skip(root_end, stop);
            well = i < stop && s_[i] != ',' && s_[i] != ':' && s_[i] != '}' && s_[i] != ']' &&
                   after_line_end(i, root_end);
            break;
        }
        ++closers;
    }
    e_.work_ += i - from;
    return well || text_ends();
}

/// Behind the colon of a bare key: `https://` and `std::string` are none.
bool plain_path::begins_plainly(std::size_t i) const noexcept {
    return i < end_ && byte(i) != '/' && byte(i) != ':';
}

// ---- tokens

JSONHEAL_PLAIN_INLINE plain_path::step plain_path::key(std::size_t i) {
    if (!key_and_colon(i, std::min(end_, i + reach_))) { return step::other; }
    const unsigned char c = byte(i);
    if (c != '"' && !room(token_edits)) { return step::other; }
    const std::size_t close = key_.close;
    if (e_.member_ == engine::none) {
        e_.member_ = i;
        e_.member_edit_ = e_.edits_.size();
    }
    if (c == '"' || c == '\'') {
        e_.quoted_keys_ = true;
        if (c == '\'') { add(i, i + 1, "\"", rule::quote_style); }
        e_.last_close_ = e_.edits_.size();
        e_.last_quote_ = close - 1;
        if (c == '\'') { add(close - 1, close, "\"", rule::quote_style); }
    } else {
        e_.bare_keys_ = true;
        add(i, i, "\"", rule::key_unquoted);
        add(close, close, "\"", rule::key_unquoted);
    }
    e_.value_end_ = close;
    if (e_.options_.expect != nullptr) {
        const std::size_t quote = c == '"' || c == '\'' ? 1 : 0;
        e_.note_key(i + quote, close - quote);
    }
    e_.p_ = key_.value;
    e_.phase_ = phase::value;
    return e_.options_.close_at_known_keys ? step::bracket : step::taken;
}

JSONHEAL_PLAIN_INLINE plain_path::step plain_path::value(std::size_t i) {
    const unsigned char c = byte(i);
    switch (c) {
    case '"':
    case '\'': return string(i);
    case '{':
    case '[': return open(i);
    default: return is_digit(c) || c == '-' ? number(i) : is_letter(c) ? word(i) : step::other;
    }
}

JSONHEAL_PLAIN_INLINE plain_path::step plain_path::string(std::size_t i) {
    const char quote = s_[i];
    std::size_t close = i + 1, inner = 0;
    if (close + 1 >= end_) { return step::other; }
    if (s_[close] == quote) {
        if (s_[close + 1] == quote) { return step::other; } // """
    } else {
        close = string_end(close, quote, inner);
        if (close == other) { return step::other; }
    }
    if ((quote == '\'' || inner != 0) && !room(token_edits + inner)) { return step::other; }
    if (!ends_well(close + 1, e_.inner_seen_ && in_object_)) { return step::other; }
    if (quote == '\'') { add(i, i + 1, "\"", rule::quote_style); }
    if (inner != 0) { add_inner_quotes(i + 1, close, quote); }
    e_.last_close_ = e_.edits_.size();
    if (quote == '\'') { add(close, close + 1, "\"", rule::quote_style); }
    e_.p_ = close + 1;
    e_.value_done();
    e_.last_string_ = true;
    e_.last_quote_ = close;
    return step::taken;
}

/// Quotes inside a string: JSON's own between others are escaped, escaped ones of another kind lose the backslash.
void plain_path::add_inner_quotes(std::size_t i, std::size_t close, char quote) {
    while ((i = string_run_end(s_, i, close, quote)) < close) {
        if (s_[i] == '"') {
            add(i, i + 1, "\\\"", rule::inner_quote_other);
        } else if (s_[i] == '\\') {
            if (s_[i + 1] == '\'' || s_[i + 1] == '`') { add(i, i + 1, {}, rule::escape_quote); }
            ++i;
        }
        ++i;
    }
}

/// The closing quote of the key whose content begins at i, if it stands before `stop` and the content needs no look.
JSONHEAL_PLAIN_INLINE std::size_t plain_path::key_string_end(std::size_t i, std::size_t stop,
                                                             char quote) const noexcept {
    for (;;) {
        i = string_run_end(s_, i, stop, quote);
        if (i >= stop) { return other; }
        if (s_[i] == quote) { return i; }
        i = byte(i) < 0x80 ? other : character_end(i, quote);
        if (i == other) { return other; }
    }
}

/// The closing quote of the content that begins at i, if nothing in the content needs a look; `inner` becomes the quotes
/// in it that need an edit.
JSONHEAL_PLAIN_INLINE std::size_t plain_path::string_end(std::size_t i, char quote,
                                                         std::size_t& inner) const noexcept {
    const std::size_t content = i;
    bool host = false; // a run of the string may be a path
    for (;;) {
        i = string_run_end(s_, i, end_, quote);
        if (i >= end_) { return other; }
        if (s_[i] == quote) { return i; }
        if (s_[i] == '\\') {
            i = escape_end(i, content, host, inner);
        } else if (s_[i] == '"') {
            ++inner;
            ++i;
        } else {
            i = byte(i) < 0x80 ? other : character_end(i, quote);
        }
        if (i == other) { return other; }
    }
}

/// The end of the character outside ASCII at i, unless it is ill-formed or may stand for the string's quote.
std::size_t plain_path::character_end(std::size_t i, char quote) const noexcept {
    const unsigned char lead = byte(i);
    // two bytes, of which no sign is made but those that begin with C2
    if (lead >= 0xC3 && lead <= 0xDF && i + 1 < end_ && (byte(i + 1) & 0xC0) == 0x80) { return i + 2; }
    const std::size_t length = unicode::sequence_length(lead);
    if (length == 0) { return other; }
    const unicode::decoded d = unicode::decode({s_ + i, std::min(end_ - i, length)});
    if (d.size == 0) { return other; }
    if (lead == 0xC2 || (lead >= 0xE1 && lead <= 0xE3) || lead == 0xEF) {
        const unicode::sign own = quote == '"' ? unicode::sign::double_quote : unicode::sign::single_quote;
        if (unicode::sign_of(d.code) == own) { return other; }
    }
    return i + d.size;
}

/// The end of the escape at i, if it is one of JSON's or of a quote, and can be nothing else.
std::size_t plain_path::escape_end(std::size_t i, std::size_t content, bool& host,
                                   std::size_t& inner) const noexcept {
    if (i + 8 > end_) { return other; }
    host |= i >= content + 2 && byte(i - 1) == ':' && is_letter(byte(i - 2));
    const unsigned char c = byte(i + 1), next = byte(i + 2);
    switch (c) {
    case '\\': host = true; return i + 2;
    case '/': return i + 2;
    case '\'':
    case '`': ++inner; return i + 2;
    case '"': {
        // what looks like the end of the value may be it: see escaped_close
        const unsigned char d = next == ' ' ? byte(i + 3) : next;
        const bool open =
            is_blank(d) || d == ',' || d == '}' || d == ']' || d == '/' || d == '<' || d == '#' || d >= 0x80;
        return open ? other : i + 2;
    }
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't': {
        if (host) { return other; }
        std::size_t j = i + 1;
        while (j < end_ && is_letter(byte(j)) && j < i + 24) { ++j; }
        return j == end_ || engine::names_latex({s_ + i + 1, j - i - 1}) ? other : i + 2;
    }
    case 'u': {
        const bool hex = is_hex(next) && is_hex(byte(i + 3)) && is_hex(byte(i + 4)) && is_hex(byte(i + 5));
        const bool surrogate = (next | 0x20) == 'd' && byte(i + 3) >= '8';
        return host || !hex || surrogate ? other : i + 6;
    }
    default: return other;
    }
}

JSONHEAL_PLAIN_INLINE plain_path::step plain_path::number(std::size_t i) {
    const std::size_t limit = std::min(end_, i + token_reach);
    std::size_t j = i + (s_[i] == '-' ? 1 : 0);
    const auto digits = [&] {
        const std::size_t from = j;
        while (j < limit && is_digit(byte(j))) { ++j; }
        return j - from;
    };
    if (j >= limit) { return step::other; }
    const bool zero = s_[j] == '0';
    const std::size_t whole = digits();
    if (whole == 0 || (zero && whole > 1)) { return step::other; }
    if (j < limit && s_[j] == '.') {
        ++j;
        if (digits() == 0) { return step::other; }
    }
    if (j < limit && (s_[j] == 'e' || s_[j] == 'E')) {
        ++j;
        if (j < limit && (s_[j] == '+' || s_[j] == '-')) { ++j; }
        if (digits() == 0) { return step::other; }
    }
    if (j + 1 >= limit) { return step::other; }
    const unsigned char c = byte(j);
    const bool closes = c == '}' || c == ']';
    const bool parted = c == ',' && !in_object_;
    if (!closes && !parted) {
        if (c != ',' && !is_blank(c)) { return step::other; }
        if (c == ',' && is_digit(byte(j + 1))) { return step::other; } // 1,000
        if (!ends_well(j, false)) { return step::other; }
    }
    e_.p_ = j;
    e_.value_done();
    return step::taken;
}

JSONHEAL_PLAIN_INLINE plain_path::step plain_path::word(std::size_t i) {
    const std::size_t limit = std::min(end_, i + 8);
    std::size_t j = i;
    while (j < limit && is_letter(byte(j))) { ++j; }
    if (j >= limit) { return bare_words(i); }
    const std::string_view text(s_ + i, j - i);
    const unsigned char c = byte(j);
    const word_row* row = find_word(text);
    if (row == nullptr) { return bare_words(i); }
    if (engine::is_boolean(row->word) && e_.wants_text(value_kind::boolean)) { return step::other; }
    if (!(c == ',' || c == '}' || c == ']' || is_blank(c))) { return step::other; }
    const bool parted = c == ',' && !in_object_;
    const bool style = row->word != row->json;
    if (style && !room(1)) { return step::other; }
    if (!parted && !ends_well(j, false)) { return step::other; }
    if (style) { add(i, j, row->json, rule::literal_style); }
    e_.p_ = j;
    e_.value_done();
    return step::taken;
}

/// Text that lost its quotes and begins with a word that is no literal, up to what ends it in every reading.
/// `{cmd: read file}`
plain_path::step plain_path::bare_words(std::size_t i) {
    std::size_t j = i;
    while (j < end_ && (plain_name(byte(j)) || byte(j) == '.')) { ++j; }
    const std::string_view first(s_ + i, j - i);
    if (first == "new" || (begins_literal(byte(i)) && engine::is_literal(first))) { return step::other; }
    std::size_t last = j; // behind the last byte that is no blank
    for (; j < end_ && bare_bytes[byte(j)]; ++j) {
        if (s_[j] == '/' && (s_[j - 1] == ' ' || j + 1 == end_ || s_[j + 1] == '*')) { return step::other; }
    }
    for (last = std::max(last, j); s_[last - 1] == ' '; --last) {}
    if (j == end_ || !room(token_edits)) { return step::other; }
    const char c = s_[j];
    const bool ends = c == '\n' || c == '\r' || c == e_.stack_.back().closer() ||
                      (c == ',' && (!in_object_ || ends_well(j, false)));
    if (!ends) { return step::other; }
    add(i, i, "\"", rule::value_unquoted);
    add(last, last, "\"", rule::value_unquoted);
    e_.p_ = last;
    e_.value_done();
    return step::taken;
}

plain_path::step plain_path::open(std::size_t i) {
    const std::size_t stop = std::min(end_, i + reach_);
    bool comments = false;
    const std::size_t j = skip_comments(i + 1, stop, comments);
    if (j >= stop) { return step::other; }
    const bool object = s_[i] == '{';
    if (object) {
        if (byte(j) != '}' && !key_and_colon(j, stop)) { return step::other; }
    } else if (in_object_ && is_digit(byte(j))) {
        // [1] may be a note: see begin_open
        std::size_t k = j;
        while (k < stop && is_digit(byte(k))) { ++k; }
        if (k + 1 >= stop || byte(k) == ']') { return step::other; }
    }
    e_.p_ = i;
    e_.push(object ? std::uint8_t{frame::object} : std::uint8_t{0}, 1);
    return step::bracket;
}

plain_path::step plain_path::comment(std::size_t i) {
    const std::size_t end = comment_end(i, end_);
    // one that is too long to be held goes in pieces: see skip_comment
    if (end == other || end - i > e_.options_.limits.hold_back || !room(1)) { return step::other; }
    add(i, end, {}, rule::comment);
    e_.p_ = end;
    return step::taken;
}

plain_path::step plain_path::close(std::size_t i) {
    const frame top = e_.stack_.back();
    const std::size_t depth = e_.stack_.size();
    if (depth == 1 || top.closer() != s_[i]) { return step::other; }
    if (top.is_object() && !e_.frame_below(1).is_object()) {
        // more members may follow where none can stand: see step_closer
        const std::size_t stop = std::min(end_, i + reach_);
        const std::size_t j = skip(i + 1, stop);
        if (j + 1 >= stop) { return step::other; }
        if (s_[j] == ',') {
            const std::size_t k = skip(j + 1, stop);
            if (k >= stop || !(s_[k] == '{' || s_[k] == '[' || s_[k] == ']' || is_digit(byte(k)))) {
                return step::other;
            }
        } else if (s_[j] != ']') {
            return step::other;
        }
    }
    e_.kill_comma(rule::comma_trailing);
    e_.p_ = i + 1;
    e_.pop();
    return step::bracket;
}

} // namespace jsonheal::heal_detail
