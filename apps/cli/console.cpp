#include "console.hpp"

#include "files.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <unistd.h>
#include <vector>

namespace jsonheal::cli {

bool print(std::string_view text) {
    const problem p = write_all(STDOUT_FILENO, text, "standard output");
    if (p) { complain(*p); }
    return !p;
}

void buffered_output::flush() {
    const bool standard = descriptor == STDOUT_FILENO;
    if (!failed && !text.empty()) {
        const problem p = write_all(descriptor, text, standard ? "standard output" : "standard error");
        failed = p.has_value();
        if (p && standard) { complain(*p); }
    }
    text.clear();
}

void complain(std::string_view message) {
    // If standard error is gone there is nobody to tell.
    (void)write_all(STDERR_FILENO, "jsonheal: " + std::string(message) + "\n", "standard error");
}

std::optional<exit_code> parse_words(CLI::App& app, words arguments) {
    std::vector<std::string> reversed(arguments.rbegin(),
                                      arguments.rend()); // the order in which CLI11 takes them
    try {
        app.parse(std::move(reversed));
    } catch (const CLI::CallForHelp&) {
        return print(app.help()) ? exit_code::whole : exit_code::failed;
    } catch (const CLI::ParseError& e) { return usage_error(app, e.what()); }
    return std::nullopt;
}

exit_code usage_error(const CLI::App& app, std::string_view message) {
    complain(std::string(message) + "\n`" + app.get_name() + " --help` lists the options");
    return exit_code::failed;
}

} // namespace jsonheal::cli
