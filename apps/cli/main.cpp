/// @file main.cpp
/// jsonheal [COMMAND] ...: finds the subcommand and hands it its words.

#include "console.hpp"
#include "files.hpp"
#include "spelling.hpp"
#include "subcommand.hpp"

#include <jsonheal/base.hpp>
#include <jsonheal/scan.hpp>

#include <csignal>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::cli {

namespace {

constexpr subcommand subcommands[] = {
    {"heal", "heal files or standard input; the word itself can be left out", run_heal},
    {"explain", "show what healing changes, each change under its place", run_explain},
    {"extract", "every JSON value in a text, one a line", run_extract},
    {"args", "one JSON object of what a model wrote for a tool", run_args},
    {"calls", "the tool calls in a model's reply, in any format", run_calls},
#ifdef JSONHEAL_SERVE
    {"serve", "a gateway that heals what models answer, with an API like OpenAI's", run_serve},
#endif
    {"check", "say whether JSON fits a schema, and why not", run_check},
    {"align", "make JSON that nearly fits a schema fit it", run_align},
    {"batch", "answer JSON records, one a line", run_batch},
    {"sanitize", "keep JavaScript values in JSON-like text as strings", run_sanitize},
    {"complete", "put in the braces that a text lost", run_complete},
    {"quotes", "typographic quotes to plain ones in files of code", run_quotes},
    {"rules", "the repair rules, each with its risk", run_rules, listing::brief},
    {"completion", "complete commands and options in your shell", run_completion, listing::brief},
};

constexpr std::string_view usage_head =
    R"(jsonheal turns what a language model wrote into the JSON it meant.

Try first:
  jsonheal reply.txt          the healed JSON, on standard output
  jsonheal explain reply.txt  what that changes, where and why

Commands:
)";
constexpr std::string_view usage_tail = R"(
`jsonheal COMMAND --help` lists its options; `man jsonheal` has all of them.
Exit codes: 0 a whole value, 1 refused, 2 usage or unreadable, 3 the text was
cut off, 4 does not fit the schema.
)";

/// It fits a screen of 24 lines; a test sees to that.
exit_code print_usage() {
    std::string text(usage_head);
    std::string others;
    for (const subcommand& s : subcommands) {
        if (s.listed == listing::brief) {
            others.append(others.empty() ? "  also: " : ", ").append(s.name);
            continue;
        }
        text.append("  ").append(s.name).append(12 - s.name.size(), ' ').append(s.summary).append("\n");
    }
    text.append(others).append(others.empty() ? "" : "\n").append(usage_tail);
    return print(text) ? exit_code::whole : exit_code::failed;
}

/// The command that a first word was meant to be, if it is neither one nor a file.
std::string_view meant_command(std::string_view first) {
    if (first.empty() || first.starts_with("-") || exists(std::string(first))) { return {}; }
    std::vector<std::string_view> names;
    for (const subcommand& s : subcommands) { names.push_back(s.name); }
    return nearest(first, names);
}

/// JSONHEAL_KERNEL=scalar forces the kernel that looks for bytes: for tests and measurements. False if this processor
/// lacks it.
bool choose_kernel() {
    const char* const name = std::getenv("JSONHEAL_KERNEL");
    if (name == nullptr || *name == '\0' || scan::force_kernel(name)) { return true; }
    std::string message = std::string("JSONHEAL_KERNEL: this processor has no kernel '") + name + "'; it has";
    for (const scan::kernel& k : scan::kernels()) { message.append(" ").append(k.name); }
    complain(message);
    return false;
}

exit_code run(std::span<const std::string> all) {
    if (!choose_kernel()) { return exit_code::failed; }
    const std::string_view first = all.empty() ? std::string_view() : all.front();
    if (first == "help" && all.size() > 1) { return run(std::vector<std::string>{all[1], "--help"}); }
    if (first == "--help" || first == "-h" || first == "help") { return print_usage(); }
    if (first == "--version" || first == "-V") {
        return print("jsonheal " + std::string(version) + "\n") ? exit_code::whole : exit_code::failed;
    }
    for (const subcommand& s : subcommands) {
        if (s.name == first) { return s.run(all.subspan(1)); }
    }
    if (const std::string_view meant = meant_command(first); !meant.empty()) {
        complain("there is no command or file '" + std::string(first) + "'; did you mean `jsonheal " +
                 std::string(meant) + "`?");
        return exit_code::failed;
    }
    return run_heal(all);
}

} // namespace

std::span<const subcommand> all_subcommands() noexcept { return subcommands; }

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
