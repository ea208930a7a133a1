/// @file formats.cpp
/// The table of formats, and those that need little.

#include "formats.hpp"

#include "characters.hpp"
#include "regex.hpp"

namespace jsonheal::schema::detail {

namespace {

bool is_uuid(std::string_view s) noexcept {
    if (s.size() != 36) { return false; }
    for (std::size_t i = 0; i != s.size(); ++i) {
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? s[i] != '-' : !is_hex(s[i])) { return false; }
    }
    return true;
}

bool is_json_pointer(std::string_view s) noexcept {
    if (!s.empty() && s.front() != '/') { return false; }
    for (std::size_t i = 0; i != s.size(); ++i) {
        if (s[i] == '~' && (i + 1 == s.size() || (s[i + 1] != '0' && s[i + 1] != '1'))) { return false; }
    }
    return true;
}

/// `1/a`, `0#`: draft-handrews-relative-json-pointer.
bool is_relative_json_pointer(std::string_view s) noexcept {
    std::size_t digits = 0;
    while (digits != s.size() && is_digit(s[digits])) { ++digits; }
    if (digits == 0 || (digits > 1 && s.front() == '0')) { return false; }
    std::string_view rest = s.substr(digits);
    if (!rest.empty() && (rest.front() == '+' || rest.front() == '-')) {
        std::size_t shift = 1;
        while (shift != rest.size() && is_digit(rest[shift])) { ++shift; }
        if (shift == 1) { return false; }
        rest.remove_prefix(shift);
    }
    return rest == "#" || is_json_pointer(rest);
}

bool is_regex(std::string_view s) {
    constexpr std::uint32_t memory = 8u << 20;
    return regex::make(s, memory).value != nullptr;
}

struct format_row {
    std::string_view name;
    bool (*test)(std::string_view);
};
constexpr format_row formats[] = {
    {"date", is_date},
    {"time", is_time},
    {"date-time", is_date_time},
    {"duration", is_duration},
    {"email", is_email},
    {"idn-email", is_idn_email},
    {"hostname", is_hostname},
    {"ipv4", is_ipv4},
    {"ipv6", is_ipv6},
    {"uri", is_uri},
    {"uri-reference", is_uri_reference},
    {"iri", is_iri},
    {"iri-reference", is_iri_reference},
    {"uri-template", is_uri_template},
    {"uuid", is_uuid},
    {"json-pointer", is_json_pointer},
    {"relative-json-pointer", is_relative_json_pointer},
    {"regex", is_regex},
};

} // namespace

std::optional<std::uint32_t> find_format(std::string_view name) noexcept {
    for (std::uint32_t i = 0; i != std::size(formats); ++i) {
        if (formats[i].name == name) { return i; }
    }
    return std::nullopt;
}

std::string_view format_name(std::uint32_t format) noexcept { return formats[format].name; }

bool has_format(std::uint32_t format, std::string_view wtf8) { return formats[format].test(wtf8); }

} // namespace jsonheal::schema::detail
