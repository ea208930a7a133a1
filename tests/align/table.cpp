// The table of coercions: every row's example is what happens.
#include "helper.hpp"

#include <algorithm>
#include <set>

namespace {

using namespace jsonheal;
using namespace jsonheal_test;

class rules_of_alignment : public testing::TestWithParam<align_rule_info> {};

TEST_P(rules_of_alignment, does_what_its_example_says) {
    const align_rule_info& row = GetParam();
    align_options o;
    o.max_risk = row.risk > risk::likely ? row.risk : risk::likely;
    o.defaults = row.id == "default_value" || row.id == "null_value";
    const alignment a = aligned(row.schema, row.before, o);
    EXPECT_TRUE(a.fits);
    EXPECT_EQ(a.json, row.after);
    ASSERT_FALSE(a.changes.empty());
    for (const change& c : a.changes) { EXPECT_EQ(info(c.rule).id, row.id); }
    EXPECT_EQ(a.risk, row.risk);
    EXPECT_EQ(a.cost, row.cost * a.changes.size());
    if (row.risk > risk::likely) {
        o.max_risk = risk::likely;
        const alignment refused = aligned(row.schema, row.before, o);
        EXPECT_TRUE(refused.changes.empty());
        EXPECT_TRUE(!refused.fits || o.defaults) << "done without leave";
        if (refused.offender) { EXPECT_EQ(info(refused.offender->rule).id, row.id); }
    }
}

INSTANTIATE_TEST_SUITE_P(all, rules_of_alignment,
                         testing::ValuesIn(align_rules().begin(), align_rules().end()),
                         [](const auto& i) { return std::string(i.param.id); });

TEST(align_rules_table, rows_are_filled_and_costs_follow_risks) {
    std::set<std::string_view> ids;
    for (std::size_t i = 0; i != align_rules().size(); ++i) {
        const align_rule_info& row = align_rules()[i];
        EXPECT_TRUE(ids.insert(row.id).second) << row.id;
        EXPECT_EQ(&info(static_cast<align_rule>(i)), &row);
        EXPECT_FALSE(row.meaning.empty() || row.meaning.ends_with('.')) << row.id;
        EXPECT_EQ(row.meaning.find('|'), std::string_view::npos)
            << row.id << ": it would break the table of docs/align.md";
        const std::uint32_t least[] = {1, 10, 100, 10'000};
        const std::uint32_t most[] = {9, 99, 999, 99'999};
        EXPECT_GE(row.cost, least[static_cast<std::size_t>(row.risk)]) << row.id;
        EXPECT_LE(row.cost, most[static_cast<std::size_t>(row.risk)]) << row.id;
    }
}

TEST(align_rules_table, the_page_lists_every_row) {
    const std::string page = read_file("docs/align.md");
    for (const align_rule_info& row : align_rules()) {
        const std::string line = "| `" + std::string(row.id) + "` | " + std::string(name(row.risk)) + " | " +
                                 std::to_string(row.cost) + " | " + std::string(row.meaning) + " |\n";
        EXPECT_NE(page.find(line), std::string::npos) << line;
    }
}

} // namespace
