#include "show.hpp"

#include <cstdio>

namespace jsonheal_test {
namespace {

std::string escaped(std::string_view text) {
    std::string out;
    bool after_hex = false;
    for (char c : text) {
        auto byte = static_cast<unsigned char>(c);
        // A hexadecimal escape would take in a digit that follows it.
        bool split =
            after_hex && ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
        if (split) { out += "\"\""; }
        after_hex = false;
        switch (c) {
        case '\n': out += "\\n"; break;
        case '\r': out += "\\r"; break;
        case '\t': out += "\\t"; break;
        case '"': out += "\\\""; break;
        case '\\': out += "\\\\"; break;
        default:
            if (byte >= 0x20 && byte < 0x7F) {
                out.push_back(c);
            } else {
                char hex[8];
                std::snprintf(hex, sizeof hex, "\\x%02X", static_cast<unsigned>(byte));
                out += hex;
                after_hex = true;
            }
        }
    }
    return out;
}

} // namespace

std::string show(std::string_view text) {
    constexpr std::size_t most = 400;
    if (text.size() <= most) { return '"' + escaped(text) + '"'; }
    return '"' + escaped(text.substr(0, most / 2)) + "\" ... (" + std::to_string(text.size()) +
           " bytes) ... \"" + escaped(text.substr(text.size() - most / 2)) + '"';
}

std::string show(const jsonheal::heal_options& o) {
    using namespace jsonheal;
    const heal_options d;
    std::string out = o.preset == preset::live ? "live" : "whole";
    auto add = [&](std::string_view key, auto value) {
        out += " " + std::string(key) + "=" + std::to_string(value);
    };
    auto differing = [&](std::string_view key, auto value, auto standard) {
        if (value != standard) { add(key, static_cast<unsigned long long>(value)); }
    };
    differing("several", o.several, d.several);
    differing("missing", o.missing, d.missing);
    differing("nonfinite", o.nonfinite, d.nonfinite);
    differing("undefined", o.undefined, d.undefined);
    differing("cut_number", o.cut_number, d.cut_number);
    if (o.max_risk != d.max_risk) { out += " max_risk=" + std::string(name(o.max_risk)); }
    differing("log", o.log, d.log);
    differing("fast_path", o.fast_path, d.fast_path);
    differing("plain_path", o.plain_path, d.plain_path);
    differing("limits.bytes", o.limits.bytes, d.limits.bytes);
    differing("limits.depth", o.limits.depth, d.limits.depth);
    differing("limits.edits", o.limits.edits, d.limits.edits);
    differing("limits.look_ahead", o.limits.look_ahead, d.limits.look_ahead);
    differing("limits.look_back", o.limits.look_back, d.limits.look_back);
    differing("limits.hold_back", o.limits.hold_back, d.limits.hold_back);
    std::string forbidden;
    std::size_t count = 0;
    for (std::size_t i = 0; i < rules().size(); ++i) {
        if (!o.forbidden.has(static_cast<rule>(i))) { continue; }
        ++count;
        forbidden += " forbid=" + std::string(rules()[i].id);
    }
    out += count > 5 ? " forbid=" + std::to_string(count) + " rules" : forbidden;
    return out;
}

std::string show(const jsonheal::edit& e) {
    return "[" + std::to_string(e.begin) + "," + std::to_string(e.end) + ")->" + show(e.text()) + " " +
           std::string(jsonheal::info(e.rule).id);
}

std::string show(const jsonheal::healing& h) {
    std::string out(name(h.verdict));
    if (h.cut != jsonheal::cut_place::none) { out += " cut=" + std::string(name(h.cut)); }
    out += " risk=" + std::string(name(h.risk)) + " json=" + show(h.json());
    out += " edits=" + std::to_string(h.edit_count) + "{";
    std::size_t shown = 0;
    for (const auto& e : h.edits) {
        if (++shown > 12) {
            out += " ...";
            break;
        }
        out += " " + show(e);
    }
    out += " }";
    if (!h.ok()) {
        out += " why=" + show(h.why.message) + " at " + std::to_string(h.why.offset);
        if (h.why.by_rule) { out += " by " + std::string(jsonheal::info(h.why.rule).id); }
    }
    return out;
}

} // namespace jsonheal_test
