// The standard's output formats.
#include "helper.hpp"

using namespace jsonheal;
using namespace schema_test;

namespace {

std::string output(std::string_view schema_text, std::string_view instance, schema::output_format format) {
    std::string out;
    const document d = doc(instance);
    const bool ok = schema::write_output(compiled(schema_text), d.root(), format, out);
    EXPECT_EQ(ok, out == R"({"valid":true})");
    EXPECT_TRUE(document::parse(out)) << out;
    return out;
}

} // namespace

TEST(output, flag) {
    EXPECT_EQ(output(R"({"type":"string"})", "1", schema::output_format::flag), R"({"valid":false})");
    EXPECT_EQ(output(R"({"type":"string"})", "\"\"", schema::output_format::detailed), R"({"valid":true})");
}

TEST(output, basic_lists_all_with_the_way_through_references) {
    EXPECT_EQ(output(R"({"properties":{"a":{"$ref":"#/$defs/s"}},"$defs":{"s":{"type":"string"}}})",
                     R"({"a":1})", schema::output_format::basic),
              R"({"valid":false,"errors":[{"valid":false,"keywordLocation":"/properties/a/$ref/type",)"
              R"("absoluteKeywordLocation":"#/$defs/s/type","instanceLocation":"/a",)"
              R"("error":"/a must be a string, not the number 1."}]})");
}

TEST(output, detailed_nests_branches) {
    const std::string out =
        output(R"({"anyOf":[{"type":"string"},{"minimum":5}]})", "1", schema::output_format::detailed);
    EXPECT_EQ(out, R"({"valid":false,"keywordLocation":"","instanceLocation":"","errors":[)"
                   R"({"valid":false,"keywordLocation":"/anyOf","absoluteKeywordLocation":"#/anyOf",)"
                   R"("instanceLocation":"","errors":[)"
                   R"({"valid":false,"keywordLocation":"/anyOf/0","absoluteKeywordLocation":"#/anyOf/0",)"
                   R"("instanceLocation":"","errors":[{"valid":false,"keywordLocation":"/anyOf/0/type",)"
                   R"("absoluteKeywordLocation":"#/anyOf/0/type","instanceLocation":"",)"
                   R"("error":"The value must be a string, not the number 1."}]},)"
                   R"({"valid":false,"keywordLocation":"/anyOf/1","absoluteKeywordLocation":"#/anyOf/1",)"
                   R"("instanceLocation":"","errors":[{"valid":false,"keywordLocation":"/anyOf/1/minimum",)"
                   R"("absoluteKeywordLocation":"#/anyOf/1/minimum","instanceLocation":"",)"
                   R"("error":"The value must be at least 5, not 1."}]}],)"
                   R"("error":"The value fits none of the 2 allowed forms."}]})");
}
