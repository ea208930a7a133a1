/// @file numbers.hpp
/// Comparing numbers with those of a schema, exactly, with a short way for short integers.
#pragma once

#include "program.hpp"

#include <compare>
#include <optional>
#include <string_view>

namespace jsonheal::schema::detail {

/// `-12` and the like: up to 18 digits and nothing else. Nothing for other spellings.
[[nodiscard]] inline std::optional<std::int64_t> short_integer(std::string_view spelling) noexcept {
    const bool negative = spelling.front() == '-';
    if (spelling.size() > 18) { return std::nullopt; }
    std::int64_t value = 0;
    for (std::size_t i = negative ? 1 : 0; i != spelling.size(); ++i) {
        const unsigned digit = static_cast<unsigned char>(spelling[i]) - unsigned{'0'};
        if (digit > 9) { return std::nullopt; }
        value = value * 10 + digit;
    }
    return negative ? -value : value;
}

[[nodiscard]] bound make_bound(std::string_view spelling) noexcept;
[[nodiscard]] divisor make_divisor(std::string_view spelling);
[[nodiscard]] bool is_positive(std::string_view spelling) noexcept;

/// `value` against `b`, by decimal value. O(length).
[[nodiscard]] inline std::strong_ordering compare(std::string_view value, const bound& b) noexcept {
    if (b.is_small) {
        if (const auto small = short_integer(value)) { return *small <=> b.small; }
    }
    return compare_numbers(value, b.text);
}

/// Whether `value` is a whole multiple of the divisor, exactly. O(length of value × length of divisor).
[[nodiscard]] bool is_multiple(std::string_view value, const divisor& d);

} // namespace jsonheal::schema::detail
