// Calls as a model of a format writes them.
#include "formats.hpp"

#include <jsonheal/document.hpp>

namespace jsonheal::dialect {

namespace {

using namespace detail;

/// A value of JSON as a Python literal, or with strings between marks. No recursion: one pass over the text.
void append_literal(std::string_view json, std::string_view mark, std::string& out) {
    for (std::size_t i = 0; i < json.size();) {
        const char c = json[i];
        if (c == '"') {
            std::size_t end = i + 1;
            while (json[end] != '"') { end += json[end] == '\\' ? 2u : 1u; }
            ++end;
            const std::string_view quoted = json.substr(i, end - i);
            std::size_t next = end;
            while (next < json.size() && json[next] == ' ') { ++next; }
            const bool key = next < json.size() && json[next] == ':';
            if (mark.empty()) {
                // a JSON string is a Python string but for \/, which Python keeps
                for (std::size_t k = 0; k < quoted.size(); ++k) {
                    if (quoted[k] == '\\' && quoted[k + 1] != '/') {
                        out.append(quoted.substr(k++, 2));
                    } else if (quoted[k] != '\\') {
                        out.push_back(quoted[k]);
                    }
                }
            } else {
                std::string text;
                (void)decode_string(quoted, text);
                out.append(key ? std::string_view() : mark)
                    .append(text)
                    .append(key ? std::string_view() : mark);
            }
            i = end;
            continue;
        }
        if (mark.empty() && (c == 't' || c == 'f' || c == 'n')) {
            const std::string_view word = c == 't' ? "True" : c == 'f' ? "False" : "None";
            out.append(word);
            i += c == 'f' ? 5 : 4;
            continue;
        }
        out.push_back(c);
        ++i;
    }
}

/// A value as the text of a parameter: strings as they are, all else as JSON.
void append_text(value_view v, std::string& out) {
    if (v.is(value_kind::string)) {
        out.append(v.string());
    } else {
        out.append(v.source());
    }
}

void append_attribute(std::string_view text, std::string& out) {
    for (const char c : text) {
        switch (c) {
        case '"': out.append("&quot;"); break;
        case '\'': out.append("&#39;"); break;
        case '&': out.append("&amp;"); break;
        case '<': out.append("&lt;"); break;
        case '>': out.append("&gt;"); break;
        default: out.push_back(c);
        }
    }
}

class call_writer {
public:
    call_writer(const format_row& row, std::string& out)
        : row_(row), style_(style_of(row.style)), out_(out) {}

    void run(std::span<const written_call> calls) {
        const std::string_view format = row_.info.name;
        if (row_.info.shape == call_shape::python) { return python(calls); }
        if (row_.info.shape == call_shape::array || format == "generic_json") { return list(calls); }
        out_.append(first_line(row_.sections));
        const bool lines =
            row_.info.shape == call_shape::sequence || row_.info.shape == call_shape::invoke_tags ||
            row_.info.shape == call_shape::typed_tags || row_.info.shape == call_shape::element_tags;
        bool first = true;
        for (const written_call& c : calls) {
            if ((!first || !row_.sections.empty()) && lines && format != "kimi_k3" &&
                format != "cohere_cofl") {
                out_.push_back('\n');
            }
            if (!first && !lines && row_.sections.empty() && row_.info.shape != call_shape::named_object &&
                row_.info.shape != call_shape::delimited) {
                out_.push_back('\n');
            }
            if (!first && row_.arranged == arrangement::harmony) { out_.append("<|start|>assistant"); }
            one(c, first);
            first = false;
        }
        if (!row_.section_ends.empty()) {
            if (lines && format != "kimi_k3" && format != "cohere_cofl") { out_.push_back('\n'); }
            out_.append(first_line(row_.section_ends));
        }
    }

private:
    void object(const written_call& c) {
        if (row_.name_key.empty()) {
            out_.push_back('{');
            encode_string(c.name, out_);
            out_.append(": ").append(c.arguments).append("}");
            return;
        }
        out_.push_back('{');
        if (row_.name_key == "tool_name" && row_.info.name == "cohere_action") {
            out_.append("\"tool_call_id\": ");
            encode_string(c.id, out_);
            out_.append(", ");
        }
        encode_string(row_.name_key, out_);
        out_.append(": ");
        encode_string(c.name, out_);
        out_.append(", ");
        encode_string(row_.arguments_key, out_);
        out_.append(": ").append(c.arguments).append("}");
    }

