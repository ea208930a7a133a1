#include "schema_report.hpp"

#include "console.hpp"

#include <jsonheal/edits.hpp>

namespace jsonheal::cli {

void write_violations(const schema::validation& v, std::string& out) {
    json_writer list(out, '[');
    for (const schema::violation& one : v.violations) {
        json_writer entry(list.element(), '{');
        entry.text("instance", one.instance).number("begin", one.begin).number("end", one.end);
        entry.text("schema", one.schema).text("keyword", one.keyword);
        entry.text("expected", one.expected).text("got", one.got).text("message", one.message);
    }
}

void write_changes(const std::vector<jsonheal::change>& changes, json_writer& list) {
    for (const jsonheal::change& c : changes) {
        json_writer entry(list.element(), '{');
        entry.text("pointer", c.pointer);
        if (!c.before.empty()) { entry.json("before", c.before); }
        if (!c.after.empty()) { entry.json("after", c.after); }
        entry.text("rule", info(c.rule).id).text("risk", name(c.risk));
    }
}

void explain_violations(std::string_view file, std::string_view text, const schema::validation& v,
                        std::string& out) {
    for (const schema::violation& one : v.violations) {
        const text_position place = locate(text, one.begin);
        out.append(file).append(":").append(std::to_string(place.line)).append(":");
        out.append(std::to_string(place.column)).append(": ").append(one.keyword).append(": ");
        out.append(one.message).append("\n");
    }
    if (!v.complete) { out.append(file).append(": there are more violations\n"); }
}

void write_alignments(json_writer& report, std::span<const alignment> values, std::string& out) {
    schema::validation all;
    for (const alignment& a : values) {
        all.valid = all.valid && a.fits;
        all.violations.insert(all.violations.end(), a.violations.begin(), a.violations.end());
    }
    report.member("fits").append(all.valid ? "true" : "false");
    report.member("violations");
    write_violations(all, out);
    report.member("changes");
    json_writer list(out, '[');
    for (const alignment& a : values) { write_changes(a.changes, list); }
}

std::string value_of(std::span<const alignment> values, bool several) {
    if (!several) { return values.front().json; }
    std::string out = "[";
    for (const alignment& a : values) { out.append(out.size() == 1 ? "" : ",").append(a.json); }
    return out.append("]");
}

namespace {

/// A value in a line for people.
std::string shown(std::string_view json) {
    constexpr std::size_t most = 60;
    std::string out(json.substr(0, most));
    if (json.size() > most) {
        while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xC0U) == 0x80U) { out.pop_back(); }
        out += "…";
    }
    return out.empty() ? "nothing" : out;
}

std::string place_of(std::string_view pointer) {
    return pointer.empty() ? "the value" : std::string(pointer);
}

} // namespace

void complain_of_changes(std::string_view file, const alignment& a, risk least) {
    for (const jsonheal::change& c : a.changes) {
        if (c.risk < least) { continue; }
        complain(std::string(file) + ": " + place_of(c.pointer) + ": " + shown(c.before) + " became " +
                 shown(c.after) + " (" + std::string(info(c.rule).id) + ", " + std::string(name(c.risk)) +
                 ")");
    }
}

void complain_of_misfit(std::string_view file, const alignment& a) {
    for (const schema::violation& v : a.violations) {
        complain(std::string(file) + ": " + v.keyword + ": " + v.message);
    }
    if (a.offender) {
        complain(std::string(file) + ": a change that is " + std::string(name(a.offender->risk)) + " (" +
                 std::string(info(a.offender->rule).id) + " at " + place_of(a.offender->pointer) +
                 ") would make it fit; --max-change allows it");
    }
}

} // namespace jsonheal::cli
