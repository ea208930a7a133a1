// Runs the cases of this folder's files; README.md describes them.
#include <jsonheal/answer.hpp>
#include <jsonheal/args.hpp>
#include <jsonheal/document.hpp>
#include <jsonheal/schema.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace {

using jsonheal::alignment;
using jsonheal::document;
using jsonheal::risk;
using jsonheal::value_view;
using jsonheal::verdict;

/// What came out, of either function.
struct outcome {
    jsonheal::verdict verdict = jsonheal::verdict::refused;
    jsonheal::risk risk = jsonheal::risk::exact;
    std::string json; ///< of several objects the list
    bool fits = false;
};

outcome by_answer(const std::string& input, const jsonheal::schema::program& program) {
    const auto f = jsonheal::answer(std::string_view(input), program);
    return {f.text.verdict, f.risk(), std::string(f.json()), f.fits()};
}

outcome by_args(const std::string& tool, const std::string& input, value_view schema,
                const jsonheal::schema::program& program) {
    const auto spec =
        jsonheal::tool_from_schema(tool, schema, jsonheal::tool_catalogue::standard().find(tool));
    const auto expected = jsonheal::schema::make_expectation(program);
    jsonheal::args_options options;
    options.tool = &spec;
    options.engine.expect = expected.get();
    const auto a = jsonheal::normalize_args(tool, std::string_view(input), options);
    outcome o{a.verdict, a.risk, a.several() ? "[" : "", a.ok()};
    for (const alignment& one : jsonheal::align_arguments(a, program)) {
        if (a.several() && o.json.size() > 1) { o.json += ','; }
        o.json += one.json;
        o.risk = std::max(o.risk, one.risk);
        o.fits &= one.fits;
    }
    if (a.several()) { o.json += ']'; }
    return o;
}

bool flag(value_view c, std::string_view name) {
    const auto found = c.find(name);
    return found && found->boolean();
}

bool is_wanted(value_view c, const outcome& o) {
    const auto parsed = document::parse(o.json);
    if (!parsed) { return false; }
    const auto value = c.find("value");
    if (value && same_value(*value, parsed.value.root())) { return true; }
    if (const auto also = c.find("also_ok")) {
        for (const value_view one : also->elements()) {
            if (same_value(one, parsed.value.root())) { return true; }
        }
    }
    return false;
}

void judge(value_view c) {
    const auto compiled =
        jsonheal::schema::compile(document::parse(std::string(c.find("schema")->source())).value);
    ASSERT_TRUE(compiled);
    const std::string input = c.find("input")->string();
    const auto tool = c.find("tool");
    const outcome o = tool ? by_args(tool->string(), input, *c.find("schema"), compiled.value)
                           : by_answer(input, compiled.value);
    const std::string shown = o.json + (o.fits ? "" : " which does not fit") + ", " +
                              std::string(name(o.verdict)) + ", " + std::string(name(o.risk));
    const bool told = !flag(c, "needs_truncated") || o.verdict == verdict::truncated;
    if (flag(c, "unfit")) {
        EXPECT_TRUE(!o.fits || (is_wanted(c, o) && told)) << "got " << shown;
    } else if (o.fits || !flag(c, "or_unfit")) {
        EXPECT_TRUE(o.fits && is_wanted(c, o)) << "got " << shown;
        EXPECT_TRUE(told) << "got " << shown;
    }
    if (const auto v = c.find("verdict")) { EXPECT_EQ(name(o.verdict), v->string()) << "got " << shown; }
    if (const auto r = c.find("risk")) { EXPECT_EQ(name(o.risk), r->string()) << "got " << shown; }
}

class golden_answer : public testing::TestWithParam<const char*> {};

TEST_P(golden_answer, cases) {
    const std::string file = std::string("tests/golden_answer/") + GetParam();
    std::ifstream in(file, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    const auto cases = document::parse(text);
    ASSERT_TRUE(cases) << file << ": run it in the root of the sources";
    std::size_t count = 0;
    for (const value_view c : cases.value.root().find("cases")->elements()) {
        SCOPED_TRACE(std::string(GetParam()) + "/" + c.find("id")->string());
        judge(c);
        ++count;
    }
    EXPECT_GE(count, 5U);
}

INSTANTIATE_TEST_SUITE_P(all, golden_answer,
                         testing::Values("reported.json", "choice.json", "bare_values.json", "brackets.json"),
                         [](const auto& row) {
                             const std::string file = row.param;
                             return file.substr(0, file.find('.'));
                         });

} // namespace
