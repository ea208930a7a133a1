#include "excerpts.hpp"
#include "explain.hpp"
#include "explain_summary.hpp"
#include "glyphs.hpp"
#include "legend.hpp"

#include <algorithm>
#include <bitset>

namespace jsonheal::cli {

namespace {

// The policy forbids scripts and anything from elsewhere, in case an escape was forgotten somewhere.
constexpr std::string_view page_head = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>jsonheal explain</title>
<style>
:root { color-scheme: light dark;
  --page: #fbfaf8; --ink: #1f2328; --faint: #6a717b; --line: #dcdad5; --card: #ffffff;
  --exact: #1a7f4b; --likely: #8a6100; --invented: #8b3fa8; --lossy: #c02a2a;
  --exact-tint: #dcf3e5; --likely-tint: #fbecc4; --invented-tint: #f2dff8; --lossy-tint: #fbdcda; }
@media (prefers-color-scheme: dark) { :root {
  --page: #16181c; --ink: #e4e6ea; --faint: #969ea9; --line: #343a42; --card: #1d2025;
  --exact: #6fce97; --likely: #e3b655; --invented: #d597ec; --lossy: #ff8b82;
  --exact-tint: #173a27; --likely-tint: #40330f; --invented-tint: #3d2048; --lossy-tint: #4d1f1f; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem 1rem 3rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 70rem; margin: 0 auto; }
section { margin: 0 0 2.5rem; }
h1 { margin: 0; font-size: 1rem; font-weight: 600; color: var(--faint); overflow-wrap: anywhere; }
.said { margin: .2rem 0 1rem; font-size: 1.25rem; font-weight: 600; line-height: 1.35; text-wrap: balance; }
.said.refused, .risk.refused { color: var(--lossy); }
.reason, .more { margin: 0 0 1rem; color: var(--faint); }
.text { border: 1px solid var(--line); border-radius: .5rem; background: var(--card); overflow: hidden;
  font: .875rem/1.6 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
.row { display: grid; grid-template-columns: calc(var(--digits, 2ch) + 1.5rem) minmax(0, 1fr); }
.row > b { padding: 0 .75rem 0 .5rem; color: var(--faint); font-weight: 400; text-align: right; user-select: none; }
.row > span { padding: 0 .75rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; min-height: 1.6em; }
.row.changed { background: color-mix(in srgb, var(--line) 22%, transparent); }
del, ins { border-radius: .2rem; padding: 0 .1em; text-decoration: none; }
del { text-decoration: line-through; text-decoration-thickness: 1px; opacity: .85; }
ins { font-weight: 700; }
.exact { color: var(--exact); } .likely { color: var(--likely); }
.invented { color: var(--invented); } .lossy { color: var(--lossy); }
del.exact, ins.exact { background: var(--exact-tint); } del.likely, ins.likely { background: var(--likely-tint); }
del.invented, ins.invented { background: var(--invented-tint); } del.lossy, ins.lossy { background: var(--lossy-tint); }
i { color: var(--faint); font-style: normal; outline: 1px dotted; outline-offset: -1px; }
ul { margin: 0; padding: .15rem .75rem .45rem calc(var(--digits, 2ch) + 1.5rem); list-style: none;
  font: .8125rem/1.5 system-ui, sans-serif; background: color-mix(in srgb, var(--line) 22%, transparent); }
li { overflow-wrap: anywhere; }
li del { text-decoration: none; }
li code { font: .8125rem ui-monospace, Menlo, Consolas, monospace; }
.risk { font-weight: 600; margin: 0 .4em; }
.refused-here { color: var(--lossy); font-weight: 700; }
details { border-block: 1px dashed var(--line); }
summary { padding: .15rem .75rem .15rem .6rem; color: var(--faint); cursor: pointer;
  font: .8125rem/1.6 system-ui, sans-serif; }
summary:focus-visible { outline: 2px solid var(--likely); outline-offset: -2px; }
@media (max-width: 40rem) { body { padding: 1rem .5rem 2rem; } .said { font-size: 1.1rem; }
  .text { font-size: .8125rem; } }
</style>
</head>
<body>
<main>
)";
constexpr std::string_view page_tail = "</main>\n</body>\n</html>\n";

/// Bytes of a fold that a page holds, and of a run without a change within a line at each end.
constexpr std::size_t most_folded = 100'000;
constexpr std::size_t most_of_run = 600;

void append_escaped(std::string_view shown, std::string& out) {
    for (const char c : shown) {
        switch (c) {
        case '&': out.append("&amp;"); break;
        case '<': out.append("&lt;"); break;
        case '>': out.append("&gt;"); break;
        case '"': out.append("&quot;"); break;
        case '\'': out.append("&#39;"); break;
        default: out.push_back(c);
        }
    }
}

/// Untrusted text. What stands for something invisible is set apart.
void append_text(std::string_view text, std::string& out) {
    std::string shown;
    for (std::size_t at = 0; at < text.size();) {
        shown.clear();
        const glyph g = show_glyph(text, at, shown);
        const bool tab = text[at] == '\t';
        const bool apart = g.stand_in && !tab;
        if (apart) { out.append("<i>"); }
        append_escaped(tab ? "\t" : std::string_view(shown), out);
        if (apart) { out.append("</i>"); }
        at += g.size;
    }
}

class html_renderer : public excerpt_renderer {
public:
    html_renderer(std::string_view text, std::span<const change> changes, bool all, buffered_output& out)
        : text_(text), changes_(changes), all_(all), out_(out) {}

    void line(const excerpt_line& line) override {
        std::string& out = out_.text;
        open_row(line.number, !line.marks.empty());
        std::size_t at = line.begin;
        for (const mark& m : line.marks) {
            if (m.begin > at) { write_run(at, m.begin); }
            write_mark(line, m);
            at = std::max(at, m.end);
        }
        if (at < line.end) { write_run(at, line.end); }
        out.append("</span></div>\n");
        write_notes(line);
        out_.relieve();
    }

    void folded(const fold& lines) override {
        std::string& out = out_.text;
        out.append("<details><summary>")
            .append(grouped(lines.lines))
            .append(lines.lines == 1 ? " line" : " lines");
        out.append(lines.dropped ? ", dropped" : " without a change").append("</summary>\n");
        const std::string_view rest = text_.substr(lines.begin, lines.end - lines.begin);
        if (all_ || rest.size() <= most_folded) {
            write_lines(lines.begin, rest.size(), lines.first, lines.dropped);
        } else {
            const std::size_t head = whole_lines(rest, most_folded);
            write_lines(lines.begin, head, lines.first, lines.dropped);
            out.append("<p class=\"more\">").append(grouped(rest.size() - head));
            out.append(" more bytes; <code>--all</code> shows all</p>\n");
        }
        out.append("</details>\n");
    }

private:
    void open_row(std::size_t number, bool changed) {
        out_.text.append(changed ? "<div class=\"row changed\"><b>" : "<div class=\"row\"><b>");
        out_.text.append(std::to_string(number)).append("</b><span>");
    }

    /// The bytes of the whole lines within the first `most`, or `most` of a line that is longer.
    static std::size_t whole_lines(std::string_view text, std::size_t most) {
        const std::size_t last = text.rfind('\n', most);
        return last == std::string_view::npos ? most : last + 1;
    }

    void write_lines(std::size_t at, std::size_t size, std::size_t number, bool dropped) {
        std::string_view text = text_.substr(at, size);
        while (!text.empty()) {
            const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
            open_row(number++, false);
            if (dropped) { out_.text.append("<del class=\"exact\">"); }
            write_run(at, at + end);
            out_.text.append(dropped ? "</del></span></div>\n" : "</span></div>\n");
            text.remove_prefix(end);
            const std::size_t line_end = text.starts_with("\r\n") ? 2 : text.empty() ? 0 : 1;
            text.remove_prefix(line_end);
            at += end + line_end;
            out_.relieve();
        }
    }

    /// Bytes of one line, the middle of a long run left out.
    void write_run(std::size_t begin, std::size_t end) {
        if (all_ || end - begin <= 3 * most_of_run) {
            return append_text(text_.substr(begin, end - begin), out_.text);
        }
        const std::size_t head = character_before(text_, begin + most_of_run);
        const std::size_t tail = character_before(text_, end - most_of_run);
        append_text(text_.substr(begin, head - begin), out_.text);
        out_.text.append("<i>… ").append(grouped(tail - head)).append(" bytes …</i>");
        append_text(text_.substr(tail, end - tail), out_.text);
    }

    [[nodiscard]] risk risk_of(const mark& m) const {
        risk most = risk::exact;
        for (const change& c : changes_.subspan(m.first, m.last - m.first)) {
            most = std::max(most, info(c.rule).risk);
        }
        return most;
    }

    void write_mark(const excerpt_line& line, const mark& m) {
        std::string& out = out_.text;
        if (changes_[m.first].refusal) {
            out.append("<span class=\"refused-here\">▸</span>");
            return;
        }
        const std::string_view risk = name(risk_of(m));
        // A line end shows only where it is all that goes.
        const bool line_end_shows = m.end > line.end && !line.dropped && m.begin >= line.end;
        const std::size_t end = line_end_shows ? line.end + 1 : std::min(m.end, line.end);
        if (m.begin < end) {
            out.append("<del class=\"").append(risk).append("\">");
            write_run(m.begin, end);
            out.append("</del>");
        }
        if (!m.text.empty()) {
            out.append("<ins class=\"").append(risk).append("\">");
            append_text(m.text, out);
            out.append("</ins>");
        }
    }

    void write_notes(const excerpt_line& line) {
        legend told(text_, 30);
        for (const mark& m : line.marks) {
            const std::size_t last = m.last - (m.goes_on ? 1 : 0);
            for (std::size_t i = m.first; i < last; ++i) { told.add(changes_[i]); }
        }
        if (told.entries().empty()) { return; }
        out_.text.append("<ul>\n");
        for (const legend_entry& entry : told.entries()) {
            write_note(entry);
            out_.relieve();
        }
        out_.text.append("</ul>\n");
    }

    void write_note(const legend_entry& entry) {
        std::string& out = out_.text;
        const change& c = *entry.what;
        if (c.refusal) {
            out.append("<li><span class=\"refused-here\">▸ refused here:</span> ");
            append_text(c.text, out);
            out.append("</li>\n");
            return;
        }
        const rule_info& row = info(c.rule);
        out.append("<li>").append(entry.before.text.empty() ? "+ " : entry.after.text.empty() ? "− " : "");
        write_side("del", entry.before, row);
        if (!entry.before.text.empty() && !entry.after.text.empty()) { out.append(" → "); }
        write_side("ins", entry.after, row);
        out.append("<span class=\"risk ").append(name(row.risk)).append("\">").append(name(row.risk));
        out.append("</span><code>").append(row.id).append("</code>");
        if (entry.count > 1) { out.append(" ×").append(grouped(entry.count)); }
        const auto number = static_cast<std::size_t>(c.rule);
        if (!told_.test(number)) {
            out.append(" – ");
            append_escaped(row.meaning, out);
        }
        told_.set(number);
        out.append("</li>\n");
    }

    void write_side(std::string_view tag, const snippet& side, const rule_info& row) {
        if (side.text.empty()) { return; }
        std::string& out = out_.text;
        out.append("<code><").append(tag).append(" class=\"").append(name(row.risk)).append("\">");
        append_escaped(side.text, out);
        out.append("</").append(tag).append("></code>");
    }

    std::string_view text_;
    std::span<const change> changes_;
    bool all_;
    buffered_output& out_;
    std::bitset<256> told_; ///< rules whose meaning has been told
};

} // namespace

void begin_html(buffered_output& out) { out.text.append(page_head); }
void end_html(buffered_output& out) { out.text.append(page_tail); }

void explain_html(const explained& what, std::size_t most_changes, buffered_output& out) {
    const healing& h = what.result;
    const overview seen = look_over(what.text, h);
    const std::string_view look = h.ok() ? name(h.risk) : "refused";
    out.text.append("<section>\n<h1>");
    append_text(what.name, out.text);
    out.text.append("</h1>\n<p class=\"said ").append(look).append("\">");
    append_escaped(summary_of(what.text, h, seen, what.ceiling), out.text);
    out.text.append("</p>\n");
    if (!what.reason.empty()) {
        out.text.append("<p class=\"reason\">");
        append_escaped(what.reason, out.text);
        out.text.append("</p>\n");
    }
    const std::vector<change> changes = changes_to_show(h, most_changes);
    const bool all = changes.size() >= seen.changes;
    const std::size_t lines = locate(what.text, what.text.size()).line;
    out.text.append("<div class=\"text\" style=\"--digits: ")
        .append(std::to_string(std::to_string(lines).size()));
    out.text.append("ch\">\n");
    html_renderer renderer(what.text, changes, all && most_changes > default_changes, out);
    render_excerpts(what.text, changes, all, renderer);
    out.text.append("</div>\n");
    if (!all) {
        out.text.append("<p class=\"more\">");
        out.text.append(more_changes(what.text, h, changes.size(), seen));
        out.text.append("; <code>--all</code> shows all.</p>\n");
    }
    out.text.append("</section>\n");
}

} // namespace jsonheal::cli
