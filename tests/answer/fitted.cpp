// A reply with a schema: what is said about the choice, what is asked of the model, and how its patch is put in.
#include <jsonheal/answer.hpp>
#include <jsonheal/document.hpp>
#include <jsonheal/schema.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace {

using jsonheal::answer;
using jsonheal::apply_patch;
using jsonheal::document;
using jsonheal::fitted;
using jsonheal::reask_message;
using jsonheal::reask_style;
using jsonheal::risk;
using jsonheal::verdict;

jsonheal::schema::program compiled(const std::string& schema) {
    const auto made = jsonheal::schema::compile(document::parse(schema).value);
    EXPECT_TRUE(made);
    return made.value;
}

const std::string counted =
    R"({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})";
const std::string nested =
    R"({"type": "object", "properties": {"n": {"type": "integer"}, "user": {"type": "object",
        "properties": {"first name": {"type": "string"}}, "required": ["a/b"]}}})";

TEST(fitted, an_intact_reply_borrows_the_text) {
    const std::string text = R"({"n": 3})";
    const fitted f = answer(std::string_view(text), compiled(counted));
    EXPECT_TRUE(f.fits());
    EXPECT_EQ(f.text.verdict, verdict::intact);
    EXPECT_EQ(f.text.json().data(), text.data());
    EXPECT_EQ(f.json(), text);
    EXPECT_EQ(f.risk(), risk::exact);
    EXPECT_TRUE(f.value.changes.empty());
}

