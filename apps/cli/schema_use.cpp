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

void add_schema_file(command_line& line, schema_use& use, const std::string& meaning) {
    line.text("--schema", use.file, meaning).shows("FILE");
    add_choice<risk>(line, "--max-change", use.align.max_risk,
                     {{"exact", risk::exact},
                      {"likely", risk::likely},
                      {"invented", risk::invented},
                      {"lossy", risk::lossy}},
                     "the riskiest change that may make a value fit; likely if left out");
    line.flag("--defaults", use.align.defaults, "give absent members the schema's defaults");
    add_schema_options(line, use.options);
}

void add_schema_use(command_line& line, schema_use& use) {
    add_schema_file(line, use, "a JSON Schema that the value must fit; it also decides what is meant");
    line.text(
            "--reask",
            [&use](const std::string& word) {
                if (word != "whole" && word != "patch") {
                    throw usage_mistake("--reask", "'" + word + "' is not one of whole, patch");
                }
                use.reask = word == "patch" ? reask_style::patch : reask_style::whole;
            },
            "for a value that does not fit, print on standard error what to say to the model")
        .shows("whole|patch");
}

} // namespace jsonheal::cli
