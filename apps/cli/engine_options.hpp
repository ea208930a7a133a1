/// @file engine_options.hpp
/// The options of the engine as words of the command line, the same for every subcommand that heals.
#pragma once

#include "command_line.hpp"

#include <jsonheal/heal.hpp>

#include <string>
#include <string_view>

namespace jsonheal::cli {

/// Adds the options to `line`; they write to `options` when it parses. `options` must live that long.
void add_engine_options(command_line& line, heal_options& options);

/// `there is no rule 'fnece'; did you mean fence? ...`
[[nodiscard]] std::string no_such_rule(std::string_view id);

/// Why the options contradict each other; empty if they do not. They do where `--preset live` meets a policy
/// that only the end of the text can decide.
[[nodiscard]] std::string contradiction(const heal_options& options);

} // namespace jsonheal::cli
