// The parsers of HTTP/1.1 messages: what is read, what is refused and with which status, and that it is the same however the
// bytes are cut.
#include <jsonheal/net_http.hpp>

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

namespace {

namespace net = jsonheal::net;
using std::string_literals::operator""s;

/// What a reader makes of a stream of requests: a line for each, or `refused STATUS` as the last.
std::string read_requests(const std::vector<std::string_view>& pieces, const net::head_limits& limits = {}) {
    std::string out;
    net::request_parser parser(limits);
    net::request_head head;
    net::body_parser body;
    std::string text;
    bool in_body = false;
    const auto finish = [&] {
        out += head.method + " " + head.path + (head.query.empty() ? "" : "?" + head.query) + " " +
               std::to_string(head.minor) + (head.keep_alive ? "" : " close") +
               (head.expects_continue ? " expect" : "");
        for (const net::field f : head.headers) {
            out += " " + std::string(f.name) + "=" + std::string(f.value);
        }
        out += " [" + text + "]\n";
        text.clear();
        in_body = false;
    };
    for (std::string_view in : pieces) {
        while (!in.empty()) {
            if (!in_body) {
                in.remove_prefix(parser.feed(in));
                if (parser.fault()) { return out + "refused " + std::to_string(parser.fault().status); }
                if (!parser.done()) { continue; }
                head = std::move(parser.head);
                parser.reset();
                body = net::body_parser(head.body_framing, head.length);
                in_body = true;
            } else {
                text += body.next(in);
                if (body.fault()) { return out + "refused " + std::to_string(body.fault().status); }
            }
            if (in_body && body.done()) { finish(); }
        }
    }
    if (in_body || parser.started()) { out += "more"; }
    return out;
}

std::string read_responses(const std::vector<std::string_view>& pieces, bool to_head = false) {
    std::string out;
    net::response_parser parser;
    net::response_head head;
    net::body_parser body;
    std::string text;
    bool in_body = false;
    const auto finish = [&](const char* how) {
        out += std::to_string(head.status) + " " + head.reason + (head.keep_alive ? "" : " close") + " [" +
               text + "]" + how + "\n";
        text.clear();
        in_body = false;
    };
    for (std::string_view in : pieces) {
        while (!in.empty()) {
            if (!in_body) {
                in.remove_prefix(parser.feed(in, to_head));
                if (parser.fault()) { return out + "refused"; }
                if (!parser.done()) { continue; }
                head = std::move(parser.head);
                parser.reset();
                body = net::body_parser(head.body_framing, head.length);
                in_body = true;
            } else {
                text += body.next(in);
                if (body.fault()) { return out + "refused"; }
            }
            if (in_body && body.done()) { finish(""); }
        }
    }
    if (in_body) { finish(body.may_end() ? " to the end" : " cut"); }
    return out;
}

/// Whole, cut in two at every place, and byte by byte.
template <class Read>
void expect_everywhere(std::string_view bytes, const std::string& wanted, Read read) {
    EXPECT_EQ(read({bytes}), wanted);
    for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
        ASSERT_EQ(read({bytes.substr(0, cut), bytes.substr(cut)}), wanted) << "cut at " << cut;
    }
    std::vector<std::string_view> single;
    for (std::size_t i = 0; i < bytes.size(); ++i) { single.push_back(bytes.substr(i, 1)); }
    ASSERT_EQ(read(single), wanted) << "byte by byte";
}

struct http_case {
    const char* name;
    std::string bytes;
    std::string wanted;
    friend std::ostream& operator<<(std::ostream& out, const http_case& c) { return out << c.name; }
};

/// A POST with these fields and this after its head.
std::string post(const std::string& header_lines, const std::string& rest = "") {
    return "POST / HTTP/1.1\r\nHost: h\r\n" + header_lines + "\r\n" + rest;
}
/// A chunked POST.
std::string chunks(const std::string& rest) { return post("Transfer-Encoding: chunked\r\n", rest); }
const std::string chunked_head = "POST / 1 Host=h Transfer-Encoding=chunked ";

