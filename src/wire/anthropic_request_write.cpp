// Requests of Anthropic Messages: neutral to JSON.
#include "anthropic.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace jsonheal::wire_detail::anthropic {

namespace {

constexpr std::size_t most_marks = 4; // cache_control blocks in one request

/// Marks are counted in the order of the prompt: tools, system, messages. Of more than four the last stay, for a later one
/// covers all before it.
class mark_budget {
public:
    mark_budget(const request& r, const std::vector<content_block>& system, bool wanted) : wanted_(wanted) {
        if (!wanted) { return; }
        std::size_t marks = 0;
        for (const tool_definition& t : r.tools) { marks += count(t.cache_control); }
        for (const content_block& b : system) { marks += count(b.cache_control); }
        for (const message& m : r.messages) {
            if (m.role == role::system || m.role == role::developer) { continue; }
            for (const content_block& b : m.blocks) { marks += count(b.cache_control); }
        }
        too_many_ = marks > most_marks ? marks - most_marks : 0;
    }
    /// Whether the next thing that may have a mark keeps it.
    bool keeps(const std::string& mark) {
        if (!wanted_ || mark.empty()) { return false; }
        if (too_many_ == 0) { return true; }
        --too_many_;
        return false;
    }
    [[nodiscard]] bool wanted() const noexcept { return wanted_; }

private:
    static std::size_t count(const std::string& mark) noexcept { return mark.empty() ? 0 : 1; }
    bool wanted_;
    std::size_t too_many_ = 0;
};

class request_writer {
public:
    request_writer(const request& r, const encode_options& options, encoded& out)
        : r_(r),
          options_(options),
          out_(out),
          w_(out.json),
          own_(is_own(r.origin, wire_id::anthropic_messages)),
          system_(gather_system(r)),
          marks_(r, system_, options.cache_control) {}

