/// @file print.cpp
/// Writing JSON text in another layout. Works on the text alone, token by token, so depth costs nothing.

#include "bytes.hpp"

#include <jsonheal/document.hpp>

namespace jsonheal {

namespace document_detail {

namespace {

class printer {
public:
    printer(std::string_view text, const write_options& options, std::string& out) noexcept
        : p_(text.data()), end_(p_ + text.size()), options_(options), out_(out) {}

    void run() {
        while (p_ != end_) {
            switch (*p_) {
            case '"': copy_string(); break;
            case ' ':
            case '\n':
            case '\r':
            case '\t': blanks(); break;
            case '{':
            case '[': opener(); break;
            case '}':
            case ']': closer(); break;
            case ',': separator(); break;
            case ':': colon(); break;
            default: copy_scalar(); break;
            }
        }
    }

private:
    [[nodiscard]] bool indented() const noexcept { return options_.layout == layout::indented; }

    const char* after_blanks(const char* p) const noexcept {
        while (p != end_ && is_blank(*p)) { ++p; }
        return p;
    }
    void new_line() {
        out_.push_back('\n');
        out_.append(depth_ * options_.indent, ' ');
    }

    void blanks() {
        const char* const next = after_blanks(p_);
        if (options_.layout == layout::preserve) { out_.append(p_, next); }
        p_ = next;
    }
    void opener() {
        out_.push_back(*p_);
        const char closing = *p_ == '{' ? '}' : ']';
        ++p_;
        if (!indented()) { return; }
        const char* const next = after_blanks(p_);
        if (next != end_ && *next == closing) {
            out_.push_back(closing);
            p_ = next + 1;
            return;
        }
        ++depth_;
        new_line();
    }
    void closer() {
        if (indented()) {
            if (depth_ != 0) { --depth_; }
            new_line();
        }
        out_.push_back(*p_++);
    }
    void separator() {
        out_.push_back(*p_++);
        if (indented()) { new_line(); }
    }
    void colon() {
        out_.push_back(*p_++);
        if (indented()) { out_.push_back(' '); }
    }
    void copy_scalar() {
        const char* const from = p_;
        while (p_ != end_ && !is_blank(*p_) &&
               std::string_view("{}[],:\"").find(*p_) == std::string_view::npos) {
            ++p_;
        }
        out_.append(from, p_);
    }

    void copy_string() {
        const bool plain = !options_.escapes.line_separators && !options_.escapes.non_ascii;
        out_.push_back(*p_++);
        while (p_ != end_) {
            const char* const stop =
                plain ? skip_run<stop_at::quotes>(p_, end_) : skip_run<stop_at::special>(p_, end_);
            out_.append(p_, stop);
            p_ = stop;
            if (p_ == end_) { return; }
            if (*p_ == '"') {
                out_.push_back(*p_++);
                return;
            }
            if (*p_ == '\\') {
                const std::ptrdiff_t length = end_ - p_ > 1 ? 2 : 1;
                out_.append(p_, p_ + length);
                p_ += length;
            } else {
                copy_character();
            }
        }
    }

    /// A character beyond ASCII, or a byte that strict text has not.
    void copy_character() {
        const unicode::decoded found = decode_at(p_, end_);
        if (byte(*p_) < 0x80 || found.size == 0) {
            out_.push_back(*p_++);
            return;
        }
        const string_escapes& escapes = options_.escapes;
        if (escapes.non_ascii || (escapes.line_separators && is_line_separator(found.code))) {
            append_unicode_escape(found.code, out_);
        } else {
            out_.append(p_, p_ + found.size);
        }
        p_ += found.size;
    }

    const char* p_;
    const char* end_;
    const write_options& options_;
    std::string& out_;
    std::size_t depth_ = 0;
};

} // namespace

} // namespace document_detail

void write_text(std::string_view strict_json, const write_options& options, std::string& out) {
    const string_escapes& escapes = options.escapes;
    if (options.layout == layout::preserve && !escapes.line_separators && !escapes.non_ascii) {
        out.append(strict_json);
        return;
    }
    document_detail::printer(strict_json, options, out).run();
}

void write(value_view v, const write_options& options, std::string& out) {
    write_text(v.source(), options, out);
}

void compact(std::string_view strict_json, std::string& out, const string_escapes& escapes) {
    write_text(strict_json, {.layout = layout::compact, .indent = 0, .escapes = escapes}, out);
}

} // namespace jsonheal
