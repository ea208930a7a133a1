// What `fits` says by its fast way is what `validate` says, over made schemas and instances; and what the automaton says of
// a pattern is what the engines say.
#include "../support/random.hpp"
#include "helper.hpp"

#include <vector>

using namespace jsonheal;
using namespace schema_test;
using jsonheal_test::random_source;

namespace {

constexpr std::string_view keys[] = {"a", "b", "kind", "name", "x_1", "a_long_key_1", "a_long_key_2", "é"};
constexpr std::string_view strings[] = {"",       "a", "ab",           "abc",
                                        "circle", "é", "a_long_key_1", "twenty characters !!"};
constexpr std::string_view scalars[] = {"null", "true", "false", "0",  "1", "1.0",          "2",
                                        "-3.5", "0.25", "10e-1", "-0", "6", "\"\\u0061b\"", "1e400"};
constexpr std::string_view patterns[] = {"^a",       "b$",           "^[a-z]+$",    "^.{2,3}$",
                                         "^(?=.*b)", "\\\\d",        "^(?!circle)", "\\\\p{L}",
                                         "^x-|_",    "^(a|é)[^b]*$", "_1$",         "^$"};
constexpr std::string_view types[] = {
    "\"null\"",  "\"boolean\"", "\"number\"", "\"integer\"",           "\"string\"",
    "\"array\"", "\"object\"",  "\"object\"", "[\"string\",\"null\"]", "[\"object\",\"array\",\"integer\"]"};

class maker {
public:
    explicit maker(std::uint64_t seed) : random_(seed) {}

    std::string instance(unsigned depth) {
        const std::size_t sort = depth > 2 ? 0 : random_.below(5);
        if (sort < 1) { return scalar(); }
        std::string out;
        const std::size_t count = random_.below(sort == 1 ? 12 : 5);
        for (std::size_t i = 0; i != count; ++i) {
            out.append(i == 0 ? "" : ",");
            if (sort > 1) { out.append(key()).append(":"); }
            out.append(instance(depth + 1));
        }
        return sort > 1 ? "{" + out + "}" : "[" + out + "]";
    }

    std::string schema(unsigned depth) {
        if (depth > 3 || random_.chance(8)) {
            constexpr std::string_view ends[] = {"true",
                                                 "false",
                                                 R"({"type":"string"})",
                                                 R"({"type":"object"})",
                                                 R"({"type":"number"})",
                                                 R"({"const":"a"})"};
            return std::string(random_.pick(ends));
        }
        std::string out = "{";
        for (std::size_t n = 1 + random_.below(3); n != 0; --n) {
            out.append(out.size() == 1 ? "" : ",").append(keyword(depth));
        }
        if (depth == 0) {
            out.append(R"(,"$defs":{"p":)").append(leaf()).append(R"(,"q":)").append(leaf()).append("}");
        }
        return out + "}";
    }

private:
    std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }
    std::string key() { return random_.chance(3) ? "\"\\u0061\"" : quoted(random_.pick(keys)); }
    std::string scalar() {
        return random_.chance(50) ? quoted(random_.pick(strings)) : std::string(random_.pick(scalars));
    }
    std::string number() { return std::to_string(random_.below(7)); }
    std::string leaf() {
        std::string s;
        do { s = schema(2); } while (s.find("$ref") != std::string::npos);
        return s;
    }
    std::string some(unsigned depth) {
        std::string out;
        for (std::size_t n = 1 + random_.below(3); n != 0; --n) {
            out.append(out.empty() ? "" : ",").append(schema(depth + 1));
        }
        return "[" + out + "]";
    }
    std::string map(unsigned depth, bool of_patterns = false) {
        std::string out;
        for (std::size_t n = 1 + random_.below(4); n != 0; --n) {
            out.append(out.empty() ? "" : ",")
                .append(of_patterns ? quoted(random_.pick(patterns)) : key())
                .append(":")
                .append(schema(depth + 1));
        }
        return "{" + out + "}";
    }
    /// An object of the usual sort: named properties, some required, often closed.
    std::string record(unsigned depth) {
        std::string out = R"("type":"object","properties":)" + map(depth) + R"(,"required":[)" + key() + "]";
        if (random_.chance(50)) { out += R"(,"additionalProperties":false)"; }
        if (random_.chance(25)) { out += R"(,"patternProperties":)" + map(depth, true); }
        return out;
    }
    /// Branches that a key tells apart.
    std::string discriminated(unsigned depth) {
        std::string out;
        for (std::size_t n = 2 + random_.below(3); n != 0; --n) {
            const std::string kind = random_.chance(70) ? R"({"const":)" + scalar() + "}"
                                                        : R"({"enum":[)" + scalar() + "," + scalar() + "]}";
            out.append(out.empty() ? "" : ",")
                .append(R"({"properties":{"kind":)" + kind + "," + key() + ":" + schema(depth + 1) + "}");
            if (random_.chance(60)) { out += R"(,"required":["kind"])"; }
            if (random_.chance(40)) { out += R"(,"additionalProperties":false)"; }
            out += "}";
        }
        return "[" + out + "]";
    }

