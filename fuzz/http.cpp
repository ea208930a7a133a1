// HTTP messages: any bytes as requests and as responses, whole and in pieces. The first byte chooses which and how they are cut.
#include <jsonheal/net_http.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

namespace net = jsonheal::net;

void demand(bool holds, const char* what) {
    if (holds) { return; }
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

void describe(std::string& out, const net::fields& f) {
    for (const net::field one : f) {
        out.append(one.name).append("\x01").append(one.value).append("\x02");
        demand(one.name.find_first_of(std::string_view(" \t\r\n:\0", 6)) == std::string_view::npos,
               "a name that is no token");
        demand(one.value.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos,
               "a value with line ends");
    }
}

/// Reads messages until the bytes are used up or one is refused; what was read, as text.
template <class Parser, class Feed>
class reader {
public:
    explicit reader(Feed feed) : feed_(feed) {}
    void take(std::string_view in) {
        while (!in.empty() && !refused_) {
            const std::size_t before = in.size();
            const bool was_in_body = in_body_;
            if (in_body_) {
                const std::string_view piece = body_.next(in);
                demand(piece.size() <= before - in.size(), "a piece longer than what was taken");
                out.append(piece);
                refused_ = static_cast<bool>(body_.fault());
            } else {
                in.remove_prefix(feed_(parser_, in));
                refused_ = static_cast<bool>(parser_.fault());
                if (parser_.done()) { begin(); }
            }
            if (in_body_ && body_.done()) { end(); }
            demand(in.size() < before || refused_ || was_in_body != in_body_, "nothing is taken");
        }
        if (refused_ && !told_) {
            out += "\x03refused";
            told_ = true;
        }
    }
    std::string out;

private:
    void begin() {
        out += "\x04";
        describe(out, parser_.head.headers);
        const bool coded = parser_.head.headers.contains("transfer-encoding"),
                   counted = parser_.head.headers.contains("content-length");
        demand(!(coded && counted), "length and coding together");
        demand(parser_.head.headers.count("content-length") <= 1, "several lengths");
        body_ = net::body_parser(parser_.head.body_framing, parser_.head.length);
        parser_.reset();
        in_body_ = true;
    }
    void end() {
        out += "\x05";
        in_body_ = false;
    }
    Feed feed_;
    Parser parser_;
    net::body_parser body_;
    bool in_body_ = false, refused_ = false, told_ = false;
};

template <class Parser, class Feed>
void check(std::string_view text, std::uint32_t chunks, Feed feed) {
    reader<Parser, Feed> whole(feed), pieces(feed);
    whole.take(text);
    while (!text.empty()) {
        chunks = chunks * 1664525u + 1013904223u;
        const std::size_t n = std::min<std::size_t>(text.size(), 1 + (chunks >> 24) % 9);
        // In memory of its own exact size, so that a look beyond its end is seen.
        const std::string piece(text.substr(0, n));
        pieces.take(piece);
        text.remove_prefix(n);
    }
    demand(whole.out == pieces.out, "pieces change the answer");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) { return 0; }
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1); // NOLINT: bytes are bytes
    const bool to_head = (data[0] & 2) != 0;
    if ((data[0] & 1) == 0) {
        check<net::request_parser>(text, data[0],
                                   [](net::request_parser& p, std::string_view in) { return p.feed(in); });
    } else {
        check<net::response_parser>(text, data[0], [to_head](net::response_parser& p, std::string_view in) {
            return p.feed(in, to_head);
        });
    }
    return 0;
}