    void list(std::span<const written_call> calls) {
        const bool generic = row_.info.name == "generic_json";
        const bool fenced = row_.info.name == "command_r_legacy";
        if (generic) {
            out_.append("{\"tool_calls\": ");
        } else if (fenced) {
            out_.append("Action: ```json\n");
        } else {
            out_.append(first_line(row_.sections));
            if (row_.info.name != "xlam") { out_.append(first_line(row_.calls)); }
        }
        out_.push_back('[');
        for (const written_call& c : calls) {
            if (&c != calls.data()) { out_.append(", "); }
            object(c);
        }
        out_.push_back(']');
        if (generic) { out_.push_back('}'); }
        if (fenced) { out_.append("\n```"); }
        if (!generic && !fenced && !row_.section_ends.empty()) { out_.append(first_line(row_.section_ends)); }
    }

    void python(std::span<const written_call> calls) {
        const bool lines = row_.info.name == "olmo3" || row_.info.name == "gemma3_tool_code";
        out_.append(first_line(row_.sections.empty() ? row_.calls : row_.sections));
        out_.append(lines ? "\n" : "[");
        for (const written_call& c : calls) {
            if (&c != calls.data()) { out_.append(lines ? "\n" : ", "); }
            out_.append(c.name).push_back('(');
            const parse_result parsed = document::parse_borrowed(c.arguments);
            bool first = true;
            for (const member m : parsed.value.root().members()) {
                const std::string key = m.key.string();
                out_.append(first ? "" : ", ").append(key).push_back('=');
                append_literal(m.value.source(), {}, out_);
                first = false;
            }
            out_.push_back(')');
        }
        out_.append(lines ? "\n" : "]");
        out_.append(first_line(row_.section_ends.empty() ? row_.call_ends : row_.section_ends));
    }

    void one(const written_call& c, bool first) {
        switch (row_.info.shape) {
        case call_shape::object: return wrapped(c);
        case call_shape::sequence:
            out_.append(first || row_.info.name != "llama3_json" ? first_line(row_.calls)
                                                                 : std::string_view());
            return object(c);
        case call_shape::named_object: return named(c);
        case call_shape::delimited: return delimited(c);
        case call_shape::lines: return attributes(c);
        default: return tags(c);
        }
    }

    void wrapped(const written_call& c) {
        const std::string_view format = row_.info.name;
        if (format == "inkling") {
            out_.append("<|message_model|>").append(c.name).append("<|content_invoke_tool_json|>");
            object(c);
            out_.append("<|end_message|>");
            return;
        }
        if (format == "gigachat3") {
            out_.append("<|message_sep|>\n\nfunction call<|role_sep|>\n");
        } else {
            out_.append(first_line(row_.calls))
                .append(format == "rwkv"       ? "\n```json\n"
                        : format == "lmstudio" ? ""
                                               : "\n");
        }
        object(c);
        if (format == "gigachat3") { return; } // the turn ends with the call
        out_.append(format == "rwkv"                                 ? "\n```"
                    : format == "lmstudio" || row_.call_ends.empty() ? ""
                                                                     : "\n")
            .append(first_line(row_.call_ends));
    }

    void named(const written_call& c) {
        const std::string_view format = row_.info.name;
        const auto put = [&](std::initializer_list<std::string_view> parts) {
            for (const std::string_view part : parts) { out_.append(part); }
        };
        if (format == "mistral_args") { return put({"[TOOL_CALLS]", c.name, "[ARGS]", c.arguments}); }
        if (format == "mistral_callid") {
            return put({"[TOOL_CALLS]", c.name, "[CALL_ID]", c.id, "[ARGS]", c.arguments});
        }
        if (format == "functionary_v3_1") {
            return put({"<function=", c.name, ">", c.arguments, "</function>"});
        }
        if (format == "functionary_v3_2") { return put({">>>", c.name, "\n", c.arguments}); }
        if (format == "kimi_k2") {
            return put({"<|tool_call_begin|>", c.id.empty() ? c.name : c.id, "<|tool_call_argument_begin|>",
                        c.arguments, "<|tool_call_end|>"});
        }
        if (format == "deepseek_v3") {
            return put({"<｜tool▁call▁begin｜>function<｜tool▁sep｜>", c.name, "\n```json\n", c.arguments,
                        "\n```<｜tool▁call▁end｜>"});
        }
        if (format == "deepseek_v31") {
            return put(
                {"<｜tool▁call▁begin｜>", c.name, "<｜tool▁sep｜>", c.arguments, "<｜tool▁call▁end｜>"});
        }
        if (format == "harmony") {
            return put({"<|channel|>commentary to=functions.", c.name, " <|constrain|>json<|message|>",
                        c.arguments, "<|call|>"});
        }
        if (format == "plamo3") {
            return put({"<|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>", c.name,
                        "<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>"
                        "json<|plamo:msg|>",
                        c.arguments, "<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|>"});
        }
        put({"<use_mcp_tool>\n<server_name>tools</server_name>\n<tool_name>", c.name,
             "</tool_name>\n<arguments>\n", c.arguments, "\n</arguments>\n</use_mcp_tool>\n"});
    }

