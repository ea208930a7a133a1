/// @file parse.cpp
/// Strict JSON text to a tape.

#include "bytes.hpp"

#include <jsonheal/document.hpp>

namespace jsonheal {

namespace document_detail {

namespace {

/// Reads one text. Open containers need no stack: each keeps its parent in `node::next` until it is closed.
class tape_parser {
public:
    tape_parser(tape& t, const document_limits& limits) noexcept
        : nodes_(t.nodes), begin_(t.text.data()), p_(begin_), end_(begin_ + t.text.size()), limits_(limits) {}

    std::optional<parse_error> run() {
        if (static_cast<std::uint64_t>(end_ - begin_) > std::min(limits_.bytes, document_limits{}.bytes)) {
            return parse_error{"the text is longer than the limit", 0};
        }
        skip_blanks();
        step s = value();
        while (s != step::failed && s != step::done) { s = s == step::at_value ? value() : after_value(); }
        if (s == step::done) { return std::nullopt; }
        return parse_error{message_, static_cast<std::size_t>(p_ - begin_)};
    }

private:
    enum class step : std::uint8_t { at_value, after_value, done, failed };
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;

    step fail(std::string_view message) noexcept {
        message_ = message;
        return step::failed;
    }
    step fail_at(const char* at, std::string_view message) noexcept {
        p_ = at;
        return fail(message);
    }

    void skip_blanks() noexcept {
        while (p_ != end_ && is_blank(*p_)) { ++p_; }
    }
    [[nodiscard]] std::uint32_t offset(const char* at) const noexcept {
        return static_cast<std::uint32_t>(at - begin_);
    }
    [[nodiscard]] bool in_object() const noexcept { return nodes_[open_].kind() == value_kind::object; }

    void append(value_kind kind, const char* from, const char* to, std::uint32_t flags = 0) {
        const auto here = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back({offset(from), offset(to), here + 1, static_cast<std::uint32_t>(kind) | flags});
    }
    void count_child() noexcept {
        if (open_ != none && nodes_[open_].bits < node::most_children) {
            nodes_[open_].bits += node::one_child;
        }
    }
    step scalar(value_kind kind, const char* to, std::uint32_t flags = 0) {
        count_child();
        append(kind, p_, to, flags);
        p_ = to;
        return step::after_value;
    }

    step value() {
        if (p_ == end_) {
            return fail(open_ == none ? "there is no value" : "the text ends where a value was due");
        }
        switch (*p_) {
        case '{': return open(value_kind::object, '}');
        case '[': return open(value_kind::array, ']');
        case '"': return string_value();
        case 't': return literal("true", value_kind::boolean);
        case 'f': return literal("false", value_kind::boolean);
        case 'n': return literal("null", value_kind::null);
        default: break;
        }
        if (*p_ == '-' || is_digit(*p_)) {
            const number_scan found = scan_number(p_, end_);
            return found.message.empty() ? scalar(value_kind::number, found.end)
                                         : fail_at(found.end, found.message);
        }
        if (std::string_view(p_, static_cast<std::size_t>(end_ - p_)).substr(0, 3) == "\xEF\xBB\xBF") {
            return fail("a byte order mark is not JSON");
        }
        return fail("no value begins here");
    }

    step literal(std::string_view word, value_kind kind) {
        if (std::string_view(p_, static_cast<std::size_t>(end_ - p_)).substr(0, word.size()) != word) {
            return fail("no value begins here");
        }
        return scalar(kind, p_ + word.size());
    }

    step string_value() {
        const string_scan found = scan_string(p_, end_);
        if (!found.message.empty()) { return fail_at(found.end, found.message); }
        return scalar(value_kind::string, found.end, found.has_escape ? node::has_escape : 0);
    }

    step open(value_kind kind, char closer) {
        if (depth_ == limits_.depth) { return fail("brackets are nested deeper than the limit"); }
        ++depth_;
        count_child();
        append(kind, p_, p_, 0);
        nodes_.back().next = open_;
        open_ = static_cast<std::uint32_t>(nodes_.size() - 1);
        ++p_;
        skip_blanks();
        if (p_ != end_ && *p_ == closer) {
            close();
            return step::after_value;
        }
        return kind == value_kind::object ? key() : step::at_value;
    }

    void close() noexcept {
        ++p_;
        --depth_;
        node& container = nodes_[open_];
        open_ = container.next;
        container.next = static_cast<std::uint32_t>(nodes_.size());
        container.end = offset(p_);
    }

    step key() {
        if (p_ == end_) { return fail("the text ends where a key was due"); }
        if (*p_ != '"') { return fail("a key in double quotes is due here"); }
        const string_scan found = scan_string(p_, end_);
        if (!found.message.empty()) { return fail_at(found.end, found.message); }
        append(value_kind::string, p_, found.end, found.has_escape ? node::has_escape : 0);
        p_ = found.end;
        skip_blanks();
        if (p_ == end_ || *p_ != ':') { return fail("a colon is due behind the key"); }
        ++p_;
        skip_blanks();
        return step::at_value;
    }

    step after_value() {
        skip_blanks();
        if (open_ == none) { return p_ == end_ ? step::done : fail("more text follows the value"); }
        const bool object = in_object();
        if (p_ == end_) {
            return fail(object ? "the text ends inside an object" : "the text ends inside an array");
        }
        if (*p_ == (object ? '}' : ']')) {
            close();
            return step::after_value;
        }
        if (*p_ != ',') { return fail(object ? "a comma or } is due here" : "a comma or ] is due here"); }
        ++p_;
        skip_blanks();
        return object ? key() : step::at_value;
    }

    std::vector<node>& nodes_;
    const char* begin_;
    const char* p_;
    const char* end_;
    const document_limits& limits_;
    std::uint32_t open_ = none;
    std::uint32_t depth_ = 0;
    std::string_view message_;
};

std::shared_ptr<const tape> null_tape() {
    static const std::shared_ptr<const tape> shared = [] {
        auto t = std::make_shared<tape>();
        t->text = "null";
        t->nodes.push_back({0, 4, 1, static_cast<std::uint32_t>(value_kind::null)});
        return t;
    }();
    return shared;
}

} // namespace

} // namespace document_detail

using namespace document_detail;

document::document() : tape_(null_tape()) {}

parse_result document::parse_tape(std::shared_ptr<tape> t, const document_limits& limits) {
    parse_result result;
    result.error = tape_parser(*t, limits).run();
    if (!result.error) { result.value = document(std::move(t)); }
    return result;
}

parse_result document::parse(std::string text, const document_limits& limits) {
    auto t = std::make_shared<tape>();
    t->owned = std::move(text);
    t->text = t->owned;
    return parse_tape(std::move(t), limits);
}

parse_result document::parse_borrowed(std::string_view text, const document_limits& limits) {
    auto t = std::make_shared<tape>();
    t->text = text;
    return parse_tape(std::move(t), limits);
}

} // namespace jsonheal
