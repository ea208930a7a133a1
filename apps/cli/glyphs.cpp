#include "glyphs.hpp"

#include <jsonheal/unicode.hpp>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <span>

namespace jsonheal::cli {

namespace {

struct code_range {
    char32_t first, last;
};
#include "width_table.inc"

bool among(std::span<const code_range> table, char32_t code) {
    const auto after = std::upper_bound(table.begin(), table.end(), code,
                                        [](char32_t c, const code_range& r) { return c < r.first; });
    return after != table.begin() && code <= std::prev(after)->last;
}

/// A stack of more marks than any script needs is an attack on the lines around it.
constexpr unsigned most_marks = 8;

bool is_mark(char32_t code) { return code >= 0x300 && among(marks, code); }

/// `<FF>`, or `<U+202E>` for a whole character.
glyph number(unsigned value, bool character, std::size_t size, std::string& out) {
    char shown[16];
    const int width = character ? std::snprintf(shown, sizeof shown, "<U+%04X>", value)
                                : std::snprintf(shown, sizeof shown, "<%02X>", value);
    out.append(shown);
    return {size, static_cast<unsigned>(width), true};
}

/// Controls of ASCII: U+2400 and up are their pictures.
glyph control(unsigned char byte, std::string& out) {
    if (byte == '\n') {
        out.append("⏎");
    } else if (byte == '\t') {
        out.append("⇥");
    } else {
        const unsigned picture = byte == 0x7F ? 0x21 : byte;
        out.append("\xE2\x90").push_back(static_cast<char>(0x80 + picture));
    }
    return {1, 1, true};
}

/// The marks that stand on the character before them.
std::size_t marks_at(std::string_view text, std::size_t at) {
    std::size_t end = at;
    for (unsigned n = 0; n != most_marks && end < text.size(); ++n) {
        if (static_cast<unsigned char>(text[end]) < 0x80) { break; }
        const unicode::decoded mark = unicode::decode(text.substr(end));
        if (mark.size == 0 || !is_mark(mark.code)) { break; }
        end += mark.size;
    }
    return end - at;
}

/// Variation selectors choose between one and two columns where terminals disagree, so they are not sent.
void append_marks(std::string_view text, std::string& out) {
    while (!text.empty()) {
        const unicode::decoded mark = unicode::decode(text);
        if (mark.code < 0xFE00 || mark.code > 0xFE0F) { out.append(text.substr(0, mark.size)); }
        text.remove_prefix(mark.size);
    }
}

} // namespace

glyph show_glyph(std::string_view text, std::size_t at, std::string& out) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x20 || byte == 0x7F) { return control(byte, out); }
    unicode::decoded c{byte, 1, 0};
    if (byte >= 0x80) {
        c = unicode::decode(text.substr(at));
        if (c.size == 0) { return number(byte, false, 1, out); }
        if (among(hidden, c.code) || is_mark(c.code)) { return number(c.code, true, c.size, out); }
    }
    out.append(text.substr(at, c.size));
    const std::size_t marked = marks_at(text, at + c.size);
    append_marks(text.substr(at + c.size, marked), out);
    return {c.size + marked, c.code >= 0x1100 && among(wide, c.code) ? 2u : 1u, false};
}

namespace {

bool at_blank_end(std::string_view text, std::size_t at) {
    return text[at] == ' ' && (at == 0 || at + 1 == text.size() || text[at - 1] == ' ');
}

/// Up to `most` columns from the beginning; returns the bytes that they show.
std::size_t append_head(std::string_view text, std::size_t most, snippet& s) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t before = s.text.size();
        glyph g{1, 1, true};
        if (at_blank_end(text, at)) {
            s.text.append("␣");
        } else {
            g = show_glyph(text, at, s.text);
        }
        if (s.width + g.width > most) {
            s.text.resize(before);
            break;
        }
        s.width += g.width;
        at += g.size;
    }
    return at;
}

/// Where whole characters begin, at or after `at`.
std::size_t character_at(std::string_view text, std::size_t at) {
    for (unsigned n = 0; n != 3 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
         ++n) {
        ++at;
    }
    return at;
}

} // namespace

snippet show_snippet(std::string_view text, std::size_t most) {
    snippet s;
    if (append_head(text, most, s) == text.size()) { return s; }
    const std::size_t tail_bytes = std::min(text.size(), most / 3);
    snippet tail;
    (void)append_head(text.substr(character_at(text, text.size() - tail_bytes)), most / 3, tail);
    s = {};
    (void)append_head(text, most - tail.width - 1, s);
    s.text.append("…").append(tail.text);
    s.width += 1 + tail.width;
    return s;
}

std::size_t character_before(std::string_view text, std::size_t at) {
    for (unsigned n = 0; n != 3 && at != 0 && at < text.size(); ++n, --at) {
        if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80) { break; }
    }
    return at;
}

std::string show_text(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == '\n' || text[at] == '\t') {
            out.push_back(text[at++]);
        } else {
            at += show_glyph(text, at, out).size;
        }
    }
    return out;
}

std::size_t columns(std::string_view text) {
    std::size_t n = 0;
    std::string scratch;
    for (std::size_t at = 0; at < text.size();) {
        const glyph g = show_glyph(text, at, scratch);
        at += g.size;
        n += g.width;
        scratch.clear();
    }
    return n;
}

} // namespace jsonheal::cli
