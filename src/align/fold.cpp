#include "fold.hpp"

#include <jsonheal/unicode.hpp>

#include <algorithm>
#include <array>
#include <iterator>

namespace jsonheal::align_detail {

namespace {

/// U+00C0 to U+017F as ASCII letters in lower case; a blank where there is no such letter, `*` for two letters.
constexpr std::string_view latin = "aaaaaa*ceeeeiiiidnooooo ouuuuy**aaaaaa*ceeeeiiiidnooooo ouuuuy*y"  // 00C0
                                   "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii**jjkkklllllll"  // 0100
                                   "lllnnnnnnnnnoooooo**rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs"; // 0140
static_assert(latin.size() == 0x180 - 0xC0);

struct pair_of_letters {
    char32_t code;
    std::string_view letters;
};
constexpr pair_of_letters ligatures[] = {{0xC6, "ae"},  {0xE6, "ae"},  {0xDE, "th"},
                                         {0xFE, "th"},  {0xDF, "ss"},  {0x132, "ij"},
                                         {0x133, "ij"}, {0x152, "oe"}, {0x153, "oe"}};

/// Lower case of the letters of Latin-1, Latin Extended-A, Greek and Cyrillic; what is beyond them has no case in the
/// names that schemas give, or is left alone.
char32_t lower(char32_t c) noexcept {
    if (c >= 'A' && c <= 'Z') { return c + 32; }
    if (c >= 0xC0 && c <= 0xDE && c != 0xD7) { return c + 32; }
    if ((c >= 0x100 && c <= 0x137) || (c >= 0x14A && c <= 0x177)) { return c | 1; }
    if ((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E)) { return c % 2 == 1 ? c + 1 : c; }
    if (c == 0x178) { return 0xFF; }
    if (c >= 0x391 && c <= 0x3A9) { return c + 32; }
    if (c >= 0x410 && c <= 0x42F) { return c + 32; }
    if (c >= 0x400 && c <= 0x40F) { return c + 80; }
    return c;
}

void append_utf8(char32_t c, std::string& out) {
    const auto put = [&](char32_t b) { out.push_back(static_cast<char>(static_cast<unsigned char>(b))); };
    if (c < 0x80) {
        put(c);
    } else if (c < 0x800) {
        put(0xC0 | c >> 6);
        put(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        put(0xE0 | c >> 12);
        put(0x80 | (c >> 6 & 0x3F));
        put(0x80 | (c & 0x3F));
    } else {
        put(0xF0 | c >> 18);
        put(0x80 | (c >> 12 & 0x3F));
        put(0x80 | (c >> 6 & 0x3F));
        put(0x80 | (c & 0x3F));
    }
}

/// Appends the letter without case and accent.
void append_plain(char32_t c, std::string& out) {
    c = lower(c);
    if (c >= 0xC0 && c < 0x180 && latin[c - 0xC0] != ' ') {
        if (latin[c - 0xC0] != '*') {
            out.push_back(latin[c - 0xC0]);
            return;
        }
        for (const pair_of_letters& p : ligatures) {
            if (p.code == c) { out.append(p.letters); }
        }
        return;
    }
    if (c == 0x401 || c == 0x451) { c = 0x435; } // ё, as it is mostly written
    append_utf8(c, out);
}

[[nodiscard]] bool is_digit(char32_t c) noexcept { return c >= '0' && c <= '9'; }
[[nodiscard]] bool is_mark(char32_t c) noexcept { return c >= 0x300 && c <= 0x36F; } // combining accents

/// Letters and digits: ASCII's, and everything beyond it that is no punctuation or symbol of the common blocks.
[[nodiscard]] bool is_letter(char32_t c) noexcept {
    if (c < 0x80) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
    if (c < 0xC0) { return c == 0xAA || c == 0xB5 || c == 0xBA; }
    if (c == 0xD7 || c == 0xF7) { return false; }
    return !((c >= 0x2000 && c <= 0x206F) || (c >= 0x20A0 && c <= 0x20CF) || (c >= 0x2190 && c <= 0x2BFF) ||
             (c >= 0x3000 && c <= 0x303F) || (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xFF00 && c <= 0xFF0F) ||
             (c >= 0xFF1A && c <= 0xFF20) || c == 0xFEFF || c >= 0x1F000);
}
/// Signs that tell values apart: `C` is not `C++`, `<` is not `<=`.
[[nodiscard]] bool tells_apart(char32_t c) noexcept {
    constexpr std::u32string_view signs = U"+#<>=&%$€£¥@^|~!*";
    return signs.find(c) != std::u32string_view::npos;
}
[[nodiscard]] bool is_minus(char32_t c) noexcept { return c == '-' || c == 0x2212; }

[[nodiscard]] std::u32string characters_of(std::string_view text) {
    std::u32string all;
    all.reserve(text.size());
    while (!text.empty()) {
        const unicode::decoded d = unicode::decode(text);
        if (d.size == 0) {
            text.remove_prefix(std::max<std::size_t>(d.bad, 1));
            continue;
        }
        all.push_back(d.code);
        text.remove_prefix(d.size);
    }
    return all;
}

} // namespace

std::string fold(std::string_view text, fold_level level) {
    std::string out;
    if (level == fold_level::case_only) {
        for (const char32_t c : characters_of(trimmed(text))) { append_utf8(lower(c), out); }
        return out;
    }
    const std::u32string all = characters_of(text);
    bool parted = false; // since the last character that counts
    char32_t last = 0;
    for (std::size_t i = 0; i != all.size(); ++i) {
        const char32_t c = all[i];
        if (is_mark(c)) { continue; }
        const char32_t next = i + 1 < all.size() ? all[i + 1] : 0;
        const bool sign = is_minus(c) && is_digit(next) && !parted && last == 0; // -5, but not k-5
        const bool counts = is_letter(c) || sign || (level == fold_level::separators && tells_apart(c));
        if (!counts) {
            parted = true;
            continue;
        }
        if (parted && is_digit(last) && is_digit(c)) { out.push_back(' '); } // 1.5 is not 15
        if (sign) {
            out.push_back('-');
        } else {
            append_plain(c, out);
        }
        last = c;
        parted = false;
    }
    return out;
}

std::u32string signs_of(std::string_view text) {
    constexpr std::u32string_view idle =
        U" \t\r\n\"'`.,:;*_()\u201C\u201D\u2018\u2019\u00AB\u00BB\u201E\u00A0";
    const auto part = [&](char32_t c) { return is_letter(c) || is_mark(c); };
    const std::u32string all = characters_of(text);
    std::size_t first = 0, last = all.size();
    while (first < all.size() && !part(all[first])) { ++first; }
    while (last > first && !part(all[last - 1])) { --last; }
    std::u32string signs;
    for (std::size_t i = 0; i < first; ++i) {
        const bool bullet = is_minus(all[i]) && i + 1 < all.size() && all[i + 1] == ' ';
        if (idle.find(all[i]) == std::u32string_view::npos && !bullet) { signs.push_back(all[i]); }
    }
    signs.push_back(' ');
    for (std::size_t i = first; i + 2 < last; ++i) {
        if (!is_digit(all[i]) || part(all[i + 1]) || !is_digit(all[i + 2])) { continue; }
        const char32_t c = all[i + 1];
        signs.push_back(c == '_' || c == ' ' || is_minus(c) ? U'-' : c); // what parts words parts them alike
    }
    signs.push_back(' ');
    for (std::size_t i = last; i < all.size(); ++i) {
        if (idle.find(all[i]) == std::u32string_view::npos && all[i] != '!' && all[i] != ']' &&
            all[i] != '}') {
            signs.push_back(all[i]);
        }
    }
    return signs;
}

std::vector<word> words_of(std::string_view text) {
    std::vector<word> words;
    bool open = false;
    char32_t last = 0;
    for (std::size_t at = 0; at < text.size();) {
        const unicode::decoded d = unicode::decode(text.substr(at));
        const std::size_t size = d.size != 0 ? d.size : std::max<std::size_t>(d.bad, 1);
        const bool counts = d.size != 0 && (is_letter(d.code) || is_mark(d.code));
        const bool hump =
            open && lower(d.code) != d.code && lower(last) == last && is_letter(last) && !is_digit(last);
        if (counts && (!open || hump)) {
            words.emplace_back();
            words.back().begin = at;
        }
        if (counts) {
            if (!is_mark(d.code)) { append_plain(d.code, words.back().folded); }
            words.back().end = at + size;
        }
        open = counts;
        last = d.code;
        at += size;
    }
    return words;
}

std::string_view trimmed(std::string_view text) noexcept {
    const auto blank_at = [](std::string_view rest) -> std::size_t {
        if (rest.front() == ' ' || rest.front() == '\t' || rest.front() == '\n' || rest.front() == '\r') {
            return 1;
        }
        const unicode::decoded d = unicode::decode(rest);
        return d.size != 0 && unicode::sign_of(d.code) == unicode::sign::blank ? d.size : 0;
    };
    while (!text.empty()) {
        const std::size_t size = blank_at(text);
        if (size == 0) { break; }
        text.remove_prefix(size);
    }
    while (!text.empty()) {
        std::size_t start = text.size() - 1;
        while (start != 0 && text.size() - start < 4 &&
               (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) {
            --start;
        }
        const std::size_t size = blank_at(text.substr(start));
        if (size == 0 || start + size != text.size()) { break; }
        text.remove_suffix(size);
    }
    return text;
}

} // namespace jsonheal::align_detail
