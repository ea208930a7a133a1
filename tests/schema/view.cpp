// Looking at a compiled schema, and what it lets one expect.
#include "helper.hpp"

using namespace jsonheal;
using namespace schema_test;

TEST(view, tells_what_a_node_says) {
    const schema::program p = compiled(R"({"type":["object","null"],"properties":{
        "a":{"type":"integer","minimum":3},"b\/c":{"$ref":"#/$defs/e"}},"required":["b/c","z"],
        "patternProperties":{"^x":{"type":"string"}},"additionalProperties":{"type":"array",
        "prefixItems":[true],"items":{"type":"null"}},"$defs":{"e":{"enum":["u","v",1]}}})");
    const schema::node_view root = p.root();
    EXPECT_TRUE(root.kinds().has(value_kind::null));
    EXPECT_FALSE(root.kinds().has(value_kind::array));
    const auto properties = root.properties();
    ASSERT_EQ(properties.size(), 3u);
    EXPECT_EQ(properties[1].key, "b/c");
    EXPECT_TRUE(properties[1].required);
    EXPECT_EQ(properties[2].key, "z");
    EXPECT_FALSE(properties[2].node);
    EXPECT_TRUE(root.property_node("a")->integers_only());
    EXPECT_TRUE(root.property_node("a")->has_other_assertions());
    EXPECT_EQ(root.property_node("b/c")->reference()->values()->size(), 3u);
    EXPECT_EQ(root.property_node("b/c")->reference()->location(), "#/$defs/e");
    EXPECT_EQ(root.pattern_nodes("xy").size(), 1u);
    EXPECT_EQ(root.pattern_nodes("y").size(), 0u);
    EXPECT_EQ(root.additional()->prefix_items().size(), 1u);
    EXPECT_EQ(root.additional()->rest_items()->source().source(), R"({"type":"null"})");
}

TEST(view, a_part_of_an_instance_fits_a_part_of_a_schema) {
    const schema::program p = compiled(R"({"properties":{"a":{"$ref":"#/$defs/list"}},"required":["a"],
        "$defs":{"list":{"type":"array","items":{"type":"integer"},"uniqueItems":true}}})");
    const document d = doc(R"({"x":{"a":[1,2]},"y":[1,"2"],"z":[[1],[1]]})");
    const schema::node_view list = *p.root().property_node("a");
    EXPECT_FALSE(schema::fits(p, d.root()));
    EXPECT_TRUE(schema::fits(p.root(), *d.root().find("x")));
    EXPECT_TRUE(schema::fits(list, *d.root().find("x")->find("a")));
    EXPECT_FALSE(schema::fits(list, *d.root().find("y")));
    EXPECT_FALSE(schema::fits(list, *d.root().find("z")));
    EXPECT_FALSE(schema::fits(*list.reference(), d.root()));
}

TEST(expectation, follows_references_and_unions) {
    const schema::program p = compiled(R"({"$ref":"#/$defs/list","$defs":{
        "list":{"type":"array","items":{"anyOf":[{"$ref":"#/$defs/one"},{"type":"object","properties":
            {"n":{"type":"string"},"m":{"type":"null"}},"additionalProperties":{"type":"null"}}]}},
        "one":{"type":"object","properties":{"n":{"type":"integer"},"k":true}}}})");
    const auto e = schema::make_expectation(p);
    EXPECT_TRUE(e->kinds().has(value_kind::array));
    EXPECT_FALSE(e->kinds().has(value_kind::object));
    const expectation* const item = e->element(3);
    ASSERT_NE(item, nullptr);
    EXPECT_EQ(std::vector<std::string_view>(item->known_keys().begin(), item->known_keys().end()),
              (std::vector<std::string_view>{"n", "k", "m"}));
    const expectation* const n = item->member("n");
    ASSERT_NE(n, nullptr);
    EXPECT_TRUE(n->kinds().has(value_kind::string));
    EXPECT_TRUE(n->kinds().has(value_kind::number));
    EXPECT_FALSE(n->kinds().has(value_kind::null));
    EXPECT_EQ(item->member("m"), nullptr); // one branch says nothing of it
    EXPECT_EQ(item->element(0), nullptr);
    EXPECT_EQ(item->member("n"), n);
}

TEST(expectation, where_nothing_fits_everything_is_expected) {
    EXPECT_TRUE(schema::make_expectation(compiled("false"))->kinds() == kind_set::all());
    EXPECT_TRUE(schema::make_expectation(compiled("true"))->kinds() == kind_set::all());
    EXPECT_EQ(schema::make_expectation(compiled("true"))->member("a"), nullptr);
}

TEST(expectation, outlives_the_program) {
    std::unique_ptr<expectation> e;
    {
        const schema::program p = compiled(R"({"properties":{"a":{"type":"string"}}})");
        e = schema::make_expectation(p);
    }
    EXPECT_TRUE(e->member("a")->kinds().has(value_kind::string));
}
