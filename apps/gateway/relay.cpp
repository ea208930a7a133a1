// Healed answers as streams of the client's wire.
#include "exchange.hpp"
#include "script.hpp"

#include <jsonheal/net_sse.hpp>
#include <jsonheal/stream.hpp>

#include <algorithm>

namespace jsonheal::gateway {

namespace {

const wire::codec& chat() { return wire::get_codec(wire::wire_id::openai_chat); }

std::string keep_alive_comment() {
    std::string c;
    net::append_comment(c, "healing");
    return c;
}

/// What was done, for whoever reads along: a comment, which clients skip.
std::string closing_comment(const exchange& x) {
    std::string text = "jsonheal attempts=" + std::to_string(x.report.attempts);
    if (!x.report.parts.empty()) {
        text.append(" verdict=")
            .append(name(x.report.verdict()))
            .append(" risk=")
            .append(name(x.report.risk()));
    }
    std::string c;
    net::append_comment(c, text);
    return c;
}

/// The client's side of a stream: begins it when there is something to say, and tells failures by status or chunk.
class outgoing {
public:
    outgoing(exchange& x, net::responder& to) : x_(x), to_(to) {
        wire::response_options o;
        o.model = x.plan.shown_model;
        o.include_usage = x.plan.client_wants_usage;
        encoder_ = chat().make_encoder(o);
    }

    [[nodiscard]] bool begun() const noexcept { return to_.started(); }

    /// Opens the stream and keeps it alive by comments.
    net::task<bool> begin() {
        if (begun()) { co_return !to_.client_gone(); }
        net::fields headers = answer_headers(x_, "text/event-stream; charset=utf-8");
        headers.add("cache-control", "no-cache");
        headers.add("x-accel-buffering", "no");
        const bool open = co_await to_.start_stream(200, headers);
        if (open) { to_.heartbeat(keep_alive_comment(), x_.with.config.healing.keep_alive); }
        co_return open;
    }
    /// Queues an event; `flush` sends.
    void put(const wire::stream_event& event) { encoder_->put(event, bytes_); }
    net::task<bool> flush() {
        if (bytes_.empty()) { co_return !to_.client_gone(); }
        if (!co_await begin()) { co_return false; }
        const bool open = co_await to_.write(bytes_);
        bytes_.clear();
        co_return open;
    }
    /// The end of a good answer. Events before it must have been put.
    net::task<int> finish() {
        put(wire::stream_done{});
        bytes_.insert(0, closing_comment(x_));
        const bool open = co_await flush();
        if (open) { co_await end(); }
        co_return 200;
    }
    /// A status where nothing has been sent yet, else a chunk with the error, and the end.
    net::task<int> fail(const upstream_failure& failed) {
        if (!begun()) {
            bytes_.clear();
            co_return co_await send_failure(x_, to_, failed);
        }
        put(wire::stream_error{failed.error});
        co_return co_await finish();
    }

private:
    net::task<void> end() { (void)co_await to_.finish(); }

    exchange& x_;
    net::responder& to_;
    std::unique_ptr<wire::stream_encoder> encoder_;
    std::string bytes_;
};

upstream_failure exhausted_failure(exchange& x, const std::string& candidate) {
    upstream_failure f;
    f.error = x.exhausted(candidate);
    f.outcome = "exhausted";
    return f;
}

/// One generation of `live`: what came so far, and what of it went out.
class live_attempt {
public:
    live_attempt(exchange& x, outgoing& out, unsigned attempt) : x_(x), out_(out), attempt_(attempt) {
        choice_.index = 0;
        choice_.message.role = wire::role::assistant;
        if (x.plan.content != content_rule::any) {
            stream_options o;
            o.sink = stream_sink::both;
            if (x.plan.schema) {
                o.schema = x.plan.schema->program;
                o.align.emplace();
            }
            o.on_event = [this](const stream_event& e) { proven_ = proven_ || e.kind == event_kind::ended; };
            json_ = std::make_unique<jsonheal::stream>(std::move(o));
        } else if (x.plan.tools) {
            call_options o;
            o.tools = x.plan.tools.get();
            o.format = x.plan.text_calls;
            o.id_prefix = "call_" + x.who.request_id + "_";
            reader_.emplace(o);
        }
    }

