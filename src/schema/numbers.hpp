/// @file numbers.hpp
/// Comparing numbers with those of a schema, exactly, with a short way for short integers.
#pragma once

#include "program.hpp"

#include <algorithm>
#include <compare>
#include <iterator>
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

/// Digits and nothing else behind the sign: the usual spelling of a whole number. Of other spellings this says nothing.
[[nodiscard]] inline bool is_whole(std::string_view spelling) noexcept {
    return std::all_of(spelling.begin() + (spelling.front() == '-' ? 1 : 0), spelling.end(),
                       [](char c) { return c >= '0' && c <= '9'; });
}

/// `-1.25` as -125 and two places. Nothing for exponents and for more than 18 characters.
struct short_decimal {
    std::int64_t digits = 0;
    unsigned places = 0;
};
[[nodiscard]] inline std::optional<short_decimal> read_short_decimal(std::string_view spelling) noexcept {
    const bool negative = spelling.front() == '-';
    if (spelling.size() > 18) { return std::nullopt; }
    short_decimal d;
    bool behind_point = false;
    for (std::size_t i = negative ? 1 : 0; i != spelling.size(); ++i) {
        if (spelling[i] == '.') {
            behind_point = true;
            continue;
        }
        const unsigned digit = static_cast<unsigned char>(spelling[i]) - unsigned{'0'};
        if (digit > 9) { return std::nullopt; }
        d.digits = d.digits * 10 + digit;
        d.places += behind_point ? 1 : 0;
    }
    if (negative) { d.digits = -d.digits; }
    return d;
}

[[nodiscard]] bound make_bound(std::string_view spelling) noexcept;
[[nodiscard]] divisor make_divisor(std::string_view spelling);
[[nodiscard]] bool is_positive(std::string_view spelling) noexcept;

/// `value` against `b`, by decimal value. O(length).
[[nodiscard]] inline std::strong_ordering compare(std::string_view value, const bound& b) noexcept {
    if (b.is_small) {
        constexpr std::int64_t powers[] = {1,       10,        100,        1'000,      10'000,
                                           100'000, 1'000'000, 10'000'000, 100'000'000};
        constexpr std::int64_t most = 1'000'000'000; // times the greatest power it still fits
        const auto small = read_short_decimal(value);
        if (small && small->places == 0) { return small->digits <=> b.small; }
        if (small && small->places < std::size(powers) && b.small <= most && b.small >= -most) {
            return small->digits <=> b.small * powers[small->places];
        }
    }
    return compare_numbers(value, b.text);
}

/// Whether `value` is a whole multiple of the divisor, exactly. O(length of value × length of divisor).
[[nodiscard]] bool is_multiple(std::string_view value, const divisor& d);

} // namespace jsonheal::schema::detail
