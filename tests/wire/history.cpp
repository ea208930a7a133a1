// History repair: every call has exactly one result, right behind it.
#include "random_messages.hpp"

#include <gtest/gtest.h>

namespace jsonheal_test {
namespace {

using namespace jsonheal::wire;

message assistant(std::vector<std::string> ids, const std::string& text = {}) {
    message m{role::assistant, {}, {}, {}};
    if (!text.empty()) { m.blocks.push_back(make_text(text)); }
    for (std::string& id : ids) {
        tool_call c;
        c.id = std::move(id);
        c.name = "f";
        c.arguments = "{}";
        m.blocks.push_back({std::move(c), {}, {}});
    }
    return m;
}
message result(const std::string& id, const std::string& content) {
    tool_result r;
    r.call_id = id;
    r.content = content;
    return {role::tool, {{std::move(r), {}, {}}}, {}, {}};
}
message user(const std::string& text) { return {role::user, {make_text(text)}, {}, {}}; }

/// `u:hi a:x,y r:x=1 …`
std::string shown(const std::vector<message>& messages) {
    std::string out;
    for (const message& m : messages) {
        out += out.empty() ? "" : " ";
        out += m.role == role::tool ? "r:" : std::string(1, name(m.role)[0]) + ":";
        for (const content_block& b : m.blocks) {
            if (const auto* t = b.get<text_block>()) { out += t->text; }
            if (const auto* c = b.get<tool_call>()) { out += "<" + c->id + ">"; }
            if (const auto* r = b.get<tool_result>()) {
                out += r->call_id + "=" + (r->is_error ? "!" + r->error_code : r->content);
            }
        }
    }
    return out;
}

struct history_case {
    std::string_view what;
    std::vector<message> before;
    std::string_view after;
    std::size_t missing, removed, moved, renamed;
};

TEST(History, Cases) {
    const history_case cases[] = {
        {"right already",
         {user("q"), assistant({"a", "b"}), result("a", "1"), result("b", "2"), user("r")},
         "u:q a:<a><b> r:a=1 r:b=2 u:r",
         0,
         0,
         0,
         0},
        {"missing at the end", {user("q"), assistant({"a"})}, "u:q a:<a> r:a=!missing_result", 1, 0, 0, 0},
        {"missing in the middle",
         {assistant({"a", "b"}), result("b", "2"), user("r")},
         "a:<a><b> r:a=!missing_result r:b=2 u:r",
         1,
         0,
         0,
         0},
        {"moved behind its call",
         {assistant({"a"}), user("r"), result("a", "1")},
         "a:<a> r:a=1 u:r",
         0,
         0,
         1,
         0},
        {"in the order of the calls",
         {assistant({"a", "b"}), result("b", "2"), result("a", "1")},
         "a:<a><b> r:a=1 r:b=2",
         0,
         0,
         0,
         0},
        {"too late",
         {assistant({"a"}), assistant({}, "x"), result("a", "1")},
         "a:<a> r:a=!missing_result a:x",
         1,
         1,
         0,
         0},
        {"orphan before all", {result("a", "1"), user("q")}, "u:q", 0, 1, 0, 0},
        {"orphan of another id",
         {assistant({"a"}), result("z", "0"), result("a", "1")},
         "a:<a> r:a=1",
         0,
         1,
         0,
         0},
        {"two results", {assistant({"a"}), result("a", "1"), result("a", "2")}, "a:<a> r:a=1", 0, 1, 0, 0},
        {"ids repeat from turn to turn",
         {assistant({"a"}), result("a", "1"), assistant({"a"}), result("a", "2")},
         "a:<a> r:a=1 a:<a> r:a=2",
         0,
         0,
         0,
         0},
        {"ids repeat in a turn",
         {assistant({"a", "a"}), result("a", "1"), result("a", "2")},
         "a:<a><call_0_1> r:a=1 r:call_0_1=2",
         0,
         0,
         0,
         1},
        {"ids repeat, one result",
         {assistant({"a", "a"}), result("a", "1")},
         "a:<a><call_0_1> r:a=1 r:call_0_1=!missing_result",
         1,
         0,
         0,
         1},
        {"empty id", {assistant({""}), result("", "1")}, "a:<call_0_0> r:call_0_0=1", 0, 0, 0, 1},
        {"a made id is taken",
         {assistant({"", "call_0_0"}), result("call_0_0", "1")},
         "a:<call_0_0_><call_0_0> r:call_0_0_=!missing_result r:call_0_0=1",
         1,
         0,
         0,
         1},
    };
    for (const history_case& c : cases) {
        std::vector<message> messages = c.before;
        const history_repair report = repair_history(messages);
        EXPECT_EQ(shown(messages), c.after) << c.what;
        EXPECT_EQ(report.missing, c.missing) << c.what;
        EXPECT_EQ(report.removed, c.removed) << c.what;
        EXPECT_EQ(report.moved, c.moved) << c.what;
        EXPECT_EQ(report.renamed, c.renamed) << c.what;
        EXPECT_FALSE(repair_history(messages).any()) << c.what;
    }
}

TEST(History, ResultsInsideOtherMessages) {
    message mixed = user("and now");
    mixed.blocks.push_back(result("a", "1").blocks[0]);
    std::vector<message> messages = {assistant({"a"}), mixed};
    const history_repair report = repair_history(messages);
    EXPECT_EQ(shown(messages), "a:<a> r:a=1 u:and now");
    EXPECT_EQ(report.moved, 1u);
}

TEST(History, AnyHistoryIsMadeRight) {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        random_source r(seed);
        std::vector<message> messages;
        for (std::size_t n = r.below(10); n > 0; --n) {
            const std::string id(1, r.pick("ab"));
            switch (r.below(4)) {
            case 0: messages.push_back(user("u")); break;
            case 1: messages.push_back(result(id, "x")); break;
            case 2: messages.push_back(assistant({id, std::string(1, r.pick("abc"))})); break;
            default: messages.push_back(assistant({r.chance(20) ? "" : id}, "t")); break;
            }
        }
        (void)repair_history(messages);
        EXPECT_FALSE(repair_history(messages).any()) << seed;
        for (std::size_t i = 0; i < messages.size(); ++i) {
            std::size_t next = i + 1;
            for (const content_block& b : messages[i].blocks) {
                const auto* c = b.get<tool_call>();
                if (c == nullptr) { continue; }
                ASSERT_LT(next, messages.size()) << seed;
                const auto* answered = messages[next++].blocks.at(0).get<tool_result>();
                ASSERT_TRUE(answered != nullptr && answered->call_id == c->id) << seed;
            }
            const bool is_result = messages[i].role == role::tool;
            ASSERT_FALSE(is_result && i == 0) << seed;
        }
    }
}

TEST(History, ManyCallsInOneTurn) {
    std::vector<std::string> ids(20000, "same");
    std::vector<message> messages = {assistant(ids)};
    for (std::size_t i = 0; i < ids.size(); ++i) { messages.push_back(result("same", "x")); }
    EXPECT_EQ(repair_history(messages).renamed, ids.size() - 1);
}

TEST(ErrorMark, IsReadAndWritten) {
    tool_result r;
    r.content = "[ERROR:ENOENT] no such file";
    ASSERT_TRUE(read_error_mark(r));
    EXPECT_EQ(r.content, "no such file");
    EXPECT_EQ(r.error_code, "ENOENT");
    EXPECT_EQ(marked_content(r), "[ERROR:ENOENT] no such file");
    for (const std::string_view text : {"[ERROR", "[ERROR]", "[ERROR:] x", "[ERRORS] x", "[ERROR:a b] x",
                                        "x [ERROR] y", "[ERROR:abcdefghijklmnopqrstuvwxyzabcdefg] x"}) {
        tool_result plain;
        plain.content = text;
        EXPECT_FALSE(read_error_mark(plain)) << text;
        EXPECT_EQ(plain.content, text);
    }
}

} // namespace
} // namespace jsonheal_test
