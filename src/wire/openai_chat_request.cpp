// Requests of chat completions: JSON to neutral.
#include "openai_chat.hpp"

#include <utility>

namespace jsonheal::wire_detail::chat {

namespace {

/// A tool's message: one result. Its name stays with the result.
void read_result(decoding& in, value_view v, message& out) {
    tool_result result;
    message content;
    std::string scratch;
    bool linked = false;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "content") {
            content.blocks.clear();
            read_content(in, m.value, content.blocks);
        } else if (key == "tool_call_id") {
            linked = in.text(m.value, result.call_id);
        } else if (key == "name") {
            in.text(m.value, result.name);
        } else if (key != "role") {
            keep_extra(m, out.extra);
        }
    }
    if (!linked) { in.fail(v, "is required", "tool_call_id"); }
    result.content = content.text();
    const bool plain = content.blocks.empty() ||
                       (content.blocks.size() == 1 && content.blocks[0] == make_text(result.content));
    if (!plain) { result.parts = std::move(content.blocks); }
    read_error_mark(result);
    out.blocks.push_back({std::move(result), {}, {}});
}

message read_message(decoding& in, value_view v) {
    message out;
    if (!in.object(v)) {
        in.fail(v, "must be an object");
        return out;
    }
    const auto role_value = v.find("role");
    std::string role_name;
    if (!role_value || !in.text(*role_value, role_name)) {
        in.fail(v, "is required", "role");
        return out;
    }
    const auto known = role_by_name(role_name);
    if (!known) {
        in.fail(*role_value, "must be one of system, developer, user, assistant, tool");
        return out;
    }
    out.role = *known;
    if (out.role == role::tool) {
        read_result(in, v, out);
        return out;
    }
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "role") { continue; }
        if (key == "name") {
            in.text(m.value, out.participant);
        } else if (out.role == role::assistant && read_assistant_member(in, key, m.value, out)) {
            continue;
        } else if (key == "content") {
            if (!out.blocks.empty()) { in.fail(m.value, "is repeated"); }
            read_content(in, m.value, out.blocks);
        } else {
            keep_extra(m, out.extra);
        }
    }
    return out;
}

void read_tool_function(decoding& in, value_view v, tool_definition& tool) {
    if (!in.object(v)) { return; }
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
        } else {
            keep_extra(m, tool.extra);
        }
    }
    if (tool.name.empty()) { in.fail(v, "a function must have a name", "name"); }
}

tool_definition read_tool(decoding& in, value_view v) {
    tool_definition tool;
    if (!in.object(v)) {
        in.fail(v, "must be an object");
        return tool;
    }
    const std::string type = string_in(v, "type");
    const auto function = v.find("function");
    if (type.empty() && !function) { in.fail(v, "is required", "type"); }
    if (!type.empty() && type != "function") {
        tool.json = json_of(v);
        return tool;
    }
    if (!function) { in.fail(v, "is required", "function"); }
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "function") {
            read_tool_function(in, m.value, tool);
        } else if (key == "cache_control") {
            in.raw(m.value, tool.cache_control);
        } else if (key != "type") {
            keep_extra(m, tool.wrapper_extra);
        }
    }
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
        return;
    }
    if (!in.object(v)) { return; }
    const auto function = v.find("function");
    const bool plain = string_in(v, "type") == "function" && function && v.size() == 2;
    out.name = plain ? string_in(*function, "name") : std::string();
    if (plain && out.name.empty()) { in.fail(*function, "is required", "name"); }
    out.what = plain ? kind::tool : kind::other;
    if (!plain) { out.json = json_of(v); }
}

void read_json_schema(decoding& in, value_view v, response_format& out) {
    if (!in.object(v)) { return; }
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
        } else {
            keep_extra(m, out.extra);
        }
    }
}

void read_response_format(decoding& in, value_view v, response_format& out) {
    using kind = response_format::kind;
    if (!in.object(v)) { return; }
    const std::string type = string_in(v, "type");
    if (type.empty()) { in.fail(v, "is required", "type"); }
    out.what = type == "text"          ? kind::text
               : type == "json_object" ? kind::json_object
               : type == "json_schema" ? kind::json_schema
                                       : kind::other;
    if (out.what == kind::other) {
        out.json = json_of(v);
        return;
    }
    bool has_schema = false;
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "json_schema" && out.what == kind::json_schema) {
            has_schema = m.value.is(value_kind::object);
            read_json_schema(in, m.value, out);
        } else if (key != "type") {
            keep_extra(m, out.wrapper_extra);
        }
    }
    if (out.what == kind::json_schema && !has_schema) { in.fail(v, "is required", "json_schema"); }
}