    std::string keyword(unsigned depth) {
        constexpr std::string_view bounds[] = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"};
        constexpr std::string_view counts[] = {"minLength", "maxLength",     "minItems",
                                               "maxItems",  "minProperties", "maxProperties"};
        constexpr std::string_view unions[] = {"allOf", "anyOf", "oneOf"};
        switch (random_.below(26)) {
        case 0: return R"("type":)" + std::string(random_.pick(types));
        case 1: return R"("enum":[)" + scalar() + "," + scalar() + "," + instance(2) + "]";
        case 2: return R"("const":)" + instance(2);
        case 3: return quoted(random_.pick(bounds)) + ":" + number();
        case 4: return R"("multipleOf":0.5)";
        case 5: return quoted(random_.pick(counts)) + ":" + number();
        case 6: return R"("pattern":)" + quoted(random_.pick(patterns));
        case 7: return R"("uniqueItems":true)";
        case 8:
        case 9:
        case 10: return record(depth);
        case 11: return R"("required":[)" + key() + "," + key() + "]";
        case 12: return R"("additionalProperties":)" + schema(depth + 1);
        case 13: return R"("patternProperties":)" + map(depth, true);
        case 14: return R"("propertyNames":)" + schema(depth + 2);
        case 15: return R"("items":)" + schema(depth + 1);
        case 16: return R"("prefixItems":)" + some(depth);
        case 17:
            return R"("contains":)" + schema(depth + 1) + R"(,"minContains":)" + number() +
                   R"(,"maxContains":)" + number();
        case 18: return quoted(random_.pick(unions)) + ":" + some(depth);
        case 19:
        case 20: return quoted(random_.pick(unions)) + ":" + discriminated(depth);
        case 21: return R"("not":)" + schema(depth + 1);
        case 22:
            return R"("if":)" + schema(depth + 1) + R"(,"then":)" + schema(depth + 1) + R"(,"else":)" +
                   schema(depth + 1);
        case 23:
            return R"("dependentRequired":{)" + key() + ":[" + key() + R"(]},"dependentSchemas":)" +
                   map(depth);
        case 24:
            return quoted(random_.chance(50) ? "unevaluatedProperties" : "unevaluatedItems") + ":" +
                   schema(depth + 2);
        default: return R"("$ref":"#/$defs/)" + std::string(random_.chance(50) ? "p" : "q") + "\"";
        }
    }

    random_source random_;
};

} // namespace

TEST(agreement, of_both_faces_over_made_schemas) {
    std::size_t fitting = 0;
    std::size_t all = 0;
    for (std::uint64_t seed = 0; seed != 1'500; ++seed) {
        maker m(seed);
        const std::string text = m.schema(0);
        const schema::compile_result made = schema::compile(doc(text));
        ASSERT_TRUE(made) << text << "\n" << made.error->reason;
        for (int i = 0; i != 8; ++i) {
            const document d = doc(m.instance(0));
            const bool full = schema::validate(made.value, d.root()).valid;
            ASSERT_EQ(schema::fits(made.value, d.root()), full) << text << "\n" << d.text();
            fitting += full ? 1u : 0u;
            ++all;
        }
    }
    EXPECT_GT(fitting, all / 10);
    EXPECT_LT(fitting, all - all / 10);
}

