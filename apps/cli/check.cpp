/// @file check.cpp
/// jsonheal check FILE... --schema S

#include "command_line.hpp"
#include "console.hpp"
#include "documents.hpp"
#include "engine_options.hpp"
#include "json_writer.hpp"
#include "schema_options.hpp"
#include "schema_report.hpp"
#include "subcommand.hpp"

namespace jsonheal::cli {

namespace {

enum class report_form : std::uint8_t { people, json, flag, basic, detailed };

struct check_command {
    std::vector<std::string> files;
    std::string schema;
    schema_options options;
    schema::validate_limits limits;
    report_form form = report_form::people;
    bool listing = false;
};

void report_as_json(const std::string& file, const schema::validation& v, std::string& out) {
    {
        json_writer object(out, '{');
        object.text("file", file).member("valid").append(v.valid ? "true" : "false");
        object.member("complete").append(v.complete ? "true" : "false");
        object.member("violations");
        write_violations(v, out);
    }
    out.push_back('\n');
}

exit_code check_file(const check_command& c, const schema::program& program, const std::string& path) {
    input_file in;
    const std::optional<document> instance = read_document(path, in);
    if (!instance) { return exit_code::failed; }
    std::string out;
    bool valid = false;
    if (c.form == report_form::people || c.form == report_form::json) {
        const schema::validation v = schema::validate(program, instance->root(), c.limits);
        valid = v.valid;
        if (c.form == report_form::json) {
            report_as_json(in.name, v, out);
        } else {
            explain_violations(in.name, in.text, v, out);
        }
    } else {
        const auto format = c.form == report_form::flag    ? schema::output_format::flag
                            : c.form == report_form::basic ? schema::output_format::basic
                                                           : schema::output_format::detailed;
        valid = schema::write_output(program, instance->root(), format, out, c.limits);
        out.push_back('\n');
    }
    if (!print(out)) { return exit_code::failed; }
    return valid ? exit_code::whole : exit_code::misfit;
}

void add_options(command_line& line, check_command& c) {
    line.texts("FILE", c.files, "JSON files to check; - is standard input");
    line.text("--schema", c.schema, "the schema, a JSON file").required().shows("FILE");
    add_schema_options(line, c.options);
    add_choice<report_form>(line, "--report", c.form,
                            {{"people", report_form::people}, {"json", report_form::json}},
                            "violations as lines for people, or one JSON object a file");
    add_choice<report_form>(
        line, "--output", c.form,
        {{"flag", report_form::flag}, {"basic", report_form::basic}, {"detailed", report_form::detailed}},
        "JSON Schema's own output formats");
    line.number("--most", c.limits.violations, {.least = 1}, "violations listed for a file").shows("N");
    line.flag("--program", c.listing, "print what the schema compiles to, and check nothing");
}

} // namespace

exit_code run_check(words arguments) {
    check_command c;
    command_line line("Says whether JSON fits a schema. Exit code 0: it does; 4: it does not.",
                      "jsonheal check");
    add_options(line, c);
    if (const auto said = parse_words(line, arguments)) { return *said; }

    const std::optional<schema::program> program = read_schema(c.schema, c.options);
    if (!program) { return exit_code::failed; }
    if (c.listing) { return print(program->listing()) ? exit_code::whole : exit_code::failed; }
    if (c.files.empty()) { c.files.emplace_back("-"); }
    exit_code code = exit_code::whole;
    for (const std::string& path : c.files) { code = worse(code, check_file(c, *program, path)); }
    return code;
}

} // namespace jsonheal::cli
