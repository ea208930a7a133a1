#include "gateway.hpp"

#include "allow.hpp"
#include "cli/json_writer.hpp"
#include "exchange.hpp"
#include "redis_limits.hpp"
#include "script.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <random>
#include <set>

namespace jsonheal::gateway {

namespace {

using clock = std::chrono::steady_clock;
using cli::json_writer;

const wire::codec& chat() { return wire::get_codec(wire::wire_id::openai_chat); }

std::string error_text(int status, std::string_view why) {
    wire::wire_error e;
    e.status = status;
    e.message = why;
    e.type = wire::words_of(status).type;
    if (status != 404) { e.code = wire::words_of(status).code; } // that of 404 speaks of models
    return chat().encode_error(e);
}

std::string fresh_request_id() {
    thread_local std::mt19937_64 random{std::random_device{}()};
    static constexpr std::string_view letters = "0123456789abcdefghijklmnopqrstuvwxyz";
    std::string id;
    for (int i = 0; i < 20; ++i) { id += letters[random() % letters.size()]; }
    return id;
}

/// A client's own id, if it is one that can stand in headers, logs and addresses.
std::string request_id_of(const net::request& rq) {
    const auto given = rq.headers.find("x-request-id");
    const auto plain = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
               c == '_' || c == '.';
    };
    if (given && !given->empty() && given->size() <= 64 && std::all_of(given->begin(), given->end(), plain)) {
        return std::string(*given);
    }
    return fresh_request_id();
}

/// The key of `Authorization: Bearer …` or `x-api-key`.
std::optional<std::string_view> presented_key(const net::request& rq) {
    if (const auto bearer = rq.headers.find("authorization")) {
        constexpr std::string_view word = "bearer ";
        if (bearer->size() > word.size() && net::same_name(bearer->substr(0, word.size()), word)) {
            return bearer->substr(word.size());
        }
    }
    return rq.headers.find("x-api-key");
}

net::fields json_headers(std::string_view request_id) {
    net::fields h;
    h.add("content-type", "application/json");
    h.add("x-request-id", request_id);
    return h;
}

} // namespace

struct service::state {
    explicit state(gateway_config config)
        : shared{{}, report_ring(config.healing.reports), logger(config.log)},
          now(make(std::move(config), nullptr)) {}

    /// `before` are the settings that go on counting what keys have used; null at the start.
    [[nodiscard]] std::shared_ptr<const settings> make(gateway_config config, const settings* before);
    [[nodiscard]] std::shared_ptr<const settings> current() const {
        const std::lock_guard hold(lock);
        return now;
    }

    services shared;
    mutable std::mutex lock; ///< of `now`
    std::shared_ptr<const settings> now;
    std::atomic<bool> draining{false};
};

namespace {

/// One request at the door: what every route needs.
struct visit {
    service::state& gate;
    const settings& with;
    net::request& rq;
    net::responder& to;
    std::string id;
    const key_config* key = nullptr;
    std::string_view route; ///< for metrics
    std::string model;
    std::string outcome;

