/// @file serve.cpp
/// jsonheal serve [--config FILE | --demo]

#include "command_line.hpp"
#include "console.hpp"
#include "gateway/gateway.hpp"
#include "subcommand.hpp"

namespace jsonheal::cli {

namespace {

constexpr const char* summary = "Serves OpenAI-compatible chat completions in front of any model, so that "
                                "clients get what they asked for: answers are extracted, "
                                "repaired, checked against the schema, and asked for again where that does "
                                "not help; tool calls come whole, with arguments that fit.\n\n"
                                "--demo answers from a script, without a key and without a network. "
                                "docs/gateway.md has the configuration. SIGHUP reads it again, "
                                "SIGTERM lets running requests finish.";

} // namespace

exit_code run_serve(words arguments) {
    gateway::serve_options o;
    std::optional<std::string> address;
    command_line line(summary, "jsonheal serve");
    line.text("--config", o.config_file, "the configuration, a YAML file").shows("FILE");
    line.flag("--demo", o.demo, "answer from the script that is built in");
    line.text("--address", o.address, "listen there, in place of what the configuration says").shows("IP");
    line.number(
            "--port", [&o](std::uint64_t n) { o.port = static_cast<int>(n); }, {0, 65535},
            "listen there, in place of what the configuration says; 0: one that is free")
        .shows("N");
    line.flag("--check", o.check_only, "read the configuration, say what is wrong with it, and end");
    line.text("--script", o.script_file,
              "be a bare provider that answers by this script, without any healing, for tests; `builtin` is "
              "the demo's")
        .shows("FILE");
    if (const auto said = parse_words(line, arguments)) { return *said; }
    if (o.config_file.empty() && !o.demo && o.script_file.empty()) {
        return usage_error(line, "serve needs --config FILE, or --demo");
    }
    return gateway::serve(o) == 0 ? exit_code::whole : exit_code::failed;
}

} // namespace jsonheal::cli
