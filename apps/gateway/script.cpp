#include "script.hpp"

#include "yaml_value.hpp"

#include <algorithm>

namespace jsonheal::gateway {

std::string_view demo_yaml() noexcept; // generated from demo.yaml

namespace {

constexpr std::int64_t hour = 3'600'000; // in milliseconds

/// A rule on its way from the file.
struct rule_entry : script_rule {
    bool finish_given = false;
    bool after_given = false;
};

constexpr yaml_word<script_fault> fault_words[] = {{"none", script_fault::none},
                                                   {"hang", script_fault::hang},
                                                   {"reset", script_fault::reset},
                                                   {"half_event", script_fault::half_event},
                                                   {"no_done", script_fault::no_done}};
constexpr yaml_word<wire::finish_reason> finish_words[] = {
    {"stop", wire::finish_reason::stop},
    {"length", wire::finish_reason::length},
    {"tool_calls", wire::finish_reason::tool_calls},
    {"content_filter", wire::finish_reason::content_filter},
    {"none", wire::finish_reason::none}};

constexpr yaml_field<rule_entry> when_fields[] = {
    {"model", yaml_filled<&rule_entry::model>},
    {"contains", yaml_filled<&rule_entry::contains>},
    {"turn", yaml_whole<&rule_entry::turn, 1, 100>},
};

constexpr yaml_field<wire::tool_call> call_fields[] = {
    {"name", yaml_filled<&wire::tool_call::name>},
    {"arguments", yaml_text<&wire::tool_call::arguments>},
    {"id", yaml_filled<&wire::tool_call::id>},
};

constexpr yaml_field<scripted_reply> usage_fields[] = {
    {"input", yaml_whole<&scripted_reply::input_tokens, 1, 1'000'000'000>},
    {"output", yaml_whole<&scripted_reply::output_tokens, 1, 1'000'000'000>},
};

/// The cell of a member of the reply: `in_reply<yaml_text<&scripted_reply::text>>`.
template <void (*Read)(const yaml_value&, scripted_reply&)>
void in_reply(const yaml_value& v, rule_entry& r) {
    Read(v, r.reply);
}

void read_calls(const yaml_value& v, scripted_reply& r) {
    v.elements([&](const yaml_value& element) {
        wire::tool_call c;
        if (!element.section(call_fields, c)) { return; }
        if (c.name.empty()) { element.wrong("needs the name of a tool"); }
        r.calls.push_back(std::move(c));
    });
}

void read_headers(const yaml_value& v, scripted_reply& r) {
    v.members([&](const std::string& name, std::size_t, const yaml_value& value) {
        std::string text;
        if (value.text(text)) { r.headers.emplace_back(name, std::move(text)); }
    });
}

constexpr yaml_field<rule_entry> rule_fields[] = {
    {"when", [](const yaml_value& v, rule_entry& r) { v.section(when_fields, r); }},
    {"text", in_reply<yaml_text<&scripted_reply::text>>},
    {"reasoning", in_reply<yaml_text<&scripted_reply::reasoning>>},
    {"refusal", in_reply<yaml_text<&scripted_reply::refusal>>},
    {"tool_calls", in_reply<read_calls>},
    {"finish",
     [](const yaml_value& v, rule_entry& r) { r.finish_given = v.choice(r.reply.finish, finish_words); }},
    {"status", in_reply<yaml_whole<&scripted_reply::status, 200, 599>>},
    {"error", in_reply<yaml_text<&scripted_reply::error>>},
    {"headers", in_reply<read_headers>},
    {"delay", in_reply<yaml_duration<&scripted_reply::delay, 0, hour>>},
    {"pace", in_reply<yaml_duration<&scripted_reply::pace, 0, hour>>},
    {"piece", in_reply<yaml_whole<&scripted_reply::piece, 1, 1'000'000>>},
    {"fault", in_reply<yaml_choice<&scripted_reply::fault, fault_words>>},
    {"after",
     [](const yaml_value& v, rule_entry& r) {
         r.after_given = true;
         yaml_whole<&scripted_reply::after, 0, 1'000'000'000>(v, r.reply);
     }},
    {"usage", [](const yaml_value& v, rule_entry& r) { v.section(usage_fields, r.reply); }},
};

/// Members of a reply that do not go together.
void check_rule(const yaml_value& v, const rule_entry& r) {
    const scripted_reply& reply = r.reply;
    if (reply.status == 200 && !reply.error.empty()) {
        v.wrong("has an error; that needs a status other than 200");
    }
    if (reply.status != 200 && !(reply.text.empty() && reply.calls.empty() && reply.refusal.empty())) {
        v.wrong("has an answer; that needs the status 200");
    }
    if (r.after_given && reply.fault == script_fault::none) { v.wrong("has 'after', which needs a fault"); }
}

void read_rules(const yaml_value& v, std::vector<script_rule>& rules) {
    v.elements([&](const yaml_value& element) {
        rule_entry r;
        if (!element.section(rule_fields, r)) { return; }
        check_rule(element, r);
        if (!r.finish_given && !r.reply.calls.empty()) { r.reply.finish = wire::finish_reason::tool_calls; }
        if (!r.after_given && r.reply.fault == script_fault::no_done) { r.reply.after = r.reply.text.size(); }
        rules.push_back(std::move(r));
    });
}

constexpr yaml_field<std::vector<script_rule>> file_fields[] = {{"replies", read_rules}};

/// What the rules look at.
struct situation {
    std::string text;     ///< of the last plain message of the user
    std::size_t turn = 1; ///< 1 + messages of the assistant behind it
};

situation situation_of(const wire::request& r) {
    situation s;
    for (auto m = r.messages.rbegin(); m != r.messages.rend(); ++m) {
        if (m->role == wire::role::assistant) { ++s.turn; }
        if (m->role != wire::role::user) { continue; }
        s.text = m->text();
        if (!s.text.starts_with(feedback_mark)) { return s; }
    }
    s.text.clear();
    return s;
}

bool holds(const script_rule& rule, const wire::request& r, const situation& s) {
    return (rule.model.empty() || rule.model == r.model) && (rule.turn == 0 || rule.turn == s.turn) &&
           (rule.contains.empty() || s.text.find(rule.contains) != std::string::npos);
}

std::int64_t tokens_in(std::size_t bytes) { return static_cast<std::int64_t>((bytes + 3) / 4); }

std::size_t bytes_asked(const wire::request& r) {
    std::size_t n = 0;
    for (const wire::message& m : r.messages) { n += m.text().size(); }
    for (const wire::content_block& b : r.system) {
        if (const auto* const t = b.get<wire::text_block>()) { n += t->text.size(); }
    }
    for (const wire::tool_definition& t : r.tools) {
        n += t.name.size() + t.description.size() + t.parameters.size();
    }
    return n;
}

wire::usage usage_of(const scripted_reply& reply, const wire::request& asked, std::int64_t choices) {
    std::size_t written = reply.text.size() + reply.reasoning.size() + reply.refusal.size();
    for (const wire::tool_call& c : reply.calls) { written += c.name.size() + c.arguments.size(); }
    wire::usage u;
    u.input = reply.input_tokens != 0 ? reply.input_tokens : tokens_in(bytes_asked(asked));
    u.output = (reply.output_tokens != 0 ? reply.output_tokens : tokens_in(written)) * choices;
    u.total = *u.input + *u.output;
    return u;
}

wire::choice choice_of(const scripted_reply& reply, std::int64_t index, const std::string& id) {
    wire::choice c;
    c.index = index;
    c.finish.reason = reply.finish;
    const auto put = [&](auto block) { c.message.blocks.push_back({std::move(block), {}, {}}); };
    if (!reply.reasoning.empty()) { put(wire::reasoning_block{reply.reasoning, {}, {}, {}}); }
    if (!reply.text.empty()) { put(wire::text_block{reply.text}); }
    if (!reply.refusal.empty()) { put(wire::refusal_block{reply.refusal}); }
    std::size_t number = 0;
    for (wire::tool_call call : reply.calls) {
        if (call.id.empty()) {
            call.id = "call_" + id + "_" + std::to_string(index) + "_" + std::to_string(number);
        }
        ++number;
        put(std::move(call));
    }
    return c;
}

} // namespace

const scripted_reply& script::reply_to(const wire::request& r) const noexcept {
    const situation s = situation_of(r);
    for (const script_rule& rule : rules_) {
        if (holds(rule, r, s)) { return rule.reply; }
    }
    return otherwise_;
}

std::vector<std::string> script::models() const {
    std::vector<std::string> out;
    for (const script_rule& r : rules_) {
        if (!r.model.empty() && std::find(out.begin(), out.end(), r.model) == out.end()) {
            out.push_back(r.model);
        }
    }
    if (out.empty()) { out.emplace_back("demo"); }
    return out;
}

script_reading read_script(std::string_view yaml, const std::string& file) {
    yaml_source source(file, yaml_source::variables::kept);
    const auto made = std::make_shared<script>();
    made->otherwise_.status = 404;
    made->otherwise_.error = "No reply of the script is for this request.";
    source.read(yaml, [&](const yaml_value& root) { root.section(file_fields, made->rules_); });
    if (made->rules_.empty() && source.flawless()) { source.mistake(0, "there are no 'replies'"); }
    script_reading out;
    out.mistakes = source.mistakes();
    out.value = made;
    return out;
}

std::shared_ptr<const script> demo_script() {
    static const std::shared_ptr<const script> demo = read_script(demo_yaml(), "demo.yaml").value;
    return demo;
}

wire::response as_response(const scripted_reply& reply, const wire::request& asked, std::string id,
                           std::int64_t created) {
    const std::int64_t choices = std::clamp<std::int64_t>(asked.n.value_or(1), 1, 128);
    wire::response r;
    r.model = asked.model;
    r.created = created;
    r.usage = usage_of(reply, asked, choices);
    for (std::int64_t i = 0; i < choices; ++i) { r.choices.push_back(choice_of(reply, i, id)); }
    r.id = std::move(id);
    return r;
}

std::vector<wire::stream_event> as_events(const scripted_reply& reply, const wire::request& asked,
                                          std::string id, std::int64_t created) {
    std::vector<wire::stream_event> out;
    wire::replay(as_response(reply, asked, std::move(id), created), reply.piece, out);
    return out;
}

} // namespace jsonheal::gateway
