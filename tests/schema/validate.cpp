// Validating: what violations say.
#include "helper.hpp"

using namespace jsonheal;
using namespace schema_test;

namespace {

schema::violation only(std::string_view schema_text, std::string_view instance) {
    const document d = doc(instance);
    const schema::validation v = schema::validate(compiled(schema_text), d.root());
    EXPECT_EQ(v.violations.size(), 1u) << schema_text;
    return v.violations.empty() ? schema::violation{} : v.violations.front();
}

} // namespace

TEST(validate, a_violation_says_where_and_what) {
    const schema::violation v = only(R"({"$id":"http://x/s","properties":{"a":{"items":{"type":"string"}}}})",
                                     R"({ "a": ["x", 12] })");
    EXPECT_EQ(v.instance, "/a/1");
    EXPECT_EQ(v.begin, 13u);
    EXPECT_EQ(v.end, 15u);
    EXPECT_EQ(v.schema, "http://x/s#/properties/a/items/type");
    EXPECT_EQ(v.keyword, "type");
    EXPECT_EQ(v.expected, "a string");
    EXPECT_EQ(v.got, "the number 12");
    EXPECT_EQ(v.message, "/a/1 must be a string, not the number 12.");
}

TEST(validate, every_keyword_has_its_sentence) {
    struct row {
        std::string_view schema;
        std::string_view instance;
        std::string_view message;
    };
    constexpr row rows[] = {
        {R"({"type":["integer","null"]})", "1.5",
         "The value must be null or a whole number, not the number 1.5."},
        {R"({"enum":["a","b"]})", "\"c\"", "The value must be one of \"a\" and \"b\", not the string \"c\"."},
        {R"({"const":5})", "6", "The value must be 5, not the number 6."},
        {R"({"minimum":5})", "4", "The value must be at least 5, not 4."},
        {R"({"exclusiveMaximum":5})", "5", "The value must be less than 5, not 5."},
        {R"({"multipleOf":5})", "4", "The value must be a multiple of 5, not 4."},
        {R"({"minLength":3})", "\"ab\"", "The value must have at least 3 characters; it has 2."},
        {R"({"maxItems":1})", "[1,2]", "The value must have at most 1 element; it has 2."},
        {R"({"minProperties":1})", "{}", "The value must have at least 1 key; it has 0."},
        {R"({"uniqueItems":true})", "[1,2,1]",
         "The value must not hold equal elements, but those at 0 and 2 are equal."},
        {R"({"required":["a"]})", "{}", "The value lacks the required key \"a\"."},
        {R"({"properties":{"a":{}},"additionalProperties":false})", "{\"b\":1}",
         "The key \"b\" at /b is not allowed; allowed are \"a\"."},
        {R"({"properties":{"a":false}})", "{\"a\":1}", "/a is not allowed here; leave it out."},
        {R"({"items":false})", "[1]", "/0 is one element too many; leave it out."},
        {R"({"contains":{"type":"string"}})", "[1]",
         "The value must have at least 1 element of the form under contains; it has 0."},
        {R"({"contains":true,"maxContains":1})", "[1,2]",
         "The value must have at most 1 element of the form under contains; it has 2."},
        {R"({"dependentRequired":{"a":["b"]}})", "{\"a\":1}",
         "The value has the key \"a\", so it must also have the key \"b\"."},
        {R"({"not":{"type":"string"}})", "\"x\"", "The value must not be of the form under not."},
        {R"({"oneOf":[true,true]})", "1",
         "The value must fit exactly one of the allowed forms, but it fits 2."},
        {R"({"unevaluatedProperties":false})", "{\"a\":1}", "The key \"a\" at /a is not allowed."},
        {R"({"propertyNames":{"maxLength":1}})", "{\"ab\":1}",
         "/ab must have at most 1 character; it has 2."},
    };
    for (const row& r : rows) { EXPECT_EQ(only(r.schema, r.instance).message, r.message) << r.schema; }
}

