/// @file completion.hpp
/// Completions for shells, and the manual page, written from what the commands can be called with.
#pragma once

#include "option_tree.hpp"

#include <span>
#include <string>

namespace jsonheal::cli {

[[nodiscard]] std::string bash_completion(std::span<const command_info> commands);
[[nodiscard]] std::string zsh_completion(std::span<const command_info> commands);
[[nodiscard]] std::string fish_completion(std::span<const command_info> commands);
/// jsonheal(1), in the man macros of troff.
[[nodiscard]] std::string manual_page(std::span<const command_info> commands);

} // namespace jsonheal::cli
