#include <jsonheal/edits.hpp>

#include <gtest/gtest.h>

namespace {

using jsonheal::locate;
using jsonheal::text_position;

TEST(locate, counts_from_one_in_bytes) {
    EXPECT_EQ(locate("", 0), (text_position{1, 1}));
    EXPECT_EQ(locate("abc", 2), (text_position{1, 3}));
    EXPECT_EQ(locate("\xC3\xA4x", 2), (text_position{1, 3}));
}

TEST(locate, lines_end_at_lf_crlf_and_cr) {
    EXPECT_EQ(locate("a\nb", 2), (text_position{2, 1}));
    EXPECT_EQ(locate("a\r\nb", 3), (text_position{2, 1}));
    EXPECT_EQ(locate("a\rb", 2), (text_position{2, 1}));
    EXPECT_EQ(locate("\r\r\n\n\r", 5), (text_position{5, 1}));
}

TEST(locate, a_line_end_is_on_its_own_line) {
    EXPECT_EQ(locate("a\nb", 1), (text_position{1, 2}));
    EXPECT_EQ(locate("a\r\nb", 1), (text_position{1, 2}));
    EXPECT_EQ(locate("a\r\nb", 2), (text_position{1, 3}));
}

TEST(locate, clamps_to_the_end) {
    EXPECT_EQ(locate("a\nbc", 99), (text_position{2, 3}));
    EXPECT_EQ(locate("a\r", 99), (text_position{2, 1}));
}

} // namespace
