/// @file schema_report.hpp
/// Violations for programs and for people.
#pragma once

#include "json_writer.hpp"

#include <jsonheal/align.hpp>
#include <jsonheal/schema.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::cli {

/// Appends an array of objects `{instance, begin, end, schema, keyword, expected, got, message}`.
void write_violations(const schema::validation& v, std::string& out);

/// Appends the changes of an alignment to a list that is open: `{pointer, before, after, rule, risk}`, values as JSON.
void write_changes(const std::vector<jsonheal::change>& changes, json_writer& list);

/// Appends one line a violation: `FILE:LINE:COLUMN: KEYWORD: MESSAGE`.
void explain_violations(std::string_view file, std::string_view text, const schema::validation& v,
                        std::string& out);

/// Adds `fits`, `violations` and `changes` of one value, or of all that stand side by side.
void write_alignments(json_writer& report, std::span<const alignment> values, std::string& out);
/// The value; of several a list.
[[nodiscard]] std::string value_of(std::span<const alignment> values, bool several);

/// Says on standard error what was changed to make a value fit, a line each from a risk on, and what does not fit.
void complain_of_changes(std::string_view file, const alignment& a, risk least);
void complain_of_misfit(std::string_view file, const alignment& a);

} // namespace jsonheal::cli
