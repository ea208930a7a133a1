#include "exchange.hpp"

#include <algorithm>

namespace jsonheal::gateway {

namespace {

using clock = std::chrono::steady_clock;

const wire::codec& chat() { return wire::get_codec(wire::wire_id::openai_chat); }

/// How an `upstream_failure` says that the attempts are used up.
constexpr std::string_view used_up = "exhausted";

/// Puts a continued answer behind what there was before.
void join(wire::choice& choice, const mending& before) {
    wire::choice whole = std::move(choice);
    std::string text = before.said + whole.message.text();
    std::erase_if(whole.message.blocks,
                  [](const wire::content_block& b) { return b.get<wire::text_block>() != nullptr; });
    whole.message.blocks.push_back(wire::make_text(std::move(text)));
    choice = std::move(whole);
}

std::string violations_json(const std::vector<schema::violation>& violations) {
    document_builder b;
    b.begin_array();
    for (const schema::violation& v : violations) {
        b.begin_object().key("path").string(v.instance).key("keyword").string(v.keyword);
        b.key("message").string(v.message).end_object();
    }
    return std::string(b.end_array().finish().text());
}

std::string quoted(std::string_view text) {
    std::string out;
    encode_string(text, out);
    return out;
}

std::string seconds_of(milliseconds m) { return std::to_string((m.count() + 999) / 1000); }

} // namespace

void exchange::add_usage(const std::optional<wire::usage>& more) {
    if (!more) { return; }
    if (usage) {
        *usage += *more;
    } else {
        usage = more;
    }
    shared.counts.tokens(plan.upstream->name, plan.asked.model, more->input.value_or(0),
                         more->output.value_or(0));
}

bool exchange::may_ask_again(unsigned attempt) const {
    const healing_config& h = with.config.healing;
    if (attempt >= plan.max_attempts || clock::now() - began > h.time_budget) { return false; }
    const std::int64_t used = usage ? usage->output.value_or(0) : 0;
    return h.token_budget == 0 || used < static_cast<std::int64_t>(h.token_budget);
}

wire::wire_error exchange::exhausted(const std::string& candidate) {
    report.failed = true;
    const healing_config& h = with.config.healing;
    wire::wire_error e;
    e.what = wire::wire_error::kind::provider;
    e.wire = wire::wire_id::openai_chat;
    e.status = h.failure_status;
    e.message = "Failed to generate a valid JSON response. Please, try again later.";
    e.type = wire::words_of(h.failure_status).type;
    e.code = "service_unavailable";
    e.extra.push_back({"attempts", std::to_string(report.attempts)});
    if (!report.parts.empty()) {
        const healed_part& last = report.parts.back();
        e.extra.push_back({"violations", violations_json(last.violations)});
        if (!last.note.empty()) { e.extra.push_back({"reason", quoted(last.note)}); }
    }
    if (h.best_candidate && !candidate.empty()) { e.extra.push_back({"candidate", quoted(candidate)}); }
    return e;
}

net::task<answer_or_failure> heal_answer(exchange& x, asker ask) {
    const upstream_config& up = *x.plan.upstream;
    answer_or_failure first = co_await ask(x.plan.asked);
    if (auto* failed = std::get_if<upstream_failure>(&first)) { co_return std::move(*failed); }
    wire::response& answer = std::get<wire::response>(first);
    ++x.report.attempts;
    x.add_usage(answer.usage);
    if (answer.choices.empty()) {
        upstream_failure f;
        f.error = x.exhausted({});
        f.error.message = "the upstream's answer has no choices";
        f.error.status = 502;
        f.outcome = "protocol";
        co_return f;
    }
    for (wire::choice& choice : answer.choices) {
        mending m = mend_choice(x.plan, x.with.config.healing, choice, 1, x.report);
        wire::request conversation = x.plan.asked;
        for (unsigned attempt = 1; !m.good; ++attempt) {
            if (!x.may_ask_again(attempt)) {
                upstream_failure f;
                f.error = x.exhausted(m.candidate);
                f.outcome = used_up;
                co_return f;
            }
            const bool continued = m.cut && up.continues && !m.said.empty();
            conversation = ask_again(conversation, m, up.continues);
            answer_or_failure again = co_await ask(conversation);
            if (auto* failed = std::get_if<upstream_failure>(&again)) { co_return std::move(*failed); }
            wire::response& next = std::get<wire::response>(again);
            ++x.report.attempts;
            x.add_usage(next.usage);
            if (next.choices.empty()) { continue; }
            const std::int64_t index = choice.index;
            choice = std::move(next.choices.front());
            choice.index = index;
            if (continued) {
                join(choice, m);
                conversation.messages.pop_back(); // the whole of it is said again if this is still not all
            }
            m = mend_choice(x.plan, x.with.config.healing, choice, attempt + 1, x.report);
        }
    }
    answer.usage = x.usage;
    co_return std::move(answer);
}

net::fields answer_headers(const exchange& x, std::string_view type) {
    net::fields h;
    h.add("content-type", type);
    h.add("x-request-id", x.who.request_id);
    if (x.report.attempts != 0) { h.add("x-jsonheal-attempts", std::to_string(x.report.attempts)); }
    if (!x.report.parts.empty()) {
        h.add("x-jsonheal-verdict", name(x.report.verdict()));
        h.add("x-jsonheal-risk", name(x.report.risk()));
    }
    return h;
}

net::task<int> send_failure(exchange& x, net::responder& to, const upstream_failure& failed) {
    if (failed.outcome == used_up) { co_return co_await send_exhausted(x, to, failed.error); }
    net::fields headers = answer_headers(x, "application/json");
    if (failed.retry_after) {
        const milliseconds most = x.plan.upstream->retry_after_most;
        headers.add("retry-after", seconds_of(std::min(*failed.retry_after, most)));
    }
    const std::string body = chat().encode_error(failed.error);
    (void)co_await to.send(failed.error.status, headers, body);
    co_return failed.error.status;
}

net::task<int> send_exhausted(exchange& x, net::responder& to, const wire::wire_error& e) {
    net::fields headers = answer_headers(x, "application/json");
    headers.add("retry-after", seconds_of(x.with.config.healing.retry_after));
    headers.add("x-should-retry", x.with.config.healing.should_retry ? "true" : "false");
    const std::string body = chat().encode_error(e);
    (void)co_await to.send(e.status, headers, body);
    co_return e.status;
}

net::task<int> answer_whole(exchange& x, net::responder& to) {
    const asker whole = [&x](const wire::request& conversation) {
        return x.with.models->complete(*x.plan.upstream, conversation, x.who);
    };
    answer_or_failure healed = co_await heal_answer(x, whole);
    if (auto* failed = std::get_if<upstream_failure>(&healed)) {
        co_return co_await send_failure(x, to, *failed);
    }
    wire::response_options o;
    o.model = x.plan.shown_model;
    const wire::encoded body = chat().encode_response(std::get<wire::response>(healed), o);
    const net::fields headers = answer_headers(x, "application/json");
    (void)co_await to.send(200, headers, body.json);
    co_return 200;
}

net::task<int> pass_through(exchange& x, const net::request& rq, net::responder& to) {
    const upstream_config& up = *x.plan.upstream;
    std::string rewritten;
    if (!x.plan.body_unchanged && !rq.body.empty()) {
        rewritten = chat().encode_request(x.plan.asked, {}).json;
    }
    const std::string_view body =
        x.plan.body_unchanged ? std::string_view(rq.body) : std::string_view(rewritten);
    auto sent = co_await x.with.models->forward(up, rq.method, rq.target, rq.headers, body, x.who);
    if (auto* failed = std::get_if<upstream_failure>(&sent)) {
        co_return co_await send_failure(x, to, *failed);
    }
    net::response& got = std::get<net::response>(sent);
    const int status = got.head.status;
    net::fields headers;
    for (const net::field f : got.head.headers) {
        if (!net::is_hop_field(f.name) && !net::same_name(f.name, "x-request-id")) {
            headers.add(f.name, f.value);
        }
    }
    headers.add("x-request-id", x.who.request_id);
    if (got.head.body_framing == net::framing::length && got.head.length <= (64u << 10)) {
        net::result<std::string> all = co_await got.read_all(64u << 10);
        if (!all) {
            to.abort();
            co_return 502;
        }
        (void)co_await to.send(status, headers, *all);
        co_return status;
    }
    if (!co_await to.start_stream(status, headers)) { co_return status; }
    for (;;) {
        net::result<std::string_view> piece = co_await got.read_some();
        if (!piece) {
            to.abort(); // the client must see that it has not got all
            co_return 502;
        }
        if (piece->empty()) { break; }
        if (!co_await to.write(*piece)) { co_return status; }
    }
    (void)co_await to.finish();
    co_return status;
}

} // namespace jsonheal::gateway
