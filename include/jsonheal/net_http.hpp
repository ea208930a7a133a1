/// @file net_http.hpp
/// HTTP/1.1 messages (RFC 9110, RFC 9112), read strictly: what two readers could understand differently is refused.
///
/// Push parsers without sockets. Each takes bytes as they come, split anywhere, with the same answer; O(bytes) in time; memory
/// within the stated limits. Refused are, among others: a line that ends in a bare LF, a CR inside a line, NUL and other control
/// characters, blanks before the colon, folded lines, several or malformed Content-Length, Content-Length together with
/// Transfer-Encoding, a transfer coding other than a single `chunked`, malformed or oversized chunk sizes, several Host fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::net {

struct field {
    std::string_view name, value;
};

/// Header fields in order. Names are compared without regard to case. Lookups are O(fields).
class fields {
public:
    /// Throws std::invalid_argument if the name is no token or the value has control characters: nothing that came from a model
    /// or client may write lines of its own. Blanks around the value are cut.
    void add(std::string_view name, std::string_view value);
    /// Replaces all fields of that name by one.
    void set(std::string_view name, std::string_view value);
    /// Removes all fields of that name; how many there were.
    std::size_t erase(std::string_view name);
    /// The value of the first field of that name. The view is valid until the fields are changed.
    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const noexcept;
    [[nodiscard]] bool contains(std::string_view name) const noexcept { return find(name).has_value(); }
    [[nodiscard]] std::size_t count(std::string_view name) const noexcept;
    /// True if a comma-separated list of that name holds the token, in any case.
    [[nodiscard]] bool has_token(std::string_view name, std::string_view token) const noexcept;

    [[nodiscard]] std::size_t size() const noexcept { return slots_.size(); }
    [[nodiscard]] bool empty() const noexcept { return slots_.empty(); }
    [[nodiscard]] field operator[](std::size_t i) const noexcept;
    void clear() noexcept;

    class iterator {
    public:
        iterator(const fields* all, std::size_t i) : all_(all), i_(i) {}
        [[nodiscard]] field operator*() const { return (*all_)[i_]; }
        iterator& operator++() {
            ++i_;
            return *this;
        }
        friend bool operator==(const iterator&, const iterator&) = default;

    private:
        const fields* all_;
        std::size_t i_;
    };
    [[nodiscard]] iterator begin() const { return {this, 0}; }
    [[nodiscard]] iterator end() const { return {this, size()}; }

private:
    friend class head_lines;
    void append(std::string_view name, std::string_view value);
    struct slot {
        std::uint32_t name, name_size, value, value_size;
    };
    std::string text_;
    std::vector<slot> slots_;
};

/// True if the two are the same without regard to the case of ASCII letters.
[[nodiscard]] bool same_name(std::string_view a, std::string_view b) noexcept;
/// True for fields that belong to one connection and are never passed on (RFC 9110 section 7.6.1): Connection, Keep-Alive,
/// Proxy-Connection, TE, Trailer, Transfer-Encoding, Upgrade; and Content-Length and Expect, which each hop writes itself.
[[nodiscard]] bool is_hop_field(std::string_view name) noexcept;
/// The standard reason phrase of a status; empty if it has none.
[[nodiscard]] std::string_view reason_phrase(int status) noexcept;

/// Bounds of a head, in bytes and lines.
struct head_limits {
    std::size_t start_line = 16 << 10;
    std::size_t total = 64 << 10;
    std::size_t count = 100;
};

/// How the body of a message ends.
enum class framing : std::uint8_t { none, length, chunked, until_close };

/// The start line and fields of a request.
struct request_head {
    std::string method; ///< as written: methods have case
    std::string target; ///< as written: `/path?query`, `http://host/path`, or `*`
    std::string path;   ///< of the target, without query, as written (not percent-decoded)
    std::string query;  ///< after the question mark
    int minor = 1;      ///< HTTP/1.<minor>
    fields headers;
    framing body_framing = framing::none;
    std::uint64_t length = 0; ///< of the body, with framing::length
    bool keep_alive = true;
    bool expects_continue = false;
};

