// Requests of Ollama, both ways.
#include "call_linker.hpp"
#include "ollama.hpp"

#include <utility>

namespace jsonheal::wire_detail::ollama {

namespace {

void read_result(decoding& in, value_view v, call_linker& links, message& out) {
    tool_result result;
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "content") {
            in.text(m.value, result.content);
        } else if (key == "tool_name" || key == "name") {
            in.text(m.value, result.name);
        } else if (key == "tool_call_id") {
            in.text(m.value, result.call_id);
        } else if (key != "role") {
            keep_extra(m, out.extra);
        }
    }
    read_error_mark(result);
    links.answered(result);
    out.blocks.push_back({std::move(result), {}, {}});
}

message read_message(decoding& in, value_view v, call_linker& links) {
    message out;
    if (!in.object(v)) {
        in.fail(v, "must be an object");
        return out;
    }
    const auto known = role_by_name(string_in(v, "role"));
    if (!known) {
        in.fail(v, "must be one of system, user, assistant, tool", "role");
        return out;
    }
    out.role = *known;
    if (out.role == role::tool) {
        read_result(in, v, links, out);
        return out;
    }
    if (out.role == role::assistant) { links.turn(); }
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key != "role" && !read_message_member(in, key, m.value, out)) { keep_extra(m, out.extra); }
    }
    for (content_block& b : out.blocks) {
        if (auto* call = b.get<tool_call>()) { links.called(*call); }
    }
    return out;
}

void read_format(decoding& in, value_view v, response_format& out) {
    using kind = response_format::kind;
    if (v.is(value_kind::string)) {
        if (v.string_is("json")) {
            out.what = kind::json_object;
        } else if (!v.string_is("")) {
            in.fail(v, "must be json or a schema");
        }
    } else if (in.object(v)) {
        out.what = kind::json_schema;
        out.schema = json_of(v);
    }
}

/// `options`; what is not known goes into `extra` as an object of that name.
void read_options(decoding& in, value_view v, request& out) {
    if (!in.object(v)) { return; }
    std::string rest, scratch;
    writer w(rest);
    w.open('{');
    bool more = false;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "temperature") {
            in.number(m.value, out.temperature);
        } else if (key == "top_p") {
            in.number(m.value, out.top_p);
        } else if (key == "top_k") {
            in.number(m.value, out.top_k);
        } else if (key == "seed") {
            in.number(m.value, out.seed);
        } else if (key == "num_predict" && m.value.is(value_kind::number) &&
                   m.value.int64().value_or(0) > 0) {
            in.integer(m.value, out.max_tokens); // below zero it means no limit, or the context's
        } else if (key == "stop" && m.value.is(value_kind::string)) {
            out.stop = {m.value.string()};
        } else if (key == "stop" && in.array(m.value)) {
            out.stop.clear();
            for (const value_view word : m.value.elements()) {
                std::string text;
                if (in.text(word, text)) { out.stop.push_back(std::move(text)); }
            }
        } else {
            w.extra({{m.key.string(), json_of(m.value)}});
            more = true;
        }
    }
    w.close('}');
    if (more) { out.extra.push_back({"options", std::move(rest)}); }
}

tool_definition read_tool(decoding& in, value_view v) {
    tool_definition tool;
    if (!in.object(v)) { return tool; }
    const auto function = v.find("function");
    if (!function || !in.object(*function)) {
        in.fail(v, "is required", "function");
        return tool;
    }
    std::string scratch;
    for (const member m : function->members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "name") {
            in.text(m.value, tool.name);
        } else if (key == "description") {
            in.text(m.value, tool.description);
        } else if (key == "parameters") {
            if (in.object(m.value)) { tool.parameters = json_of(m.value); }
        } else {
            keep_extra(m, tool.extra);
        }
    }
    if (tool.name.empty()) { in.fail(*function, "is required", "name"); }
    return tool;
}

