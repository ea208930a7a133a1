/// @file batch.cpp
/// jsonheal batch [FILE]

#include "batch_functions.hpp"
#include "batch_pipeline.hpp"
#include "console.hpp"
#include "engine_options.hpp"
#include "subcommand.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <thread>
#include <unistd.h>

namespace jsonheal::cli {

namespace {

constexpr const char* summary = "Reads one JSON record a line, {\"id\", \"input\"}, and writes one a line, "
                                "{\"id\", \"verdict\", \"risk\", \"value\"}, in order. A bad "
                                "record gets an answer with the verdict refused; it stops nothing.";

struct batch_command {
    batch_options options;
    std::string file = "-";
    unsigned jobs = 0;
};

void add_batch_options(CLI::App& app, batch_command& c) {
    app.add_option("FILE", c.file, "the records; standard input if left out");
    add_choice<edit_detail>(
        app, "--edits", c.options.edits,
        {{"none", edit_detail::none}, {"count", edit_detail::count}, {"all", edit_detail::all}},
        "add the changes as \"edits\"");
    app.add_flag("--text", c.options.text, "add the healed text as \"json\"");
    app.add_option("--chunk", c.options.chunk,
                   "feed each input through the stream in chunks of N bytes; same answers")
        ->check(CLI::PositiveNumber)
        ->option_text("N");
    app.add_option("--chunk-seed", c.options.chunk_seed,
                   "feed each input through the stream in random chunks; same answers")
        ->option_text("SEED");
    app.add_option("--jobs", c.jobs, "threads that answer; all cores if left out")
        ->check(CLI::Range(1, 1024))
        ->option_text("N");
}

log_policy log_for(edit_detail edits) {
    switch (edits) {
    case edit_detail::none: return log_policy::off;
    case edit_detail::count: return log_policy::counted;
    case edit_detail::all: break;
    }
    return log_policy::kept;
}

} // namespace

exit_code run_batch(words arguments) {
    batch_command c;
    CLI::App app(summary, "jsonheal batch");
    add_batch_options(app, c);
    add_engine_options(app, c.options.engine);
    add_schema_options(app, c.options.schema);
    if (const auto said = parse_words(app, arguments)) { return *said; }
    if (c.options.chunk != 0 && c.options.chunk_seed) {
        return usage_error(app, "--chunk and --chunk-seed exclude each other");
    }
    if (const std::string why = contradiction(c.options.engine); !why.empty()) {
        return usage_error(app, why);
    }
    c.options.engine.log = log_for(c.options.edits);

    pipeline_options pipeline;
    pipeline.jobs = c.jobs != 0 ? c.jobs : std::max(1u, std::thread::hardware_concurrency());
    pipeline.answer_to_long_line =
        R"({"id":null,"verdict":"refused","error":"the line is longer than 4 GiB"})";
    const auto make_answerer = [&c] {
        return [worker = std::make_shared<batch_worker>(c.options)](std::string_view line,
                                                                    std::uint64_t number, std::string& out) {
            worker->answer(line, number, out);
        };
    };
    input_source in;
    problem p = in.open(c.file);
    if (!p) {
        p = batch_pipeline(std::move(pipeline), make_answerer).run(in, STDOUT_FILENO, "standard output");
    }
    if (p) { complain(*p); }
    return p ? exit_code::failed : exit_code::whole;
}

} // namespace jsonheal::cli
