/// @file main.cpp
/// jsonheal [SUBCOMMAND] ...: finds the subcommand and hands it its words.

#include "console.hpp"
#include "subcommand.hpp"

#include <jsonheal/base.hpp>

#include <csignal>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::cli {

namespace {

struct subcommand {
    std::string_view name;
    std::string_view summary;
    exit_code (*run)(words arguments);
};

constexpr subcommand subcommands[] = {
    {"heal", "heal files or standard input (the default)", run_heal},
    {"explain", "say what healing changes, and why", run_explain},
    {"extract", "every JSON value in a text, one a line", run_extract},
    {"check", "say whether JSON fits a schema, and why not", run_check},
    {"rules", "the repair rules, each with its risk", run_rules},
    {"batch", "answer JSON records, one a line", run_batch},
};

constexpr std::string_view usage_head = R"(usage: jsonheal [SUBCOMMAND] [OPTIONS] [FILE...]

Turns what a language model wrote into the JSON it meant.

)";
constexpr std::string_view usage_tail = R"(
`jsonheal SUBCOMMAND --help` says more. Without a subcommand it is `heal`; a file whose name is that of a
subcommand is written `./NAME`.

exit codes: 0 a whole value came out, 1 refused, 2 usage or something unreadable, 3 the text was cut off,
            4 does not fit the schema
)";

exit_code print_usage() {
    std::string text(usage_head);
    for (const subcommand& s : subcommands) {
        text.append("  ").append(s.name).append(12 - s.name.size(), ' ').append(s.summary).append("\n");
    }
    return print(text.append(usage_tail)) ? exit_code::whole : exit_code::failed;
}

exit_code run(std::span<const std::string> all) {
    const std::string_view first = all.empty() ? std::string_view() : all.front();
    if (first == "--help" || first == "-h" || first == "help") { return print_usage(); }
    if (first == "--version" || first == "-V") {
        return print("jsonheal " + std::string(version) + "\n") ? exit_code::whole : exit_code::failed;
    }
    for (const subcommand& s : subcommands) {
        if (s.name == first) { return s.run(all.subspan(1)); }
    }
    return run_heal(all);
}

} // namespace

} // namespace jsonheal::cli

int main(int argc, char** argv) {
    using namespace jsonheal::cli;
    // A reader that goes away and a file that may not grow are errors to be reported like a full disk, not a
    // silent death that leaves a temporary file behind.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    const std::vector<std::string> all(argv + (argc > 0 ? 1 : 0), argv + argc);
    try {
        return static_cast<int>(run(all));
    } catch (const std::bad_alloc&) {
        complain("there is not enough memory for this input");
    } catch (const std::exception& e) { complain(e.what()); }
    return static_cast<int>(exit_code::failed);
}
