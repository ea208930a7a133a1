// Backslashes inside strings: escapes that JSON knows, those it does not, and those that only look like one.

#include "engine.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace jsonheal::heal_detail {

namespace {

// LaTeX commands that begin like a JSON escape: \beta, \frac, \nabla, \rho, \theta.
constexpr std::string_view latex[] = {
    "backslash",    "bar",        "because", "begin",     "beta",         "between",   "bf",      "big",
    "bigl",         "bigr",       "binom",   "bmod",      "boldsymbol",   "bot",       "bullet",  "flat",
    "footnotesize", "forall",     "frac",    "frown",     "nabla",        "ne",        "nearrow", "neg",
    "neq",          "newcommand", "newline", "ni",        "nonumber",     "not",       "notin",   "nu",
    "rVert",        "rangle",     "rceil",   "ref",       "renewcommand", "rfloor",    "rho",     "right",
    "rightarrow",   "rm",         "tan",     "tanh",      "tau",          "text",      "textbf",  "textit",
    "textrm",       "texttt",     "tfrac",   "therefore", "theta",        "tilde",     "times",   "tiny",
    "title",        "to",         "top",     "triangle",  "underbrace",   "underline", "uparrow", "uplus",
    "upsilon",      "usepackage"};

/// For a second letter the first letters that commands of the table have before it, one bit each: most words are none.
constexpr std::array<std::uint32_t, 256> second_letters = [] {
    std::array<std::uint32_t, 256> firsts{};
    for (const std::string_view word : latex) {
        firsts[static_cast<unsigned char>(word[1])] |= 1u << (word[0] & 31);
    }
    return firsts;
}();

constexpr std::string_view json_escapes = "\"\\/bfnrtu";
constexpr std::string_view markdown_escapes = "_*[]()#+-.!~>|&{}";

} // namespace

/// Does the run that the backslash at p_ belongs to begin with a drive or a host?
/// `C:\Users\new` and `\\host\new`
bool engine::path_shaped() noexcept {
    // what was found for an escape before this one in the same run holds for this one, so that no byte is read twice
    if (str_.path_checked != p_) {
        str_.path_shaped = run_is_path();
        str_.path_checked = p_;
    }
    return str_.path_shaped;
}

bool engine::run_is_path() const noexcept {
    const std::size_t back = options_.limits.look_back;
    const std::size_t floor = std::max({str_.content, p_ > back ? p_ - back : 0, base_});
    std::size_t i = p_;
    while (i > floor) {
        if (i == str_.path_checked) { return str_.path_shaped; }
        const unsigned char c = byte(i - 1);
        const bool part = is_name(c) || c == '\\' || c == '.' || c == '-' || c == ' ' || c == ':' ||
                          c == '(' || c == ')' || c == '~' || c == '%' || c == '+' || c == '&';
        if (!part) { break; }
        --i;
        if (c == ':' && i > floor && is_letter(byte(i - 1)) && i + 1 <= p_ && byte(i + 1) == '\\' &&
            (i - 1 == floor || !is_name(byte(i - 2)))) {
            // `in m:\n` is text: within text a drive is a capital letter
            return i - 1 == str_.content || byte(i - 1) <= 'Z' || !is_blank(byte(i - 2));
        }
    }
    const bool begins = i == floor || is_blank(byte(i - 1)) || byte(i - 1) == '(' || byte(i - 1) == '\'' ||
                        byte(i - 1) == '"';
    return begins && p_ >= i + 2 && byte(i) == '\\' && byte(i + 1) == '\\' && is_name(byte(i + 2));
}

/// Is the word, letter of the escape included, a LaTeX command of the table?
bool engine::names_latex(std::string_view word) noexcept {
    return word.size() > 1 &&
           (second_letters[static_cast<unsigned char>(word[1])] & (1u << (word[0] & 31))) != 0 &&
           std::find(std::begin(latex), std::end(latex), word) != std::end(latex);
}

