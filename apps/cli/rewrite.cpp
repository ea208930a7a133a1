/// @file rewrite.cpp
/// jsonheal sanitize|complete|quotes [FILE...]: text in, text out, nothing healed.

#include "command_line.hpp"
#include "console.hpp"
#include "engine_options.hpp"
#include "files.hpp"
#include "report.hpp"
#include "subcommand.hpp"

#include <jsonheal/quotes.hpp>
#include <jsonheal/sanitize.hpp>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace jsonheal::cli {

namespace {

struct rewrite_command {
    std::vector<std::string> files;
    bool in_place = false;
    bool accept_truncated = false;
    bool quiet = false;
    sanitize_options limits;
};

/// What becomes of one file.
using rewriting = std::function<rewritten(const input_file& in)>;

void add_options(command_line& line, rewrite_command& c) {
    line.texts("FILE", c.files, "files to read; - is standard input");
    line.flag("-i,--in-place", c.in_place, "replace each file; one that does not change is not touched");
    line.flag("-q,--quiet", c.quiet, "no notes on standard error, only errors");
    line.number(
            "--max-bytes",
            [&c](std::uint64_t n) { c.limits.limits.bytes = std::min(n, c.limits.limits.bytes); }, {},
            "refuse a longer text")
        .shows("N");
}

/// For the commands that may have to do with half a text.
void add_cut_options(command_line& line, rewrite_command& c) {
    const auto accept = [&c](const std::string& word) {
        if (word != "truncated") { throw usage_mistake("--accept", "'" + word + "' is not truncated"); }
        c.accept_truncated = true;
    };
    line.text("--accept", accept, "a text that was cut off may replace a file all the same")
        .shows("truncated");
    add_choice<risk>(line, "--max-risk", c.limits.max_risk,
                     {{"exact", risk::exact},
                      {"likely", risk::likely},
                      {"invented", risk::invented},
                      {"lossy", risk::lossy}},
                     "refuse a text that needs a change above this");
    line.number("--max-depth", c.limits.limits.depth, {}, "refuse a text with more brackets open at once")
        .shows("N");
}

exit_code write_over(const rewrite_command& c, const std::string& path, const input_file& in,
                     const rewritten& r) {
    if (r.text == in.text) { return code_of(r.verdict); }
    if (r.verdict == verdict::truncated && !c.accept_truncated) {
        complain(path + " is as it was: the text was cut off; --accept truncated replaces it all the same");
        return exit_code::truncated;
    }
    if (const problem p = replace_file(path, r.text, &in.status)) {
        complain(*p);
        return exit_code::failed;
    }
    return code_of(r.verdict);
}

exit_code rewrite_one(const rewrite_command& c, const std::string& path, const rewriting& rewrite) {
    input_file in;
    if (const problem p = read_input(path, c.limits.limits.bytes, in)) {
        complain(*p);
        return exit_code::failed;
    }
    const rewritten r = rewrite(in);
    if (!r.ok()) {
        const text_position place = locate(in.text, r.why.offset);
        complain(in.name + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) +
                 ": refused: " + describe(r.why));
        return exit_code::refused;
    }
    if (c.in_place) { return write_over(c, path, in, r); }
    if (r.verdict == verdict::truncated && !c.quiet) {
        complain(in.name + ": the text was cut off (" + std::string(name(r.cut)) + ")");
    }
    return print(r.text) ? code_of(r.verdict) : exit_code::failed;
}

exit_code rewrite_all(command_line& line, rewrite_command& c, const rewriting& rewrite) {
    if (c.in_place && (c.files.empty() || std::count(c.files.begin(), c.files.end(), "-") != 0)) {
        return usage_error(line, "--in-place needs files");
    }
    if (c.files.empty()) { c.files.emplace_back("-"); }
    exit_code code = exit_code::whole;
    for (const std::string& path : c.files) { code = worse(code, rewrite_one(c, path, rewrite)); }
    return code;
}

rewritten as_rewritten(normalized_quotes&& q) {
    rewritten r;
    if (q.refused) {
        r.why.message = "the text is longer than the limit of bytes";
        return r;
    }
    r.verdict = q.edits.empty() ? verdict::intact : verdict::healed;
    r.text = std::move(q.text);
    r.edits = std::move(q.edits);
    return r;
}

} // namespace

exit_code run_sanitize(words arguments) {
    rewrite_command c;
    command_line line(
        "Keeps JavaScript values in JSON-like text as strings of their source. Never run what is kept.",
        "jsonheal sanitize");
    add_options(line, c);
    add_cut_options(line, c);
    if (const auto said = parse_words(line, arguments)) { return *said; }
    return rewrite_all(line, c, [&c](const input_file& in) { return sanitize(in.text, c.limits); });
}

exit_code run_complete(words arguments) {
    rewrite_command c;
    command_line line("Puts in the braces of an object that a text lost, and nothing else.",
                      "jsonheal complete");
    add_options(line, c);
    add_cut_options(line, c);
    if (const auto said = parse_words(line, arguments)) { return *said; }
    return rewrite_all(line, c, [&c](const input_file& in) { return complete_object(in.text, c.limits); });
}

exit_code run_quotes(words arguments) {
    rewrite_command c;
    quote_options quotes;
    std::optional<std::string> path;
    command_line line(
        "Makes typographic quotes plain ones, in files of code; other files come out as they are.",
        "jsonheal quotes");
    add_options(line, c);
    line.text("--path", path, "judge by this path in place of the file's own; an empty one is code")
        .shows("PATH");
    add_choice<quote_set>(
        line, "--set", quotes.set,
        {{"curly", quote_set::curly}, {"standard", quote_set::standard}, {"all", quote_set::all}},
        "which characters: curly ones and primes; also guillemets (the default); all that look like quotes");
    if (const auto said = parse_words(line, arguments)) { return *said; }
    return rewrite_all(line, c, [&](const input_file& in) {
        quotes.max_bytes = c.limits.limits.bytes;
        // Standard input has no name to judge by.
        const std::string own = in.name == "standard input" ? std::string() : in.name;
        return as_rewritten(normalize_code_file(path.value_or(own), in.text, quotes));
    });
}

} // namespace jsonheal::cli