TEST(fitted, the_fast_path_makes_no_difference) {
    jsonheal::answer_options slow;
    slow.heal.fast_path = false;
    for (const char* text : {R"({"n": 3})", R"({"n": "3"})", R"("{\"n\": 3}")", R"({"m": 3})", "7"}) {
        const fitted a = answer(std::string_view(text), compiled(counted));
        const fitted b = answer(std::string_view(text), compiled(counted), slow);
        EXPECT_EQ(a.json(), b.json()) << text;
        EXPECT_EQ(a.fits(), b.fits()) << text;
        EXPECT_EQ(a.risk(), b.risk()) << text;
        EXPECT_EQ(a.text.verdict, b.text.verdict) << text;
    }
}

TEST(fitted, says_what_was_taken_and_why_the_runner_up_lost) {
    const fitted f = answer(R"(Not {"m": 1} but {"n": 3})", compiled(counted));
    ASSERT_EQ(f.candidates.size(), 2U);
    EXPECT_FALSE(f.candidates[0].fits);
    EXPECT_TRUE(f.candidates[1].taken);
    EXPECT_EQ(f.reason,
              "took 1 of 2 values, at bytes 17 to 25: it fits as it stands; the runner-up, at bytes 4 to "
              "12, has 1 violation");
    EXPECT_EQ(answer(R"({"n": 1} or {"n": 2})", compiled(counted)).reason,
              "took 1 of 2 values, at bytes 12 to 20: it fits as it stands; the runner-up, at bytes 0 to 8, "
              "fits as "
              "it stands, but stands before it");
}

TEST(fitted, the_edits_lead_from_the_text_to_the_value_before_alignment) {
    const std::string text = "Not {note: 'x'} but {n: '3'}.";
    const fitted f = answer(std::string_view(text), compiled(counted));
    EXPECT_EQ(jsonheal::replay(text, f.text.edits), f.text.json());
    EXPECT_EQ(f.text.json(), R"({"n": "3"})");
    EXPECT_EQ(f.json(), R"({"n": 3})");
}

TEST(fitted, nothing_in_the_text_is_a_refusal) {
    const fitted f = answer("I would rather not.", compiled(counted));
    EXPECT_EQ(f.text.verdict, verdict::refused);
    EXPECT_FALSE(f.fits());
    EXPECT_TRUE(f.json().empty());
    EXPECT_NE(reask_message(f).find("there is no JSON in the text"), std::string::npos);
}

TEST(fitted, a_ceiling_of_the_text_holds) {
    jsonheal::answer_options o;
    o.heal.max_risk = risk::likely;
    const fitted f = answer(R"({"n": 1} or {"n": 2})", compiled(counted), o);
    EXPECT_EQ(f.text.verdict, verdict::refused);
    EXPECT_TRUE(f.text.why.by_rule);
}

TEST(reask, nothing_is_said_of_what_fits) {
    EXPECT_EQ(reask_message(answer(R"({"n": 3})", compiled(counted))), "");
}

TEST(reask, names_what_is_wrong_and_what_to_send) {
    const fitted f = answer(R"({"n": "x", "user": {}})", compiled(nested));
    EXPECT_EQ(reask_message(f),
              "Your reply does not fit the JSON Schema:\n"
              "1. /n must be a whole number, not the string \"x\".\n"
              "2. /user lacks the required key \"a/b\".\n"
              "Reply with only the corrected JSON value, whole, and nothing before or after it.");
    EXPECT_EQ(
        reask_message(f, {.style = reask_style::patch}),
        "Your reply does not fit the JSON Schema:\n"
        "1. /n must be a whole number, not the string \"x\". (pointer: \"/n\")\n"
        "2. /user lacks the required key \"a/b\". (pointer: \"/user/a~1b\")\n"
        "Reply with only one JSON object that gives the corrected value for each pointer above, in the form "
        "{\"/n\": corrected value}. Do not repeat what is right.");
}

TEST(reask, counts_what_it_does_not_list) {
    std::string text = "[";
    for (int i = 0; i < 20; ++i) { text += i == 0 ? "\"x\"" : ", \"x\""; }
    const fitted f =
        answer(std::string_view(text += "]"), compiled(R"({"type": "array", "items": {"type": "integer"}})"));
    const std::string said = reask_message(f, {.violations = 3});
    EXPECT_NE(said.find("3. "), std::string::npos) << said;
    EXPECT_EQ(said.find("4. "), std::string::npos) << said;
    EXPECT_NE(said.find("and 17 more"), std::string::npos) << said;
}

TEST(reask, says_where_a_text_was_cut_off) {
    const fitted f = answer(R"({"n": 3, "user": {"a/b": "so far)", compiled(nested));
    EXPECT_TRUE(f.fits());
    EXPECT_NE(reask_message(f).find("cut off inside a string"), std::string::npos) << reask_message(f);
}

TEST(patch, puts_values_at_pointers) {
    const auto p = apply_patch(R"({"a": 1, "b": [2, {"c": null}]})", R"({"/b/1/c": "x", "/a": [0]})");
    EXPECT_TRUE(p.ok) << p.why;
    EXPECT_EQ(p.json, R"({"a":[0],"b":[2,{"c":"x"}]})");
}

TEST(patch, adds_what_is_not_there) {
    EXPECT_EQ(apply_patch(R"({"a": {}})", R"({"/a/b~1c": 1, "/d~0": 2})").json, R"({"a":{"b/c":1},"d~":2})");
    EXPECT_EQ(apply_patch("[1]", R"({"/1": 2, "/-": 3})").json, "[1,2,3]");
    EXPECT_EQ(apply_patch("{}", R"({"/a": {"b": 1}})").json, R"({"a":{"b": 1}})");
}

TEST(patch, replaces_the_root) {
    EXPECT_EQ(apply_patch("[1]", R"({"": {"a": 1}})").json, R"({"a": 1})");
    const auto whole = apply_patch("[1]", R"({"a": 1})");
    EXPECT_TRUE(whole.ok && whole.whole);
    EXPECT_EQ(whole.json, R"({"a": 1})");
}

TEST(patch, heals_the_reply) {
    const auto p = apply_patch(R"({"a": 1})", "Sure:\n```json\n{'/a': 2,}\n```");
    EXPECT_TRUE(p.ok) << p.why;
    EXPECT_EQ(p.json, R"({"a":2})");
    EXPECT_EQ(p.reply.verdict, verdict::healed);
}

TEST(patch, changes_nothing_if_a_pointer_leads_nowhere) {
    for (const char* reply : {R"({"/a": 2, "/x/y": 1})", R"({"/a/b": 2})", R"({"/b/7": 2})",
                              R"({"/b/01": 2})", R"({"/a": 1, "/a/b": 2})"}) {
        const auto p = apply_patch(R"({"a": 1, "b": [2]})", reply);
        EXPECT_FALSE(p.ok) << reply;
        EXPECT_EQ(p.json, R"({"a": 1, "b": [2]})");
        EXPECT_NE(p.why.find("pointer"), std::string::npos) << p.why;
    }
    EXPECT_FALSE(apply_patch("[1]", R"({"/a~2": 2})").ok);
    EXPECT_FALSE(apply_patch("[1]", "no").ok);
    EXPECT_FALSE(apply_patch("{a", R"({"/a": 2})").ok);
}

TEST(patch, depth_costs_no_stack) {
    const std::size_t depth = 200000;
    std::string json, pointer;
    for (std::size_t i = 0; i < depth; ++i) {
        json += '[';
        pointer += "/0";
    }
    json.append("1").append(depth, ']');
    const auto p = apply_patch(json, "{\"" + pointer + "\": 2}");
    EXPECT_TRUE(p.ok) << p.why;
    EXPECT_EQ(p.json.substr(depth, 1), "2");
}

} // namespace
