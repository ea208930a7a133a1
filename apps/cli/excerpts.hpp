/// @file excerpts.hpp
/// Which lines of a text to show so that its changes can be seen, and what to mark on them.
#pragma once

#include "report.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::cli {

/// A place on a line at which something changes: changes that touch each other are one place.
struct mark {
    std::size_t begin = 0; ///< bytes of the input; equal to `end` where something is put in
    std::size_t end = 0;
    std::string text;      ///< what stands there afterwards
    std::size_t first = 0; ///< the changes of this place: [first, last)
    std::size_t last = 0;
    bool goes_on = false;   ///< the last of them ends on a later line
    bool came_over = false; ///< the first of them began on an earlier line
};

/// A line that is shown. It ends at LF, CR LF or CR, as for `locate`.
struct excerpt_line {
    std::size_t number = 0; ///< from 1
    std::size_t begin = 0;
    std::size_t end = 0;  ///< before the line end
    std::size_t next = 0; ///< behind it; equal to `end` on the last line
    std::vector<mark> marks;
    bool dropped = false; ///< all of it lies within one change that leaves nothing
};

/// Lines that are not shown.
struct fold {
    std::size_t first = 0; ///< line number
    std::size_t lines = 0;
    std::size_t begin = 0; ///< bytes
    std::size_t end = 0;
    bool dropped = false; ///< all of them lie within one change; else nothing on them changes
};

/// Takes the excerpts of a text in order.
class excerpt_renderer {
public:
    virtual ~excerpt_renderer() = default;
    virtual void line(const excerpt_line& line) = 0;
    virtual void folded(const fold& lines) = 0;
    /// Lines next to a shown line are not folded if there are so few of them.
    static constexpr std::size_t context = 1;

protected:
    excerpt_renderer() = default;
    excerpt_renderer(const excerpt_renderer&) = default;
    excerpt_renderer& operator=(const excerpt_renderer&) = default;
};

/// Renders every line with a change, a line before and after it, and folds between. Stops behind the last change and
/// its line after, unless `to_end` folds the rest, too. O(text + changes) time.
/// @pre changes are in order and do not overlap
void render_excerpts(std::string_view text, std::span<const change> changes, bool to_end,
                     excerpt_renderer& out);

} // namespace jsonheal::cli