    void run() {
        w_.open('{').text("model", r_.model);
        w_.key("max_tokens").number(r_.max_tokens.value_or(options_.default_max_tokens));
        tools(); // first in the prompt, so first to spend marks
        system();
        messages();
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

    void block(writer& w, const content_block& b, std::size_t i, notes_for& notes) {
        const bool keeps = marks_.keeps(b.cache_control);
        if (!keeps && !b.cache_control.empty() && marks_.wanted()) {
            notes.add(i, "more than four cache marks");
        }
        write_block(w, b, i, {own_, keeps}, notes);
    }

    void system() {
        notes_for notes(out_.notes, "/system");
        const bool plain = system_.size() == 1 && system_[0].get<text_block>() != nullptr &&
                           system_[0].cache_control.empty() && system_[0].extra.empty();
        if (system_.empty()) { return; }
        if (plain) {
            w_.text("system", system_[0].get<text_block>()->text);
            return;
        }
        w_.open("system", '[');
        for (std::size_t i = 0; i < system_.size(); ++i) {
            if (system_[i].get<text_block>() == nullptr) {
                notes.add(i, "the system prompt is text alone");
            } else {
                block(w_, system_[i], i, notes);
            }
        }
        w_.close(']');
    }

    /// A message that is open, for blocks of several neutral ones: the results of a turn and what the user says then. One
    /// without any block is left out, for the API refuses it.
    void open_message(std::string_view role_name, const std::string& field) {
        if (!open_role_.empty()) { return; }
        open_role_ = role_name;
        field_ = field;
        content_.clear();
        blocks_.emplace(content_);
    }
    void close_message() {
        if (open_role_.empty()) { return; }
        const extra_members extra = std::exchange(message_extra_, {});
        if (content_.empty()) {
            say(field_, "a message without content");
        } else {
            w_.open('{')
                .text("role", open_role_)
                .open("content", '[')
                .raw(content_)
                .close(']')
                .extra(extra)
                .close('}');
        }
        open_role_ = {};
    }

    void messages() {
        w_.open("messages", '[');
        const message* before = nullptr;
        for (std::size_t i = 0; i < r_.messages.size(); ++i) {
            const message& m = r_.messages[i];
            if (m.role == role::system || m.role == role::developer) { continue; }
            // All results of a turn, and what follows them, are one message.
            const bool joins = before != nullptr && before->role == role::tool && m.role != role::assistant;
            if (!joins) { close_message(); }
            message_of(m, i);
            before = &m;
        }
        close_message();
        w_.close(']');
    }

    void message_of(const message& m, std::size_t number) {
        const std::string field = "/messages/" + std::to_string(number);
        notes_for notes(out_.notes, field);
        if (!m.participant.empty()) { notes.add("participants have no names on this wire"); }
        open_message(m.role == role::assistant ? "assistant" : "user", field);
        if (own_) { message_extra_.insert(message_extra_.end(), m.extra.begin(), m.extra.end()); }
        for (std::size_t i = 0; i < m.blocks.size(); ++i) {
            const content_block& b = m.blocks[i];
            const auto* thought = b.get<reasoning_block>();
            const bool tool = b.get<tool_call>() != nullptr || b.get<tool_result>() != nullptr;
            if (tool && !options_.native_tools) {
                notes.add(i, "the provider has no native tools");
            } else if (thought != nullptr && thought->signature.empty() && thought->redacted.empty()) {
                notes.add(i, "reasoning without a signature cannot go back");
            } else {
                block(*blocks_, b, i, notes);
            }
        }
    }

    void tools() {
        if (r_.tools.empty()) { return; }
        if (!options_.native_tools) {
            say("/tools", "the provider has no native tools");
            return;
        }
        w_.open("tools", '[');
        for (std::size_t i = 0; i < r_.tools.size(); ++i) { tool(r_.tools[i], i); }
        w_.close(']');
        choice();
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
        w_.open('{').text("name", t.name).text_if("description", t.description);
        w_.json("input_schema", t.parameters.empty() ? R"({"type":"object","properties":{}})"
                                                     : std::string_view(t.parameters));
        if (options_.strict) { w_.number_if("strict", t.strict); }
        if (marks_.keeps(t.cache_control)) {
            w_.json("cache_control", t.cache_control);
        } else if (!t.cache_control.empty() && marks_.wanted()) {
            say("/tools/" + std::to_string(i), "more than four cache marks");
        }
        if (own_) { w_.extra(t.extra); }
        w_.close('}');
    }

    void choice() {
        using kind = tool_choice::kind;
        const tool_choice& c = r_.tool_choice;
        if (c.what == kind::other) {
            say("/tool_choice", "belongs to another wire");
            return;
        }
        const bool serial = r_.parallel_tool_calls == false;
        if (c.what == kind::unset && !serial) { return; }
        if (!options_.tool_choice) {
            if (c.what != kind::automatic) { say("/tool_choice", "the provider does not take it"); }
            return;
        }
        constexpr std::string_view words[] = {"auto", "auto", "none", "any", "tool"};
        w_.open("tool_choice", '{')
            .text("type", words[static_cast<std::size_t>(c.what)])
            .text_if("name", c.name);
        if (r_.parallel_tool_calls && c.what != kind::none) {
            w_.key("disable_parallel_tool_use").boolean(!*r_.parallel_tool_calls);
        }
        w_.close('}');
    }

    /// Temperatures beyond 1, which OpenAI allows, are an error here.
    void temperature() {
        double t = 0;
        const std::string& text = r_.temperature;
        std::from_chars(text.data(), text.data() + text.size(), t);
        if (t > 1) { say("/temperature", "at most 1 on this wire"); }
        w_.json_if("temperature", t > 1 ? std::string_view("1") : std::string_view(text));
    }

    void settings() {
        temperature();
        w_.json_if("top_p", r_.top_p).json_if("top_k", r_.top_k);
        stop();
        format();
        user();
        w_.number_if("stream", r_.stream);
        if (!r_.seed.empty()) { say("/seed", "this wire has none"); }
        if (r_.n.value_or(1) > 1) { say("/n", "this wire gives one answer"); }
    }

    void stop() {
        const auto blank = [](const std::string& s) {
            return s.find_first_not_of(" \t\r\n") == std::string::npos;
        };
        if (std::any_of(r_.stop.begin(), r_.stop.end(), blank)) {
            say("/stop", "blank stop words are not allowed");
        }
        if (std::all_of(r_.stop.begin(), r_.stop.end(), blank)) { return; }
        w_.open("stop_sequences", '[');
        for (const std::string& word : r_.stop) {
            if (!blank(word)) { w_.string(word); }
        }
        w_.close(']');
    }

    void format() {
        using kind = response_format::kind;
        const response_format& f = r_.response_format;
        const bool schema = f.what == kind::json_schema && options_.json_schema && !f.schema.empty();
        const bool other = f.what == kind::other && own_;
        const bool effort = own_ && !r_.reasoning_effort.empty();
        const bool more = own_ && !f.wrapper_extra.empty();
        if (!schema && !other && f.what != kind::unset && f.what != kind::text) {
            say("/response_format", "the provider does not take it");
        }
        if (!effort && !r_.reasoning_effort.empty()) {
            say("/reasoning_effort", "this wire asks for a budget");
        }
        if (!schema && !other && !effort && !more) { return; }
        w_.open("output_config", '{');
        if (effort) { w_.text("effort", r_.reasoning_effort); }
        if (other) { w_.json("format", f.json); }
        if (schema) {
            w_.open("format", '{').text("type", "json_schema").json("schema", f.schema);
            if (own_) { w_.extra(f.extra); }
            w_.close('}');
        }
        if (own_) { w_.extra(f.wrapper_extra); }
        w_.close('}');
    }

    void user() {
        if (!r_.metadata.empty() && own_) {
            w_.json("metadata", r_.metadata);
        } else if (!r_.user.empty()) {
            w_.open("metadata", '{').text("user_id", r_.user).close('}');
        }
        if (!r_.metadata.empty() && !own_) { say("/metadata", "this wire knows the user's id alone"); }
    }

    const request& r_;
    const encode_options& options_;
    encoded& out_;
    writer w_;
    bool own_;
    std::vector<content_block> system_;
    mark_budget marks_;
    std::string_view open_role_;
    extra_members message_extra_;
    std::string field_, content_; ///< of the open message
    std::optional<writer> blocks_;
};

} // namespace

encoded encode_request(const request& r, const encode_options& options) {
    encoded out;
    request_writer(r, options, out).run();
    return out;
}

} // namespace jsonheal::wire_detail::anthropic
