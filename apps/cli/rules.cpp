/// @file rules.cpp
/// jsonheal rules [--json] [RULE...]

#include "command_line.hpp"
#include "console.hpp"
#include "engine_options.hpp"
#include "json_writer.hpp"
#include "subcommand.hpp"

#include <jsonheal/edits.hpp>

#include <algorithm>
#include <vector>

namespace jsonheal::cli {

namespace {

std::string quoted(std::string_view text) {
    std::string out;
    encode_string(text, out, one_line);
    return out;
}

std::string as_table(const std::vector<const rule_info*>& rows, bool examples) {
    std::size_t width = 0;
    for (const rule_info* row : rows) { width = std::max(width, row->id.size()); }
    std::string out;
    for (const rule_info* row : rows) {
        const std::string_view risk = name(row->risk);
        out.append(row->id).append(width + 2 - row->id.size(), ' ');
        out.append(risk).append(10 - risk.size(), ' ').append(row->meaning).append("\n");
        if (examples) {
            out.append("    ")
                .append(quoted(row->before))
                .append(" -> ")
                .append(quoted(row->after))
                .append("\n");
        }
    }
    return out;
}

std::string as_json(const std::vector<const rule_info*>& rows) {
    std::string out;
    {
        json_writer list(out, '[');
        for (const rule_info* row : rows) {
            json_writer entry(list.element(), '{');
            entry.text("id", row->id).text("risk", name(row->risk)).text("meaning", row->meaning);
            entry.text("before", row->before).text("after", row->after);
        }
    }
    return out + "\n";
}

} // namespace

exit_code run_rules(words arguments) {
    command_line line("The repair rules. Every change that healing makes names one of them.",
                      "jsonheal rules");
    bool json = false;
    bool examples = false;
    std::vector<std::string> ids;
    line.flag("--json", json, "one JSON array of {id, risk, meaning, before, after}");
    line.flag("--examples", examples, "also a text that shows the rule, and what it heals to");
    line.texts("RULE", ids, "only these");
    if (const auto said = parse_words(line, arguments)) { return *said; }

    std::vector<const rule_info*> rows;
    for (const std::string& id : ids) {
        const auto found = rule_by_name(id);
        if (!found) { return usage_error(line, no_such_rule(id)); }
        rows.push_back(&info(*found));
    }
    if (ids.empty()) {
        for (const rule_info& row : rules()) { rows.push_back(&row); }
    }
    return print(json ? as_json(rows) : as_table(rows, examples)) ? exit_code::whole : exit_code::failed;
}

} // namespace jsonheal::cli
