#include <jsonheal/net_sse.hpp>

#include <algorithm>
#include <cstring>

namespace jsonheal::net {

namespace {

constexpr std::string_view mark = "\xEF\xBB\xBF";

/// Where `c` is in [from, end of text), or the end.
std::size_t find_from(std::string_view text, char c, std::size_t from) {
    return std::min(text.find(c, from), text.size());
}

/// Splits off the first line and its end: CR, LF or CRLF.
std::string_view take_line(std::string_view& rest) {
    const std::size_t end = std::min(rest.find_first_of("\r\n"), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end);
    if (rest.starts_with("\r\n")) {
        rest.remove_prefix(2);
    } else if (!rest.empty()) {
        rest.remove_prefix(1);
    }
    return line;
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
    out.append(name).append(": ");
    for (const char c : value) {
        if (c != '\r' && c != '\n' && c != '\0') { out.push_back(c); }
    }
    out.push_back('\n');
}

} // namespace

void sse_reader::feed(std::string_view bytes) {
    if (failed_) { return; }
    if (begin_ > 0) {
        input_.erase(0, begin_);
        scanned_lf_ -= std::min(scanned_lf_, begin_);
        scanned_cr_ -= std::min(scanned_cr_, begin_);
        begin_ = 0;
    }
    input_.append(bytes);
}

/// True once it is known whether the stream begins with a byte order mark, which is then skipped.
bool sse_reader::skip_mark() {
    const std::string_view text = std::string_view(input_).substr(begin_);
    if (text.size() < mark.size() && mark.starts_with(text)) { return false; }
    if (text.starts_with(mark)) { begin_ += mark.size(); }
    at_start_ = false;
    return true;
}

/// Where the first line ends, or npos. Each byte is looked at once for each of the two ends.
std::size_t sse_reader::line_end() {
    scanned_lf_ = std::max(scanned_lf_, begin_);
    scanned_cr_ = std::max(scanned_cr_, begin_);
    scanned_lf_ = find_from(input_, '\n', scanned_lf_);
    // A CR is looked for only before the LF; if there is no LF, to the end.
    if (scanned_cr_ < scanned_lf_) {
        scanned_cr_ = std::min(find_from(std::string_view(input_).substr(0, scanned_lf_), '\r', scanned_cr_),
                               scanned_lf_);
    }
    const std::size_t end = std::min(scanned_lf_, scanned_cr_);
    return end < input_.size() ? end : std::string::npos;
}

std::optional<std::string_view> sse_reader::line() {
    if (at_start_ && !skip_mark()) { return std::nullopt; }
    if (skip_lf_ && begin_ < input_.size()) {
        skip_lf_ = false;
        if (input_[begin_] == '\n') { ++begin_; }
    }
    const std::size_t end = line_end();
    if (end == std::string::npos) {
        if (input_.size() - begin_ > limit_) { failed_ = true; }
        return std::nullopt;
    }
    const std::string_view found = std::string_view(input_).substr(begin_, end - begin_);
    skip_lf_ = input_[end] == '\r';
    begin_ = end + 1;
    return found;
}

void sse_reader::clear_event() {
    event_.clear();
    data_.clear();
    has_data_ = dispatched_ = false;
}

sse_event sse_reader::taken(bool terminated) {
    dispatched_ = true;
    return {event_.empty() ? std::string_view("message") : std::string_view(event_), data_, id_, terminated};
}

std::optional<sse_event> sse_reader::next() {
    if (dispatched_) { clear_event(); }
    while (!failed_) {
        const auto text = line();
        if (!text) { return std::nullopt; }
        if (!text->empty()) {
            field(*text);
        } else if (has_data_) {
            return taken(true);
        } else {
            clear_event();
        }
    }
    return std::nullopt;
}

std::optional<sse_event> sse_reader::finish() {
    if (dispatched_) { clear_event(); }
    at_start_ = false;
    if (failed_) { return std::nullopt; }
    // next() has taken every whole line; what is left is a line without an end.
    std::string_view rest = std::string_view(input_).substr(begin_);
    if (skip_lf_ && rest.starts_with('\n')) { rest.remove_prefix(1); }
    if (!rest.empty()) { field(rest); }
    begin_ = input_.size();
    if (!has_data_ || failed_) { return std::nullopt; }
    return taken(false);
}

/// `name`, `name:value` or `name: value`.
void sse_reader::field(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) { return value(text, {}); }
    std::string_view rest = text.substr(colon + 1);
    if (rest.starts_with(' ')) { rest.remove_prefix(1); }
    value(text.substr(0, colon), rest);
}

void sse_reader::value(std::string_view name, std::string_view text) {
    if (name == "data") {
        if (has_data_) { data_.push_back('\n'); }
        has_data_ = true;
        if (data_.size() + text.size() > limit_) {
            failed_ = true;
            return;
        }
        data_.append(text);
    } else if (name == "event") {
        event_.assign(text.substr(0, limit_));
    } else if (name == "id") {
        if (text.find('\0') == std::string_view::npos) { id_.assign(text.substr(0, limit_)); }
    } else if (name == "retry") {
        std::uint64_t ms = 0;
        const bool digits =
            !text.empty() && text.size() <= 18 &&
            std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (!digits) { return; }
        for (const char c : text) { ms = ms * 10 + static_cast<unsigned>(c - '0'); }
        retry_ = ms;
    }
}

void append_event(std::string& out, const sse_message& message) {
    if (!message.event.empty()) { append_field(out, "event", message.event); }
    if (!message.id.empty()) { append_field(out, "id", message.id); }
    std::string_view rest = message.data;
    bool more = true;
    while (more) {
        const std::size_t before = rest.size();
        const std::string_view line = take_line(rest);
        more = line.size() < before; // a line end was taken, so another line follows, though it may be empty
        out.append("data: ").append(line).push_back('\n');
    }
    out.push_back('\n');
}

void append_comment(std::string& out, std::string_view text) {
    out.append(": ");
    for (const char c : text) {
        if (c != '\r' && c != '\n') { out.push_back(c); }
    }
    out.append("\n\n");
}

} // namespace jsonheal::net
