// Runs the golden cases: one test a file, which lists every case that is not met.
//
// tests/golden/known_misses.json, {"file/id": reason}, names cases that are known to fail. A listed case that passes fails
// the test, so the list cannot rot.
#include "golden.hpp"
#include "options.hpp"
#include "show.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace jsonheal_test {
namespace {

class golden : public testing::TestWithParam<std::string> {};

std::string title(const golden_case& c) {
    return "  " + c.id + ": input " + show(c.input) + " under " + show(c.options) + "\n    ";
}

TEST_P(golden, cases_are_met) {
    std::map<std::string, std::string> known;
    for (auto& [id, reason] : known_misses()) { known[id] = reason; }
    std::size_t count = 0;
    std::size_t missed = 0;
    std::string report;
    for (const golden_case& c : golden_cases(GetParam())) {
        ++count;
        if (!c.fault.empty()) {
            ++missed;
            report += "  " + c.id + ": the case itself is wrong: " + c.fault + "\n";
            continue;
        }
        jsonheal::healing h = jsonheal::heal(c.input, c.options);
        failure why = judge(c, h);
        // What is asked of a case is not all: whatever comes out keeps the laws.
        failure law = check_all(c.input, c.options, {chunks_of(1)});
        bool listed = known.count(c.name()) != 0;
        if (law || (why && !listed)) {
            ++missed;
            report += title(c) + (why && !listed ? *why : "") + (law ? "\n    " + *law : "") + "\n";
        } else if (!why && listed) {
            ++missed;
            report += title(c) + "passes, but is listed as a known miss: " + known[c.name()] + "\n";
        }
    }
    EXPECT_GT(count, 0U) << "no cases";
    EXPECT_EQ(missed, 0U) << missed << " of " << count << " cases of " << GetParam() << " are not met:\n"
                          << report;
}

INSTANTIATE_TEST_SUITE_P(files, golden, testing::ValuesIn(golden_files()), [](const auto& row) {
    std::string name = row.param.substr(0, row.param.find('.'));
    for (char& c : name) {
        if (c == '-') { c = '_'; }
    }
    return name;
});

TEST(golden_list, ids_are_unique_and_known_misses_exist) {
    std::set<std::string> ids;
    for (const std::string& file : golden_files()) {
        for (const golden_case& c : golden_cases(file)) {
            EXPECT_TRUE(ids.insert(c.name()).second) << c.name();
        }
    }
    EXPECT_GT(ids.size(), 0U) << "run it in the root of the sources";
    for (auto& [id, reason] : known_misses()) {
        EXPECT_EQ(ids.count(id), 1U) << id << " is listed as a known miss, but there is no such case";
        EXPECT_FALSE(reason.empty()) << id;
    }
}

} // namespace
} // namespace jsonheal_test
