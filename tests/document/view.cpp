// Looking at documents.

#include <jsonheal/document.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace {

using jsonheal::document;
using jsonheal::value_kind;

TEST(view, shows_members_and_elements_in_order_with_their_places) {
    const std::string text = R"( {"a": [1, 2.50, "x"], "b": {}, "a": null} )";
    const auto parsed = document::parse(text);
    ASSERT_TRUE(parsed);
    const auto root = parsed.value.root();
    ASSERT_TRUE(root.is(value_kind::object));
    EXPECT_EQ(root.size(), 3u);
    std::string seen;
    for (const auto& [key, value] : root.members()) {
        seen += std::string(key.source()) + "=" + std::string(value.source()) + ";";
        EXPECT_EQ(text.substr(value.begin(), value.end() - value.begin()), value.source());
    }
    EXPECT_EQ(seen, R"("a"=[1, 2.50, "x"];"b"={};"a"=null;)");
    const auto array = (*root.members().begin()).value;
    ASSERT_EQ(array.size(), 3u);
    EXPECT_EQ(array.at(1).source(), "2.50");
    EXPECT_EQ(array.at(2).string(), "x");
    EXPECT_EQ(array.at(0).end_index(), array.at(1).index());
    EXPECT_EQ(root.with_index(array.index()), array);
    EXPECT_EQ(root.end_index(), parsed.value.node_count());
}

TEST(view, finds_the_last_of_repeated_keys_however_they_are_escaped) {
    const auto d = document::parse(R"({"key":1,"k\u0065y":2,"other":3})").value;
    ASSERT_TRUE(d.root().find("key"));
    EXPECT_EQ(d.root().find("key")->source(), "2");
    EXPECT_FALSE(d.root().find("ke"));
    EXPECT_FALSE(d.root().find(""));
}

TEST(view, empty_containers_have_empty_ranges) {
    const auto d = document::parse("[{},[ ]]").value;
    for (const auto v : d.root().elements()) { EXPECT_EQ(v.size(), 0u); }
    EXPECT_TRUE(d.root().at(0).members().begin() == d.root().at(0).members().end());
    EXPECT_TRUE(d.root().at(1).elements().begin() == d.root().at(1).elements().end());
}

TEST(view, borrows_what_needs_no_decoding) {
    const auto d = document::parse(R"(["plain","a\tb"])").value;
    std::string scratch = "untouched";
    EXPECT_EQ(d.root().at(0).string(scratch), "plain");
    EXPECT_EQ(scratch, "untouched");
    EXPECT_FALSE(d.root().at(0).has_escape());
    EXPECT_EQ(d.root().at(1).string(scratch), "a\tb");
    EXPECT_EQ(scratch, "a\tb");
    EXPECT_TRUE(d.root().at(1).string_is("a\tb"));
    EXPECT_FALSE(d.root().at(1).string_is("a\\tb"));
}

TEST(view, outlives_the_move_of_its_document) {
    auto parsed = document::parse(R"(["short"])");
    const auto element = parsed.value.root().at(0);
    const document kept = std::move(parsed.value);
    parsed = {};
    EXPECT_EQ(element.source(), R"("short")");
    const document copy = kept;
    EXPECT_EQ(copy.root(), kept.root());
}

TEST(view, names_the_kinds) {
    const auto d = document::parse(R"([null,true,1,"",[],{}])").value;
    std::vector<std::string_view> names;
    for (const auto v : d.root().elements()) { names.push_back(name(v.kind())); }
    EXPECT_EQ(names,
              (std::vector<std::string_view>{"null", "boolean", "number", "string", "array", "object"}));
    EXPECT_TRUE(d.root().at(1).boolean());
    EXPECT_FALSE(document::parse("false").value.root().boolean());
}

TEST(kind_set, holds_what_was_added) {
    jsonheal::kind_set kinds;
    EXPECT_TRUE(kinds.empty());
    kinds.add(value_kind::object).add(value_kind::null);
    EXPECT_TRUE(kinds.has(value_kind::object) && kinds.has(value_kind::null) &&
                !kinds.has(value_kind::array));
    for (const auto k : {value_kind::boolean, value_kind::number, value_kind::string, value_kind::array}) {
        kinds.add(k);
    }
    EXPECT_EQ(kinds, jsonheal::kind_set::all());
}

} // namespace