/// A valid-looking escape in a path or a LaTeX command is data if this document has shown, or this string shows
/// within the look-ahead, a backslash that is no escape.
bool engine::escape_is_data(look& l, char letter, rule& why) {
    bool shaped = path_shaped() && l.name_at(p_ + 2); // a name goes on behind the letter
    why = rule::escape_path;
    if (!shaped && letter != 'u') {
        std::size_t j = p_ + 1;
        while (is_letter(l.at(j)) && j < p_ + 24) { ++j; }
        if (starved_ || l.past) { return false; }
        const std::string_view word = view(p_ + 1, j);
        shaped = names_latex(word);
        why = rule::escape_latex;
    }
    if (!shaped) { return false; }
    if (bad_escape_seen_) { return true; }
    for (std::size_t j = std::max(p_ + 2, str_.escapes_checked);;) {
        const int c = l.at(j);
        if (c < 0 || c == '"') {
            if (!starved_) { str_.escapes_checked = j; }
            return false;
        }
        if (c != '\\') {
            ++j;
            continue;
        }
        const int d = l.at(j + 1);
        if (d < 0) { return false; }
        if (json_escapes.find(static_cast<char>(d)) == std::string_view::npos && d != '\'' && d != '`' &&
            d != '\n') {
            return true;
        }
        if (d == 'u' && l.at(j + 2) >= 0 && !is_hex(l.at(j + 2))) { return true; }
        if (d == '"' && why == rule::escape_path && str_.role != role::key && closes_path(j)) { return true; }
        j += 2;
    }
}

/// Does the string end at the escaped quote at j, so that its backslash ends a path? No later quote could close it.
bool engine::closes_path(std::size_t j) {
    look m(*this, j);
    if (m.after_value(j + 2, 0) != fit::strict || m.past) { return false; }
    std::size_t k = j + 2;
    for (int c = m.at(k); c >= 0 && c != '"'; c = m.at(k)) { k += c == '\\' ? 2 : 1; }
    if (m.past || m.at(k) < 0) { return false; }
    look n(*this, k);
    return n.after_value(k + 1, 0) < fit::poor;
}

/// The backslash is data: it is doubled.
bool engine::escape_invalid(rule why) {
    put(p_, p_, "\\", why);
    ++p_;
    if (why == rule::escape_path || why == rule::escape_latex) { ++p_; } // the letter is no escape any more
    return true;
}

bool engine::string_escape() {
    if (str_.delimiter == delimiter::escaped) { return escape_in_escaped(); }
    const int c = at(p_ + 1);
    if (c < 0) { return false; } // not there yet, or cut: see end_of_text
    switch (c) {
    case '"': return escaped_close();
    case '\\':
    case '/': p_ += 2; return true;
    case '\'':
    case '`':
        drop(p_, p_ + 1, rule::escape_quote);
        p_ += 2;
        return true;
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't': {
        look l(*this, p_);
        rule why{};
        const bool data = escape_is_data(l, static_cast<char>(c), why);
        if (starved_) { return false; }
        if (data) { return escape_invalid(why); }
        p_ += 2;
        return true;
    }
    case 'u': return escape_unicode();
    case '\r':
    case '\n':
        // the backslash goes, and the line end is escaped as any control character
        drop(p_, p_ + 1, rule::line_continuation);
        ++p_;
        return true;
    default: break;
    }
    if (str_.role == role::key && markdown_escapes.find(static_cast<char>(c)) != std::string_view::npos) {
        drop(p_, p_ + 1, rule::escape_markdown);
        p_ += 2;
        return true;
    }
    bad_escape_seen_ = true;
    return escape_invalid(rule::escape_invalid);
}