TEST(validate, all_faults_are_listed) {
    EXPECT_EQ(
        faults(R"({"type":"object","required":["x","y"],"properties":{"a":{"type":"string","minLength":3},
        "b":{"items":{"minimum":3}}},"additionalProperties":false})",
               R"({"a":"z","b":[1,5,2],"c":1})"),
        "minLength /a; minimum /b/0; minimum /b/2; additionalProperties /c; required ; required ");
}

TEST(validate, a_forbidden_key_is_a_fault_of_the_key) {
    const schema::violation v = only(R"({"additionalProperties":false})", R"({"key" : [1]})");
    EXPECT_EQ(v.begin, 1u);
    EXPECT_EQ(v.end, 6u);
    EXPECT_EQ(v.instance, "/key");
}

TEST(validate, what_failed_is_not_unevaluated_besides) {
    EXPECT_EQ(faults(R"({"allOf":[{"properties":{"a":{"type":"string"}}}],"unevaluatedProperties":false})",
                     R"({"a":1,"b":2})"),
              "type /a; unevaluatedProperties /b");
}

TEST(validate, lengths_count_code_points) {
    EXPECT_TRUE(valid(R"({"maxLength":1})", "\"\xF0\x9F\x98\x80\""));
    EXPECT_TRUE(valid(R"({"maxLength":1})", R"("\ud83d\ude00")"));
    EXPECT_TRUE(valid(R"({"minLength":1,"maxLength":1})", R"("\ud83d")"));
    EXPECT_FALSE(valid(R"({"minLength":2})", "\"\xF0\x9F\x98\x80\""));
}

TEST(validate, keys_are_compared_decoded) {
    constexpr std::string_view schema_text = R"({"properties":{"a\/b":{"type":"string"}},"required":["a/b"],
        "additionalProperties":false})";
    EXPECT_TRUE(valid(schema_text, R"({"\u0061/b":"x"})"));
    EXPECT_FALSE(valid(schema_text, R"({"\u0061/b":1})"));
}

TEST(validate, every_value_of_a_repeated_key_has_to_fit) {
    constexpr std::string_view schema_text = R"({"properties":{"a":{"type":"string"}},"maxProperties":1})";
    EXPECT_TRUE(valid(schema_text, R"({"a":"x","a":"y"})"));
    EXPECT_FALSE(valid(schema_text, R"({"a":"x","a":1})"));
    EXPECT_FALSE(valid(schema_text, R"({"a":1,"a":"x"})"));
    EXPECT_FALSE(valid(R"({"minProperties":2})", R"({"a":1,"a":2})"));
}

TEST(validate, long_values_are_shortened_at_a_character) {
    std::string text = "\"" + std::string(78, 'x');
    for (int i = 0; i != 50; ++i) { text += "\xC3\xA9"; }
    const schema::violation v = only(R"({"type":"number"})", text + "\"");
    EXPECT_LT(v.got.size(), 110u);
    EXPECT_TRUE(v.got.ends_with("..."));
    std::string encoded;
    encode_string(v.got, encoded);
    EXPECT_EQ(encoded.find("\xEF\xBF\xBD"), std::string::npos);
}

TEST(validate, many_required_keys) {
    std::string required = "{\"required\":[";
    std::string instance = "{";
    for (int i = 0; i != 200; ++i) {
        required += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\"";
        if (i != 150) { instance += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":1"; }
    }
    EXPECT_EQ(faults(required + "]}", instance + "}"), "required ");
    EXPECT_EQ(faults(required + "]}", instance + ",\"k150\":1}"), "");
}

TEST(validate, a_forbidden_part_behind_a_reference_has_a_place) {
    schema::compile_options o;
    o.loader = [](std::string_view) {
        return std::optional<document>(doc(R"({"x":[1,2,3],"never":false})"));
    };
    const schema::program p = compiled(R"({"$ref":"urn:x#/never"})", o);
    const document d = doc("1");
    const schema::validation v = schema::validate(p, d.root());
    ASSERT_EQ(v.violations.size(), 1u);
    EXPECT_EQ(v.violations.front().schema, "#/$ref");
    EXPECT_EQ(v.violations.front().keyword, "false");
}
