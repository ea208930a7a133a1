/// @file schema_report.hpp
/// Violations for programs and for people.
#pragma once

#include <jsonheal/schema.hpp>

#include <string>
#include <string_view>

namespace jsonheal::cli {

/// Appends an array of objects `{instance, begin, end, schema, keyword, expected, got, message}`.
void write_violations(const schema::validation& v, std::string& out);

/// Appends one line a violation: `FILE:LINE:COLUMN: KEYWORD: MESSAGE`.
void explain_violations(std::string_view file, std::string_view text, const schema::validation& v,
                        std::string& out);

} // namespace jsonheal::cli