void read_member(decoding& in, const member& m, std::string_view key, request& out) {
    if (key == "model") {
        in.text(m.value, out.model);
    } else if (key == "messages") {
        out.messages.clear();
        call_linker links;
        if (!in.array(m.value)) { return; }
        for (const value_view item : m.value.elements()) {
            out.messages.push_back(read_message(in, item, links));
        }
    } else if (key == "tools") {
        out.tools.clear();
        if (!in.array(m.value)) { return; }
        for (const value_view t : m.value.elements()) { out.tools.push_back(read_tool(in, t)); }
    } else if (key == "format") {
        read_format(in, m.value, out.response_format);
    } else if (key == "options") {
        read_options(in, m.value, out);
    } else if (key == "stream") {
        in.boolean(m.value, out.stream);
    } else if (key == "think" && m.value.is(value_kind::string)) {
        in.text(m.value, out.reasoning_effort);
    } else {
        keep_extra(m, out.extra);
    }
}

} // namespace

reading<request> decode_request(std::string_view json, const decode_options& options) {
    reading<request> result;
    decoding in(json, wire_id::ollama, options.depth, 400);
    request& out = result.value;
    out.origin = wire_id::ollama;
    if (!in.ok()) {
        result.error = in.take_error();
        return result;
    }
    std::string scratch;
    for (const member m : in.root().members()) { read_member(in, m, key_of(m, scratch), out); }
    if (!out.stream) { out.stream = true; } // absent means true on this wire alone
    if (out.messages.empty()) { in.fail(in.root(), "is required and must not be empty", "messages"); }
    if (out.model.empty()) { in.fail(in.root(), "is required", "model"); }
    result.error = in.take_error();
    return result;
}

namespace {

class request_writer {
public:
    request_writer(const request& r, const encode_options& options, encoded& out)
        : r_(r), options_(options), out_(out), w_(out.json), own_(is_own(r.origin, wire_id::ollama)) {}

    void run() {
        w_.open('{').text("model", r_.model).open("messages", '[');
        if (!r_.system.empty()) { message_of({role::system, r_.system, {}, {}}, "/system"); }
        for (std::size_t i = 0; i < r_.messages.size(); ++i) {
            message_of(r_.messages[i], "/messages/" + std::to_string(i));
        }
        w_.close(']');
        tools();
        format();
        settings();
        if (!r_.reasoning_effort.empty()) { w_.text("think", r_.reasoning_effort); }
        w_.key("stream").boolean(r_.stream.value_or(false)); // absent would mean true
        for (const extra_member& m : r_.extra) {
            if (!own_) { say("/extra/" + m.name, "belongs to another wire"); }
            if (own_ && m.name != "options") { w_.extra({m}); }
        }
        unsaid();
        w_.close('}');
    }

private:
    void say(std::string field, std::string_view message) {
        out_.notes.push_back({std::move(field), std::string(message)});
    }

    void message_of(const message& m, const std::string& field) {
        notes_for notes(out_.notes, field);
        if (!m.participant.empty()) { notes.add("participants have no names on this wire"); }
        if (m.role == role::tool) {
            results(m, notes);
            return;
        }
        w_.open('{')
            .text("role", name(m.role == role::developer ? role::system : m.role))
            .text("content", m.text());
        std::string thought, images, calls;
        writer image_list(images), call_list(calls);
        std::size_t call = 0;
        for (std::size_t i = 0; i < m.blocks.size(); ++i) {
            const content_block& b = m.blocks[i];
            const auto* image = b.get<image_block>();
            const auto* c = b.get<tool_call>();
            if (const auto* t = b.get<reasoning_block>()) {
                thought += t->text;
            } else if (image != nullptr && !image->data.empty()) {
                image_list.string(image->data);
            } else if (image != nullptr) {
                notes.add(i, "images are bytes on this wire, not links");
            } else if (c != nullptr && options_.native_tools) {
                names_.called(*c);
                write_call(call_list, *c, call++, own_, notes);
            } else if (b.get<text_block>() == nullptr) {
                notes.add(i, "has no place on this wire");
            }
        }
        w_.text_if("thinking", thought);
        if (!images.empty()) { w_.open("images", '[').raw(images).close(']'); }
        if (!calls.empty()) { w_.open("tool_calls", '[').raw(calls).close(']'); }
        if (own_) { w_.extra(m.extra); }
        w_.close('}');
    }

