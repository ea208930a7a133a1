#include "golden.hpp"

#include "show.hpp"
#include "strict_json.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace jsonheal_test {
namespace {

using jsonheal::heal_options;
using std::string_view;

constexpr string_view known_misses_file = "known_misses.json";

std::optional<std::string> read_file(const std::string& name) {
    std::ifstream in(std::filesystem::path(golden_folder) / name, std::ios::binary);
    if (!in) { return std::nullopt; }
    return std::string(std::istreambuf_iterator<char>(in), {});
}

std::optional<std::string> decode_base64(string_view text) {
    constexpr string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    unsigned bits = 0;
    unsigned count = 0;
    for (char c : text) {
        if (c == '=') { break; }
        std::size_t digit = alphabet.find(c);
        if (digit == string_view::npos) { return std::nullopt; }
        bits = (bits << 6 | static_cast<unsigned>(digit)) & 0xFFFF;
        count += 6;
        if (count >= 8) {
            count -= 8;
            out.push_back(static_cast<char>((bits >> count) & 0xFF));
        }
    }
    return out;
}

/// Sets `option` to the one of the names that stands at its place in `names`.
template <class Option, std::size_t N>
bool choose(Option& option, const std::string& text, const std::array<string_view, N>& names) {
    auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end()) { return false; }
    option = static_cast<Option>(found - names.begin());
    return true;
}

template <class Number>
bool read_number(Number& option, const json_view& value) {
    string_view text = value.source();
    if (text.empty() || text.find_first_not_of("0123456789") != string_view::npos) { return false; }
    option = static_cast<Number>(std::stoull(std::string(text)));
    return true;
}

bool read_limit(jsonheal::heal_limits& limits, const std::string& name, const json_view& value) {
    if (name == "bytes") { return read_number(limits.bytes, value); }
    if (name == "depth") { return read_number(limits.depth, value); }
    if (name == "edits") { return read_number(limits.edits, value); }
    if (name == "look_ahead") { return read_number(limits.look_ahead, value); }
    if (name == "look_back") { return read_number(limits.look_back, value); }
    if (name == "hold_back") { return read_number(limits.hold_back, value); }
    return false;
}

bool read_option(heal_options& o, const std::string& name, const json_view& value) {
    using names2 = std::array<string_view, 2>;
    const std::string& text = value.text();
    if (name == "preset") { return choose(o.preset, text, names2{"whole", "live"}); }
    if (name == "several") {
        return choose(o.several, text, std::array<string_view, 4>{"automatic", "first", "last", "all"});
    }
    if (name == "missing") { return choose(o.missing, text, names2{"null", "drop"}); }
    if (name == "nonfinite") { return choose(o.nonfinite, text, names2{"string", "null"}); }
    if (name == "undefined") { return choose(o.undefined, text, names2{"null", "string"}); }
    if (name == "cut_number") { return choose(o.cut_number, text, names2{"keep", "withhold"}); }
    if (name == "max_risk") {
        auto ceiling = jsonheal::risk_by_name(text);
        o.max_risk = ceiling.value_or(o.max_risk);
        return ceiling.has_value();
    }
    if (name == "forbidden") {
        for (auto& [key, item] : value.members()) {
            auto r = jsonheal::rule_by_name(item.text());
            if (!r) { return false; }
            o.forbidden.add(*r);
        }
        return true;
    }
    if (name == "limits") {
        for (auto& [key, limit] : value.members()) {
            if (!read_limit(o.limits, key, limit)) { return false; }
        }
        return true;
    }
    return read_limit(o.limits, name, value);
}

json_tape tape_of(const json_view& value) { return *read_json(value.source()); }

/// Reads one member of a case; false if it is unknown or has a wrong value.
bool read_member(golden_case& c, const std::string& name, const json_view& value) {
    if (name == "id") {
        c.id = value.text();
    } else if (name == "input") {
        c.input = value.text();
    } else if (name == "input_base64") {
        auto bytes = decode_base64(value.text());
        c.input = bytes.value_or("");
        return bytes.has_value();
    } else if (name == "options") {
        for (auto& [option, setting] : value.members()) {
            if (!read_option(c.options, option, setting)) { return false; }
        }
    } else if (name == "verdict" && value.text() == "refused") {
        c.refused = true;
    } else if (name == "verdict") {
        c.verdict = value.text();
    } else if (name == "cut") {
        c.cut = value.text();
    } else if (name == "risk") {
        c.risk = value.text();
        return jsonheal::risk_by_name(value.text()).has_value();
    } else if (name == "rules") {
        for (auto& [key, item] : value.members()) {
            if (!jsonheal::rule_by_name(item.text())) { return false; }
            c.rules.push_back(item.text());
        }
    } else if (name == "value") {
        c.values.insert(c.values.begin(), tape_of(value));
        c.value_text = value.source();
    } else if (name == "also_ok") {
        for (auto& [key, item] : value.members()) { c.values.push_back(tape_of(item)); }
    } else if (name == "json") {
        c.json = value.text();
    } else if (name == "refused") {
        c.refused = value.text() != "false";
    } else if (name == "needs_truncated") {
        c.must_be_truncated = value.text() == "true";
    } else {
        // Remarks for the reader, and cases kept for other modules.
        return name == "why" || name == "source" || name == "note" || name == "comment";
    }
    return true;
}

