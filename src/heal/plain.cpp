#include "plain.hpp"

#include "string_run.hpp"

#include <algorithm>
#include <string_view>

namespace jsonheal::heal_detail {

namespace {

constexpr std::size_t least_look_ahead = 128; // below it the looks of the steps may end before a proof does
constexpr std::size_t token_reach = 64;       // bytes of a number, a literal or a bare key
constexpr std::size_t other = static_cast<std::size_t>(-1);

constexpr bool plain_name(int c) noexcept { return c < 0x80 && is_name(c); }
constexpr bool plain_name_start(int c) noexcept { return c < 0x80 && is_name_start(c); }
constexpr bool plain_frame(frame f) noexcept { return (f.flags & ~frame::object) == 0; }

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
    while (reach_ != 0 && !e_.refused_ && !e_.stack_.empty() && plain_frame(e_.stack_.back())) {
        const std::size_t i = blank_run_end(s_, e_.p_, end_);
        if (i >= end_) { break; }
        const unsigned char c = byte(i);
        step taken = step::other;
        switch (e_.phase_) {
        case phase::first:
        case phase::next:
            if (c == '}' || c == ']') {
                taken = close(i);
            } else {
                taken = e_.in_object() ? key(i) : value(i);
            }
            break;
        case phase::value: taken = value(i); break;
        case phase::after:
            if (c == ',') {
                e_.p_ = i;
                e_.take_comma(1, false);
                taken = step::taken;
            } else if (c == '}' || c == ']') {
                taken = close(i);
            }
            break;
        case phase::colon: break;
        }
        if (taken == step::other) { break; }
    }
}

void plain_path::close_string() {
    const string_state& str = e_.str_;
    const bool plain = str.delimiter == delimiter::double_quote && str.role != role::key &&
                       str.role != role::root && !str.typographic && !str.doubled && str.inner == 0 &&
                       str.pairs == 0 && str.nested == 0;
    if (reach_ == 0 || !plain || e_.p_ >= end_ || s_[e_.p_] != '"' || e_.stack_.empty() ||
        !plain_frame(e_.stack_.back())) {
        return;
    }
    if (ends_well(e_.p_ + 1, e_.inner_seen_ && e_.in_object())) { e_.close_string(e_.p_, e_.p_ + 1); }
}

// ---- what follows

/// The next byte of structure, or `stop`.
std::size_t plain_path::skip(std::size_t i, std::size_t stop) const noexcept {
    return blank_run_end(s_, i, stop);
}

/// `"key" :` or `key :` at i, without anything in the key that needs a look. Remembers it.
bool plain_path::key_and_colon(std::size_t i, std::size_t stop) noexcept {
    if (i == key_.at) { return true; }
    const std::size_t close = key_end(i, stop);
    if (close == other) { return false; }
    const std::size_t colon = skip(close, stop);
    if (colon >= stop || byte(colon) != ':') { return false; }
    key_ = {i, close, colon + 1};
    return true;
}

/// The end of the key at i, behind its quote if it has one.
std::size_t plain_path::key_end(std::size_t i, std::size_t stop) const noexcept {
    const unsigned char c = byte(i);
    if (c == '"' || c == '\'') {
        const std::size_t close = string_end(i + 1, stop, s_[i], false);
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

/// May the value that ends at i end there beyond doubt? `deep`: quotes inside strings were seen, so that the value
/// behind the next key counts as well.
bool plain_path::ends_well(std::size_t i, bool deep) noexcept {
    const std::size_t from = i, stop = std::min(end_, i + reach_);
    std::size_t depth = 0;
    unsigned closers = 0;
    bool well = false;
    for (i = skip(i, stop); i < stop; i = skip(i + 1, stop)) {
        const frame f = e_.frame_below(depth);
        if (!plain_frame(f)) { break; }
        if (byte(i) == ',') {
            i = skip(i + 1, stop);
            if (i >= stop) { break; }
            const unsigned char c = byte(i);
            if (c != '}' && c != ']') {
                if (f.is_object()) {
                    well = key_and_colon(i, stop) && (c == '"' ? !deep || value_follows(key_.value, stop)
                                                               : c == '\'' || begins_plainly(key_.value));
                } else {
                    well = ((c == '"' || c == '{') && !deep) || c == '\'' || c == '[' || token_ends(i, stop);
                }
                break;
            }
            closers = 0; // a trailing comma
        }
        if (byte(i) != f.closer()) { break; }
        well = closers == closers_proved;
        if (well || ++depth == e_.stack_.size()) { break; }
        ++closers;
    }
    e_.work_ += i - from;
    return well;
}

/// Behind the colon of a bare key: `https://` and `std::string` are none.
bool plain_path::begins_plainly(std::size_t i) const noexcept {
    return i < end_ && byte(i) != '/' && byte(i) != ':';
}

// ---- tokens

plain_path::step plain_path::key(std::size_t i) {
    if (!key_and_colon(i, std::min(end_, i + reach_))) { return step::other; }
    const std::size_t close = key_.close;
    if (e_.member_ == engine::none) {
        e_.member_ = i;
        e_.member_edit_ = e_.edits_.size();
    }
    const unsigned char c = byte(i);
    if (c == '"' || c == '\'') {
        e_.quoted_keys_ = true;
        if (c == '\'') { e_.put(i, i + 1, "\"", rule::quote_style); }
        e_.last_close_ = e_.edits_.size();
        e_.last_quote_ = close - 1;
        if (c == '\'') { e_.put(close - 1, close, "\"", rule::quote_style); }
    } else {
        e_.bare_keys_ = true;
        e_.put(i, i, "\"", rule::key_unquoted);
        e_.put(close, close, "\"", rule::key_unquoted);
    }
    e_.value_end_ = close;
    e_.p_ = key_.value;
    e_.phase_ = phase::value;
    return step::taken;
}

plain_path::step plain_path::value(std::size_t i) {
    const unsigned char c = byte(i);
    switch (c) {
    case '"':
    case '\'': return string(i);
    case '{':
    case '[': return open(i);
    default: return is_digit(c) || c == '-' ? number(i) : is_letter(c) ? word(i) : step::other;
    }
}

plain_path::step plain_path::string(std::size_t i) {
    const char quote = s_[i];
    std::size_t close = i + 1;
    if (close + 1 >= end_) { return step::other; }
    if (s_[close] == quote) {
        if (s_[close + 1] == quote) { return step::other; } // """
    } else {
        close = string_end(close, end_, quote, true);
        if (close == other) { return step::other; }
    }
    if (!ends_well(close + 1, e_.inner_seen_ && e_.in_object())) { return step::other; }
    if (quote == '\'') { e_.put(i, i + 1, "\"", rule::quote_style); }
    e_.last_close_ = e_.edits_.size();
    if (quote == '\'') { e_.put(close, close + 1, "\"", rule::quote_style); }
    e_.p_ = close + 1;
    e_.value_done();
    e_.last_string_ = true;
    e_.last_quote_ = close;
    return step::taken;
}

/// The closing quote of the content that begins at i, if it stands before `stop` and nothing in the content needs a look.
std::size_t plain_path::string_end(std::size_t i, std::size_t stop, char quote, bool escapes) const noexcept {
    const std::size_t content = i;
    bool host = false; // a run of the string may be a path
    for (;;) {
        i = string_run_end(s_, i, stop, quote);
        if (i >= stop) { return other; }
        if (s_[i] == quote) { return i; }
        if (s_[i] == '\\') {
            if (!escapes) { return other; }
            i = escape_end(i, content, host);
        } else {
            i = byte(i) < 0x80 ? other : character_end(i, quote);
        }
        if (i == other) { return other; }
    }
}

/// The end of the character outside ASCII at i, unless it is ill-formed or may stand for the string's quote.
std::size_t plain_path::character_end(std::size_t i, char quote) const noexcept {
    const unsigned char lead = byte(i);
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

/// The end of the escape at i, if it is one of JSON's and can be nothing else.
std::size_t plain_path::escape_end(std::size_t i, std::size_t content, bool& host) const noexcept {
    if (i + 8 > end_) { return other; }
    host |= i >= content + 2 && byte(i - 1) == ':' && is_letter(byte(i - 2));
    const unsigned char c = byte(i + 1), next = byte(i + 2);
    switch (c) {
    case '\\': host = true; return i + 2;
    case '/': return i + 2;
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

plain_path::step plain_path::number(std::size_t i) {
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
    const bool parted = c == ',' && !e_.in_object();
    if (!closes && !parted) {
        if (c != ',' && !is_blank(c)) { return step::other; }
        if (c == ',' && is_digit(byte(j + 1))) { return step::other; } // 1,000
        if (!ends_well(j, false)) { return step::other; }
    }
    e_.p_ = j;
    e_.value_done();
    return step::taken;
}

plain_path::step plain_path::word(std::size_t i) {
    const std::size_t limit = std::min(end_, i + 8);
    std::size_t j = i;
    while (j < limit && is_letter(byte(j))) { ++j; }
    if (j >= limit) { return step::other; }
    const std::string_view text(s_ + i, j - i);
    const unsigned char c = byte(j);
    const word_row* row = find_word(text);
    if (row == nullptr || !(c == ',' || c == '}' || c == ']' || is_blank(c))) { return step::other; }
    const bool parted = c == ',' && !e_.in_object();
    if (!parted && !ends_well(j, false)) { return step::other; }
    if (row->word != row->json) { e_.put(i, j, row->json, rule::literal_style); }
    e_.p_ = j;
    e_.value_done();
    return step::taken;
}

plain_path::step plain_path::open(std::size_t i) {
    const std::size_t stop = std::min(end_, i + reach_);
    const std::size_t j = skip(i + 1, stop);
    if (j >= stop) { return step::other; }
    const bool object = s_[i] == '{';
    if (object) {
        if (byte(j) != '}' && !key_and_colon(j, stop)) { return step::other; }
    } else if (e_.in_object() && is_digit(byte(j))) {
        // [1] may be a note: see begin_open
        std::size_t k = j;
        while (k < stop && is_digit(byte(k))) { ++k; }
        if (k + 1 >= stop || byte(k) == ']') { return step::other; }
    }
    e_.p_ = i;
    e_.push(object ? std::uint8_t{frame::object} : std::uint8_t{0}, 1);
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
    return step::taken;
}

} // namespace jsonheal::heal_detail
