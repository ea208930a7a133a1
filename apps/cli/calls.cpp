/// @file calls.cpp
/// jsonheal calls [--format F] [--tools T] [--stream] [FILE]

#include "command_line.hpp"
#include "console.hpp"
#include "files.hpp"
#include "json_writer.hpp"
#include "subcommand.hpp"

#include <jsonheal/calls.hpp>

#include <vector>

namespace jsonheal::cli {

namespace {

struct calls_command {
    std::string format, tools, chat_template, prompt;
    std::string file = "-";
    bool list = false, stream = false, open_reasoning = false, correct = false;
    std::string in_reasoning = "unclosed";
};

constexpr const char* summary =
    "Reads tool calls out of a model's reply, whatever format it prints them in, and prints one JSON object: "
    "content, reasoning, calls.\n\n"
    "Without --format the first markers say which it is. Calls without markers count only if --tools "
    "declares their name.";

void add_calls_options(command_line& line, calls_command& c) {
    line.text("FILE", c.file, "the reply; standard input if left out");
    line.text("--format", c.format, "its format, see --list").shows("NAME");
    line.text("--tools", c.tools, "the declared tools: a JSON list, as OpenAI's or Anthropic's")
        .shows("FILE");
    line.text("--template", c.chat_template, "a chat template whose markers say the format").shows("FILE");
    line.flag("--open-reasoning", c.open_reasoning, "the prompt has opened the reasoning already");
    line.text("--in-reasoning", c.in_reasoning, "calls inside reasoning").shows("unclosed|read|ignore");
    line.flag("--stream", c.stream, "print events while the text arrives, one JSON object a line");
    line.flag("--correct", c.correct, "print what to tell the model where a call cannot be run, instead");
    line.text("--prompt", c.prompt,
              "print the part of a system prompt that declares the tools in that format, and read nothing")
        .shows("NAME");
    line.flag("--list", c.list, "list the formats");
}

exit_code print_list() {
    std::string out;
    for (const call_format& f : call_formats()) {
        out.append(f.name).append(f.name.size() < 18 ? 18 - f.name.size() : 1, ' ');
        const std::string_view shape = name(f.shape);
        out.append(shape).append(15 - shape.size(), ' ').append(f.models).append("\n");
    }
    return print(out) ? exit_code::whole : exit_code::failed;
}

problem find_format(const std::string& name, const call_format*& format) {
    if (name.empty() || name == "auto") { return std::nullopt; }
    format = find_call_format(name);
    if (format != nullptr) { return std::nullopt; }
    return "there is no format '" + name + "'; the nearest is '" + std::string(nearest_call_format(name)) +
           "', and `jsonheal calls --list` shows all";
}

problem read_options(const calls_command& c, tool_set& tools, call_options& o) {
    if (problem p = find_format(c.format, o.format)) { return p; }
    if (!c.chat_template.empty()) {
        input_file in;
        if (problem p = read_input(c.chat_template, o.limits.bytes, in)) { return p; }
        o.format = detect_call_format(in.text);
        if (o.format == nullptr) { return in.name + ": no format has its markers in this template"; }
    }
    if (!c.tools.empty()) {
        input_file in;
        if (problem p = read_input(c.tools, o.limits.bytes, in)) { return p; }
        tool_set_reading reading = tool_set::read(std::string_view(in.text));
        if (!reading) { return in.name + ": " + reading.error; }
        for (const std::string& note : reading.notes) { complain(in.name + ": " + note); }
        tools = std::move(reading.tools);
    }
    using dialect::reasoning_calls;
    if (c.in_reasoning != "unclosed" && c.in_reasoning != "read" && c.in_reasoning != "ignore") {
        return "--in-reasoning: '" + c.in_reasoning + "' is not one of unclosed|read|ignore";
    }
    o.in_reasoning = c.in_reasoning == "read"     ? reasoning_calls::read
                     : c.in_reasoning == "ignore" ? reasoning_calls::ignore
                                                  : reasoning_calls::unclosed;
    o.tools = &tools;
    o.open_reasoning = c.open_reasoning;
    return std::nullopt;
}

void write_event(const call_event& e, std::string& out) {
    constexpr std::string_view kinds[] = {"reasoning", "content", "begin", "arguments", "end"};
    {
        json_writer w(out, '{');
        w.text("event", kinds[static_cast<std::size_t>(e.what)]);
        switch (e.what) {
        case call_event::kind::reasoning:
        case call_event::kind::content: w.text("text", e.text); break;
        case call_event::kind::begin:
            w.number("index", e.index).text("id", e.id).text("name", e.name);
            w.member("declared").append(e.declared ? "true" : "false");
            break;
        case call_event::kind::arguments: w.number("index", e.index).text("text", e.text); break;
        case call_event::kind::end:
            w.number("index", e.index).text("status", name(e.status));
            if (!e.fit) { break; }
            w.member("fits").append(e.fit->fits ? "true" : "false");
            if (!e.fit->arguments.empty()) { w.json("arguments", e.fit->arguments); }
            break;
        }
    }
    out.push_back('\n');
}

exit_code code_of(const calls_reading& r) {
    exit_code worst = exit_code::whole;
    for (const read_call& c : r.calls) {
        if (c.status == call_status::incomplete) { worst = worse(worst, exit_code::truncated); }
        if (c.status == call_status::rejected) { worst = worse(worst, exit_code::misfit); }
    }
    return worst;
}

std::string report(const calls_reading& r) {
    std::string out;
    {
        json_writer w(out, '{');
        w.text("content", r.content).text("reasoning", r.reasoning).member("calls");
        json_writer list(out, '[');
        for (const read_call& c : r.calls) {
            json_writer call(list.element(), '{');
            call.text("id", c.id)
                .text("name", c.name)
                .json("arguments", c.arguments)
                .text("status", name(c.status));
            call.member("declared").append(c.declared ? "true" : "false");
            if (c.fit) { call.member("fits").append(c.fit->fits ? "true" : "false"); }
        }
    }
    return out.append("\n");
}

} // namespace

exit_code run_calls(words arguments_given) {
    calls_command c;
    command_line line(summary, "jsonheal calls");
    add_calls_options(line, c);
    if (const auto said = parse_words(line, arguments_given)) { return *said; }
    if (c.list) { return print_list(); }
    tool_set tools;
    call_options o;
    const call_format* prompted = nullptr;
    problem wrong = read_options(c, tools, o);
    if (!wrong) { wrong = find_format(c.prompt, prompted); }
    input_source in;
    if (!wrong && prompted == nullptr) { wrong = in.open(c.file); }
    if (wrong) {
        complain(*wrong);
        return exit_code::failed;
    }
    if (prompted != nullptr) {
        return print(tool_prompt(tools, *prompted)) ? exit_code::whole : exit_code::failed;
    }
    call_reader reader(o);
    calls_reading reading;
    std::vector<char> buffer(65536);
    const auto take = [&](std::span<const call_event> events) {
        gather(events, reading);
        if (!c.stream) { return true; }
        std::string out;
        for (const call_event& e : events) { write_event(e, out); }
        return print(out);
    };
    for (;;) {
        std::size_t got = 0;
        if (const problem p = in.read(buffer.data(), buffer.size(), got)) {
            complain(*p);
            return exit_code::failed;
        }
        if (got == 0) { break; }
        if (!take(reader.feed({buffer.data(), got}))) { return exit_code::failed; }
    }
    if (!take(reader.finish())) { return exit_code::failed; }
    if (c.correct) {
        return print(correction_message(reading, tools)) ? code_of(reading) : exit_code::failed;
    }
    if (!c.stream && !print(report(reading))) { return exit_code::failed; }
    return code_of(reading);
}

} // namespace jsonheal::cli
