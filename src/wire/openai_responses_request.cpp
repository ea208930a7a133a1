// Requests of OpenAI Responses: JSON to neutral.
#include "openai_responses.hpp"

#include <utility>

namespace jsonheal::wire_detail::responses {

namespace {

/// The message of the assistant that goes on: what it says, calls and thinks in a row is one turn.
message& assistant_turn(std::vector<message>& out) {
    if (out.empty() || out.back().role != role::assistant) { out.push_back({role::assistant, {}, {}, {}}); }
    return out.back();
}

void read_message(decoding& in, value_view item, std::vector<message>& out) {
    const std::string role_name = string_in(item, "role");
    const auto known = role_by_name(role_name);
    if (!known || *known == role::tool) {
        in.fail(item, "must be one of user, assistant, system, developer", "role");
        return;
    }
    if (*known == role::assistant) {
        read_output_item(in, item, "message", assistant_turn(out).blocks);
        return;
    }
    message m{*known, {}, {}, {}};
    std::string scratch;
    for (const member part : item.members()) {
        const std::string_view key = key_of(part, scratch);
        if (key == "content") {
            read_parts(in, part.value, m.blocks);
        } else if (key != "type" && key != "role") {
            keep_extra(part, m.extra);
        }
    }
    out.push_back(std::move(m));
}

void read_result(decoding& in, value_view item, std::vector<message>& out) {
    tool_result result;
    message m{role::tool, {}, {}, {}};
    message content;
    std::string scratch;
    for (const member part : item.members()) {
        const std::string_view key = key_of(part, scratch);
        if (key == "call_id") {
            in.text(part.value, result.call_id);
        } else if (key == "output") {
            read_parts(in, part.value, content.blocks);
        } else if (key != "type") {
            keep_extra(part, m.extra);
        }
    }
    if (result.call_id.empty()) { in.fail(item, "is required", "call_id"); }
    result.content = content.text();
    const bool plain = content.blocks.empty() ||
                       (content.blocks.size() == 1 && content.blocks[0] == make_text(result.content));
    if (!plain) { result.parts = std::move(content.blocks); }
    read_error_mark(result);
    m.blocks.push_back({std::move(result), {}, {}});
    out.push_back(std::move(m));
}

void read_item(decoding& in, value_view item, std::vector<message>& out) {
    if (!in.object(item)) {
        in.fail(item, "must be an object");
        return;
    }
    const std::string type = string_in(item, "type");
    if (type == "message" || (type.empty() && item.find("role"))) {
        read_message(in, item, out);
    } else if (type == "function_call_output" || type == "custom_tool_call_output") {
        read_result(in, item, out);
    } else if (type.empty()) {
        in.fail(item, "is required", "type");
    } else if (!read_output_item(in, item, type, assistant_turn(out).blocks)) {
        assistant_turn(out).blocks.push_back({other_block{json_of(item)}, {}, {}});
    }
}

tool_definition read_tool(decoding& in, value_view v) {
    tool_definition tool;
    if (!in.object(v)) {
        in.fail(v, "must be an object");
        return tool;
    }
    if (string_in(v, "type") != "function") {
        tool.json = json_of(v);
        return tool;
    }
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "name") {
            in.text(m.value, tool.name);
        } else if (key == "description") {
            in.text(m.value, tool.description);
        } else if (key == "parameters") {
            if (in.object(m.value)) { tool.parameters = json_of(m.value); }
        } else if (key == "strict") {
            in.boolean(m.value, tool.strict);
        } else if (key != "type") {
            keep_extra(m, tool.extra);
        }
    }
    if (tool.name.empty()) { in.fail(v, "is required", "name"); }
    return tool;
}

void read_tool_choice(decoding& in, value_view v, tool_choice& out) {
    using kind = tool_choice::kind;
    if (v.is(value_kind::string)) {
        const std::string word = v.string();
        out.what = word == "auto" ? kind::automatic : word == "none" ? kind::none : kind::required;
        if (word != "auto" && word != "none" && word != "required") {
            in.fail(v, "must be auto, none, required, or an object");
        }
    } else if (in.object(v)) {
        const bool plain = string_in(v, "type") == "function" && v.size() == 2;
        out.what = plain ? kind::tool : kind::other;
        out.name = plain ? string_in(v, "name") : std::string();
        if (plain && out.name.empty()) { in.fail(v, "is required", "name"); }
        if (!plain) { out.json = json_of(v); }
    }
}

