#include <jsonheal/args_tools.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace {

using jsonheal::document;
using jsonheal::tool_catalogue;
using jsonheal::tool_spec;
using jsonheal::value_kind;

TEST(catalogue, has_the_38_tools_in_order) {
    const auto tools = tool_catalogue::standard().tools();
    EXPECT_EQ(tools.size(), 38U);
    EXPECT_TRUE(std::is_sorted(tools.begin(), tools.end(),
                               [](const auto& a, const auto& b) { return a.name < b.name; }));
    std::vector<std::string> shell;
    for (const tool_spec& t : tools) {
        EXPECT_FALSE(t.field.empty()) << t.name;
        if (t.is_shell()) { shell.push_back(t.name); }
    }
    EXPECT_EQ(shell, (std::vector<std::string>{"Bash", "bash", "exec", "run_command", "shell"}));
    EXPECT_EQ(tool_catalogue::standard().find("@coder")->bare, tool_spec::bare_text::subcommands);
}

TEST(catalogue, finds_the_exact_name_before_the_lower_case) {
    const tool_catalogue& all = tool_catalogue::standard();
    EXPECT_EQ(all.find("Read")->field, "file_path");
    EXPECT_EQ(all.find("read")->field, "file");
    EXPECT_EQ(all.find("READ")->field, "file");
    EXPECT_EQ(all.find("BASH")->name, "bash");
    EXPECT_EQ(all.find("grep"), nullptr);
    EXPECT_EQ(all.find(""), nullptr);
    EXPECT_EQ(all.find(std::string(200, 'X')), nullptr);
}

TEST(catalogue, takes_more_tools) {
    tool_catalogue mine;
    tool_spec fetch;
    fetch.name = "fetch";
    fetch.field = "url";
    mine.add(fetch);
    fetch.name = "read";
    mine.add(fetch);
    EXPECT_EQ(mine.tools().size(), 39U);
    EXPECT_EQ(mine.find("FETCH")->field, "url");
    EXPECT_EQ(mine.find("read")->field, "url");
    fetch.name.clear();
    EXPECT_THROW(mine.add(fetch), std::invalid_argument);
}

tool_spec by_schema(std::string_view name, std::string schema) {
    const auto parsed = document::parse(std::move(schema));
    return jsonheal::tool_from_schema(name, parsed.value.root(), tool_catalogue::standard().find(name));
}

TEST(schema, names_the_sole_required_string) {
    const auto t = by_schema(
        "f", R"({"properties":{"n":{"type":"integer"},"q":{"type":["string","null"]}},"required":["q"]})");
    EXPECT_TRUE(t.has_schema);
    EXPECT_TRUE(t.closed);
    EXPECT_EQ(t.field, "q");
    EXPECT_FALSE(t.is_shell());
    EXPECT_TRUE(t.find_property("n")->kinds.has(value_kind::number));
    EXPECT_FALSE(t.find_property("n")->kinds.has(value_kind::string));
    EXPECT_EQ(by_schema("f", R"({"properties":{"n":{"type":"integer"}},"required":["n"]})").field, "");
    EXPECT_EQ(
        by_schema("f", R"({"properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a","b"]})")
            .field,
        "");
    EXPECT_EQ(by_schema("f", R"({"properties":{"a":{"type":"string"}}})").field, "a");
    EXPECT_EQ(by_schema("f", R"({"properties":{"a":{"enum":["x","y"]}},"required":["a"]})").field, "a");
    EXPECT_FALSE(by_schema("f", R"({"properties":{},"additionalProperties":true})").closed);
    EXPECT_FALSE(by_schema("f", "true").has_schema);
    EXPECT_FALSE(by_schema("f", R"({"type":"object"})").has_schema);
}

TEST(schema, goes_before_the_catalogue_where_they_differ) {
    EXPECT_EQ(
        by_schema("read_file", R"({"properties":{"path":{"type":"string"}},"required":["path"]})").field,
        "path");
    EXPECT_EQ(
        by_schema("read_file", R"({"properties":{"path":{"type":"string"},"file":{}},"required":["path"]})")
            .field,
        "file");
    EXPECT_TRUE(by_schema("bash", R"({"properties":{"command":{"type":"string"}}})").is_shell());
    EXPECT_TRUE(
        by_schema("run_it", R"({"properties":{"cmd":{"type":"string"}},"required":["cmd"]})").is_shell());
}

TEST(catalogue_file, adds_tools) {
    const auto r = tool_catalogue::read(R"({
        "fetch": "url",
        "zsh": {"field": "command", "bare": "shell", "code": ["command"]},
        "lookup": {"schema": {"properties": {"q": {"type": "string"}}, "required": ["q"]}}
    })");
    ASSERT_TRUE(r) << r.error->message;
    EXPECT_EQ(r.catalogue.tools().size(), 41U);
    EXPECT_EQ(r.catalogue.find("fetch")->field, "url");
    EXPECT_TRUE(r.catalogue.find("zsh")->is_shell());
    EXPECT_EQ(r.catalogue.find("zsh")->code_fields, std::vector<std::string>{"command"});
    EXPECT_EQ(r.catalogue.find("lookup")->field, "q");
}

struct fault {
    const char* json;
    const char* message;
    std::size_t line, column;
};
class catalogue_fault : public testing::TestWithParam<fault> {};

TEST_P(catalogue_fault, is_named_with_its_place) {
    const auto r = tool_catalogue::read(GetParam().json);
    ASSERT_FALSE(r) << GetParam().json;
    EXPECT_NE(r.error->message.find(GetParam().message), std::string::npos) << r.error->message;
    EXPECT_EQ(r.error->place, (jsonheal::text_position{GetParam().line, GetParam().column}))
        << GetParam().json;
    EXPECT_EQ(r.catalogue.tools().size(), 38U);
}

INSTANTIATE_TEST_SUITE_P(all, catalogue_fault,
                         testing::Values(fault{"{\"a\":\n\"x\",}", "is not JSON", 2, 5},
                                         fault{"", "is not JSON", 1, 1}, fault{"[]", "not an object", 1, 1},
                                         fault{"{\"a\":\"x\",\n \"a\":\"y\"}", "\"a\" is named twice", 2, 2},
                                         fault{R"({"":"x"})", "needs a name", 1, 2},
                                         fault{R"({"a":1})", "a field's name", 1, 6},
                                         fault{R"({"a":{"field":1}})", "not a string", 1, 15},
                                         fault{R"({"a":{"field":"x","field":"y"}})", "there twice", 1, 19},
                                         fault{R"({"a":{"bare":"shll"}})", "not one of", 1, 14},
                                         fault{R"({"a":{"code":"x"}})", "not a list", 1, 14},
                                         fault{R"({"a":{"code":[1]}})", "list of strings", 1, 15},
                                         fault{R"({"a":{"shell":true}})", "no setting \"shell\"", 1, 7},
                                         fault{R"({"a":{"schema":{}}})", "has no \"properties\"", 1, 16}));

} // namespace
