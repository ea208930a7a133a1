// JSON inside a JSON string.

#include "writer.hpp"

namespace jsonheal::args_detail {

namespace {

int hex_digit(char c) noexcept {
    if (c >= '0' && c <= '9') { return c - '0'; }
    if (c >= 'a' && c <= 'f') { return c - 'a' + 10; }
    return c - 'A' + 10;
}

char32_t code_unit(std::string_view json, std::size_t i) noexcept {
    char32_t code = 0;
    for (std::size_t k = i; k < i + 4; ++k) { code = code * 16 + static_cast<char32_t>(hex_digit(json[k])); }
    return code;
}

std::size_t encode(char32_t code, char* out) noexcept {
    const auto tail = [&](unsigned shift) { return static_cast<char>(0x80u | (code >> shift & 0x3Fu)); };
    if (code < 0x80) {
        out[0] = static_cast<char>(code);
        return 1;
    }
    if (code < 0x800) {
        out[0] = static_cast<char>(0xC0u | code >> 6);
        out[1] = tail(0);
        return 2;
    }
    if (code < 0x10000) {
        out[0] = static_cast<char>(0xE0u | code >> 12);
        out[1] = tail(6);
        out[2] = tail(0);
        return 3;
    }
    out[0] = static_cast<char>(0xF0u | code >> 18);
    out[1] = tail(12);
    out[2] = tail(6);
    out[3] = tail(0);
    return 4;
}

constexpr bool is_high(char32_t code) noexcept { return code >= 0xD800 && code < 0xDC00; }
constexpr bool is_low(char32_t code) noexcept { return code >= 0xDC00 && code < 0xE000; }

/// `\u00e9` at i → é. A lone surrogate stays an escape: it is one in the text that is decoded, too.
std::size_t decode_unicode(std::string_view json, std::size_t i, edit_log& log) {
    char32_t code = code_unit(json, i + 2);
    std::size_t size = 6;
    if (is_high(code) && json.substr(i + 6, 2) == "\\u" && is_low(code_unit(json, i + 8))) {
        code = 0x10000 + ((code - 0xD800) << 10) + (code_unit(json, i + 8) - 0xDC00);
        size = 12;
    }
    if (!is_high(code) && !is_low(code)) {
        char bytes[4];
        log.emplace_back(i, i + size, std::string_view(bytes, encode(code, bytes)), rule::arguments_encoded);
    }
    return i + size;
}

/// What the letter of a short escape stands for.
std::string_view unescaped(char letter) noexcept {
    switch (letter) {
    case 'b': return "\b";
    case 'f': return "\f";
    case 'n': return "\n";
    case 'r': return "\r";
    case 't': return "\t";
    case '"': return "\"";
    case '/': return "/";
    default: return "\\";
    }
}

} // namespace

edit_log decoding(std::string_view json) {
    edit_log log;
    const std::size_t open = skip_blanks(json, 0);
    const std::size_t end = skip_string(json, open);
    log.emplace_back(std::size_t{0}, open + 1, std::string_view(), rule::arguments_encoded);
    for (std::size_t i = open + 1; i + 1 < end;) {
        if (json[i] != '\\') {
            const std::size_t next = json.find('\\', i);
            i = next < end ? next : end;
        } else if (json[i + 1] == 'u') {
            i = decode_unicode(json, i, log);
        } else {
            log.emplace_back(i, i + 2, unescaped(json[i + 1]), rule::arguments_encoded);
            i += 2;
        }
    }
    log.emplace_back(end - 1, json.size(), std::string_view(), rule::arguments_encoded);
    return log;
}

} // namespace jsonheal::args_detail
