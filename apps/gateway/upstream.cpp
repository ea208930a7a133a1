#include "upstream.hpp"

#include "script.hpp"

#include <jsonheal/net_sse.hpp>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <random>

namespace jsonheal::gateway {

namespace {

using clock = std::chrono::steady_clock;
const wire::codec& chat() { return wire::get_codec(wire::wire_id::openai_chat); }

/// Text that a person can pick: 24 characters, different for every answer.
std::string fresh_id(std::string_view prefix) {
    static constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
    thread_local std::mt19937_64 random{std::random_device{}()};
    std::string id(prefix);
    for (int i = 0; i < 24; ++i) { id += letters[random() % letters.size()]; }
    return id;
}

std::int64_t now_seconds() {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

milliseconds jittered(milliseconds base) {
    thread_local std::mt19937 random{std::random_device{}()};
    std::uniform_real_distribution<double> part(0.5, 1.0);
    return milliseconds(static_cast<std::int64_t>(static_cast<double>(base.count()) * part(random)));
}

upstream_failure failure_of(const upstream_config& up, const net::error& e) {
    using kind = net::error_class;
    upstream_failure f;
    const bool late = e.kind == kind::timeout_connect || e.kind == kind::timeout_first_byte ||
                      e.kind == kind::timeout_idle || e.kind == kind::timeout_total;
    f.error.what = wire::wire_error::kind::provider;
    f.error.status = late ? 504 : 502;
    f.error.message = "upstream '" + up.name + "': " + e.message;
    const wire::error_words& words = wire::words_of(f.error.status);
    f.error.type = words.type;
    f.error.code = words.code;
    f.outcome = std::string(net::name(e.kind));
    f.client_gone = e.kind == kind::cancelled;
    return f;
}

/// Seconds, or an HTTP date; in ms where the header says so.
std::optional<milliseconds> retry_after_of(const net::fields& headers) {
    const auto number = [](std::string_view text) -> std::optional<double> {
        double n = 0;
        const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), n);
        if (fault != std::errc() || end != text.data() + text.size() || n < 0 || n > 1e9) {
            return std::nullopt;
        }
        return n;
    };
    if (const auto ms = headers.find("retry-after-ms")) {
        if (const auto n = number(*ms)) { return milliseconds(static_cast<std::int64_t>(*n)); }
    }
    const auto value = headers.find("retry-after");
    if (!value) { return std::nullopt; }
    if (const auto n = number(*value)) { return milliseconds(static_cast<std::int64_t>(*n * 1000)); }
    std::tm when{};
    if (strptime(std::string(*value).c_str(), "%a, %d %b %Y %H:%M:%S GMT", &when) == nullptr) {
        return std::nullopt;
    }
    const std::int64_t seconds = static_cast<std::int64_t>(timegm(&when)) - now_seconds();
    return milliseconds(std::max<std::int64_t>(seconds, 0) * 1000);
}

bool worth_retrying(int status) { return status == 408 || status == 409 || status == 429 || status >= 500; }

bool worth_retrying(net::error_class c) {
    using kind = net::error_class;
    return c == kind::resolve || c == kind::connect || c == kind::timeout_connect || c == kind::reset;
}

net::call_limits limits_of(const upstream_timeouts& t) {
    net::call_limits l;
    l.connect = t.connect;
    l.first_byte = t.first_token;
    l.idle = t.idle;
    l.total = t.total;
    return l;
}

/// The base's path and the codec's: `/v1` and `/v1/chat/completions` share their first part.
std::string target_of(const net::url& base, std::string_view path) {
    std::string target = base.target;
    while (target.ends_with('/')) { target.pop_back(); }
    if (path.starts_with("/v1/") && !target.empty()) { path.remove_prefix(3); }
    return target.append(path);
}

wire::encode_options encoding_for(const upstream_config& up) {
    wire::encode_options o;
    o.json_schema = up.native_schema;
    o.json_object = up.native_json;
    o.native_tools = up.native_tools;
    return o;
}

upstream_failure failure_of(const scripted_reply& reply) {
    upstream_failure f;
    f.error.what = wire::wire_error::kind::provider;
    f.error.status = reply.status;
    f.error.message = reply.error;
    f.error.type = wire::words_of(reply.status).type;
    f.error.code = wire::words_of(reply.status).code;
    f.outcome = std::to_string(reply.status);
    net::fields headers;
    for (const auto& [name, value] : reply.headers) { headers.add(name, value); }
    f.retry_after = retry_after_of(headers);
    return f;
}

upstream_failure failure_of(const upstream_config& up, net::error_class c, const char* why) {
    net::error e;
    e.kind = c;
    e.message = why;
    return failure_of(up, e);
}

/// A stream out of a script, at its pace.
class scripted_generation : public generation {
public:
    scripted_generation(const scripted_reply& reply, const wire::request& asked)
        : reply_(reply), events_(as_events(reply, asked, fresh_id("chatcmpl-"), now_seconds())) {}

