// Two logs in a row are one.
#include "../../src/args/draft.hpp"

#include <gtest/gtest.h>

#include <random>

namespace {

using jsonheal::edit;
using jsonheal::replay;
using jsonheal::rule;
using jsonheal::args_detail::compose;
using jsonheal::args_detail::edit_log;
using jsonheal::args_detail::put;

/// A log that fits a text of that size.
edit_log random_log(std::mt19937& random, std::size_t size) {
    edit_log log;
    std::size_t at = 0;
    while (at <= size && log.size() < 6) {
        at += random() % 4;
        if (at > size) { break; }
        const std::size_t to = std::min<std::size_t>(size, at + random() % 4);
        log.emplace_back(at, to, std::string_view("uvwxyz").substr(0, random() % 5), rule::prose);
        at = to;
    }
    return log;
}

TEST(compose, gives_what_both_give_in_a_row) {
    std::mt19937 random(7);
    for (int i = 0; i < 200000; ++i) {
        const std::string a = std::string("0123456789abcdef").substr(0, random() % 17);
        const edit_log first = random_log(random, a.size());
        const std::string b = *replay(a, first);
        const edit_log second = random_log(random, b.size());
        const std::string c = *replay(b, second);
        const edit_log both = compose(first, second);
        ASSERT_EQ(replay(a, both), c) << a << " -> " << b << " -> " << c;
    }
}

TEST(compose, keeps_the_rule_of_what_stays) {
    const edit_log first{edit(0, 1, "\"", rule::quote_style), edit(4, 5, "\"", rule::quote_style)};
    const edit_log second{edit(0, 0, "{", rule::arguments_field)};
    const edit_log both = compose(first, second);
    ASSERT_EQ(both.size(), 3U);
    EXPECT_EQ(both[0].rule, rule::arguments_field);
    EXPECT_EQ(both[1], first[0]);
    EXPECT_EQ(both[2], first[1]);
}

TEST(put, splits_long_texts_between_characters) {
    edit_log log;
    put(log, 2, 3, "0123456789abc\xE6\x97\xA5zz", rule::prose);
    ASSERT_EQ(log.size(), 2U);
    EXPECT_EQ(log[0], edit(2, 3, "0123456789abc", rule::prose));
    EXPECT_EQ(log[1], edit(3, 3, "\xE6\x97\xA5zz", rule::prose));
}

} // namespace
