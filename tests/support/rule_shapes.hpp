/// @file rule_shapes.hpp
/// What an edit of each rule may take away and put in: law 3 ("nothing invented") as a table.
///
/// Written from the meaning of the rules, not from the engine. A new rule needs a row here, or the laws fail.
#pragma once

#include "laws.hpp"

namespace jsonheal_test {

/// Says what is wrong with one edit of this input, if anything.
[[nodiscard]] failure check_edit_shape(std::string_view input, const jsonheal::edit& e);

/// The rules that have no row. Empty is right.
[[nodiscard]] std::string rules_without_shape();

} // namespace jsonheal_test
