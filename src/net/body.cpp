// Bodies: a counted run, chunks, or all until the connection ends.
#include "characters.hpp"

#include <jsonheal/net_http.hpp>

#include <algorithm>

namespace jsonheal::net {

namespace {

/// Bytes of chunk extensions and trailers over a whole body: both are dropped, so nobody needs many.
constexpr std::size_t overhead_limit = 16 << 10;

} // namespace

body_parser::body_parser(framing how, std::uint64_t length)
    : how_(how), left_(how == framing::length ? length : 0) {
    if (how == framing::chunked) {
        state_ = state::size;
    } else if (how == framing::until_close || left_ > 0) {
        state_ = state::data;
    }
}

std::string_view body_parser::next(std::string_view& in) {
    while (!in.empty() && state_ != state::done && !fault_) {
        if (state_ != state::data) {
            const char c = in.front();
            in.remove_prefix(1);
            if (!step(c)) { return {}; }
            continue;
        }
        const std::size_t size = how_ == framing::until_close
                                     ? in.size()
                                     : static_cast<std::size_t>(std::min<std::uint64_t>(left_, in.size()));
        const std::string_view piece = in.substr(0, size);
        in.remove_prefix(size);
        if (how_ != framing::until_close) {
            left_ -= size;
            if (left_ == 0) { state_ = how_ == framing::chunked ? state::data_cr : state::done; }
        }
        return piece;
    }
    return {};
}

bool body_parser::refuse(const char* why) {
    fault_ = {400, why};
    return false;
}

/// One byte of the framing of chunks: `size[;extension] CRLF data CRLF … 0 CRLF [trailers] CRLF`.
bool body_parser::step(char c) {
    switch (state_) {
    case state::size: return read_size(c);
    case state::extension: return read_extension(c);
    case state::size_lf:
        if (c != '\n') { return refuse("a chunk size does not end in CRLF"); }
        digits_ = 0;
        state_ = left_ > 0 ? state::data : state::trailer;
        return true;
    case state::data_cr: state_ = state::data_lf; return c == '\r' || refuse("a chunk does not end in CRLF");
    case state::data_lf: state_ = state::size; return c == '\n' || refuse("a chunk does not end in CRLF");
    case state::trailer: return read_trailer(c);
    case state::data:
    case state::done: break;
    }
    return false;
}

bool body_parser::read_size(char c) {
    if (characters::is(c, characters::hex_bit) && !blank_) {
        if (++digits_ > 15) { return refuse("a chunk size has too many digits"); }
        left_ = left_ * 16 + characters::hex_value(c);
        return true;
    }
    if (digits_ == 0) { return refuse("malformed chunk size"); }
    if (c == '\r' && !blank_) {
        state_ = state::size_lf;
        return true;
    }
    if (c == ';') {
        blank_ = false;
        state_ = state::extension;
        return true;
    }
    if (c == ' ' || c == '\t') { // RFC 9112 section 7.1.1 allows them before an extension
        blank_ = true;
        return ++overhead_ <= overhead_limit || refuse("chunk extensions are too long");
    }
    return refuse("malformed chunk size");
}

bool body_parser::read_extension(char c) {
    if (c == '\r') {
        state_ = state::size_lf;
        return true;
    }
    if (!characters::is(c, characters::value_bit)) {
        return refuse("control characters in a chunk extension");
    }
    return ++overhead_ <= overhead_limit || refuse("chunk extensions are too long");
}

/// Trailers are held to the rules of fields and then dropped.
bool body_parser::read_trailer(char c) {
    if (++overhead_ > overhead_limit) { return refuse("trailers are too long"); }
    trailer_.push_back(c);
    if (c != '\n') { return c != '\0' || refuse("NUL in a trailer"); }
    std::string_view line = trailer_;
    if (!line.ends_with("\r\n")) { return refuse("a trailer ends in a bare LF"); }
    line.remove_suffix(2);
    if (line.empty()) {
        state_ = state::done;
    } else {
        fields dropped;
        head_lines lines{head_limits()};
        if (!lines.read_field(line, dropped)) { return refuse("malformed trailer"); }
    }
    trailer_.clear();
    return true;
}

} // namespace jsonheal::net
