// What holds for every alignment: what fits is not touched, what is said to fit does, nothing more changes the second time,
// branches may stand in any order, and the changes are the way from the value to the outcome.
#include "helper.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using namespace jsonheal;
using namespace jsonheal_test;

/// Schemas of the sort that people give to models; unions in two orders.
constexpr std::string_view schemas[] = {
    R"({"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},"on":{"type":"boolean"}},"required":["id","tags"],"additionalProperties":false})",
    R"({"type":"array","items":{"anyOf":[{"type":"integer"},{"type":"boolean"},{"enum":["RED","DARK_RED"]}]}})",
    R"({"type":"array","items":{"anyOf":[{"enum":["DARK_RED","RED"]},{"type":"boolean"},{"type":"integer"}]}})",
    R"({"oneOf":[{"type":"object","properties":{"kind":{"const":"a"},"n":{"type":"number"}},"required":["kind","n"]},{"type":"object","properties":{"kind":{"const":"b"},"l":{"type":"array","items":{"$ref":"#"}}},"required":["kind","l"]}]})",
    R"({"oneOf":[{"type":"object","properties":{"kind":{"const":"b"},"l":{"type":"array","items":{"$ref":"#"}}},"required":["kind","l"]},{"type":"object","properties":{"kind":{"const":"a"},"n":{"type":"number"}},"required":["kind","n"]}]})",
    R"({"type":["integer","null"],"minimum":3})",
    R"({"anyOf":[{"type":"string","pattern":"^x"},{"type":"object","minProperties":2},{"type":"array","items":{"type":"integer"},"uniqueItems":true}]})",
    R"({"type":"object","additionalProperties":{"anyOf":[{"type":"null"},{"type":"number"}]},"maxProperties":3})",
};

/// Values as models spell them.
std::string random_value(std::mt19937& random, unsigned depth) {
    constexpr std::string_view scalars[] = {"1",
                                            "\"2\"",
                                            "0",
                                            "5.5",
                                            "\"1,234\"",
                                            "true",
                                            "\"yes\"",
                                            "null",
                                            "\"null\"",
                                            "\"red\"",
                                            "\"dark red\"",
                                            "\"x1\"",
                                            "\"[1, 2]\"",
                                            "\"[1,]\"",
                                            "\"a\"",
                                            "\"b\"",
                                            "\"\"",
                                            "\"not red\"",
                                            "\"{\\\"id\\\": 1}\"",
                                            "12345678901234567890"};
    constexpr std::string_view keys[] = {
        "\"id\"", "\"ID\"", "\"name\"",  "\"tags\"", "\"Tags\"",       "\"on\"",       "\"kind\"",
        "\"n\"",  "\"l\"",  "\"value\"", "\"type\"", "\"properties\"", "\"response\"", "\"zz\""};
    const auto pick = [&](std::size_t n) {
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
    };
    const std::size_t sort = depth == 0 ? 0 : pick(4);
    if (sort < 2) { return std::string(scalars[pick(std::size(scalars))]); }
    std::string out = sort == 2 ? "[" : "{";
    const std::size_t size = pick(4);
    for (std::size_t i = 0; i != size; ++i) {
        if (i != 0) { out += ", "; }
        if (sort == 3) { out.append(keys[pick(std::size(keys))]).append(": "); }
        out += random_value(random, depth - 1);
    }
    return out + (sort == 2 ? "]" : "}");
}

std::vector<align_options> option_sets() {
    std::vector<align_options> all(4);
    all[1].max_risk = risk::exact;
    all[2].max_risk = risk::lossy;
    all[3].max_risk = risk::lossy;
    all[3].defaults = all[3].fractions = true;
    return all;
}

class align_laws : public testing::TestWithParam<std::size_t> {};

TEST_P(align_laws, hold_for_random_values) {
    const schema::program program = compiled(schemas[GetParam()]);
    std::mt19937 random(7);
    unsigned fitting = 0;
    unsigned mended = 0;
    for (unsigned n = 0; n != 3000; ++n) {
        const document value = document::parse(random_value(random, 4)).value;
        const bool fits = schema::fits(program, value.root());
        for (const align_options& o : option_sets()) {
            const alignment a = align(value, program, o);
            SCOPED_TRACE(std::string(value.text()) + " -> " + a.json + " by " + rules_of(a));
            if (fits && !o.defaults) {
                ASSERT_TRUE(a.fits && a.changes.empty() && a.json == value.text() && a.risk == risk::exact);
            }
            ASSERT_EQ(a.fits, a.violations.empty());
            const parse_result made = document::parse(a.json);
            ASSERT_TRUE(made) << "no JSON";
            ASSERT_EQ(a.fits, schema::fits(program, made.value.root()));
            for (const change& c : a.changes) { ASSERT_LE(c.risk, o.max_risk); }
            ASSERT_EQ(a.changes.empty(), a.json == value.text());
            if (a.fits) {
                const alignment again = align(made.value, program, o);
                ASSERT_TRUE(again.fits && again.changes.empty()) << again.json << rules_of(again);
            }
            fitting += fits;
            mended += a.fits && !fits;
        }
    }
    EXPECT_GT(mended, 20U) << fitting;
}