    live_attempt(const live_attempt&) = delete;
    live_attempt& operator=(const live_attempt&) = delete;

    void take(wire::stream_event& event) {
        if (const auto* text = std::get_if<wire::text_delta>(&event)) {
            take_text(text->text);
        } else if (auto* begin = std::get_if<wire::call_begin>(&event)) {
            wire::tool_call call;
            call.id = std::move(begin->id);
            call.name = std::move(begin->name);
            call.custom = begin->custom;
            call.extra = std::move(begin->extra);
            call.wrapper_extra = std::move(begin->wrapper_extra);
            calls_.push_back(std::move(call));
        } else if (const auto* arguments = std::get_if<wire::call_arguments>(&event)) {
            if (arguments->call < calls_.size()) { calls_[arguments->call].arguments += arguments->text; }
        } else if (auto* finish = std::get_if<wire::choice_finish>(&event)) {
            choice_.finish = std::move(finish->finish);
        } else if (const auto* usage = std::get_if<wire::usage_total>(&event)) {
            x_.add_usage(usage->usage);
        } else if (auto* failed = std::get_if<wire::stream_error>(&event)) {
            error = std::move(failed->error);
        } else if (std::holds_alternative<wire::message_start>(event)) {
            if (!out_.begun()) { start_ = event; }
        } else if (!std::holds_alternative<wire::stream_done>(event)) {
            if (std::holds_alternative<wire::refusal_delta>(event)) { refused_ = true; }
            put(event); // reasoning, refusals, and what the codec does not know
        }
    }

    /// No continuation can be an answer any more: the generation is of no use.
    [[nodiscard]] bool hopeless() const noexcept { return json_ && !json_->can_still_fit(); }
    [[nodiscard]] bool sent_content() const noexcept { return sent_; }

    /// The generation has ended. What is left goes out if the answer is good.
    mending finish() {
        mending m;
        m.said = text_;
        if (json_) {
            finish_json(m);
        } else {
            if (reader_) { take_calls(reader_->finish()); }
            m.good = !cut_;
            if (cut_) { m.feedback = cut_feedback(); }
        }
        for (wire::tool_call& call : calls_) {
            std::string feedback;
            const bool last = &call == &calls_.back();
            const bool cut_off = last && choice_.finish.reason == wire::finish_reason::length;
            if (!call.custom && x_.plan.tools &&
                !mend_call(x_.plan, x_.with.config.healing, call, cut_off, 0, attempt_, x_.report,
                           feedback)) {
                m.good = false;
                m.cut = m.cut || cut_off;
                m.said.append(m.said.empty() ? "" : "\n")
                    .append(call.name)
                    .append(" ")
                    .append(call.arguments);
                m.feedback += feedback;
            }
        }
        if (m.good) { put_rest(); }
        return m;
    }
    /// What to say to the model about a generation that was stopped.
    mending stopped() {
        mending m;
        m.said = text_;
        const schema::violation* v = json_->misfit();
        healed_part part = content_part();
        part.fits = false;
        part.verdict = verdict::refused;
        if (v != nullptr) { part.violations.push_back(*v); }
        m.feedback = content_feedback(false, part.violations);
        part.note = "stopped early";
        x_.report.parts.push_back(std::move(part));
        return m;
    }

