// Steps grow with the value, not faster: deep values, nested unions, long lists, chains of wrappers.
#include "helper.hpp"

namespace {

using namespace jsonheal;
using namespace jsonheal_test;

/// A union in a union in a union …, of `depth` levels; the innermost is an integer.
std::string nested_union(unsigned depth) {
    std::string schema = R"({"type":"integer"})";
    for (unsigned i = 0; i != depth; ++i) {
        schema = R"({"anyOf":[{"type":"null"},)" + schema + R"(,{"enum":["x"]}]})";
    }
    return schema;
}

/// Unions on the way to a deep value: each level a list or an object.
constexpr std::string_view tree =
    R"({"$ref":"#/$defs/t","$defs":{"t":{"anyOf":[{"type":"integer"},{"type":"object","properties":{"l":{"$ref":"#/$defs/t"},"r":{"$ref":"#/$defs/t"}},"required":["l","r"],"additionalProperties":false},{"type":"array","items":{"$ref":"#/$defs/t"}},{"oneOf":[{"type":"boolean"},{"type":"object","properties":{"m":{"$ref":"#/$defs/t"}},"required":["m"]}]}]}}})";

std::string deep_value(unsigned depth) {
    std::string value = "\"5\"";
    for (unsigned i = 0; i != depth; ++i) {
        value = i % 2 == 0 ? R"({"l":"1","r":)" + value + "}" : "[" + value + "]";
    }
    return value;
}

std::uint64_t steps_of(std::string_view schema, const std::string& value, const align_options& o = {}) {
    const alignment a = aligned(schema, value, o);
    EXPECT_LT(a.steps, align_limits{}.steps);
    return a.steps;
}

TEST(growth, of_unions_nested_in_unions_is_linear) {
    const std::uint64_t at_10 = steps_of(nested_union(10), "\"5\"");
    const std::uint64_t at_50 = steps_of(nested_union(50), "\"5\"");
    EXPECT_LE(at_50, at_10 * 6);
    EXPECT_EQ(aligned(nested_union(50), "\"5\"").json, "5");
}

TEST(growth, of_deep_values_under_unions_is_linear) {
    const std::uint64_t at_50 = steps_of(tree, deep_value(50));
    const std::uint64_t at_500 = steps_of(tree, deep_value(500));
    EXPECT_LE(at_500, at_50 * 12);
    EXPECT_TRUE(aligned(tree, deep_value(500)).fits);
}

TEST(growth, of_deep_values_that_do_not_fit_is_linear) {
    std::string open(500, '[');
    const std::string value = open + "\"x\"" + std::string(500, ']');
    align_options lossy;
    lossy.max_risk = risk::lossy;
    EXPECT_LE(steps_of(tree, value, lossy), 500'000U);
    EXPECT_LE(steps_of(R"({"type":"array","items":{"type":"integer"}})", value, lossy), 50'000U);
}

TEST(growth, depth_costs_no_stack) {
    const std::string value = std::string(20'000, '[') + "\"5\"" + std::string(20'000, ']');
    const alignment a = aligned(
        R"({"$ref":"#/$defs/t","$defs":{"t":{"type":"array","items":{"anyOf":[{"type":"integer"},{"$ref":"#/$defs/t"}]}}}})",
        value);
    EXPECT_TRUE(a.fits);
    EXPECT_EQ(a.changes.size(), 1U);
}

TEST(growth, of_lists_is_linear) {
    const auto list = [](unsigned size) {
        std::string all = "[";
        for (unsigned i = 0; i != size; ++i) {
            all += std::string(i == 0 ? "" : ",") + R"({"Id":"7","tags":"a","kind":"B"})";
        }
        return all + "]";
    };
    constexpr std::string_view schema =
        R"({"type":"array","items":{"oneOf":[{"type":"object","properties":{"kind":{"const":"a"}},"required":["kind"]},{"type":"object","properties":{"id":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}},"kind":{"const":"b"}},"required":["id","tags","kind"]}]}})";
    const std::uint64_t at_100 = steps_of(schema, list(100));
    EXPECT_LE(steps_of(schema, list(1000)), at_100 * 11);
    EXPECT_TRUE(aligned(schema, list(100)).fits);
}

TEST(growth, of_unions_side_by_side_is_bounded) {
    std::string all;
    for (int i = 0; i != 400; ++i) {
        const std::string key = "k" + std::to_string(i);
        all.append(all.empty() ? "" : ",")
            .append(R"({"anyOf":[{"required":[")" + key + R"("]},{"properties":{")" + key +
                    R"(":{"type":"integer"}},"minProperties":)" + std::to_string(i + 2) + "}]}");
    }
    const alignment a = aligned(R"({"type":"object","allOf":[)" + all + "]}", R"({"k1":"5"})");
    EXPECT_FALSE(a.fits);
    EXPECT_LE(a.steps, align_limits{}.steps * 2);
}

TEST(growth, a_schema_that_only_leads_to_itself_ends) {
    for (
        const std::string_view schema :
        {R"({"$ref":"#/$defs/a","$defs":{"a":{"type":"array","items":{"$ref":"#/$defs/a"}}}})",
         R"({"type":"object","properties":{"c":{"$ref":"#"}},"required":["c"]})",
         R"({"$defs":{"a":{"anyOf":[{"type":"integer"},{"allOf":[{"$ref":"#/$defs/a"}]}]}},"type":"array","items":{"type":"integer"}})"}) {
        align_options o;
        o.max_risk = risk::lossy;
        (void)aligned(schema, "\"x\"", o);
        (void)aligned(schema, R"({"a":{"b":{"c":"x"}}})", o);
    }
}

} // namespace