void read_stop(decoding& in, value_view v, std::vector<std::string>& out) {
    if (v.is(value_kind::string)) {
        out.push_back(v.string());
    } else if (in.array(v)) {
        for (const value_view word : v.elements()) {
            std::string text;
            if (!in.text(word, text)) { in.fail(word, "must be a string"); }
            out.push_back(std::move(text));
        }
    }
}

void read_stream_options(decoding& in, value_view v, request& out) {
    if (!in.object(v)) { return; }
    std::string scratch;
    for (const member m : v.members()) {
        if (key_of(m, scratch) == "include_usage") {
            in.boolean(m.value, out.include_usage);
        } else {
            keep_extra(m, out.stream_extra);
        }
    }
}

/// What is read of a request before the whole is known.
struct limits_of_tokens {
    std::optional<std::int64_t> old, completion;
};

/// The members that are numbers, words and flags. False: not one of them.
bool read_setting(decoding& in, std::string_view key, value_view v, request& out, limits_of_tokens& limits) {
    if (key == "model") {
        in.text(v, out.model);
    } else if (key == "stream") {
        in.boolean(v, out.stream);
    } else if (key == "temperature") {
        in.number(v, out.temperature);
    } else if (key == "top_p") {
        in.number(v, out.top_p);
    } else if (key == "top_k") {
        in.number(v, out.top_k);
    } else if (key == "seed") {
        in.number(v, out.seed);
    } else if (key == "n") {
        in.integer(v, out.n);
        if (out.n && *out.n < 1) { in.fail(v, "must be at least 1"); }
    } else if (key == "max_tokens") {
        in.integer(v, limits.old);
    } else if (key == "max_completion_tokens") {
        in.integer(v, limits.completion);
    } else if (key == "parallel_tool_calls") {
        in.boolean(v, out.parallel_tool_calls);
    } else if (key == "reasoning_effort") {
        in.text(v, out.reasoning_effort);
    } else if (key == "user") {
        in.text(v, out.user);
    } else if (key == "metadata") {
        in.raw(v, out.metadata);
    } else {
        return false;
    }
    return true;
}

/// The members that are lists and objects. False: not one of them.
bool read_structure(decoding& in, std::string_view key, value_view v, request& out) {
    if (key == "messages") {
        out.messages.clear(); // of repeated members the last counts, as for most readers
        if (!in.array(v)) { return true; }
        for (const value_view m : v.elements()) { out.messages.push_back(read_message(in, m)); }
    } else if (key == "tools") {
        out.tools.clear();
        if (!in.array(v)) { return true; }
        for (const value_view t : v.elements()) { out.tools.push_back(read_tool(in, t)); }
    } else if (key == "tool_choice") {
        out.tool_choice = {};
        read_tool_choice(in, v, out.tool_choice);
    } else if (key == "response_format") {
        out.response_format = {};
        read_response_format(in, v, out.response_format);
    } else if (key == "stop") {
        out.stop.clear();
        read_stop(in, v, out.stop);
    } else if (key == "stream_options") {
        read_stream_options(in, v, out);
    } else {
        return false;
    }
    return true;
}

void settle_limits(const limits_of_tokens& limits, request& out) {
    out.old_max_tokens = limits.old.has_value() && !limits.completion;
    out.max_tokens = limits.completion ? limits.completion : limits.old;
    if (limits.old && limits.completion) { out.extra.push_back({"max_tokens", std::to_string(*limits.old)}); }
}

} // namespace

reading<request> decode_request(std::string_view json, const decode_options& options) {
    reading<request> result;
    decoding in(json, wire_id::openai_chat, options.depth, 400);
    request& out = result.value;
    out.origin = wire_id::openai_chat;
    if (!in.ok()) {
        result.error = in.take_error();
        return result;
    }
    limits_of_tokens limits;
    std::string scratch;
    for (const member m : in.root().members()) {
        const std::string_view key = key_of(m, scratch);
        if (read_setting(in, key, m.value, out, limits) || read_structure(in, key, m.value, out)) {
            continue;
        }
        if (key == "prompt" && m.value.is(value_kind::string) && !in.root().find("messages")) {
            out.messages.push_back({role::user, {make_text(m.value.string())}, {}, {}});
        } else {
            keep_extra(m, out.extra);
        }
    }
    settle_limits(limits, out);
    if (out.messages.empty()) { in.fail(in.root(), "is required and must not be empty", "messages"); }
    if (out.model.empty()) { in.fail(in.root(), "is required", "model"); }
    result.error = in.take_error();
    return result;
}

} // namespace jsonheal::wire_detail::chat
