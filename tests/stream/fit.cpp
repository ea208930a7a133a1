// Whether a value that is being written can still fit its schema.
#include <jsonheal/stream.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace jsonheal {
namespace {

schema::program compiled(std::string_view text) {
    const auto parsed = document::parse(std::string(text));
    EXPECT_TRUE(parsed) << text;
    auto result = schema::compile(parsed.value);
    EXPECT_TRUE(result) << text;
    return result.value;
}

stream with(std::string_view schema_text) {
    stream_options o;
    o.schema = compiled(schema_text);
    return stream(o);
}

/// Bytes of the text after which nothing could fit any more; 0 if something still can.
std::size_t turns_at(std::string_view schema_text, std::string_view text, std::string* keyword = nullptr) {
    stream s = with(schema_text);
    for (std::size_t i = 0; i != text.size(); ++i) {
        s.feed(text.substr(i, 1));
        (void)s.snapshot();
        if (!s.can_still_fit()) {
            EXPECT_NE(s.misfit(), nullptr);
            if (keyword != nullptr) { *keyword = s.misfit()->keyword; }
            return i + 1;
        }
        EXPECT_EQ(s.misfit(), nullptr);
    }
    return 0;
}

struct turn {
    std::string_view schema, text; ///< the text up to the byte that decides, `|`, and what follows
    std::string_view keyword;
};

TEST(fit, turns_false_soon_after_the_byte_that_decides) {
    const turn cases[] = {
        {R"({"type": "object"})", R"([|{"a": 1}, 2])", "type"},
        {R"({"properties": {"n": {"type": "number"}}})", R"({"n": "|text", "m": 1})", "type"},
        {R"({"properties": {"n": {"type": "string"}}})", R"({"n": {|"a": 1}, "m": 1})", "type"},
        {R"({"properties": {"n": {"type": "string"}}})", R"({"n": 12|, "m": 1})", "type"},
        {R"({"properties": {"c": {"enum": ["red", "green"]}}})", R"({"c": "b|lue and more", "m": 1})",
         "enum"},
        {R"({"properties": {"c": {"enum": ["red", "rose"]}}})", R"({"c": "rev|", "m": 1})", "enum"},
        {R"({"properties": {"c": {"const": "yes"}}})", R"({"c": "no|", "m": 1})", "const"},
        {R"({"properties": {"c": {"const": 5}}})", R"({"c": 6|, "m": 1})", "const"},
        {R"({"properties": {"c": {"enum": [1, 2]}}})", R"({"c": "|1", "m": 1})", "enum"},
        {R"({"properties": {"a": {}}, "additionalProperties": false})", R"({"a": 1, "b": [|1, 2], "c": 1})",
         "additionalProperties"},
        {R"({"properties": {"n": {"maximum": 10}}})", R"({"n": 11|, "m": 1})", "maximum"},
        {R"({"properties": {"n": {"exclusiveMaximum": 10}}})", R"({"n": 10.0|, "m": 1})", "exclusiveMaximum"},
        {R"({"properties": {"n": {"minimum": 10}}})", R"({"n": -1|, "m": 1})", "minimum"},
        {R"({"properties": {"n": {"type": "integer"}}})", R"({"n": 1.5|, "m": 1})", "type"},
        {R"({"maxProperties": 1})", R"({"a": 1, "b": [|{"c": 1}], "d": 1})", "maxProperties"},
        {R"({"maxItems": 2})", R"([1, 2, [|3], 4])", "maxItems"},
        {R"({"properties": {"s": {"maxLength": 3}}})", R"({"s": "éàü?|...", "m": 1})", "maxLength"},
        {R"({"items": {"$ref": "#/$defs/row"}, "$defs": {"row": {"properties": {"id": {"type": "integer"}}}}})",
         R"([{"id": 1}, {"id": "|x"}])", "type"},
        {R"({"anyOf": [{"properties": {"k": {"const": "a"}}}, {"properties": {"k": {"const": "b"}}}]})",
         R"({"k": "c|", "m": 1})", "const"},
        {R"({"allOf": [{"properties": {"a": {"type": "array"}}}, {"properties": {"b": {"type": "array"}}}]})",
         R"({"a": [], "b": {|"x": 1}})", "type"},
        {R"({"oneOf": [{"type": "string"}, {"type": "object"}]})", R"([|{"a": 1}, 3])", "type"},
    };
    for (const turn& c : cases) {
        const std::size_t at = c.text.find('|');
        std::string text(c.text);
        text.erase(at, 1);
        std::string keyword;
        const std::size_t turned = turns_at(c.schema, text, &keyword);
        EXPECT_NE(turned, 0U) << c.schema << " " << c.text;
        EXPECT_EQ(keyword, c.keyword) << c.schema << " " << c.text;
        // a number ends, and a value is handed out, only with what follows it
        EXPECT_LE(turned, at + 8) << c.schema << " " << c.text;
    }
}

TEST(fit, says_where_and_why) {
    stream s = with(R"({"properties": {"rows": {"items": {"properties": {"id": {"type": "integer"}}}}}})");
    s.feed(R"({"rows": [{"id": 1}, {"id": "two", )");
    ASSERT_FALSE(s.can_still_fit());
    const schema::violation& v = *s.misfit();
    EXPECT_EQ(v.instance, "/rows/1/id");
    EXPECT_EQ(v.keyword, "type");
    EXPECT_EQ(v.schema, "#/properties/rows/items/properties/id/type");
    EXPECT_EQ(v.expected, "integer");
    EXPECT_EQ(v.got, "string");
    EXPECT_EQ(v.message, "The value at /rows/1/id cannot fit: expected integer, got string.");
}

/// Never false while some continuation fits: every beginning of a value that fits can still fit.
TEST(fit, is_never_false_for_a_beginning_of_what_fits) {
    const std::pair<std::string_view, std::string_view> cases[] = {
        {R"({"type": ["object", "null"], "properties": {"a": {"enum": ["x", "xy", 1, null, [1]]}}})",
         R"({"a": "xy"})"},
        {R"({"properties": {"a": {"enum": ["x", 1.0, null, [1], {"b": 2}]}}})", R"({"a": {"b": 2}})"},
        {R"({"properties": {"a": {"enum": [1.0]}}})", R"({"a": 1})"},
        {R"({"properties": {"a": {"const": "\u00e9"}}})", R"({"a": "\u00E9"})"},
        {R"({"properties": {"a": {"maxLength": 1}}})", R"({"a": "\ud83d\ude00"})"},
        {R"({"properties": {"a": {"maximum": 10}}})", R"({"a": 100e-1})"},
        {R"({"anyOf": [{"type": "string", "maxLength": 2}, {"type": "object", "properties": {"a": {"type": "string"}}},
             {"properties": {"a": {"type": "integer"}}}]})",
         R"({"a": 1, "b": [{}, "x"]})"},
        {R"({"oneOf": [{"required": ["a"]}, {"required": ["b"]}], "additionalProperties": {"type": "number"}})",
         R"({"b": 1})"},
        {R"({"not": {"type": "string"}, "if": {"type": "object"}, "then": {"required": ["a"]}})",
         R"({"a": "s"})"},
        {R"({"patternProperties": {"^x": {"type": "string"}}, "additionalProperties": false})",
         R"({"x1": "s", "x2": "t"})"},
        {R"({"prefixItems": [{"type": "string"}], "items": {"type": "number"}, "maxItems": 3})",
         R"(["a", 1, 2])"},
        {R"({"$ref": "#/$defs/t", "$defs": {"t": {"type": "object", "properties": {"l": {"$ref": "#/$defs/t"},
             "r": {"anyOf": [{"$ref": "#/$defs/t"}, {"type": "null"}]}}, "additionalProperties": false}}})",
         R"({"l": {"l": {}, "r": null}, "r": {"r": {"r": null}}})"},
        {R"({"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/a", "maxProperties": 0,
             "definitions": {"a": {"type": "object"}}})",
         R"({"a": 1})"},
        {R"({"maxProperties": 1})", R"({"a": 1, "a": [2], "a": {"b": 3}})"},
        {R"({"$schema": "http://json-schema.org/draft-04/schema#", "maximum": 3, "exclusiveMaximum": false})",
         "3"},
    };
    for (const auto& [schema_text, text] : cases) {
        const auto value = document::parse(std::string(text));
        ASSERT_TRUE(value && schema::fits(compiled(schema_text), value.value.root())) << schema_text << text;
        EXPECT_EQ(turns_at(schema_text, text), 0U) << schema_text << text;
        stream s = with(schema_text);
        s.feed(text);
        EXPECT_TRUE(s.finish().ok());
        EXPECT_TRUE(s.can_still_fit()) << schema_text << text;
        ASSERT_NE(s.validation(), nullptr);
        EXPECT_TRUE(s.validation()->valid);
    }
}