/// `\"` is data, unless it stands where the string must close and no later quote could.
/// `["x\", "y"]` → `["x", "y"]`
bool engine::escaped_close() {
    const bool candidate = !str_.typographic && str_.nested == 0 &&
                           str_.delimiter == delimiter::double_quote && str_.role != role::key &&
                           str_.role != role::root;
    if (candidate) {
        look l(*this, p_);
        l.deep = true;
        const fit f = l.after_value(p_ + 2, 0);
        const bool new_line =
            l.at(p_ + 2) == ',' && l.at(p_ + 3) == '\n' && l.at(l.skip(p_ + 3).position) == '"';
        bool closes = (f == fit::strict || (f == fit::good && new_line) || (new_line && !in_object())) &&
                      !l.past && l.at(l.skip(p_ + 2).position) >= 0;
        if (closes) {
            std::size_t j = p_ + 2;
            for (int c = l.at(j); c >= 0 && c != '"'; c = l.at(j)) { j += c == '\\' ? 2 : 1; }
            if (l.past || l.at(j) < 0) {
                closes = false;
            } // no later quote: the text was cut inside the string
            if (closes) {
                look m(*this, j);
                m.deep = true;
                closes = m.after_value(j + 1, 0) < fit::poor;
            }
        }
        if (starved_) { return false; }
        if (closes && (p_ == str_.content || path_shaped())) {
            // "C:\temp\", — the path ends in a backslash; "\", — a backslash is all there is
            put(p_, p_, "\\", rule::escape_path);
            ++p_;
            close_string(p_, p_ + 1);
            return true;
        }
        if (closes) {
            drop(p_, p_ + 1, rule::escape_closing);
            ++p_;
            close_string(p_, p_ + 1);
            return true;
        }
    }
    p_ += 2;
    return true;
}

bool engine::escape_unicode() {
    unsigned code = 0;
    for (std::size_t k = 2; k < 6; ++k) {
        const int c = at(p_ + k);
        if (c < 0) { return false; } // not there yet, or cut
        if (!is_hex(c)) {
            bad_escape_seen_ = true;
            return escape_invalid(rule::escape_invalid);
        }
        code = code * 16 + static_cast<unsigned>(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    // a cut may fall inside a surrogate pair: then both halves go
    if (code >= 0xD800 && code < 0xDC00) {
        std::size_t k = 6;
        for (const char want : {'\\', 'u'}) {
            const int c = at(p_ + k);
            if (c < 0) { return false; }
            if (c != want) {
                p_ += 6;
                return true;
            }
            ++k;
        }
        for (; k < 12; ++k) {
            const int c = at(p_ + k);
            if (c < 0) { return false; }
            if (!is_hex(c)) { break; }
        }
    }
    if (path_shaped()) {
        look l(*this, p_);
        rule why{};
        const bool data = escape_is_data(l, 'u', why);
        if (starved_) { return false; }
        if (data) { return escape_invalid(why); }
    }
    p_ += 6;
    return true;
}

/// Inside a document that was escaped as a whole one level of escapes comes off.
/// `\\n` → `\n`, `\\\"` → `\"`, and `\"` closes.
bool engine::escape_in_escaped() {
    const int c = at(p_ + 1);
    if (c < 0) { return false; }
    if (c == '"') {
        close_string(p_, p_ + 2);
        return true;
    }
    if (c != '\\') {
        const bool known = json_escapes.find(static_cast<char>(c)) != std::string_view::npos;
        if (!known) { return escape_invalid(rule::escape_invalid); }
        if (c == 'u') { return escape_unicode(); }
        p_ += 2;
        return true;
    }
    const int d = at(p_ + 2);
    if (d < 0) { return false; }
    if (d == '\\') {
        const int f = at(p_ + 3);
        if (f < 0) { return false; }
        if (f == '"' || f == '\\') {
            drop(p_, p_ + 2, rule::escape_structure);
            p_ += 4;
            return true;
        }
    }
    if (std::string_view("bfnrtu/").find(static_cast<char>(d)) != std::string_view::npos) {
        drop(p_, p_ + 1, rule::escape_structure);
        p_ += d == 'u' ? 1 : 3;
        if (d == 'u') { return escape_unicode(); }
        return true;
    }
    p_ += 2;
    return true;
}

} // namespace jsonheal::heal_detail
