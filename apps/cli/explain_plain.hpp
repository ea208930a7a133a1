/// @file explain_plain.hpp
/// Excerpts for a terminal: each line, marks under its changes, what stands there afterwards, and a legend.
#pragma once

#include "console.hpp"
#include "excerpts.hpp"
#include "explain.hpp"
#include "glyphs.hpp"
#include "legend.hpp"
#include "terminal.hpp"

#include <bitset>
#include <utility>
#include <vector>

namespace jsonheal::cli {

/// ```
///  2 │ {'a': True, b}
///    │  ~ ~  ~~~~  ^
///    │  " "  true  "
///    │    ' → "          exact     quote_style ×2: another quote character stood for the double quote
/// ```
///
/// `~` is replaced, `-` dropped, `^` where something is put in. Lines that do not fit are wrapped; of those that fit
/// on no screen only the surroundings of the marks are shown.
class plain_renderer : public excerpt_renderer {
public:
    /// @param most_number the highest line number that will be shown
    plain_renderer(std::string_view text, std::span<const change> changes, std::size_t most_number,
                   plain_look look, buffered_output& out);
    void line(const excerpt_line& line) override;
    void folded(const fold& lines) override;

private:
    struct cell;
    struct note;

    [[nodiscard]] std::size_t room() const noexcept { return look_.width - gutter_ - 3; }
    void gutter(std::string_view number, std::string_view bar);
    void append(std::string_view text, style s) { append_styled(out_.text, text, s, look_.colors); }
    void end_row();
    [[nodiscard]] bool fits(const excerpt_line& line) const;
    [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> windows(const excerpt_line& line) const;
    [[nodiscard]] std::vector<cell> cells_of(const excerpt_line& line) const;
    [[nodiscard]] static std::size_t row_end_before_mark(std::span<const cell> cells, std::size_t begin,
                                                         std::size_t end, std::span<const mark> marks,
                                                         std::size_t next_mark);
    [[nodiscard]] std::size_t fill_row(std::span<cell> cells, std::size_t begin) const;
    [[nodiscard]] note note_of(const mark& m, std::span<const cell> row, std::size_t row_end) const;
    void write_text(std::span<const cell> cells);
    void write_shapes(const std::vector<note>& notes);
    void write_replacements(const std::vector<note>& notes);
    void write_legend(const std::vector<note>& notes);
    void write_entry(const legend_entry& entry, std::size_t sides_width, std::size_t risk_width);
    void write_wrapped(std::string_view text, std::size_t indent);
    [[nodiscard]] style look_of(const mark& m) const;

    std::string_view text_;
    std::span<const change> changes_;
    std::size_t gutter_; ///< columns of a line number
    plain_look look_;
    buffered_output& out_;
    std::bitset<256> explained_; ///< rules whose meaning has been told
};

} // namespace jsonheal::cli
