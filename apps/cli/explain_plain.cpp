#include "explain_plain.hpp"

#include "explain.hpp"
#include "explain_summary.hpp"
#include "legend.hpp"

#include <algorithm>

namespace jsonheal::cli {

/// One character on the screen, or a run of text that was left out.
struct plain_renderer::cell {
    std::size_t begin = 0; ///< bytes of the input
    std::size_t end = 0;
    std::string shown;
    std::size_t width = 0;
    style look = style::plain;
    bool tab = false; ///< as wide as it takes to the next stop
    std::size_t column = 0;
};

/// The part of a mark that is in one row.
struct plain_renderer::note {
    const mark* place;
    std::size_t column;
    std::size_t width;
    bool begins, ends; ///< the mark does so in this row
    char shape;
};

plain_renderer::plain_renderer(std::string_view text, std::span<const change> changes,
                               std::size_t most_number, plain_look look, buffered_output& out)
    : text_(text),
      changes_(changes),
      gutter_(std::max<std::size_t>(2, std::to_string(most_number).size())),
      look_(look),
      out_(out) {}

void plain_renderer::gutter(std::string_view number, std::string_view bar) {
    const std::size_t width = number == "…" ? 1 : number.size();
    out_.text.append(gutter_ - std::min(gutter_, width), ' ');
    append(number, style::faint);
    out_.text.push_back(' ');
    append(bar, bar == "-" ? style::refused : style::faint);
    out_.text.push_back(' ');
}

void plain_renderer::end_row() {
    std::string& text = out_.text;
    while (!text.empty() && text.back() == ' ') { text.pop_back(); }
    text.push_back('\n');
}

void plain_renderer::folded(const fold& lines) {
    std::string text = "… " + std::to_string(lines.lines) + (lines.lines == 1 ? " line" : " lines");
    text += lines.dropped ? ", dropped …" : " without a change …";
    out_.text.append(gutter_ + 1, ' ');
    append(lines.dropped ? "-" : "│", lines.dropped ? style::refused : style::faint);
    out_.text.push_back(' ');
    append(text, style::faint);
    end_row();
}

namespace {

constexpr std::size_t tab_stop = 4;
constexpr std::size_t shortest_fold = 24; ///< less is not worth leaving out
constexpr std::size_t most_replacement_rows = 3;

} // namespace

/// Whether a line fits into one row.
bool plain_renderer::fits(const excerpt_line& line) const {
    std::string scratch;
    std::size_t width = 0;
    for (std::size_t at = line.begin; at < line.end;) {
        if (text_[at] == '\t') {
            width += tab_stop - width % tab_stop;
            ++at;
        } else {
            const glyph g = show_glyph(text_.substr(0, line.end), at, scratch);
            at += g.size;
            width += g.width;
            scratch.clear();
        }
        if (width >= room()) { return false; }
    }
    return true;
}

/// The parts of a line that are shown: all of it if it fits, else what is around its marks.
std::vector<std::pair<std::size_t, std::size_t>> plain_renderer::windows(const excerpt_line& line) const {
    if (fits(line)) { return {{line.begin, line.end}}; }
    const std::size_t fold_width = 18;
    if (line.marks.empty() || line.dropped) {
        const std::size_t shown = std::max(room(), fold_width + 8) - fold_width;
        return {{line.begin, character_before(text_, std::min(line.end, line.begin + shown))}};
    }
    const std::size_t around =
        std::clamp<std::size_t>((room() - std::min(room(), 2 * fold_width)) / 2, 8, 60);
    std::vector<std::pair<std::size_t, std::size_t>> found;
    const auto show = [&](std::size_t begin, std::size_t end) {
        begin = character_before(text_, begin - std::min(begin - line.begin, around));
        end = character_before(text_, std::min(line.end, std::max(begin, end) + around));
        if (begin < line.begin + shortest_fold) { begin = line.begin; }
        if (end + shortest_fold > line.end) { end = line.end; }
        if (!found.empty() && found.back().second + shortest_fold > begin) {
            found.back().second = std::max(found.back().second, end);
        } else {
            found.emplace_back(begin, end);
        }
    };
    for (const mark& m : line.marks) {
        // Of a long range the beginning and the end are enough.
        if (m.end - m.begin > 4 * around) {
            show(m.begin, m.begin + around);
            show(std::min(m.end, line.end) - around / 2, std::min(m.end, line.end));
        } else {
            show(m.begin, m.end);
        }
    }
    return found;
}

std::vector<plain_renderer::cell> plain_renderer::cells_of(const excerpt_line& line) const {
    std::vector<cell> cells;
    std::size_t at = line.begin;
    const auto leave_out = [&](std::size_t until) {
        if (at >= until) { return; }
        cell c{at, until, "… " + grouped(until - at) + " bytes …", 0, style::faint};
        c.width = c.shown.size() - 4; // an ellipsis is three bytes
        cells.push_back(std::move(c));
        at = until;
    };
    for (const auto& [begin, end] : windows(line)) {
        leave_out(begin);
        while (at < end) {
            cell c;
            c.begin = at;
            const glyph g = show_glyph(text_.substr(0, line.end), at, c.shown);
            c.tab = text_[at] == '\t';
            if (c.tab) { c.shown.clear(); }
            c.width = g.width;
            c.look = g.stand_in ? style::stand_in : style::plain;
            at = c.end = at + g.size;
            cells.push_back(std::move(c));
        }
    }
    leave_out(line.end);
    if (!line.dropped && !line.marks.empty() && line.marks.back().end > line.end) {
        cells.push_back({line.end, line.next, "⏎", 1, style::faint});
    }
    return cells;
}

/// A row does not break a short mark in two if it can begin the next one.
std::size_t plain_renderer::row_end_before_mark(std::span<const cell> cells, std::size_t begin,
                                                std::size_t end, std::span<const mark> marks,
                                                std::size_t next_mark) {
    if (end == cells.size()) { return end; }
    const std::size_t at = cells[end].begin;
    while (next_mark < marks.size() && marks[next_mark].end <= at) { ++next_mark; }
    if (next_mark == marks.size() || marks[next_mark].begin >= at) { return end; }
    std::size_t start = end;
    while (start != begin && cells[start - 1].end > marks[next_mark].begin) { --start; }
    return start == begin || end - start > 20 ? end : start;
}

/// How many of the cells from `begin` on fit into one row. Sets their columns.
std::size_t plain_renderer::fill_row(std::span<cell> cells, std::size_t begin) const {
    std::size_t column = 0;
    std::size_t end = begin;
    for (; end < cells.size(); ++end) {
        cell& c = cells[end];
        if (c.tab) { c.width = tab_stop - column % tab_stop; }
        // One column stays free for a mark behind the last character.
        if (end != begin && column + c.width >= room()) { break; }
        c.column = column;
        column += c.width;
    }
    return end;
}

/// The part of a mark that is in a row, which ends before the byte `row_end`.
plain_renderer::note plain_renderer::note_of(const mark& m, std::span<const cell> row,
                                             std::size_t row_end) const {
    const std::size_t right_edge = row.empty() ? 0 : row.back().column + row.back().width;
    const auto column_of = [&](auto at) { return at == row.end() ? right_edge : at->column; };
    const auto first = std::upper_bound(row.begin(), row.end(), m.begin,
                                        [](std::size_t at, const cell& c) { return at < c.end; });
    note n{&m, column_of(first), 1, row.empty() || m.begin >= row.front().begin, m.end <= row_end, '^'};
    if (m.begin == m.end) { return n; }
    const auto behind =
        std::lower_bound(first, row.end(), m.end, [](const cell& c, std::size_t at) { return c.begin < at; });
    n.width = std::max<std::size_t>(1, column_of(behind) - n.column);
    const bool leaves_nothing = m.text.empty() && (!m.came_over || changes_[m.first].text.empty());
    n.shape = leaves_nothing ? '-' : '~';
    return n;
}

void plain_renderer::line(const excerpt_line& line) {
    std::vector<cell> cells = cells_of(line);
    std::string number = std::to_string(line.number);
    std::size_t next_mark = 0;
    std::size_t begin = 0;
    do {
        const std::size_t end =
            row_end_before_mark(cells, begin, fill_row(cells, begin), line.marks, next_mark);
        const std::span<const cell> row(cells.data() + begin, end - begin);
        const bool last = end == cells.size();
        gutter(number, line.dropped ? "-" : "│");
        write_text(row);

        std::vector<note> notes;
        const std::size_t row_end = last ? line.next + 1 : cells[end].begin;
        for (; next_mark < line.marks.size() && line.marks[next_mark].begin < row_end; ++next_mark) {
            notes.push_back(note_of(line.marks[next_mark], row, row_end));
            if (!notes.back().ends) { break; } // the next row shows the rest of it
        }
        if (!line.dropped) { write_shapes(notes); }
        write_replacements(notes);
        write_legend(notes);
        out_.relieve();
        begin = end;
        number = "…";
    } while (begin < cells.size());
}

void plain_renderer::write_text(std::span<const cell> cells) {
    for (const cell& c : cells) {
        if (c.tab) {
            out_.text.append(c.width, ' ');
        } else {
            append(c.shown, c.look);
        }
    }
    end_row();
}

style plain_renderer::look_of(const mark& m) const {
    risk most = risk::exact;
    for (const change& c : changes_.subspan(m.first, m.last - m.first)) {
        if (c.refusal) { return style::refused; }
        most = std::max(most, info(c.rule).risk);
    }
    return style_of(most);
}

void plain_renderer::write_shapes(const std::vector<note>& notes) {
    if (notes.empty()) { return; }
    gutter("", "│");
    std::size_t column = 0;
    for (const note& n : notes) {
        out_.text.append(n.column - std::min(n.column, column), ' ');
        append(std::string(n.width, n.shape), look_of(*n.place));
        column = n.column + n.width;
    }
    end_row();
}

/// What stands at the marks afterwards, in as few rows as keep the texts apart.
void plain_renderer::write_replacements(const std::vector<note>& notes) {
    struct label {
        std::size_t column;
        snippet shown;
        style look;
    };
    struct label_row {
        std::size_t end = 0;
        std::vector<label> labels;
    };
    std::vector<label_row> rows;
    for (const note& n : notes) {
        if (!n.begins || n.place->text.empty()) { continue; }
        label l{n.column, show_snippet(n.place->text, std::min<std::size_t>(40, room() - 1)),
                look_of(*n.place)};
        if (l.column + l.shown.width > room()) { l.column = room() - l.shown.width; }
        std::size_t r = 0;
        while (r < rows.size() && rows[r].end > l.column) { ++r; }
        if (r == most_replacement_rows) { continue; } // the legend tells it
        if (r == rows.size()) { rows.emplace_back(); }
        rows[r].end = l.column + l.shown.width + (l.shown.width > 1 ? 1 : 0);
        rows[r].labels.push_back(std::move(l));
    }
    for (const label_row& r : rows) {
        gutter("", "│");
        std::size_t column = 0;
        for (const label& l : r.labels) {
            out_.text.append(l.column - column, ' ');
            append(l.shown.text, l.look);
            column = l.column + l.shown.width;
        }
        end_row();
    }
}

namespace {

/// `' → "`, `+ ,`, `- ;`, `- 3 lines, 90 bytes`.
snippet sides_of(const legend_entry& entry) {
    const snippet& before = entry.before;
    const snippet& after = entry.after;
    if (before.text.empty()) { return {"+ " + after.text, after.width + 2}; }
    if (after.text.empty()) { return {"- " + before.text, before.width + 2}; }
    return {before.text + " → " + after.text, before.width + 3 + after.width};
}

} // namespace

void plain_renderer::write_legend(const std::vector<note>& notes) {
    legend told(text_, std::clamp<std::size_t>(room() / 4, 8, 20));
    for (const note& n : notes) {
        if (!n.ends) { continue; }
        const std::size_t last = n.place->last - (n.place->goes_on ? 1 : 0);
        for (std::size_t i = n.place->first; i < last; ++i) { told.add(changes_[i]); }
    }
    std::size_t width = 0;
    std::size_t risk_width = 0;
    for (const legend_entry& entry : told.entries()) {
        if (entry.what->refusal) { continue; }
        width = std::max(width, sides_of(entry).width);
        risk_width = std::max(risk_width, name(info(entry.what->rule).risk).size());
    }
    width = std::min(width, room() / 2);
    for (const legend_entry& entry : told.entries()) {
        gutter("", "│");
        if (entry.what->refusal) {
            append("  refused here: ", style::refused);
            write_wrapped(entry.what->text, 16);
            end_row();
        } else {
            write_entry(entry, width, risk_width);
        }
    }
}

/// `' → "  exact  quote_style ×2: another quote character stood for the double quote`
void plain_renderer::write_entry(const legend_entry& entry, std::size_t sides_width, std::size_t risk_width) {
    const rule_info& row = info(entry.what->rule);
    const std::string_view risk = name(row.risk);
    const snippet sides = sides_of(entry);
    std::string rule(row.id);
    if (entry.count > 1) { rule += " ×" + std::to_string(entry.count); }
    const auto number = static_cast<std::size_t>(entry.what->rule);
    const std::string_view meaning = explained_.test(number) ? std::string_view() : row.meaning;
    explained_.set(number);

    out_.text.append("  ").append(sides.text);
    const std::size_t risk_column = 4 + sides_width;
    const std::size_t rule_column = risk_column + risk_width + 2;
    constexpr std::size_t room_for_words = 24;
    const bool side_by_side = rule_column + room_for_words <= room() && sides.width <= sides_width;
    if (side_by_side) {
        out_.text.append(risk_column - 2 - sides.width, ' ');
        append(risk, style_of(row.risk));
        out_.text.append(rule_column - risk_column - risk.size(), ' ');
        if (!meaning.empty()) { rule.append(": ").append(meaning); }
        write_wrapped(rule, rule_column);
        return end_row();
    }
    if (4 + sides.width + risk.size() + 2 + columns(rule) > room()) {
        end_row();
        gutter("", "│");
        out_.text.append("  ");
    }
    out_.text.append("  ");
    append(risk, style_of(row.risk));
    out_.text.append("  ").append(rule);
    end_row();
    if (meaning.empty()) { return; }
    gutter("", "│");
    out_.text.append("    ");
    write_wrapped(meaning, 4);
    end_row();
}

/// Appends words, and goes on in further rows, indented, where they do not fit.
void plain_renderer::write_wrapped(std::string_view text, std::size_t indent) {
    std::size_t column = indent;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        const std::size_t width = columns(word);
        if (column != indent && column + 1 + width > room()) {
            end_row();
            gutter("", "│");
            out_.text.append(indent, ' ');
            column = indent;
        }
        if (column != indent) {
            out_.text.push_back(' ');
            ++column;
        }
        out_.text.append(word);
        column += width;
        text.remove_prefix(std::min(text.size(), word.size() + 1));
    }
}

