// Numbers by their decimal text.
#include "helper.hpp"

using namespace schema_test;

TEST(numbers, are_compared_exactly) {
    struct row {
        std::string_view schema;
        std::string_view number;
        bool fits;
    };
    constexpr row rows[] = {
        {R"({"multipleOf":0.01})", "0.07", true},
        {R"({"multipleOf":0.01})", "19.99", true},
        {R"({"multipleOf":0.01})", "19.999", false},
        {R"({"multipleOf":0.1})", "0.3", true},
        {R"({"multipleOf":3})", "123456789012345678901234567890", true},
        {R"({"multipleOf":3})", "123456789012345678901234567891", false},
        {R"({"multipleOf":123456789012345678901})", "246913578024691357802", true},
        {R"({"multipleOf":123456789012345678901})", "246913578024691357803", false},
        {R"({"multipleOf":7})", "7e400", true},
        {R"({"multipleOf":7})", "1e400", false},
        {R"({"multipleOf":8})", "1e3", true},
        {R"({"multipleOf":1e-400})", "1e400", true},
        {R"({"multipleOf":2})", "-4", true},
        {R"({"multipleOf":2})", "0", true},
        {R"({"multipleOf":2.5})", "1e1", true},
        {R"({"multipleOf":1e400})", "5", false},
        {R"({"type":"integer"})", "1.0", true},
        {R"({"type":"integer"})", "10e-1", true},
        {R"({"type":"integer"})", "1e400", true},
        {R"({"type":"integer"})", "1.5", false},
        {R"({"type":"integer"})", "1e-1", false},
        {R"({"type":"integer"})", "9223372036854775808", true},
        {R"({"maximum":9007199254740992})", "9007199254740993", false},
        {R"({"maximum":1e400})", "1e401", false},
        {R"({"maximum":1e400})", "1e399", true},
        {R"({"minimum":-0})", "0", true},
        {R"({"exclusiveMinimum":0})", "1e-999", true},
        {R"({"exclusiveMinimum":0})", "-0.0", false},
        {R"({"const":1})", "1.0", true},
        {R"({"enum":[100]})", "1e2", true},
        {R"({"const":9007199254740993})", "9007199254740992", false},
        {R"({"minimum":1.1})", "1.10", true},
        {R"({"maximum":5})", "5.0000000000000000000001", false},
    };
    for (const row& r : rows) { EXPECT_EQ(valid(r.schema, r.number), r.fits) << r.schema << " " << r.number; }
}

TEST(numbers, unique_items_knows_their_value) {
    EXPECT_FALSE(valid(R"({"uniqueItems":true})", "[1, 1.0]"));
    EXPECT_FALSE(valid(R"({"uniqueItems":true})", R"([{"a":1,"b":[2]},{"b":[2.0],"a":10e-1}])"));
    EXPECT_TRUE(valid(R"({"uniqueItems":true})", R"([1,"1",true,[1],{"a":1},null,false,0])"));
    EXPECT_FALSE(valid(R"({"uniqueItems":true})", R"(["\u0061","a"])"));
}

TEST(numbers, counts_beyond_all_texts_are_understood) {
    EXPECT_TRUE(valid(R"({"maxLength":1e400,"maxItems":99999999999999999999})", "\"x\""));
    EXPECT_FALSE(valid(R"({"minLength":99999999999999999999})", "\"x\""));
    EXPECT_FALSE(valid(R"({"minItems":4294967296})", "[]"));
    EXPECT_TRUE(valid(R"({"minLength":2.0})", "\"ab\""));
}
