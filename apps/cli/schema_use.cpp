#include "schema_use.hpp"

#include "documents.hpp"
#include "engine_options.hpp"

namespace jsonheal::cli {

bool schema_use::prepare(const heal_options& engine) {
    if (file.empty()) { return true; }
    const std::optional<schema::program> compiled = read_schema(file, options);
    if (!compiled) { return false; }
    program = *compiled;
    reader = std::make_unique<answerer>(program, answer_options{engine, align});
    expected = schema::make_expectation(program);
    return true;
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
