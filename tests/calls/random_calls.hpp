// Random tools' calls, with everything in their values that has ever confused a reader of them.
#pragma once

#include "random.hpp"

#include <jsonheal/calls.hpp>

#include <string>
#include <vector>

namespace jsonheal_test {

inline constexpr std::string_view tools_text = R"([
  {"name": "save_note", "parameters": {"type": "object", "properties": {
    "text": {"type": "string"}, "count": {"type": "integer"}, "ratio": {"type": "number"}, "pinned": {"type": "boolean"},
    "tags": {"type": "array", "items": {"type": "string"}}, "extra": {"type": "object"}}, "required": ["text"]}},
  {"name": "run_shell", "parameters": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}},
  {"name": "mcp__files-app__read", "parameters": {"type": "object", "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}}}},
  {"name": "ping", "parameters": {"type": "object", "properties": {}}}
])";

/// Text of words, code, quotes and single markers. Between two markers stands a word: next to each other they may be the
/// end of a value by every rule.
inline std::string random_text(random_source& r) {
    static constexpr std::string_view plain[] = {"a",
                                                 "word",
                                                 " ",
                                                 "\n",
                                                 "\t",
                                                 "  indented\n",
                                                 "Łódź",
                                                 "日本",
                                                 "🌴",
                                                 "\u00e9",
                                                 "\"",
                                                 "'",
                                                 "\\",
                                                 "/",
                                                 "{",
                                                 "}",
                                                 "[",
                                                 "]",
                                                 "(",
                                                 ")",
                                                 ",",
                                                 ":",
                                                 ";",
                                                 "=",
                                                 "<",
                                                 ">",
                                                 "&",
                                                 "&amp;",
                                                 "&lt;",
                                                 "0",
                                                 "-1.5e3",
                                                 "null",
                                                 "true",
                                                 "print(\"x\")\n",
                                                 "if a[0] == (1, 2):\n    pass\n",
                                                 "{\"a\": {\"b\": [1]}}",
                                                 "C:\\temp\\new",
                                                 "\\n",
                                                 "```",
                                                 "\"\"\"",
                                                 "'''",
                                                 "#"};
    static constexpr std::string_view markers[] = {"</tool_call>",
                                                   "<tool_call>",
                                                   "</parameter>",
                                                   "<parameter=x>",
                                                   "</function>",
                                                   "<function=f>",
                                                   "[TOOL_CALLS]",
                                                   "[ARGS]",
                                                   "<arg_key>",
                                                   "</arg_value>",
                                                   "</invoke>",
                                                   "<invoke name=\"f\">",
                                                   "<|tool_call_end|>",
                                                   "<|call|>",
                                                   "</think>",
                                                   "<think>",
                                                   "<｜DSML｜parameter name=\"x\" string=\"true\">",
                                                   "</｜DSML｜invoke>",
                                                   "<|python_end|>",
                                                   "]<]minimax[>[</invoke>",
                                                   "<|message|>",
                                                   "<tool_call|>",
                                                   ">>>ping",
                                                   "Action: ping",
                                                   "<end_function_call>",
                                                   "<|close|>argument<|sep|>",
                                                   "<html>",
                                                   "</html>"};
    std::string out;
    const std::size_t pieces = r.below(10);
    for (std::size_t i = 0; i < pieces; ++i) {
        if (r.chance(15)) {
            out.append("w ").append(r.pick(markers)).append(" w");
        } else {
            out.append(r.pick(plain));
        }
    }
    return out;
}

inline void append_scalar(random_source& r, jsonheal::document_builder& b) {
    static constexpr std::string_view numbers[] = {
        "0", "-1", "42", "9007199254740993", "0.1", "-1.5e3", "12345678901234567890"};
    switch (r.below(4)) {
    case 0: b.string(random_text(r)); break;
    case 1: b.number_text(r.pick(numbers)); break;
    case 2: b.boolean(r.chance(50)); break;
    default: b.null();
    }
}

