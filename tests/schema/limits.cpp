// Schemas and instances of strangers: bounded time, no crash, a clear answer.
#include "helper.hpp"

using namespace jsonheal;
using namespace schema_test;

namespace {

std::string repeated(std::string_view part, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i != times; ++i) { out += part; }
    return out;
}

} // namespace

TEST(limits, an_instance_a_million_deep) {
    const std::string text = repeated("[", 1'000'000) + repeated("]", 1'000'000);
    EXPECT_TRUE(valid(R"({"items":{"$ref":"#"}})", text));
    EXPECT_TRUE(valid(R"({"items":{"$ref":"#"},"uniqueItems":true})", text));
    EXPECT_TRUE(valid(R"({"anyOf":[{"type":"null"},{"type":"array","items":{"$ref":"#"}}]})", text));
    const document d = doc(repeated("[", 1'000'000) + "5" + repeated("]", 1'000'000));
    const schema::validation v =
        schema::validate(compiled(R"({"type":"array","items":{"$ref":"#"}})"), d.root());
    ASSERT_EQ(v.violations.size(), 1u);
    EXPECT_EQ(v.violations.front().instance.size(), 2'000'000u);
}

TEST(limits, a_schema_ten_thousand_deep) {
    const std::string nots = repeated("{\"not\":", 10'000) + "true" + repeated("}", 10'000);
    EXPECT_TRUE(valid(nots, "1"));
    const std::string items = repeated("{\"items\":", 10'000) + "false" + repeated("}", 10'000);
    EXPECT_TRUE(valid(items, "[[[[1]]]]"));
    EXPECT_FALSE(valid(items, repeated("[", 10'000) + "1" + repeated("]", 10'000)));
    const std::string any =
        repeated("{\"anyOf\":[", 10'000) + "{\"type\":\"string\"}" + repeated("]}", 10'000);
    EXPECT_TRUE(valid(any, "\"x\""));
    EXPECT_FALSE(valid(any, "1"));
    std::string chain = R"({"$ref":"#/$defs/0","$defs":{)";
    for (int i = 0; i != 10'000; ++i) {
        chain += "\"" + std::to_string(i) + "\":{\"$ref\":\"#/$defs/" + std::to_string(i + 1) + "\"},";
    }
    EXPECT_FALSE(valid(chain + R"("10000":{"type":"string"}}})", "1"));
}

TEST(limits, a_schema_of_ten_megabytes) {
    std::string text = "{\"properties\":{";
    for (int i = 0; i != 200'000; ++i) {
        text += (i == 0 ? "\"property_" : ",\"property_") + std::to_string(i) +
                "\":{\"type\":\"string\",\"minLength\":2}";
    }
    const schema::program p = compiled(text + "}}");
    EXPECT_FALSE(valid(p, R"({"property_199999":"x"})"));
    EXPECT_TRUE(valid(p, R"({"property_199999":"xx"})"));
}

TEST(limits, passing_one_is_an_error_with_its_name) {
    schema::compile_options o;
    o.limits.bytes = 10;
    EXPECT_EQ(error_of(R"({"type":"string"})", o), ": the schema is longer than the limit");
    o = {};
    o.limits.subschemas = 2;
    EXPECT_NE(error_of(R"({"properties":{"a":{},"b":{},"c":{}}})", o).find("more subschemas"),
              std::string::npos);
    o = {};
    o.limits.patterns = 1;
    EXPECT_NE(error_of(R"({"pattern":"a","items":{"pattern":"b"}})", o).find("more regular expressions"),
              std::string::npos);
    EXPECT_EQ(error_of(R"({"pattern":"a","items":{"pattern":"a"}})", o), "");
    o = {};
    o.limits.pattern_bytes = 3;
    EXPECT_NE(error_of(R"({"pattern":"aaaa"})", o).find("longer than the limit"), std::string::npos);
    o = {};
    o.limits.number_digits = 3;
    EXPECT_NE(error_of(R"({"multipleOf":1234})", o).find("more digits"), std::string::npos);
    o = {};
    o.limits.documents = 2;
    unsigned asked = 0;
    o.loader = [&asked](std::string_view) -> std::optional<document> {
        return doc("{\"$ref\":\"http://x/" + std::to_string(++asked) + "\"}");
    };
    EXPECT_NE(error_of(R"({"$ref":"http://x/0"})", o).find("more documents"), std::string::npos);
}

TEST(limits, steps_end_in_a_violation) {
    schema::validate_limits l;
    l.steps = 1000;
    const document d = doc("[" + repeated("[1],", 1000) + "[1]]");
    const schema::program p = compiled(R"({"items":{"items":{"type":"number"}}})");
    EXPECT_TRUE(schema::fits(p, d.root()));
    EXPECT_FALSE(schema::fits(p, d.root(), l));
    const schema::validation v = schema::validate(p, d.root(), l);
    EXPECT_FALSE(v.valid);
    ASSERT_EQ(v.violations.size(), 1u);
    EXPECT_EQ(v.violations.front().keyword, "limit");
}

TEST(limits, violations_listed_are_bounded) {
    const document d = doc("[" + repeated("1,", 100'000) + "1]");
    const schema::program p = compiled(R"({"items":{"type":"string"}})");
    schema::validation v = schema::validate(p, d.root());
    EXPECT_EQ(v.violations.size(), 100u);
    EXPECT_FALSE(v.complete);
    schema::validate_limits l;
    l.violations = 0;
    v = schema::validate(p, d.root(), l);
    EXPECT_EQ(v.violations.size(), 1u);
}

TEST(limits, a_dynamic_reference_that_never_ends) {
    const document d = doc("1");
    const schema::compile_result made = schema::compile(doc(R"({"$dynamicAnchor":"x","anyOf":[
        {"$dynamicRef":"#x"},{"$dynamicRef":"#x"}]})"));
    ASSERT_TRUE(made);
    EXPECT_FALSE(schema::fits(made.value, d.root()));
    const schema::validation v = schema::validate(made.value, d.root());
    ASSERT_FALSE(v.violations.empty());
    EXPECT_EQ(v.violations.back().keyword, "limit");
}

TEST(limits, keys_that_agree_in_length_and_ends) {
    std::string text = "{\"properties\":{";
    std::string instance = "{";
    for (int i = 10'000; i != 40'000; ++i) {
        const std::string key = "\"prefix__" + std::to_string(i) + "__suffix\":";
        text += (i == 10'000 ? "" : ",") + key + "{\"type\":\"string\"}";
        instance += (i == 10'000 ? "" : ",") + key + "\"x\"";
    }
    EXPECT_TRUE(valid(text + "}}", instance + "}"));
}

TEST(limits, unique_items_is_not_quadratic) {
    std::string text = "[";
    for (int i = 0; i != 200'000; ++i) { text += "\"" + std::to_string(i) + "\","; }
    EXPECT_TRUE(valid(R"({"uniqueItems":true})", text + "null]"));
    EXPECT_FALSE(valid(R"({"uniqueItems":true})", text + "\"7\"]"));
    // Nested arrays, each of which has to be compared.
    const std::string nested = repeated("[1,", 100'000) + "1" + repeated("]", 100'000);
    EXPECT_FALSE(valid(R"({"uniqueItems":true,"items":{"$ref":"#"}})", nested));
}
