#include "number_text.hpp"

#include "fold.hpp"

#include <jsonheal/unicode.hpp>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <vector>

namespace jsonheal::align_detail {

namespace {

[[nodiscard]] bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

[[nodiscard]] std::size_t digits_at(std::string_view s, std::size_t from) noexcept {
    std::size_t end = from;
    while (end < s.size() && is_digit(s[end])) { ++end; }
    return end - from;
}

/// Takes a sign off the front: `-`, `+`, or the minus of typography (U+2212).
struct sign_taken {
    bool any = false;
    bool minus = false;
};
sign_taken take_sign(std::string_view& s) noexcept {
    constexpr std::string_view typographic = "\xE2\x88\x92";
    if (s.starts_with(typographic)) {
        s.remove_prefix(typographic.size());
        return {true, true};
    }
    if (s.starts_with('-') || s.starts_with('+')) {
        const bool minus = s.front() == '-';
        s.remove_prefix(1);
        return {true, minus};
    }
    return {};
}

/// One separator between digits, brought to one of `.` `,` `'` `_` ` `. Nothing: no separator.
struct separator {
    char kind = 0;
    std::size_t size = 0;
};
separator separator_at(std::string_view s) noexcept {
    if (s.empty()) { return {}; }
    if (s[0] == '.' || s[0] == ',' || s[0] == '\'' || s[0] == '_' || s[0] == ' ') { return {s[0], 1}; }
    const unicode::decoded d = unicode::decode(s);
    if (d.code == 0x2019) { return {'\'', d.size}; }
    if (d.code == 0xA0 || d.code == 0x202F || d.code == 0x2009 || d.code == 0x2007) { return {' ', d.size}; }
    return {};
}

/// Digits and what stands between them: `1.234,5` is {"1", "234", "5"} and ".,".
struct digit_groups {
    std::vector<std::string_view> groups;
    std::string separators;
    std::string_view exponent; ///< `e-3`
};

std::optional<digit_groups> split_groups(std::string_view s) {
    digit_groups g;
    while (true) {
        const std::size_t size = digits_at(s, 0);
        g.groups.push_back(s.substr(0, size));
        s.remove_prefix(size);
        if (s.empty()) { return g; }
        if ((s[0] == 'e' || s[0] == 'E') && !g.groups.back().empty()) {
            const std::size_t from = s.size() > 1 && (s[1] == '+' || s[1] == '-') ? 2 : 1;
            if (digits_at(s, from) == 0 || from + digits_at(s, from) != s.size()) { return std::nullopt; }
            g.exponent = s;
            return g;
        }
        const separator between = separator_at(s);
        if (between.size == 0) { return std::nullopt; }
        g.separators.push_back(between.kind);
        s.remove_prefix(between.size);
    }
}

/// Whether groups [0, count) read as thousands: `1`, `234`, `567`.
[[nodiscard]] bool are_thousands(const digit_groups& g, std::size_t count) {
    if (g.groups[0].empty() || g.groups[0].size() > 3 || g.groups[0][0] == '0') { return false; }
    return std::all_of(g.groups.begin() + 1, g.groups.begin() + static_cast<std::ptrdiff_t>(count),
                       [](std::string_view one) { return one.size() == 3; });
}

std::string spell(bool minus, std::string whole, std::string_view decimals, std::string_view exponent) {
    whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size()));
    if (whole.empty()) { whole = "0"; }
    std::string out = minus ? "-" : "";
    out += whole;
    if (!decimals.empty()) { out.append(".").append(decimals); }
    return out.append(exponent);
}

std::string joined(const digit_groups& g, std::size_t count) {
    std::string all;
    for (std::size_t i = 0; i != count; ++i) { all += g.groups[i]; }
    return all;
}

