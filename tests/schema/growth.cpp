// Judging takes steps in proportion to the instance, whatever the schema. Steps are counted, not time, so these tests say the
// same on a slow machine: the least `validate_limits::steps` that do is what a judgement takes.
#include "helper.hpp"

#include <functional>

using namespace jsonheal;
using namespace schema_test;

namespace {

struct family {
    std::string_view name;
    std::string_view schema;
    std::function<std::string(std::size_t)> instance; ///< valid, of about that many bytes
};

std::string list_of(std::size_t bytes, const std::function<std::string(std::size_t)>& element,
                    std::string_view open = "[", std::string_view close = "]") {
    std::string out(open);
    for (std::size_t i = 0; out.size() < bytes; ++i) {
        if (i != 0) { out += ','; }
        out += element(i);
    }
    return out.append(close);
}
std::string object_of(std::size_t bytes, const std::function<std::string(std::size_t)>& member) {
    return list_of(bytes, member, "{", "}");
}
std::string nested(std::size_t bytes, std::string_view before, std::string_view behind,
                   std::string_view middle) {
    std::string out;
    std::string tail;
    while (out.size() + tail.size() < bytes) {
        out += before;
        tail += behind;
    }
    return out.append(middle).append(tail);
}
std::string text_of(std::size_t i) { return "\"word " + std::to_string(i) + "\""; }

const family families[] = {
    {"unique strings", R"({"uniqueItems":true})", [](std::size_t n) { return list_of(n, text_of); }},
    {"unique numbers", R"({"uniqueItems":true})",
     [](std::size_t n) { return list_of(n, [](std::size_t i) { return std::to_string(i) + ".5"; }); }},
    {"unique objects", R"({"uniqueItems":true})",
     [](std::size_t n) {
         return list_of(n, [](std::size_t i) { return "{\"a\":[" + std::to_string(i) + "],\"b\":{}}"; });
     }},
    {"unique at every depth", R"({"uniqueItems":true,"items":{"$ref":"#"}})",
     [](std::size_t n) { return nested(n, "[1,", "]", "2"); }},
    {"contains nothing before the end", R"({"contains":{"type":"array","minItems":1},"maxContains":1})",
     [](std::size_t n) {
         return list_of(
             n, [](std::size_t) { return "[]"; }, "[", ",[1]]");
     }},
    {"patterns that overlap",
     R"({"patternProperties":{"^a":{"type":"string"},"b":{"minLength":1},"[0-9]$":{"maxLength":99},"^(?=.*q)z":false,
        "(x|y)+$":false},"additionalProperties":false})",
     [](std::size_t n) {
         return object_of(n, [](std::size_t i) { return "\"ab" + std::to_string(i) + "\":\"x\""; });
     }},
    {"patterns beside properties",
     R"({"properties":{"key 1":{"type":"number"},"b":{}},"patternProperties":{"^key":{"type":"number"}},
        "required":["key 1"],"additionalProperties":{"type":"null"}})",
     [](std::size_t n) {
         return object_of(n, [](std::size_t i) {
             return i % 2 == 0 ? "\"key " + std::to_string(i / 2) + "\":1"
                               : "\"" + std::to_string(i) + "\":null";
         });
     }},
    {"a key repeated",
     R"({"properties":{"a":{"type":"integer","minimum":0}},"required":["a"],"maxProperties":1})",
     [](std::size_t n) { return object_of(n, [](std::size_t i) { return "\"a\":" + std::to_string(i); }); }},
    {"names", R"({"propertyNames":{"pattern":"^[a-z]+[0-9]*$","maxLength":40}})",
     [](std::size_t n) {
         return object_of(n, [](std::size_t i) { return "\"k" + std::to_string(i) + "\":0"; });
     }},
    {"dependencies",
     R"({"dependentRequired":{"k0":["k1"],"no":["k2"]},"dependentSchemas":{"k1":{"required":["k2"]}}})",
     [](std::size_t n) {
         return object_of(n, [](std::size_t i) { return "\"k" + std::to_string(i) + "\":0"; });
     }},
    {"a union told by a key",
     R"({"items":{"oneOf":[{"properties":{"t":{"const":"a"},"v":{"type":"string"}},"required":["t"],"additionalProperties":false},
        {"properties":{"t":{"const":"b"},"v":{"type":"number"}},"required":["t"],"additionalProperties":false}]}})",
     [](std::size_t n) {
         return list_of(n, [](std::size_t i) {
             return std::string(i % 2 == 0 ? R"({"t":"a","v":"x"})" : R"({"v":5,"t":"b"})");
         });
     }},
    {"unions whose branches look alike",
     R"({"oneOf":[{"properties":{"n":{"$ref":"#"},"a":{"const":1}},"required":["a"]},
        {"properties":{"n":{"$ref":"#"},"b":{"const":1}},"required":["b"]},{"maxProperties":0}]})",
     [](std::size_t n) { return nested(n, "{\"n\":", ",\"b\":1}", "{}"); }},
    {"unions of lists that look alike",
     R"({"anyOf":[{"type":"array","items":{"$ref":"#"},"minItems":3},{"type":"array","items":{"$ref":"#"},"maxItems":2},
        {"type":"null"}]})",
     [](std::size_t n) { return nested(n, "[", ",null]", "null"); }},
    {"conditions that look twice",
     R"({"if":{"properties":{"n":{"$ref":"#"}},"required":["a"]},"then":{"properties":{"n":{"$ref":"#"}}},
        "else":{"properties":{"n":{"$ref":"#"}}}})",
     [](std::size_t n) { return nested(n, "{\"a\":1,\"n\":", "}", "1"); }},
    {"unevaluated beside unions",
     R"({"anyOf":[{"properties":{"n":{"$ref":"#"}}},{"properties":{"a":true,"n":{"$ref":"#"}}}],"unevaluatedProperties":false})",
     [](std::size_t n) { return nested(n, "{\"a\":1,\"n\":", "}", "1"); }},
    {"unevaluated beside references",
     R"({"$ref":"#/$defs/x","properties":{"a":true},"unevaluatedProperties":{"type":"null"},
        "$defs":{"x":{"patternProperties":{"^x":{"type":"number"}}}}})",
     [](std::size_t n) {
         return object_of(n, [](std::size_t i) {
             return i % 2 == 0 ? "\"x" + std::to_string(i) + "\":1" : "\"" + std::to_string(i) + "\":null";
         });
     }},
};

