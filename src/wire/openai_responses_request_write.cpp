// Requests of OpenAI Responses: neutral to JSON.
#include "openai_responses.hpp"

#include <utility>

namespace jsonheal::wire_detail::responses {

namespace {

class request_writer {
public:
    request_writer(const request& r, const encode_options& options, encoded& out)
        : r_(r),
          options_(options),
          out_(out),
          w_(out.json),
          own_(is_own(r.origin, wire_id::openai_responses)) {}

    void run() {
        w_.open('{').text("model", r_.model);
        instructions();
        w_.open("input", '[');
        for (std::size_t i = 0; i < r_.messages.size(); ++i) {
            notes_for notes(out_.notes, "/messages/" + std::to_string(i));
            message_of(r_.messages[i], notes);
        }
        w_.close(']');
        tools();
        format();
        settings();
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

    void instructions() {
        if (r_.system.empty()) { return; }
        std::string text;
        for (std::size_t i = 0; i < r_.system.size(); ++i) {
            const auto* t = r_.system[i].get<text_block>();
            if (t == nullptr) {
                say("/system/blocks/" + std::to_string(i), "instructions are text alone");
                continue;
            }
            if (!text.empty()) { text += "\n\n"; }
            text += t->text;
        }
        w_.text("instructions", text);
    }

    void message_of(const message& m, notes_for& notes) {
        if (m.role == role::tool) {
            results(m, notes);
        } else if (m.role == role::assistant) {
            turn(m, notes);
        } else {
            said(m, notes);
        }
    }

    /// Of the user, or the system.
    void said(const message& m, notes_for& notes) {
        w_.open('{').text("type", "message").text("role", name(m.role));
        content("content", m.blocks, notes);
        if (!m.participant.empty()) { notes.add("participants have no names on this wire"); }
        if (own_) { w_.extra(m.extra); }
        w_.close('}');
    }

    /// A string where that says all, else parts.
    void content(std::string_view key, const std::vector<content_block>& blocks, notes_for& notes) {
        const bool plain = blocks.size() == 1 && blocks[0].get<text_block>() != nullptr &&
                           (!own_ || blocks[0].extra.empty());
        if (plain) {
            w_.text(key, blocks[0].get<text_block>()->text);
            return;
        }
        w_.open(key, '[');
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            if (!write_part(w_, blocks[i], speaker::user, own_)) {
                notes.add(i, "has no place in this message");
            }
        }
        w_.close(']');
    }

    void results(const message& m, notes_for& notes) {
        for (std::size_t i = 0; i < m.blocks.size(); ++i) {
            const auto* result = m.blocks[i].get<tool_result>();
            if (result == nullptr) {
                notes.add(i, "a message of a tool holds results alone");
                continue;
            }
            if (!options_.native_tools) {
                notes.add(i, "the provider has no native tools");
                continue;
            }
            w_.open('{').text("type", "function_call_output").text("call_id", result->call_id);
            if (result->parts.empty()) {
                w_.text("output", marked_content(*result));
            } else {
                std::vector<content_block> parts = result->parts;
                tool_result mark = *result;
                mark.content.clear();
                if (result->is_error) { parts.insert(parts.begin(), make_text(marked_content(mark))); }
                content("output", parts, notes);
            }
            if (own_) { w_.extra(m.extra); }
            w_.close('}');
        }
    }

    /// Each call and thought is an item; text between them is a message.
    void turn(const message& m, notes_for& notes) {
        bool open = false;
        for (std::size_t i = 0; i < m.blocks.size(); ++i) {
            const content_block& b = m.blocks[i];
            const auto* call = b.get<tool_call>();
            const auto* thought = b.get<reasoning_block>();
            const auto* other = b.get<other_block>();
            const bool item = call != nullptr || thought != nullptr || other != nullptr;
            const bool next = find_extra(b.extra, "item") != nullptr;
            if (open && (item || next)) {
                w_.close(']').close('}');
                open = false;
            }
            const item_place place{{}, i, own_, false};
            if (call != nullptr && options_.native_tools) {
                write_call_item(w_, *call, place);
            } else if (call != nullptr) {
                notes.add(i, "the provider has no native tools");
            } else if (thought != nullptr) {
                thought_of(b, *thought, i, notes);
            } else if (other != nullptr && own_) {
                w_.raw(other->json);
            } else if (b.get<text_block>() != nullptr || b.get<refusal_block>() != nullptr) {
                if (!std::exchange(open, true)) { open_message_item(w_, b, place); }
                write_part(w_, b, speaker::assistant, own_);
            } else {
                notes.add(i, "has no place in this message");
            }
        }
        if (open) { w_.close(']').close('}'); }
    }

