/// @file strings.cpp
/// JSON strings to and from WTF-8.

#include "bytes.hpp"

#include <jsonheal/document.hpp>

#include <algorithm>

namespace jsonheal {

namespace document_detail {

void append_wtf8(char32_t c, std::string& out) {
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

void append_unicode_escape(char32_t c, std::string& out) {
    const auto unit = [&](char32_t u) {
        constexpr char hex[] = "0123456789abcdef";
        const char text[6] = {'\\', 'u', hex[u >> 12 & 15], hex[u >> 8 & 15], hex[u >> 4 & 15], hex[u & 15]};
        out.append(text, 6);
    };
    if (c < 0x10000) {
        unit(c);
    } else {
        unit(0xD800 + ((c - 0x10000) >> 10));
        unit(0xDC00 + ((c - 0x10000) & 0x3FF));
    }
}

namespace {

/// The escape whose backslash is at `p`: its length, or 0 where it is none.
std::size_t escape_length(const char* p, const char* end) noexcept {
    if (end - p < 2) { return 0; }
    if (p[1] != 'u') { return std::string_view("\"\\/bfnrt").find(p[1]) != std::string_view::npos ? 2 : 0; }
    if (end - p < 6) { return 0; }
    return std::all_of(p + 2, p + 6, [](char c) { return hex_value(c) < 16; }) ? 6 : 0;
}

/// The four digits of a `\uXXXX` that is known to be right.
char32_t escaped_unit(const char* p) noexcept {
    return hex_value(p[2]) << 12 | hex_value(p[3]) << 8 | hex_value(p[4]) << 4 | hex_value(p[5]);
}

bool is_high_surrogate(char32_t c) noexcept { return c >= 0xD800 && c <= 0xDBFF; }
bool is_low_surrogate(char32_t c) noexcept { return c >= 0xDC00 && c <= 0xDFFF; }

/// Decodes the escape at `p` and returns the byte after it. Two escapes that make a pair are one character:
/// `\ud83d\ude00` → U+1F600; a `\ud83d` before anything else stays alone.
const char* decode_escape(const char* p, const char* end, std::string& out) {
    switch (p[1]) {
    case 'b': out.push_back('\b'); return p + 2;
    case 'f': out.push_back('\f'); return p + 2;
    case 'n': out.push_back('\n'); return p + 2;
    case 'r': out.push_back('\r'); return p + 2;
    case 't': out.push_back('\t'); return p + 2;
    case 'u': break;
    default: out.push_back(p[1]); return p + 2;
    }
    const char32_t unit = escaped_unit(p);
    if (is_high_surrogate(unit) && end - p >= 12 && p[6] == '\\' && p[7] == 'u' &&
        is_low_surrogate(escaped_unit(p + 6))) {
        append_wtf8(0x10000 + ((unit - 0xD800) << 10) + (escaped_unit(p + 6) - 0xDC00), out);
        return p + 12;
    }
    append_wtf8(unit, out);
    return p + 6;
}

/// Escapes an ASCII character that may not stand in a string as it is.
void encode_ascii(char c, std::string& out) {
    switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: append_unicode_escape(byte(c), out); return;
    }
}

/// Encodes the character beyond ASCII at `p` and returns the byte after it.
const char* encode_character(const char* p, const char* end, std::string& out,
                             const string_escapes& escapes) {
    if (is_wtf8_surrogate(p, end)) {
        const unsigned low_bits = (byte(p[1]) & 0x3F) << 6 | (byte(p[2]) & 0x3F);
        append_unicode_escape(0xD000 | low_bits, out);
        return p + 3;
    }
    const unicode::decoded found = decode_at(p, end);
    const char32_t c = found.size != 0 ? found.code : 0xFFFD;
    if (escapes.non_ascii || (escapes.line_separators && is_line_separator(c))) {
        append_unicode_escape(c, out);
    } else {
        append_wtf8(c, out);
    }
    return p + (found.size != 0 ? found.size : found.bad);
}

} // namespace

string_scan scan_string(const char* p, const char* end) noexcept {
    string_scan found;
    const auto fail = [&](const char* at, std::string_view message) {
        found.end = at;
        found.message = message;
        return found;
    };
    ++p;
    for (;;) {
        p = skip_run<stop_at::special>(p, end);
        if (p == end) { return fail(p, "the text ends inside a string"); }
        if (*p == '"') {
            found.end = p + 1;
            return found;
        }
        if (*p == '\\') {
            const std::size_t length = escape_length(p, end);
            if (length == 0) { return fail(p, "a backslash in a string begins no valid escape"); }
            found.has_escape = true;
            p += length;
        } else if (byte(*p) < 0x20) {
            return fail(p, "a control character in a string is not escaped");
        } else {
            const std::size_t length = decode_at(p, end).size;
            if (length == 0) { return fail(p, "the bytes in a string are not UTF-8"); }
            p += length;
        }
    }
}

void decode_content(std::string_view content, std::string& out) {
    const char* p = content.data();
    const char* const end = p + content.size();
    while (p != end) {
        const auto* backslash =
            static_cast<const char*>(std::memchr(p, '\\', static_cast<std::size_t>(end - p)));
        if (backslash == nullptr) {
            out.append(p, end);
            return;
        }
        out.append(p, backslash);
        p = decode_escape(backslash, end, out);
    }
}

} // namespace document_detail

using namespace document_detail;

bool decode_string(std::string_view quoted, std::string& out) {
    if (quoted.size() < 2 || quoted.front() != '"') { return false; }
    const char* const end = quoted.data() + quoted.size();
    const string_scan found = scan_string(quoted.data(), end);
    if (!found.message.empty() || found.end != end) { return false; }
    const std::string_view content = quoted.substr(1, quoted.size() - 2);
    if (found.has_escape) {
        decode_content(content, out);
    } else {
        out.append(content);
    }
    return true;
}

void encode_string(std::string_view wtf8, std::string& out, const string_escapes& escapes) {
    const char* p = wtf8.data();
    const char* const end = p + wtf8.size();
    out.push_back('"');
    while (p != end) {
        const char* const stop = skip_run<stop_at::special>(p, end);
        out.append(p, stop);
        p = stop;
        if (p == end) { break; }
        if (byte(*p) < 0x80) {
            encode_ascii(*p++, out);
        } else {
            p = encode_character(p, end, out, escapes);
        }
    }
    out.push_back('"');
}

} // namespace jsonheal
