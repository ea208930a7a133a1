// Server-sent events: read the same however the bytes are cut, and written so that they read back.
#include <jsonheal/net_sse.hpp>

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

namespace {

namespace net = jsonheal::net;
using std::string_literals::operator""s;

std::string told(const net::sse_event& e) {
    return std::string(e.event) + "|" + std::string(e.id) + "|" + std::string(e.data) +
           (e.terminated ? "" : "|cut") + ";";
}

std::string read(const std::vector<std::string_view>& pieces,
                 std::size_t limit = net::sse_reader::default_limit) {
    net::sse_reader reader(limit);
    std::string out;
    for (const std::string_view piece : pieces) {
        reader.feed(piece);
        while (const auto e = reader.next()) { out += told(*e); }
    }
    if (const auto e = reader.finish()) { out += told(*e); }
    if (reader.failed()) { out += "failed"; }
    if (reader.retry()) { out += "retry " + std::to_string(*reader.retry()); }
    return out;
}

struct sse_case {
    const char* name;
    std::string bytes;
    std::string wanted;
    friend std::ostream& operator<<(std::ostream& out, const sse_case& c) { return out << c.name; }
};

const std::vector<sse_case> cases = {
    {"LF", "data: a\n\ndata: b\n\n", "message||a;message||b;"},
    {"CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", "message||a;message||b;"},
    {"CR", "data: a\r\rdata: b\r\r", "message||a;message||b;"},
    {"all three", "data: a\r\n\ndata: b\n\r\ndata: c\r\n\rdata: d\n\n",
     "message||a;message||b;message||c;message||d;"},
    {"no blank after the colon", "data:a\n\n", "message||a;"},
    {"one blank only is dropped", "data:  a \n\n", "message|| a ;"},
    {"several lines", "data: a\ndata: b\ndata:\ndata: c\n\n", "message||a\nb\n\nc;"},
    {"field without colon", "data\n\n", "message||;"},
    {"field without colon, twice", "data\ndata\n\n", "message||\n;"},
    {"empty data", "data:\n\n", "message||;"},
    {"type", "event: ping\ndata: {}\n\ndata: x\n\n", "ping||{};message||x;"},
    {"type without data is dropped", "event: ping\n\ndata: x\n\n", "message||x;"},
    {"id stays", "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n", "message|1|a;message|1|b;message||c;"},
    {"id with NUL is ignored", "id: a\0b\ndata: x\n\n"s, "message||x;"},
    {"comments", ": hello\n\n:\n: x\ndata: a\n:data: b\n\n", "message||a;"},
    {"unknown fields", "foo: bar\ndatax: a\n data: b\nDATA: c\ndata: d\n\n", "message||d;"},
    {"byte order mark",
     "\xEF\xBB\xBF"
     "data: a\n\n",
     "message||a;"},
    {"byte order mark twice",
     "\xEF\xBB\xBF\xEF\xBB\xBF"
     "data: a\n\ndata: b\n\n",
     "message||b;"},
    {"no mark, but its first bytes",
     "\xEF\xBB"
     "data: a\n\ndata: b\n\n",
     "message||b;"},
    {"UTF-8", "data: caf\xc3\xa9 \xf0\x9f\x98\x80\n\n", "message||caf\xc3\xa9 \xf0\x9f\x98\x80;"},
    {"blank lines", "\n\n\r\n\r\rdata: a\n\n\n\n", "message||a;"},
    {"retry", "retry: 250\n\nretry: x\nretry: -1\n\n", "retry 250"},
    {"colon in data", "data: a: b:c\n\n", "message||a: b:c;"},
    {"cut after a line", "data: a\n\ndata: b\n", "message||a;message||b|cut;"},
    {"cut in a line", "data: a\n\ndata: b", "message||a;message||b|cut;"},
    {"cut in a name", "data: a\n\nda", "message||a;"},
    {"cut after CR", "data: a\r\n\r", "message||a;"},
    {"nothing", "", ""},
    {"done", "data: {\"a\":1}\n\ndata: [DONE]\n\n", "message||{\"a\":1};message||[DONE];"},
};

class events : public testing::TestWithParam<sse_case> {};
TEST_P(events, are_read_the_same_however_they_are_cut) {
    const std::string_view bytes = GetParam().bytes;
    EXPECT_EQ(read({bytes}), GetParam().wanted);
    for (std::size_t first = 0; first <= bytes.size(); ++first) {
        for (std::size_t second = first; second <= bytes.size(); ++second) {
            ASSERT_EQ(
                read({bytes.substr(0, first), bytes.substr(first, second - first), bytes.substr(second)}),
                GetParam().wanted)
                << first << " " << second;
        }
    }
    std::vector<std::string_view> single;
    for (std::size_t i = 0; i < bytes.size(); ++i) { single.push_back(bytes.substr(i, 1)); }
    EXPECT_EQ(read(single), GetParam().wanted);
}
INSTANTIATE_TEST_SUITE_P(table, events, testing::ValuesIn(cases));

TEST(events, are_bounded) {
    EXPECT_EQ(read({"data: 12345\n\n"}, 5), "message||12345;");
    EXPECT_EQ(read({"data: 123456\n\n"}, 5), "failed");
    EXPECT_EQ(read({"data: 123\ndata: 456\n\n"}, 5), "failed");
    EXPECT_EQ(read({"data: 1234", "567"}, 5), "failed"); // a line without end
    EXPECT_EQ(read({"data: 1\n\ndata: 123456\n\ndata: 2\n\n"}, 5), "message||1;failed");
    EXPECT_EQ(read({": " + std::string(100, 'x'), std::string(100, 'x'), "\ndata: 1\n\n"}, 50), "failed");
}

TEST(events, of_many_lines_take_time_in_proportion) {
    for (const char* end : {"\n", "\r", "\r\n"}) {
        std::string text;
        for (int i = 0; i < 200'000; ++i) { text += std::string("data: ") + end; }
        net::sse_reader reader;
        for (std::size_t i = 0; i < text.size(); i += 1000) {
            reader.feed(std::string_view(text).substr(i, 1000));
            EXPECT_FALSE(reader.next());
        }
        const auto last = reader.finish();
        ASSERT_TRUE(last);
        EXPECT_EQ(last->data.size(), 199'999u);
    }
}

TEST(events, written_read_back) {
    for (const std::string& data : {"a"s, ""s, "a\nb"s, "a\n"s, "\n"s, "\n\nx\n\n"s, "a\r\nb\rc"s, " a"s,
                                    "data: x"s, "\xf0\x9f\x98\x80"s}) {
        std::string text;
        net::append_event(text, {.data = data, .event = "t\ndata: no", .id = "7"});
        std::string wanted = data;
        for (std::size_t at = 0; (at = wanted.find("\r\n", at)) != std::string::npos;) {
            wanted.erase(at, 1);
        }
        for (char& c : wanted) { c = c == '\r' ? '\n' : c; }
        EXPECT_EQ(read({text}), "tdata: no|7|" + wanted + ";");
    }
    std::string text;
    net::append_comment(text, "keep\nalive\rdata: x");
    net::append_event(text, {.data = "x"});
    EXPECT_EQ(text, ": keepalivedata: x\n\ndata: x\n\n");
    EXPECT_EQ(read({text}), "message||x;");
}

} // namespace