    [[nodiscard]] caller make_caller() const {
        caller who;
        who.request_id = id;
        // A key of the gateway's own is nobody else's business.
        if (with.config.keys.empty()) {
            if (const auto a = rq.headers.find("authorization")) { who.authorization = *a; }
        }
        if (const auto t = rq.headers.find("traceparent")) { who.traceparent = *t; }
        if (const auto t = rq.headers.find("tracestate")) { who.tracestate = *t; }
        return who;
    }
    /// What is sent must live until it is awaited.
    [[nodiscard]] net::task<int> send_json(int status, std::string_view body) {
        const net::fields h = json_headers(id);
        (void)co_await to.send(status, h, body);
        co_return status;
    }
    [[nodiscard]] net::task<int> send_error(int status, std::string_view why) {
        const std::string body = error_text(status, why);
        co_return co_await send_json(status, body);
    }
};

net::task<int> chat_completions(visit& v) {
    auto planned = plan_request(v.rq.body, v.with.config, v.key);
    if (auto* wrong = std::get_if<wire::wire_error>(&planned)) {
        const int status = wrong->status >= 400 ? wrong->status : 400;
        const std::string body = chat().encode_error(*wrong);
        co_return co_await v.send_json(status, body);
    }
    exchange x{v.with,
               v.gate.shared,
               std::move(std::get<request_plan>(planned)),
               v.make_caller(),
               v.key == nullptr ? std::string() : v.key->name,
               {},
               {}};
    x.report.request_id = v.id;
    x.report.model = x.plan.shown_model;
    x.report.upstream = x.plan.upstream->name;
    v.model = x.plan.shown_model;
    int status = 0;
    // What text means, a value or a call, is known at its end where it may be either.
    const bool needs_all =
        x.plan.asked.n.value_or(1) > 1 || (x.plan.content != content_rule::any && x.plan.tools);
    if (x.plan.passes() && !x.plan.upstream->script) {
        status = co_await pass_through(x, v.rq, v.to);
    } else if (!x.plan.client_streams) {
        status = co_await answer_whole(x, v.to);
    } else if (needs_all || (x.plan.content != content_rule::any && x.plan.stream == stream_policy::buffer)) {
        status = co_await answer_buffered(x, v.to);
    } else {
        status = co_await answer_live(x, v.to);
    }
    v.outcome = x.report.outcome();
    if (v.outcome != "passed") {
        v.gate.shared.counts.healing(v.outcome, x.report.attempts);
        for (const healed_part& p : x.report.parts) {
            for (const edit& e : p.edits) { v.gate.shared.counts.rule_used(info(e.rule).id, 1); }
            for (const change& c : p.changes) { v.gate.shared.counts.rule_used(info(c.rule).id, 1); }
        }
        v.gate.shared.reports.put(v.id, x.owner, x.report.json());
    }
    co_return status;
}

net::task<int> models(visit& v) {
    std::set<std::string> names;
    const gateway_config& c = v.with.config;
    for (const model_alias& a : c.models) { names.insert(a.name); }
    for (const upstream_config& u : c.upstreams) {
        names.insert(u.models.begin(), u.models.end());
        if (u.script) {
            for (std::string& m : u.script->models()) { names.insert(std::move(m)); }
        }
    }
    std::string body;
    {
        json_writer object(body, '{');
        object.text("object", "list");
        json_writer list(object.member("data"), '[');
        for (const std::string& name : names) {
            if (v.key != nullptr && !v.key->models.empty() &&
                std::find(v.key->models.begin(), v.key->models.end(), name) == v.key->models.end()) {
                continue;
            }
            json_writer model(list.element(), '{');
            model.text("id", name).text("object", "model").number("created", 0u);
            model.text("owned_by", "jsonheal");
        }
    }
    co_return co_await v.send_json(200, body);
}

/// `{"text", "schema"?, "tool"?}` → the healing, whole.
net::task<int> heal_text(visit& v) {
    const parse_result parsed = document::parse_borrowed(v.rq.body, {.depth = 1000});
    if (!parsed) {
        const std::string why = "the body is not JSON: " + std::string(parsed.error->message);
        co_return co_await v.send_error(400, why);
    }
    const value_view root = parsed.value.root();
    const auto text = root.is(value_kind::object) ? root.find("text") : std::nullopt;
    if (!text || !text->is(value_kind::string)) {
        co_return co_await v.send_error(400, "text is required, a string");
    }
    const std::string input = text->string();
    request_plan plan;
    healing_report report;
    report.request_id = v.id;
    healing_config config = v.with.config.healing;
    wire::choice choice;
    choice.message.blocks.push_back(wire::make_text(input));
    plan.content = content_rule::json;
    if (const auto schema = root.find("schema")) {
        auto compiled = schema_of(schema->source());
        if (const std::string* fault = std::get_if<std::string>(&compiled)) {
            const std::string why = "schema: " + *fault;
            co_return co_await v.send_error(400, why);
        }
        plan.content = content_rule::schema;
        plan.schema = std::get<std::shared_ptr<answer_schema>>(compiled);
    }
    if (const auto tool = root.find("tool"); tool && tool->is(value_kind::string)) {
        wire::tool_call call;
        call.name = tool->string();
        call.arguments = input;
        std::string feedback;
        config.cut_calls = cut_call_policy::accept;
        (void)mend_call(plan, config, call, false, 0, 1, report, feedback);
    } else if (!input.empty()) {
        (void)mend_choice(plan, config, choice, 1, report);
    }
    if (report.parts.empty()) { co_return co_await v.send_error(400, "text is empty"); }
    const std::string body = report.json();
    co_return co_await v.send_json(200, body);
}

net::task<int> healing(visit& v) {
    const std::string_view id = std::string_view(v.rq.path).substr(std::string_view("/v1/healings/").size());
    const std::string owner = v.key == nullptr ? "" : v.key->name;
    const auto found = v.gate.shared.reports.find(id, owner);
    if (!found) {
        const std::string why = "there is no healing with that id; the last " +
                                std::to_string(v.with.config.healing.reports) + " are kept";
        co_return co_await v.send_error(404, why);
    }
    co_return co_await v.send_json(200, *found);
}

net::task<int> healings(visit& v) {
    std::string body = "{\"object\":\"list\",\"data\":[";
    bool first = true;
    for (const std::string& report : v.gate.shared.reports.latest(50, v.key == nullptr ? "" : v.key->name)) {
        body.append(first ? "" : ",").append(report);
        first = false;
    }
    body += "]}";
    co_return co_await v.send_json(200, body);
}

net::task<int> health(visit& v) { co_return co_await v.send_json(200, R"({"status":"ok"})"); }

net::task<int> ready(visit& v) {
    if (v.gate.draining.load(std::memory_order_relaxed)) {
        co_return co_await v.send_json(503, R"({"status":"draining"})");
    }
    co_return co_await v.send_json(200, R"({"status":"ok"})");
}

net::task<int> show_metrics(visit& v) {
    net::fields h;
    h.add("content-type", "text/plain; version=0.0.4; charset=utf-8");
    const std::string text = v.gate.shared.counts.exposition();
    (void)co_await v.to.send(200, h, text);
    co_return 200;
}

/// Every other `/v1/…`: to the upstream of the model in the body, or to the first.
net::task<int> other(visit& v) {
    const gateway_config& c = v.with.config;
    exchange x{v.with, v.gate.shared, {}, v.make_caller(), {}, {}, {}};
    x.plan.body_unchanged = true;
    if (const parse_result p = document::parse_borrowed(v.rq.body, {.depth = 1000});
        p && p.value.root().is(value_kind::object)) {
        const auto model = p.value.root().find("model");
        if (model && model->is(value_kind::string)) {
            x.plan.upstream = find_route(c, model->string()).upstream;
        }
    }
    if (x.plan.upstream == nullptr && !c.upstreams.empty()) { x.plan.upstream = &c.upstreams.front(); }
    if (x.plan.upstream == nullptr || x.plan.upstream->script) {
        const std::string why = "there is nothing at " + v.rq.path + " here";
        co_return co_await v.send_error(404, why);
    }
    co_return co_await pass_through(x, v.rq, v.to);
}

struct route_row {
    std::string_view method;
    std::string_view path; ///< with `*` at its end: whatever begins so
    net::task<int> (*run)(visit&);
    bool needs_key = true;
};

constexpr route_row routes[] = {
    {"POST", "/v1/chat/completions", chat_completions},
    {"POST", "/api/v1/chat/completions", chat_completions},
    {"GET", "/v1/models", models},
    {"POST", "/v1/heal", heal_text},
    {"GET", "/v1/healings", healings},
    {"GET", "/v1/healings/*", healing},
    {"GET", "/healthz", health, false},
    {"GET", "/readyz", ready, false},
    {"GET", "/metrics", show_metrics, false},
    {"*", "/v1/*", other},
};

bool matches(const route_row& row, std::string_view path) {
    if (!row.path.ends_with('*')) { return row.path == path; }
    return path.starts_with(row.path.substr(0, row.path.size() - 1));
}

/// The route; null with `wrong_method` set where only the method is not one of the path's.
const route_row* find_row(std::string_view method, std::string_view path, bool& wrong_method) {
    wrong_method = false;
    for (const route_row& row : routes) {
        if (!matches(row, path)) { continue; }
        if (row.method == "*" && wrong_method) { return nullptr; } // the exact path stands above
        if (row.method == method || row.method == "*" || (method == "HEAD" && row.method == "GET")) {
            return &row;
        }
        wrong_method = true;
    }
    return nullptr;
}

net::task<int> run_route(visit& v, const route_row& row) {
    key_ring::decision allowed;
    if (row.needs_key) {
        allowed = co_await allow(*v.with.keys, presented_key(v.rq));
        if (!allowed) {
            net::fields h = json_headers(v.id);
            if (allowed.status == 429) {
                h.add("retry-after", std::to_string((allowed.retry_after.count() + 999) / 1000));
            }
            const std::string body = error_text(allowed.status, allowed.message);
            (void)co_await v.to.send(allowed.status, h, body);
            co_return allowed.status;
        }
        v.key = allowed.granted.key();
    }
    co_return co_await row.run(v);
}

/// The limits that gateways share, if the configuration says where; those of before, if it says the same.
std::shared_ptr<shared_limits> limits_of(const gateway_config& config, const settings* before,
                                         const logger& log) {
    if (!config.redis) { return nullptr; }
    if (before != nullptr && before->config.redis == config.redis) { return before->limits; }
    return std::make_shared<redis_limits>(*config.redis, [&log](bool away, std::string_view why) {
        if (away) {
            log.write(log_config::level::warning, "redis_away",
                      {{"why", why}, {"effect", "limits of keys are counted by this gateway alone"}});
        } else {
            log.write(log_config::level::info, "redis_back", {});
        }
    });
}

} // namespace

