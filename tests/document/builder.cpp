// Building documents.

#include <jsonheal/document.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace {

using jsonheal::document;
using jsonheal::document_builder;

TEST(builder, writes_compact_text_and_the_tape_that_parsing_it_gives) {
    document_builder b;
    b.begin_object()
        .key("a\n")
        .begin_array()
        .number_text("1e3")
        .number(-7)
        .string("x\ty")
        .boolean(true)
        .null()
        .end_array();
    b.key("").begin_object().end_object().key("a\n").begin_array().end_array().end_object();
    EXPECT_TRUE(b.complete());
    const document built = b.finish();
    EXPECT_EQ(built.text(), R"({"a\n":[1e3,-7,"x\ty",true,null],"":{},"a\n":[]})");

    const auto parsed = document::parse(std::string(built.text()));
    ASSERT_TRUE(parsed);
    ASSERT_EQ(built.node_count(), parsed.value.node_count());
    for (std::uint32_t i = 0; i != built.node_count(); ++i) {
        const auto x = built.root().with_index(i);
        const auto y = parsed.value.root().with_index(i);
        EXPECT_EQ(x.kind(), y.kind());
        EXPECT_EQ(x.source(), y.source());
        EXPECT_EQ(x.begin(), y.begin());
        EXPECT_EQ(x.end_index(), y.end_index());
        if (x.is(jsonheal::value_kind::string)) { EXPECT_EQ(x.has_escape(), y.has_escape()); }
    }
}

TEST(builder, copies_values_and_keys_as_they_are_spelled) {
    const auto from = document::parse(R"({"k\u0065y": [1.0, { "x" : "\ud800" }], "b": 2})").value;
    document_builder b;
    b.begin_array();
    for (const auto& [key, value] : from.root().members()) {
        b.begin_object().key_copy(key).copy(value).end_object();
    }
    b.copy(from.root()).end_array();
    const document built = b.finish();
    EXPECT_EQ(built.text(), R"([{"k\u0065y":[1.0, { "x" : "\ud800" }]},{"b":2},)" +
                                std::string(from.root().source()) + "]");
    EXPECT_TRUE(same_value(built.root().at(2), from.root()));
    EXPECT_EQ(built.root().at(0).find("key")->at(1).find("x")->source(), R"("\ud800")");
}

TEST(builder, is_empty_again_after_finish) {
    document_builder b;
    EXPECT_EQ(b.null().finish().text(), "null");
    EXPECT_FALSE(b.complete());
    EXPECT_EQ(b.string("x").finish().text(), "\"x\"");
}

TEST(builder, throws_at_calls_out_of_turn) {
    const auto object = [] {
        document_builder b;
        b.begin_object();
        return b;
    };
    EXPECT_THROW(document_builder().key("a"), std::logic_error);
    EXPECT_THROW(object().null(), std::logic_error);
    EXPECT_THROW(object().key("a").key("b"), std::logic_error);
    EXPECT_THROW(object().key("a").end_object(), std::logic_error);
    EXPECT_THROW(object().end_array(), std::logic_error);
    EXPECT_THROW((void)object().finish(), std::logic_error);
    EXPECT_THROW(document_builder().begin_array().key("a"), std::logic_error);
    EXPECT_THROW(document_builder().null().null(), std::logic_error);
    EXPECT_THROW(document_builder().end_object(), std::logic_error);
    EXPECT_THROW((void)document_builder().finish(), std::logic_error);
    for (const auto* spelling : {"", "01", "1.", "+1", "0x1", "1 ", "NaN"}) {
        EXPECT_THROW(document_builder().number_text(spelling), std::invalid_argument) << spelling;
    }
}

TEST(builder, holds_a_million_levels) {
    document_builder b;
    for (int i = 0; i != 1'000'000; ++i) { b.begin_array(); }
    for (int i = 0; i != 1'000'000; ++i) { b.end_array(); }
    EXPECT_EQ(b.finish().node_count(), 1'000'000u);
}

} // namespace
