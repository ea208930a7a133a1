/// @file subcommand.hpp
/// The subcommands, one function each. The table of them is in main.cpp.
#pragma once

#include "exit_code.hpp"

#include <span>
#include <string>

namespace jsonheal::cli {

/// The words behind the subcommand's name.
using words = std::span<const std::string>;

exit_code run_heal(words arguments);
exit_code run_explain(words arguments);
exit_code run_extract(words arguments);
exit_code run_check(words arguments);
exit_code run_rules(words arguments);
exit_code run_batch(words arguments);

} // namespace jsonheal::cli
