// The reader of a JSON text that is still being written.
#include <jsonheal/document.hpp>
#include <jsonheal/document_prefix.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

namespace jsonheal {
namespace {

/// What is shown of a beginning of a text: its whole part and closers.
std::string shown(std::string_view text, bool token_ended = false) {
    prefix_sink nothing;
    prefix_reader reader(nothing);
    reader.read(text);
    const std::size_t whole = reader.whole(token_ended);
    std::string out(text.substr(0, whole));
    if (whole != 0) { reader.append_closers(out); }
    return out;
}

TEST(prefix_reader, shows_what_is_certain) {
    const std::pair<std::string_view, std::string_view> cases[] = {
        {"", ""},
        {"  ", ""},
        {"{", "{}"},
        {"{\"a", "{}"},
        {"{\"a\":", "{}"},
        {"{\"a\": 1", "{}"},
        {"{\"a\": 1,", "{\"a\": 1}"},
        {"{\"a\": 1 ,\"b", "{\"a\": 1 }"},
        {"{\"a\": \"", "{\"a\": \"\"}"},
        {"{\"a\": \"x\\", "{\"a\": \"x\"}"},
        {"{\"a\": \"x\\n", "{\"a\": \"x\\n\"}"},
        {"{\"a\": \"x\\u12", "{\"a\": \"x\"}"},
        {"{\"a\": \"\\ud83d", "{\"a\": \"\"}"},
        {"{\"a\": \"\\ud83d\\ude0", "{\"a\": \"\"}"},
        {"{\"a\": \"\\ud83d\\ude00", "{\"a\": \"\\ud83d\\ude00\"}"},
        {"{\"a\": \"\\ud83dx", "{\"a\": \"\\ud83dx\"}"},
        {"{\"a\": \"\\ud83d\\n", "{\"a\": \"\\ud83d\\n\"}"},
        {"{\"a\": \"\\ud83d\"", "{\"a\": \"\\ud83d\"}"},
        {"[1, 2", "[1]"},
        {"[1, tr", "[1]"},
        {"[[], {\"a\": [", "[[], {\"a\": []}]"},
        {"12", ""},
        {"12 ", "12 "},
    };
    for (const auto& [text, want] : cases) { EXPECT_EQ(shown(text), want) << text; }
    EXPECT_EQ(shown("[1, 2", true), "[1, 2]");
    EXPECT_EQ(shown("12", true), "12");
}

TEST(prefix_reader, shows_strict_json_that_only_grows_at_every_cut) {
    const std::string text =
        R"( {"a": [1, -2.5e+3, true, null, "x\"\\\u00e9\ud83d\ude00"], "": {}, "b\n": "", "c": [[{"d": false}]]} )";
    prefix_sink nothing;
    prefix_reader reader(nothing);
    std::size_t last = 0;
    for (std::size_t i = 0; i != text.size(); ++i) {
        reader.read(text.substr(i, 1));
        ASSERT_GE(reader.whole(), last);
        last = reader.whole();
        std::string whole = text.substr(0, last);
        if (last != 0) { reader.append_closers(whole); }
        EXPECT_TRUE(last == 0 || document::parse(whole)) << whole;
        EXPECT_EQ(shown(text.substr(0, i + 1)), whole) << "one piece and many differ at " << i;
    }
    EXPECT_EQ(last, text.size());
    EXPECT_EQ(reader.depth(), 0U);
}

TEST(prefix_reader, ends_a_text_with_null_where_a_value_is_missing) {
    const std::pair<std::string_view, std::string_view> cases[] = {
        {"{\"a", "{\"a\":null}"},
        {"{\"a\"", "{\"a\":null}"},
        {"{\"a\":", "{\"a\":null}"},
        {"{\"a\":1,", "{\"a\":1,\"\":null}"},
        {"[1,", "[1,null]"},
        {"[\"x", "[\"x\"]"},
        {"  ", "  null"},
    };
    for (const auto& [text, want] : cases) {
        prefix_sink nothing;
        prefix_reader reader(nothing);
        reader.read(text);
        std::string ended(text);
        reader.append_ending(ended);
        EXPECT_EQ(ended, want);
    }
}

TEST(prefix_reader, starts_anew_after_reset) {
    prefix_sink nothing;
    prefix_reader reader(nothing);
    reader.read("[{\"a\": \"\\u1");
    reader.reset();
    reader.read("[1,");
    EXPECT_EQ(reader.whole(), 2U);
    EXPECT_EQ(reader.depth(), 1U);
}

} // namespace
} // namespace jsonheal
