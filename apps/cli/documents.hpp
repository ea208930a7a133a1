/// @file documents.hpp
/// Strict JSON from files: values to look at and schemas to look with.
#pragma once

#include "files.hpp"
#include "schema_options.hpp"

#include <jsonheal/document.hpp>
#include <jsonheal/schema.hpp>

#include <optional>
#include <string>

namespace jsonheal::cli {

/// Reads and parses; complains and returns nothing where that fails. The document borrows the text of `in`.
[[nodiscard]] std::optional<document> read_document(const std::string& path, input_file& in);

/// Reads and compiles a schema; complains and returns nothing where that fails. Says which formats are not checked.
[[nodiscard]] std::optional<schema::program> read_schema(const std::string& path,
                                                         const schema_options& options);

} // namespace jsonheal::cli
