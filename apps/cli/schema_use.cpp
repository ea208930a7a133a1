#include "schema_use.hpp"

#include "console.hpp"
#include "engine_options.hpp"

namespace jsonheal::cli {

problem schema_use::prepare(const heal_options& engine) {
    if (file.empty()) { return std::nullopt; }
    input_file in;
    if (problem p = read_input(file, document_limits{}.bytes, in)) { return p; }
    const parse_result parsed = document::parse(in.text);
    if (!parsed) {
        const text_position place = locate(in.text, parsed.error->offset);
        return in.name + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) +
               ": it is not JSON: " + std::string(parsed.error->message);
    }
    const schema::compile_result compiled = compile_schema(parsed.value, options);
    if (compiled.error) { return file + ": " + describe(*compiled.error); }
    for (const std::string& format : compiled.value.unchecked_formats()) {
        complain(file + ": the format " + format + " is not checked");
    }
    source = parsed.value;
    program = compiled.value;
    reader = std::make_unique<answerer>(program, answer_options{engine, align});
    expected = schema::make_expectation(program);
    return std::nullopt;
}

void add_schema_file(CLI::App& app, schema_use& use, const std::string& meaning) {
    app.add_option("--schema", use.file, meaning)->option_text("FILE");
    add_choice<risk>(app, "--max-change", use.align.max_risk,
                     {{"exact", risk::exact},
                      {"likely", risk::likely},
                      {"invented", risk::invented},
                      {"lossy", risk::lossy}},
                     "the riskiest change that may make a value fit; likely if left out");
    app.add_flag("--defaults", use.align.defaults, "give absent members the schema's defaults");
    add_schema_options(app, use.options);
}

void add_schema_use(CLI::App& app, schema_use& use) {
    add_schema_file(app, use, "a JSON Schema that the value must fit; it also decides what is meant");
    app.add_option_function<std::string>(
           "--reask",
           [&use](const std::string& word) {
               if (word != "whole" && word != "patch") {
                   throw CLI::ValidationError("--reask", "'" + word + "' is not one of whole, patch");
               }
               use.reask = word == "patch" ? reask_style::patch : reask_style::whole;
           },
           "for a value that does not fit, print on standard error what to say to the model")
        ->option_text("whole|patch");
}

} // namespace jsonheal::cli
