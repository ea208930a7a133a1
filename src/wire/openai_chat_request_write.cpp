// Requests of chat completions: neutral to JSON.
#include "openai_chat.hpp"

#include <utility>

namespace jsonheal::wire_detail::chat {

namespace {

/// One request being written.
class request_writer {
public:
    request_writer(const request& r, const encode_options& options, encoded& out)
        : r_(r),
          options_(options),
          out_(out),
          w_(out.json),
          own_(r.origin == wire_id::openai_chat || r.origin == wire_id::none) {}

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
        stream();
        if (own_) {
            w_.extra(r_.extra);
        } else {
            for (const extra_member& m : r_.extra) { say("/extra/" + m.name, "belongs to another wire"); }
        }
        w_.close('}');
    }

private:
    void say(std::string field, std::string_view message) {
        out_.notes.push_back({std::move(field), std::string(message)});
    }

    void message_of(const message& m, const std::string& field) {
        notes_for notes(out_.notes, field);
        if (own_) {
            write_message(m, notes);
        } else {
            write_message(without_foreign(m, notes), notes);
        }
    }

    void write_message(const message& m, notes_for& notes) {
        if (m.role == role::tool) {
            results(m, notes);
            return;
        }
        w_.open('{').text("role", name(m.role));
        if (m.role == role::assistant) {
            write_assistant(w_, m, options_, content_form::parts, notes);
        } else {
            write_content(w_, m, options_, content_form::parts, notes);
            misplaced(m, notes);
        }
        w_.text_if("name", m.participant).extra(m.extra).close('}');
    }

    static void misplaced(const message& m, notes_for& notes) {
        for (std::size_t i = 0; i < m.blocks.size(); ++i) {
            const content_block& b = m.blocks[i];
            const auto* thought = b.get<reasoning_block>();
            if (b.get<tool_call>() != nullptr || b.get<tool_result>() != nullptr ||
                b.get<refusal_block>() != nullptr || (thought != nullptr && thought->member != "content")) {
                notes.add(i, "stands in a message of the wrong role");
            }
        }
    }

    /// One message for each result. An error says so in its text: the wire has no flag for it.
    void results(const message& m, notes_for& notes) {
        for (std::size_t i = 0; i < m.blocks.size(); ++i) {
            const auto* result = m.blocks[i].get<tool_result>();
            if (result == nullptr) {
                notes.add(i, "a message of a tool holds results alone");
                continue;
            }
            w_.open('{').text("role", "tool").text("tool_call_id", result->call_id);
            if (result->parts.empty()) {
                w_.text("content", marked_content(*result));
            } else {
                parts_of(*result, notes);
            }
            w_.text_if("name", result->name).extra(m.extra).close('}');
        }
    }

    /// The mark of an error is a part of its own before the others.
    void parts_of(const tool_result& result, notes_for& notes) {
        message content{role::tool, result.parts, {}, {}};
        tool_result mark = result;
        mark.content.clear();
        if (result.is_error) {
            auto* first = content.blocks[0].get<text_block>();
            if (first == nullptr) {
                content.blocks.insert(content.blocks.begin(), make_text({}));
                first = content.blocks[0].get<text_block>();
            }
            first->text.insert(0, marked_content(mark));
        }
        if (!own_) { content = without_foreign(content, notes); }
        write_content(w_, content, options_, content_form::parts, notes);
    }

    void tools() {
        if (r_.tools.empty() && r_.tool_choice.what == tool_choice::kind::unset && !r_.parallel_tool_calls) {
            return;
        }
        if (!options_.native_tools) {
            if (!r_.tools.empty()) { say("/tools", "the provider has no native tools"); }
            return;
        }
        if (!r_.tools.empty()) {
            w_.open("tools", '[');
            for (std::size_t i = 0; i < r_.tools.size(); ++i) { tool(r_.tools[i], i); }
            w_.close(']');
        }
        choice();
        if (r_.parallel_tool_calls && !options_.parallel_tool_calls) {
            say("/parallel_tool_calls", "the provider does not take it");
        } else {
            w_.number_if("parallel_tool_calls", r_.parallel_tool_calls);
        }
    }