    net::task<bool> next(std::vector<wire::stream_event>& out) override {
        if (place_ == 0 && reply_.delay.count() != 0 && !co_await net::sleep(reply_.delay)) {
            co_return false;
        }
        if (place_ != 0 && reply_.pace.count() != 0 && !co_await net::sleep(reply_.pace)) { co_return false; }
        if (reply_.fault != script_fault::none && text_ >= reply_.after) {
            if (reply_.fault == script_fault::hang) {
                while (co_await net::sleep(std::chrono::hours(1))) {}
                co_return false;
            }
            wire::stream_error e;
            e.error.what = wire::wire_error::kind::provider;
            e.error.status = 502;
            e.error.message = "the stream ended before the answer did";
            e.error.type = "server_error";
            e.error.code = "upstream_error";
            out.push_back(std::move(e));
            out.push_back(wire::stream_done{});
            place_ = events_.size();
            co_return true;
        }
        if (place_ == events_.size()) { co_return false; }
        if (const auto* text = std::get_if<wire::text_delta>(&events_[place_])) {
            text_ += text->text.size();
        }
        out.push_back(std::move(events_[place_++]));
        co_return true;
    }

private:
    const scripted_reply& reply_; // of the script, which outlives every request
    std::vector<wire::stream_event> events_;
    std::size_t place_ = 0;
    std::size_t text_ = 0;
};

/// A stream of Server-Sent Events.
class http_generation : public generation {
public:
    http_generation(const upstream_config& up, net::response response, std::string_view id_seed,
                    metrics& counts, std::string model, clock::time_point began, std::size_t limit)
        : up_(up),
          response_(std::move(response)),
          reader_(limit),
          counts_(counts),
          model_(std::move(model)),
          began_(began),
          left_(limit) {
        wire::decode_options o;
        o.id_seed = id_seed;
        decoder_ = chat().make_decoder(o);
    }

    net::task<bool> next(std::vector<wire::stream_event>& out) override {
        if (ended_) { co_return false; }
        const std::size_t before = out.size();
        while (out.size() == before) {
            auto piece = co_await response_.read_some();
            if (!piece) {
                fail(failure_of(up_, piece.error()), out);
                co_return true;
            }
            if (piece->empty()) {
                if (const auto last = reader_.finish()) { take(*last, out); }
                end(out);
                co_return true;
            }
            if (piece->size() > left_) {
                fail(failure_of(up_, net::error_class::too_large,
                                "the answer is larger than limits.answer_bytes"),
                     out);
                co_return true;
            }
            left_ -= piece->size();
            reader_.feed(*piece);
            while (const auto event = reader_.next()) { take(*event, out); }
            if (reader_.failed()) {
                fail(failure_of(up_, net::error_class::too_large,
                                "an event is larger than limits.answer_bytes"),
                     out);
                co_return true;
            }
            if (!out.empty() && std::holds_alternative<wire::stream_done>(out.back())) { ended_ = true; }
        }
        co_return true;
    }

private:
    void take(const net::sse_event& event, std::vector<wire::stream_event>& out) {
        if (first_) {
            first_ = false;
            counts_.first_token(up_.name, model_, clock::now() - began_);
        }
        decoder_->feed(event.event, event.data, out);
    }
    void end(std::vector<wire::stream_event>& out) {
        decoder_->finish(out);
        ended_ = true;
        counts_.generation(up_.name, model_, "ok", clock::now() - began_);
    }
    void fail(upstream_failure f, std::vector<wire::stream_event>& out) {
        counts_.generation(up_.name, model_, f.outcome, clock::now() - began_);
        out.push_back(wire::stream_error{std::move(f.error)});
        out.push_back(wire::stream_done{});
        ended_ = true;
    }

