/// @file explain.cpp
/// jsonheal explain [FILE...]

#include "explain.hpp"

#include "command_line.hpp"
#include "engine_options.hpp"
#include "files.hpp"
#include "report.hpp"
#include "subcommand.hpp"

#include <limits>
#include <unistd.h>
#include <vector>

namespace jsonheal::cli {

namespace {

enum class form : std::uint8_t { plain, html, json };

struct explain_command {
    heal_options engine;
    std::vector<std::string> files;
    form as = form::plain;
    color_choice color = color_choice::automatic;
    bool all = false;
};

constexpr const char* summary = "Shows what healing changes: the lines with a change, each change under its "
                                "place, with its rule and risk. "
                                "Changes nothing itself.";

void add_explain_options(command_line& line, explain_command& c) {
    line.texts("FILE", c.files, "files to explain; - or none is standard input");
    add_choice<form>(line, "--format", c.as,
                     {{"plain", form::plain}, {"html", form::html}, {"json", form::json}},
                     "plain: for a terminal; html: one page; json: one object an input, as --report json");
    add_choice<form>(line, "--report", c.as, {{"json", form::json}}, "the same as --format json");
    add_color_option(line, c.color);
    line.flag("--all", c.all, "show every change, not only the first " + std::to_string(default_changes));
}

/// The stream's preset takes the first value and has no choice to explain.
answered answer_or_heal(std::string_view text, const heal_options& engine) {
    if (engine.preset != preset::live) { return answer(text, engine); }
    answered a;
    a.result = heal(text, engine);
    return a;
}

exit_code explain_one(const explain_command& c, const input_file& in, buffered_output& out) {
    const answered a = answer_or_heal(in.text, c.engine);
    const healing& h = a.result;
    const bool chosen = h.ok() && a.candidates.size() > 1;
    const explained what{in.name, in.text, h, chosen ? std::string_view(a.reason) : "", c.engine.max_risk};
    const std::size_t most = c.all ? std::numeric_limits<std::size_t>::max() : default_changes;
    switch (c.as) {
    case form::plain:
        explain_plain(what, most, {width_of(STDOUT_FILENO), colored(c.color, STDOUT_FILENO)}, out);
        break;
    case form::html: explain_html(what, most, out); break;
    case form::json: report_json(in.name, in.text, {h, h.json()}, true, out.text); break;
    }
    return code_of(h.verdict);
}

} // namespace

exit_code run_explain(words arguments) {
    explain_command c;
    command_line line(summary, "jsonheal explain");
    add_explain_options(line, c);
    add_engine_options(line, c.engine);
    if (const auto said = parse_words(line, arguments)) { return *said; }
    if (const std::string why = contradiction(c.engine); !why.empty()) { return usage_error(line, why); }

    buffered_output out{STDOUT_FILENO};
    if (c.as == form::html) { begin_html(out); }
    bool first = true;
    const exit_code code = for_each_input(c.files, c.engine.limits.bytes, [&](const input_file& in) {
        if (c.as == form::plain && !std::exchange(first, false)) { out.text.push_back('\n'); }
        const exit_code one = explain_one(c, in, out);
        out.flush();
        return out.failed ? std::nullopt : std::optional(one);
    });
    if (c.as == form::html) { end_html(out); }
    out.flush();
    return out.failed ? exit_code::failed : code;
}

} // namespace jsonheal::cli
