/// @file formats_net.cpp
/// Hosts, addresses and mailboxes.

#include "characters.hpp"
#include "formats.hpp"

#include <algorithm>
#include <cstddef>

namespace jsonheal::schema::detail {

bool is_ipv4(std::string_view s) noexcept {
    for (unsigned part = 0; part != 4; ++part) {
        std::size_t digits = 0;
        unsigned value = 0;
        while (digits != s.size() && is_digit(s[digits])) {
            value = value * 10 + static_cast<unsigned>(s[digits++] - '0');
            if (digits > 3) { return false; }
        }
        if (digits == 0 || value > 255 || (digits > 1 && s.front() == '0')) { return false; }
        s.remove_prefix(digits);
        if (part == 3) { break; }
        if (s.empty() || s.front() != '.') { return false; }
        s.remove_prefix(1);
    }
    return s.empty();
}

/// RFC 4291 section 2.2: eight groups, a run of zeros as `::` once, the last two possibly as IPv4.
bool is_ipv6(std::string_view s) noexcept {
    unsigned groups = 0;
    bool gap = false;
    if (s.starts_with("::")) {
        gap = true;
        s.remove_prefix(2);
    }
    while (!s.empty()) {
        if (groups <= 6 && s.find(':') == std::string_view::npos && s.find('.') != std::string_view::npos) {
            if (!is_ipv4(s)) { return false; }
            groups += 2;
            s = {};
            break;
        }
        std::size_t digits = 0;
        while (digits != s.size() && is_hex(s[digits])) { ++digits; }
        if (digits == 0 || digits > 4) { return false; }
        ++groups;
        s.remove_prefix(digits);
        if (s.empty()) { break; }
        if (s.front() != ':') { return false; }
        s.remove_prefix(1);
        if (s.empty()) { return false; }
        if (s.front() == ':') {
            if (gap) { return false; }
            gap = true;
            s.remove_prefix(1);
        }
    }
    return gap ? groups < 8 : groups == 8;
}

/// RFC 1123: labels of letters, digits and inner hyphens, up to 63 each, 253 together. A label `xn--…` must be the
/// Punycode of something (RFC 5891), of which only that it is not too short is checked here.
bool is_hostname(std::string_view s) noexcept {
    if (s.empty() || s.size() > 253) { return false; }
    while (true) {
        const std::size_t dot = std::min(s.find('.'), s.size());
        const std::string_view label = s.substr(0, dot);
        if (label.empty() || label.size() > 63 || label.front() == '-' || label.back() == '-') {
            return false;
        }
        if (!std::all_of(label.begin(), label.end(), [](char c) { return is_alnum(c) || c == '-'; })) {
            return false;
        }
        const bool punycode = label.size() >= 4 && (label[0] | 0x20) == 'x' && (label[1] | 0x20) == 'n' &&
                              label[2] == '-' && label[3] == '-';
        if (punycode && label.size() < 6) { return false; }
        if (dot == s.size()) { return true; }
        s.remove_prefix(dot + 1);
    }
}

namespace {

bool is_atom_text(char c, bool international) noexcept {
    constexpr std::string_view others = "!#$%&'*+-/=?^_`{|}~";
    return is_alnum(c) || others.find(c) != std::string_view::npos || (international && !is_ascii(c));
}

/// `a.b` or `"a b"`; returns its length, 0 if there is none.
std::size_t local_part(std::string_view s, bool international) noexcept {
    if (s.starts_with('"')) {
        for (std::size_t i = 1; i < s.size(); ++i) {
            if (s[i] == '"') { return i + 1; }
            const bool printable = (s[i] >= 0x20 && s[i] < 0x7F) || (international && !is_ascii(s[i]));
            if (!printable) { return 0; }
            if (s[i] == '\\') { ++i; }
        }
        return 0;
    }
    std::size_t i = 0;
    while (true) {
        const std::size_t begin = i;
        while (i != s.size() && is_atom_text(s[i], international)) { ++i; }
        if (i == begin) { return 0; }
        if (i == s.size() || s[i] != '.') { return i; }
        ++i;
    }
}

bool is_mail_domain(std::string_view s, bool international) noexcept {
    if (s.starts_with('[')) {
        if (!s.ends_with(']')) { return false; }
        s = s.substr(1, s.size() - 2);
        return s.starts_with("IPv6:") ? is_ipv6(s.substr(5)) : is_ipv4(s);
    }
    if (!international || std::all_of(s.begin(), s.end(), is_ascii)) { return is_hostname(s); }
    // Labels beyond ASCII: their code points are the business of IDNA, which this library leaves alone.
    return !s.starts_with('.') && !s.ends_with('.') && s.find("..") == std::string_view::npos &&
           std::all_of(s.begin(), s.end(),
                       [](char c) { return !is_ascii(c) || is_alnum(c) || c == '-' || c == '.'; });
}

/// RFC 5321 section 4.1.2, or RFC 6531.
bool is_mailbox(std::string_view s, bool international) noexcept {
    const std::size_t at = local_part(s, international);
    if (at == 0 || at > 64 || at >= s.size() || s[at] != '@') { return false; }
    return is_mail_domain(s.substr(at + 1), international);
}

} // namespace

bool is_email(std::string_view s) noexcept { return is_mailbox(s, false); }
bool is_idn_email(std::string_view s) noexcept { return is_mailbox(s, true); }

} // namespace jsonheal::schema::detail