    const upstream_config& up_;
    net::response response_;
    net::sse_reader reader_;
    std::unique_ptr<wire::stream_decoder> decoder_;
    metrics& counts_;
    std::string model_;
    clock::time_point began_;
    std::size_t left_;
    bool first_ = true;
    bool ended_ = false;
};

/// A provider that was asked for a stream and gave a whole answer.
class whole_generation : public generation {
public:
    explicit whole_generation(const wire::response& r) { wire::replay(r, 0, events_); }
    net::task<bool> next(std::vector<wire::stream_event>& out) override {
        if (events_.empty()) { co_return false; }
        out.insert(out.end(), events_.begin(), events_.end());
        events_.clear();
        co_return true;
    }

private:
    std::vector<wire::stream_event> events_;
};

net::client_options client_options_of(const gateway_config& c) {
    net::client_options o;
    o.ca_file = c.ca_file;
    return o;
}

} // namespace

upstreams::upstreams(const gateway_config& config, metrics& counts)
    : config_(config), counts_(counts), client_(client_options_of(config)) {}
upstreams::~upstreams() = default;

net::fields upstreams::headers_for(const upstream_config& up, const caller& who) const {
    net::fields h;
    if (!up.api_key.empty()) {
        h.add("authorization", "Bearer " + up.api_key);
    } else if (!who.authorization.empty()) {
        h.add("authorization", who.authorization);
    }
    for (const auto& [name, value] : up.headers) { h.set(name, value); }
    if (!who.traceparent.empty()) { h.add("traceparent", who.traceparent); }
    if (!who.tracestate.empty()) { h.add("tracestate", who.tracestate); }
    h.add("x-request-id", who.request_id);
    return h;
}