void read_format(decoding& in, value_view v, response_format& out) {
    using kind = response_format::kind;
    if (!in.object(v)) { return; }
    const std::string type = string_in(v, "type");
    out.what = type == "text"          ? kind::text
               : type == "json_object" ? kind::json_object
               : type == "json_schema" ? kind::json_schema
                                       : kind::other;
    if (type.empty()) { in.fail(v, "is required", "type"); }
    if (out.what == kind::other) {
        out.json = json_of(v);
        return;
    }
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "name") {
            in.text(m.value, out.name);
        } else if (key == "description") {
            in.text(m.value, out.description);
        } else if (key == "schema") {
            in.raw(m.value, out.schema);
        } else if (key == "strict") {
            in.boolean(m.value, out.strict);
        } else if (key != "type") {
            keep_extra(m, out.extra);
        }
    }
    if (out.what == kind::json_schema && out.schema.empty()) { in.fail(v, "is required", "schema"); }
}

void read_text_options(decoding& in, value_view v, response_format& out) {
    if (!in.object(v)) { return; }
    std::string scratch;
    for (const member m : v.members()) {
        if (key_of(m, scratch) == "format") {
            read_format(in, m.value, out);
        } else {
            keep_extra(m, out.wrapper_extra);
        }
    }
}

/// `{"effort":"low"}` alone is the neutral effort; with more it stays as it is besides.
void read_reasoning(decoding& in, const member& m, request& out) {
    if (!in.object(m.value)) { return; }
    if (const auto effort = m.value.find("effort")) { in.text(*effort, out.reasoning_effort); }
    if (m.value.size() > (out.reasoning_effort.empty() ? 0u : 1u)) { keep_extra(m, out.extra); }
}

bool read_setting(decoding& in, const member& m, std::string_view key, request& out) {
    const value_view v = m.value;
    if (key == "model") {
        in.text(v, out.model);
    } else if (key == "instructions") {
        std::string text;
        if (in.text(v, text)) { out.system = {make_text(std::move(text))}; }
    } else if (key == "max_output_tokens") {
        in.integer(v, out.max_tokens);
    } else if (key == "temperature") {
        in.number(v, out.temperature);
    } else if (key == "top_p") {
        in.number(v, out.top_p);
    } else if (key == "stream") {
        in.boolean(v, out.stream);
    } else if (key == "parallel_tool_calls") {
        in.boolean(v, out.parallel_tool_calls);
    } else if (key == "user") {
        in.text(v, out.user);
    } else if (key == "metadata") {
        in.raw(v, out.metadata);
    } else if (key == "reasoning") {
        read_reasoning(in, m, out);
    } else {
        return false;
    }
    return true;
}

bool read_structure(decoding& in, std::string_view key, value_view v, request& out) {
    if (key == "input") {
        out.messages.clear();
        if (v.is(value_kind::string)) {
            out.messages.push_back({role::user, {make_text(v.string())}, {}, {}});
        } else if (in.array(v)) {
            for (const value_view item : v.elements()) { read_item(in, item, out.messages); }
        }
    } else if (key == "tools") {
        out.tools.clear();
        if (!in.array(v)) { return true; }
        for (const value_view t : v.elements()) { out.tools.push_back(read_tool(in, t)); }
    } else if (key == "tool_choice") {
        out.tool_choice = {};
        read_tool_choice(in, v, out.tool_choice);
    } else if (key == "text") {
        out.response_format = {};
        read_text_options(in, v, out.response_format);
    } else if (key == "stream_options") {
        if (!in.object(v)) { return true; }
        for (const member m : v.members()) { keep_extra(m, out.stream_extra); }
    } else {
        return false;
    }
    return true;
}

} // namespace

reading<request> decode_request(std::string_view json, const decode_options& options) {
    reading<request> result;
    decoding in(json, wire_id::openai_responses, options.depth, 400);
    request& out = result.value;
    out.origin = wire_id::openai_responses;
    if (!in.ok()) {
        result.error = in.take_error();
        return result;
    }
    std::string scratch;
    for (const member m : in.root().members()) {
        const std::string_view key = key_of(m, scratch);
        if (!read_setting(in, m, key, out) && !read_structure(in, key, m.value, out)) {
            keep_extra(m, out.extra);
        }
    }
    if (out.messages.empty()) { in.fail(in.root(), "is required and must not be empty", "input"); }
    if (out.model.empty()) { in.fail(in.root(), "is required", "model"); }
    result.error = in.take_error();
    return result;
}

} // namespace jsonheal::wire_detail::responses
