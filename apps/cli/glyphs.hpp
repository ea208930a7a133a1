/// @file glyphs.hpp
/// Untrusted text made fit to be seen: nothing of it reaches a terminal or a page that is not a visible
/// character of known width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace jsonheal::cli {

/// One character with the marks that stand on it, as it is shown.
struct glyph {
    std::size_t size = 0;  ///< bytes of the text
    unsigned width = 0;    ///< columns of a terminal
    bool stand_in = false; ///< what is shown is not the text itself: `␀`, `<U+202E>`, `<FF>`
};

/// Appends the character at `at` to `out` in a form that is safe to print. O(1).
///
/// Controls become control pictures (`␛`), a line feed `⏎`, a tab `⇥`; bidirectional controls, invisible
/// characters, odd blanks and unassigned ones their number (`<U+202E>`), bytes that are not UTF-8 their value
/// (`<FF>`). Widths are those of Unicode's East Asian Width; ambiguous ones count one column.
/// @pre at < text.size()
glyph show_glyph(std::string_view text, std::size_t at, std::string& out);

/// Text for within a line, and its columns.
struct snippet {
    std::string text;
    std::size_t width = 0;
};

/// A whole text as `show_glyph` shows it, with the middle left out where it is wider than `most` columns.
/// Blanks at its ends are made visible (`␣`). O(most).
[[nodiscard]] snippet show_snippet(std::string_view text, std::size_t most);

/// The whole text as `show_glyph` shows it, but line feeds and tabs stay. O(text).
[[nodiscard]] std::string show_text(std::string_view text);

/// Where a whole character begins, at or before `at`. O(1).
[[nodiscard]] std::size_t character_before(std::string_view text, std::size_t at);

/// Columns of a text of ours, which holds nothing that `show_glyph` would change. O(text).
[[nodiscard]] std::size_t columns(std::string_view text);

} // namespace jsonheal::cli