const std::vector<http_case> request_cases = {
    {"plain", "GET / HTTP/1.1\r\nHost: h\r\n\r\n", "GET / 1 Host=h []\n"},
    {"query", "GET /a/b%20c?d=e&f?g HTTP/1.1\r\nHost: h\r\n\r\n", "GET /a/b%20c?d=e&f?g 1 Host=h []\n"},
    {"absolute target", "GET http://h:80/p?q HTTP/1.1\r\nHost: h\r\n\r\n", "GET /p?q 1 Host=h []\n"},
    {"absolute target without path", "GET HTTP://h HTTP/1.1\r\nHost: h\r\n\r\n", "GET / 1 Host=h []\n"},
    {"absolute target with query only", "GET http://h?q HTTP/1.1\r\nHost: h\r\n\r\n",
     "GET /?q 1 Host=h []\n"},
    {"star", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", "OPTIONS * 1 Host=h []\n"},
    {"http 1.0", "GET / HTTP/1.0\r\n\r\n", "GET / 0 close []\n"},
    {"http 1.0 kept", "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
     "GET / 0 Connection=Keep-Alive []\n"},
    {"close in a list", "GET / HTTP/1.1\r\nHost: h\r\nConnection: foo, CLOSE\r\n\r\n",
     "GET / 1 close Host=h Connection=foo, CLOSE []\n"},
    {"blanks around values", post("A:  b \t\r\nC:\r\nD:e\r\n"), "POST / 1 Host=h A=b C= D=e []\n"},
    {"bytes above 127 in a value", post("A: caf\xc3\xa9\r\n"), "POST / 1 Host=h A=caf\xc3\xa9 []\n"},
    {"v6 host", "GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", "GET / 1 Host=[::1]:8080 []\n"},
    {"counted body", post("Content-Length: 5\r\n", "hello"), "POST / 1 Host=h Content-Length=5 [hello]\n"},
    {"counted body of nothing", post("Content-Length: 0\r\n"), "POST / 1 Host=h Content-Length=0 []\n"},
    {"leading zeros in a length", post("Content-Length: 005\r\n", "hello"),
     "POST / 1 Host=h Content-Length=005 [hello]\n"},
    {"pipelined",
     post("Content-Length: 2\r\n", "ab") + "GET /x HTTP/1.1\r\nHost: h\r\n\r\n" +
         post("Content-Length: 1\r\n", "c"),
     "POST / 1 Host=h Content-Length=2 [ab]\nGET /x 1 Host=h []\nPOST / 1 Host=h Content-Length=1 [c]\n"},
    {"an empty line before", "\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", "GET / 1 Host=h []\n"},
    {"expect", post("Content-Length: 1\r\nExpect: 100-Continue\r\n", "x"),
     "POST / 1 expect Host=h Content-Length=1 Expect=100-Continue [x]\n"},
    {"chunks", chunks("5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n"), chunked_head + "[hello!]\n"},
    {"chunk sizes of any case and zeros", chunks("0a\r\n0123456789\r\nA\r\n0123456789\r\n000\r\n\r\n"),
     chunked_head + "[01234567890123456789]\n"},
    {"chunk extensions", chunks("1;a=b;c=\"d\"\r\nx\r\n0 ;e\r\n\r\n"), chunked_head + "[x]\n"},
    {"trailers", chunks("1\r\nx\r\n0\r\nA: b\r\nContent-Length: 5\r\n\r\n"), chunked_head + "[x]\n"},
    {"chunked in capitals", post("Transfer-Encoding: Chunked\r\n", "0\r\n\r\n"),
     "POST / 1 Host=h Transfer-Encoding=Chunked []\n"},
    {"the whole of one chunked, then another",
     chunks("1\r\nx\r\n0\r\n\r\n") + "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
     chunked_head + "[x]\nGET / 1 Host=h []\n"},
    // Cut off: neither whole nor refused.
    {"half a head", "GET / HTTP/1.1\r\nHo", "more"},
    {"half a body", post("Content-Length: 5\r\n", "hel"), "more"},
    {"a chunked body without its last chunk", chunks("1\r\nx\r\n"), "more"},
    // Smuggling: what two readers could take differently.
    {"length and coding", post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
     "refused 400"},
    {"coding and length", post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n"),
     "refused 400"},
    {"two lengths", post("Content-Length: 5\r\nContent-Length: 6\r\n"), "refused 400"},
    {"two equal lengths", post("Content-Length: 5\r\ncontent-length: 5\r\n"), "refused 400"},
    {"a list of lengths", post("Content-Length: 5, 5\r\n"), "refused 400"},
    {"negative length", post("Content-Length: -1\r\n"), "refused 400"},
    {"signed length", post("Content-Length: +5\r\n"), "refused 400"},
    {"hex length", post("Content-Length: 0x5\r\n"), "refused 400"},
    {"fractional length", post("Content-Length: 5.0\r\n"), "refused 400"},
    {"empty length", post("Content-Length:\r\n"), "refused 400"},
    {"blank in a length", post("Content-Length: 1 0\r\n"), "refused 400"},
    {"length beyond 63 bits", post("Content-Length: 9223372036854775808\r\n"), "refused 400"},
    {"length beyond 64 bits", post("Content-Length: 18446744073709551621\r\n"), "refused 400"},
    {"two codings", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), "refused 400"},
    {"coding of two", post("Transfer-Encoding: gzip, chunked\r\n"), "refused 501"},
    {"chunked not last", post("Transfer-Encoding: chunked, identity\r\n"), "refused 501"},
    {"identity", post("Transfer-Encoding: identity\r\n"), "refused 501"},
    {"nearly chunked", post("Transfer-Encoding: xchunked\r\n"), "refused 501"},
    {"chunked with a vertical tab", post("Transfer-Encoding: \vchunked\r\n"), "refused 400"},
    {"coding in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "refused 400"},
    {"blank before the colon", post("Content-Length : 5\r\n"), "refused 400"},
    {"tab before the colon", post("Transfer-Encoding\t: chunked\r\n"), "refused 400"},
    {"folded line", post("A: b\r\n c\r\n"), "refused 400"},
    {"folded first line", "GET / HTTP/1.1\r\n Host: h\r\n\r\n", "refused 400"},
    {"bare LF after a field", "GET / HTTP/1.1\r\nHost: h\n\r\n", "refused 400"},
    {"bare LF after the request line", "GET / HTTP/1.1\nHost: h\r\n\r\n", "refused 400"},
    {"bare LF at the end", "GET / HTTP/1.1\r\nHost: h\r\n\n", "refused 400"},
    {"bare CR in a field", post("A: b\rContent-Length: 5\r\n"), "refused 400"},
    {"CR CR LF", "GET / HTTP/1.1\r\nHost: h\r\r\n\r\n", "refused 400"},
    {"NUL in a field", post("A: b\0c\r\n"s), "refused 400"},
    {"NUL in a name", post("A\0B: c\r\n"s), "refused 400"},
    {"NUL in the target", "GET /\0 HTTP/1.1\r\nHost: h\r\n\r\n"s, "refused 400"},
    {"control character in a field", post("A: \x01\r\n"), "refused 400"},
    {"DEL in a field", post("A: \x7f\r\n"), "refused 400"},
    {"empty name", post(": b\r\n"), "refused 400"},
    {"no colon", post("Content-Length\r\n"), "refused 400"},
    {"name with brackets", post("A(b): c\r\n"), "refused 400"},
    {"name beyond ASCII", post("Caf\xc3\xa9: c\r\n"), "refused 400"},
    {"no host", "GET / HTTP/1.1\r\n\r\n", "refused 400"},
    {"two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "refused 400"},
    {"host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", "refused 400"},
    {"host with a user", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", "refused 400"},
    {"host with a bad port", "GET / HTTP/1.1\r\nHost: a:b\r\n\r\n", "refused 400"},
    {"host with a blank", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "refused 400"},
    // Chunk sizes.
    {"chunk size too long", chunks("1234567890abcdef0\r\n"), "refused 400"},
    {"chunk size of 16 digits", chunks("ffffffffffffffff\r\n"), "refused 400"},
    {"chunk size with sign", chunks("+5\r\nhello\r\n"), "refused 400"},
    {"negative chunk size", chunks("-5\r\nhello\r\n"), "refused 400"},
    {"chunk size with 0x", chunks("0x5\r\nhello\r\n"), "refused 400"},
    {"chunk size after a blank", chunks(" 5\r\nhello\r\n"), "refused 400"},
    {"chunk size before a blank", chunks("5 \r\nhello\r\n"), "refused 400"},
    {"blank inside a chunk size", chunks("1 0\r\n"), "refused 400"},
    {"empty chunk size", chunks("\r\n"), "refused 400"},
    {"extension without size", chunks(";a\r\n"), "refused 400"},
    {"chunk size that ends in LF", chunks("5\nhello\r\n"), "refused 400"},
    {"chunk size with a bare CR", chunks("5\rhello\r\n"), "refused 400"},
    {"extension that ends in LF", chunks("5;a\nhello\r\n"), "refused 400"},
    {"NUL in an extension", chunks("5;\0\r\nhello\r\n"s), "refused 400"},
    {"chunk longer than its size", chunks("1\r\nhello\r\n"), "refused 400"},
    {"chunk that ends in LF", chunks("5\r\nhello\n0\r\n\r\n"), "refused 400"},
    {"trailer that ends in LF", chunks("0\r\nA: b\n\r\n"), "refused 400"},
    {"folded trailer", chunks("0\r\nA: b\r\n c\r\n\r\n"), "refused 400"},
    {"malformed trailer", chunks("0\r\nA b\r\n\r\n"), "refused 400"},
    {"endless extension", chunks("1;" + std::string(20'000, 'a')), "refused 400"},
    {"endless trailers", chunks("0\r\nA: " + std::string(20'000, 'a')), "refused 400"},
    // Request lines.
    {"no target", "GET HTTP/1.1\r\nHost: h\r\n\r\n", "refused 400"},
    {"two blanks", "GET  / HTTP/1.1\r\nHost: h\r\n\r\n", "refused 400"},
    {"tab", "GET\t/\tHTTP/1.1\r\nHost: h\r\n\r\n", "refused 400"},
    {"blank in the target", "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n", "refused 400"},
    {"blank at the end", "GET / HTTP/1.1 \r\nHost: h\r\n\r\n", "refused 400"},
    {"blank in front", " GET / HTTP/1.1\r\nHost: h\r\n\r\n", "refused 400"},
    {"no version", "GET /\r\nHost: h\r\n\r\n", "refused 400"},
    {"version in small letters", "GET / http/1.1\r\nHost: h\r\n\r\n", "refused 400"},
    {"version 1.1.1", "GET / HTTP/1.1.1\r\nHost: h\r\n\r\n", "refused 400"},
    {"version 01.1", "GET / HTTP/01.1\r\nHost: h\r\n\r\n", "refused 400"},
    {"version 2.0", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "refused 505"},
    {"version 1.2", "GET / HTTP/1.2\r\nHost: h\r\n\r\n", "refused 505"},
    {"version 0.9", "GET / HTTP/0.9\r\nHost: h\r\n\r\n", "refused 505"},
    {"method with a colon", "GE:T / HTTP/1.1\r\nHost: h\r\n\r\n", "refused 400"},
    {"long method", std::string(40, 'A') + " / HTTP/1.1\r\nHost: h\r\n\r\n", "refused 400"},
    {"fragment", "GET /a#b HTTP/1.1\r\nHost: h\r\n\r\n", "refused 400"},
    {"target beyond ASCII", "GET /\xc3\xa9 HTTP/1.1\r\nHost: h\r\n\r\n", "refused 400"},
    {"relative target", "GET a/b HTTP/1.1\r\nHost: h\r\n\r\n", "refused 400"},
    {"star for GET", "GET * HTTP/1.1\r\nHost: h\r\n\r\n", "refused 400"},
    {"other scheme", "GET ftp://h/ HTTP/1.1\r\nHost: h\r\n\r\n", "refused 400"},
    {"absolute target without host", "GET http:///p HTTP/1.1\r\nHost: h\r\n\r\n", "refused 400"},
    {"connect", "CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n", "refused 501"},
    {"two empty lines before", "\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", "refused 400"},
    {"unknown expectation", post("Expect: 200-ok\r\n"), "refused 417"},
    {"a TLS hello", "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03"s, "refused 400"},
    // Bounds.
    {"start line too long", "GET /" + std::string(17'000, 'a'), "refused 414"},
    {"head too large", "GET / HTTP/1.1\r\nHost: h\r\nA: " + std::string(70'000, 'a'), "refused 431"},
};

class requests : public testing::TestWithParam<http_case> {};
TEST_P(requests, are_read_the_same_however_they_are_cut) {
    const http_case& c = GetParam();
    const auto read = [](const std::vector<std::string_view>& pieces) { return read_requests(pieces); };
    if (c.bytes.size() > 10'000) {
        EXPECT_EQ(read({c.bytes}), c.wanted);
        std::vector<std::string_view> pieces;
        for (std::size_t i = 0; i < c.bytes.size(); i += 100) {
            pieces.push_back(std::string_view(c.bytes).substr(i, 100));
        }
        EXPECT_EQ(read(pieces), c.wanted);
    } else {
        expect_everywhere(c.bytes, c.wanted, read);
    }
}
INSTANTIATE_TEST_SUITE_P(table, requests, testing::ValuesIn(request_cases));

const std::vector<http_case> response_cases = {
    {"counted", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab", "200 OK [ab]\n"},
    {"no phrase", "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", "200  []\n"},
    {"no blank after the status", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", "200  []\n"},
    {"phrase beyond ASCII", "HTTP/1.1 404 Pas trouv\xe9\r\nContent-Length: 0\r\n\r\n",
     "404 Pas trouv\xe9 []\n"},
    {"chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
     "200 OK [abc]\n"},
    {"to the end", "HTTP/1.1 200 OK\r\n\r\nabc", "200 OK close [abc] to the end\n"},
    {"no content", "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n",
     "204 No Content []\n304 Not Modified []\n"},
    {"interim", "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
     "103 Early Hints []\n200 OK [x]\n"},
    {"cut", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", "200 OK [abc] cut\n"},
    {"chunks cut", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", "200 OK [abc] cut\n"},
    {"http 1.0", "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx", "200 OK close [x]\n"},
    {"length and coding", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
     "refused"},
    {"two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc", "refused"},
    {"other coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "refused"},
    {"two-digit status", "HTTP/1.1 20 OK\r\n\r\n", "refused"},
    {"four-digit status", "HTTP/1.1 2000 OK\r\n\r\n", "refused"},
    {"status with zero", "HTTP/1.1 099 OK\r\n\r\n", "refused"},
    {"status of letters", "HTTP/1.1 abc OK\r\n\r\n", "refused"},
    {"other protocol", "ICY 200 OK\r\n\r\n", "refused"},
    {"html", "<html>\r\n<body>\r\n", "refused"},
    {"bare LF", "HTTP/1.1 200 OK\nContent-Length: 0\n\n", "refused"},
    {"folded", "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", "refused"},
    {"NUL", "HTTP/1.1 200 OK\r\nA: \0\r\n\r\n"s, "refused"},
};
class responses : public testing::TestWithParam<http_case> {};
TEST_P(responses, are_read_the_same_however_they_are_cut) {
    expect_everywhere(GetParam().bytes, GetParam().wanted,
                      [](const std::vector<std::string_view>& pieces) { return read_responses(pieces); });
}
INSTANTIATE_TEST_SUITE_P(table, responses, testing::ValuesIn(response_cases));

TEST(responses_to_head, have_no_body) {
    const std::string_view two =
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    EXPECT_EQ(read_responses({two}, true), "200 OK []\n200 OK []\n");
}

TEST(limits, of_fields) {
    std::string many = "GET / HTTP/1.1\r\nHost: h\r\n";
    for (int i = 0; i < 99; ++i) { many += "A: b\r\n"; }
    EXPECT_TRUE(read_requests({many + "\r\n"}).starts_with("GET / 1 Host=h A=b"));
    EXPECT_EQ(read_requests({many + "A: b\r\n"}), "refused 431");
    EXPECT_EQ(read_requests({"GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n\r\n"},
                            {.start_line = 100, .total = 100, .count = 1}),
              "refused 431");
    EXPECT_EQ(read_requests({"GET /aaaaaaaaaaaa HTTP/1.1\r\n"}, {.start_line = 20, .total = 100, .count = 9}),
              "refused 414");
    EXPECT_EQ(read_requests({"GET / HTTP/1.1\r\nHost: h\r\nA: bbbbbbbbbbbbbbbbbbbbb\r\n"},
                            {.start_line = 20, .total = 40, .count = 9}),
              "refused 431");
}

TEST(fields, keep_order_and_ignore_case) {
    net::fields f;
    f.add("A", "1");
    f.add("b", " 2\t");
    f.add("a", "3, close , x");
    EXPECT_EQ(f.find("a"), "1");
    EXPECT_EQ(f.find("B"), "2");
    EXPECT_EQ(f.count("A"), 2u);
    EXPECT_TRUE(f.has_token("a", "CLOSE"));
    EXPECT_FALSE(f.has_token("a", "clos"));
    f.set("a", *f.find("b"));
    EXPECT_EQ(f.size(), 2u);
    EXPECT_EQ(f.find("A"), "2");
    EXPECT_EQ(f.erase("b"), 1u);
    EXPECT_FALSE(f.contains("b"));
    for (int i = 0; i < 100; ++i) { f.add("copy", *f.find("a")); } // of itself, while its memory moves
    EXPECT_EQ(f.count("copy"), 100u);
    for (const net::field one : f) { EXPECT_EQ(one.value, "2"); }
}

TEST(fields, let_nobody_write_lines_of_their_own) {
    net::fields f;
    EXPECT_THROW(f.add("a", "b\r\nc: d"), std::invalid_argument);
    EXPECT_THROW(f.add("a", "b\nc"), std::invalid_argument);
    EXPECT_THROW(f.add("a", "b\0"s), std::invalid_argument);
    EXPECT_THROW(f.add("a:", "b"), std::invalid_argument);
    EXPECT_THROW(f.add("", "b"), std::invalid_argument);
    EXPECT_THROW(f.add("a b", "c"), std::invalid_argument);
    EXPECT_TRUE(f.empty());
}

} // namespace
