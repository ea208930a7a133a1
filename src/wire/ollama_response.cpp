// Answers of Ollama: whole, and as lines of a stream.
#include "block_queue.hpp"
#include "ollama.hpp"
#include "openai_chat.hpp"
#include "stream_state.hpp"

#include <utility>

namespace jsonheal::wire_detail::ollama {

reading<response> decode_response(std::string_view json, const decode_options& options) {
    reading<response> result;
    decoding in(json, wire_id::ollama, options.depth, 502);
    response& out = result.value;
    out.origin = wire_id::ollama;
    if (!in.ok()) {
        result.error = in.take_error();
        return result;
    }
    if (auto e = chat::read_error(in.root(), 0)) {
        result.error = std::move(e);
        result.error->wire = wire_id::ollama;
        return result;
    }
    choice answer;
    trailer end;
    bool seen = false;
    std::string scratch;
    for (const member m : in.root().members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "model") {
            in.text(m.value, out.model);
        } else if (key == "message" && in.object(m.value)) {
            seen = true;
            for (const member part : m.value.members()) {
                if (part.key.string_is("role")) { continue; }
                if (!read_message_member(in, part.key.string(), part.value, answer.message)) {
                    keep_extra(part, answer.message.extra);
                }
            }
        } else if (key == "created_at" && m.value.is(value_kind::string)) {
            out.created = time_of(m.value.string());
        } else if (!read_trailer_member(in, m, key, end)) {
            keep_extra(m, out.extra);
        }
    }
    if (!seen) { in.fail(in.root(), "is required", "message"); }
    answer.finish = end.done ? end.end : finish{};
    if (end.done && answer.finish.reason == finish_reason::none) {
        answer.finish.reason = finish_reason::stop;
    }
    out.usage = std::move(end.used);
    complete_calls(answer, options.id_seed, out.model);
    out.choices.push_back(std::move(answer));
    result.error = in.take_error();
    return result;
}

encoded encode_response(const response& r, const response_options& options) {
    encoded out;
    writer w(out.json);
    const bool own = is_own(r.origin, wire_id::ollama);
    const choice none;
    const choice& c = r.choices.empty() ? none : r.choices.front();
    if (r.choices.size() > 1) { out.notes.push_back({"/choices/1", "this wire gives one answer"}); }
    notes_for notes(out.notes, "/choices/0/message");
    w.open('{').text("model", options.model.empty() ? std::string_view(r.model) : options.model);
    w.text("created_at", time_text(options.created ? *options.created : r.created.value_or(0)));
    w.open("message", '{').text("role", "assistant");
    std::string thought, text, calls;
    writer list(calls);
    std::size_t call = 0;
    for (std::size_t i = 0; i < c.message.blocks.size(); ++i) {
        const content_block& b = c.message.blocks[i];
        if (const auto* t = b.get<text_block>()) {
            text += t->text;
        } else if (const auto* f = b.get<refusal_block>()) {
            text += f->text;
        } else if (const auto* h = b.get<reasoning_block>()) {
            thought += h->text;
        } else if (const auto* k = b.get<tool_call>()) {
            write_call(list, *k, call++, own, notes);
        } else {
            notes.add(i, "has no place on this wire");
        }
    }
    w.text("content", text).text_if("thinking", thought);
    if (!calls.empty()) { w.open("tool_calls", '[').raw(calls).close(']'); }
    if (own) { w.extra(c.message.extra); }
    w.close('}');
    write_trailer(w, c.finish, r.usage, own);
    if (own) { w.extra(r.extra); }
    w.close('}');
    return out;
}

wire_error decode_error(int status, std::string_view body) {
    wire_error e = chat::decode_error(status, body);
    e.wire = wire_id::ollama;
    return e;
}

std::string encode_error(const wire_error& e) {
    const std::string field = param_of(e.field);
    std::string out;
    writer w(out);
    w.open('{').text("error", field.empty() ? e.message : field + ": " + e.message).close('}');
    return out;
}

namespace {

class ollama_stream_decoder final : public stream_decoder {
public:
    explicit ollama_stream_decoder(const decode_options& options)
        : state_(wire_id::ollama, options), depth_(options.depth) {}

    void feed(std::string_view, std::string_view data, std::vector<stream_event>& out) override {
        const bool blank = data.find_first_not_of(" \t\r\n") == std::string_view::npos;
        if (state_.ended() || blank) { return; }
        decoding in(data, wire_id::ollama, depth_, 502);
        if (in.ok()) { read_line(in, out); }
        if (auto e = in.take_error()) { state_.fail(*std::move(e), out); }
    }
    void finish(std::vector<stream_event>& out) override { state_.done(out); }

private:
    void read_line(decoding& in, std::vector<stream_event>& out) {
        if (auto e = chat::read_error(in.root(), 0)) {
            e->wire = wire_id::ollama;
            state_.fail(*std::move(e), out);
            return;
        }
        std::string scratch;
        std::optional<value_view> message;
        for (const member m : in.root().members()) {
            const std::string_view key = key_of(m, scratch);
            if (key == "message") {
                message = m.value;
            } else if (key == "model") {
                if (state_.head().model.empty()) { in.text(m.value, state_.head().model); }
            } else if (key == "created_at") {
                if (!state_.head().created && m.value.is(value_kind::string)) {
                    state_.head().created = time_of(m.value.string());
                }
            } else {
                read_trailer_member(in, m, key, trailer_);
            }
        }
        if (message && in.object(*message)) { read_message(in, *message, out); }
        if (!trailer_.done) { return; }
        if (trailer_.end.reason == finish_reason::none) { trailer_.end.reason = finish_reason::stop; }
        if (trailer_.used) { state_.used(*std::move(trailer_.used)); }
        state_.end(0, trailer_.end);
        state_.done(out);
    }

