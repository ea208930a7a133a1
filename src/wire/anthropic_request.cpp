// Requests of Anthropic Messages: JSON to neutral.
#include "anthropic.hpp"

#include <utility>

namespace jsonheal::wire_detail::anthropic {

namespace {

std::vector<content_block> read_blocks(decoding& in, value_view v) {
    std::vector<content_block> out;
    if (v.is(value_kind::string)) {
        out.push_back(make_text(v.string()));
    } else if (v.is(value_kind::array)) {
        for (const value_view b : v.elements()) { out.push_back(read_block(in, b)); }
    } else {
        in.fail(v, "must be a string or an array of blocks");
    }
    return out;
}

/// A message of the user holds results and other blocks; as neutral messages each stands under its own role.
void split_results(std::vector<content_block> blocks, extra_members extra, std::vector<message>& out) {
    const std::size_t first = out.size();
    for (content_block& b : blocks) {
        const role r = b.get<tool_result>() != nullptr ? role::tool : role::user;
        if (out.size() == first || out.back().role != r) { out.push_back({r, {}, {}, {}}); }
        out.back().blocks.push_back(std::move(b));
    }
    if (out.size() == first) { out.push_back({role::user, {}, {}, {}}); }
    out[first].extra = std::move(extra);
}

void read_message(decoding& in, value_view v, std::vector<message>& out) {
    if (!in.object(v)) {
        in.fail(v, "must be an object");
        return;
    }
    std::vector<content_block> blocks;
    extra_members extra;
    std::string role_name, scratch;
    bool seen = false;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "role") {
            in.text(m.value, role_name);
        } else if (key == "content") {
            blocks = read_blocks(in, m.value);
            seen = true;
        } else {
            keep_extra(m, extra);
        }
    }
    if (!seen) { in.fail(v, "is required", "content"); }
    if (role_name == "user") {
        split_results(std::move(blocks), std::move(extra), out);
    } else if (role_name == "assistant") {
        out.push_back({role::assistant, std::move(blocks), {}, std::move(extra)});
    } else {
        in.fail(v, "must be user or assistant", "role");
    }
}

tool_definition read_tool(decoding& in, value_view v) {
    tool_definition tool;
    if (!in.object(v)) {
        in.fail(v, "must be an object");
        return tool;
    }
    const std::string type = string_in(v, "type");
    if (!type.empty() && type != "custom") { // tools that run at the provider
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
        } else if (key == "input_schema") {
            if (in.object(m.value)) { tool.parameters = json_of(m.value); }
        } else if (key == "strict") {
            in.boolean(m.value, tool.strict);
        } else if (key == "cache_control") {
            in.raw(m.value, tool.cache_control);
        } else if (key != "type") {
            keep_extra(m, tool.extra);
        }
    }
    if (tool.name.empty()) { in.fail(v, "is required", "name"); }
    if (tool.parameters.empty()) { in.fail(v, "is required", "input_schema"); }
    return tool;
}

void read_tool_choice(decoding& in, value_view v, request& out) {
    using kind = tool_choice::kind;
    if (!in.object(v)) { return; }
    const std::string type = string_in(v, "type");
    tool_choice& c = out.tool_choice;
    c.what = type == "auto"   ? kind::automatic
             : type == "any"  ? kind::required
             : type == "none" ? kind::none
             : type == "tool" ? kind::tool
                              : kind::other;
    if (c.what == kind::other) { in.fail(v, "must be auto, any, tool or none", "type"); }
    if (c.what == kind::tool) {
        c.name = string_in(v, "name");
        if (c.name.empty()) { in.fail(v, "is required", "name"); }
    }
    if (const auto serial = v.find("disable_parallel_tool_use")) {
        std::optional<bool> off;
        if (in.boolean(*serial, off)) { out.parallel_tool_calls = !*off; }
    }
}

void read_format(decoding& in, value_view v, response_format& out) {
    if (!in.object(v)) { return; }
    if (string_in(v, "type") != "json_schema") {
        out.what = response_format::kind::other;
        out.json = json_of(v);
        return;
    }
    out.what = response_format::kind::json_schema;
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "schema") {
            in.raw(m.value, out.schema);
        } else if (key != "type") {
            keep_extra(m, out.extra);
        }
    }
    if (out.schema.empty()) { in.fail(v, "is required", "schema"); }
}

void read_output_config(decoding& in, value_view v, request& out) {
    if (!in.object(v)) { return; }
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "format") {
            read_format(in, m.value, out.response_format);
        } else if (key == "effort") {
            in.text(m.value, out.reasoning_effort);
        } else {
            keep_extra(m, out.response_format.wrapper_extra);
        }
    }
}

/// `{"user_id":"u"}` is the neutral `user`; anything more stays as it is.
void read_metadata(decoding& in, value_view v, request& out) {
    if (!in.object(v)) { return; }
    const std::string user = string_in(v, "user_id");
    if (!user.empty() && v.size() == 1) {
        out.user = user;
    } else {
        out.metadata = json_of(v);
    }
}

bool read_setting(decoding& in, std::string_view key, value_view v, request& out) {
    if (key == "model") {
        in.text(v, out.model);
    } else if (key == "max_tokens") {
        in.integer(v, out.max_tokens);
    } else if (key == "stream") {
        in.boolean(v, out.stream);
    } else if (key == "temperature") {
        in.number(v, out.temperature);
    } else if (key == "top_p") {
        in.number(v, out.top_p);
    } else if (key == "top_k") {
        in.number(v, out.top_k);
    } else if (key == "tool_choice") {
        read_tool_choice(in, v, out);
    } else if (key == "output_config") {
        read_output_config(in, v, out);
    } else if (key == "metadata") {
        read_metadata(in, v, out);
    } else {
        return false;
    }
    return true;
}

bool read_list(decoding& in, std::string_view key, value_view v, request& out) {
    if (key == "messages") {
        out.messages.clear();
        if (!in.array(v)) { return true; }
        for (const value_view m : v.elements()) { read_message(in, m, out.messages); }
    } else if (key == "system") {
        if (!v.is(value_kind::null)) { out.system = read_blocks(in, v); }
    } else if (key == "tools") {
        out.tools.clear();
        if (!in.array(v)) { return true; }
        for (const value_view t : v.elements()) { out.tools.push_back(read_tool(in, t)); }
    } else if (key == "stop_sequences") {
        out.stop.clear();
        if (!in.array(v)) { return true; }
        for (const value_view word : v.elements()) {
            std::string text;
            if (!in.text(word, text)) { in.fail(word, "must be a string"); }
            out.stop.push_back(std::move(text));
        }
    } else {
        return false;
    }
    return true;
}

} // namespace

reading<request> decode_request(std::string_view json, const decode_options& options) {
    reading<request> result;
    decoding in(json, wire_id::anthropic_messages, options.depth, 400);
    request& out = result.value;
    out.origin = wire_id::anthropic_messages;
    if (!in.ok()) {
        result.error = in.take_error();
        return result;
    }
    std::string scratch;
    for (const member m : in.root().members()) {
        const std::string_view key = key_of(m, scratch);
        if (!read_setting(in, key, m.value, out) && !read_list(in, key, m.value, out)) {
            keep_extra(m, out.extra);
        }
    }
    if (out.messages.empty()) { in.fail(in.root(), "is required and must not be empty", "messages"); }
    if (out.model.empty()) { in.fail(in.root(), "is required", "model"); }
    if (!out.max_tokens) { in.fail(in.root(), "is required", "max_tokens"); }
    result.error = in.take_error();
    return result;
}

} // namespace jsonheal::wire_detail::anthropic
