/// @file console.hpp
/// Standard output and standard error, and the parsing of a subcommand's words.
#pragma once

#include "exit_code.hpp"
#include "subcommand.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace jsonheal::cli {

class command_line;

/// Writes to standard output. Where that fails says so on standard error and returns false; the caller then
/// exits with `exit_code::failed`.
[[nodiscard]] bool print(std::string_view text);

/// Standard output or standard error with a buffer, so that a long report needs little memory. Append to `text`
/// and call `relieve` now and then.
struct buffered_output {
    int descriptor;
    std::string text = {};
    bool failed = false; ///< it could not be written, which has been said

    /// Writes if there is much to write.
    void relieve() {
        if (text.size() >= 65536) { flush(); }
    }
    void flush();
};

/// Writes `jsonheal: MESSAGE` and a line end to standard error.
void complain(std::string_view message);

/// Parses the words of a subcommand. Returns the exit code where it is all said already: after --help and
/// after a mistake in the usage, which it explains.
[[nodiscard]] std::optional<exit_code> parse_words(command_line& line, words arguments);

/// A mistake in the usage that only shows when all options are known.
exit_code usage_error(const command_line& line, std::string_view message);

} // namespace jsonheal::cli
