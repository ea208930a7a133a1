/// @file schema_use.hpp
/// `--schema FILE` on commands that read what a model wrote: the schema decides what is meant, and the value is made to
/// fit it.
#pragma once

#include "command_line.hpp"
#include "files.hpp"
#include "schema_options.hpp"

#include <jsonheal/answer.hpp>

#include <memory>
#include <optional>
#include <string>

namespace jsonheal::cli {

struct schema_use {
    std::string file; ///< empty: no schema
    schema_options options;
    align_options align;
    std::optional<reask_style> reask;

    // Made by `prepare`.
    schema::program program;
    std::unique_ptr<answerer> reader;
    std::unique_ptr<expectation> expected;

    /// Reads and compiles the file, if there is one. Complains and returns false where that fails.
    [[nodiscard]] bool prepare(const heal_options& engine);
};

/// Adds `--schema`, `--max-change`, `--defaults` and the options of compiling.
void add_schema_file(command_line& line, schema_use& use, const std::string& meaning);
/// Adds `--schema`, `--max-change`, `--defaults`, `--reask`, `--draft`, `--format-assertion` and `--schema-map`.
void add_schema_use(command_line& line, schema_use& use);

} // namespace jsonheal::cli
