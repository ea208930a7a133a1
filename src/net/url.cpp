#include "characters.hpp"

#include <jsonheal/net_url.hpp>

#include <algorithm>

namespace jsonheal::net {

namespace {

std::string lowered(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), characters::lower);
    return out;
}

/// The host off the front of `rest`; false with a reason if there is none.
bool take_host(std::string_view& rest, url_reading& out) {
    if (rest.starts_with('[')) {
        const std::size_t end = rest.find(']');
        const std::string_view inner =
            end == std::string_view::npos ? std::string_view() : rest.substr(1, end - 1);
        const bool valid =
            inner.find(':') != std::string_view::npos && std::all_of(inner.begin(), inner.end(), [](char c) {
                return characters::is(c, characters::hex_bit) || c == ':' || c == '.';
            });
        if (!valid) {
            out.why = "the IPv6 address in brackets is malformed";
            return false;
        }
        out.value.host = lowered(inner);
        rest.remove_prefix(end + 1);
        return true;
    }
    const std::size_t end = std::min(rest.find_first_of(":/?"), rest.size());
    const std::string_view host = rest.substr(0, end);
    const bool valid =
        !host.empty() && host.size() <= 253 && host.front() != '.' &&
        host.find("..") == std::string_view::npos && std::all_of(host.begin(), host.end(), [](char c) {
            const char l = characters::lower(c);
            return (l >= 'a' && l <= 'z') || (l >= '0' && l <= '9') || l == '-' || l == '.' || l == '_';
        });
    if (!valid) {
        out.why =
            host.empty() ? "the host is missing" : "the host may only have letters, digits, hyphens and dots";
        return false;
    }
    out.value.host = lowered(host);
    rest.remove_prefix(end);
    return true;
}

bool take_port(std::string_view& rest, url_reading& out) {
    out.value.port = out.value.tls() ? 443 : 80;
    if (!rest.starts_with(':')) { return true; }
    rest.remove_prefix(1);
    const std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
    const std::string_view digits = rest.substr(0, end);
    unsigned port = 0;
    if (!digits.empty() && digits.size() <= 5 && characters::all(digits, characters::digit_bit)) {
        for (const char c : digits) { port = port * 10 + static_cast<unsigned>(c - '0'); }
    }
    if (port == 0 || port > 65535) {
        out.why = "the port must be a number from 1 to 65535";
        return false;
    }
    out.value.port = static_cast<std::uint16_t>(port);
    rest.remove_prefix(end);
    return true;
}

} // namespace

std::string url::authority() const {
    std::string out = host.find(':') == std::string::npos ? host : "[" + host + "]";
    if (port != (tls() ? 443 : 80)) { out += ":" + std::to_string(port); }
    return out;
}

std::string url::origin() const { return scheme + "://" + authority(); }

url_reading read_url(std::string_view text) {
    url_reading out;
    if (!characters::all(text, characters::target_bit)) {
        out.why = text.find('#') != std::string_view::npos ? "an address of an upstream has no fragment (#)"
                                                           : "blanks, control or non-ASCII characters";
        return out;
    }
    const std::size_t colon = text.find("://");
    out.value.scheme = lowered(text.substr(0, std::min(colon, text.size())));
    if (colon == std::string_view::npos || (out.value.scheme != "http" && out.value.scheme != "https")) {
        out.why = "it must begin with http:// or https://";
        return out;
    }
    std::string_view rest = text.substr(colon + 3);
    if (rest.substr(0, rest.find_first_of("/?")).find('@') != std::string_view::npos) {
        out.why = "a user or password in an address is not supported";
        return out;
    }
    if (!take_host(rest, out) || !take_port(rest, out)) { return out; }
    if (rest.empty()) { return out; }
    if (rest.front() != '/' && rest.front() != '?') {
        out.why = "a path must begin with a slash";
        return out;
    }
    out.value.target = rest.front() == '?' ? "/" + std::string(rest) : std::string(rest);
    return out;
}

} // namespace jsonheal::net
