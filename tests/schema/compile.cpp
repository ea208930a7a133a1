// Compiling: dialects, references, and what is said about schemas that cannot be used.
#include "helper.hpp"

using namespace jsonheal;
using namespace schema_test;

TEST(compile, dialects_have_names) {
    EXPECT_EQ(schema::dialect_named("7"), schema::dialect::draft7);
    EXPECT_EQ(schema::dialect_named("draft2019-09"), schema::dialect::draft2019_09);
    EXPECT_EQ(schema::dialect_named("https://json-schema.org/draft/2020-12/schema"),
              schema::dialect::draft2020_12);
    EXPECT_EQ(schema::dialect_named("http://json-schema.org/draft-07/schema#"), schema::dialect::draft7);
    EXPECT_EQ(schema::dialect_named("https://json-schema.org/draft-07/schema"), schema::dialect::draft7);
    EXPECT_EQ(schema::dialect_named("8"), std::nullopt);
    EXPECT_EQ(schema::dialect_named(""), std::nullopt);
    EXPECT_EQ(schema::name(schema::dialect::draft4), "4");
}

TEST(compile, a_default_program_accepts_all) {
    EXPECT_TRUE(valid(schema::program(), "{\"a\":[1]}"));
    EXPECT_TRUE(valid("true", "1"));
    EXPECT_FALSE(valid("false", "1"));
}

TEST(compile, nullable_and_bool_are_understood_unless_switched_off) {
    constexpr std::string_view nullable = R"({"type":"string","nullable":true})";
    EXPECT_TRUE(valid(nullable, "null"));
    EXPECT_FALSE(valid(nullable, "1"));
    EXPECT_FALSE(valid(R"({"type":"string","nullable":false})", "null"));
    EXPECT_TRUE(valid(R"({"type":"bool"})", "true"));
    schema::compile_options strict;
    strict.extensions = false;
    EXPECT_FALSE(valid(compiled(nullable, strict), "null"));
    EXPECT_EQ(error_of(R"({"type":"bool"})", strict), "/type: there is no type \"bool\"");
}

TEST(compile, dollar_schema_and_title_inside_say_nothing) {
    EXPECT_FALSE(valid(R"({"properties":{"a":{"$schema":"http://json-schema.org/draft-04/schema#","title":"A",
        "exclusiveMinimum":3}}})",
                       R"({"a":3})"));
}

