/// @file completion.cpp
/// jsonheal completion bash|zsh|fish|man

#include "completion.hpp"

#include "command_line.hpp"
#include "console.hpp"
#include "engine_options.hpp"
#include "subcommand.hpp"

namespace jsonheal::cli {

namespace {

using writer = std::string (*)(std::span<const command_info>);

} // namespace

exit_code run_completion(words arguments) {
    command_line line(
        "Prints what makes your shell complete jsonheal's commands, options and values, or the manual page. "
        "`make install` puts all of them where they belong. By hand, for this session: bash: source "
        "<(jsonheal completion bash); zsh: source <(jsonheal completion zsh); fish: jsonheal completion fish "
        "| "
        "source.",
        "jsonheal completion");
    writer write = nullptr;
    add_choice<writer>(
        line, "SHELL", write,
        {{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}, {"man", manual_page}},
        "the shell, or man for the manual page");
    if (const auto said = parse_words(line, arguments)) { return *said; }
    if (write == nullptr) { return usage_error(line, "which shell? bash, zsh or fish"); }
    return print(write(describe_commands())) ? exit_code::whole : exit_code::failed;
}

} // namespace jsonheal::cli
