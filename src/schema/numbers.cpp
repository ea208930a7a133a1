/// @file numbers.cpp
/// Division of decimal texts.

#include "numbers.hpp"

#include <algorithm>
#include <charconv>

namespace jsonheal::schema::detail {

namespace {

/// `-120.50e3` is digits 1205 and exponent 2: the magnitude is digits × 10^exponent, no zero at either end of digits.
struct plain_decimal {
    std::string digits; ///< empty for zero
    std::int64_t exponent = 0;
};

plain_decimal decimal_of(std::string_view spelling) {
    constexpr std::int64_t most = 1'000'000'000'000'000'000; // beyond it no text can bring an exponent back
    plain_decimal d;
    const std::size_t e = std::min(spelling.find_first_of("eE"), spelling.size());
    const std::string_view mantissa = spelling.substr(0, e);
    bool behind_point = false;
    for (const char c : mantissa) {
        if (c == '.') { behind_point = true; }
        if (c < '0' || c > '9') { continue; }
        d.digits.push_back(c);
        if (behind_point) { --d.exponent; }
    }
    d.digits.erase(0, std::min(d.digits.find_first_not_of('0'), d.digits.size()));
    while (!d.digits.empty() && d.digits.back() == '0') {
        d.digits.pop_back();
        ++d.exponent;
    }
    if (e < spelling.size()) {
        std::string_view power = spelling.substr(e + 1);
        if (power.front() == '+') { power.remove_prefix(1); }
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), value);
        if (error == std::errc::result_out_of_range) { value = power.front() == '-' ? -most : most; }
        d.exponent += std::clamp(value, -most, most);
    }
    return d;
}

/// Remainders by a number of any length, a decimal digit at a time.
class remainder {
public:
    explicit remainder(std::string_view divisor_digits) {
        for (const char c : divisor_digits) { multiply_add(divisor_, static_cast<std::uint32_t>(c - '0')); }
        value_.assign(divisor_.size(), 0);
    }
    /// r → (10 r + digit) mod divisor
    void push(std::uint32_t digit) {
        value_.push_back(0);
        multiply_add_fixed(digit);
        while (!below()) { subtract(); } // at most nine times
        value_.pop_back();
    }
    [[nodiscard]] bool is_zero() const noexcept {
        return std::all_of(value_.begin(), value_.end(), [](std::uint32_t limb) { return limb == 0; });
    }

private:
    using limbs = std::vector<std::uint32_t>; // low first

    static void multiply_add(limbs& n, std::uint32_t digit) {
        std::uint64_t carry = digit;
        for (std::uint32_t& limb : n) {
            carry += std::uint64_t{limb} * 10;
            limb = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        if (carry != 0) { n.push_back(static_cast<std::uint32_t>(carry)); }
    }
    void multiply_add_fixed(std::uint32_t digit) {
        std::uint64_t carry = digit;
        for (std::uint32_t& limb : value_) {
            carry += std::uint64_t{limb} * 10;
            limb = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
    }
    [[nodiscard]] bool below() const noexcept {
        if (value_.back() != 0) { return false; }
        for (std::size_t i = divisor_.size(); i-- != 0;) {
            if (value_[i] != divisor_[i]) { return value_[i] < divisor_[i]; }
        }
        return false;
    }
    void subtract() noexcept {
        std::uint64_t borrow = 0;
        for (std::size_t i = 0; i != value_.size(); ++i) {
            const std::uint64_t take = (i < divisor_.size() ? divisor_[i] : 0) + borrow;
            borrow = value_[i] < take ? 1 : 0;
            value_[i] = static_cast<std::uint32_t>(value_[i] + (borrow << 32) - take);
        }
    }

    limbs divisor_;
    limbs value_;
};

} // namespace

bound make_bound(std::string_view spelling) noexcept {
    bound b;
    b.text = spelling;
    if (const auto small = short_integer(spelling)) {
        b.small = *small;
        b.is_small = true;
    }
    return b;
}

divisor make_divisor(std::string_view spelling) {
    plain_decimal d = decimal_of(spelling);
    divisor made;
    made.text = spelling;
    made.exponent = d.exponent;
    made.digits = std::move(d.digits);
    if (const auto small = short_integer(spelling); small && *small > 0) {
        made.small = static_cast<std::uint64_t>(*small);
    }
    return made;
}

bool is_positive(std::string_view spelling) noexcept { return std::is_gt(compare_numbers(spelling, "0")); }

/// With D × 10^e for the value and d × 10^f for the divisor, both without zeros at the end: where e < f the value would
/// have to be a multiple of ten times something, which D is not. Else D × 10^(e-f) mod d decides; tens beyond
/// four for each digit of d change nothing, since they only add factors 2 and 5 that d can no longer have.
bool is_multiple(std::string_view value, const divisor& d) {
    if (d.small != 0) {
        if (const auto small = short_integer(value)) {
            return *small % static_cast<std::int64_t>(d.small) == 0;
        }
    }
    const plain_decimal v = decimal_of(value);
    if (v.digits.empty()) { return true; }
    if (v.exponent < d.exponent) { return false; }
    remainder r(d.digits);
    for (const char c : v.digits) { r.push(static_cast<std::uint32_t>(c - '0')); }
    const auto tens = std::min(v.exponent - d.exponent, static_cast<std::int64_t>(d.digits.size()) * 4);
    for (std::int64_t i = 0; i < tens && !r.is_zero(); ++i) { r.push(0); }
    return r.is_zero();
}

} // namespace jsonheal::schema::detail