// Every part of an instance beside every node of the schema that its keys lead to.
TEST(agreement, of_parts) {
    for (std::uint64_t seed = 0; seed != 500; ++seed) {
        maker m(seed);
        const schema::program p = compiled(m.schema(0));
        const document d = doc(m.instance(0));
        if (!d.root().is(value_kind::object)) { continue; }
        for (const member part : d.root().members()) {
            for (const schema::node_view::property& named : p.root().properties()) {
                if (!named.node) { continue; }
                const schema::node_view node = p.root().with_index(*named.node);
                // The same question asked of a program that has this node as its root.
                schema::compile_options o;
                o.loader = [&p](std::string_view) { return doc(p.root().source().source()); };
                const schema::compile_result own =
                    schema::compile(doc(R"({"$ref":"urn:x)" + node.location() + "\"}"), o);
                ASSERT_TRUE(own) << own.error->reason;
                const document alone = doc(part.value.source());
                ASSERT_EQ(schema::fits(node, part.value), schema::validate(own.value, alone.root()).valid)
                    << p.root().source().source() << "\n"
                    << node.location() << "\n"
                    << part.value.source();
            }
        }
    }
}

TEST(agreement, of_the_automaton_and_the_engines) {
    // A word boundary or none stands everywhere, so it changes nothing but the engine.
    constexpr std::string_view pieces[] = {"a",
                                           "b",
                                           "[a-c]",
                                           "[^a]",
                                           ".",
                                           "\\\\d",
                                           "\\\\s",
                                           "\\\\S",
                                           "é",
                                           "[é-ü]",
                                           "(a|b)",
                                           "(?:ab|c|)",
                                           "(?:x{2})",
                                           "(?:(?:a|bc){1,2})",
                                           "[\\\\u2028]",
                                           "😀",
                                           "[\\\\ud800-\\\\udfff]"};
    constexpr std::string_view repeats[] = {"", "", "", "*", "+", "?", "{2}", "{0,2}", "{1,}", "*?"};
    constexpr std::string_view texts[] = {"a", "b",       "c",   "x", "é",       "ö",       " ",
                                          "1", "\\u2028", "\\n", "😀", "\\ud800", "\\udc00x"};
    std::size_t matching = 0;
    std::size_t automata = 0;
    for (std::uint64_t seed = 0; seed != 3'000; ++seed) {
        random_source r(seed);
        std::string pattern;
        const auto sequence = [&](std::size_t most) {
            for (std::size_t n = r.between(0, most); n != 0; --n) {
                pattern.append(r.pick(pieces)).append(r.pick(repeats));
            }
        };
        if (r.chance(60)) {
            pattern += "^";
            for (std::size_t n = r.below(3); n != 0; --n) {
                pattern += r.chance(50) ? "(?=" : "(?!";
                sequence(3);
                pattern += r.chance(40) ? "$)" : ")";
            }
        }
        sequence(4);
        if (r.chance(20)) {
            pattern += "|";
            sequence(2);
        }
        if (r.chance(50)) { pattern += "$"; }
        const schema::program one = compiled("{\"pattern\":\"" + pattern + "\"}");
        const schema::program other = compiled("{\"pattern\":\"(?:" + pattern + ")(?:\\\\b|\\\\B)\"}");
        automata += one.listing().find(" automaton") != std::string::npos ? 1u : 0u;
        EXPECT_EQ(other.listing().find(" automaton"), std::string::npos);
        for (int i = 0; i != 12; ++i) {
            std::string text;
            for (std::size_t n = r.below(6); n != 0; --n) { text += r.pick(texts); }
            const document d = doc("\"" + text + "\"");
            const bool yes = schema::fits(one, d.root());
            ASSERT_EQ(yes, schema::fits(other, d.root())) << pattern << "\n" << text;
            matching += yes ? 1u : 0u;
        }
    }
    EXPECT_GT(automata, 2'000u);
    EXPECT_GT(matching, 3'000u);
}
