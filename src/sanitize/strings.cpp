// Strings of JavaScript as strings of JSON.

#include "strings.hpp"

#include "characters.hpp"

#include <jsonheal/scan.hpp>

#include <algorithm>

namespace jsonheal::sanitize_detail {

namespace {

constexpr std::size_t none = std::string_view::npos;

/// What may stand behind a closed string: a separator, a closer, an operator, the end.
bool closes(std::string_view text, std::size_t quote) noexcept {
    const std::size_t next = skip_blanks(text, quote + 1);
    const char c = byte_at(text, next);
    if (c == '.') { return begins_name(byte_at(text, next + 1)); }
    return next >= text.size() || std::string_view(",:;)]}+?=<>&|*/[").find(c) != none;
}

/// An apostrophe: letters on both sides.
bool is_apostrophe(std::string_view text, std::size_t quote) noexcept {
    return is_word(text[quote - 1]) && is_word(byte_at(text, quote + 1));
}

/// The next string's opening quote rather than this one's closing: `, 'b`.
bool opens(std::string_view text, std::size_t quote) noexcept {
    return !is_word(text[quote - 1]) && is_word(byte_at(text, quote + 1));
}

} // namespace

quoted_run unclosed_run(std::string_view text, std::size_t begin) noexcept {
    std::size_t end = text.size();
    while (end > begin + 1 && (is_blank(text[end - 1]) || text[end - 1] == '}' || text[end - 1] == ']')) {
        --end;
    }
    const bool lost = text.find_first_of("]}", end) != none;
    return {begin, lost ? end : text.size(), false, !lost};
}

quoted_run single_quotes::find(std::size_t begin) {
    std::size_t first = none; // the first quote that closes by the letter of the language
    bool line_over = false;
    std::size_t i = begin + 1;
    for (; i < text_.size(); ++i) {
        const char c = text_[i];
        if (c == '\\') { ++i; }
        if (c == '\n') { line_over = true; }
        if (line_over && first != none) { break; }
        if (c != '\'' || is_apostrophe(text_, i)) { continue; }
        if (closes(text_, i)) { return {begin, i, true, false}; }
        if (first != none && opens(text_, i)) { break; }
        if (first == none) { first = i; }
        if (begin < no_better_before_) { break; }
    }
    if (first == none) { return unclosed_run(text_, begin); }
    no_better_before_ = std::max(no_better_before_, i);
    return {begin, first, true, false};
}

namespace {

/// The escape for a control character.
std::string_view control_escape(char c, char (&buffer)[7]) noexcept {
    switch (c) {
    case '\b': return "\\b";
    case '\f': return "\\f";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: break;
    }
    constexpr char hex[] = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    const char text[] = {'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15]};
    std::copy(std::begin(text), std::end(text), buffer);
    return {buffer, sizeof text};
}

bool is_unicode_escape(std::string_view text, std::size_t backslash) noexcept {
    const std::string_view digits = text.substr(std::min(text.size(), backslash + 2), 4);
    return digits.size() == 4 && digits.find_first_not_of("0123456789abcdefABCDEF") == none;
}

/// Rewrites the escape at `i` of a string's content and returns the offset behind it.
std::size_t put_escape(rewriter& out, std::string_view text, std::size_t i, std::size_t end) {
    const char next = i + 1 < end ? text[i + 1] : '\0';
    if (next == '\'' || next == '`') {
        out.put(i, i + 1, {}, rule::escape_quote);
        return i + 2;
    }
    if (next == '\n' || next == '\r') {
        out.put(i, i + 2, next == '\n' ? "\\n" : "\\r", rule::line_continuation);
        return i + 2;
    }
    const bool known = i + 1 < end && std::string_view("\"\\/bfnrt").find(next) != none;
    if (known || (next == 'u' && is_unicode_escape(text.substr(0, end), i))) { return i + 2; }
    if (i + 1 >= end) { // the end of the text cut it
        out.put(i, i + 1, {}, rule::cut_escape);
        return i + 1;
    }
    out.put(i, i + 1, "\\\\", rule::escape_invalid);
    return i + 1;
}

} // namespace

void escape_content(rewriter& out, std::string_view text, std::size_t begin, std::size_t end, content what) {
    const char* const base = text.data();
    std::size_t i = begin;
    while (!out.refused()) {
        i = static_cast<std::size_t>(scan::find_string_stop(base + i, base + end) - base);
        if (i >= end) { return; }
        const char c = text[i];
        if (c == '\\' && what == content::string) {
            i = put_escape(out, text, i, end);
            continue;
        }
        char buffer[7];
        if (c == '"') {
            out.put(i, i + 1, "\\\"", rule::inner_quote_other);
        } else if (c == '\\') {
            out.put(i, i + 1, "\\\\", rule::escape_invalid);
        } else if (static_cast<unsigned char>(c) < 0x20) {
            out.put(i, i + 1, control_escape(c, buffer), rule::control_character);
        }
        ++i;
    }
}

void put_string(rewriter& out, std::string_view text, const quoted_run& run) {
    out.put(run.begin, run.begin + 1, "\"", rule::quote_style);
    escape_content(out, text, run.begin + 1, run.close, content::string);
    out.put(run.close, run.end(), "\"",
            run.closed ? rule::quote_style
            : run.cut  ? rule::cut_string
                       : rule::quote_missing_close);
}

void append_source(std::string& to, std::string_view source) {
    char buffer[7];
    for (const char c : source) {
        if (c == '"' || c == '\\') {
            to.append({'\\', c});
        } else if (static_cast<unsigned char>(c) < 0x20) {
            to.append(control_escape(c, buffer));
        } else {
            to.push_back(c);
        }
    }
}

} // namespace jsonheal::sanitize_detail
