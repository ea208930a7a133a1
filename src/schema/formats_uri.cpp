/// @file formats_uri.cpp
/// URIs (RFC 3986), IRIs (RFC 3987) and URI templates (RFC 6570).

#include "characters.hpp"
#include "formats.hpp"

#include <jsonheal/unicode.hpp>

#include <algorithm>
#include <cstddef>

namespace jsonheal::schema::detail {

namespace {

constexpr std::string_view sub_delimiters = "!$&'()*+,;=";

bool is_unreserved(char c) noexcept { return is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~'; }

bool is_percent_encoded(std::string_view s, std::size_t at) noexcept {
    return s.size() - at >= 3 && s[at] == '%' && is_hex(s[at + 1]) && is_hex(s[at + 2]);
}

/// `ucschar` of RFC 3987: assigned planes without controls, surrogates, private use and noncharacters.
bool is_ucs_char(char32_t c) noexcept {
    if (c >= 0xA0 && c <= 0xD7FF) { return true; }
    if (c >= 0xF900 && c <= 0xFFEF) { return c < 0xFDD0 || c > 0xFDEF; }
    return c >= 0x10000 && c <= 0xEFFFD && (c & 0xFFFF) <= 0xFFFD && !(c >= 0xE0000 && c <= 0xE0FFF);
}
bool is_private(char32_t c) noexcept {
    return (c >= 0xE000 && c <= 0xF8FF) || (c >= 0xF0000 && c <= 0x10FFFD && (c & 0xFFFF) <= 0xFFFD);
}

struct grammar {
    bool international = false;
};

/// Whether `s` is made of unreserved characters, percent escapes, sub-delimiters and `more`.
bool is_made_of(std::string_view s, std::string_view more, grammar g, bool private_use = false) noexcept {
    for (std::size_t i = 0; i != s.size();) {
        const char c = s[i];
        if (c == '%') {
            if (!is_percent_encoded(s, i)) { return false; }
            i += 3;
        } else if (is_ascii(c)) {
            if (!is_unreserved(c) && sub_delimiters.find(c) == std::string_view::npos &&
                more.find(c) == std::string_view::npos) {
                return false;
            }
            ++i;
        } else {
            const unicode::decoded d = unicode::decode(s.substr(i));
            if (!g.international || d.size == 0) { return false; }
            if (!is_ucs_char(d.code) && !(private_use && is_private(d.code))) { return false; }
            i += d.size;
        }
    }
    return true;
}

/// What stands between brackets: IPv6, or `v1.anything`.
bool is_ip_literal(std::string_view s) noexcept {
    if (!s.starts_with('v') && !s.starts_with('V')) { return is_ipv6(s); }
    const std::size_t dot = s.find('.');
    if (dot == std::string_view::npos || dot < 2 || dot + 1 == s.size()) { return false; }
    const std::string_view version = s.substr(1, dot - 1);
    return std::all_of(version.begin(), version.end(), is_hex) && s.find('%') == std::string_view::npos &&
           is_made_of(s.substr(dot + 1), ":", {});
}

bool is_authority(std::string_view s, grammar g) noexcept {
    if (const std::size_t at = s.find('@'); at != std::string_view::npos) {
        if (!is_made_of(s.substr(0, at), ":", g)) { return false; }
        s.remove_prefix(at + 1);
    }
    std::size_t host_end = 0;
    if (s.starts_with('[')) {
        const std::size_t close = s.find(']');
        if (close == std::string_view::npos || !is_ip_literal(s.substr(1, close - 1))) { return false; }
        host_end = close + 1;
    } else {
        host_end = std::min(s.find(':'), s.size());
        if (!is_made_of(s.substr(0, host_end), "", g)) { return false; }
    }
    const std::string_view port = s.substr(host_end);
    return port.empty() || (port.front() == ':' && std::all_of(port.begin() + 1, port.end(), is_digit));
}

bool is_scheme(std::string_view s) noexcept {
    return !s.empty() && is_alpha(s.front()) && std::all_of(s.begin(), s.end(), [](char c) {
        return is_alnum(c) || c == '+' || c == '-' || c == '.';
    });
}

bool is_reference(std::string_view s, grammar g, bool absolute) noexcept {
    if (const std::size_t hash = s.find('#'); hash != std::string_view::npos) {
        if (!is_made_of(s.substr(hash + 1), ":@/?", g)) { return false; }
        s = s.substr(0, hash);
    }
    if (const std::size_t question = s.find('?'); question != std::string_view::npos) {
        if (!is_made_of(s.substr(question + 1), ":@/?", g, true)) { return false; }
        s = s.substr(0, question);
    }
    const std::size_t colon = s.find_first_of(":/");
    const bool has_scheme = colon != std::string_view::npos && s[colon] == ':';
    if (has_scheme) {
        if (!is_scheme(s.substr(0, colon))) {
            return false;
        } // a first segment with a colon needs `./` before it
        s.remove_prefix(colon + 1);
    } else if (absolute) {
        return false;
    }
    if (s.starts_with("//")) {
        const std::size_t slash = std::min(s.find('/', 2), s.size());
        if (!is_authority(s.substr(2, slash - 2), g)) { return false; }
        s.remove_prefix(slash);
    }
    return is_made_of(s, ":@/", g);
}

bool is_variable(std::string_view s) noexcept {
    if (s.empty() || s.front() == '.' || s.back() == '.') { return false; }
    for (std::size_t i = 0; i != s.size();) {
        if (is_alnum(s[i]) || s[i] == '_' || s[i] == '.') {
            ++i;
        } else if (is_percent_encoded(s, i)) {
            i += 3;
        } else {
            return false;
        }
    }
    return s.find("..") == std::string_view::npos;
}

/// `var`, `var*`, `var:3`.
bool is_variable_spec(std::string_view s) noexcept {
    if (s.ends_with('*')) { return is_variable(s.substr(0, s.size() - 1)); }
    const std::size_t colon = s.find(':');
    if (colon == std::string_view::npos) { return is_variable(s); }
    const std::string_view length = s.substr(colon + 1);
    return is_variable(s.substr(0, colon)) && !length.empty() && length.size() <= 4 &&
           length.front() != '0' && std::all_of(length.begin(), length.end(), is_digit);
}

/// What stands between braces.
bool is_expression(std::string_view s) noexcept {
    constexpr std::string_view operators = "+#./;?&=,!@|";
    if (!s.empty() && operators.find(s.front()) != std::string_view::npos) { s.remove_prefix(1); }
    while (true) {
        const std::size_t comma = std::min(s.find(','), s.size());
        if (!is_variable_spec(s.substr(0, comma))) { return false; }
        if (comma == s.size()) { return true; }
        s.remove_prefix(comma + 1);
    }
}

bool is_template_literal(std::string_view s, std::size_t& i) noexcept {
    constexpr std::string_view excluded = "\"<>\\^`{|}";
    const char c = s[i];
    if (c == '%') {
        if (!is_percent_encoded(s, i)) { return false; }
        i += 3;
        return true;
    }
    if (is_ascii(c)) {
        ++i;
        return c > 0x20 && c != 0x7F && excluded.find(c) == std::string_view::npos;
    }
    const unicode::decoded d = unicode::decode(s.substr(i));
    i += std::max<std::size_t>(d.size, 1);
    return d.size != 0 && (is_ucs_char(d.code) || is_private(d.code));
}

} // namespace

bool is_uri(std::string_view s) noexcept { return is_reference(s, {false}, true); }
bool is_uri_reference(std::string_view s) noexcept { return is_reference(s, {false}, false); }
bool is_iri(std::string_view s) noexcept { return is_reference(s, {true}, true); }
bool is_iri_reference(std::string_view s) noexcept { return is_reference(s, {true}, false); }

bool is_uri_template(std::string_view s) noexcept {
    for (std::size_t i = 0; i < s.size();) {
        if (s[i] != '{') {
            if (!is_template_literal(s, i)) { return false; }
            continue;
        }
        const std::size_t close = s.find('}', i);
        if (close == std::string_view::npos || !is_expression(s.substr(i + 1, close - i - 1))) {
            return false;
        }
        i = close + 1;
    }
    return true;
}

} // namespace jsonheal::schema::detail
