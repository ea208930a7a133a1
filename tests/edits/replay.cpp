#include <jsonheal/edits.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using jsonheal::edit;
using jsonheal::replay;
using jsonheal::rule;

TEST(replay, an_empty_log_changes_nothing) {
    EXPECT_EQ(replay("{}", {}), "{}");
    EXPECT_EQ(replay("", {}), "");
}

TEST(replay, replaces_inserts_and_deletes) {
    const std::vector<edit> log{{1, 2, "\"", rule::quote_style},
                                {3, 4, "\"", rule::quote_style},
                                {6, 7, "", rule::comma_trailing},
                                {7, 7, "}", rule::closer_missing_end}};
    EXPECT_EQ(replay("{'a':1,", log), "{\"a\":1}");
}

TEST(replay, keeps_the_order_of_insertions_at_one_place) {
    const std::vector<edit> log{{2, 2, "]", rule::closer_missing_end}, {2, 2, "}", rule::closer_missing_end}};
    EXPECT_EQ(replay("{[", log), "{[]}");
}

TEST(replay, a_long_replacement_is_several_edits) {
    const std::vector<edit> log{{0, 1, "12345678901234", rule::number_style},
                                {1, 1, "567", rule::number_style}};
    EXPECT_EQ(replay("x", log), "12345678901234567");
}

TEST(replay, carries_any_bytes) {
    const std::string input("a\0\xFF"
                            "b",
                            4);
    const std::vector<edit> log{{2, 3, "\xEF\xBF\xBD", rule::invalid_utf8}};
    EXPECT_EQ(replay(input, log), std::string("a\0\xEF\xBF\xBD"
                                              "b",
                                              6));
}

TEST(replay, refuses_a_log_that_does_not_fit) {
    const auto refused = [](std::vector<edit> log) { return !replay("abcdef", log).has_value(); };
    EXPECT_TRUE(refused({{3, 4, "", rule::prose}, {1, 2, "", rule::prose}})) << "out of order";
    EXPECT_TRUE(refused({{1, 4, "", rule::prose}, {3, 5, "", rule::prose}})) << "overlapping";
    EXPECT_TRUE(refused({{5, 7, "", rule::prose}})) << "past the end";
    EXPECT_TRUE(refused({{7, 7, "]", rule::closer_missing_end}})) << "past the end";
    EXPECT_TRUE(refused({{4, 3, "", rule::prose}})) << "backwards";
    edit broken(0, 1, "x", rule::prose);
    broken.size = edit::max_text + 1;
    EXPECT_TRUE(refused({broken})) << "more text than an edit can hold";
    EXPECT_FALSE(refused({{0, 3, "", rule::prose}, {3, 6, "", rule::prose}}))
        << "touching is not overlapping";
}

} // namespace