TEST(fit, strings_of_an_enum_are_held_until_they_are_whole) {
    stream s = with(R"({"properties": {"c": {"enum": ["red", "redder"]}, "t": {"type": "string"}}})");
    s.feed(R"({"t": "some te)");
    EXPECT_EQ(s.snapshot_text(), R"({"t": "some te"})");
    s.feed(R"(xt", "c": "redd)");
    EXPECT_EQ(s.snapshot_text(), R"({"t": "some text"})");
    std::string out(s.drain());
    EXPECT_EQ(out, R"({"t": "some text")");
    s.feed(R"(er", "d": {"e": "x)");
    EXPECT_EQ(s.snapshot_text(), R"({"t": "some text", "c": "redder", "d": {"e": "x"}})");
    out += s.drain();
    s.feed("\"}}");
    out += s.finish().json();
    EXPECT_EQ(out, R"({"t": "some text", "c": "redder", "d": {"e": "x"}})");
}

TEST(stream_fit, drained_text_is_whole_where_strings_of_an_enum_are_held) {
    const std::string text = R"({"kind": "a", "more": [1, "b"], "last": "a"})";
    for (const std::size_t size : {std::size_t{1}, std::size_t{3}, text.size()}) {
        stream_options o;
        o.schema = compiled(
            R"({"properties": {"kind": {"enum": ["a"]}, "last": {"const": "a"}, "more": {"items": {"enum": [1, "b"]}}}})");
        stream s(o);
        std::string drained;
        for (std::size_t at = 0; at < text.size(); at += size) {
            s.feed(std::string_view(text).substr(at, size));
            drained += s.drain();
            EXPECT_TRUE(text.starts_with(drained)) << drained;
        }
        drained += s.finish().json();
        EXPECT_EQ(drained, text);
    }
}

} // namespace
} // namespace jsonheal
