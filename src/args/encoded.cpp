// JSON inside a JSON string, and other texts that were encoded once too often.

#include "ascii.hpp"
#include "writer.hpp"

#include <jsonheal/scan.hpp>

#include <algorithm>
#include <iterator>

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

/// Room for a change of each escape and of both quotes around them.
edit_log log_of_escapes(std::string_view json) {
    edit_log log;
    log.reserve(2 + static_cast<std::size_t>(std::count(json.begin(), json.end(), '\\')));
    return log;
}

/// The escapes of [i, end), each taken for what it stands for.
void decode_escapes(std::string_view json, std::size_t i, std::size_t end, edit_log& log) {
    constexpr std::size_t near = 12; // most escapes stand close together
    while (i < end) {
        const std::size_t stop = std::min(end, i + near);
        while (i < stop && json[i] != '\\') { ++i; }
        if (i == end) { return; }
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
}

bool is_hex(char c) noexcept { return is_digit(c) || (to_lower(c) >= 'a' && to_lower(c) <= 'f'); }

/// Past an opener, blanks and escapes of blanks: where the first key begins. `{\n  \"a\"` → the backslash before the quote
std::size_t first_key(std::string_view t) noexcept {
    std::size_t i = 1;
    while (i < t.size()) {
        const std::size_t slashes = std::min(t.find_first_not_of('\\', i), t.size()) - i;
        const char letter = i + slashes < t.size() ? t[i + slashes] : '"';
        if (slashes != 0 && (letter == 'n' || letter == 'r' || letter == 't')) {
            i += slashes + 1;
        } else if (is_blank(t[i]) || t[i] == '{' || t[i] == '[') {
            ++i;
        } else {
            break;
        }
    }
    return i;
}

/// Could it stand in a JSON string as it is? Then all of its quotes are escaped.
bool is_escaped(std::string_view t) noexcept {
    for (std::size_t i = 0; i < t.size(); ++i) {
        if (t[i] == '"') { return false; }
        if (t[i] != '\\') { continue; }
        ++i;
        if (i == t.size() || std::string_view("bfnrtu\"\\/").find(t[i]) == std::string_view::npos) {
            return false;
        }
        if (t[i] == 'u' &&
            (t.size() - i < 5 || !std::all_of(t.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                              t.begin() + static_cast<std::ptrdiff_t>(i) + 5, is_hex))) {
            return false;
        }
    }
    return true;
}

/// JSON in single quotes as a shell has it, where a backslash is a backslash. Python doubles them all: '{"a": "x\\\\ny"}',
/// which only counts if JSON is left when they are halved.
bool is_verbatim(std::string_view inner) {
    constexpr std::size_t depth = heal_limits{}.depth;
    if (!scan::is_json(inner, depth)) { return false; }
    std::string halved;
    for (std::size_t i = 0; i < inner.size(); ++i) {
        if (inner[i] == '\\') {
            ++i;
            const bool path = i >= 2 && inner[i - 2] == ':'; // C:\\temp is a path, not a tab
            if (i == inner.size() || inner[i] != '\\' || path) { return true; }
        }
        halved.push_back(inner[i]);
    }
    return !scan::is_json(halved, depth);
}

struct entity {
    std::string_view name, text;
};
constexpr entity entities[] = {{"&quot;", "\""}, {"&#34;", "\""}, {"&#x22;", "\""},
                               {"&apos;", "'"},  {"&#39;", "'"},  {"&#x27;", "'"},
                               {"&lt;", "<"},    {"&gt;", ">"},   {"&amp;", "&"}};

const entity* entity_at(std::string_view text) noexcept {
    for (const entity& e : entities) {
        if (text.starts_with(e.name)) { return &e; }
    }
    return nullptr;
}

void decode_entities(std::string_view text, edit_log& log) {
    for (std::size_t i = text.find('&'); i != std::string_view::npos; i = text.find('&', i + 1)) {
        if (const entity* e = entity_at(text.substr(i))) {
            log.emplace_back(i, i + e->name.size(), e->text, rule::arguments_encoded);
        }
    }
}

} // namespace

edit_log peeling(std::string_view text) {
    edit_log log;
    const std::string_view t = trimmed(text);
    const auto begin = static_cast<std::size_t>(t.data() - text.data());
    const std::size_t end = begin + t.size();
    if (t.size() < 4) { return log; }
    if (t.starts_with(cdata_open) && t.find("]]>") == t.size() - 3) {
        log.emplace_back(begin, begin + cdata_open.size(), std::string_view(), rule::arguments_encoded);
        log.emplace_back(end - 3, end, std::string_view(), rule::arguments_encoded);
    } else if (const std::string_view three = t.substr(0, 3); (three == "\"\"\"" || three == "'''") &&
                                                              t.size() > 6 && t.ends_with(three) &&
                                                              trimmed(t.substr(3)).starts_with('{')) {
        log.emplace_back(begin, begin + 3, std::string_view(), rule::arguments_encoded);
        log.emplace_back(end - 3, end, std::string_view(), rule::arguments_encoded);
    } else if (t.front() == '\'' && t.back() == '\'') {
        if (trimmed(t.substr(1)).starts_with('{') && is_verbatim(t.substr(1, t.size() - 2))) {
            log.emplace_back(begin, begin + 1, std::string_view(), rule::arguments_encoded);
            log.emplace_back(end - 1, end, std::string_view(), rule::arguments_encoded);
        }
    } else if (t.front() == '"') {
        const std::string_view inner = trimmed(t.substr(1));
        if (!inner.starts_with('{') || skip_string(t, 0) == t.size()) { return log; }
        const std::size_t key = first_key(inner);
        const std::size_t colon = key < inner.size() && inner[key] == '"'
                                      ? skip_blanks(inner, skip_string(inner, key))
                                      : inner.size();
        if (colon >= inner.size() || inner[colon] != ':') { return log; }
        log.emplace_back(begin, begin + 1, std::string_view(), rule::arguments_encoded);
        if (t.back() == '"' && trimmed(t.substr(0, t.size() - 1)).ends_with('}')) {
            log.emplace_back(end - 1, end, std::string_view(), rule::arguments_encoded);
        }
    } else if (t.front() == '{' || t.front() == '[') {
        const std::size_t key = first_key(t);
        if (key == t.size()) { return log; }
        const entity* quote = entity_at(t.substr(key));
        const std::size_t behind = std::min(t.find_first_not_of('\\', key), t.size());
        if (behind != key && t.substr(behind, 1) == "\"" && is_escaped(t)) {
            log = log_of_escapes(text);
            decode_escapes(text, begin, end, log);
        } else if (quote != nullptr && (quote->text == "\"" || quote->text == "'") &&
                   t.find('"') == std::string_view::npos) {
            decode_entities(text, log);
        }
    }
    return log;
}

edit_log decoding(std::string_view json) {
    edit_log log = log_of_escapes(json);
    const std::size_t open = skip_blanks(json, 0);
    const std::size_t end = json.rfind('"') + 1;
    log.emplace_back(std::size_t{0}, open + 1, std::string_view(), rule::arguments_encoded);
    decode_escapes(json, open + 1, end - 1, log);
    log.emplace_back(end - 1, json.size(), std::string_view(), rule::arguments_encoded);
    return log;
}

} // namespace jsonheal::args_detail
