// anyOf and oneOf: the right branch, in linear time.
#include "helper.hpp"

using namespace jsonheal;
using namespace schema_test;

namespace {

constexpr std::string_view shapes = R"({"oneOf":[
    {"type":"object","properties":{"kind":{"const":"circle"},"r":{"type":"number"}},"required":["kind","r"]},
    {"$ref":"#/$defs/square"},
    {"type":"array"}],
    "$defs":{"square":{"type":"object","properties":{"kind":{"enum":["square","box"]},"a":{"type":"number"}},"required":["kind","a"]}}})";

} // namespace

TEST(unions, a_discriminator_chooses_the_branch) {
    const schema::program p = compiled(shapes);
    EXPECT_NE(p.listing().find("by \"kind\""), std::string::npos) << p.listing();
    EXPECT_TRUE(valid(p, R"({"kind":"circle","r":1})"));
    EXPECT_TRUE(valid(p, R"({"kind":"box","a":1})"));
    EXPECT_TRUE(valid(p, R"({"kind":"\u0062ox","a":1})"));
    EXPECT_FALSE(valid(p, R"({"kind":"circle","a":1})"));
    EXPECT_FALSE(valid(p, R"({"kind":"triangle"})"));
    EXPECT_FALSE(valid(p, R"({"kind":5,"a":1,"r":1})"));
    EXPECT_FALSE(valid(p, R"({"a":1})"));
    EXPECT_TRUE(valid(p, "[]"));
    EXPECT_FALSE(
        valid(R"({"oneOf":[{"properties":{"k":{"const":"a"}}},{"properties":{"k":{"const":"b"}}}]})", "{}"));
}

TEST(unions, the_nearest_branch_explains) {
    EXPECT_EQ(faults(shapes, R"({"kind":"circle","r":"1"})"), "oneOf ; type /r");
    EXPECT_EQ(faults(shapes, R"({"kind":"box"})"), "oneOf ; required ");
    EXPECT_EQ(faults(R"({"anyOf":[{"type":"string"},{"type":"null"}]})", "5"), "anyOf ");
}

TEST(unions, candidates_are_told_without_evaluating) {
    const schema::program p = compiled(shapes);
    const document d = doc(R"({"kind":"box"})");
    const auto found = p.root().candidates(true, d.root());
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found.front().location(), "#/oneOf/1");
}

// Two branches that both look at the rest of a list: without memory 2^depth.
TEST(unions, nested_deep_are_linear) {
    constexpr std::string_view schema_text = R"({"oneOf":[
        {"properties":{"next":{"$ref":"#"},"a":{"const":1}},"required":["a"]},
        {"properties":{"next":{"$ref":"#"},"b":{"const":1}},"required":["b"]},
        {"maxProperties":0}]})";
    const schema::program p = compiled(schema_text);
    for (const int depth : {50, 2000}) {
        std::string good;
        std::string tail;
        for (int i = 0; i != depth; ++i) {
            good += "{\"next\":";
            tail += i % 2 == 0 ? ",\"a\":1}" : ",\"b\":1}";
        }
        EXPECT_TRUE(valid(p, good + "{}" + tail)) << depth;
        EXPECT_FALSE(valid(p, good + "{\"a\":2}" + tail)) << depth;
    }
}

TEST(unions, references_that_fan_out_are_linear) {
    std::string text = R"({"$ref":"#/$defs/d0","$defs":{)";
    for (int i = 0; i != 60; ++i) {
        const std::string next = "{\"$ref\":\"#/$defs/d" + std::to_string(i + 1) + "\"}";
        text += "\"d" + std::to_string(i) + "\":{\"allOf\":[" + next + "," + next + "]},";
    }
    const schema::program p =
        compiled(text + R"("d60":{"type":"object","properties":{"a":{"type":"string"}}}}})");
    EXPECT_TRUE(valid(p, R"({"a":"x"})"));
    EXPECT_FALSE(valid(p, R"({"a":1})"));
}

TEST(unions, with_unevaluated_properties_remember_what_was_evaluated) {
    std::string text = R"({"$ref":"#/$defs/d0","unevaluatedProperties":false,"$defs":{)";
    for (int i = 0; i != 40; ++i) {
        const std::string next = "{\"$ref\":\"#/$defs/d" + std::to_string(i + 1) + "\"}";
        text += "\"d" + std::to_string(i) + "\":{\"anyOf\":[" + next + "," + next + "]},";
    }
    const schema::program p = compiled(text + R"("d40":{"properties":{"a":{"type":"string"}}}}})");
    EXPECT_TRUE(valid(p, R"({"a":"x"})"));
    EXPECT_FALSE(valid(p, R"({"a":"x","b":1})"));
}

