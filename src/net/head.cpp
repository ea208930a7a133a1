// Heads of requests and responses: lines as they arrive, each judged when its end is there.
#include "characters.hpp"

#include <jsonheal/net_http.hpp>

#include <cstring>

namespace jsonheal::net {

namespace {

using characters::all;
using characters::is;

bool read_version(std::string_view text, int& minor, http_fault& fault) {
    if (text == "HTTP/1.1" || text == "HTTP/1.0") {
        minor = text.back() - '0';
        return true;
    }
    const bool version = text.size() == 8 && text.starts_with("HTTP/") &&
                         is(text[5], characters::digit_bit) && text[6] == '.' &&
                         is(text[7], characters::digit_bit);
    fault = version ? http_fault{505, "only HTTP/1.0 and HTTP/1.1 are spoken here"}
                    : http_fault{400, "the version of the protocol is malformed"};
    return false;
}

bool read_length(std::string_view text, std::uint64_t& length) {
    if (text.empty() || text.size() > 19 || !all(text, characters::digit_bit)) { return false; }
    length = 0;
    for (const char c : text) { length = length * 10 + static_cast<unsigned>(c - '0'); }
    return length <= INT64_MAX;
}

/// What the fields say of the body, the same for requests and responses; `fault` if they contradict themselves.
struct body_fields {
    bool has_length = false, has_coding = false;
    std::uint64_t length = 0;
};
bool read_body_fields(const fields& f, int minor, body_fields& out, http_fault& fault) {
    const auto refuse = [&](int status, const char* why) {
        fault = {status, why};
        return false;
    };
    for (std::size_t i = 0; i < f.size(); ++i) {
        const field one = f[i];
        if (same_name(one.name, "content-length")) {
            if (out.has_length) { return refuse(400, "several Content-Length fields"); }
            if (!read_length(one.value, out.length)) { return refuse(400, "malformed Content-Length"); }
            out.has_length = true;
        } else if (same_name(one.name, "transfer-encoding")) {
            if (out.has_coding) { return refuse(400, "several Transfer-Encoding fields"); }
            if (!same_name(one.value, "chunked")) {
                return refuse(501, "a transfer coding other than chunked");
            }
            out.has_coding = true;
        }
    }
    if (out.has_length && out.has_coding) {
        return refuse(400, "Content-Length together with Transfer-Encoding");
    }
    if (out.has_coding && minor == 0) { return refuse(400, "Transfer-Encoding in HTTP/1.0"); }
    return true;
}

bool stays_open(const fields& f, int minor) {
    if (f.has_token("connection", "close")) { return false; }
    return minor == 1 || f.has_token("connection", "keep-alive");
}

/// `host`, `host:port`, `[v6]`, `[v6]:port`; may be empty.
bool is_authority(std::string_view text) {
    std::size_t end = 0;
    if (text.starts_with('[')) {
        end = text.find(']');
        if (end == std::string_view::npos || end == 1) { return false; }
        for (const char c : text.substr(1, end - 1)) {
            if (!is(c, characters::hex_bit) && c != ':' && c != '.') { return false; }
        }
        ++end;
    } else {
        end = std::min(text.find(':'), text.size());
        for (const char c : text.substr(0, end)) {
            if (!is(c, characters::host_bit) && c != '%') { return false; }
        }
    }
    if (end == text.size()) { return true; }
    const std::string_view port = text.substr(end + 1);
    return text[end] == ':' && port.size() <= 5 && all(port, characters::digit_bit);
}

} // namespace

void head_lines::reset() {
    fault = {};
    partial_.clear();
    partial_used_ = false;
    total_ = 0;
}

bool head_lines::take(std::string_view& in, std::string_view& line, bool first) {
    if (partial_used_) { // the line that was returned before
        partial_.clear();
        partial_used_ = false;
    }
    const std::size_t limit = std::min(first ? limits_.start_line : limits_.total, limits_.total);
    const void* found = in.empty() ? nullptr : std::memchr(in.data(), '\n', in.size());
    const std::size_t size = found != nullptr
                                 ? static_cast<std::size_t>(static_cast<const char*>(found) - in.data()) + 1
                                 : in.size();
    // Text that cannot be a line is refused before its end has come.
    if (std::memchr(in.data(), '\0', size) != nullptr) {
        fault = {400, "NUL in the head of a message"};
        return false;
    }
    total_ += size;
    if (partial_.size() + size > limit || total_ > limits_.total) {
        fault = first && partial_.size() + size > limits_.start_line
                    ? http_fault{414, "the start line is too long"}
                    : http_fault{431, "the head of the message is too large"};
        return false;
    }
    if (found == nullptr) {
        partial_.append(in);
        in = {};
        return false;
    }
    line = in.substr(0, size);
    in.remove_prefix(size);
    if (!partial_.empty()) {
        partial_.append(line);
        line = partial_;
        partial_used_ = true;
    }
    line.remove_suffix(1);
    if (line.empty() || line.back() != '\r') {
        fault = {400, "a line ends in a bare LF"};
        return false;
    }
    line.remove_suffix(1);
    return true;
}

bool head_lines::read_field(std::string_view line, fields& into) {
    const auto refuse = [&](int status, const char* why) {
        fault = {status, why};
        return false;
    };
    if (line.front() == ' ' || line.front() == '\t') { return refuse(400, "a folded line"); }
    std::size_t colon = 0;
    while (colon < line.size() && is(line[colon], characters::token_bit)) { ++colon; }
    if (colon == 0 || colon == line.size() || line[colon] != ':') {
        return refuse(400, "malformed field name");
    }
    const std::string_view value = characters::trimmed(line.substr(colon + 1));
    if (!all(value, characters::value_bit)) { return refuse(400, "control characters in a field"); }
    if (into.size() == limits_.count) { return refuse(431, "too many fields"); }
    into.append(line.substr(0, colon), value);
    return true;
}

void request_parser::reset() {
    lines_.reset();
    head = request_head();
    started_ = have_start_ = blank_seen_ = done_ = false;
}

std::size_t request_parser::feed(std::string_view bytes) {
    std::string_view in = bytes;
    std::string_view line;
    started_ = started_ || !bytes.empty();
    while (!done_ && !in.empty() && lines_.take(in, line, !have_start_)) {
        if (!have_start_) {
            if (line.empty() && !blank_seen_) { // some clients send one after a body: RFC 9112 section 2.2
                blank_seen_ = true;
                continue;
            }
            have_start_ = start_line(line);
        } else if (line.empty()) {
            finish();
        } else {
            lines_.read_field(line, head.headers);
        }
        if (lines_.fault) { break; }
    }
    return bytes.size() - in.size();
}

bool request_parser::start_line(std::string_view line) {
    const std::size_t first = line.find(' ');
    const std::size_t last = line.rfind(' ');
    if (first == std::string_view::npos || last == first) {
        lines_.fault = {400, "malformed request line"};
        return false;
    }
    const std::string_view method = line.substr(0, first);
    const std::string_view target = line.substr(first + 1, last - first - 1);
    if (method.empty() || method.size() > 32 || !all(method, characters::token_bit)) {
        lines_.fault = {400, "malformed method"};
        return false;
    }
    if (target.empty() || !all(target, characters::target_bit)) {
        lines_.fault = {400, "malformed request target"};
        return false;
    }
    if (!read_version(line.substr(last + 1), head.minor, lines_.fault)) { return false; }
    head.method = method;
    head.target = target;
    return read_target();
}

/// Path and query of `/path?query`, `http://host/path?query` or, for OPTIONS, `*`.
bool request_parser::read_target() {
    std::string_view rest = head.target;
    if (rest == "*" && head.method == "OPTIONS") {
        head.path = rest;
        return true;
    }
    if (!rest.starts_with('/')) {
        const std::size_t colon = rest.find("://");
        const std::string_view scheme = rest.substr(0, std::min(colon, rest.size()));
        if (head.method == "CONNECT" || colon == std::string_view::npos ||
            !(same_name(scheme, "http") || same_name(scheme, "https"))) {
            lines_.fault = head.method == "CONNECT" ? http_fault{501, "CONNECT is not supported"}
                                                    : http_fault{400, "malformed request target"};
            return false;
        }
        rest.remove_prefix(colon + 3);
        const std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
        if (end == 0 || !is_authority(rest.substr(0, end))) {
            lines_.fault = {400, "malformed host in the request target"};
            return false;
        }
        rest.remove_prefix(end);
    }
    const std::size_t mark = std::min(rest.find('?'), rest.size());
    head.path = mark == 0 ? "/" : std::string(rest.substr(0, mark));
    head.query = rest.substr(std::min(mark + 1, rest.size()));
    return true;
}

void request_parser::finish() {
    const fields& f = head.headers;
    const auto refuse = [&](int status, const char* why) { lines_.fault = {status, why}; };
    const std::size_t hosts = f.count("host");
    if (hosts > 1) { return refuse(400, "several Host fields"); }
    if (hosts == 0 && head.minor == 1) { return refuse(400, "no Host field"); }
    if (hosts == 1 && !is_authority(*f.find("host"))) { return refuse(400, "malformed Host"); }
    body_fields b;
    if (!read_body_fields(f, head.minor, b, lines_.fault)) { return; }
    head.length = b.length;
    head.body_framing = b.has_coding                   ? framing::chunked
                        : b.has_length && b.length > 0 ? framing::length
                                                       : framing::none;
    head.keep_alive = stays_open(f, head.minor);
    if (const auto expected = f.find("expect"); expected && head.minor == 1) {
        if (!same_name(*expected, "100-continue")) { return refuse(417, "unknown expectation"); }
        head.expects_continue = true;
    }
    done_ = true;
}

void response_parser::reset() {
    lines_.reset();
    head = response_head();
    started_ = have_start_ = done_ = false;
}

std::size_t response_parser::feed(std::string_view bytes, bool to_head) {
    std::string_view in = bytes;
    std::string_view line;
    started_ = started_ || !bytes.empty();
    while (!done_ && !in.empty() && lines_.take(in, line, !have_start_)) {
        if (!have_start_) {
            have_start_ = start_line(line);
        } else if (line.empty()) {
            finish(to_head);
        } else {
            lines_.read_field(line, head.headers);
        }
        if (lines_.fault) { break; }
    }
    return bytes.size() - in.size();
}

bool response_parser::start_line(std::string_view line) {
    if (!read_version(line.substr(0, std::min<std::size_t>(8, line.size())), head.minor, lines_.fault)) {
        return false;
    }
    const std::string_view rest = line.substr(8);
    // "HTTP/1.1 200" without the blank after it is malformed, but common and clear.
    const bool shape = rest.size() >= 4 && rest[0] == ' ' && all(rest.substr(1, 3), characters::digit_bit) &&
                       (rest.size() == 4 || rest[4] == ' ');
    if (!shape || rest[1] == '0' || !all(rest.substr(4), characters::value_bit)) {
        lines_.fault = {502, "malformed status line"};
        return false;
    }
    head.status = (rest[1] - '0') * 100 + (rest[2] - '0') * 10 + (rest[3] - '0');
    head.reason = rest.substr(std::min<std::size_t>(5, rest.size()));
    return true;
}

/// RFC 9112 section 6.3.
void response_parser::finish(bool to_head) {
    body_fields b;
    if (!read_body_fields(head.headers, head.minor, b, lines_.fault)) { return; }
    head.keep_alive = stays_open(head.headers, head.minor);
    head.length = b.length;
    if (to_head || head.status < 200 || head.status == 204 || head.status == 304) {
        head.body_framing = framing::none;
    } else if (b.has_coding) {
        head.body_framing = framing::chunked;
    } else if (b.has_length) {
        head.body_framing = b.length > 0 ? framing::length : framing::none;
    } else {
        head.body_framing = framing::until_close;
        head.keep_alive = false;
    }
    done_ = true;
}

} // namespace jsonheal::net