golden_case read_case(const std::string& file, const json_view& from) {
    golden_case c;
    c.file = file;
    for (auto& [name, value] : from.members()) {
        if (!read_member(c, name, value)) {
            c.fault = "cannot read the member " + show(name) + " " + show(value.source());
        }
    }
    if (c.id.empty()) { c.fault = "a case without an id"; }
    bool judged = c.refused || c.json || !c.values.empty() || c.verdict;
    if (!judged) { c.fault = "a case that asks for nothing"; }
    return c;
}

} // namespace

std::vector<std::string> golden_files() {
    std::vector<std::string> out;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(golden_folder, ignored)) {
        std::string name = entry.path().filename().string();
        if (entry.path().extension() == ".json" && name != known_misses_file) { out.push_back(name); }
    }
    std::sort(out.begin(), out.end());
    return out;
}

std::vector<golden_case> golden_cases(const std::string& file) {
    auto broken = [&](std::string why) {
        golden_case c;
        c.file = file;
        c.id = file;
        c.fault = std::move(why);
        return std::vector<golden_case>{c};
    };
    auto text = read_file(file);
    if (!text) { return broken("cannot be opened"); }
    auto tape = read_json(*text);
    if (!tape) {
        strict_result r = check_strict_json(*text);
        return broken(std::string(r.reason) + " at byte " + std::to_string(r.offset));
    }
    auto list = json_view(*text, *tape, 0).get("cases");
    if (!list) { return broken("has no cases"); }
    std::vector<golden_case> out;
    for (auto& [key, item] : list->members()) { out.push_back(read_case(file, item)); }
    return out;
}

std::vector<std::string> golden_inputs() {
    std::vector<std::string> out;
    for (const std::string& file : golden_files()) {
        for (golden_case& c : golden_cases(file)) { out.push_back(std::move(c.input)); }
    }
    return out;
}

std::vector<std::pair<std::string, std::string>> known_misses() {
    std::vector<std::pair<std::string, std::string>> out;
    auto text = read_file(std::string(known_misses_file));
    if (!text) { return out; }
    auto tape = read_json(*text);
    if (!tape) { return {{std::string(known_misses_file), "is not JSON"}}; }
    for (auto& [id, reason] : json_view(*text, *tape, 0).members()) { out.emplace_back(id, reason.text()); }
    return out;
}

failure judge(const golden_case& c, const jsonheal::healing& h) {
    auto bad = [&](std::string what) { return std::move(what) + "\n    got  " + show(h); };
    if (c.refused && (!h.ok() || c.values.empty())) {
        if (h.ok()) { return bad("want a refusal"); }
        return std::nullopt;
    }
    if (!h.ok()) { return bad("want " + (c.json ? show(*c.json) : c.value_text) + ", not a refusal"); }
    if (c.json && h.json() != *c.json) { return bad("want json " + show(*c.json)); }
    if (!c.values.empty()) {
        auto got = read_json(h.json());
        if (!got) { return bad("not strict JSON"); }
        bool right = std::any_of(c.values.begin(), c.values.end(),
                                 [&](const json_tape& v) { return same_value(v, *got); });
        if (!right) { return bad("want value " + c.value_text); }
    }
    if (c.verdict && *c.verdict != name(h.verdict)) { return bad("want verdict " + *c.verdict); }
    if (c.must_be_truncated && h.verdict != jsonheal::verdict::truncated) {
        return bad("want verdict truncated");
    }
    if (c.cut && *c.cut != name(h.cut)) { return bad("want cut " + *c.cut); }
    if (c.risk && *c.risk != name(h.risk)) { return bad("want risk " + *c.risk); }
    for (const std::string& wanted : c.rules) {
        bool found = std::any_of(h.edits.begin(), h.edits.end(),
                                 [&](const auto& e) { return info(e.rule).id == wanted; });
        if (!found) { return bad("want an edit under " + wanted); }
    }
    return std::nullopt;
}

} // namespace jsonheal_test
