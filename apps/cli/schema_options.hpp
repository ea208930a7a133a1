/// @file schema_options.hpp
/// The options about schemas as words of the command line, and compiling under them.
#pragma once

#include "command_line.hpp"

#include <jsonheal/schema.hpp>

#include <string>
#include <utility>
#include <vector>

namespace jsonheal::cli {

struct schema_options {
    std::optional<schema::dialect> dialect;
    bool format_assertion = false;
    std::vector<std::pair<std::string, std::string>> map; ///< URL prefix and folder
};

/// Adds `--draft`, `--format-assertion` and `--schema-map` to `line`; they write to `options` when it parses.
/// `options` must live that long.
void add_schema_options(command_line& line, schema_options& options);

/// Compiles; documents below a mapped prefix are read from its folder, others are not there.
[[nodiscard]] schema::compile_result compile_schema(const document& source, const schema_options& options);

/// `the schema cannot be used: REASON at POINTER`.
[[nodiscard]] std::string describe(const schema::compile_error& error);

} // namespace jsonheal::cli