namespace {

/// Appends words, `width` columns a line, behind a first word that stands out.
void write_paragraph(std::string_view first, std::string_view text, plain_look look, style s,
                     std::string& out) {
    append_styled(out, first, style::strong, look.colors);
    std::size_t column = columns(first);
    std::string row;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        const std::size_t size = columns(word);
        if (column != 0 && column + 1 + size > look.width) {
            append_styled(out, row, s, look.colors);
            out.push_back('\n');
            row.clear();
            column = 0;
        }
        if (column != 0) { row.push_back(' '); }
        row.append(word);
        column += size + (column != 0 ? 1 : 0);
        text.remove_prefix(std::min(text.size(), word.size() + 1));
    }
    append_styled(out, row, s, look.colors);
    out.push_back('\n');
}

style look_of(const healing& h) {
    switch (h.verdict) {
    case verdict::intact: return style::exact;
    case verdict::truncated: return style::likely;
    case verdict::refused: return style::refused;
    case verdict::healed: break;
    }
    return style_of(h.risk);
}

} // namespace

void explain_plain(const explained& what, std::size_t most_changes, plain_look look, buffered_output& out) {
    const healing& h = what.result;
    const overview seen = look_over(what.text, h);
    write_paragraph(show_text(what.name) + ":", summary_of(what.text, h, seen, what.ceiling), look,
                    look_of(h), out.text);
    if (!what.reason.empty()) { write_paragraph("", what.reason, look, style::plain, out.text); }

    const std::vector<change> changes = changes_to_show(h, most_changes);
    if (changes.empty()) {
        if (!h.ok() && !what.text.empty()) {
            out.text.append("It begins: ").append(show_snippet(what.text, look.width - 11).text).append("\n");
        }
        return;
    }
    out.text.push_back('\n');
    const bool all = changes.size() >= seen.changes;
    const std::size_t most_number = locate(what.text, changes.back().end).line + 1;
    plain_renderer renderer(what.text, changes, most_number, look, out);
    render_excerpts(what.text, changes, all && h.ok(), renderer);
    if (!all) {
        write_paragraph("", more_changes(what.text, h, changes.size(), seen) + "; --all shows all.", look,
                        style::strong, out.text);
    }
}

} // namespace jsonheal::cli
