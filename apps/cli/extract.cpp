/// @file extract.cpp
/// jsonheal extract [FILE...]

#include "command_line.hpp"
#include "console.hpp"
#include "engine_options.hpp"
#include "files.hpp"
#include "json_writer.hpp"
#include "report.hpp"
#include "schema_use.hpp"
#include "subcommand.hpp"

#include <jsonheal/extract.hpp>
#include <jsonheal/sanitize.hpp>

#include <vector>

namespace jsonheal::cli {

namespace {

enum class form : std::uint8_t { healed, source, json };

void write_json(const input_file& in, const candidate& c, place_finder& places, std::string& out) {
    json_writer object(out, '{');
    const text_position place = places.at(c.begin);
    object.text("file", in.name).number("begin", c.begin).number("end", c.end);
    object.number("line", place.line).number("column", place.column).json("value", c.json);
    if (c.cut != cut_place::none) { object.text("cut", name(c.cut)); }
    object.member("fenced").append(c.fenced ? "true" : "false");
    object.member("reasoning").append(c.reasoning ? "true" : "false");
    object.member("taken").append(c.taken ? "true" : "false");
}

/// The values of one text, one a line.
std::string as_lines(const input_file& in, const std::vector<candidate>& found, form as) {
    std::string out;
    place_finder places(in.text);
    for (const candidate& c : found) {
        switch (as) {
        case form::healed: compact(c.json, out, one_line); break;
        case form::source: out.append(in.text, c.begin, c.end - c.begin); break;
        case form::json: write_json(in, c, places, out); break;
        }
        out.push_back('\n');
    }
    return out;
}

/// The balanced `{…}` of one text as they stand there, one after the other.
std::string as_objects(const input_file& in, const heal_limits& limits) {
    std::string out;
    for (const std::string_view object :
         extract_objects(in.text, {limits.bytes, limits.depth, limits.edits})) {
        out.append(object).push_back('\n');
    }
    return out;
}

/// Leaves the values that fit the schema, or can be made to. Returns how many did not.
std::size_t keep_fitting(const schema_use& schema, std::vector<candidate>& found) {
    return std::erase_if(found, [&](candidate& c) {
        alignment a = align(document::parse(c.json).value, schema.program, schema.align);
        c.json = std::move(a.json);
        return !a.fits;
    });
}

exit_code code_of(const std::vector<candidate>& found) {
    exit_code code = found.empty() ? exit_code::refused : exit_code::whole;
    for (const candidate& c : found) {
        if (c.cut != cut_place::none) { code = exit_code::truncated; }
    }
    return code;
}

} // namespace

exit_code run_extract(words arguments) {
    heal_options engine;
    std::vector<std::string> files;
    form as = form::healed;
    bool all = false;
    schema_use schema;
    command_line line("Prints every JSON value that stands in a text, healed, one a line.",
                      "jsonheal extract");
    line.texts("FILE", files, "files to read; - is standard input");
    add_choice<form>(
        line, "--as", as, {{"healed", form::healed}, {"source", form::source}, {"json", form::json}},
        "healed: JSON without blanks; source: as it stands in the text; json: an object with its place");
    line.flag("--all", all,
              "every balanced {…} as it stands, by its braces alone: also what only JavaScript could read; "
              "nothing is healed, what is cut off is left out");
    add_schema_file(line, schema, "a JSON Schema: only values that fit it, or can be made to");
    add_engine_options(line, engine);
    if (const auto said = parse_words(line, arguments)) { return *said; }
    if (engine.preset == preset::live) {
        return usage_error(line, "--preset live knows one value only; extract lists all");
    }

    if (all && (line.given("--as") || !schema.file.empty())) {
        return usage_error(line, "--all has no other form, and reads nothing that a schema could judge");
    }
    if (!schema.prepare(engine)) { return exit_code::failed; }
    engine.expect = schema.expected.get();

    return for_each_input(files, engine.limits.bytes, [&](const input_file& in) -> std::optional<exit_code> {
        if (all) {
            const std::string objects = as_objects(in, engine.limits);
            if (objects.empty()) { complain(in.name + ": there is no object in the text"); }
            if (!print(objects)) { return std::nullopt; }
            return objects.empty() ? exit_code::refused : exit_code::whole;
        }
        std::vector<candidate> found = extract(in.text, engine);
        if (found.empty()) { complain(in.name + ": there is no JSON in the text"); }
        const std::size_t unfit = schema.file.empty() ? 0 : keep_fitting(schema, found);
        if (unfit != 0 && found.empty()) {
            complain(in.name + ": of " + std::to_string(unfit) + " values none fits the schema");
            return exit_code::misfit;
        }
        if (!print(as_lines(in, found, as))) { return std::nullopt; }
        return code_of(found);
    });
}

} // namespace jsonheal::cli