INSTANTIATE_TEST_SUITE_P(schemas, align_laws, testing::Range(std::size_t{0}, std::size(schemas)));

TEST(align_order, of_branches_decides_nothing) {
    for (const auto& [one, other] : {std::pair{schemas[1], schemas[2]}, std::pair{schemas[3], schemas[4]}}) {
        const schema::program first = compiled(one);
        const schema::program second = compiled(other);
        std::mt19937 random(11);
        for (unsigned n = 0; n != 3000; ++n) {
            const document value = document::parse(random_value(random, 4)).value;
            for (const align_options& o : option_sets()) {
                const alignment a = align(value, first, o);
                const alignment b = align(value, second, o);
                ASSERT_EQ(a.fits, b.fits) << value.text();
                if (a.fits) { ASSERT_EQ(a.json, b.json) << value.text(); }
            }
        }
    }
}

TEST(align_order, all_permutations_of_a_union) {
    std::vector<std::string> branches = {
        R"({"type":"integer"})", R"({"type":"boolean"})", R"({"enum":["yes","1"]})",
        R"({"type":"array","items":{"type":"integer"}})", R"({"type":"null"})"};
    std::sort(branches.begin(), branches.end());
    for (const std::string_view value :
         {R"("1 ")", R"("Yes")", R"("null")", R"("2")", "[\"3\"]", "1.0", "\"on\"", "{\"value\": \"7\"}"}) {
        std::vector<std::string> seen;
        do {
            std::string all;
            for (const std::string& b : branches) { all += (all.empty() ? "" : ",") + b; }
            const alignment a = aligned("{\"anyOf\":[" + all + "]}", value);
            ASSERT_TRUE(a.fits) << value;
            seen.push_back(a.json);
        } while (std::next_permutation(branches.begin(), branches.end()));
        EXPECT_EQ(std::count(seen.begin(), seen.end(), seen[0]), static_cast<std::ptrdiff_t>(seen.size()))
            << value;
    }
}

/// What another engine was seen to answer, without a word of warning.
struct wrong_answer {
    std::string_view schema;
    std::string_view value;
    std::string_view answer;
};
constexpr std::string_view integer = R"({"type":"integer"})";
constexpr std::string_view boolean = R"({"type":"boolean"})";
constexpr std::string_view colours = R"({"enum":["RED","BLUE","DARK_BLUE"]})";
constexpr wrong_answer wrong_answers[] = {
    {integer, R"("3,14")", "314"},
    {integer, R"("50%")", "50"},
    {integer, R"("1.5M")", "2"},
    {integer, R"("3 million")", "3"},
    {integer, "\"(1,234)\"", "1234"},
    {integer, R"("\u22125")", "5"},
    {integer, "9223372036854775808", "-9223372036854775808"},
    {integer, R"("99999999999999999999999")", "9223372036854775807"},
    {integer, R"("NaN")", "0"},
    {integer, "12.5", "13"},
    {R"({"type":"number"})", "1e400", "null"},
    {R"({"type":"number"})", R"("inf")", "null"},
    {R"({"type":"string"})", "12345678901234567890123", R"("1.2345678901234568e22")"},
    {R"({"anyOf":[{"type":"integer"},{"type":"string"}]})", "5.5", "6"},
    {boolean, R"("not true")", "true"},
    {boolean, R"("untrue")", "true"},
    {boolean, "[true,false]", "true"},
    {colours, R"("Not BLUE")", R"("BLUE")"},
    {colours, R"("BLUEBERRY")", R"("BLUE")"},
    {colours, R"("dark blue")", R"("BLUE")"},
    {R"({"anyOf":[{"const":"one"},{"const":"two"}]})", R"("someone")", R"("one")"},
    {R"({"anyOf":[{"const":"one"},{"const":"two"}]})", R"("one or two")", R"("one")"},
    {R"({"type":"array","items":{"type":"integer"}})", R"("hello")", "[]"},
    {R"({"type":"array","items":{"type":"integer"}})", "null", "[]"},
    {R"({"type":"array","items":{"type":"integer"}})", R"({"items":[1,2]})", "[]"},
    {R"({"type":"object","properties":{"a":{"type":"array"},"b":{"type":"object"}},"required":["a","b"]})",
     R"("any text at all")", R"({"a":[],"b":{}})"},
    {R"({"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]})", R"("hello")",
     R"({"a":0})"},
};