    void thought_of(const content_block& b, const reasoning_block& r, std::size_t i, notes_for& notes) {
        if (own_) {
            write_thought_item(w_, b, r, {{}, i, true, false});
        } else {
            notes.add(i, "reasoning of another wire cannot go back");
        }
    }

    void tools() {
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
        w_.open('{').text("type", "function").text("name", t.name).text_if("description", t.description);
        w_.json_if("parameters", t.parameters);
        // Absent means strict here, and not strict on every other wire.
        if (options_.strict && (t.strict || !own_)) { w_.key("strict").boolean(t.strict.value_or(false)); }
        if (own_) { w_.extra(t.extra); }
        w_.close('}');
    }

    void choice() {
        using kind = tool_choice::kind;
        const tool_choice& c = r_.tool_choice;
        if (c.what == kind::unset) { return; }
        if (!options_.tool_choice) {
            if (c.what != kind::automatic) { say("/tool_choice", "the provider does not take it"); }
        } else if (c.what == kind::tool) {
            w_.open("tool_choice", '{').text("type", "function").text("name", c.name).close('}');
        } else if (c.what != kind::other) {
            constexpr std::string_view words[] = {"", "auto", "none", "required"};
            w_.text("tool_choice", words[static_cast<std::size_t>(c.what)]);
        } else if (own_) {
            w_.json("tool_choice", c.json);
        } else {
            say("/tool_choice", "belongs to another wire");
        }
    }

    void format() {
        using kind = response_format::kind;
        const response_format& f = r_.response_format;
        const bool schema = f.what == kind::json_schema && options_.json_schema;
        const bool json = f.what == kind::json_schema || f.what == kind::json_object;
        if (f.what == kind::json_schema && !schema) {
            say("/response_format/schema", "the provider takes no schema");
        }
        bool given = f.what != kind::unset;
        if ((json && !schema && !options_.json_object) || (f.what == kind::other && !own_)) {
            say("/response_format", "the provider does not take it");
            given = false;
        }
        if (!given && (!own_ || f.wrapper_extra.empty())) { return; }
        w_.open("text", '{');
        if (given && f.what == kind::other) {
            w_.json("format", f.json);
        } else if (given) {
            w_.open("format", '{').text("type", schema ? "json_schema" : json ? "json_object" : "text");
            if (schema) {
                w_.text("name", f.name.empty() ? "response" : std::string_view(f.name));
                w_.text_if("description", f.description).json_if("schema", f.schema);
                if (options_.strict) { w_.number_if("strict", f.strict); }
            }
            if (own_) { w_.extra(f.extra); }
            w_.close('}');
        }
        if (own_) { w_.extra(f.wrapper_extra); }
        w_.close('}');
    }

    void settings() {
        w_.number_if("max_output_tokens", r_.max_tokens)
            .json_if("temperature", r_.temperature)
            .json_if("top_p", r_.top_p);
        if (!r_.reasoning_effort.empty() && (!own_ || find_extra(r_.extra, "reasoning") == nullptr)) {
            w_.open("reasoning", '{').text("effort", r_.reasoning_effort).close('}');
        }
        w_.text_if("user", r_.user).json_if("metadata", r_.metadata).number_if("stream", r_.stream);
        if (own_ && !r_.stream_extra.empty()) {
            w_.open("stream_options", '{').extra(r_.stream_extra).close('}');
        }
        if (!r_.stop.empty()) { say("/stop", "this wire has no stop words"); }
        if (!r_.seed.empty()) { say("/seed", "this wire has none"); }
        if (!r_.top_k.empty()) { say("/top_k", "this wire has none"); }
        if (r_.n.value_or(1) > 1) { say("/n", "this wire gives one answer"); }
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

} // namespace jsonheal::wire_detail::responses