net::task<std::variant<net::response, upstream_failure>> upstreams::send(const upstream_config& up,
                                                                         std::string_view method, net::url to,
                                                                         net::fields headers,
                                                                         std::string_view body) {
    milliseconds wait = up.retry_wait;
    for (unsigned tries = 0;; ++tries) {
        net::client_request rq(method, to, headers, body);
        rq.limits = limits_of(up.timeouts);
        net::result<net::response> got = co_await client_.send(rq);
        const bool last = tries >= up.retries;
        milliseconds pause = jittered(wait);
        if (got) {
            if (last || !worth_retrying(got->head.status)) { co_return std::move(*got); }
            if (const auto demanded = retry_after_of(got->head.headers)) {
                if (*demanded > up.retry_after_most) { co_return std::move(*got); }
                pause = *demanded;
            }
        } else if (last || !worth_retrying(got.error().kind)) {
            co_return failure_of(up, got.error());
        }
        if (!co_await net::sleep(pause)) {
            co_return failure_of(up, net::error_class::cancelled, "the client went away");
        }
        wait = std::min(wait * 2, milliseconds(30'000));
    }
}

net::task<std::variant<net::response, upstream_failure>>
upstreams::forward(const upstream_config& up, std::string_view method, std::string_view target,
                   const net::fields& headers, std::string_view body, const caller& who) {
    net::fields out = headers_for(up, who);
    for (const net::field f : headers) {
        const bool ours = net::is_hop_field(f.name) || out.contains(f.name) ||
                          net::same_name(f.name, "host") || net::same_name(f.name, "authorization") ||
                          net::same_name(f.name, "x-api-key") || net::same_name(f.name, "accept-encoding");
        if (!ours) { out.add(f.name, f.value); }
    }
    net::url to = up.base;
    to.target = target_of(up.base, target);
    co_return co_await send(up, method, std::move(to), std::move(out), body);
}

namespace {

/// What a status other than 200 says.
net::task<upstream_failure> read_failure(net::response& got, std::size_t limit) {
    upstream_failure f;
    const int status = got.head.status;
    f.retry_after = retry_after_of(got.head.headers);
    net::result<std::string> body = co_await got.read_all(limit);
    f.error = chat().decode_error(status, body ? std::string_view(*body) : std::string_view());
    f.error.status = status;
    f.outcome = std::to_string(status);
    co_return f;
}

} // namespace

net::task<std::variant<wire::response, upstream_failure>>
upstreams::complete(const upstream_config& up, const wire::request& asked, const caller& who) {
    const clock::time_point began = clock::now();
    if (up.script) {
        const scripted_reply& reply = up.script->reply_to(asked);
        if (reply.delay.count() != 0 && !co_await net::sleep(reply.delay)) {
            co_return failure_of(up, net::error_class::cancelled, "the client went away");
        }
        if (reply.fault == script_fault::hang) {
            (void)co_await net::sleep(up.timeouts.first_token);
            co_return failure_of(up, net::error_class::timeout_first_byte, "no answer began in time");
        }
        if (reply.fault == script_fault::reset) {
            co_return failure_of(up, net::error_class::reset, "the connection was closed");
        }
        if (reply.status != 200) { co_return failure_of(reply); }
        counts_.generation(up.name, asked.model, "ok", clock::now() - began);
        co_return as_response(reply, asked, fresh_id("chatcmpl-"), now_seconds());
    }
    wire::request whole = asked;
    whole.stream.reset();
    whole.include_usage.reset();
    const wire::encoded body = chat().encode_request(whole, encoding_for(up));
    net::fields headers = headers_for(up, who);
    headers.add("content-type", "application/json");
    net::url to = up.base;
    to.target = target_of(up.base, chat().path);
    auto sent = co_await send(up, "POST", std::move(to), std::move(headers), body.json);
    if (auto* failed = std::get_if<upstream_failure>(&sent)) {
        counts_.generation(up.name, asked.model, failed->outcome, clock::now() - began);
        co_return std::move(*failed);
    }
    net::response& got = std::get<net::response>(sent);
    if (got.head.status != 200) {
        upstream_failure f = co_await read_failure(got, 1 << 20);
        counts_.generation(up.name, asked.model, f.outcome, clock::now() - began);
        co_return f;
    }
    net::result<std::string> text = co_await got.read_all(config_.limits.answer_bytes);
    if (!text) {
        upstream_failure f = failure_of(up, text.error());
        counts_.generation(up.name, asked.model, f.outcome, clock::now() - began);
        co_return f;
    }
    wire::decode_options o;
    o.id_seed = who.request_id;
    auto read = chat().decode_response(*text, o);
    if (!read) {
        upstream_failure f;
        f.error = std::move(*read.error);
        if (f.error.status < 400) { f.error.status = 502; }
        f.outcome = "protocol";
        counts_.generation(up.name, asked.model, f.outcome, clock::now() - began);
        co_return f;
    }
    counts_.generation(up.name, asked.model, "ok", clock::now() - began);
    co_return std::move(read.value);
}

net::task<std::variant<std::unique_ptr<generation>, upstream_failure>>
upstreams::open(const upstream_config& up, const wire::request& asked, const caller& who) {
    const clock::time_point began = clock::now();
    if (up.script) {
        const scripted_reply& reply = up.script->reply_to(asked);
        if (reply.status != 200) { co_return failure_of(reply); }
        if (reply.fault == script_fault::reset && reply.after == 0) {
            co_return failure_of(up, net::error_class::reset, "the connection was closed");
        }
        co_return std::make_unique<scripted_generation>(reply, asked);
    }
    wire::request streamed = asked;
    streamed.stream = true;
    streamed.include_usage = true;
    const wire::encoded body = chat().encode_request(streamed, encoding_for(up));
    net::fields headers = headers_for(up, who);
    headers.add("content-type", "application/json");
    headers.add("accept", "text/event-stream");
    net::url to = up.base;
    to.target = target_of(up.base, chat().stream_path);
    auto sent = co_await send(up, "POST", std::move(to), std::move(headers), body.json);
    if (auto* failed = std::get_if<upstream_failure>(&sent)) {
        counts_.generation(up.name, asked.model, failed->outcome, clock::now() - began);
        co_return std::move(*failed);
    }
    net::response& got = std::get<net::response>(sent);
    if (got.head.status != 200) {
        upstream_failure f = co_await read_failure(got, 1 << 20);
        counts_.generation(up.name, asked.model, f.outcome, clock::now() - began);
        co_return f;
    }
    const std::string_view type = got.head.headers.find("content-type").value_or("");
    if (type.starts_with("application/json")) {
        net::result<std::string> text = co_await got.read_all(config_.limits.answer_bytes);
        if (!text) { co_return failure_of(up, text.error()); }
        wire::decode_options o;
        o.id_seed = who.request_id;
        auto read = chat().decode_response(*text, o);
        if (!read) {
            upstream_failure f;
            f.error = std::move(*read.error);
            if (f.error.status < 400) { f.error.status = 502; }
            f.outcome = "protocol";
            co_return f;
        }
        counts_.generation(up.name, asked.model, "ok", clock::now() - began);
        co_return std::make_unique<whole_generation>(read.value);
    }
    co_return std::make_unique<http_generation>(up, std::move(got), who.request_id, counts_, asked.model,
                                                began, config_.limits.answer_bytes);
}

} // namespace jsonheal::gateway
