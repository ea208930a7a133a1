#include <jsonheal/edits.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <type_traits>

namespace {

using jsonheal::risk;
using jsonheal::rule;

TEST(rules_table, ids_are_unique_and_lead_back_to_their_rule) {
    std::set<std::string_view> ids;
    for (std::size_t i = 0; i < jsonheal::rules().size(); ++i) {
        const auto& row = jsonheal::rules()[i];
        EXPECT_TRUE(ids.insert(row.id).second) << row.id;
        EXPECT_EQ(jsonheal::rule_by_name(row.id), static_cast<rule>(i));
        EXPECT_EQ(&jsonheal::info(static_cast<rule>(i)), &row);
    }
    // rule_set keeps one bit for each.
    EXPECT_LE(ids.size(), 128U);
}

TEST(rules_table, unknown_names_give_nothing) {
    EXPECT_FALSE(jsonheal::rule_by_name("").has_value());
    EXPECT_FALSE(jsonheal::rule_by_name("quote_styles").has_value());
    EXPECT_FALSE(jsonheal::risk_by_name("Exact").has_value());
}

TEST(rules_table, every_row_is_filled_and_shows_a_change) {
    for (const auto& row : jsonheal::rules()) {
        EXPECT_FALSE(row.meaning.empty()) << row.id;
        EXPECT_FALSE(row.after.empty()) << row.id;
        EXPECT_NE(row.before, row.after) << row.id;
        const bool snake = std::all_of(row.id.begin(), row.id.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
        });
        EXPECT_TRUE(snake) << row.id;
        EXPECT_EQ(row.meaning.find('|'), std::string_view::npos)
            << row.id << ": it would break the table of docs/rules.md";
        EXPECT_FALSE(row.meaning.ends_with('.')) << row.id;
    }
}

TEST(rules_table, risks_have_names) {
    EXPECT_EQ(jsonheal::name(risk::exact), "exact");
    EXPECT_EQ(jsonheal::name(risk::lossy), "lossy");
    for (const auto r : {risk::exact, risk::likely, risk::invented, risk::lossy}) {
        EXPECT_EQ(jsonheal::risk_by_name(jsonheal::name(r)), r);
    }
}

TEST(edit, is_small_and_plain) {
    static_assert(sizeof(jsonheal::edit) == 24);
    static_assert(std::is_trivially_copyable_v<jsonheal::edit>);
    const jsonheal::edit e(3, 5, "\"", rule::quote_style);
    EXPECT_EQ(e.text(), "\"");
    EXPECT_EQ(e.risk(), risk::exact);
    EXPECT_EQ(e, jsonheal::edit(3, 5, "\"", rule::quote_style));
    EXPECT_NE(e, jsonheal::edit(3, 5, "'", rule::quote_style));
    EXPECT_EQ(jsonheal::edit(0, 0, std::string(14, 'x'), rule::inner_quote).text().size(),
              jsonheal::edit::max_text);
}

} // namespace