/// Where the decimals begin: the number of groups before them. Nothing: it is no number, or has several readings.
std::optional<std::size_t> groups_before_decimals(const digit_groups& g, number_locale locale) {
    const std::size_t count = g.groups.size();
    if (count == 1) { return g.groups[0].empty() ? std::nullopt : std::optional(count); }
    const char last = g.separators.back();
    const bool one_kind = g.separators.find_first_not_of(last) == std::string::npos;
    const bool point_or_comma = last == '.' || last == ',';
    if (!one_kind) {
        // 1.234,56: the last is the decimal one, all before it are of one other kind
        const std::string before = g.separators.substr(0, count - 2);
        const bool plain = point_or_comma && before.find_first_not_of(before[0]) == std::string::npos &&
                           before[0] != last && !g.groups.back().empty();
        return plain && are_thousands(g, count - 1) ? std::optional(count - 1) : std::nullopt;
    }
    if (last == '_') { // as programs write it: groups of any size
        const bool full =
            std::none_of(g.groups.begin(), g.groups.end(), [](auto one) { return one.empty(); });
        return full ? std::optional(count) : std::nullopt;
    }
    if (!point_or_comma || count > 2) {
        return are_thousands(g, count) ? std::optional(count) : std::nullopt;
    }
    const std::size_t before = g.groups[0].size();
    const std::size_t behind = g.groups[1].size();
    if (before == 0 && behind == 0) { return std::nullopt; }
    if (last == ',' && (before == 0 || behind == 0)) { return std::nullopt; }
    const bool ambiguous = are_thousands(g, 2) && (last == ',' || g.exponent.empty());
    if (!ambiguous) { return 1; }
    if (locale == number_locale::unknown) { return std::nullopt; }
    return (last == '.') == (locale == number_locale::point) ? 1 : 2;
}

std::optional<std::string> read_hexadecimal(std::string_view s, bool minus) {
    if (!s.starts_with("0x") && !s.starts_with("0X")) { return std::nullopt; }
    s.remove_prefix(2);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value, 16);
    if (s.empty() || error != std::errc{} || end != s.data() + s.size()) { return std::nullopt; }
    return (minus ? "-" : "") + std::to_string(value);
}

/// `1/5` → `0.2`, if the decimals end within 18 places.
std::optional<std::string> read_fraction(std::string_view s, bool minus) {
    const std::size_t slash = s.find('/');
    constexpr std::size_t most_digits = 9;
    if (slash == std::string_view::npos || slash == 0 || slash > most_digits ||
        s.size() - slash - 1 > most_digits) {
        return std::nullopt;
    }
    if (digits_at(s, 0) != slash || digits_at(s, slash + 1) != s.size() - slash - 1) { return std::nullopt; }
    std::uint64_t above = 0;
    std::uint64_t below = 0;
    std::from_chars(s.data(), s.data() + slash, above);
    std::from_chars(s.data() + slash + 1, s.data() + s.size(), below);
    if (below == 0) { return std::nullopt; }
    std::string decimals;
    std::uint64_t rest = above % below;
    for (unsigned place = 0; rest != 0 && place != 18; ++place) {
        rest *= 10;
        decimals.push_back(static_cast<char>('0' + rest / below));
        rest %= below;
    }
    if (rest != 0) { return std::nullopt; }
    return spell(minus, std::to_string(above / below), decimals, {});
}

/// A number and nothing else.
std::optional<number_reading> read_plain(std::string_view text, const align_options& options) {
    std::string_view s = trimmed(text);
    if (s.empty()) { return std::nullopt; }
    const std::string_view all = s;
    const sign_taken sign = take_sign(s);
    if (s.empty()) { return std::nullopt; }
    if (auto hex = read_hexadecimal(s, sign.minus)) {
        return number_reading{*hex, align_rule::number_spelling};
    }
    if (options.fractions) {
        if (auto ratio = read_fraction(s, sign.minus)) {
            return number_reading{*ratio, align_rule::number_spelling};
        }
    }
    const std::optional<digit_groups> g = split_groups(s);
    if (!g) { return std::nullopt; }
    const std::optional<std::size_t> whole = groups_before_decimals(*g, options.locale);
    if (!whole) { return std::nullopt; }
    if (!g->exponent.empty() && *whole > 1) { return std::nullopt; }
    if (is_json_number(all) && *whole == 1) {
        return number_reading{std::string(all), align_rule::string_to_number};
    }
    const std::string_view decimals = *whole < g->groups.size() ? g->groups.back() : std::string_view{};
    return number_reading{spell(sign.minus, joined(*g, *whole), decimals, g->exponent),
                          align_rule::number_spelling};
}