std::shared_ptr<const settings> service::state::make(gateway_config config, const settings* before) {
    auto s = std::make_shared<settings>();
    s->config = std::move(config);
    s->limits = limits_of(s->config, before, shared.log);
    s->keys = std::make_unique<key_ring>(s->config.keys, before == nullptr ? nullptr : before->keys.get(),
                                         s->limits);
    s->models = std::make_unique<upstreams>(s->config, shared.counts);
    return s;
}

service::service(gateway_config config) : state_(std::make_unique<state>(std::move(config))) {}
service::~service() = default;

void service::reload(gateway_config config) {
    const std::shared_ptr<const settings> before = state_->current();
    std::shared_ptr<const settings> next = state_->make(std::move(config), before.get());
    const std::lock_guard hold(state_->lock);
    state_->shared.log.set(next->config.log);
    state_->now = std::move(next);
}

void service::begin_drain() noexcept { state_->draining.store(true, std::memory_order_relaxed); }

net::server_options service::server_options() const {
    const std::shared_ptr<const settings> s = state_->current();
    const gateway_config& c = s->config;
    net::server_options o;
    o.address = c.listen.address;
    o.port = c.listen.port;
    o.cores = c.listen.cores;
    o.certificate_file = c.listen.certificate;
    o.key_file = c.listen.key;
    o.head.total = c.limits.header_bytes;
    o.head.count = c.limits.header_count;
    o.body_limit = c.limits.body_bytes;
    o.connection_limit = c.limits.connections;
    o.header_timeout = c.limits.header_timeout;
    o.body_idle_timeout = c.limits.body_timeout;
    o.idle_timeout = c.limits.idle_timeout;
    o.write_idle_timeout = c.limits.write_timeout;
    o.error_body = error_text;
    o.on_exception = [this](std::string_view what) {
        state_->shared.log.write(log_config::level::error, "exception", {{"what", what}});
    };
    return o;
}

