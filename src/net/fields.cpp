// Header fields: one text for all of them, and where each name and value lies in it.
#include "characters.hpp"

#include <jsonheal/net_http.hpp>

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace jsonheal::net {

namespace {

constexpr std::string_view hop_fields[] = {"connection", "keep-alive",     "proxy-connection",
                                           "te",         "trailer",        "transfer-encoding",
                                           "upgrade",    "content-length", "expect"};

struct phrase {
    int status;
    std::string_view text;
};
constexpr phrase phrases[] = {
    {100, "Continue"},
    {101, "Switching Protocols"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {206, "Partial Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {402, "Payment Required"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {422, "Unprocessable Content"},
    {424, "Failed Dependency"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {499, "Client Closed Request"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
    {529, "Overloaded"},
};

} // namespace

bool same_name(std::string_view a, std::string_view b) noexcept {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
               return characters::lower(x) == characters::lower(y);
           });
}

bool is_hop_field(std::string_view name) noexcept {
    return std::any_of(std::begin(hop_fields), std::end(hop_fields),
                       [&](std::string_view hop) { return same_name(hop, name); });
}

std::string_view reason_phrase(int status) noexcept {
    const auto* found = std::lower_bound(std::begin(phrases), std::end(phrases), status,
                                         [](const phrase& p, int s) { return p.status < s; });
    return found != std::end(phrases) && found->status == status ? found->text : std::string_view();
}

void fields::append(std::string_view name, std::string_view value) {
    const auto at = static_cast<std::uint32_t>(text_.size());
    text_.append(name).append(value);
    slots_.push_back({at, static_cast<std::uint32_t>(name.size()),
                      static_cast<std::uint32_t>(at + name.size()),
                      static_cast<std::uint32_t>(value.size())});
}

void fields::add(std::string_view name, std::string_view value) {
    value = characters::trimmed(value);
    if (name.empty() || !characters::all(name, characters::token_bit)) {
        throw std::invalid_argument("jsonheal::net::fields: the name of a field is no token");
    }
    if (!characters::all(value, characters::value_bit)) {
        throw std::invalid_argument("jsonheal::net::fields: the value of " + std::string(name) +
                                    " has control characters");
    }
    if (text_.size() + name.size() + value.size() > UINT32_MAX) {
        throw std::invalid_argument("jsonheal::net::fields: too large");
    }
    const std::less<const char*> before;
    const bool own = !before(value.data(), text_.data()) && before(value.data(), text_.data() + text_.size());
    if (own) { // it would move away while it is copied
        append(name, std::string(value));
    } else {
        append(name, value);
    }
}

void fields::set(std::string_view name, std::string_view value) {
    const std::string own_name(name), own_value(value); // they may be views into this
    erase(own_name);
    add(own_name, own_value);
}

std::size_t fields::erase(std::string_view name) {
    return std::erase_if(slots_, [&](const slot& s) {
        return same_name(name, std::string_view(text_).substr(s.name, s.name_size));
    });
}

std::optional<std::string_view> fields::find(std::string_view name) const noexcept {
    for (std::size_t i = 0; i < size(); ++i) {
        const field f = (*this)[i];
        if (same_name(f.name, name)) { return f.value; }
    }
    return std::nullopt;
}

std::size_t fields::count(std::string_view name) const noexcept {
    std::size_t n = 0;
    for (std::size_t i = 0; i < size(); ++i) {
        if (same_name((*this)[i].name, name)) { ++n; }
    }
    return n;
}

bool fields::has_token(std::string_view name, std::string_view token) const noexcept {
    for (std::size_t i = 0; i < size(); ++i) {
        const field f = (*this)[i];
        if (!same_name(f.name, name)) { continue; }
        for (std::string_view rest = f.value; !rest.empty();) {
            const std::size_t comma = std::min(rest.find(','), rest.size());
            if (same_name(characters::trimmed(rest.substr(0, comma)), token)) { return true; }
            rest.remove_prefix(std::min(comma + 1, rest.size()));
        }
    }
    return false;
}

field fields::operator[](std::size_t i) const noexcept {
    const slot& s = slots_[i];
    return {{text_.data() + s.name, s.name_size}, {text_.data() + s.value, s.value_size}};
}

void fields::clear() noexcept {
    text_.clear();
    slots_.clear();
}

} // namespace jsonheal::net
