/// @file batch.cpp
/// jsonheal batch [FILE]

#include "batch_functions.hpp"
#include "batch_pipeline.hpp"
#include "command_line.hpp"
#include "console.hpp"
#include "engine_options.hpp"
#include "subcommand.hpp"

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

void add_batch_options(command_line& line, batch_command& c) {
    line.text("FILE", c.file, "the records; standard input if left out");
    add_choice<edit_detail>(
        line, "--edits", c.options.edits,
        {{"none", edit_detail::none}, {"count", edit_detail::count}, {"all", edit_detail::all}},
        "add the changes as \"edits\"");
    line.flag("--text", c.options.text, "add the healed text as \"json\"");
    line.number("--chunk", c.options.chunk, {.least = 1},
                "feed each input through the stream in chunks of N bytes; same answers")
        .shows("N");
    line.number(
            "--chunk-seed", [&c](std::uint64_t seed) { c.options.chunk_seed = seed; }, {},
            "feed each input through the stream in random chunks; same answers")
        .shows("SEED");
    line.number("--jobs", c.jobs, {1, 1024}, "threads that answer; all cores if left out").shows("N");
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
    command_line line(summary, "jsonheal batch");
    add_batch_options(line, c);
    add_engine_options(line, c.options.engine);
    add_schema_options(line, c.options.schema);
    if (const auto said = parse_words(line, arguments)) { return *said; }
    if (c.options.chunk != 0 && c.options.chunk_seed) {
        return usage_error(line, "--chunk and --chunk-seed exclude each other");
    }
    if (const std::string why = contradiction(c.options.engine); !why.empty()) {
        return usage_error(line, why);
    }
    c.options.engine.log = log_for(c.options.edits);

    pipeline_options pipeline;
    pipeline.jobs = c.jobs != 0 ? c.jobs : std::max(1u, std::thread::hardware_concurrency());
    pipeline.answer_to_long_line =
        R"({"id":null,"verdict":"refused","error":"the line is longer than 4 GiB"})";
    const auto make_answerer = [&c] {
        return [worker = std::make_shared<batch_worker>(c.options)](std::string_view record,
                                                                    std::uint64_t number, std::string& out) {
            worker->answer(record, number, out);
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