    std::optional<wire::wire_error> error;

private:
    static std::string cut_feedback() {
        return std::string(feedback_mark) + "holds a tool call that was cut off. Write it again, whole.";
    }
    healed_part content_part() const {
        healed_part part;
        part.what = "content";
        part.attempt = attempt_;
        part.before = text_;
        part.after = shown_;
        return part;
    }
    void put(const wire::stream_event& event) {
        if (start_) {
            out_.put(*start_);
            start_.reset();
        }
        out_.put(event);
    }
    void put_text(std::string_view text) {
        if (text.empty()) { return; }
        wire::text_delta d;
        d.text = text;
        put(d);
        shown_ += text;
        sent_ = true;
    }
    void take_text(const std::string& text) {
        text_ += text;
        if (json_) {
            json_->feed(text);
            if (json_->can_still_fit()) { send_settled(); }
        } else if (reader_) {
            take_calls(reader_->feed(text));
        } else {
            put_text(text);
        }
    }
    /// Nothing is sent before the first value inside is whole and fits, so that a model that begins with a fault can be asked
    /// again; but what is settled is not held for longer than that.
    void send_settled() {
        constexpr std::size_t most_held = 256; // bytes
        held_ += json_->drain();
        if (!proven_ && held_.size() < most_held) { return; }
        put_text(held_);
        held_.clear();
    }
    void take_calls(std::span<const call_event> events) {
        using kind = call_event::kind;
        for (const call_event& e : events) {
            if (e.what == kind::content) {
                put_text(e.text);
            } else if (e.what == kind::reasoning) {
                wire::reasoning_delta d;
                d.text = e.text;
                put(d);
            } else if (e.what == kind::begin) {
                wire::tool_call call;
                call.id = e.id;
                call.name = e.name;
                calls_.push_back(std::move(call));
            } else if (e.what == kind::arguments) {
                calls_.back().arguments += e.text;
            } else { // the end
                if (e.fit && !e.fit->arguments.empty()) { calls_.back().arguments = e.fit->arguments; }
                cut_ = cut_ || (e.status == call_status::incomplete &&
                                x_.with.config.healing.cut_calls != cut_call_policy::accept);
            }
        }
    }
    void finish_json(mending& m) {
        const healing h = json_->finish();
        healed_part part = content_part();
        part.verdict = h.verdict;
        part.cut = h.cut;
        part.risk = h.risk;
        part.edits = h.edits;
        if (const schema::validation* v = json_->validation()) {
            part.fits = v->valid;
            part.violations = v->violations;
        }
        const bool will_not =
            refused_ || !calls_.empty() || choice_.finish.reason == wire::finish_reason::content_filter;
        m.cut = h.verdict == verdict::truncated;
        m.good = will_not || (h.ok() && !m.cut && part.fits);
        held_ += h.json();
        if (const alignment* a = json_->aligned(); a != nullptr && part.fits) {
            // What only the whole could decide may differ from what was shown: what went out stays.
            if (a->json.starts_with(shown_)) {
                held_ = a->json.substr(shown_.size());
            } else {
                m.good = false;
            }
            part.changes = a->changes;
            part.risk = std::max(part.risk, a->risk);
        }
        if (m.good && !will_not) { put_text(held_); }
        if (will_not && shown_.empty()) { put_text(text_); } // what it said beside its calls or refusal
        part.after = shown_;
        if (!m.good) {
            m.feedback = content_feedback(m.cut, part.violations);
            part.note = m.cut ? "cut off" : part.fits ? "no JSON" : "does not fit the schema";
        }
        x_.report.parts.push_back(std::move(part));
    }
    void put_rest() {
        std::size_t index = 0;
        for (const wire::tool_call& call : calls_) {
            wire::call_begin b;
            b.call = index;
            b.id = call.id;
            b.name = call.name;
            b.custom = call.custom;
            b.extra = call.extra;
            b.wrapper_extra = call.wrapper_extra;
            put(b);
            wire::call_arguments a;
            a.call = index++;
            a.text = call.arguments;
            if (!a.text.empty()) { put(a); }
        }
        wire::choice_finish f;
        f.finish = choice_.finish;
        using reason = wire::finish_reason;
        if (!calls_.empty() && f.finish.reason != reason::tool_calls) {
            f.finish = {};
            f.finish.reason = reason::tool_calls;
        } else if (json_ && f.finish.reason == reason::length) {
            f.finish = {};
            f.finish.reason = reason::stop; // the value was whole before the limit
        }
        put(f);
    }

