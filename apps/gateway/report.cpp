#include "report.hpp"

#include "cli/json_writer.hpp"

#include <algorithm>

namespace jsonheal::gateway {

namespace {

using cli::json_writer;

constexpr std::size_t most_text = 64 << 10;

/// A text, or its beginning where it is long; cut between characters.
std::string_view shortened(std::string_view text) {
    if (text.size() <= most_text) { return text; }
    std::size_t end = most_text;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) { --end; }
    return text.substr(0, end);
}

void write_edits(const healed_part& part, std::string& out) {
    json_writer list(out, '[');
    for (const edit& e : part.edits) {
        json_writer object(list.element(), '{');
        object.number("begin", std::uint64_t{e.begin}).number("end", std::uint64_t{e.end});
        object.text("text", e.text()).text("rule", info(e.rule).id).text("risk", name(e.risk()));
    }
}

void write_changes(const healed_part& part, std::string& out) {
    json_writer list(out, '[');
    for (const change& c : part.changes) {
        json_writer object(list.element(), '{');
        object.text("pointer", c.pointer).text("before", c.before).text("after", c.after);
        object.text("rule", info(c.rule).id).text("risk", name(c.risk));
    }
}

void write_violations(const healed_part& part, std::string& out) {
    json_writer list(out, '[');
    for (const schema::violation& v : part.violations) {
        json_writer object(list.element(), '{');
        object.text("pointer", v.instance).text("keyword", v.keyword).text("message", v.message);
    }
}

void write_part(const healed_part& part, std::string& out) {
    json_writer object(out, '{');
    object.text("what", part.what).number("choice", std::uint64_t{part.choice});
    object.number("attempt", std::uint64_t{part.attempt});
    object.text("before", shortened(part.before)).text("after", shortened(part.after));
    if (part.before.size() > most_text || part.after.size() > most_text) {
        object.member("shortened") += "true";
    }
    object.text("verdict", name(part.verdict));
    if (part.cut != cut_place::none) { object.text("cut", name(part.cut)); }
    object.text("risk", name(part.risk)).member("fits").append(part.fits ? "true" : "false");
    write_edits(part, object.member("edits"));
    write_changes(part, object.member("changes"));
    write_violations(part, object.member("violations"));
    if (!part.note.empty()) { object.text("note", part.note); }
}

/// Whether a part of an earlier attempt gave way to a later one.
bool is_last(const healing_report& report, const healed_part& part) {
    return std::none_of(report.parts.begin(), report.parts.end(), [&](const healed_part& other) {
        return other.choice == part.choice && other.attempt > part.attempt;
    });
}

} // namespace

verdict healing_report::verdict() const noexcept {
    jsonheal::verdict worst = jsonheal::verdict::intact;
    for (const healed_part& p : parts) {
        if (is_last(*this, p)) { worst = std::max(worst, p.verdict); }
    }
    return worst;
}

risk healing_report::risk() const noexcept {
    jsonheal::risk worst = jsonheal::risk::exact;
    for (const healed_part& p : parts) {
        if (is_last(*this, p)) { worst = std::max(worst, p.risk); }
    }
    return worst;
}

std::string_view healing_report::outcome() const noexcept {
    if (failed) { return "failed"; }
    if (parts.empty()) { return "passed"; }
    const bool again =
        std::any_of(parts.begin(), parts.end(), [](const healed_part& p) { return p.attempt > 1; });
    if (again) { return "reasked"; }
    const bool changed = std::any_of(parts.begin(), parts.end(), [](const healed_part& p) {
        return p.verdict != jsonheal::verdict::intact || !p.changes.empty();
    });
    return changed ? "healed" : "intact";
}

std::string healing_report::json() const {
    std::string out;
    {
        json_writer object(out, '{');
        object.text("id", request_id).text("model", model).text("upstream", upstream);
        object.text("outcome", outcome()).number("attempts", std::uint64_t{attempts});
        object.text("verdict", name(verdict())).text("risk", name(risk()));
        json_writer list(object.member("parts"), '[');
        for (const healed_part& p : parts) { write_part(p, list.element()); }
    }
    return out;
}

} // namespace jsonheal::gateway