constexpr std::string_view units[] = {
    "$",   "\xE2\x82\xAC", "\xC2\xA3", "\xC2\xA5", "\xE2\x82\xB9", "%",   "USD", "EUR", "GBP", "JPY",
    "CHF", "CNY",          "INR",      "CAD",      "AUD",          "US$", "Rs.", "kr",  "SEK", "NOK"};

/// `-$2,500.00`, `12 €`, `95%`
std::optional<number_reading> read_with_unit(std::string_view text, const align_options& options) {
    std::string_view s = trimmed(text);
    const sign_taken sign = take_sign(s);
    for (const std::string_view unit : units) {
        std::string_view rest = s;
        if (rest.starts_with(unit) && unit != "%") {
            rest.remove_prefix(unit.size());
        } else if (rest.ends_with(unit)) {
            rest.remove_suffix(unit.size());
        } else {
            continue;
        }
        rest = trimmed(rest);
        std::string_view unsigned_rest = rest;
        if (sign.any && take_sign(unsigned_rest).any) { continue; }
        std::optional<number_reading> r = read_plain(rest, options);
        if (!r) { continue; }
        if (sign.minus) { r->text.insert(0, "-"); }
        r->rule = align_rule::number_with_unit;
        return r;
    }
    return std::nullopt;
}

/// Words that make a number another one, or no number at all.
constexpr std::string_view scaling_words[] = {
    "k",        "m",        "bn",      "mn",    "hundred", "thousand", "million",   "millions",   "billion",
    "trillion", "mio",      "mrd",     "tsd",   "dozen",   "dozens",   "lakh",      "crore",      "percent",
    "prozent",  "half",     "quarter", "third", "tausend", "million",  "millionen", "milliarden", "mille",
    "mil",      "millones", "to",      "or",    "not",     "between",  "and"};

[[nodiscard]] std::string_view without_punctuation(std::string_view token) noexcept {
    while (!token.empty() && std::string_view("\"':;!?.,").find(token.back()) != std::string_view::npos) {
        token.remove_suffix(1);
    }
    while (!token.empty() && std::string_view("\"':").find(token.front()) != std::string_view::npos) {
        token.remove_prefix(1);
    }
    return token;
}

/// The only token of a text that has digits.
std::optional<number_reading> read_in_text(std::string_view text, const align_options& options) {
    std::string_view found;
    std::size_t tokens = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
        const std::string_view token = without_punctuation(text.substr(at, end - at));
        at = end + 1;
        if (token.empty()) { continue; }
        ++tokens;
        if (std::any_of(token.begin(), token.end(), is_digit)) {
            if (!found.empty()) { return std::nullopt; }
            found = token;
        }
    }
    if (found.empty()) { return std::nullopt; }
    for (const word& w : words_of(text)) {
        if (std::find(std::begin(scaling_words), std::end(scaling_words), w.folded) !=
            std::end(scaling_words)) {
            return std::nullopt;
        }
    }
    std::optional<number_reading> r = read_plain(found, options);
    if (!r) { r = read_with_unit(found, options); }
    if (r) { r->rule = align_rule::number_in_text; }
    return r;
}

} // namespace

bool is_json_number(std::string_view s) noexcept {
    std::size_t at = s.starts_with('-') ? 1 : 0;
    const std::size_t whole = digits_at(s, at);
    if (whole == 0 || (whole > 1 && s[at] == '0')) { return false; }
    at += whole;
    if (at < s.size() && s[at] == '.') {
        const std::size_t decimals = digits_at(s, at + 1);
        if (decimals == 0) { return false; }
        at += 1 + decimals;
    }
    if (at < s.size() && (s[at] == 'e' || s[at] == 'E')) {
        ++at;
        if (at < s.size() && (s[at] == '+' || s[at] == '-')) { ++at; }
        const std::size_t digits = digits_at(s, at);
        if (digits == 0) { return false; }
        at += digits;
    }
    return at == s.size();
}

std::optional<number_reading> read_number(std::string_view text, const align_options& options, bool lossy) {
    std::optional<number_reading> r = read_plain(text, options);
    if (!r && lossy) { r = read_with_unit(text, options); }
    if (!r && lossy) { r = read_in_text(text, options); }
    return r;
}

} // namespace jsonheal::align_detail