inline void append_object(random_source& r, jsonheal::document_builder& b, std::size_t depth) {
    static constexpr std::string_view keys[] = {"a", "b_c", "name", "x1"};
    b.begin_object();
    std::size_t from = r.below(4);
    for (std::size_t n = r.below(3); n > 0; --n) {
        b.key(keys[from++ % 4]);
        if (depth > 0 && r.chance(40)) {
            append_object(r, b, depth - 1);
        } else {
            append_scalar(r, b);
        }
    }
    b.end_object();
}

/// A call of one of the tools above.
inline jsonheal::read_call random_call(random_source& r, std::size_t number) {
    static constexpr std::string_view integers[] = {"0", "-7", "42", "9007199254740993"};
    static constexpr std::string_view numbers[] = {"0.1", "-1.5e3", "3", "1e-9"};
    jsonheal::read_call c;
    jsonheal::document_builder b;
    b.begin_object();
    switch (r.below(8)) {
    case 0: c.name = "ping"; break;
    case 1:
    case 2:
        c.name = "run_shell";
        b.key("command").string(random_text(r));
        break;
    case 3:
        c.name = "mcp__files-app__read";
        if (r.chance(70)) { b.key("path").string(random_text(r)); }
        if (r.chance(50)) { b.key("limit").number_text(r.pick(integers)); }
        break;
    default:
        c.name = "save_note";
        b.key("text").string(random_text(r));
        if (r.chance(40)) { b.key("count").number_text(r.pick(integers)); }
        if (r.chance(40)) { b.key("ratio").number_text(r.pick(numbers)); }
        if (r.chance(40)) { b.key("pinned").boolean(r.chance(50)); }
        if (r.chance(40)) {
            b.key("tags").begin_array();
            for (std::size_t n = r.below(3); n > 0; --n) { b.string(random_text(r)); }
            b.end_array();
        }
        if (r.chance(30)) {
            b.key("extra");
            append_object(r, b, 3);
        }
    }
    b.end_object();
    c.arguments = std::string(b.finish().text());
    c.id = "functions." + c.name + ":" + std::to_string(number);
    return c;
}

/// A reading with the text fed in random pieces.
inline jsonheal::calls_reading read_chunked(std::string_view text, const jsonheal::call_options& o,
                                            std::uint64_t seed) {
    random_source r(seed);
    const std::size_t most = seed % 3 == 0 ? 1 : seed % 3 == 1 ? 4 : 40;
    jsonheal::call_reader reader(o);
    jsonheal::calls_reading out;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t n = most == 40 ? 1 + r.below(40) : most;
        jsonheal::gather(reader.feed(text.substr(i, n)), out);
        i += n;
    }
    jsonheal::gather(reader.finish(), out);
    return out;
}

/// All that a reading says, as text, for comparing and for messages.
/// All that a reading says.
inline std::string show(const jsonheal::calls_reading& r) {
    std::string out = "content " + r.content + "\nreasoning " + r.reasoning;
    for (const jsonheal::read_call& c : r.calls) {
        out += "\ncall " + c.id + " " + c.name + (c.declared ? " declared " : " ") + c.arguments + " " +
               std::string(name(c.status)) + " " + std::to_string(c.begin_offset) + "-" +
               std::to_string(c.end_offset);
        for (const auto& e : c.edits) {
            out += " edit " + std::to_string(e.begin) + "-" + std::to_string(e.end) + " " +
                   std::string(e.text()) + " " + std::string(info(e.rule).id);
        }
        for (const auto& t : c.retyped) { out += " retyped " + t.key + (t.fits ? "" : " unfit"); }
        if (!c.fit) { continue; }
        out += c.fit->fits ? " fits" : " misfit";
        for (const auto& one : c.fit->changes) { out += " change " + one.pointer + one.before + one.after; }
        for (const auto& v : c.fit->violations) { out += " " + v.message; }
    }
    return out;
}

} // namespace jsonheal_test
