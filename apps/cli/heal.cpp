/// @file heal.cpp
/// jsonheal [heal] [FILE...]

#include "command_line.hpp"
#include "console.hpp"
#include "engine_options.hpp"
#include "explain.hpp"
#include "explain_summary.hpp"
#include "files.hpp"
#include "report.hpp"
#include "schema_report.hpp"
#include "schema_use.hpp"
#include "stream.hpp"
#include "subcommand.hpp"

#include <jsonheal/answer.hpp>
#include <jsonheal/document.hpp>
#include <jsonheal/heal.hpp>

#include <algorithm>
#include <optional>
#include <unistd.h>
#include <vector>

namespace jsonheal::cli {

namespace {

/// What may be written over a file though it is less than the whole value.
struct acceptance {
    bool truncated = false;
    bool lossy = false;
    bool misfit = false;
};

struct heal_command {
    heal_options engine;
    std::vector<std::string> files;
    std::string output;
    bool in_place = false;
    bool stream = false;
    bool events = false;
    bool explain = false;
    bool quiet = false;
    bool report = false;
    acceptance accept;
    write_options printing;
    schema_use schema;
};

/// What became of one input.
struct outcome {
    healing plain;               ///< without a schema
    std::optional<fitted> value; ///< with one

    [[nodiscard]] const healing& text() const noexcept { return value ? value->text : plain; }
    [[nodiscard]] std::string_view json() const noexcept { return value ? value->json() : plain.json(); }
    [[nodiscard]] exit_code code() const noexcept {
        const bool misfit = value && value->text.ok() && !value->value.fits;
        return misfit ? exit_code::misfit : code_of(text().verdict);
    }
};

constexpr const char* summary = "Heals files, or standard input if none is named, to standard output. Valid "
                                "JSON comes out byte for byte.";

void add_output_options(command_line& line, heal_command& c) {
    line.flag("-i,--in-place", c.in_place, "replace each file by what it heals to");
    line.text("-o,--output", c.output, "write to this file").shows("FILE");
    const auto accept = [&c](const std::string& word) {
        if (word == "truncated") {
            c.accept.truncated = true;
        } else if (word == "lossy") {
            c.accept.lossy = true;
        } else if (word == "misfit") {
            c.accept.misfit = true;
        } else {
            throw usage_mistake("--accept", "'" + word + "' is not one of truncated, lossy, misfit");
        }
    };
    line.list("--accept", accept, "results that may replace a file all the same")
        .shows("truncated,lossy,misfit");
    const auto set_layout = [&c](layout l) { return [&c, l] { c.printing.layout = l; }; };
    line.flag("--compact", set_layout(layout::compact), "print without blanks");
    line.number(
            "--indent",
            [&c](std::uint64_t n) {
                c.printing.layout = layout::indented;
                c.printing.indent = static_cast<unsigned>(n);
            },
            {0, 64}, "print one member a line, N blanks a level")
        .shows("N");
    line.flag("--ascii", c.printing.escapes.non_ascii, "print all beyond ASCII as escapes");
    line.flag("--stream", c.stream, "heal while the text arrives; the preset is then live");
    line.flag("--events", c.events,
              "heal while the text arrives and print what becomes certain, one JSON object a line");
    add_report(line, c.report, "print one JSON object an input in place of the text: verdict, edits, text");
    line.flag("--explain", c.explain, "list the changes on standard error");
    add_schema_use(line, c.schema);
    line.flag("-q,--quiet", c.quiet, "no notes on standard error, only errors");
}

/// What is wrong with the options as a whole; empty if nothing.
std::string misuse(const heal_command& c) {
    const bool laid_out = c.printing.layout != layout::preserve || c.printing.escapes.non_ascii;
    const struct {
        bool wrong;
        const char* message;
    } rules[] = {
        {c.in_place && c.files.empty(), "--in-place needs files"},
        {c.in_place && std::count(c.files.begin(), c.files.end(), "-") != 0,
         "--in-place cannot replace standard input"},
        {c.in_place && !c.output.empty(), "--in-place and --output exclude each other"},
        {!c.output.empty() && c.files.size() > 1, "--output takes one input"},
        {c.stream && c.files.size() > 1, "--stream takes one input"},
        {c.stream && (c.in_place || !c.output.empty()), "--stream writes to standard output only"},
        {c.stream && laid_out, "--stream prints the text as it heals, so it has no other layout"},
        {c.stream && (c.report || c.explain),
         "--stream prints the healed text only: no --report, no --explain"},
        {c.stream && c.schema.reask, "--stream has printed the value before it could ask again: no --reask"},
        {c.schema.file.empty() && c.schema.reask, "--reask needs --schema"},
    };
    for (const auto& rule : rules) {
        if (rule.wrong) { return rule.message; }
    }
    return contradiction(c.engine);
}

/// `FILE:LINE:COLUMN: MESSAGE`.
std::string at(const input_file& in, std::size_t offset, std::string_view message) {
    const text_position place = locate(in.text, offset);
    return in.name + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": " +
           std::string(message);
}

/// The first edit that loses something, for a note that says where.
const edit* first_lossy(const healing& h) {
    for (const edit& e : h.edits) {
        if (e.risk() == risk::lossy) { return &e; }
    }
    return nullptr;
}

void note_verdict(const heal_command& c, const input_file& in, const healing& h) {
    if (h.verdict == verdict::refused) { complain(at(in, h.why.offset, "refused: " + describe(h.why))); }
    if (c.quiet) { return; }
    // Whoever asked for all changes is told there, and whoever keeps a file is told why.
    const bool told = c.explain || (!c.accept.truncated && (c.in_place || !c.output.empty()));
    if (h.verdict == verdict::truncated && !told) {
        complain(in.name + ": the text was cut off " + std::string(cut_phrase(h.cut)) +
                 "; what is certain of it came out");
    }
    if (const edit* e = h.ok() && !c.explain ? first_lossy(h) : nullptr) {
        complain(at(in, e->begin,
                    std::string(info(e->rule).meaning) + " (" + std::string(info(e->rule).id) +
                        ", lossy); --explain lists all changes"));
    }
}

/// True for what a cut text loses at its end; that is part of being truncated.
bool is_cut(rule r) { return r == rule::cut_member || r == rule::cut_escape || r == rule::cut_literal; }

/// Why a result may not replace what a file holds; empty if it may.
std::string objection(const acceptance& accept, const outcome& o) {
    const healing& h = o.text();
    if (o.code() == exit_code::misfit && !accept.misfit) {
        return "the value does not fit the schema; --accept misfit writes it all the same";
    }
    if (h.verdict == verdict::truncated && !accept.truncated) {
        return "the text was cut off " + std::string(cut_phrase(h.cut)) +
               "; --accept truncated replaces it all the same";
    }
    const bool loses =
        std::any_of(h.edits.begin(), h.edits.end(),
                    [](const edit& e) { return e.risk() == risk::lossy && !is_cut(e.rule); }) ||
        (o.value && o.value->value.risk == risk::lossy);
    return loses && !accept.lossy ? "the change is lossy; --accept lossy makes it all the same" : "";
}

/// Writes a result over a file, unless it must not be. `expected`: the file is the input itself.
exit_code write_file(const heal_command& c, const std::string& path, std::string_view text, const outcome& o,
                     const struct stat* expected) {
    if (const std::string why = objection(c.accept, o); !why.empty() && exists(path)) {
        complain(path + " is as it was: " + why);
        return o.code() == exit_code::whole ? exit_code::refused : o.code();
    }
    if (const problem p = replace_file(path, text, expected)) {
        complain(*p);
        return exit_code::failed;
    }
    return o.code();
}

/// Prints to standard output. Of several texts each ends its line, so that they stay apart; a single one is
/// not touched.
bool print_result(const heal_command& c, std::string text) {
    const bool terminal_or_many = c.files.size() > 1 || ::isatty(STDOUT_FILENO) == 1;
    if (terminal_or_many && (text.empty() || text.back() != '\n')) { text.push_back('\n'); }
    return print(text);
}

outcome read(const heal_command& c, const input_file& in) {
    outcome o;
    if (c.schema.file.empty()) {
        o.plain = heal(std::string_view(in.text), c.engine);
    } else {
        o.value = c.schema.reader->answer(in.text);
    }
    return o;
}

/// What the schema says of a value, on standard error.
void note_fit(const heal_command& c, const input_file& in, const outcome& o) {
    if (!o.value) { return; }
    if (!c.quiet) { complain_of_changes(in.name, o.value->value, c.explain ? risk::exact : risk::invented); }
    if (o.code() != exit_code::misfit) { return; }
    if (c.schema.reask) {
        complain(reask_message(*o.value, {.style = *c.schema.reask}));
    } else {
        complain_of_misfit(in.name, o.value->value);
    }
}

exit_code heal_one(const heal_command& c, const input_file& in) {
    const outcome o = read(c, in);
    const healing& h = o.text();
    note_verdict(c, in, h);
    std::string out;
    if (c.explain) {
        buffered_output err{STDERR_FILENO};
        explain_plain({in.name, in.text, h, "", c.engine.max_risk}, default_changes,
                      {width_of(STDERR_FILENO), colored(color_choice::automatic, STDERR_FILENO)}, err);
        err.flush();
    }
    note_fit(c, in, o);
    const bool to_file = c.in_place || !c.output.empty();
    if (c.report) {
        out.clear();
        report_json(in.name, in.text, {h, o.json(), o.value ? &*o.value : nullptr}, !to_file, out);
        if (!print(out)) { return exit_code::failed; }
    }
    if (!h.ok() || (c.report && !to_file)) { return o.code(); }

    out.clear();
    write_text(o.json(), c.printing, out);
    if (!to_file) { return print_result(c, std::move(out)) ? o.code() : exit_code::failed; }
    if (c.in_place && out == in.text) { return o.code(); }
    return write_file(c, c.in_place ? in.path : c.output, out, o, c.in_place ? &in.status : nullptr);
}

} // namespace

exit_code run_heal(words arguments) {
    heal_command c;
    command_line line(summary, "jsonheal heal");
    line.texts("FILE", c.files, "files to heal; - is standard input");
    add_output_options(line, c);
    add_engine_options(line, c.engine);
    if (const auto said = parse_words(line, arguments)) { return *said; }
    c.stream |= c.events;
    if (c.stream && !line.given("--preset")) { c.engine.preset = preset::live; }
    if (const std::string why = misuse(c); !why.empty()) { return usage_error(line, why); }

    if (!c.schema.prepare(c.engine)) { return exit_code::failed; }
    if (c.stream) {
        return heal_stream({c.engine, c.events, c.quiet, c.schema.file.empty() ? nullptr : &c.schema},
                           c.files.empty() ? "-" : c.files.front());
    }
    return for_each_input(c.files, c.engine.limits.bytes,
                          [&c](const input_file& in) { return heal_one(c, in); });
}

} // namespace jsonheal::cli
