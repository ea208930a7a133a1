// Requests of Gemini: neutral to JSON. Model and streaming are in the URL, not in the body.
#include "call_linker.hpp"
#include "gemini.hpp"

#include <utility>

namespace jsonheal::wire_detail::gemini {

namespace {

class request_writer {
public:
    request_writer(const request& r, const encode_options& options, encoded& out)
        : r_(r), options_(options), out_(out), w_(out.json), own_(is_own(r.origin, wire_id::gemini)) {}

    void run() {
        w_.open('{').open("contents", '[');
        const message* before = nullptr;
        for (std::size_t i = 0; i < r_.messages.size(); ++i) {
            const message& m = r_.messages[i];
            if (m.role == role::system || m.role == role::developer) { continue; }
            // Results of a turn, and what the user says then, are one content.
            const bool joins = before != nullptr && before->role == role::tool && m.role != role::assistant;
            if (!joins) { close(); }
            content_of(m, i);
            before = &m;
        }
        close();
        w_.close(']');
        system();
        tools();
        config();
        for (const extra_member& m : r_.extra) {
            if (!own_) { say("/extra/" + m.name, "belongs to another wire"); }
            if (own_ && m.name != "generationConfig") { w_.extra({m}); }
        }
        unsaid();
        w_.close('}');
    }

private:
    void say(std::string field, std::string_view message) {
        out_.notes.push_back({std::move(field), std::string(message)});
    }

    void close() {
        if (!std::exchange(open_, false)) { return; }
        w_.close(']');
        w_.extra(std::exchange(extra_, {})).close('}');
    }

    void content_of(const message& m, std::size_t number) {
        notes_for notes(out_.notes, "/messages/" + std::to_string(number));
        if (!std::exchange(open_, true)) {
            w_.open('{').text("role", m.role == role::assistant ? "model" : "user").open("parts", '[');
        }
        if (own_) { extra_.insert(extra_.end(), m.extra.begin(), m.extra.end()); }
        if (!m.participant.empty()) { notes.add("participants have no names on this wire"); }
        for (std::size_t i = 0; i < m.blocks.size(); ++i) {
            const content_block& b = m.blocks[i];
            const auto* call = b.get<tool_call>();
            const auto* result = b.get<tool_result>();
            if ((call != nullptr || result != nullptr) && !options_.native_tools) {
                notes.add(i, "the provider has no native tools");
                continue;
            }
            if (call != nullptr) { names_.called(*call); }
            write_part(w_, b, i, result != nullptr ? names_.of(*result) : std::string_view(), own_, notes);
        }
    }

    void system() {
        const std::vector<content_block> blocks = gather_system(r_);
        if (blocks.empty()) { return; }
        notes_for notes(out_.notes, "/system");
        w_.open("systemInstruction", '{').open("parts", '[');
        for (std::size_t i = 0; i < blocks.size(); ++i) { write_part(w_, blocks[i], i, {}, own_, notes); }
        w_.close(']').close('}');
    }

    void tools() {
        if (r_.tools.empty()) { return; }
        if (!options_.native_tools) {
            say("/tools", "the provider has no native tools");
            return;
        }
        w_.open("tools", '[');
        bool declared = false;
        for (std::size_t i = 0; i < r_.tools.size(); ++i) {
            const tool_definition& t = r_.tools[i];
            if (t.json.empty()) {
                declared = true;
            } else if (own_) {
                w_.raw(t.json);
            } else {
                say("/tools/" + std::to_string(i), "a tool of another wire");
            }
        }
        if (declared) {
            w_.open('{').open("functionDeclarations", '[');
            for (const tool_definition& t : r_.tools) {
                if (t.json.empty()) { declaration(t); }
            }
            w_.close(']').close('}');
        }
        w_.close(']');
        choice();
    }

    void declaration(const tool_definition& t) {
        w_.open('{').text("name", t.name).text_if("description", t.description);
        w_.json_if("parametersJsonSchema", t.parameters);
        if (own_) { w_.extra(t.extra); }
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
        if (c.what == kind::other) {
            if (own_) {
                w_.json("toolConfig", c.json);
            } else {
                say("/tool_choice", "belongs to another wire");
            }
            return;
        }
        constexpr std::string_view modes[] = {"", "AUTO", "NONE", "ANY", "ANY"};
        w_.open("toolConfig", '{').open("functionCallingConfig", '{');
        w_.text("mode", modes[static_cast<std::size_t>(c.what)]);
        if (c.what == kind::tool) { w_.open("allowedFunctionNames", '[').string(c.name).close(']'); }
        w_.close('}').close('}');
    }

    void config() {
        using kind = response_format::kind;
        std::string members;
        writer w(members);
        w.json_if("temperature", r_.temperature).json_if("topP", r_.top_p).json_if("topK", r_.top_k);
        w.json_if("seed", r_.seed)
            .number_if("maxOutputTokens", r_.max_tokens)
            .number_if("candidateCount", r_.n);
        if (!r_.stop.empty()) {
            w.open("stopSequences", '[');
            for (const std::string& word : r_.stop) { w.string(word); }
            w.close(']');
        }
        const response_format& f = r_.response_format;
        const bool json = f.what == kind::json_object || f.what == kind::json_schema;
        if (json && options_.json_object) { w.text("responseMimeType", "application/json"); }
        if (json && !options_.json_object) { say("/response_format", "the provider does not take it"); }
        if (f.what == kind::json_schema && options_.json_schema) {
            w.json_if("responseJsonSchema", f.schema);
        }
        if (f.what == kind::json_schema && !options_.json_schema) {
            say("/response_format/schema", "the provider takes no schema");
        }
        if (f.what == kind::other) { say("/response_format", "belongs to another wire"); }
        if (const auto* more = own_ ? find_extra(r_.extra, "generationConfig") : nullptr) {
            w.extra(members_of(more->json));
        }
        if (!members.empty()) { w_.json("generationConfig", "{" + members + "}"); }
    }

    void unsaid() {
        if (!r_.reasoning_effort.empty()) { say("/reasoning_effort", "this wire asks for a budget"); }
        if (!r_.user.empty()) { say("/user", "this wire has none"); }
        if (!r_.metadata.empty()) { say("/metadata", "this wire has none"); }
        if (r_.parallel_tool_calls == false) { say("/parallel_tool_calls", "this wire cannot forbid them"); }
    }

    const request& r_;
    const encode_options& options_;
    encoded& out_;
    writer w_;
    bool own_, open_ = false;
    extra_members extra_;
    call_names names_;
};

} // namespace

encoded encode_request(const request& r, const encode_options& options) {
    encoded out;
    request_writer(r, options, out).run();
    return out;
}

} // namespace jsonheal::wire_detail::gemini