    void read_message(decoding& in, value_view v, std::vector<stream_event>& out) {
        message m;
        for (const member part : v.members()) { read_message_member(in, part.key.string(), part.value, m); }
        state_.at(0);
        if (!in.ok()) { return; }
        for (const content_block& b : m.blocks) {
            if (const auto* t = b.get<text_block>()) { state_.text(0, t->text, out); }
            if (const auto* r = b.get<reasoning_block>()) {
                state_.reasoning(0, {0, r->text, {}, {}, {}}, out);
            }
            if (const auto* c = b.get<tool_call>()) {
                call_state& call = state_.add_call(*state_.at(0));
                call.id = c->id;
                call.name = c->name;
                state_.arguments(0, call, c->arguments, out);
            }
        }
    }

    stream_state state_;
    std::size_t depth_;
    trailer trailer_;
};

class ollama_stream_encoder final : public stream_encoder {
public:
    explicit ollama_stream_encoder(const response_options& options)
        : model_(options.model), created_(options.created), queue_(*this) {}

    void put(const stream_event& event, std::string& out) override {
        if (ended_) { return; }
        out_ = &out;
        std::visit([&](const auto& e) { say(e); }, event);
        out_ = nullptr;
    }

    // For the queue. A call waits until it is whole.
    void open(const out_block&) { arguments_.clear(); }
    void piece(const out_block& b, const std::string& text) {
        if (b.what == out_block::kind::call) {
            arguments_ += text;
            return;
        }
        const bool thought = b.what == out_block::kind::reasoning;
        writer w = line();
        w.text("content", thought ? std::string_view() : text);
        if (thought) { w.text("thinking", text); }
        close_line(w);
    }
    void close(const out_block& b) {
        if (b.what != out_block::kind::call) { return; }
        std::vector<note> notes;
        notes_for unused(notes, {});
        writer w = line();
        w.text("content", "").open("tool_calls", '[');
        write_call(w, {b.call.id, b.call.name, arguments_, b.call.custom, {}, {}, {}}, calls_++, false,
                   unused);
        w.close(']');
        close_line(w);
    }

private:
    /// Opens a line up to its message.
    writer line() {
        writer w(*out_);
        w.open('{').text("model", model_).text("created_at", time_text(created_.value_or(0)));
        w.open("message", '{').text("role", "assistant");
        return w;
    }
    void close_line(writer& w) {
        w.close('}').key("done").boolean(false).close('}');
        *out_ += '\n';
    }

    void say(const message_start& e) {
        own_ = is_own(e.origin, wire_id::ollama);
        if (model_.empty()) { model_ = e.model; }
        if (!created_) { created_ = e.created; }
    }
    void say(const text_delta& e) {
        if (e.choice == 0) { queue_.text(out_block::kind::text, e.text); }
    }
    void say(const refusal_delta& e) {
        if (e.choice == 0) { queue_.text(out_block::kind::refusal, e.text); }
    }
    void say(const reasoning_delta& e) {
        if (e.choice == 0 && !e.text.empty()) { queue_.reasoning(e); }
    }
    void say(const call_begin& e) {
        if (e.choice == 0) { queue_.begin(e); }
    }
    void say(const call_arguments& e) {
        if (e.choice == 0 && !queue_.arguments(e)) { fail("a tool call went on after it was whole"); }
    }
    void say(const extra_delta&) {}
    void say(const choice_finish& e) {
        if (e.choice == 0) { finish_ = e.finish; }
    }
    void say(const usage_total& e) { usage_ = e.usage; }
    void say(const stream_error& e) {
        ended_ = true;
        *out_ += encode_error(e.error) + "\n";
    }
    void fail(std::string_view message) {
        wire_error e;
        e.status = 502;
        e.message = message;
        say(stream_error{std::move(e)});
    }
    void say(const stream_done&) {
        if (!finish_) {
            fail("the stream ended before the answer did");
            return;
        }
        queue_.finish();
        writer w = line();
        w.text("content", "").close('}');
        write_trailer(w, *finish_, usage_, own_);
        w.close('}');
        *out_ += '\n';
        ended_ = true;
    }

    std::string model_, arguments_;
    std::optional<std::int64_t> created_;
    std::string* out_ = nullptr;
    block_queue<ollama_stream_encoder> queue_;
    std::optional<wire::finish> finish_;
    std::optional<usage> usage_;
    std::size_t calls_ = 0;
    bool ended_ = false, own_ = true;
};

} // namespace

std::unique_ptr<stream_decoder> make_decoder(const decode_options& options) {
    return std::make_unique<ollama_stream_decoder>(options);
}
std::unique_ptr<stream_encoder> make_encoder(const response_options& options) {
    return std::make_unique<ollama_stream_encoder>(options);
}

} // namespace jsonheal::wire_detail::ollama
