#include "console.hpp"

#include "command_line.hpp"
#include "files.hpp"
#include "option_tree.hpp"
#include "spelling.hpp"

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

namespace {

/// The names that are near a word which is no option.
std::string unknown_option(const CLI::App& app, std::string word) {
    word.resize(std::min(word.find('='), word.size()));
    std::vector<std::string> names;
    for (const option_info& o : describe_options(app).options) {
        names.insert(names.end(), o.names.begin(), o.names.end());
    }
    const std::vector<std::string_view> views(names.begin(), names.end());
    return "there is no option " + word + did_you_mean(word, views);
}

std::string unexpected_word(const CLI::App& app) {
    const std::vector<std::string> words = app.remaining();
    const std::string word = words.empty() ? "" : words.front();
    return word.starts_with("-") ? unknown_option(app, word) : "'" + word + "' is one word too many";
}

/// What CLI11 says as `--depth: 1 required UINT missing` and `Could not convert: --depth = x`.
std::string reworded(const CLI::App& app, const CLI::ParseError& e) {
    const std::string said = e.what();
    for (const option_info& o : describe_options(app).options) {
        for (const std::string& name : o.names) {
            if (said.starts_with(name + ":") && said.ends_with("missing")) {
                return name + " needs a value: " + o.value;
            }
            const std::string unreadable = "Could not convert: " + name + " = ";
            if (said.starts_with(unreadable)) {
                return name + ": '" + said.substr(unreadable.size()) + "' is not a number";
            }
        }
    }
    return said;
}

} // namespace

std::optional<exit_code> parse_words(command_line& line, words arguments) {
    CLI::App& app = line.app();
    app.set_help_flag("-h,--help", "show this help");
    if (arguments.show_options != nullptr) {
        (*arguments.show_options)(app);
        return exit_code::whole;
    }
    std::vector<std::string> reversed(arguments.rbegin(),
                                      arguments.rend()); // the order in which CLI11 takes them
    try {
        app.parse(std::move(reversed));
    } catch (const CLI::CallForHelp&) {
        return print(help_of(describe_options(app))) ? exit_code::whole : exit_code::failed;
    } catch (const CLI::ExtrasError&) {
        return usage_error(line, unexpected_word(app));
    } catch (const CLI::ParseError& e) { return usage_error(line, reworded(app, e)); }
    return std::nullopt;
}

exit_code usage_error(const command_line& line, std::string_view message) {
    complain(std::string(message) + "\n`" + line.app().get_name() + " --help` lists the options");
    return exit_code::failed;
}

} // namespace jsonheal::cli