    void tool(const tool_definition& t, std::size_t i) {
        if (!t.json.empty()) {
            if (own_) {
                w_.raw(t.json);
            } else {
                say("/tools/" + std::to_string(i), "a tool of another wire");
            }
            return;
        }
        w_.open('{').text("type", "function").open("function", '{').text("name", t.name);
        w_.text_if("description", t.description).json_if("parameters", t.parameters);
        if (options_.strict) { w_.number_if("strict", t.strict); }
        if (own_) { w_.extra(t.extra); }
        w_.close('}');
        if (options_.cache_control) { w_.json_if("cache_control", t.cache_control); }
        if (own_) { w_.extra(t.wrapper_extra); }
        w_.close('}');
    }

    void choice() {
        using kind = tool_choice::kind;
        const tool_choice& c = r_.tool_choice;
        if (c.what == kind::unset) { return; }
        if (!options_.tool_choice) {
            if (c.what != kind::automatic) { say("/tool_choice", "the provider does not take it"); }
            return;
        }
        switch (c.what) {
        case kind::automatic: w_.text("tool_choice", "auto"); return;
        case kind::none: w_.text("tool_choice", "none"); return;
        case kind::required: w_.text("tool_choice", "required"); return;
        case kind::tool:
            w_.open("tool_choice", '{').text("type", "function").open("function", '{').text("name", c.name);
            w_.close('}').close('}');
            return;
        default: break;
        }
        if (own_) {
            w_.json("tool_choice", c.json);
        } else {
            say("/tool_choice", "belongs to another wire");
        }
    }

    void format() {
        using kind = response_format::kind;
        const response_format& f = r_.response_format;
        if (f.what == kind::unset) { return; }
        if (f.what == kind::other) {
            if (own_) {
                w_.json("response_format", f.json);
            } else {
                say("/response_format", "belongs to another wire");
            }
            return;
        }
        const bool schema = f.what == kind::json_schema && options_.json_schema;
        const bool json = f.what != kind::text;
        if (f.what == kind::json_schema && !schema) {
            say("/response_format/schema", "the provider takes no schema");
        }
        if (json && !schema && !options_.json_object) {
            say("/response_format", "the provider does not take it");
            return;
        }
        w_.open("response_format", '{');
        w_.text("type", schema ? "json_schema" : json ? "json_object" : "text");
        if (schema) {
            w_.open("json_schema", '{').text("name", f.name.empty() ? "response" : std::string_view(f.name));
            w_.text_if("description", f.description).json_if("schema", f.schema);
            if (options_.strict) { w_.number_if("strict", f.strict); }
            if (own_) { w_.extra(f.extra); }
            w_.close('}');
        }
        if (own_) { w_.extra(f.wrapper_extra); }
        w_.close('}');
    }

    void settings() {
        if (r_.max_tokens) {
            const bool old = r_.old_max_tokens || options_.old_max_tokens;
            w_.number_if(old ? "max_tokens" : "max_completion_tokens", r_.max_tokens);
        }
        w_.json_if("temperature", r_.temperature).json_if("top_p", r_.top_p).json_if("top_k", r_.top_k);
        w_.json_if("seed", r_.seed).number_if("n", r_.n);
        if (!r_.stop.empty()) {
            w_.open("stop", '[');
            for (const std::string& word : r_.stop) { w_.string(word); }
            w_.close(']');
        }
        w_.text_if("reasoning_effort", r_.reasoning_effort)
            .text_if("user", r_.user)
            .json_if("metadata", r_.metadata);
    }

    void stream() {
        w_.number_if("stream", r_.stream);
        if (!r_.include_usage && r_.stream_extra.empty()) { return; }
        w_.open("stream_options", '{').number_if("include_usage", r_.include_usage);
        if (own_) { w_.extra(r_.stream_extra); }
        w_.close('}');
    }

    const request& r_;
    const encode_options& options_;
    encoded& out_;
    writer w_;
    bool own_;
};

} // namespace

encoded encode_request(const request& r, const encode_options& options) {
    encoded out;
    request_writer(r, options, out).run();
    return out;
}

} // namespace jsonheal::wire_detail::chat
