/// @file net_url.hpp
/// Addresses of upstreams as a configuration writes them: `https://api.example.com:8443/v1`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace jsonheal::net {

/// An `http` or `https` address. Strict: no user, no fragment, no blanks, no percent sign in the host.
struct url {
    std::string scheme; ///< `http` or `https`, in lower case
    std::string host;   ///< in lower case; an IPv6 address without its brackets
    std::uint16_t port = 0;
    std::string target = "/"; ///< path and query as written; `/` if there was none

    [[nodiscard]] bool tls() const noexcept { return scheme == "https"; }
    /// Host and port as a Host field gives them: the default port is left out, an IPv6 address is in brackets.
    [[nodiscard]] std::string authority() const;
    /// `scheme://authority`.
    [[nodiscard]] std::string origin() const;
};

/// An address, or a sentence that says what is wrong with it.
struct url_reading {
    url value;
    std::string why; ///< empty if it could be read
    explicit operator bool() const noexcept { return why.empty(); }
};

/// Reads `scheme://host[:port][/path][?query]`. O(text).
[[nodiscard]] url_reading read_url(std::string_view text);

} // namespace jsonheal::net