TEST(compile, habits_of_providers_are_understood) {
    for (const std::string_view schema :
         {R"({"type":"OBJECT","properties":{"a":{"type":"INTEGER"}}})", R"({"type":"int"})",
          R"({"type":["float","NULL"]})", R"({"items":[{"type":"integer"},{"type":"string"}]})",
          R"({"minimum":3,"exclusiveMinimum":true})",
          R"({"properties":{"a":{"items":[true]},"b":{"maximum":1,"exclusiveMaximum":true}}})"}) {
        EXPECT_EQ(error_of(schema), "") << schema;
        schema::compile_options strict;
        strict.extensions = false;
        EXPECT_NE(error_of(schema, strict), "") << schema;
    }
    EXPECT_EQ(error_of(R"({"$schema":"https://json-schema.org/draft/2020-12/schema","items":[true]})"),
              "/items: a schema must be an object or a boolean");
}

TEST(compile, faults_are_named_with_pointer_and_reason) {
    struct row {
        std::string_view schema;
        std::string_view error;
    };
    constexpr row rows[] = {
        {"3", ": a schema must be an object or a boolean"},
        {R"({"type":"strin"})", "/type: there is no type \"strin\""},
        {R"({"type":[]})", "/type: type must be a type's name or an array of them"},
        {R"({"properties":{"a":{"minimum":"3"}}})", "/properties/a/minimum: minimum must be a number"},
        {R"({"minLength":-1})", "/minLength: minLength must be a whole number from 0 on"},
        {R"({"maxItems":1.5})", "/maxItems: maxItems must be a whole number from 0 on"},
        {R"({"multipleOf":0})", "/multipleOf: multipleOf must be a number above 0"},
        {R"({"required":"a"})", "/required: required must be an array of strings"},
        {R"({"required":[1]})", "/required/0: required must be an array of strings"},
        {R"({"anyOf":[]})", "/anyOf: anyOf must be an array of at least one schema"},
        {R"({"enum":3})", "/enum: enum must be an array"},
        {R"({"items":3})", "/items: a schema must be an object or a boolean"},
        {R"({"properties":{"a~/b":{"pattern":"("}}})",
         "/properties/a~0~1b/pattern: the regular expression is not usable: a group is not closed"},
        {R"({"patternProperties":{"[":{}}})",
         "/patternProperties/[: the regular expression is not usable: a class is not closed"},
        {R"({"$ref":"#/nowhere"})", "/$ref: it refers to #/nowhere, which is not there"},
        {R"({"$ref":"#x"})", "/$ref: it refers to #x, which is not there"},
        {R"({"$ref":"http://x.test/y"})",
         "/$ref: it refers to http://x.test/y, which is not there, and there is no loader to ask"},
        {R"({"$schema":"http://x.test/y"})",
         "/$schema: the dialect http://x.test/y is not known, and no loader gave its metaschema"},
        {R"({"$defs":{"a":{"$id":"http://x/a"},"b":{"$id":"http://x/a"}}})",
         "/$defs/a/$id: two schemas have the same URI, http://x/a"},
        {R"({"$ref":"#"})", ": it leads back to itself without looking at a part of the value"},
    };
    for (const row& r : rows) { EXPECT_EQ(error_of(r.schema), r.error) << r.schema; }
}

TEST(compile, cycles_that_never_look_at_a_part_are_refused) {
    EXPECT_NE(error_of(R"({"anyOf":[{"type":"null"},{"$ref":"#/$defs/a"}],
        "$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"not":{"$ref":"#/$defs/a"}}}})"),
              "");
    EXPECT_EQ(error_of(R"({"properties":{"next":{"$ref":"#"}}})"), "");
    EXPECT_EQ(error_of(R"({"$defs":{"unused":{"$ref":"#/$defs/unused"}}})"), "");
}

TEST(compile, the_loader_is_asked_once_for_a_document) {
    unsigned asked = 0;
    schema::compile_options options;
    options.loader = [&](std::string_view uri) -> std::optional<document> {
        ++asked;
        EXPECT_EQ(uri, "http://x.test/dir/other.json");
        return doc(R"({"$defs":{"n":{"type":"integer"}},"type":"string"})");
    };
    const schema::program p = compiled(R"({"$id":"http://x.test/dir/main.json","properties":{
        "a":{"$ref":"other.json"},"b":{"$ref":"other.json#/$defs/n"}}})",
                                       options);
    EXPECT_EQ(asked, 1u);
    EXPECT_TRUE(valid(p, R"({"a":"x","b":1})"));
    EXPECT_FALSE(valid(p, R"({"a":1,"b":1})"));
    EXPECT_FALSE(valid(p, R"({"a":"x","b":"y"})"));
}

TEST(compile, metaschemas_are_built_in) {
    for (const std::string_view uri :
         {"http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-06/schema#",
          "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema",
          "https://json-schema.org/draft/2020-12/schema"}) {
        const schema::program p = compiled(R"({"$ref":")" + std::string(uri) + R"("})");
        EXPECT_TRUE(valid(p, R"({"type":"object","properties":{"a":{"minLength":2}}})")) << uri;
        EXPECT_FALSE(valid(p, R"({"properties":{"a":{"minLength":-2}}})")) << uri;
        EXPECT_FALSE(valid(p, R"({"type":"strin"})")) << uri;
    }
}

TEST(compile, formats_are_asserted_on_request_and_unknown_ones_are_named) {
    constexpr std::string_view text = R"({"format":"date","properties":{"a":{"format":"idn-hostname"},
        "b":{"format":"x"},"c":{"format":"x"}}})";
    EXPECT_TRUE(valid(text, "\"yesterday\""));
    schema::compile_options options;
    options.format_assertion = true;
    const schema::program p = compiled(text, options);
    EXPECT_FALSE(valid(p, "\"yesterday\""));
    EXPECT_TRUE(valid(p, "\"2024-02-29\""));
    ASSERT_EQ(p.unchecked_formats().size(), 2u);
    EXPECT_EQ(p.unchecked_formats()[0], "idn-hostname");
    EXPECT_EQ(p.unchecked_formats()[1], "x");
}

TEST(compile, a_program_can_be_listed) {
    const std::string listing =
        compiled(R"({"type":"object","properties":{"a":{"minLength":2}},"required":["a"]})").listing();
    EXPECT_NE(listing.find("min_length 2"), std::string::npos) << listing;
    EXPECT_NE(listing.find("\"a\" required -> 1"), std::string::npos) << listing;
}
