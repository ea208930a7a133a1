#include "explain_summary.hpp"

#include <algorithm>

namespace jsonheal::cli {

namespace {

/// Under these rules the end of a cut text is mended.
bool mends_the_end(rule r) {
    return r == rule::cut_member || r == rule::cut_escape || r == rule::cut_literal ||
           r == rule::cut_string || r == rule::closer_missing_end;
}

std::string edits(std::size_t n) { return grouped(n) + (n == 1 ? " edit" : " edits"); }

/// "with 3 edits, the riskiest likely: a lost colon is put in (line 3)"
std::string work_of(const overview& seen) {
    const rule_info& worst = info(seen.riskiest.rule);
    std::string text = "with " + edits(seen.changes);
    if (seen.changes > 1 && seen.all_exact) { return text + ", all exact"; }
    text.append(seen.changes == 1 ? ", " : ", the riskiest ").append(name(worst.risk)).append(": ");
    return text.append(worst.meaning)
        .append(" (line ")
        .append(std::to_string(seen.riskiest_at.line))
        .append(")");
}

std::string refusal_of(std::string_view text, const refusal& why, risk ceiling) {
    if (!why.by_rule && why.offset == 0) { return "Refused: " + std::string(why.message) + "."; }
    const text_position place = locate(text, why.offset);
    std::string said =
        "Refused at line " + std::to_string(place.line) + ", column " + std::to_string(place.column);
    if (!why.by_rule) { return said + ": " + std::string(why.message) + "."; }
    const rule_info& row = info(why.rule);
    said.append(": ")
        .append(row.meaning)
        .append(" (")
        .append(row.id)
        .append(", ")
        .append(name(row.risk))
        .append("), ");
    if (row.risk > ceiling) {
        return said.append("which is above --max-risk ").append(name(ceiling)).append(".");
    }
    return said + "which --forbid rules out.";
}

} // namespace

std::string_view cut_phrase(cut_place cut) {
    switch (cut) {
    case cut_place::none: break;
    case cut_place::closers: return "before its closing brackets";
    case cut_place::between: return "between two values";
    case cut_place::after_colon: return "after a colon";
    case cut_place::in_key: return "inside a key";
    case cut_place::in_string: return "inside a string";
    case cut_place::in_number: return "at a number";
    case cut_place::in_literal: return "inside a literal";
    }
    return "";
}

std::string grouped(std::size_t n) {
    std::string digits = std::to_string(n);
    for (std::size_t at = digits.size(); at > 3;) { digits.insert(at -= 3, " "); }
    return digits;
}

std::vector<change> changes_to_show(const healing& h, std::size_t most) {
    std::vector<change> changes;
    if (h.ok() || !h.json().empty()) {
        change_reader log(h.edits);
        change c;
        while (changes.size() < most && log.next(c)) { changes.push_back(c); }
    }
    if (!h.ok() && (h.why.by_rule || h.why.offset != 0)) {
        const std::size_t at = std::max(h.why.offset, changes.empty() ? 0 : changes.back().end);
        changes.push_back({at, at, describe(h.why), h.why.rule, true});
    }
    return changes;
}

std::string more_changes(std::string_view text, const healing& h, std::size_t shown, const overview& seen) {
    change_reader log(h.edits);
    change next;
    for (std::size_t i = 0; i <= shown && log.next(next); ++i) {}
    const std::size_t n = seen.changes - shown;
    return grouped(n) + (n == 1 ? " more edit" : " more edits") + ", from line " +
           std::to_string(locate(text, next.begin).line) + " on";
}

overview look_over(std::string_view text, const healing& h) {
    overview seen;
    change_reader log(h.edits);
    change c;
    std::size_t cut_offset = text.size();
    bool mending = false;
    while (log.next(c)) {
        const risk r = info(c.rule).risk;
        if (seen.changes == 0 || r > info(seen.riskiest.rule).risk) { seen.riskiest = c; }
        seen.all_exact = seen.all_exact && r == risk::exact;
        // The end is mended last; a value before it may have been closed under the same rule.
        if (const bool mends = mends_the_end(c.rule); mends != mending) {
            mending = mends;
            if (mends) { cut_offset = c.end; }
        }
        ++seen.changes;
    }
    seen.riskiest_at = locate(text, seen.riskiest.begin);
    if (h.verdict == verdict::truncated) { seen.cut_at = locate(text, cut_offset); }
    return seen;
}

std::string summary_of(std::string_view text, const healing& h, const overview& seen, risk ceiling) {
    switch (h.verdict) {
    case verdict::intact: return "Already valid JSON, nothing to change.";
    case verdict::healed: return "Healed " + work_of(seen) + ".";
    case verdict::truncated: {
        std::string said = "The text was cut off " + std::string(cut_phrase(h.cut)) + " at line " +
                           std::to_string(seen.cut_at.line) + ", column " +
                           std::to_string(seen.cut_at.column) + "; what is certain is kept";
        return seen.changes == 0 ? said + "." : said + ", " + work_of(seen) + ".";
    }
    case verdict::refused: break;
    }
    return refusal_of(text, h.why, ceiling);
}

} // namespace jsonheal::cli
