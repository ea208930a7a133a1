// Splitting a command line into words.

#include "command_words.hpp"

#include "ascii.hpp"

#include <jsonheal/args_command_line.hpp>

#include <utility>

namespace jsonheal::args_detail {

namespace {

constexpr std::string_view unclosed = "a quote is not closed";
// What a backslash outside quotes escapes, besides blanks. Before any other character it is data.
constexpr std::string_view escapable = "\"'\\$`;&|<>()*?[]{}#~!=";

/// A letter of a host's name. `\\\\d+` is a pattern.
constexpr bool is_host(char c) noexcept {
    return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == '.' || c == '$';
}

class splitter {
public:
    explicit splitter(std::string_view text) noexcept : text_(text) {}

    split_line run() {
        while (at_ < text_.size() && out_.error.empty()) {
            if (is_blank(text_[at_])) {
                end_word();
                ++at_;
            } else {
                step();
            }
        }
        end_word();
        if (!out_.error.empty()) { out_.words.clear(); }
        return std::move(out_);
    }

private:
    void step() {
        if (!open_) { begin_word(); }
        const char c = text_[at_];
        if (c == '\'') { return single(); }
        if (c == '"') { return twofold(); }
        if (c == '\\') { return backslash(); }
        word_.text.push_back(c);
        ++at_;
    }

    void begin_word() {
        open_ = true;
        word_ = {};
        word_.begin = at_;
        // \\host\share: both are data. "\\\\host" is the escaped form of the same
        const std::size_t from = at_ + (text_[at_] == '"' ? 1 : 0);
        std::size_t host = from + 2;
        while (host < text_.size() && is_host(text_[host])) { ++host; }
        network_ = text_.substr(from, 2) == "\\\\" && host > from + 2 && text_.substr(host, 1) == "\\";
        drive_ = false;
    }

    void end_word() {
        if (!open_) { return; }
        open_ = false;
        word_.end = at_;
        out_.words.push_back(std::move(word_));
    }

    void single() {
        const std::size_t close = text_.find('\'', at_ + 1);
        if (close == std::string_view::npos) { return fail(at_); }
        word_.quoted = word_.quoted || at_ == word_.begin;
        word_.text.append(text_, at_ + 1, close - at_ - 1);
        at_ = close + 1;
    }

    void twofold() {
        const std::size_t open = at_++;
        word_.quoted = word_.quoted || open == word_.begin;
        for (;;) {
            const std::size_t stop = text_.find_first_of("\"\\", at_);
            if (stop == std::string_view::npos) { return fail(open); }
            word_.text.append(text_, at_, stop - at_);
            at_ = stop + 1;
            if (text_[stop] == '"') { return; }
            if (at_ == text_.size()) { return fail(open); }
            escaped_inside();
        }
    }

    /// Behind a backslash in double quotes.
    void escaped_inside() {
        const char c = text_[at_];
        if (network_ && word_.text.empty() && c == '\\') {
            word_.text += "\\\\";
            ++at_;
            network_ = false;
        } else if (c == '"' || c == '\\' || c == '$' || c == '`') {
            word_.text.push_back(c);
            ++at_;
        } else if (const std::size_t size = line_end(at_); size != 0) {
            at_ += size;
        } else {
            word_.text.push_back('\\');
        }
    }

    /// A backslash outside quotes.
    void backslash() {
        const std::size_t next = at_ + 1;
        const bool alone = word_.text.empty() && !word_.quoted;
        if (next == text_.size()) {
            if (alone) {
                open_ = false; // a line continuation to nothing
            } else {
                word_.text.push_back('\\');
            }
            at_ = next;
            return;
        }
        if (const std::size_t size = line_end(next); size != 0) {
            // echo a \⏎b: the end of the line is a blank
            if (alone) { open_ = false; }
            end_word();
            at_ = next + size;
            return;
        }
        const char c = text_[next];
        if (is_blank(c)) { return backslash_blank(alone); }
        if (network_ && alone && c == '\\') {
            word_.text += "\\\\";
            at_ = next + 1;
            drive_ = true;
            return;
        }
        const bool path = drive_ ||
                          (word_.text.size() == 2 && is_letter(word_.text[0]) && word_.text[1] == ':') ||
                          word_.text == "." || word_.text == "..";
        drive_ = path;
        const bool escapes =
            c == '\\' || (!path && escapable.find(c) != std::string_view::npos) || c == '"' || c == '\'';
        word_.text.push_back(escapes ? c : '\\');
        at_ = escapes ? next + 1 : next;
    }

    /// `my\ file` is one word; one that stands alone is what is left of a line continuation; `C:\dir\ x` ends a path.
    void backslash_blank(bool alone) {
        if (alone) {
            open_ = false;
            ++at_;
        } else if (drive_) {
            word_.text.push_back('\\');
            ++at_;
        } else {
            word_.text.push_back(text_[at_ + 1]);
            at_ += 2;
        }
    }

    /// Bytes of the line end at an offset.
    [[nodiscard]] std::size_t line_end(std::size_t i) const noexcept {
        if (text_.substr(i, 2) == "\r\n") { return 2; }
        return text_[i] == '\n' || text_[i] == '\r' ? 1 : 0;
    }

    void fail(std::size_t offset) {
        out_.error = unclosed;
        out_.offset = offset;
        at_ = text_.size();
        open_ = false;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    split_line out_;
    command_word word_;
    bool open_ = false;    // inside a word
    bool network_ = false; // it begins like \\host
    bool drive_ = false;   // it begins like C:\ or .\ .
};

} // namespace

split_line split_words(std::string_view text) { return splitter(text).run(); }

} // namespace jsonheal::args_detail

namespace jsonheal {

word_list split_command_line(std::string_view text) {
    args_detail::split_line split = args_detail::split_words(text);
    word_list out;
    out.error = split.error;
    out.offset = split.offset;
    for (args_detail::command_word& w : split.words) { out.list.push_back(std::move(w.text)); }
    return out;
}

} // namespace jsonheal
