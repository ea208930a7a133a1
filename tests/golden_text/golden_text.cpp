// Runs the cases of this folder's files; README.md describes them.
#include <jsonheal/document.hpp>
#include <jsonheal/quotes.hpp>
#include <jsonheal/sanitize.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace {

using jsonheal::document;
using jsonheal::rewritten;
using jsonheal::value_view;

document read_cases(const std::string& file) {
    std::ifstream in("tests/golden_text/" + file, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    const auto parsed = document::parse(text);
    EXPECT_TRUE(parsed) << file << ": run it in the root of the sources";
    return parsed.value;
}

std::optional<std::string> member(value_view c, std::string_view name) {
    const auto found = c.find(name);
    return found ? std::optional(found->string()) : std::nullopt;
}

/// Calls `judge(case, id, input)` for every case of a file.
template <class Judge>
void for_each_case(const std::string& file, Judge judge) {
    const document cases = read_cases(file);
    std::size_t count = 0;
    for (const value_view c : cases.root().find("cases")->elements()) {
        const std::string id = *member(c, "id");
        SCOPED_TRACE(file + "/" + id);
        judge(c, *member(c, "input"));
        ++count;
    }
    EXPECT_GT(count, 20U);
}

void judge(value_view c, const std::string& input, const rewritten& got) {
    EXPECT_EQ(got.text, member(c, "text"));
    EXPECT_EQ(name(got.verdict), member(c, "verdict").value_or(std::string(name(got.verdict))));
    EXPECT_EQ(name(got.cut), member(c, "cut").value_or(""));
    EXPECT_EQ(name(got.risk), member(c, "risk").value_or(std::string(name(got.risk))));
    EXPECT_EQ(jsonheal::replay(input, got.edits), got.text);
}

TEST(golden_text, sanitize) {
    for_each_case("sanitize.json",
                  [](value_view c, const std::string& input) { judge(c, input, jsonheal::sanitize(input)); });
}

TEST(golden_text, complete) {
    for_each_case("complete.json", [](value_view c, const std::string& input) {
        judge(c, input, jsonheal::complete_object(input));
    });
}

TEST(golden_text, extract) {
    for_each_case("extract.json", [](value_view c, const std::string& input) {
        std::vector<std::string> wanted;
        for (const value_view text : c.find("texts")->elements()) { wanted.push_back(text.string()); }
        const auto found = jsonheal::extract_objects(input);
        EXPECT_EQ(std::vector<std::string>(found.begin(), found.end()), wanted);
    });
}

TEST(golden_text, quotes) {
    for_each_case("quotes.json", [](value_view c, const std::string& input) {
        jsonheal::quote_options options;
        const std::string set = member(c, "set").value_or("standard");
        options.set = set == "all"     ? jsonheal::quote_set::all
                      : set == "curly" ? jsonheal::quote_set::curly
                                       : jsonheal::quote_set::standard;
        const auto path = member(c, "path");
        const auto got = path ? jsonheal::normalize_code_file(*path, input, options)
                              : jsonheal::normalize_quotes(input, options);
        EXPECT_EQ(got.text, member(c, "text"));
        EXPECT_EQ(got.edits.empty(), got.text == input);
        EXPECT_EQ(jsonheal::replay(input, got.edits), got.text);
    });
}

} // namespace
