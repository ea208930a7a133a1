#include "bare_provider.hpp"

#include "cli/json_writer.hpp"

namespace jsonheal::gateway {

namespace {

const wire::codec& chat() { return wire::get_codec(wire::wire_id::openai_chat); }

net::task<void> hang() {
    while (co_await net::sleep(std::chrono::minutes(10))) {}
}

net::task<void> stream_reply(const scripted_reply& reply, const wire::request& asked, net::responder& to) {
    net::fields headers;
    headers.add("content-type", "text/event-stream");
    if (!co_await to.start_stream(200, headers)) { co_return; }
    wire::response_options o;
    o.include_usage = asked.include_usage.value_or(false);
    const std::unique_ptr<wire::stream_encoder> encoder = chat().make_encoder(o);
    std::size_t sent_text = 0;
    for (const wire::stream_event& e : as_events(reply, asked, "chatcmpl-script", 1)) {
        if (reply.fault != script_fault::none && sent_text >= reply.after) {
            if (reply.fault == script_fault::hang) { co_await hang(); }
            if (reply.fault == script_fault::half_event) {
                (void)co_await to.write("data: {\"id\":\"chatcmpl-scr");
            }
            if (reply.fault == script_fault::no_done) {
                (void)co_await to.finish();
                co_return;
            }
            to.abort();
            co_return;
        }
        if (const auto* text = std::get_if<wire::text_delta>(&e)) { sent_text += text->text.size(); }
        std::string bytes;
        encoder->put(e, bytes);
        if (!bytes.empty() && !co_await to.write(bytes)) { co_return; }
        if (reply.pace.count() != 0 && !co_await net::sleep(reply.pace)) { co_return; }
    }
    (void)co_await to.finish();
}

net::task<void> answer_by_script(const script& from, net::request& rq, net::responder& to) {
    net::fields headers;
    headers.add("content-type", "application/json");
    auto read = chat().decode_request(rq.body, {});
    if (!read) {
        const std::string body = chat().encode_error(*read.error);
        (void)co_await to.send(400, headers, body);
        co_return;
    }
    const wire::request& asked = read.value;
    const scripted_reply& reply = from.reply_to(asked);
    if (reply.delay.count() != 0 && !co_await net::sleep(reply.delay)) { co_return; }
    const bool whole = !asked.stream.value_or(false);
    if (reply.fault == script_fault::hang && (whole || reply.after == 0)) { co_await hang(); }
    if (reply.fault == script_fault::reset && (whole || reply.after == 0)) {
        to.abort();
        co_return;
    }
    if (reply.status != 200) {
        wire::wire_error e;
        e.status = reply.status;
        e.message = reply.error;
        e.type = wire::words_of(reply.status).type;
        e.code = wire::words_of(reply.status).code;
        for (const auto& [name, value] : reply.headers) { headers.set(name, value); }
        const std::string body = chat().encode_error(e);
        (void)co_await to.send(reply.status, headers, body);
        co_return;
    }
    if (!whole) {
        co_await stream_reply(reply, asked, to);
        co_return;
    }
    const std::string body = chat().encode_response(as_response(reply, asked, "chatcmpl-script", 1), {}).json;
    (void)co_await to.send(200, headers, body);
}

} // namespace

net::handler bare_provider(std::shared_ptr<const script> from) {
    return [from = std::move(from)](net::request& rq, net::responder& to) -> net::task<void> {
        if (rq.method == "POST" && rq.path.ends_with("/chat/completions")) {
            return answer_by_script(*from, rq, to);
        }
        return [](const script& s, net::request& asked, net::responder& out) -> net::task<void> {
            net::fields headers;
            headers.add("content-type", "application/json");
            std::string body;
            const bool list = asked.method == "GET" && asked.path.ends_with("/models");
            {
                cli::json_writer object(body, '{');
                if (list) {
                    object.text("object", "list");
                    cli::json_writer data(object.member("data"), '[');
                    for (const std::string& m : s.models()) {
                        cli::json_writer model(data.element(), '{');
                        model.text("id", m).text("object", "model");
                    }
                } else {
                    cli::json_writer error(object.member("error"), '{');
                    error.text("message", "there is nothing at this path")
                        .text("type", "invalid_request_error");
                }
            }
            (void)co_await out.send(list ? 200 : 404, headers, body);
        }(*from, rq, to);
    };
}

} // namespace jsonheal::gateway
