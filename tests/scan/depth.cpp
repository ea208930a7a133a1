// Nesting: the limit, the closers, and the memory that it takes.

#include "../support/random.hpp"
#include "counted_memory.hpp"

#include <jsonheal/scan.hpp>

#include <gtest/gtest.h>

#include <new>
#include <string>

namespace {

using jsonheal::scan::kernel;
using jsonheal::scan::validation;
using jsonheal_test::counted_memory;

/// `text` count times.
std::string repeated(std::string_view text, std::size_t count) {
    std::string out;
    out.reserve(text.size() * count);
    while (count-- != 0) { out += text; }
    return out;
}

class depth : public testing::TestWithParam<kernel> {
protected:
    static validation check(std::string_view text, std::uint32_t max_depth) {
        return GetParam().validate_json(text, max_depth);
    }
};

TEST_P(depth, the_bracket_that_is_too_many_is_the_bad_byte) {
    for (const std::uint32_t levels :
         {1u, 2u, 63u, 64u, 65u, 127u, 128u, 129u, 1023u, 1024u, 1025u, 1088u, 5000u}) {
        const std::string arrays = repeated("[", levels) + repeated("]", levels);
        EXPECT_EQ(check(arrays, levels), (validation{true, arrays.size()})) << levels;
        EXPECT_EQ(check(arrays, levels - 1), (validation{false, levels - 1})) << levels;
        const std::string objects = repeated("{\"k\":", levels - 1) + "{" + repeated("}", levels);
        EXPECT_EQ(check(objects, levels), (validation{true, objects.size()})) << levels;
        EXPECT_EQ(check(objects, levels - 1), (validation{false, 5 * (levels - 1)})) << levels;
    }
}

TEST_P(depth, a_value_without_brackets_has_none) {
    EXPECT_TRUE(check("1", 0));
    EXPECT_TRUE(check("\"[{\"", 0));
    EXPECT_EQ(check(" []", 0), (validation{false, 1}));
    EXPECT_EQ(check("{}", 0), (validation{false, 0}));
}

TEST_P(depth, siblings_do_not_add_up) {
    EXPECT_TRUE(check("[[],[],{},{\"a\":0},[[0]]]", 3));
    EXPECT_TRUE(check("[" + repeated("[],", 100'000) + "0]", 2));
}

TEST_P(depth, a_million_levels) {
    const std::size_t million = 1'000'000;
    const std::string open = repeated("[", million);
    EXPECT_EQ(check(open, million), (validation{false, million}));
    EXPECT_EQ(check(open, million - 1), (validation{false, million - 1}));
    EXPECT_EQ(check(open + "]", UINT32_MAX), (validation{false, million + 1}));
    EXPECT_EQ(check(open + repeated("]", million), million), (validation{true, 2 * million}));
    EXPECT_EQ(check(open + repeated("]", million) + "]", million), (validation{false, 2 * million}));
    const std::string mixed = repeated("[{\"\":", million / 2);
    EXPECT_TRUE(check(mixed + "0" + repeated("}]", million / 2), million));
}

TEST_P(depth, every_closer_must_match) {
    jsonheal_test::random_source random(5);
    for (int round = 0; round != 50; ++round) {
        std::string text;
        std::string closers;
        for (std::size_t n = random.between(1, 3000); n != 0; --n) {
            const bool object = random.chance(50);
            text += object ? "{\"a\":" : "[";
            closers += object ? '}' : ']';
        }
        text += '1';
        const std::size_t first = text.size();
        text.append(closers.rbegin(), closers.rend());
        ASSERT_TRUE(check(text, 3000));
        const std::size_t bad = first + random.below(closers.size());
        text[bad] = text[bad] == ']' ? '}' : ']';
        ASSERT_EQ(check(text, 3000), (validation{false, bad}));
    }
}

TEST_P(depth, takes_no_memory_for_a_thousand_levels) {
    const auto taken = [](std::uint32_t levels) {
        const std::string text = repeated("[", levels) + repeated("]", levels);
        const std::size_t before = counted_memory::allocations;
        const bool valid = check(text, levels).valid;
        const std::size_t after = counted_memory::allocations;
        EXPECT_TRUE(valid);
        return after - before;
    };
    EXPECT_EQ(taken(1024), 0u);
    EXPECT_GT(taken(9999), 0u);
    EXPECT_LT(taken(9999), 16u);
}

TEST_P(depth, says_so_when_there_is_no_memory) {
    const std::string deep = repeated("[", 9999);
    counted_memory::is_gone = true;
    bool thrown = false;
    try {
        (void)check(deep, 9999);
    } catch (const std::bad_alloc&) { thrown = true; }
    counted_memory::is_gone = false;
    EXPECT_TRUE(thrown);
}

INSTANTIATE_TEST_SUITE_P(all, depth,
                         testing::ValuesIn(jsonheal::scan::kernels().begin(),
                                           jsonheal::scan::kernels().end()),
                         [](const auto& kernel) { return std::string(kernel.param.name); });

} // namespace
