// Regular expressions as ECMA-262 reads them.
#include "helper.hpp"

using namespace jsonheal;
using namespace schema_test;

namespace {

struct row {
    std::string_view pattern; ///< as JSON, without quotes
    std::string_view text;
    bool matches;
};

constexpr row rows[] = {
    {R"(^\\d+$)", "123", true},
    {R"(^\\d+$)", "123\\n", false},
    {R"(^\\d$)", "\xD9\xA3", false}, // ARABIC-INDIC DIGIT THREE
    {R"(^\\w+$)", "a_9", true},
    {R"(^\\w$)", "\xC3\xA9", false},
    {R"(^\\s$)", "\xC2\xA0", true},
    {R"(^\\s$)", "\xEF\xBB\xBF", true},
    {R"(^\\S$)", "\xE2\x80\xA8", false},
    {R"(^.$)", "\\n", false},
    {R"(^.$)", "\xE2\x80\xA9", false},
    {R"(^.$)", "\xF0\x9F\x98\x80", true},
    {R"(^[^]$)", "\\n", true},
    {R"([])", "x", false},
    {R"(^[^x]$)", "\\n", true},
    {R"(^[\\s\\S]*$)", "a\\nb", true},
    {R"(^[\\D]$)", "5", false},
    {R"(^\\cJ$)", "\\n", true},
    {R"(^\\u0041\\x42$)", "AB", true},
    {R"(^\\u{1F600}$)", "\xF0\x9F\x98\x80", true},
    {R"(^\\ud83d\\ude00$)", "\xF0\x9F\x98\x80", true},
    {R"(^[\\ud83d\\ude00-\\ud83d\\ude02]$)", "\xF0\x9F\x98\x81", true},
    {R"(^[\\ud800-\\udfff]$)", "\\ud812", true},
    {R"(^[^\\ud800-\\udfff]*$)", "a\\ud812", false},
    {R"(^[^\\ud800-\\udfff]*$)", "a\xEF\xBF\xBD", true},
    {R"(^\\p{Letter}+$)", "\xC3\xA9t\xC3\xA9", true},
    {R"(^\\p{Lu}$)", "a", false},
    {R"(^\\P{L}$)", "1", true},
    {R"(^\\p{Script=Greek}$)", "\xCE\xB1", true},
    {R"(^\\p{sc=Grek}$)", "\xCE\xB1", true},
    {R"(^\\p{ASCII}+$)", "abc", true},
    {R"(^\\p{Alphabetic}$)", "\xC3\xA9", true},
    {R"(^[\\p{L}\\d_-]+$)", "\xC3\xA9-1_", true},
    {R"(^(?<year>\\d{4})-\\k<year>$)", "2024-2024", true},
    {R"(^(?<year>\\d{4})-\\k<year>$)", "2024-2025", false},
    {R"(^(?:(a)|b)\\1$)", "b", true}, // a group that took no part matches the empty string
    {R"(^(a)(b)\\2\\1$)", "abba", true},
    {R"(^(?=.*\\d)(?=.*[a-z]).{4,}$)", "abc1", true},
    {R"(^(?=.*\\d)(?=.*[a-z]).{4,}$)", "abcd", false},
    {R"(^(?!foo).*$)", "foobar", false},
    {R"((?<=\\$)\\d+)", "costs $42", true},
    {R"((?<!\\$)\\b\\d+)", "$42", false},
    {R"(^.{0,2000}$)", "short", true},
    {R"(^a{2}b{1,}c{0,1}$)", "aabb", true},
    {R"(^a{,2}$)", "a{,2}", true}, // no quantifier: literal
    {R"(^{}$)", "{}", true},
    {R"(^\\-\\_\\/\\@$)", "-_/@", true},
    {R"(^[a\\-z]$)", "b", false},
    {R"(^[a-]$)", "-", true},
    {R"(^[\\b]$)", "\\b", true},
    {R"(\\bcat\\b)", "a cat!", true},
    {R"(\\bcat\\b)", "concat", false},
    {R"(^\\0$)", "\\u0000", true},
    {R"(a|^b$|c)", "xcx", true},
    {R"(^a*?b+?$)", "aab", true},
    {R"()", "", true},
    {R"(^\\u00e9$)", "\xC3\xA9", true},
    {R"(^(a+)+$)", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", false}, // linear in RE2
    {"^\\u00e9$", "\xC3\xA9", true},
};

} // namespace

TEST(patterns, match_as_ecma_262_has_it) {
    for (const row& r : rows) {
        const std::string schema = "{\"pattern\":\"" + std::string(r.pattern) + "\"}";
        EXPECT_EQ(valid(schema, "\"" + std::string(r.text) + "\""), r.matches)
            << r.pattern << " on " << r.text;
    }
}

TEST(patterns, that_are_none_are_refused) {
    for (const std::string_view pattern : {R"(\\Z)",    R"(\\a)",    R"(\\A)",
                                           "(",         ")",         "[",
                                           "[b-a]",     "*a",        "a**",
                                           "^*",        "(?i:a)",    "(?<a",
                                           R"(\\2(a))", R"(\\k<a>)", R"(\\p{NoSuchThing})",
                                           R"(\\pL)",   R"(\\u12)",  R"(\\u{110000})",
                                           R"(\\)",     "a{3,2}",    "(?",
                                           "a{2000000}"}) {
        EXPECT_NE(error_of("{\"pattern\":\"" + std::string(pattern) + "\"}"), "") << pattern;
    }
}

TEST(patterns, repeats_beyond_the_engines_limits_work) {
    const schema::program p = compiled(R"({"pattern":"^[a-z]{1500,70000}$"})");
    EXPECT_FALSE(valid(p, "\"" + std::string(1499, 'a') + "\""));
    EXPECT_TRUE(valid(p, "\"" + std::string(1500, 'a') + "\""));
    EXPECT_TRUE(valid(p, "\"" + std::string(70000, 'a') + "\""));
    EXPECT_FALSE(valid(p, "\"" + std::string(70001, 'a') + "\""));
}

// A pattern that backtracks without end is a violation of its own, also where failing to match would make it valid.
TEST(patterns, giving_up_is_never_valid) {
    const std::string bomb = "\"" + std::string(5000, 'a') + "!\"";
    for (const std::string_view schema :
         {R"x({"pattern":"^\\b(?=(a+)+$)"})x", R"x({"not":{"pattern":"^\\b(?=(a+)+$)"}})x",
          R"x({"if":{"pattern":"^\\b(?=(a+)+$)"},"then":true})x"}) {
        const document d = doc(bomb);
        const schema::program p = compiled(schema);
        EXPECT_FALSE(schema::fits(p, d.root())) << schema;
        const schema::validation v = schema::validate(p, d.root());
        EXPECT_FALSE(v.valid);
        ASSERT_FALSE(v.violations.empty()) << schema;
        EXPECT_EQ(v.violations.back().keyword, "limit") << schema;
    }
}