    exchange& x_;
    outgoing& out_;
    unsigned attempt_;
    wire::choice choice_;
    std::unique_ptr<jsonheal::stream> json_; // its handler knows this place, so neither moves
    std::optional<call_reader> reader_;
    std::vector<wire::tool_call> calls_;
    std::optional<wire::stream_event> start_;
    std::string text_, shown_, held_;
    bool proven_ = false, sent_ = false, cut_ = false, refused_ = false;
};

} // namespace

net::task<int> answer_live(exchange& x, net::responder& to) {
    const upstream_config& up = *x.plan.upstream;
    outgoing out(x, to);
    wire::request conversation = x.plan.asked;
    for (unsigned attempt = 1;; ++attempt) {
        auto opened = co_await x.with.models->open(up, conversation, x.who);
        if (auto* failed = std::get_if<upstream_failure>(&opened)) { co_return co_await out.fail(*failed); }
        std::unique_ptr<generation> from = std::move(std::get<std::unique_ptr<generation>>(opened));
        ++x.report.attempts;
        live_attempt now(x, out, attempt);
        std::vector<wire::stream_event> events;
        bool stopped = false;
        while (!stopped) {
            const bool more = co_await from->next(events);
            if (!more) { break; }
            for (wire::stream_event& e : events) { now.take(e); }
            events.clear();
            stopped = now.hopeless();
            const bool open = co_await out.flush();
            if (!open) { co_return 499; }
        }
        from.reset(); // closes the connection, so that the rest is not generated
        if (to.client_gone()) { co_return 499; }
        if (now.error && !stopped) {
            upstream_failure f;
            f.error = *now.error;
            f.outcome = "stream";
            co_return co_await out.fail(f);
        }
        if (stopped) { x.shared.counts.stopped_early(up.name); }
        const mending m = stopped ? now.stopped() : now.finish();
        if (m.good) {
            if (x.usage) { out.put(wire::usage_total{*x.usage}); }
            co_return co_await out.finish();
        }
        if (now.sent_content() || !x.may_ask_again(attempt)) {
            co_return co_await out.fail(exhausted_failure(x, {}));
        }
        if (!co_await out.begin()) { co_return 499; }
        conversation = ask_again(conversation, m, false);
    }
}

net::task<int> answer_buffered(exchange& x, net::responder& to) {
    outgoing out(x, to);
    // The upstream streams as well. Once it has begun to answer the client gets its stream, with comments in it, for
    // proxies give up on silence; until then a failure still has a status.
    const asker gathered = [&](const wire::request& conversation) -> net::task<answer_or_failure> {
        auto opened = co_await x.with.models->open(*x.plan.upstream, conversation, x.who);
        if (auto* failed = std::get_if<upstream_failure>(&opened)) { co_return std::move(*failed); }
        const std::unique_ptr<generation> from = std::move(std::get<std::unique_ptr<generation>>(opened));
        upstream_failure f;
        if (!co_await out.begin()) {
            f.client_gone = true;
            co_return f;
        }
        wire::response_gatherer gatherer;
        std::vector<wire::stream_event> events;
        while (co_await from->next(events)) {
            for (const wire::stream_event& e : events) { gatherer.put(e); }
            events.clear();
        }
        if (gatherer.error()) {
            f.error = *gatherer.error();
            f.outcome = "stream";
            co_return f;
        }
        co_return gatherer.take();
    };
    answer_or_failure healed = co_await heal_answer(x, gathered);
    if (auto* failed = std::get_if<upstream_failure>(&healed)) {
        if (failed->client_gone) { co_return 499; }
        co_return co_await out.fail(*failed);
    }
    std::vector<wire::stream_event> events;
    constexpr std::size_t piece = 64; // bytes: what a model's stream looks like
    wire::replay(std::get<wire::response>(healed), piece, events);
    for (const wire::stream_event& e : events) {
        if (!std::holds_alternative<wire::stream_done>(e)) { out.put(e); }
    }
    co_return co_await out.finish();
}

} // namespace jsonheal::gateway
