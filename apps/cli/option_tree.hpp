/// @file option_tree.hpp
/// What the tool can be called with, read from the very options that parse the command line. Help, completions and
/// the manual page are written from it, so none of them can forget an option.
#pragma once

#include "subcommand.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::cli {

/// What a word of the command line stands for, as far as completing it goes.
enum class operand : std::uint8_t {
    none, ///< a flag
    text, ///< anything: a number, say
    file,
    rule,   ///< the name of a repair rule, or several with commas
    choice, ///< one of `choices`
    choices ///< some of `choices`, with commas
};

struct option_info {
    std::vector<std::string> names; ///< `-o`, `--output`; empty for a positional
    std::string value;              ///< as help shows it: `FILE`, `whole|live`; empty for a flag
    operand takes = operand::none;
    std::vector<std::string> choices;
    bool many = false; ///< a positional that may be repeated
    std::string help;
    std::string group; ///< the heading that it stands under
};

struct command_info {
    std::string name;        ///< `explain`
    std::string summary;     ///< a clause, for lists of commands
    std::string description; ///< sentences
    std::vector<option_info> positionals;
    std::vector<option_info> options;
};

/// One command's.
[[nodiscard]] command_info describe_options(const CLI::App& app);
/// All commands', in the order of the table. Runs none of them.
[[nodiscard]] std::vector<command_info> describe_commands();

/// What help and manual page call the command with: `jsonheal heal [OPTIONS] [FILE...]`.
[[nodiscard]] std::string usage_of(const command_info& command);
/// `-o, --output FILE`.
[[nodiscard]] std::string heading_of(const option_info& option);
/// What `jsonheal COMMAND --help` prints, 80 columns wide.
[[nodiscard]] std::string help_of(const command_info& command);

} // namespace jsonheal::cli
