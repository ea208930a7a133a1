/// @file align.cpp
/// jsonheal align FILE... --schema S

#include "command_line.hpp"
#include "console.hpp"
#include "documents.hpp"
#include "engine_options.hpp"
#include "glyphs.hpp"
#include "json_writer.hpp"
#include "schema_options.hpp"
#include "schema_report.hpp"
#include "subcommand.hpp"

#include <jsonheal/align.hpp>

namespace jsonheal::cli {

namespace {

struct align_command {
    std::vector<std::string> files;
    std::string schema;
    schema_options schema_words;
    align_options options;
    bool explain = false;
    bool report = false;
};

void write_changes(const std::vector<jsonheal::change>& changes, std::string& out) {
    json_writer list(out, '[');
    for (const jsonheal::change& c : changes) {
        json_writer entry(list.element(), '{');
        entry.text("pointer", c.pointer).text("before", c.before).text("after", c.after);
        entry.text("rule", info(c.rule).id)
            .text("risk", name(c.risk))
            .number("begin", c.begin)
            .number("end", c.end);
    }
}

void write_choices(const std::vector<union_choice>& choices, std::string& out) {
    json_writer list(out, '[');
    for (const union_choice& c : choices) {
        json_writer entry(list.element(), '{');
        entry.text("pointer", c.pointer).text("taken", c.taken).number("cost", c.cost);
        entry.text("runner_up", c.runner_up).number("runner_up_cost", c.runner_up_cost);
    }
}

void report_as_json(const std::string& file, const alignment& a, std::string& out) {
    {
        json_writer object(out, '{');
        object.text("file", file).member("fits").append(a.fits ? "true" : "false");
        object.text("risk", name(a.risk)).number("cost", a.cost);
        write_changes(a.changes, object.member("changes"));
        write_choices(a.choices, object.member("choices"));
        if (a.offender) {
            json_writer entry(object.member("offender"), '{');
            entry.text("pointer", a.offender->pointer).text("rule", info(a.offender->rule).id);
            entry.text("risk", name(a.offender->risk));
        }
        if (!a.fits) {
            schema::validation v;
            v.violations = a.violations;
            write_violations(v, object.member("violations"));
        }
        object.json("value", a.json);
    }
    out.push_back('\n');
}

/// `n.json:1:7: string_to_number (exact): /n: "12" → 12`
std::string line_of(const std::string& file, std::string_view text, const jsonheal::change& c) {
    constexpr std::size_t most = 40;
    const text_position place = locate(text, c.begin);
    const auto shown = [](const std::string& json) {
        return json.empty() ? "nothing" : show_snippet(json, most).text;
    };
    std::string line = file;
    line.append(":")
        .append(std::to_string(place.line))
        .append(":")
        .append(std::to_string(place.column))
        .append(": ");
    line.append(info(c.rule).id).append(" (").append(name(c.risk)).append("): ");
    line.append(c.pointer.empty() ? "the value" : show_snippet(c.pointer, 2 * most).text).append(": ");
    return line.append(shown(c.before)).append(" \u2192 ").append(shown(c.after));
}

/// What did not fit, or what was changed if that was asked for.
void explain(const align_command& c, const input_file& in, const alignment& a, std::string& out) {
    if (c.explain) {
        for (const jsonheal::change& one : a.changes) {
            out.append(line_of(in.name, in.text, one)).append("\n");
        }
        for (const union_choice& one : a.choices) {
            out.append(in.name).append(": ").append(one.pointer.empty() ? "the value" : one.pointer);
            out.append(": took the branch ")
                .append(one.taken)
                .append(", cost ")
                .append(std::to_string(one.cost));
            out.append("; next ").append(one.runner_up).append(", cost ");
            out.append(std::to_string(one.runner_up_cost)).append("\n");
        }
    }
    if (a.fits) { return; }
    schema::validation v;
    v.violations = a.violations;
    explain_violations(in.name, a.json, v, out);
    if (a.offender) {
        out.append(in.name).append(": it would fit with ").append(info(a.offender->rule).id).append(" at ");
        out.append(a.offender->pointer.empty() ? "the root" : a.offender->pointer).append(", of risk ");
        out.append(name(a.offender->risk)).append("; see --max-risk\n");
    }
}

exit_code align_file(const align_command& c, const schema::program& program, const std::string& path) {
    input_file in;
    const std::optional<document> value = read_document(path, in);
    if (!value) {
        complain("align reads strict JSON; `jsonheal` heals a text that is not");
        return exit_code::failed;
    }
    const alignment a = align(*value, program, c.options);
    std::string out;
    if (c.report) {
        report_as_json(in.name, a, out);
    } else {
        std::string notes;
        explain(c, in, a, notes);
        buffered_output error{2, notes};
        error.flush();
        if (a.fits) { out = a.json + (a.json.ends_with('\n') ? "" : "\n"); }
    }
    if (!print(out)) { return exit_code::failed; }
    return a.fits ? exit_code::whole : exit_code::misfit;
}

void add_options(command_line& line, align_command& c) {
    line.texts("FILE", c.files, "JSON files to align; - is standard input");
    line.text("--schema", c.schema, "the schema, a JSON file").required().shows("FILE");
    add_schema_options(line, c.schema_words);
    add_choice<risk>(line, "--max-risk", c.options.max_risk,
                     {{"exact", risk::exact},
                      {"likely", risk::likely},
                      {"invented", risk::invented},
                      {"lossy", risk::lossy}},
                     "make no change of higher risk than this; likely if left out");
    line.flag("--defaults", c.options.defaults, "put in the schema's defaults; needs --max-risk invented");
    add_choice<number_locale>(line, "--locale", c.options.locale,
                              {{"point", number_locale::point}, {"comma", number_locale::comma}},
                              "what stands before decimals where a number in a string has two readings");
    line.flag("--fractions", c.options.fractions, "read 1/5 in a string as 0.2");
    line.flag("--explain", c.explain, "list the changes on standard error");
    add_report(line, c.report, "print one JSON object a file in place of the value");
}

} // namespace

exit_code run_align(words arguments) {
    align_command c;
    command_line line("Makes JSON that nearly fits a schema fit it. Exit code 0: it fits; 4: it does not.",
                      "jsonheal align");
    add_options(line, c);
    if (const auto said = parse_words(line, arguments)) { return *said; }
    const std::optional<schema::program> program = read_schema(c.schema, c.schema_words);
    if (!program) { return exit_code::failed; }
    if (c.files.empty()) { c.files.emplace_back("-"); }
    exit_code code = exit_code::whole;
    for (const std::string& path : c.files) { code = worse(code, align_file(c, *program, path)); }
    return code;
}

} // namespace jsonheal::cli