bool decided(const schema::program& p, const document& d, std::uint64_t steps, bool fast) {
    schema::validate_limits l;
    l.steps = steps;
    return fast ? schema::fits(p, d.root(), l) : schema::validate(p, d.root(), l).valid;
}

/// To within a sixteenth.
std::uint64_t steps_of(const schema::program& p, const document& d, bool fast) {
    std::uint64_t enough = 16;
    while (!decided(p, d, enough, fast)) { enough *= 2; }
    std::uint64_t least = enough / 2;
    while (enough - least > least / 16 + 1) {
        const std::uint64_t middle = (least + enough) / 2;
        (decided(p, d, middle, fast) ? enough : least) = middle;
    }
    return enough;
}

void expect_linear(const schema::program& p, const family& f, std::size_t small, std::size_t large) {
    const document one = doc(f.instance(small));
    const document four = doc(f.instance(large));
    const double sizes = static_cast<double>(four.node_count()) / static_cast<double>(one.node_count());
    for (const bool fast : {true, false}) {
        ASSERT_TRUE(decided(p, one, schema::validate_limits{}.steps, fast)) << f.name;
        const std::uint64_t few = steps_of(p, one, fast);
        const std::uint64_t many = steps_of(p, four, fast);
        EXPECT_LE(static_cast<double>(many), 1.25 * sizes * static_cast<double>(few) + 1000)
            << f.name << (fast ? " fits" : " validate");
        EXPECT_LE(many, 64 * four.node_count() + 4096) << f.name << (fast ? " fits" : " validate");
    }
}

} // namespace

TEST(growth, steps_are_linear_in_the_instance) {
    for (const family& f : families) { expect_linear(compiled(f.schema), f, 16 << 10, 64 << 10); }
}

TEST(growth, a_megabyte_is_judged_within_its_share_of_steps) {
    for (const family& f : families) {
        const schema::program p = compiled(f.schema);
        const document d = doc(f.instance(1 << 20));
        EXPECT_TRUE(decided(p, d, 64 * d.node_count(), true)) << f.name;
    }
}

// Each level is a union of two that both hold the next one.
TEST(growth, unions_nested_in_the_schema_are_linear_in_their_depth) {
    const auto steps = [](int depth, bool fast) {
        std::string text = R"({"$ref":"#/$defs/u0","$defs":{)";
        for (int i = 0; i != depth; ++i) {
            const std::string next = R"({"$ref":"#/$defs/u)" + std::to_string(i + 1) + "\"}";
            const std::string way =
                R"({"type":"object","properties":{"n":)" + next + R"(},"required":["n"],)";
            text += "\"u" + std::to_string(i) + R"(":{"anyOf":[)" + way + R"("minProperties":2},)" + way +
                    R"("maxProperties":2}]},)";
        }
        const schema::program p = compiled(text + "\"u" + std::to_string(depth) + R"(":{"type":"number"}}})");
        std::string instance = "1";
        for (int i = 0; i != depth; ++i) { instance = "{\"n\":" + instance + "}"; }
        return steps_of(p, doc(instance), fast);
    };
    for (const bool fast : {true, false}) {
        const std::uint64_t few = steps(50, fast);
        EXPECT_LE(steps(100, fast), 3 * few + 20'000) << fast;
        EXPECT_LE(steps(400, fast), 12 * few + 20'000) << fast;
    }
}