TEST(unions, of_more_than_64_branches_work) {
    std::string text = "{\"oneOf\":[";
    for (int i = 0; i != 200; ++i) {
        text += (i == 0 ? "{\"const\":" : ",{\"const\":") + std::to_string(i) + "}";
    }
    const schema::program p = compiled(text + "]}");
    EXPECT_TRUE(valid(p, "199"));
    EXPECT_FALSE(valid(p, "200"));
}

// Subschemas that walk the same object are run as one; what they say must not change.
TEST(unions, of_all_over_one_object_say_what_they_said) {
    constexpr std::string_view closed =
        R"({"properties":{"a":{},"b":{}},"required":["a"],"additionalProperties":false,
        "allOf":[{"$ref":"#/$defs/A"},{"type":"object","properties":{"b":{"minimum":2},"a":{"maxLength":3}}}],
        "$defs":{"A":{"properties":{"a":{"type":"string"}},"required":["b"]}}})";
    EXPECT_NE(compiled(closed).listing().find("closed"), std::string::npos);
    EXPECT_TRUE(valid(closed, R"({"a":"xyz","b":2})"));
    EXPECT_EQ(faults(closed, R"({"a":"wxyz","b":1,"c":1})"),
              "additionalProperties /c; maxLength /a; minimum /b");
    EXPECT_FALSE(valid(closed, R"({"a":"xyz"})"));
    EXPECT_FALSE(valid(closed, R"({"b":2})"));
    EXPECT_FALSE(valid(closed, "[]"));
    // A key that the closed part does not name stays forbidden, whoever else speaks of it.
    constexpr std::string_view forbidden = R"({"required":["z"],"additionalProperties":false,
        "allOf":[{"properties":{"z":{"type":"null"}}}]})";
    EXPECT_FALSE(valid(forbidden, R"({"z":null})"));
    constexpr std::string_view elements =
        R"({"items":{"properties":{"a":{},"b":{}},"additionalProperties":false},
        "allOf":[{"items":{"properties":{"a":{"type":"string"}}}},{"type":"array","items":{"properties":
        {"a":{"minLength":2}},"required":["a"]}}]})";
    EXPECT_TRUE(valid(elements, R"([{"a":"xx","b":1}])"));
    EXPECT_FALSE(valid(elements, R"([{"a":"x"}])"));
    EXPECT_FALSE(valid(elements, R"([{"a":"xx"},{}])"));
    EXPECT_FALSE(valid(elements, R"([{"a":"xx","c":1}])"));
    EXPECT_FALSE(valid(elements, "{}"));
    EXPECT_TRUE(valid(
        R"({"unevaluatedProperties":false,"allOf":[{"properties":{"a":true}},{"properties":{"b":true}}]})",
        R"({"a":1,"b":2})"));
    EXPECT_FALSE(valid(
        R"({"unevaluatedProperties":false,"allOf":[{"properties":{"a":true}},{"properties":{"b":true}}]})",
        R"({"a":1,"c":2})"));
}

TEST(unions, of_all_with_very_many_branches_lose_none) {
    std::string text = "{\"allOf\":[";
    for (int i = 0; i != 70'000; ++i) { text += R"({"minLength":1},)"; }
    const schema::program p = compiled(text + R"({"maxLength":2}]})");
    EXPECT_TRUE(valid(p, "\"ab\""));
    EXPECT_FALSE(valid(p, "\"abc\""));
}

// Unions of many branches with many keys are told apart by keys only as long as that is cheap.
TEST(unions, that_share_large_branches_compile_in_time) {
    std::string defs;
    std::string branches;
    for (int b = 0; b != 64; ++b) {
        std::string keys;
        for (int k = 0; k != 64; ++k) {
            keys += (k == 0 ? "\"k" : ",\"k") + std::to_string(b * 64 + k) + "\":{\"type\":\"string\"}";
        }
        defs += "\"b" + std::to_string(b) + R"(":{"properties":{)" + keys +
                R"(},"patternProperties":{"^x\\b":true},"additionalProperties":false},)";
        branches += (b == 0 ? R"({"$ref":"#/$defs/b)" : R"(,{"$ref":"#/$defs/b)") + std::to_string(b) + "\"}";
    }
    std::string unions;
    for (int u = 0; u != 100; ++u) {
        unions += (u == 0 ? "\"u" : ",\"u") + std::to_string(u) + R"(":{"oneOf":[)" + branches + "]}";
    }
    const schema::program p =
        compiled(R"({"properties":{)" + unions + R"(},"$defs":{)" + defs + R"("z":true}})");
    EXPECT_TRUE(valid(p, R"({"u7":{"k70":"x"},"u99":{"k1":"y","x":2}})"));
    EXPECT_FALSE(valid(p, R"({"u99":{"k1":"y","k64":"z"}})"));
}
