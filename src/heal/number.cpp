// Numbers in every notation that models write, and text that only begins like one.

#include "engine.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace jsonheal::heal_detail {

namespace {

/// The grammar of RFC 8259, section 6, as an automaton.
constexpr number_state advance(number_state s, int c) noexcept {
    const bool digit = is_digit(c);
    const bool exponent = c == 'e' || c == 'E';
    switch (s) {
    case number_state::start:
        if (c == '-') { return number_state::minus; }
        [[fallthrough]];
    case number_state::minus:
        return c == '0' ? number_state::zero : digit ? number_state::whole : number_state::dead;
    case number_state::zero:
        return c == '.' ? number_state::point : exponent ? number_state::e : number_state::dead;
    case number_state::whole:
        return digit      ? number_state::whole
               : c == '.' ? number_state::point
               : exponent ? number_state::e
                          : number_state::dead;
    case number_state::point: return digit ? number_state::fraction : number_state::dead;
    case number_state::fraction:
        return digit ? number_state::fraction : exponent ? number_state::e : number_state::dead;
    case number_state::e:
        if (c == '+' || c == '-') { return number_state::sign; }
        [[fallthrough]];
    case number_state::sign:
    case number_state::power: return digit ? number_state::power : number_state::dead;
    case number_state::dead: break;
    }
    return number_state::dead;
}

constexpr bool accepts(number_state s) noexcept {
    return s == number_state::zero || s == number_state::whole || s == number_state::fraction ||
           s == number_state::power;
}

/// Length of the longest prefix that is a JSON number; 0 if there is none. `state`: after all bytes, or dead.
std::size_t json_number(std::string_view t, number_state* state = nullptr) noexcept {
    number_state s = number_state::start;
    std::size_t good = 0;
    for (std::size_t i = 0; i < t.size() && s != number_state::dead; ++i) {
        s = advance(s, static_cast<unsigned char>(t[i]));
        if (accepts(s)) { good = i + 1; }
    }
    if (state != nullptr) { *state = s; }
    return good;
}

constexpr bool token_byte(int c) noexcept {
    return is_name(c) || c == '.' || c == '+' || c == '-' || c == '%' || c == '/' || c == '\\' || c == '*' ||
           c == '^' || c == '~' || c == '!' || c == '@' || c == '&' || c == '|' || c == '?' || c == '=';
}

/// digit × base^n added up in decimal text, so that no width is too wide.
std::string decimal_of(std::string_view digits, unsigned base) {
    std::string out = "0"; // least significant first
    for (const char ch : digits) {
        const int c = ch;
        unsigned carry = static_cast<unsigned>(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
        for (char& d : out) {
            const unsigned v = static_cast<unsigned>(d - '0') * base + carry;
            d = static_cast<char>('0' + v % 10);
            carry = v / 10;
        }
        while (carry != 0) {
            out.push_back(static_cast<char>('0' + carry % 10));
            carry /= 10;
        }
    }
    std::reverse(out.begin(), out.end());
    return out;
}

} // namespace

/// Is the token a number, or what a cut or another notation leaves of one? Dates, versions and units are not.
bool engine::number_like(std::string_view token) noexcept {
    std::string_view t = token;
    if (!t.empty() && t[0] == '+') { t.remove_prefix(1); }
    if (t.size() > 2 && t[0] == '0' && (t[1] == 'x' || t[1] == 'X')) {
        return std::all_of(t.begin() + 2, t.end(),
                           [](char c) { return is_hex(static_cast<unsigned char>(c)); });
    }
    if (t.size() > 1 && t[0] == '.' && is_digit(static_cast<unsigned char>(t[1]))) {
        return std::all_of(t.begin() + 1, t.end(),
                           [](char c) { return is_digit(static_cast<unsigned char>(c)); });
    }
    number_state state{};
    const std::size_t n = json_number(t, &state);
    if (n == 0) { return false; }
    const std::string_view rest = t.substr(n);
    return state != number_state::dead || rest == "n";
}

/// A token that begins like a number stands at p_.
bool engine::number_or_text() {
    look l(*this, p_);
    l.escaped_blanks = true;
    std::size_t j = p_;
    while (l.at(j) >= 0x80 ? l.name_at(j) : token_byte(l.at(j))) {
        // a comment ends a number: 1//one
        if (l.at(j) == '/' && (l.at(j + 1) == '/' || l.at(j + 1) == '*')) { break; }
        ++j;
    }
    if (starved_) { return false; }
    if (l.past) {
        // longer than the look-ahead: the reading of strict JSON wins
        number_state state{};
        const std::size_t good = json_number(view(p_, j), &state);
        if (state != number_state::dead) {
            commit_comma();
            mode_ = mode::digits;
            digits_state_ = state;
            digits_good_ = p_ + good;
            p_ = j;
            return true;
        }
        begin_words(rule::number_as_text);
        return true;
    }
    const bool at_end = l.at(j) < 0;
    std::string_view token = view(p_, j);
    // 1,000 as the value of a member: the comma separates digits if no key follows it
    if (in_object() && l.at(j) == ',' && token.size() <= 4 &&
        std::all_of(token.begin() + (token[0] == '-' ? 1 : 0), token.end(),
                    [](char ch) { return is_digit(ch); })) {
        std::size_t k = j;
        while (l.at(k) == ',' && is_digit(l.at(k + 1)) && is_digit(l.at(k + 2)) && is_digit(l.at(k + 3)) &&
               !is_digit(l.at(k + 4)) && l.at(k + 4) != ':' && l.at(k + 4) != '"') {
            k += 4;
        }
        if (l.at(k) == '.' && k > j && is_digit(l.at(k + 1))) {
            ++k;
            while (is_digit(l.at(k))) { ++k; }
        }
        const bool number = k > j && !wants_text(value_kind::number) && token != "0" &&
                            json_number(token) == token.size() && l.after_value(k, 0) >= fit::good;
        if (starved_) { return false; }
        if (number) {
            commit_comma();
            for (std::size_t i = j; i < k; ++i) {
                if (byte(i) == ',') { drop(i, i + 1, rule::number_separator); }
            }
            p_ = k;
            value_done();
            return true;
        }
    }
    const gap g = l.skip(j);
    const int follows = l.at(j);
    const bool key_next = g.blank && is_name_start(l.at(g.position)) && in_object() &&
                          l.bare_key(g.position) == key_shape::colon;
    const bool alone = at_end || key_next || follows == '}' || follows == ']' ||
                       (l.at(j) == ',' && (!in_object() || l.noise_line(j + 1))) || g.newline || g.comment ||
                       l.at(g.position) < 0 || l.after_value(j, 0) >= fit::poor ||
                       (!in_object() && g.blank && l.value_starts(g.position)) || l.ends_document(g.position);
    // 0. 85: a blank inside a number
    if (!alone && !token.empty() && token.back() == '.' && l.at(j) == ' ' && is_digit(l.at(j + 1))) {
        std::size_t k = j + 1;
        while (is_digit(l.at(k))) { ++k; }
        const bool number = json_number(token.substr(0, token.size() - 1)) == token.size() - 1 &&
                            l.after_value(k, 0) >= fit::good;
        if (starved_) { return false; }
        if (number) {
            commit_comma();
            drop(j, j + 1, rule::number_style);
            p_ = k;
            value_done();
            return true;
        }
    }
    if (starved_) { return false; }
    if (alone && number_token(token, at_end)) { return true; }
    begin_words(rule::number_as_text);
    return true;
}

/// Reads a whole token as a number if it is one in any notation.
bool engine::number_token(std::string_view token, bool at_end) {
    if (at_end && options_.cut_number == cut_number_policy::withhold && !stack_.empty() &&
        number_like(token)) {
        drop_unsure(rule::cut_literal, cut_place::in_number);
        return true;
    }
    const std::size_t end = p_ + token.size();
    const bool strict = json_number(token) == token.size();
    if (!strict && wants_text(value_kind::number)) { return false; }
    if (strict) {
        commit_comma();
        p_ = end;
        const bool lost_braces = stack_.size() == 1 && stack_.back().has(frame::no_opener);
        if (at_end && !stack_.empty() && !lost_braces) {
            value_done();
            close_all(cut_place::in_number);
            return true;
        }
        value_done();
        return true;
    }
    return radix_number(token) || decimal_number(token, at_end);
}

/// `0xff` → 255, `0o17` → 15, `0b11` → 3
bool engine::radix_number(std::string_view token) {
    std::string_view t = token;
    const bool negative = !t.empty() && t[0] == '-';
    if (!t.empty() && (t[0] == '-' || t[0] == '+')) { t.remove_prefix(1); }
    if (t.size() < 3 || t.size() > 64 || t[0] != '0') { return false; }
    const char kind = static_cast<char>(t[1] | 0x20);
    const unsigned base = kind == 'x' ? 16 : kind == 'o' ? 8 : kind == 'b' ? 2 : 0;
    if (base == 0) { return false; }
    std::string digits;
    for (const char c : t.substr(2)) {
        if (c == '_') { continue; }
        const bool fits = base == 16 ? is_hex(static_cast<unsigned char>(c))
                                     : c >= '0' && c < static_cast<char>('0' + base);
        if (!fits) { return false; }
        digits.push_back(c);
    }
    if (digits.empty()) { return false; }
    std::string text = decimal_of(digits, base);
    if (negative) { text.insert(text.begin(), '-'); }
    commit_comma();
    const std::size_t end = p_ + token.size();
    std::string_view rest = text;
    put(p_, end, rest.substr(0, edit::max_text), rule::number_style);
    for (rest.remove_prefix(std::min(rest.size(), edit::max_text)); !rest.empty();
         rest.remove_prefix(std::min(rest.size(), edit::max_text))) {
        put(end, end, rest.substr(0, edit::max_text), rule::number_style);
    }
    p_ = end;
    value_done();
    return true;
}

/// `.5` `5.` `+1` `1_000` `10n` `1e5` `07`, and what a cut leaves of a number.
bool engine::decimal_number(std::string_view token, bool at_end) {
    struct change {
        std::size_t from, to;
        std::string_view text;
        rule why;
    };
    change changes[40];
    std::size_t count = 0;
    bool fits = true;
    const auto add = [&](std::size_t from, std::size_t to, std::string_view text, rule why) {
        if (count == std::size(changes)) {
            fits = false;
            return;
        }
        changes[count++] = {from, to, text, why};
    };
    const std::string_view t = token;
    std::size_t i = 0;
    const auto digits = [&] {
        const std::size_t from = i;
        while (i < t.size() && (is_digit(static_cast<unsigned char>(t[i])) ||
                                (t[i] == '_' && i > from && i + 1 < t.size() &&
                                 is_digit(static_cast<unsigned char>(t[i + 1]))))) {
            if (t[i] == '_') { add(i, i + 1, {}, rule::number_separator); }
            ++i;
        }
        return i - from;
    };
    if (i < t.size() && t[i] == '+') {
        add(0, 1, {}, rule::number_style);
        ++i;
    } else if (i < t.size() && t[i] == '-') {
        ++i;
    }
    const std::size_t first = i;
    const std::size_t before = digits();
    if (before == 0) { add(i, i, "0", rule::number_style); }
    if (before > 1 && t[first] == '0') {
        // leading zeros are text, but 07 alone is a number
        const std::size_t zeros = std::min(t.find_first_not_of('0', first), i - 1) - first;
        if (zeros == 0) { return false; }
        if (!(t.size() == first + 2 && zeros == 1 && t[first + 1] != '0') && !wants_number()) {
            return false;
        }
        add(first, first + zeros, {}, rule::number_style);
    }
    std::size_t after = 0, exponent = 0;
    const bool cut = at_end;
    std::size_t whole = i; // what stays if the rest was cut
    if (i < t.size() && t[i] == '.') {
        ++i;
        after = digits();
        if (after == 0) {
            if (before == 0) { return false; }
            const bool exponent_next = i < t.size() && (t[i] == 'e' || t[i] == 'E');
            if (exponent_next && t.find_first_of("0123456789", i) == std::string_view::npos) {
                add(i - 1, t.size(), {}, rule::cut_literal); // 12.e
                i = t.size();
            } else if (cut && i == t.size()) {
                i = whole;
            } else {
                add(i, i, "0", rule::number_style);
            }
        }
        if (after != 0) { whole = i; }
    }
    if (before + after == 0) {
        if (!(cut && !stack_.empty() && (t == "-" || t == "+" || t == "."))) { return false; }
        // nothing certain is left
        drop_unsure(rule::cut_literal, cut_place::in_number);
        return true;
    }
    if (i < t.size() && (t[i] == 'e' || t[i] == 'E')) {
        const std::size_t mark = i++;
        if (i < t.size() && (t[i] == '+' || t[i] == '-')) { ++i; }
        exponent = digits();
        if (exponent == 0) {
            // 1e+: the unfinished part goes
            if (i != t.size()) { return false; }
            i = mark;
            whole = mark;
        } else {
            whole = i;
        }
    }
    if (i < t.size() && !(i == whole && ((cut && t[i] == '.') || t[i] == 'e' || t[i] == 'E'))) {
        // 10n, 1L, 2.5f
        const std::string_view suffix = t.substr(i);
        const bool integer = after == 0 && exponent == 0 && whole == i;
        const bool known = (integer && (suffix == "n" || suffix == "L" || suffix == "l" || suffix == "u" ||
                                        suffix == "U" || suffix == "UL")) ||
                           (!integer && (suffix == "f" || suffix == "F" || suffix == "d" || suffix == "D"));
        if (!known) { return false; }
        add(i, t.size(), {}, rule::number_suffix);
    } else if (i < t.size()) {
        add(i, t.size(), {}, rule::cut_literal);
    }
    if (!fits) { return false; }
    commit_comma();
    for (std::size_t k = 0; k < count; ++k) {
        put(p_ + changes[k].from, p_ + changes[k].to, changes[k].text, changes[k].why);
    }
    p_ += t.size();
    value_done();
    if (cut && !stack_.empty()) {
        close_all(cut_place::in_number);
    } else if (cut && whole < t.size()) {
        found_.back().cut = cut_ = cut_place::in_number;
    }
    return true;
}

/// A number longer than the look-ahead goes byte by byte through the grammar's automaton.
bool engine::step_digits() {
    while (p_ < end_) {
        const number_state next = advance(digits_state_, byte(p_));
        if (next == number_state::dead) { break; }
        digits_state_ = next;
        ++p_;
        if (accepts(next)) { digits_good_ = p_; }
    }
    if (p_ >= end_ && !final_) {
        starved_ = true;
        return false;
    }
    digits_end_ = digits_good_;
    if (digits_good_ < p_) { put(digits_good_, p_, {}, rule::cut_literal); }
    mode_ = mode::container;
    const bool at_end = p_ >= end_;
    value_done();
    if (at_end && !stack_.empty()) { close_all(cut_place::in_number); }
    return true;
}

} // namespace jsonheal::heal_detail
