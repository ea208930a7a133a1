// Tools, calls and results as text, for models without native tools.
#include <jsonheal/calls.hpp>

namespace jsonheal {

namespace {

/// An example for the prompt: the first tool with a value for each of its parameters.
std::string example_arguments(const call_tool& t) {
    document_builder b;
    b.begin_object();
    std::size_t shown = 0;
    for (const auto& p : t.program.root().properties()) {
        if (!p.node || shown++ == 3) { continue; }
        const kind_set kinds = t.program.root().with_index(*p.node).kinds();
        b.key(p.key);
        if (kinds.has(value_kind::string)) {
            b.string("text");
        } else if (kinds.has(value_kind::number)) {
            b.number(1);
        } else if (kinds.has(value_kind::boolean)) {
            b.boolean(true);
        } else if (kinds.has(value_kind::array)) {
            b.begin_array().end_array();
        } else if (kinds.has(value_kind::object)) {
            b.begin_object().end_object();
        } else {
            b.null();
        }
    }
    b.end_object();
    return std::string(b.finish().text());
}

} // namespace

std::string tool_prompt(const tool_set& tools, const call_format& format) {
    if (tools.tools().empty()) { return {}; }
    std::string out = "You can call these tools. Each is described by one line of JSON:\n\n";
    for (const call_tool& t : tools.tools()) {
        out.append("{\"name\":");
        encode_string(t.name, out);
        if (!t.description.empty()) {
            out.append(",\"description\":");
            encode_string(t.description, out);
        }
        out.append(",\"parameters\":");
        if (t.parameters.root().is(value_kind::object)) {
            compact(t.parameters.text(), out);
        } else {
            out.append(R"({"type":"object"})");
        }
        out.append("}\n");
    }
    read_call example;
    const call_tool& first = tools.tools().front();
    example.name = first.name;
    example.id = "0";
    example.arguments = first.has_schema ? example_arguments(first) : "{}";
    out.append("\nTo call a tool, write exactly this, with the tool's name and your values, and stop behind "
               "the last call:\n\n");
    out.append(render_call(example, format)).append("\n\n");
    out.append(
        "Call several tools by writing several calls in a row. Write a call only if you want it run.\n");
    return out;
}

std::string render_calls(std::span<const read_call> calls, const call_format& format) {
    std::vector<dialect::written_call> written;
    for (const read_call& c : calls) { written.push_back({c.name, c.arguments, c.id}); }
    std::string out;
    dialect::write_calls(format, written, out);
    return out;
}

std::string render_call(const read_call& call, const call_format& format) {
    return render_calls({&call, 1}, format);
}

std::string render_result(const read_call& call, std::string_view result, const call_format& format,
                          bool is_error) {
    std::string out;
    if (format.name == "react") {
        return out.append("Observation: ").append(is_error ? "[ERROR] " : "").append(result).append("\n");
    }
    if (format.name == "kimi_k2") {
        return out.append("## Return of ")
            .append(call.id)
            .append("\n")
            .append(is_error ? "[ERROR] " : "")
            .append(result)
            .append("\n");
    }
    out.append("<tool_response name=\"").append(call.name).append("\" id=\"").append(call.id).append("\">\n");
    return out.append(is_error ? "[ERROR] " : "").append(result).append("\n</tool_response>\n");
}

} // namespace jsonheal
