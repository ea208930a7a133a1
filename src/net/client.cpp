#include "characters.hpp"
#include "inflate.hpp"
#include "upstreams.hpp"

#include <jsonheal/net_client.hpp>

#include <atomic>
#include <mutex>
#include <stdexcept>

namespace jsonheal::net {

namespace {

/// Interim responses (1xx) before the real one.
constexpr int interim_limit = 16;

bool has_body_by_nature(std::string_view method) {
    return method == "POST" || method == "PUT" || method == "PATCH";
}

std::string request_text(const client_request& rq, bool decode) {
    std::string out;
    out.reserve(512);
    out.append(rq.method).append(" ").append(rq.to.target).append(" HTTP/1.1\r\n");
    if (!rq.headers.contains("host")) { out.append("Host: ").append(rq.to.authority()).append("\r\n"); }
    for (const field f : rq.headers) {
        if (is_hop_field(f.name)) { continue; }
        out.append(f.name).append(": ").append(f.value).append("\r\n");
    }
    if (decode && !rq.headers.contains("accept-encoding")) {
        out.append("Accept-Encoding: gzip, deflate\r\n");
    }
    if (!rq.body.empty() || has_body_by_nature(rq.method)) {
        out.append("Content-Length: ").append(std::to_string(rq.body.size())).append("\r\n");
    }
    return out.append("\r\n");
}

void check(const client_request& rq) {
    if (rq.method.empty() || !characters::all(rq.method, characters::token_bit)) {
        throw std::invalid_argument("jsonheal::net::client: the method is no token");
    }
    if (!rq.to.target.starts_with('/') || !characters::all(rq.to.target, characters::target_bit)) {
        throw std::invalid_argument("jsonheal::net::client: the target must begin with a slash and have no "
                                    "blanks or control characters");
    }
}

} // namespace

struct client::state {
    client_options options;
    std::string key_prefix; // keeps the connections of two clients apart: their trust may differ
    std::once_flag tls_made;
    std::shared_ptr<tls_context> tls;

    /// Made when first needed: reading the system's certificates takes milliseconds.
    const std::shared_ptr<tls_context>& tls_for_use() {
        std::call_once(tls_made, [this] { tls = tls_context::for_client(options.ca_file, options.verify); });
        return tls;
    }
};

struct response::state {
    std::shared_ptr<client::state> owner;
    core& loop;
    std::unique_ptr<upstream_connection> connection;
    call_limits limits;
    time_bound total;
    response_head head;
    body_parser body;
    std::unique_ptr<inflater> decoder;
    std::string_view coded; // what the decoder has not taken: a view into the connection's buffer
    std::optional<error> failed;
    bool reused = false;

