/// @file formats.hpp
/// The formats of the drafts, each a test of one string.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace jsonheal::schema::detail {

/// The number of a format that is checked; nothing for other names.
[[nodiscard]] std::optional<std::uint32_t> find_format(std::string_view name) noexcept;
[[nodiscard]] std::string_view format_name(std::uint32_t format) noexcept;
/// Whether a string has that format. O(length), but for `regex`, which compiles it.
[[nodiscard]] bool has_format(std::uint32_t format, std::string_view wtf8);

// The tests, by file. formats_time.cpp: RFC 3339 and ISO 8601 durations.
[[nodiscard]] bool is_date(std::string_view s) noexcept;
[[nodiscard]] bool is_time(std::string_view s) noexcept;
[[nodiscard]] bool is_date_time(std::string_view s) noexcept;
[[nodiscard]] bool is_duration(std::string_view s) noexcept;
// formats_net.cpp: hosts, addresses, mail.
[[nodiscard]] bool is_ipv4(std::string_view s) noexcept;
[[nodiscard]] bool is_ipv6(std::string_view s) noexcept;
[[nodiscard]] bool is_hostname(std::string_view s) noexcept;
[[nodiscard]] bool is_email(std::string_view s) noexcept;
[[nodiscard]] bool is_idn_email(std::string_view s) noexcept;
// formats_uri.cpp: RFC 3986, RFC 3987, RFC 6570.
[[nodiscard]] bool is_uri(std::string_view s) noexcept;
[[nodiscard]] bool is_uri_reference(std::string_view s) noexcept;
[[nodiscard]] bool is_iri(std::string_view s) noexcept;
[[nodiscard]] bool is_iri_reference(std::string_view s) noexcept;
[[nodiscard]] bool is_uri_template(std::string_view s) noexcept;

} // namespace jsonheal::schema::detail
