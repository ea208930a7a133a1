/// @file net_result.hpp
/// A value, or why there is none: what everything in `net` answers with in place of exceptions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace jsonheal::net {

/// What went wrong with an upstream call, as far as a caller decides by it.
enum class error_class : std::uint8_t {
    resolve,            ///< the name has no address
    connect,            ///< no address answered
    tls,                ///< the handshake failed, or the certificate is not trusted
    timeout_connect,    ///< name, connection and handshake took too long
    timeout_first_byte, ///< the request went out, but no response began
    timeout_idle,       ///< bytes stopped coming, or stopped being taken
    timeout_total,      ///< the whole exchange took too long
    reset,              ///< the connection ended before the message did
    protocol,           ///< what came was no HTTP/1.1, or could not be decoded
    cancelled,          ///< the caller stopped it, or the caller's own client went away
    too_large           ///< more than the caller's limit
};
/// The name of a class, as logs and metrics give it. Static storage.
[[nodiscard]] std::string_view name(error_class c) noexcept;

/// A class to decide by and a message for people; the message never holds header values or bodies.
struct error {
    error_class kind = error_class::protocol;
    std::string message;
};

/// A `T` or an `error`. `value()` and `error()` of the other kind are a caller's mistake: std::bad_variant_access.
template <class T>
class result {
public:
    result(T value)
        : state_(std::in_place_index<0>, std::move(value)) {} // NOLINT(google-explicit-constructor)
    result(net::error e)
        : state_(std::in_place_index<1>, std::move(e)) {} // NOLINT(google-explicit-constructor)

    [[nodiscard]] bool ok() const noexcept { return state_.index() == 0; }
    explicit operator bool() const noexcept { return ok(); }
    [[nodiscard]] T& value() & { return std::get<0>(state_); }
    [[nodiscard]] const T& value() const& { return std::get<0>(state_); }
    [[nodiscard]] T&& value() && { return std::get<0>(std::move(state_)); }
    [[nodiscard]] T& operator*() & { return value(); }
    [[nodiscard]] const T& operator*() const& { return value(); }
    [[nodiscard]] T* operator->() { return &value(); }
    [[nodiscard]] const T* operator->() const { return &value(); }
    [[nodiscard]] net::error& error() { return std::get<1>(state_); }
    [[nodiscard]] const net::error& error() const { return std::get<1>(state_); }

private:
    std::variant<T, net::error> state_;
};

} // namespace jsonheal::net