    void delimited(const written_call& c) {
        const std::string_view mark = row_.info.name == "functiongemma" ? "<escape>" : "<|\"|>";
        out_.append(first_line(row_.calls)).append("call:").append(c.name).push_back('{');
        const parse_result parsed = document::parse_borrowed(c.arguments);
        bool first = true;
        for (const member m : parsed.value.root().members()) {
            out_.append(first ? "" : ",").append(m.key.string()).push_back(':');
            append_literal(m.value.source(), mark, out_);
            first = false;
        }
        out_.append("}").append(first_line(row_.call_ends));
    }

    void attributes(const written_call& c) {
        if (row_.arranged == arrangement::react) {
            out_.append("Action: ")
                .append(c.name)
                .append("\nAction Input: ")
                .append(c.arguments)
                .append("\n");
            return;
        }
        out_.append("<tool_call name=\"").append(c.name).append("\" args=\"");
        append_attribute(c.arguments, out_);
        out_.append("\" />");
    }

    void tags(const written_call& c) {
        const std::string_view format = row_.info.name;
        const bool newlines = style_.layout_newline || format == "glm45" || format == "longcat2" ||
                              format == "solar_open2" || format == "minimax_m2" || format == "claude_xml" ||
                              format == "dots" || format == "deepseek_v32" || format == "deepseek_v4" ||
                              format == "gigachat35" || format == "minimax_m3";
        const std::string_view line = newlines ? "\n" : "";
        if (format == "muse_glimmer") { out_.append(""); }
        if (format == "step3") { out_.append("<｜tool_call_begin｜>function<｜tool_sep｜>"); }
        const bool wrapped_call = !row_.calls.empty() && format != "step3";
        if (wrapped_call) {
            out_.append(first_line(row_.calls)).append(style_.call_name == name_place::line ? "" : "\n");
        }
        switch (style_.call_name) {
        case name_place::bare: out_.append(style_.call_open).append(c.name).append(">"); break;
        case name_place::attribute:
            out_.append(first_line(style_.call_open));
            if (format == "cohere_cofl") { out_.append("id=\"").append(c.id).append("\" "); }
            out_.append(style_.name_attribute).append("=\"").append(c.name).append("\"");
            if (format == "kimi_k3") { out_.append(" index=\"").append(c.id).append("\""); }
            out_.append(style_.tag_end);
            break;
        case name_place::line: out_.append(c.name).append(format == "hy_v3" ? "<tool_sep>" : ""); break;
        case name_place::element: out_.append("<").append(c.name).append(">"); break;
        }
        out_.append(line);
        const parse_result parsed = document::parse_borrowed(c.arguments);
        for (const member m : parsed.value.root().members()) { parameter(m.key.string(), m.value, line); }
        if (style_.call_name == name_place::element) {
            out_.append("</").append(c.name).append(">");
        } else if (style_.call_name != name_place::line) {
            out_.append(first_line(style_.call_close));
        }
        if (format == "step3") { out_.append("<｜tool_call_end｜>"); }
        if (wrapped_call) {
            out_.append(style_.call_name == name_place::line ? "" : "\n").append(first_line(row_.call_ends));
        }
    }

    void parameter(const std::string& key, value_view v, std::string_view line) {
        out_.append(first_line(style_.param_open));
        const bool text = v.is(value_kind::string);
        switch (style_.param_name) {
        case name_place::line:
            out_.append(key).append(style_.key_close);
            if (!style_.value_open.empty()) { out_.append(line).append(style_.value_open); }
            break;
        case name_place::attribute:
            out_.append(style_.key_attribute).append("=\"").append(key).append("\"");
            if (!style_.type_attribute.empty() && row_.info.shape == call_shape::typed_tags) {
                const std::string_view type = style_.type_attribute == "string" ? (text ? "true" : "false")
                                              : row_.info.name == "cohere_cofl"
                                                  ? (text ? "raw" : "json")
                                                  : std::string_view(name(v.kind()));
                out_.append(" ").append(style_.type_attribute).append("=\"").append(type).append("\"");
            }
            out_.append(style_.tag_end);
            break;
        default: out_.append(key).append(">"); break;
        }
        if (style_.layout_newline) { out_.append("\n"); }
        append_text(v, out_);
        if (style_.layout_newline) { out_.append("\n"); }
        if (style_.param_name == name_place::element) {
            out_.append(style_.param_close).append(key).append(">");
        } else {
            out_.append(first_line(style_.param_close));
        }
        out_.append(line);
    }

    const format_row& row_;
    const tag_style& style_;
    std::string& out_;
};

} // namespace

void write_calls(const call_format& format, std::span<const written_call> calls, std::string& out) {
    call_writer(row_of(format), out).run(calls);
}

} // namespace jsonheal::dialect
