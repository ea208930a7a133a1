/// @file explain.cpp
/// jsonheal explain [FILE...]

#include "console.hpp"
#include "engine_options.hpp"
#include "files.hpp"
#include "report.hpp"
#include "subcommand.hpp"

#include <jsonheal/answer.hpp>

#include <CLI/CLI.hpp>

#include <vector>

namespace jsonheal::cli {

namespace {

/// `reply.txt: healed, risk likely, 3 changes`
std::string headline(const input_file& in, const healing& h) {
    std::string line = in.name + ": " + std::string(name(h.verdict));
    if (h.cut != cut_place::none) { line.append(" ").append(name(h.cut)); }
    if (!h.ok()) {
        const text_position place = locate(in.text, h.why.offset);
        return line + " at " + std::to_string(place.line) + ":" + std::to_string(place.column) + ": " +
               describe(h.why) + "\n";
    }
    if (h.verdict == verdict::intact) { return line + ": it is valid JSON\n"; }
    const std::size_t count = changes_of(h.edits).size();
    return line.append(", risk ")
        .append(name(h.risk))
        .append(", ")
        .append(std::to_string(count))
        .append(count == 1 ? " change\n" : " changes\n");
}

} // namespace

exit_code run_explain(words arguments) {
    heal_options engine;
    std::vector<std::string> files;
    CLI::App app(
        "Says what healing changes: line:column, rule, risk, before -> after. Changes nothing itself.",
        "jsonheal explain");
    app.add_option("FILE", files, "files to explain; - is standard input");
    add_engine_options(app, engine);
    if (const auto said = parse_words(app, arguments)) { return *said; }
    if (const std::string why = contradiction(engine); !why.empty()) { return usage_error(app, why); }

    if (files.empty()) { files.emplace_back("-"); }
    exit_code code = exit_code::whole;
    for (const std::string& path : files) {
        input_file in;
        if (const problem p = read_input(path, engine.limits.bytes, in)) {
            complain(*p);
            code = exit_code::failed;
            continue;
        }
        // The stream's preset takes the first value and has no choice to explain.
        answered a;
        if (engine.preset == preset::live) {
            a.result = heal(std::string_view(in.text), engine);
        } else {
            a = answer(in.text, engine);
        }
        const healing& h = a.result;
        std::string out = headline(in, h);
        if (h.ok() && a.candidates.size() > 1) { out.append(a.reason).append("\n"); }
        explain(in.text, h, out);
        if (!print(out)) { return exit_code::failed; }
        code = worse(code, code_of(h.verdict));
    }
    return code;
}

} // namespace jsonheal::cli
