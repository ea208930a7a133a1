#include <jsonheal/extract.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

std::vector<std::string> texts(std::string_view input) {
    std::vector<std::string> out;
    for (const jsonheal::candidate& c : jsonheal::extract(input)) { out.push_back(c.json); }
    return out;
}

using strings = std::vector<std::string>;

TEST(extract, finds_values_in_prose) {
    EXPECT_EQ(texts("first {a: 1}, then [2,]"), (strings{R"({"a": 1})", "[2]"}));
    EXPECT_EQ(texts("nothing here"), strings{});
    EXPECT_EQ(texts(""), strings{});
}

TEST(extract, looks_into_fences_tags_and_reasoning) {
    const auto found =
        jsonheal::extract("<think>{'a':1}</think>\n```json\n{\"b\":2}\n```\n<answer>{\"c\":3}</answer>");
    ASSERT_EQ(found.size(), 3u);
    EXPECT_TRUE(found[0].reasoning);
    EXPECT_FALSE(found[0].taken);
    EXPECT_EQ(found[0].why, jsonheal::rule::reasoning);
    EXPECT_TRUE(found[1].fenced);
    EXPECT_FALSE(found[2].fenced);
    EXPECT_TRUE(found[2].taken);
}

TEST(extract, says_where_a_value_stood_and_that_it_was_cut) {
    const auto found = jsonheal::extract("x {\"a\":[1,");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].begin, 2u);
    EXPECT_EQ(found[0].json, "{\"a\":[1]}");
    EXPECT_EQ(found[0].cut, jsonheal::cut_place::between);
}

} // namespace