TEST(align_wrong_answers, are_not_given_or_marked_lossy) {
    for (const wrong_answer& w : wrong_answers) {
        for (const align_options& o : option_sets()) {
            const alignment a = aligned(w.schema, w.value, o);
            const document made = document::parse(a.json).value;
            const document wrong = document::parse(std::string(w.answer)).value;
            EXPECT_FALSE(a.fits && a.risk != risk::lossy && same_value(made.root(), wrong.root()))
                << w.schema << w.value;
        }
    }
}

TEST(align_choices, ties_and_the_next_best_are_told) {
    constexpr std::string_view schema =
        R"({"anyOf":[{"type":"object","properties":{"a_b":{}},"required":["a_b"]},{"type":"object","properties":{"a-b":{}},"required":["a-b"]}]})";
    const alignment a = aligned(schema, R"({"ab":1})");
    EXPECT_TRUE(a.fits);
    EXPECT_EQ(a.json, R"({"a-b":1})");
    EXPECT_EQ(a.risk, risk::likely);
    ASSERT_EQ(a.choices.size(), 1U);
    EXPECT_EQ(a.choices[0].cost, a.choices[0].runner_up_cost);
    EXPECT_EQ(a.choices[0].taken, "#/anyOf/1");
    EXPECT_EQ(a.choices[0].runner_up, "#/anyOf/0");
    align_options exact;
    exact.max_risk = risk::exact;
    EXPECT_FALSE(aligned(schema, R"({"ab":1})", exact).fits);
}

TEST(align_changes, have_their_bytes) {
    const std::string text = R"({"response": {"n": "12", "l": "[1, \"2\"]"}})";
    const alignment a = aligned(
        R"({"type":"object","properties":{"n":{"type":"integer"},"l":{"type":"array","items":{"type":"integer"}}},"required":["n","l"]})",
        text);
    ASSERT_TRUE(a.fits) << a.json;
    EXPECT_EQ(a.json, R"({"n": 12, "l": [1, 2]})");
    ASSERT_EQ(rules_of(a), "wrapper string_to_number string_to_json string_to_number");
    const auto bytes = [&](const change& c) { return text.substr(c.begin, c.end - c.begin); };
    EXPECT_EQ(bytes(a.changes[0]), text);
    EXPECT_EQ(bytes(a.changes[1]), "\"12\"");
    EXPECT_EQ(bytes(a.changes[2]), R"("[1, \"2\"]")");
    EXPECT_EQ(bytes(a.changes[3]), R"("[1, \"2\"]")") << "inside a string: the string's bytes";
    EXPECT_EQ(a.changes[3].pointer, "/l/1");
    EXPECT_EQ(a.changes[3].before, "\"2\"");
    EXPECT_EQ(a.changes[3].after, "2");
}

TEST(align_offender, names_the_first_change_above_the_ceiling) {
    const alignment a =
        aligned(R"({"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false})",
                R"({"a":"x","b":1})");
    EXPECT_FALSE(a.fits);
    ASSERT_TRUE(a.offender);
    EXPECT_EQ(a.offender->pointer, "/b");
    EXPECT_EQ(a.offender->rule, align_rule::extra_member);
    EXPECT_EQ(a.violations.at(0).keyword, "additionalProperties");
}

TEST(align_attempt, what_does_not_fit_is_mended_as_far_as_it_goes) {
    const alignment a =
        aligned(R"({"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}}})",
                R"({"a":"1","b":"x"})");
    EXPECT_FALSE(a.fits);
    EXPECT_EQ(a.json, R"({"a":1,"b":"x"})");
    ASSERT_EQ(a.violations.size(), 1U);
    EXPECT_EQ(a.json.substr(a.violations[0].begin, a.violations[0].end - a.violations[0].begin), "\"x\"");
}

TEST(align_limits_test, are_kept) {
    align_options o;
    o.limits.steps = 10;
    const alignment a = aligned(R"({"type":"array","items":{"type":"integer"}})",
                                R"(["1","2","3","4","5","6","7","8","9","10"])", o);
    EXPECT_FALSE(a.fits);
    ASSERT_EQ(a.violations.size(), 1U);
    EXPECT_EQ(a.violations[0].keyword, "limit");
    EXPECT_TRUE(a.changes.empty());
}

} // namespace
