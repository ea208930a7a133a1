/// @file check.cpp
/// jsonheal check FILE... --schema S

#include "console.hpp"
#include "engine_options.hpp"
#include "files.hpp"
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

constexpr std::uint64_t most_bytes = document_limits{}.bytes;

/// Reads and parses; complains and returns nothing where that fails.
std::optional<document> read_document(const std::string& path, input_file& in) {
    if (const problem p = read_input(path, most_bytes, in)) {
        complain(*p);
        return std::nullopt;
    }
    parse_result parsed = document::parse_borrowed(in.text);
    if (parsed) { return parsed.value; }
    const text_position place = locate(in.text, parsed.error->offset);
    complain(in.name + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) +
             ": it is not JSON: " + std::string(parsed.error->message));
    return std::nullopt;
}

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

void add_options(CLI::App& app, check_command& c) {
    app.add_option("FILE", c.files, "JSON files to check; - is standard input");
    app.add_option("--schema", c.schema, "the schema, a JSON file")->required()->option_text("FILE");
    add_schema_options(app, c.options);
    add_choice<report_form>(app, "--report", c.form,
                            {{"people", report_form::people}, {"json", report_form::json}},
                            "violations as lines for people, or one JSON object a file");
    add_choice<report_form>(
        app, "--output", c.form,
        {{"flag", report_form::flag}, {"basic", report_form::basic}, {"detailed", report_form::detailed}},
        "JSON Schema's own output formats");
    app.add_option("--most", c.limits.violations, "violations listed for a file")
        ->check(CLI::PositiveNumber)
        ->option_text("N");
    app.add_flag("--program", c.listing, "print what the schema compiles to, and check nothing");
}

} // namespace

exit_code run_check(words arguments) {
    check_command c;
    CLI::App app("Says whether JSON fits a schema. Exit code 0: it does; 4: it does not.", "jsonheal check");
    add_options(app, c);
    if (const auto said = parse_words(app, arguments)) { return *said; }

    input_file source;
    const std::optional<document> schema = read_document(c.schema, source);
    if (!schema) { return exit_code::failed; }
    const schema::compile_result compiled = compile_schema(*schema, c.options);
    if (compiled.error) {
        complain(c.schema + ": " + describe(*compiled.error));
        return exit_code::failed;
    }
    for (const std::string& format : compiled.value.unchecked_formats()) {
        complain(c.schema + ": the format " + format + " is not checked");
    }
    if (c.listing) { return print(compiled.value.listing()) ? exit_code::whole : exit_code::failed; }
    if (c.files.empty()) { c.files.emplace_back("-"); }
    exit_code code = exit_code::whole;
    for (const std::string& path : c.files) { code = worse(code, check_file(c, compiled.value, path)); }
    return code;
}

} // namespace jsonheal::cli
