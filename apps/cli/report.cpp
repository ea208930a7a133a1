#include "report.hpp"

#include "json_writer.hpp"
#include "schema_report.hpp"

#include <algorithm>

namespace jsonheal::cli {

text_position place_finder::at(std::size_t offset) noexcept {
    offset = std::min(offset, text_.size());
    for (; seen_ < offset; ++seen_) {
        const char c = text_[seen_];
        // The CR of a CR LF does not end the line: the LF does.
        const bool ends_line =
            c == '\n' || (c == '\r' && (seen_ + 1 == text_.size() || text_[seen_ + 1] != '\n'));
        if (ends_line) {
            ++line_;
            line_start_ = seen_ + 1;
        }
    }
    return {line_, offset - line_start_ + 1};
}

bool change_reader::next(change& into) {
    if (log_.empty()) { return false; }
    const edit& first = log_.front();
    into = {first.begin, first.end, std::string(first.text()), first.rule, false};
    std::size_t size = first.size;
    std::size_t used = 1;
    // A long replacement is a full entry and insertions behind it; an entry may stop short of its size so as
    // not to split a character.
    for (; used < log_.size() && size > edit::max_text - 4; ++used) {
        const edit& e = log_[used];
        if (e.rule != into.rule || e.begin != into.end || e.end != e.begin) { break; }
        into.text += e.text();
        size = e.size;
    }
    log_ = log_.subspan(used);
    return true;
}

std::string describe(const refusal& why) {
    std::string text(why.message);
    if (why.by_rule) {
        const rule_info& row = info(why.rule);
        text.append(" (")
            .append(row.id)
            .append(", ")
            .append(name(row.risk))
            .append(": ")
            .append(row.meaning)
            .append(")");
    }
    return text;
}

namespace {

void write_place(json_writer& object, text_position place) {
    object.number("line", place.line).number("column", place.column);
}

/// The members that say what became of a text.
void write_outcome(json_writer& report, verdict v, cut_place cut, risk r) {
    report.text("verdict", name(v));
    if (cut == cut_place::none) {
        report.member("cut").append("null");
    } else {
        report.text("cut", name(cut));
    }
    report.text("risk", name(r));
}

void write_edits(json_writer& report, std::string_view input, const std::vector<edit>& edits,
                 std::string& out) {
    report.member("edits");
    json_writer list(out, '[');
    place_finder places(input);
    for (const edit& e : edits) {
        json_writer entry(list.element(), '{');
        entry.number("begin", e.begin).number("end", e.end);
        write_place(entry, places.at(e.begin));
        entry.text("text", e.text())
            .text("rule", info(e.rule).id)
            .text("risk", name(e.risk()))
            .text("meaning", info(e.rule).meaning);
    }
}

void write_error(json_writer& report, std::string_view input, const refusal& why, std::string& out) {
    report.member("error");
    json_writer error(out, '{');
    error.text("message", describe(why)).number("offset", why.offset);
    write_place(error, locate(input, why.offset));
}

} // namespace

void report_json(std::string_view file, std::string_view input, const reported& r, bool with_json,
                 std::string& out) {
    const healing& h = r.h;
    {
        json_writer report(out, '{');
        report.text("file", file);
        write_outcome(report, h.verdict, h.cut,
                      r.value != nullptr ? std::max(h.risk, r.value->value.risk) : h.risk);
        write_edits(report, input, h.edits, out);
        if (r.value != nullptr && h.ok()) {
            write_alignments(report, {&r.value->value, 1}, out);
            report.text("reason", r.value->reason);
        }
        if (with_json && !r.json.empty()) { report.text("json", r.json); }
        if (!h.ok()) { write_error(report, input, h.why, out); }
    }
    out.push_back('\n');
}

void report_arguments(std::string_view file, std::string_view input, const arguments& a,
                      std::span<const alignment> values, std::string& out) {
    {
        json_writer report(out, '{');
        report.text("file", file);
        risk highest = a.risk;
        for (const alignment& v : values) { highest = std::max(highest, v.risk); }
        write_outcome(report, a.verdict, a.cut, highest);
        report.member("how");
        {
            json_writer list(out, '[');
            for (const args_step s : a.how.list()) { encode_string(name(s), list.element()); }
        }
        report.member("passthrough").append(a.passthrough ? "true" : "false");
        report.member("several").append(a.several() ? "true" : "false");
        write_edits(report, input, a.edits, out);
        if (!values.empty()) { write_alignments(report, values, out); }
        if (a.ok()) {
            report.text("json", values.empty() ? std::string(a.json()) : value_of(values, a.several()));
        }
        if (a.passthrough) { report.text("text", a.text()); }
        if (!a.ok()) { write_error(report, input, a.why, out); }
    }
    out.push_back('\n');
}

} // namespace jsonheal::cli
