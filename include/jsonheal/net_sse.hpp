/// @file net_sse.hpp
/// Server-sent events, read and written as the HTML standard (section 9.2) says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jsonheal::net {

/// One event. The views are valid until the reader's next `feed`, `next` or `finish`.
struct sse_event {
    std::string_view event; ///< its type; `message` if none was given
    std::string_view data;  ///< lines joined by line feeds
    std::string_view id;    ///< the last id given in the stream so far
    bool terminated = true; ///< false: the stream ended before the blank line that ends an event
};

/// Bytes to events. Lines may end in CR, LF or CRLF and arrive split anywhere; comments are skipped; a byte order mark at the
/// start is skipped. O(bytes) in time; holds at most one event and what was fed but not yet taken.
///
///     reader.feed(bytes);
///     while (auto e = reader.next()) { use(e->data); }
class sse_reader {
public:
    static constexpr std::size_t default_limit = std::size_t{16} << 20;
    /// An event or line of more than `limit` bytes makes the reader fail.
    explicit sse_reader(std::size_t limit = default_limit) : limit_(limit) {}

    /// Takes a copy of the bytes.
    void feed(std::string_view bytes);
    /// The next whole event, if one has arrived.
    [[nodiscard]] std::optional<sse_event> next();
    /// At the end of the stream: the event that lacks its blank line, if it has data. The standard drops it; providers that
    /// forget the blank line are common, so the caller decides.
    [[nodiscard]] std::optional<sse_event> finish();

    /// True once the limit was exceeded; nothing comes after that.
    [[nodiscard]] bool failed() const noexcept { return failed_; }
    /// The reconnection time last given, in milliseconds.
    [[nodiscard]] std::optional<std::uint64_t> retry() const noexcept { return retry_; }

private:
    [[nodiscard]] std::optional<std::string_view> line();
    [[nodiscard]] std::size_t line_end();
    bool skip_mark();
    void field(std::string_view text);
    void value(std::string_view name, std::string_view text);
    [[nodiscard]] sse_event taken(bool terminated);
    void clear_event();

    std::size_t limit_;
    std::string input_;
    std::size_t begin_ = 0;      // of the bytes not yet taken
    std::size_t scanned_lf_ = 0; // no LF in [begin_, scanned_lf_), or one exactly there
    std::size_t scanned_cr_ = 0;
    std::string event_, data_, id_;
    bool has_data_ = false;
    bool dispatched_ = false; // the event was handed out and is cleared by the next call
    bool skip_lf_ = false;    // the last line ended in CR
    bool at_start_ = true;
    bool failed_ = false;
    std::optional<std::uint64_t> retry_;
};

/// What an event is made of; `data` may have several lines, each becomes a `data:` line of its own.
struct sse_message {
    std::string_view data;
    std::string_view event = {}; ///< left out if empty; must be one line
    std::string_view id = {};    ///< left out if empty; must be one line
};
/// Appends an event as bytes. Line ends inside `event` and `id` are dropped, so that nothing else can be written through them.
void append_event(std::string& out, const sse_message& message);
/// Appends a comment, which keeps a connection alive and which every client skips.
void append_comment(std::string& out, std::string_view text);

} // namespace jsonheal::net
