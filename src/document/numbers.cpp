/// @file numbers.cpp
/// Numbers as they are spelled: the grammar of RFC 8259 section 6, exact decimal values, doubles on request.

#include "bytes.hpp"

#include <jsonheal/document.hpp>

#include <algorithm>
#include <charconv>
#include <limits>

namespace jsonheal {

namespace document_detail {

namespace {

const char* skip_digits(const char* p, const char* end) noexcept {
    while (p != end && is_digit(*p)) { ++p; }
    return p;
}

/// `e+12` behind the mantissa; clamped to ±10^18, beyond which no text of 4 GiB can bring it back.
std::int64_t read_exponent(std::string_view digits_with_sign) noexcept {
    constexpr std::int64_t most = 1'000'000'000'000'000'000;
    bool negative = false;
    std::int64_t value = 0;
    for (const char c : digits_with_sign) {
        if (c == '-') { negative = true; }
        if (!is_digit(c)) { continue; }
        value = value > (most - 9) / 10 ? most : value * 10 + (c - '0');
    }
    return negative ? -value : value;
}

} // namespace

number_scan scan_number(const char* p, const char* end) noexcept {
    const auto digit_at = [&] { return p != end && is_digit(*p); };
    if (*p == '-') { ++p; }
    if (!digit_at()) { return {p, "a number has no digit here"}; }
    if (*p == '0') {
        ++p;
        if (digit_at()) { return {p, "a number may not begin with a zero before other digits"}; }
    } else {
        p = skip_digits(p, end);
    }
    if (p != end && *p == '.') {
        ++p;
        if (!digit_at()) { return {p, "a number has no digit behind its point"}; }
        p = skip_digits(p, end);
    }
    if (p != end && (*p == 'e' || *p == 'E')) {
        ++p;
        if (p != end && (*p == '+' || *p == '-')) { ++p; }
        if (!digit_at()) { return {p, "a number has no digit in its exponent"}; }
        p = skip_digits(p, end);
    }
    return {p, {}};
}

decimal::decimal(std::string_view spelling) noexcept {
    const std::size_t mantissa_end = std::min(spelling.find_first_of("eE"), spelling.size());
    const std::string_view mantissa = spelling.substr(0, mantissa_end);
    const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
    const std::size_t first = mantissa.find_first_of("123456789");
    if (first == std::string_view::npos) { return; }
    const std::size_t last = mantissa.find_last_of("123456789");
    negative = spelling.front() == '-';
    digits = mantissa.substr(first, last - first + 1);
    count = digits.size() - (first < point && point < last ? 1 : 0);
    // 120.5: three digits before the point, 10^3; 0.005: two zeros behind it, 10^-2
    exponent = first < point ? static_cast<std::int64_t>(point - first)
                             : -static_cast<std::int64_t>(first - point - 1);
    if (mantissa_end != spelling.size()) { exponent += read_exponent(spelling.substr(mantissa_end + 1)); }
}

namespace {

/// Digits of two numbers of the same exponent: 12 < 123 < 13. Points among them count for nothing.
std::strong_ordering compare_digits(std::string_view a, std::string_view b) noexcept {
    auto i = a.begin();
    auto j = b.begin();
    for (;; ++i, ++j) {
        if (i != a.end() && *i == '.') { ++i; }
        if (j != b.end() && *j == '.') { ++j; }
        if (i == a.end() || j == b.end()) { break; }
        if (*i != *j) { return *i <=> *j; }
    }
    return (i != a.end()) <=> (j != b.end()); // the last digit is no zero: more digits are more
}

} // namespace

} // namespace document_detail

using document_detail::decimal;

std::strong_ordering compare_numbers(std::string_view a, std::string_view b) noexcept {
    const decimal x(a);
    const decimal y(b);
    const auto sign = [](const decimal& d) { return d.is_zero() ? 0 : d.negative ? -1 : 1; };
    if (sign(x) != sign(y)) { return sign(x) <=> sign(y); }
    if (x.is_zero()) { return std::strong_ordering::equal; }
    const decimal& low = x.negative ? y : x; // among negatives the greater magnitude is the lesser number
    const decimal& high = x.negative ? x : y;
    if (low.exponent != high.exponent) { return low.exponent <=> high.exponent; }
    return document_detail::compare_digits(low.digits, high.digits);
}

double value_view::number() const {
    const std::string_view text = source();
    double d = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), d);
    if (error == std::errc::result_out_of_range) { // `d` is not set then
        const decimal exact(text);
        d = exact.exponent > 0 ? std::numeric_limits<double>::infinity() : 0.0;
        if (exact.negative) { d = -d; }
    }
    return d;
}

bool value_view::is_integer() const noexcept { return decimal(source()).is_integer(); }

std::optional<std::int64_t> value_view::int64() const noexcept {
    const decimal d(source());
    if (d.is_zero()) { return 0; }
    if (!d.is_integer() || d.exponent > 19) { return std::nullopt; }
    std::uint64_t magnitude = 0; // at most 19 digits: no overflow
    for (const char c : d.digits) {
        if (c != '.') { magnitude = magnitude * 10 + static_cast<std::uint64_t>(c - '0'); }
    }
    for (auto zeros = static_cast<std::size_t>(d.exponent) - d.count; zeros != 0; --zeros) {
        magnitude *= 10;
    }
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (magnitude > most + (d.negative ? 1 : 0)) { return std::nullopt; }
    return static_cast<std::int64_t>(d.negative ? 0 - magnitude : magnitude);
}

} // namespace jsonheal