    void results(const message& m, notes_for& notes) {
        for (std::size_t i = 0; i < m.blocks.size(); ++i) {
            const auto* result = m.blocks[i].get<tool_result>();
            if (result == nullptr || !options_.native_tools) {
                notes.add(i, result == nullptr ? "a message of a tool holds results alone"
                                               : "the provider has no native tools");
                continue;
            }
            for (const content_block& part : result->parts) {
                if (part.get<text_block>() == nullptr) { notes.add(i, "results are text on this wire"); }
            }
            w_.open('{').text("role", "tool").text("content", marked_content(*result));
            w_.text_if("tool_name", names_.of(*result)).text_if("tool_call_id", result->call_id);
            if (own_) { w_.extra(m.extra); }
            w_.close('}');
        }
    }

    void tools() {
        if (r_.tools.empty()) { return; }
        if (!options_.native_tools) {
            say("/tools", "the provider has no native tools");
            return;
        }
        if (r_.tool_choice.what == tool_choice::kind::none) { return; } // no tool at all: said by giving none
        w_.open("tools", '[');
        for (std::size_t i = 0; i < r_.tools.size(); ++i) {
            const tool_definition& t = r_.tools[i];
            if (!t.json.empty()) {
                say("/tools/" + std::to_string(i), "a tool of another wire");
                continue;
            }
            w_.open('{').text("type", "function").open("function", '{').text("name", t.name);
            w_.text_if("description", t.description).json_if("parameters", t.parameters);
            if (own_) { w_.extra(t.extra); }
            w_.close('}').close('}');
        }
        w_.close(']');
    }

    void format() {
        using kind = response_format::kind;
        const response_format& f = r_.response_format;
        if (f.what == kind::json_schema && options_.json_schema && !f.schema.empty()) {
            w_.json("format", f.schema);
        } else if ((f.what == kind::json_schema || f.what == kind::json_object) && options_.json_object) {
            if (f.what == kind::json_schema) {
                say("/response_format/schema", "the provider takes no schema");
            }
            w_.text("format", "json");
        } else if (f.what != kind::unset && f.what != kind::text) {
            say("/response_format", "the provider does not take it");
        }
    }

    void settings() {
        std::string members;
        writer w(members);
        w.json_if("temperature", r_.temperature).json_if("top_p", r_.top_p).json_if("top_k", r_.top_k);
        w.json_if("seed", r_.seed).number_if("num_predict", r_.max_tokens);
        if (!r_.stop.empty()) {
            w.open("stop", '[');
            for (const std::string& word : r_.stop) { w.string(word); }
            w.close(']');
        }
        if (const auto* more = own_ ? find_extra(r_.extra, "options") : nullptr) {
            w.extra(members_of(more->json));
        }
        if (!members.empty()) { w_.json("options", "{" + members + "}"); }
    }

    void unsaid() {
        using kind = tool_choice::kind;
        const bool forced = r_.tool_choice.what != kind::unset && r_.tool_choice.what != kind::automatic &&
                            r_.tool_choice.what != kind::none;
        if (forced) { say("/tool_choice", "this wire has none"); }
        if (r_.parallel_tool_calls == false) { say("/parallel_tool_calls", "this wire cannot forbid them"); }
        if (r_.n.value_or(1) > 1) { say("/n", "this wire gives one answer"); }
        if (!r_.user.empty()) { say("/user", "this wire has none"); }
        if (!r_.metadata.empty()) { say("/metadata", "this wire has none"); }
    }

    const request& r_;
    const encode_options& options_;
    encoded& out_;
    writer w_;
    bool own_;
    call_names names_;
};

} // namespace

encoded encode_request(const request& r, const encode_options& options) {
    encoded out;
    request_writer(r, options, out).run();
    return out;
}

} // namespace jsonheal::wire_detail::ollama