    task<upstream_connection::fault> exchange(const client_request& rq, std::string_view text,
                                              bool& received);
    task<result<std::string_view>> next();
    void begin_body();
    void end();
    error fail(error e) {
        failed = std::move(e);
        coded = {};
        connection.reset();
        return *failed;
    }
};

/// Writes the request and reads the head of the response. `received`: a byte of it had come.
task<upstream_connection::fault> response::state::exchange(const client_request& rq, std::string_view text,
                                                           bool& received) {
    const auto not_sent =
        co_await connection->write(text, rq.body, total.within(limits.idle, error_class::timeout_idle));
    if (not_sent && not_sent->kind != error_class::reset) { co_return not_sent; }
    // A server may answer and close without taking the whole request: its answer is worth more than our error.
    const time_bound bound = total.within(limits.first_byte, error_class::timeout_first_byte);
    response_parser parser(owner->options.head);
    for (int interim = 0; interim <= interim_limit;) {
        const std::string_view unread = connection->unread();
        if (unread.empty()) {
            auto fault = co_await connection->read(bound);
            if (fault) { co_return fault->kind == error_class::reset&& not_sent ? not_sent : fault; }
            if (connection->unread().empty()) {
                co_return not_sent
                    ? not_sent
                    : error{error_class::reset, "the upstream closed before its response was whole"};
            }
            received = true;
            continue;
        }
        connection->consume(parser.feed(unread, rq.method == "HEAD"));
        if (parser.fault()) {
            co_return error{error_class::protocol,
                            std::string("the head of the response: ") + parser.fault().why};
        }
        if (!parser.done()) { continue; }
        if (parser.head.status >= 200) {
            head = std::move(parser.head);
            if (not_sent) { head.keep_alive = false; }
            co_return std::nullopt;
        }
        if (parser.head.status == 101) { break; }
        parser.reset();
        ++interim;
    }
    co_return error{error_class::protocol, "the upstream changed the protocol, or gives no final response"};
}

void response::state::begin_body() {
    body = body_parser(head.body_framing, head.length);
    const auto coding = head.headers.find("content-encoding");
    const bool known = coding && (same_name(*coding, "gzip") || same_name(*coding, "x-gzip") ||
                                  same_name(*coding, "deflate"));
    if (owner->options.decode && known && !body.done()) {
        decoder = std::make_unique<inflater>();
        head.headers.erase("content-encoding");
        head.headers.erase("content-length");
    }
    if (body.done()) { end(); }
}

/// The body is whole: the connection goes back if it can serve again.
void response::state::end() {
    if (!connection) { return; }
    if (head.keep_alive && body.done() && connection->unread().empty()) {
        loop.upstream_pools().give(std::move(connection), owner->options.keep_alive,
                                   owner->options.idle_per_origin);
    }
    connection.reset();
}

task<result<std::string_view>> response::state::next() {
    for (;;) {
        if (failed) { co_return *failed; }
        while (decoder && (!coded.empty() || decoder->more())) {
            const std::string_view out = decoder->decode(coded);
            if (decoder->failed()) {
                co_return fail({error_class::protocol, "the compressed body is damaged"});
            }
            if (!out.empty()) { co_return out; }
        }
        if (!connection) { co_return std::string_view(); }
        std::string_view in = connection->unread();
        const std::size_t before = in.size();
        const std::string_view piece = body.next(in);
        connection->consume(before - in.size());
        if (body.fault()) {
            co_return fail(
                {error_class::protocol, std::string("the body of the response: ") + body.fault().why});
        }
        if (!piece.empty()) {
            if (!decoder) { co_return piece; }
            coded = piece;
            continue;
        }
        if (!body.done()) {
            if (!in.empty()) { continue; }
            auto fault = co_await connection->read(total.within(limits.idle, error_class::timeout_idle));
            if (fault) { co_return fail(std::move(*fault)); }
            if (!connection->unread().empty()) { continue; }
            if (!body.may_end()) {
                co_return fail({error_class::reset, "the upstream closed before the body was whole"});
            }
        }
        if (decoder && !decoder->complete()) {
            co_return fail({error_class::reset, "the compressed body is cut off"});
        }
        end();
        co_return std::string_view();
    }
}

response::response(std::unique_ptr<state> s) : head(std::move(s->head)), state_(std::move(s)) {}
response::response(response&&) noexcept = default;
response& response::operator=(response&&) noexcept = default;
response::~response() = default;
bool response::reused() const noexcept { return state_->reused; }
task<result<std::string_view>> response::read_some() { return state_->next(); }

task<result<std::string>> response::read_all(std::size_t limit) {
    std::string out;
    for (;;) {
        auto piece = co_await state_->next();
        if (!piece) { co_return piece.error(); }
        if (piece->empty()) { co_return out; }
        if (piece->size() > limit - out.size()) {
            co_return state_->fail(
                {error_class::too_large, "the response is larger than " + std::to_string(limit) + " bytes"});
        }
        out.append(*piece);
    }
}

client::client(client_options options) : state_(std::make_shared<state>()) {
    static std::atomic<std::uint64_t> count{0};
    state_->options = std::move(options);
    state_->key_prefix = std::to_string(++count) + " ";
    if (!state_->options.ca_file.empty()) { state_->tls_for_use(); }
}
client::~client() = default;

task<result<response>> client::send(const client_request& rq) {
    core* const loop = core::current();
    if (loop == nullptr) {
        throw std::logic_error("jsonheal::net::client: called outside of a server's handler and of run()");
    }
    check(rq);
    const std::shared_ptr<state> own = state_; // the client may go before the call ends
    if (co_await cancelled()) { co_return error{error_class::cancelled, "cancelled before it was sent"}; }
    const call_limits limits = rq.limits.value_or(own->options.limits);
    const time_bound total = time_bound().within(limits.total, error_class::timeout_total);
    const std::string key = own->key_prefix + rq.to.origin();
    const std::string text = request_text(rq, own->options.decode);
    upstreams& pools = loop->upstream_pools();
    for (;;) {
        std::unique_ptr<upstream_connection> c = pools.take(key);
        if (!c) {
            const time_bound bound = total.within(limits.connect, error_class::timeout_connect);
            auto addresses =
                co_await pools.resolve(rq.to.host, rq.to.port, bound, own->options.resolve_again);
            if (!addresses) { co_return addresses.error(); }
            c = std::make_unique<upstream_connection>(*loop, key);
            if (auto fault = co_await c->connect(*addresses, bound)) { co_return *fault; }
            if (rq.to.tls()) {
                if (auto fault = co_await c->handshake(own->tls_for_use(), rq.to.host, bound)) {
                    co_return *fault;
                }
            }
        }
        std::unique_ptr<response::state> made(new response::state{
            own, *loop, std::move(c), limits, total, {}, {}, nullptr, {}, std::nullopt, false});
        made->reused = made->connection->used;
        bool received = false;
        const auto fault = co_await made->exchange(rq, text, received);
        if (!fault) {
            made->begin_body();
            co_return response(std::move(made));
        }
        // The upstream closed a waiting connection just as the request went out: it cannot have been worked on.
        const bool raced = made->reused && !received && fault->kind == error_class::reset;
        if (!raced) { co_return *fault; }
    }
}

} // namespace jsonheal::net
