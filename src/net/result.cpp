#include <jsonheal/net_result.hpp>

namespace jsonheal::net {

std::string_view name(error_class c) noexcept {
    constexpr std::string_view names[] = {
        "resolve",       "connect", "tls",      "timeout_connect", "timeout_first_byte", "timeout_idle",
        "timeout_total", "reset",   "protocol", "cancelled",       "too_large"};
    return names[static_cast<unsigned>(c)];
}

} // namespace jsonheal::net