net::task<void> service::handle(net::request& rq, net::responder& to) {
    const clock::time_point began = clock::now();
    const std::shared_ptr<const settings> with = state_->current();
    visit v{*state_, *with, rq, to, request_id_of(rq), {}, {}, {}, {}};
    state_->shared.counts.request_began();
    bool wrong_method = false;
    const route_row* row = find_row(rq.method, rq.path, wrong_method);
    int status = 0;
    if (row == nullptr) {
        status = wrong_method ? 405 : 404;
        const std::string why =
            wrong_method ? rq.method + " is not for this path" : "there is nothing at this path";
        (void)co_await v.send_error(status, why);
        v.route = "other";
    } else {
        v.route = row->path;
        status = co_await run_route(v, *row);
    }
    state_->shared.counts.request_ended();
    const auto took = clock::now() - began;
    state_->shared.counts.answered(v.route, status, took);
    using level = log_config::level;
    const level as = status >= 500 ? level::warning : level::info;
    if (state_->shared.log.shows(as)) {
        const double ms = std::chrono::duration<double, std::milli>(took).count();
        state_->shared.log.write(
            as, "request",
            {{"id", v.id},
             {"method", rq.method},
             {"route", v.route},
             {"status", std::int64_t{status}},
             {"ms", ms},
             {"peer", rq.peer},
             {"key", v.key == nullptr ? std::string_view() : std::string_view(v.key->name)},
             {"model", v.model},
             {"outcome", v.outcome}});
    }
}

} // namespace jsonheal::gateway
