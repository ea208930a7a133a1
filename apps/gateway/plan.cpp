#include "plan.hpp"

#include "recent.hpp"

#include <algorithm>

namespace jsonheal::gateway {

namespace {

using wire::wire_error;

wire_error usage_error(std::string field, std::string message, int status = 400, std::string code = {}) {
    wire_error e;
    e.what = wire_error::kind::usage;
    e.wire = wire::wire_id::openai_chat;
    e.field = std::move(field);
    e.message = std::move(message);
    e.status = status;
    e.type = std::string(wire::words_of(status).type);
    e.code = code.empty() ? std::string(wire::words_of(status).code) : std::move(code);
    return e;
}

/// What the client said about healing, from wherever it may say it.
struct healing_wish {
    bool on = false;
    std::optional<unsigned> max_attempts;
    std::optional<stream_policy> stream;
};

std::optional<stream_policy> stream_policy_by_name(std::string_view word) {
    if (word == "buffer") { return stream_policy::buffer; }
    if (word == "live") { return stream_policy::live; }
    if (word == "off") { return stream_policy::off; }
    return std::nullopt;
}

constexpr unsigned most_attempts = 10;

/// Reads `{"max_attempts": 3, "stream": "live"}`.
std::optional<wire_error> read_options(value_view v, const std::string& where, healing_wish& wish) {
    if (!v.is(value_kind::object)) { return usage_error(where, "must be an object"); }
    wish.on = true;
    if (const auto n = v.find("max_attempts")) {
        const auto count = n->is(value_kind::number) ? n->int64() : std::nullopt;
        if (!count || *count < 1 || *count > most_attempts) {
            return usage_error(where + "/max_attempts", "must be a whole number from 1 to 10");
        }
        wish.max_attempts = static_cast<unsigned>(*count);
    }
    if (const auto s = v.find("stream")) {
        wish.stream = s->is(value_kind::string) ? stream_policy_by_name(s->string()) : std::nullopt;
        if (!wish.stream) { return usage_error(where + "/stream", "must be buffer, live or off"); }
    }
    return std::nullopt;
}

std::optional<wire_error> read_options(const std::string& json, const std::string& where,
                                       healing_wish& wish) {
    const parse_result parsed = document::parse_borrowed(json);
    return read_options(parsed.value.root(), where, wish);
}

/// `[{"id": "response-healing"}]`, both spellings; `enabled: false` switches it off. Other plugins stay for the upstream.
std::optional<wire_error> read_plugins(wire::request& asked, healing_wish& wish) {
    const wire::extra_member* found = wire::find_extra(asked.extra, "plugins");
    if (found == nullptr) { return std::nullopt; }
    const parse_result parsed = document::parse_borrowed(found->json);
    if (!parsed.value.root().is(value_kind::array)) { return usage_error("/plugins", "must be a list"); }
    document_builder others;
    others.begin_array();
    std::size_t left = 0, index = 0;
    for (const value_view plugin : parsed.value.root().elements()) {
        const auto id = plugin.is(value_kind::object) ? plugin.find("id") : std::nullopt;
        const bool ours = id && id->is(value_kind::string) &&
                          (id->string_is("response-healing") || id->string_is("response_healing"));
        if (!ours) {
            others.copy(plugin);
            ++left;
        } else {
            const auto enabled = plugin.find("enabled");
            wish.on = !(enabled && enabled->is(value_kind::boolean) && !enabled->boolean());
            if (const auto n = plugin.find("max_attempts"); n && wish.on) {
                if (const auto e = read_options(plugin, "/plugins/" + std::to_string(index), wish)) {
                    return e;
                }
            }
        }
        ++index;
    }
    others.end_array();
    (void)wire::take_extra(asked.extra, "plugins");
    if (left != 0) { asked.extra.push_back({"plugins", std::string(others.finish().text())}); }
    return std::nullopt;
}

/// `response_schema`, a schema at the top level: always heals.
std::optional<wire_error> read_response_schema(wire::request& asked, healing_wish& wish) {
    std::string schema = wire::take_extra(asked.extra, "response_schema");
    if (!schema.empty()) {
        wish.on = true;
        asked.response_format = {};
        asked.response_format.what = wire::response_format::kind::json_schema;
        asked.response_format.name = "response";
        asked.response_format.schema = std::move(schema);
    }
    const std::string options = wire::take_extra(asked.extra, "healing_options");
    if (options.empty()) { return std::nullopt; }
    return read_options(options, "/healing_options", wish);
}

/// AIVAX's `prompt`: a single message of the user.
std::optional<wire_error> read_prompt(wire::request& asked) {
    const std::string prompt = wire::take_extra(asked.extra, "prompt");
    if (prompt.empty()) { return std::nullopt; }
    const parse_result parsed = document::parse_borrowed(prompt);
    if (!parsed.value.root().is(value_kind::string)) { return usage_error("/prompt", "must be a string"); }
    if (!asked.messages.empty()) { return usage_error("/prompt", "and messages cannot both be given"); }
    asked.messages.push_back({wire::role::user, {wire::make_text(parsed.value.root().string())}, {}, {}});
    return std::nullopt;
}

std::string tools_json(const std::vector<wire::tool_definition>& tools) {
    document_builder b;
    b.begin_array();
    for (const wire::tool_definition& t : tools) {
        if (!t.json.empty()) { continue; } // a tool of another sort has no arguments to heal
        b.begin_object().key("name").string(t.name).key("description").string(t.description);
        if (const parse_result p = document::parse_borrowed(t.parameters); !t.parameters.empty() && p) {
            b.key("parameters").copy(p.value.root());
        }
        b.end_object();
    }
    b.end_array();
    return std::string(b.finish().text());
}

/// The end of the conversation's instructions for a provider that cannot be given the schema itself.
void add_schema_instructions(wire::request& asked, const std::string& schema) {
    std::string text = "Answer with one JSON value and nothing else: no prose, no code fence.";
    if (!schema.empty()) { text.append(" It must fit this JSON Schema:\n").append(schema); }
    for (wire::message& m : asked.messages) {
        if (m.role == wire::role::system || m.role == wire::role::developer) {
            m.blocks.push_back(wire::make_text("\n\n" + text));
            return;
        }
    }
    asked.messages.insert(asked.messages.begin(), {wire::role::system, {wire::make_text(text)}, {}, {}});
}

void add_tool_prompt(wire::request& asked, const tool_set& tools, const call_format& format) {
    asked.messages.insert(asked.messages.begin(),
                          {wire::role::system, {wire::make_text(tool_prompt(tools, format))}, {}, {}});
}

/// What the content must be, and whether the model may be asked again.
std::optional<wire_error> decide_healing(request_plan& plan, const healing_wish& wish,
                                         const gateway_config& config, const key_config* key) {
    using format = wire::response_format::kind;
    wire::response_format& wanted = plan.asked.response_format;
    const bool formatted = wanted.what == format::json_schema || wanted.what == format::json_object;
    plan.stream = wish.stream.value_or(config.healing.stream);
    plan.max_attempts = plan.tools ? config.healing.max_attempts : 1; // a cut call may be asked for again
    if (!formatted) { return std::nullopt; }
    const bool automatic = key != nullptr && key->automatic_healing;
    if (!wish.on && !automatic && !config.healing.check_response_format) { return std::nullopt; }
    plan.max_attempts = wish.on || automatic ? wish.max_attempts.value_or(config.healing.max_attempts) : 1u;
    if (wanted.what == format::json_object) {
        plan.content = content_rule::json;
        return std::nullopt;
    }
    auto compiled = schema_of(wanted.schema);
    if (const std::string* why = std::get_if<std::string>(&compiled)) {
        return usage_error(plan.asked.response_format.name == "response"
                               ? "/response_schema"
                               : "/response_format/json_schema/schema",
                           "cannot be used: " + *why, 400, "invalid_json_schema");
    }
    plan.content = content_rule::schema;
    plan.schema = std::get<std::shared_ptr<answer_schema>>(compiled);
    return std::nullopt;
}

/// Makes the request one that this upstream can take.
void suit_upstream(request_plan& plan) {
    using format = wire::response_format::kind;
    wire::response_format& wanted = plan.asked.response_format;
    const upstream_config& up = *plan.upstream;
    const bool takes_format = (wanted.what == format::json_schema && up.native_schema) ||
                              (wanted.what == format::json_object && up.native_json) ||
                              wanted.what == format::unset || wanted.what == format::text ||
                              wanted.what == format::other;
    if (!takes_format) {
        const std::string schema = wanted.schema;
        wanted = {};
        if (up.native_json) { wanted.what = format::json_object; }
        add_schema_instructions(plan.asked, schema);
        plan.body_unchanged = false;
    }
    if (plan.tools && !up.native_tools) {
        plan.text_calls = find_call_format(up.tool_format);
        add_tool_prompt(plan.asked, *plan.tools, *plan.text_calls);
        plan.asked.tools.clear();
        plan.asked.tool_choice = {};
        plan.asked.parallel_tool_calls.reset();
        plan.body_unchanged = false;
    }
}

} // namespace

route find_route(const gateway_config& config, std::string_view model) {
    for (const model_alias& a : config.models) {
        if (a.name == model) { return {config.find_upstream(a.upstream), a.model}; }
    }
    const auto lists = [&](const upstream_config& u) {
        return std::find(u.models.begin(), u.models.end(), model) != u.models.end();
    };
    for (const upstream_config& u : config.upstreams) {
        if (lists(u)) { return {&u, std::string(model)}; }
    }
    if (const std::size_t slash = model.find('/'); slash != std::string_view::npos) {
        if (const upstream_config* u = config.find_upstream(model.substr(0, slash))) {
            const std::string_view rest = model.substr(slash + 1);
            if (u->models.empty() || std::find(u->models.begin(), u->models.end(), rest) != u->models.end()) {
                return {u, std::string(rest)};
            }
        }
    }
    for (const upstream_config& u : config.upstreams) {
        if (u.models.empty()) { return {&u, std::string(model)}; }
    }
    return {};
}

std::variant<std::shared_ptr<answer_schema>, std::string> schema_of(std::string_view json) {
    thread_local recent<std::shared_ptr<answer_schema>> known(64);
    if (const auto* found = known.find(json)) { return *found; }
    parse_result parsed = document::parse(std::string(json));
    if (!parsed) { return std::string(parsed.error->message); }
    schema::compile_options options;
    options.format_assertion = true;
    schema::compile_result compiled = schema::compile(parsed.value, options);
    if (compiled.error) {
        const schema::compile_error& e = *compiled.error;
        return e.reason + (e.pointer.empty() ? "" : " at " + e.pointer);
    }
    auto made = std::make_shared<answer_schema>(
        answer_schema{std::string(json), compiled.value, answerer(compiled.value)});
    known.put(json, made);
    return made;
}

std::variant<std::shared_ptr<const tool_set>, std::string> tools_of(std::string_view json) {
    thread_local recent<std::shared_ptr<const tool_set>> known(64);
    if (const auto* found = known.find(json)) { return *found; }
    tool_set_reading read = tool_set::read(json);
    if (!read) { return read.error; }
    auto made = std::make_shared<const tool_set>(std::move(read.tools));
    known.put(json, made);
    return std::shared_ptr<const tool_set>(made);
}

std::variant<request_plan, wire_error> plan_request(std::string_view body, const gateway_config& config,
                                                    const key_config* key) {
    wire::decode_options decode;
    decode.depth = config.limits.depth;
    auto read = wire::get_codec(wire::wire_id::openai_chat).decode_request(body, decode);
    if (!read) { return *read.error; }
    request_plan plan;
    plan.asked = std::move(read.value);
    wire::request& asked = plan.asked;
    plan.shown_model = asked.model;
    plan.client_streams = asked.stream.value_or(false);
    plan.client_wants_usage = asked.include_usage.value_or(false);

    const std::size_t members = asked.extra.size() + asked.response_format.extra.size();
    healing_wish wish;
    if (auto e = read_prompt(asked)) { return *e; }
    if (asked.messages.empty()) { return usage_error("/messages", "is required"); }
    if (auto e = read_response_schema(asked, wish)) { return *e; }
    if (const std::string options = wire::take_extra(asked.response_format.extra, "healing_options");
        !options.empty()) {
        if (auto e = read_options(options, "/response_format/json_schema/healing_options", wish)) {
            return *e;
        }
    }
    if (auto e = read_plugins(asked, wish)) { return *e; }
    plan.body_unchanged = asked.extra.size() + asked.response_format.extra.size() == members;

    const route to = find_route(config, asked.model);
    const auto allowed = [&] {
        return key == nullptr || key->models.empty() ||
               std::find(key->models.begin(), key->models.end(), asked.model) != key->models.end();
    };
    if (to.upstream == nullptr || !allowed()) {
        return usage_error("/model",
                           "names '" + asked.model +
                               "', which does not exist here; GET /v1/models lists what does",
                           404, "model_not_found");
    }
    plan.upstream = to.upstream;
    if (asked.model != to.model) {
        asked.model = to.model;
        plan.body_unchanged = false;
    }
    if (!asked.tools.empty() && asked.tool_choice.what != wire::tool_choice::kind::none) {
        auto tools = tools_of(tools_json(asked.tools));
        if (const std::string* why = std::get_if<std::string>(&tools)) { return usage_error("/tools", *why); }
        plan.tools = std::get<std::shared_ptr<const tool_set>>(tools);
    }
    if (auto e = decide_healing(plan, wish, config, key)) { return *e; }
    suit_upstream(plan);
    return plan;
}

} // namespace jsonheal::gateway
