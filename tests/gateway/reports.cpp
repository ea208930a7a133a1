// The last healings, by the id of their request and the key that asked.
#include "reports.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace {

using jsonheal::gateway::report_ring;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(reports, found_by_id_and_owner) {
    report_ring ring(10);
    ring.put("r1", "a", "1");
    ring.put("r2", "b", "2");
    EXPECT_EQ(ring.find("r1", "a"), "1");
    EXPECT_EQ(ring.find("r1", "b"), std::nullopt) << "another's";
    EXPECT_EQ(ring.find("r1", ""), std::nullopt);
    EXPECT_EQ(ring.find("r3", "a"), std::nullopt);
    EXPECT_THAT(ring.latest(10, "a"), ElementsAre("1"));
    EXPECT_THAT(ring.latest(10, "c"), IsEmpty());
}

TEST(reports, ids_of_two_owners_do_not_meet) {
    report_ring ring(10);
    ring.put("same", "a", "1");
    ring.put("same", "b", "2");
    EXPECT_EQ(ring.find("same", "a"), "1");
    EXPECT_EQ(ring.find("same", "b"), "2");
}

TEST(reports, of_one_id_the_newest) {
    report_ring ring(2);
    ring.put("r", "a", "1");
    ring.put("r", "a", "2");
    EXPECT_EQ(ring.find("r", "a"), "2");
    ring.put("s", "a", "3");
    EXPECT_EQ(ring.find("r", "a"), "2") << "the older of the two was forgotten, not the id";
    ring.put("t", "a", "4");
    EXPECT_EQ(ring.find("r", "a"), std::nullopt);
}

TEST(reports, the_oldest_is_forgotten) {
    report_ring ring(3);
    for (int i = 0; i < 10; ++i) { ring.put("r" + std::to_string(i), "a", std::to_string(i)); }
    EXPECT_THAT(ring.latest(10, "a"), ElementsAre("9", "8", "7"));
    EXPECT_THAT(ring.latest(2, "a"), ElementsAre("9", "8"));
    EXPECT_EQ(ring.find("r6", "a"), std::nullopt);
    EXPECT_EQ(ring.find("r7", "a"), "7");
}

TEST(reports, bounded_in_bytes) {
    report_ring ring(1000, 100);
    ring.put("a", "", std::string(25, 'x')); // 26 bytes with its id
    EXPECT_EQ(ring.find("a", ""), std::nullopt) << "more than a quarter";
    for (int i = 0; i < 9; ++i) { ring.put(std::to_string(i), "", std::string(24, 'x')); }
    EXPECT_EQ(ring.latest(1000, "").size(), 4u);
    EXPECT_EQ(ring.find("4", ""), std::nullopt);
    EXPECT_NE(ring.find("5", ""), std::nullopt);
}

TEST(reports, none_are_kept_where_none_are_wanted) {
    report_ring ring(0);
    ring.put("a", "", "1");
    EXPECT_EQ(ring.find("a", ""), std::nullopt);
}

} // namespace
