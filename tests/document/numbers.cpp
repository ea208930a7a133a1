// Numbers keep their text; these are the values that one can ask of it.

#include <jsonheal/document.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace {

using jsonheal::compare_numbers;
using jsonheal::document;

struct int_case {
    std::string_view text;
    std::optional<std::int64_t> value;
    bool integer;
};

TEST(numbers, whole_ones_are_found_in_any_spelling) {
    constexpr int_case cases[] = {
        {"0", 0, true},
        {"-0", 0, true},
        {"0.000e99", 0, true},
        {"1", 1, true},
        {"-1.0", -1, true},
        {"10e-1", 1, true},
        {"120E1", 1200, true},
        {"0.5e1", 5, true},
        {"12.50e1", 125, true},
        {"1.5", std::nullopt, false},
        {"1e-1", std::nullopt, false},
        {"9223372036854775807", std::numeric_limits<std::int64_t>::max(), true},
        {"9223372036854775808", std::nullopt, true},
        {"-9223372036854775808", std::numeric_limits<std::int64_t>::min(), true},
        {"-9223372036854775809", std::nullopt, true},
        {"9999999999999999999", std::nullopt, true},
        {"10000000000000000000", std::nullopt, true},
        {"1e18", 1'000'000'000'000'000'000, true},
        {"1e999999999999999999999", std::nullopt, true},
        {"1e-999999999999999999999", std::nullopt, false},
    };
    for (const auto& c : cases) {
        const auto d = document::parse(std::string(c.text)).value;
        EXPECT_EQ(d.root().int64(), c.value) << c.text;
        EXPECT_EQ(d.root().is_integer(), c.integer) << c.text;
        EXPECT_EQ(d.root().source(), c.text);
    }
}

TEST(numbers, doubles_are_the_nearest) {
    const auto number = [](std::string_view text) {
        return document::parse(std::string(text)).value.root().number();
    };
    EXPECT_EQ(number("0.1"), 0.1);
    EXPECT_EQ(number("-2.5e-3"), -2.5e-3);
    EXPECT_EQ(number("123456789012345678901234567890"), 123456789012345678901234567890.0);
    EXPECT_EQ(number("1e400"), std::numeric_limits<double>::infinity());
    EXPECT_EQ(number("-1e400"), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(number("1e-400"), 0.0);
    EXPECT_TRUE(std::signbit(number("-1e-400")));
    EXPECT_TRUE(std::signbit(number("-0")));
}

TEST(numbers, compare_by_exact_decimal_value) {
    constexpr std::string_view rising[] = {"-1e1000",
                                           "-1e999",
                                           "-123.5",
                                           "-123.45",
                                           "-1",
                                           "-1e-999999999999999999999",
                                           "0",
                                           "1e-1000",
                                           "0.001",
                                           "0.0010000000000000000000000001",
                                           "0.1",
                                           "1",
                                           "1.0000000000000000000000000000000001",
                                           "9",
                                           "10",
                                           "12",
                                           "123",
                                           "130",
                                           "9007199254740992",
                                           "9007199254740993",
                                           "1e400",
                                           "11e399"};
    for (std::size_t i = 0; i != std::size(rising); ++i) {
        for (std::size_t j = 0; j != std::size(rising); ++j) {
            EXPECT_EQ(compare_numbers(rising[i], rising[j]), i <=> j) << rising[i] << " and " << rising[j];
        }
    }
}

TEST(numbers, spelling_does_not_matter_to_comparison) {
    constexpr std::string_view same[][2] = {{"1", "1.0"},     {"1", "10e-1"},         {"0", "-0"},
                                            {"0", "0.0e5"},   {"100", "1E2"},         {"1.20", "12e-1"},
                                            {"0.05", "5e-2"}, {"120.50", "1.205e+2"}, {"-7e0", "-7"}};
    for (const auto& [a, b] : same) {
        EXPECT_EQ(compare_numbers(a, b), std::strong_ordering::equal) << a << " and " << b;
    }
}

} // namespace
