/// @file subcommand.hpp
/// The subcommands, one function each. The table of them is in main.cpp.
#pragma once

#include "exit_code.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace CLI { // NOLINT(readability-identifier-naming): that is CLI11's name
class App;
}

namespace jsonheal::cli {

/// The words behind the subcommand's name.
class words : public std::span<const std::string> {
public:
    using span::span;
    words(std::span<const std::string> all) : span(all) {} // NOLINT: that is what a subcommand is called with

    /// If set, `parse_words` shows it the options and ends the subcommand there, as after --help. So whatever
    /// describes the tool (completions, the manual page) sees the options that the subcommand really has.
    const std::function<void(const CLI::App&)>* show_options = nullptr;
};

enum class listing : std::uint8_t {
    full, ///< a line of the first help page
    brief ///< only its name there: for those that are needed once
};

struct subcommand {
    std::string_view name;
    std::string_view summary;
    exit_code (*run)(words arguments);
    listing listed = listing::full;
};

/// All of them, in the order of the help. Static storage.
[[nodiscard]] std::span<const subcommand> all_subcommands() noexcept;

exit_code run_heal(words arguments);
exit_code run_explain(words arguments);
exit_code run_extract(words arguments);
exit_code run_check(words arguments);
exit_code run_align(words arguments);
exit_code run_rules(words arguments);
exit_code run_sanitize(words arguments);
exit_code run_complete(words arguments);
exit_code run_quotes(words arguments);
exit_code run_batch(words arguments);
exit_code run_completion(words arguments);
exit_code run_args(words arguments);
exit_code run_calls(words arguments);
exit_code run_serve(words arguments);

} // namespace jsonheal::cli
