/// @file args.cpp
/// jsonheal args --tool NAME [FILE]

#include "command_line.hpp"
#include "console.hpp"
#include "engine_options.hpp"
#include "files.hpp"
#include "report.hpp"
#include "schema_report.hpp"
#include "schema_use.hpp"
#include "subcommand.hpp"

#include <jsonheal/args.hpp>

#include <optional>

namespace jsonheal::cli {

namespace {

struct args_command {
    args_options options;
    std::string tool;
    std::string catalogue;
    schema_use schema;
    std::string file = "-";
    bool report = false;
    bool quiet = false;
};

constexpr const char* summary =
    "Turns the arguments that a model wrote for a tool into one JSON object. Without --tool the text is read "
    "as the "
    "arguments of any tool.\n\n"
    "Several different objects are printed as a list, with a note on standard error. A command line, and a "
    "value of a tool "
    "of which no field is known, pass through: the text is printed unchanged, with a note on standard error "
    "and exit "
    "code 1, so that a positional parser can have it and nobody takes it for JSON.";

void add_args_options(command_line& line, args_command& c) {
    line.text("FILE", c.file, "the text; standard input if left out");
    line.text("--tool", c.tool, "the tool's name").shows("NAME");
    line.text("--catalogue", c.catalogue, "more tools: a JSON file, see docs/args.md").shows("FILE");
    line.flag("--aliases", c.options.aliases, "rename members to what the tool takes, as path to file");
    add_choice<string_quotes>(line, "--quotes", c.options.quotes,
                              {{"all", string_quotes::all},
                               {"code_fields", string_quotes::code_fields},
                               {"off", string_quotes::off}},
                              "the strings in which curly quotes become plain ones");
    add_report(line, c.report, "print one JSON object in place of the arguments");
    add_schema_use(line, c.schema);
    line.flag("-q,--quiet", c.quiet, "no notes on standard error, only errors");
}

/// What is known of tools, by the options. Returns what is wrong with them.
problem read_tools(const args_command& c, tool_catalogue& tools, std::optional<tool_spec>& spec) {
    if (!c.catalogue.empty()) {
        input_file in;
        if (problem p = read_input(c.catalogue, c.options.engine.limits.bytes, in)) { return p; }
        catalogue_reading reading = tool_catalogue::read(in.text);
        if (!reading) {
            return in.name + ":" + std::to_string(reading.error->place.line) + ":" +
                   std::to_string(reading.error->place.column) + ": " + reading.error->message;
        }
        tools = std::move(reading.catalogue);
    }
    if (!c.schema.file.empty()) {
        spec = tool_from_schema(c.tool, c.schema.program.root().source(), tools.find(c.tool));
    }
    return std::nullopt;
}

void note(const args_command& c, const input_file& in, const arguments& a) {
    if (a.verdict == verdict::refused && !a.passthrough) {
        const text_position place = locate(in.text, a.why.offset);
        complain(in.name + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) +
                 ": refused: " + describe(a.why));
    }
    if (c.quiet) { return; }
    if (a.passthrough) { complain(in.name + ": passed through unchanged: " + std::string(a.why.message)); }
    if (a.several()) {
        complain(in.name + ": " + std::to_string(a.objects().size()) +
                 " different objects, printed as a list");
    }
    if (a.verdict == verdict::truncated) {
        complain(in.name + ": the text was cut off (" + std::string(name(a.cut)) + ")");
    }
}

void note_misfit(const args_command& c, const input_file& in, const alignment& v) {
    if (!c.schema.reask) { return complain_of_misfit(in.name, v); }
    fitted f;
    f.text.verdict = verdict::healed;
    f.value = v;
    complain(reask_message(f, {.style = *c.schema.reask}));
}

} // namespace

exit_code run_args(words arguments_given) {
    args_command c;
    command_line line(summary, "jsonheal args");
    add_args_options(line, c);
    add_engine_options(line, c.options.engine);
    if (const auto said = parse_words(line, arguments_given)) { return *said; }
    if (!c.schema.prepare(c.options.engine)) { return exit_code::failed; }
    tool_catalogue tools;
    std::optional<tool_spec> spec;
    if (const problem p = read_tools(c, tools, spec)) {
        complain(*p);
        return exit_code::failed;
    }
    c.options.tools = c.catalogue.empty() ? nullptr : &tools;
    c.options.tool = spec ? &*spec : nullptr;
    c.options.engine.expect = c.schema.expected.get();
    input_file in;
    if (const problem p = read_input(c.file, c.options.engine.limits.bytes, in)) {
        complain(*p);
        return exit_code::failed;
    }
    const std::string_view raw = in.text;
    const arguments a =
        line.given("--tool") ? normalize_args(c.tool, raw, c.options) : arguments_map(raw, c.options);
    note(c, in, a);
    std::vector<alignment> values;
    if (!c.schema.file.empty()) { values = align_arguments(a, c.schema.program, c.schema.align); }
    exit_code code = code_of(a.verdict);
    for (const alignment& v : values) {
        if (!c.quiet) { complain_of_changes(in.name, v, risk::invented); }
        if (v.fits) { continue; }
        code = exit_code::misfit;
        if (!c.quiet) { note_misfit(c, in, v); }
    }
    std::string out;
    if (c.report) {
        report_arguments(in.name, raw, a, values, out);
    } else if (!values.empty()) {
        out = value_of(values, a.several());
    } else if (a.ok()) {
        out = a.json();
    } else if (a.passthrough) {
        out = a.text();
    }
    return print(out) ? code : exit_code::failed;
}

} // namespace jsonheal::cli
