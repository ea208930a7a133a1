/// @file stream.hpp
/// Healing while the text arrives: what has settled, or what has become certain, at once.
#pragma once

#include "exit_code.hpp"
#include "schema_use.hpp"

#include <jsonheal/heal.hpp>

#include <string>

namespace jsonheal::cli {

struct stream_command {
    heal_options engine;
    bool events = false; ///< one JSON object a line in place of the text
    bool quiet = false;
    const schema_use* schema = nullptr; ///< values are aligned to it
};

/// Reads `path` (`-`: standard input) and prints what settles as it settles. Memory does not grow with the text, unless there
/// is a schema: then what only the whole value decides is told at the end, and `misfit` says that what was printed does
/// not fit.
exit_code heal_stream(const stream_command& c, const std::string& path);

} // namespace jsonheal::cli