/// The start line and fields of a response.
struct response_head {
    int status = 0;
    std::string reason;
    int minor = 1;
    fields headers;
    framing body_framing = framing::none;
    std::uint64_t length = 0;
    bool keep_alive = true;
};

/// Why a message was refused: the status a server answers with, and a sentence. Static storage.
struct http_fault {
    int status = 0;
    const char* why = "";
    explicit operator bool() const noexcept { return status != 0; }
};

/// Cuts bytes into lines that end in CRLF and reads fields out of them. Part of the parsers below.
class head_lines {
public:
    explicit head_lines(const head_limits& limits) : limits_(limits) {}
    /// Takes bytes up to and with the next line end; true if `line` is whole. `first` says that it is the start line.
    bool take(std::string_view& in, std::string_view& line, bool first);
    /// Reads `name: value` and appends it.
    bool read_field(std::string_view line, fields& into);
    http_fault fault;
    void reset();

private:
    head_limits limits_;
    std::string partial_;
    bool partial_used_ = false;
    std::size_t total_ = 0;
};

/// Reads the head of a request.
class request_parser {
public:
    explicit request_parser(const head_limits& limits = {}) : lines_(limits), limits_(limits) {}
    /// Takes bytes; returns how many. Fewer than given only when done or failed: the rest is the body, or the next message.
    std::size_t feed(std::string_view bytes);
    [[nodiscard]] bool done() const noexcept { return done_; }
    [[nodiscard]] bool started() const noexcept { return started_; }
    [[nodiscard]] const http_fault& fault() const noexcept { return lines_.fault; }
    /// The head, once done. Moving from it is allowed; `reset` makes ready for the next.
    request_head head;
    void reset();

private:
    bool start_line(std::string_view line);
    bool read_target();
    void finish();

    head_lines lines_;
    head_limits limits_;
    bool started_ = false;
    bool have_start_ = false;
    bool blank_seen_ = false;
    bool done_ = false;
};

/// Reads the head of a response.
class response_parser {
public:
    explicit response_parser(const head_limits& limits = {}) : lines_(limits) {}
    /// As for requests. `to_head`: the request was HEAD, so there is no body whatever the fields say.
    std::size_t feed(std::string_view bytes, bool to_head);
    [[nodiscard]] bool done() const noexcept { return done_; }
    [[nodiscard]] bool started() const noexcept { return started_; }
    [[nodiscard]] const http_fault& fault() const noexcept { return lines_.fault; }
    response_head head;
    void reset();

private:
    bool start_line(std::string_view line);
    void finish(bool to_head);

    head_lines lines_;
    bool started_ = false;
    bool have_start_ = false;
    bool done_ = false;
};

/// Takes a body out of its framing, piece by piece, without copying.
class body_parser {
public:
    body_parser() = default;
    body_parser(framing how, std::uint64_t length);

    /// Takes bytes off the front of `in` and returns the next piece of the body, a view into them; empty if all were taken and no
    /// piece came of it, or if the body is done or faulty. Call until `in` is empty or `done()` or `fault()`.
    [[nodiscard]] std::string_view next(std::string_view& in);
    [[nodiscard]] bool done() const noexcept { return state_ == state::done; }
    [[nodiscard]] const http_fault& fault() const noexcept { return fault_; }
    /// The connection ended: true if the body may end there.
    [[nodiscard]] bool may_end() const noexcept {
        return state_ == state::done || how_ == framing::until_close;
    }
    /// Bytes still to come of the body, or of the chunk, as far as was said yet.
    [[nodiscard]] std::uint64_t remaining() const noexcept { return state_ == state::data ? left_ : 0; }

private:
    enum class state : std::uint8_t { data, size, extension, size_lf, data_cr, data_lf, trailer, done };
    [[nodiscard]] bool step(char c);
    bool refuse(const char* why);
    bool read_size(char c);
    bool read_extension(char c);
    bool read_trailer(char c);

    framing how_ = framing::none;
    state state_ = state::done;
    std::uint64_t left_ = 0;
    unsigned digits_ = 0;
    bool blank_ = false;       // a blank after a chunk size: only an extension may follow
    std::size_t overhead_ = 0; // bytes of extensions and trailers so far
    std::string trailer_;
    http_fault fault_;
};

} // namespace jsonheal::net
