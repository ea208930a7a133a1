#include "excerpts.hpp"

#include <algorithm>

namespace jsonheal::cli {

namespace {

/// The lines of a text, one by one.
class line_cursor {
public:
    explicit line_cursor(std::string_view text) : text_(text) {
        line_.number = 1;
        find_end();
    }

    [[nodiscard]] const excerpt_line& line() const noexcept { return line_; }
    [[nodiscard]] bool at_last() const noexcept { return line_.next == line_.end; }
    /// @pre !at_last()
    void advance() {
        ++line_.number;
        line_.begin = line_.next;
        find_end();
    }

private:
    void find_end() {
        const auto begin = text_.begin() + static_cast<std::ptrdiff_t>(line_.begin);
        const auto end = std::find_if(begin, text_.end(), [](char c) { return c == '\n' || c == '\r'; });
        line_.end = static_cast<std::size_t>(end - text_.begin());
        const std::string_view rest = text_.substr(line_.end);
        line_.next = line_.end + (rest.starts_with("\r\n") ? 2 : rest.empty() ? 0 : 1);
    }

    std::string_view text_;
    excerpt_line line_;
};

class excerpter {
public:
    excerpter(std::string_view text, std::span<const change> changes, excerpt_renderer& out)
        : changes_(changes), out_(out), cursor_(text), unshown_(cursor_) {}

    void run(bool to_end) {
        while (next_ < changes_.size()) {
            seek(changes_[next_].begin);
            show_changed_lines();
        }
        show_rest(to_end);
    }

private:
    /// Goes to the line of that byte, showing or folding the lines in between.
    void seek(std::size_t offset) {
        if (done_) { return; }        // still on the line that was shown last
        line_cursor before = cursor_; // the line of context
        while (offset >= cursor_.line().next && !cursor_.at_last()) {
            before = cursor_;
            cursor_.advance();
        }
        const std::size_t gap = cursor_.line().number - unshown_.line().number;
        const std::size_t after = shown_any_ ? excerpt_renderer::context : 0;
        if (gap <= after + 2) { // a fold of one line would take as much room as the line
            for (; unshown_.line().number != cursor_.line().number; unshown_.advance()) { show(unshown_); }
            return;
        }
        if (shown_any_) {
            show(unshown_);
            unshown_.advance();
        }
        fold_until(before, false);
        show(before);
    }

    /// Behind a line end that is the last byte there is no line that anyone would count.
    static bool nothing_there(const line_cursor& at) {
        return at.at_last() && at.line().begin == at.line().end;
    }

    void show(const line_cursor& at) {
        if (!nothing_there(at)) { out_.line(at.line()); }
    }

    void fold_until(const line_cursor& until, bool dropped) {
        const excerpt_line& from = unshown_.line();
        const excerpt_line& to = until.line();
        out_.folded({from.number, to.number - from.number, from.begin, to.begin, dropped});
    }

    /// The line that the cursor is on, and those that its last change goes on to.
    void show_changed_lines() {
        excerpt_line line = cursor_.line();
        bool came_over = false;
        for (;;) {
            const bool goes_on = collect(line, came_over);
            line.dropped = is_dropped(line);
            out_.line(line);
            shown_any_ = true;
            if (cursor_.at_last()) {
                done_ = true;
                next_ = changes_.size();
                return;
            }
            cursor_.advance();
            if (goes_on) { skip_inner_lines(); }
            unshown_ = cursor_;
            if (!goes_on) { return; }
            line = cursor_.line();
            came_over = true;
        }
    }

    /// Of the lines inside one change only the first and the last are shown.
    void skip_inner_lines() {
        const std::size_t end = changes_[next_].end;
        line_cursor last = cursor_;
        line_cursor before = cursor_;
        while (last.line().next < end && !last.at_last()) {
            before = last;
            last.advance();
        }
        if (last.line().number - cursor_.line().number <= 2) { return; }
        unshown_ = cursor_;
        cursor_ = last;
        fold_until(cursor_, true);
    }

    /// Gathers the marks of a line. True if its last change goes on behind it.
    bool collect(excerpt_line& line, bool came_over) {
        while (next_ < changes_.size()) {
            const change& c = changes_[next_];
            const bool here = c.begin < line.next || cursor_.at_last();
            if (!here && !came_over) { return false; }
            const std::size_t begin = std::max(c.begin, line.begin);
            const std::size_t end = std::min(c.end, line.next);
            const bool goes_on = c.end > line.next;
            // A change that only begins with this line end shows on the next line.
            const bool seen_later = goes_on && c.begin >= line.end && c.begin != line.begin && c.text.empty();
            if (!seen_later) {
                add(line.marks,
                    {begin, end, came_over || c.refusal ? "" : c.text, next_, next_ + 1, goes_on, came_over});
            }
            if (goes_on) { return true; }
            came_over = false;
            ++next_;
        }
        return false;
    }

    static bool is_dropped(const excerpt_line& line) {
        if (line.marks.size() != 1) { return false; }
        const mark& m = line.marks.front();
        return m.begin == line.begin && m.end == line.next && m.begin != m.end && m.text.empty();
    }

    static void add(std::vector<mark>& marks, mark m) {
        if (marks.empty() || marks.back().end != m.begin) {
            marks.push_back(std::move(m));
            return;
        }
        mark& before = marks.back();
        before.end = m.end;
        before.text += m.text;
        before.last = m.last;
        before.goes_on = m.goes_on;
    }

    void show_rest(bool to_end) {
        if (done_) { return; }
        if (shown_any_) {
            show(unshown_);
            if (unshown_.at_last()) { return; }
            unshown_.advance();
        }
        if (!to_end) { return; }
        line_cursor end = unshown_;
        while (!end.at_last()) { end.advance(); }
        const excerpt_line& last = end.line();
        const std::size_t lines = last.number - unshown_.line().number + (nothing_there(end) ? 0 : 1);
        if (lines == 0) { return; }
        if (lines == 1) { return show(unshown_); }
        out_.folded({unshown_.line().number, lines, unshown_.line().begin, last.end, false});
    }

    std::span<const change> changes_;
    excerpt_renderer& out_;
    line_cursor cursor_;
    line_cursor unshown_;  ///< the first line that is neither shown nor folded
    std::size_t next_ = 0; ///< the first change that has not been shown to its end
    bool shown_any_ = false;
    bool done_ = false; ///< the last line has been shown
};

} // namespace

void render_excerpts(std::string_view text, std::span<const change> changes, bool to_end,
                     excerpt_renderer& out) {
    excerpter(text, changes, out).run(to_end);
}

} // namespace jsonheal::cli
