#include <jsonheal/answer.hpp>

#include <gtest/gtest.h>

namespace {

using jsonheal::answer;

TEST(answer, says_which_candidate_it_took_and_why) {
    const auto a = answer("<think>{\"draft\":1}</think>{\"final\":2}");
    EXPECT_EQ(a.result.json(), "{\"final\":2}");
    EXPECT_EQ(a.reason, "took 1 of 2 values, at bytes 26 to 37; left 1: reasoning");
}

TEST(answer, takes_the_last_of_values_parted_by_prose) {
    const auto a = answer("Maybe {\"a\":1}. No, rather {\"a\":2}.");
    EXPECT_EQ(a.result.json(), "{\"a\":2}");
    EXPECT_EQ(a.result.risk, jsonheal::risk::lossy);
    EXPECT_NE(a.reason.find("left 1: value_dropped"), std::string::npos) << a.reason;
}

TEST(answer, makes_a_list_of_values_one_a_line) {
    const auto a = answer("{\"a\":1}\n{\"a\":2}\n");
    EXPECT_EQ(a.result.json(), "[{\"a\":1},\n{\"a\":2}]\n");
    EXPECT_EQ(a.reason, "took 2 of 2 values, at bytes 0 to 15, as a list");
}

TEST(answer, names_the_only_value) {
    EXPECT_EQ(answer("[1]").reason, "took the only value, at bytes 0 to 3");
    EXPECT_EQ(answer("no JSON").reason, "there is no JSON in the text");
}

} // namespace
