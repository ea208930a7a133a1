// Streams of Anthropic Messages: neutral events to its own, blocks one after the other.
#include "anthropic.hpp"
#include "block_queue.hpp"

#include <utility>

namespace jsonheal::wire_detail::anthropic {

namespace {

class anthropic_stream_encoder final : public stream_encoder {
public:
    explicit anthropic_stream_encoder(const response_options& options)
        : id_(options.id), model_(options.model), queue_(*this) {}

    void put(const stream_event& event, std::string& out) override {
        if (ended_) { return; }
        out_ = &out;
        std::visit([&](const auto& e) { say(e); }, event);
        out_ = nullptr;
    }

    // For the queue.
    void open(const out_block& b) {
        using kind = out_block::kind;
        writer w = event("content_block_start");
        w.key("index").number(index_).open("content_block", '{');
        if (b.what == kind::call) {
            w.text("type", "tool_use")
                .text("id", b.call.id)
                .text("name", b.call.name)
                .open("input", '{')
                .close('}');
        } else if (!b.redacted.empty()) {
            w.text("type", "redacted_thinking").text("data", b.redacted);
        } else if (b.what == kind::reasoning) {
            w.text("type", "thinking").text("thinking", "").text("signature", "");
        } else {
            w.text("type", "text").text("text", "");
        }
        w.close('}');
        end(w);
    }
    void piece(const out_block& b, std::string text) {
        using kind = out_block::kind;
        if (b.what == kind::call && b.call.custom) {
            tool_call call;
            call.custom = true;
            call.arguments = std::exchange(text, {});
            append_arguments(call, text);
        }
        const std::string_view type = b.what == kind::call        ? "input_json_delta"
                                      : b.what == kind::reasoning ? "thinking_delta"
                                                                  : "text_delta";
        const std::string_view member = b.what == kind::call        ? "partial_json"
                                        : b.what == kind::reasoning ? "thinking"
                                                                    : "text";
        delta(type, member, text);
    }
    void close(const out_block& b) {
        if (!b.signature.empty()) { delta("signature_delta", "signature", b.signature); }
        writer w = event("content_block_stop");
        w.key("index").number(index_++);
        end(w);
    }

private:
    /// Begins `event: …` and its data, of which the type is the first member.
    writer event(std::string_view type) {
        out_->append("event: ").append(type).append("\ndata: ");
        writer w(*out_);
        w.open('{').text("type", type);
        return w;
    }
    void end(writer& w) {
        w.close('}');
        out_->append("\n\n");
    }
    void delta(std::string_view type, std::string_view member, std::string_view text) {
        writer w = event("content_block_delta");
        w.key("index").number(index_).open("delta", '{').text("type", type).text(member, text).close('}');
        end(w);
    }

    void say(const message_start& e) {
        own_ = is_own(e.origin, wire_id::anthropic_messages);
        writer w = event("message_start");
        w.open("message", '{')
            .text("id", id_.empty() ? e.id : id_)
            .text("type", "message")
            .text("role", "assistant");
        w.text("model", model_.empty() ? e.model : model_).open("content", '[').close(']');
        w.key("stop_reason").null().key("stop_sequence").null().key("usage");
        write_usage(w, {}, false);
        if (own_) { w.extra(e.extra); }
        w.close('}');
        end(w);
    }
    void say(const text_delta& e) {
        if (e.choice == 0) { queue_.text(out_block::kind::text, e.text); }
    }
    void say(const refusal_delta& e) {
        if (e.choice == 0) { queue_.text(out_block::kind::refusal, e.text); }
    }
    void say(const reasoning_delta& e) {
        if (e.choice == 0) { queue_.reasoning(e); }
    }
    void say(const call_begin& e) {
        if (e.choice != 0) { return; }
        ++calls_;
        queue_.begin(e);
    }
    void say(const call_arguments& e) {
        if (e.choice != 0 || queue_.arguments(e)) { return; }
        wire_error error;
        error.status = 502;
        error.message = "a tool call went on after it was whole";
        say(stream_error{std::move(error)});
    }
    void say(const extra_delta&) {} // parts of other wires, and blocks that pass by
    void say(const choice_finish& e) {
        if (e.choice == 0) { finish_ = e.finish; }
    }
    void say(const usage_total& e) { usage_ = e.usage; }
    void say(const stream_error& e) {
        ended_ = true;
        writer w = event("error");
        w.key("error");
        write_error(w, e.error);
        end(w);
    }
    void say(const stream_done&) {
        if (!finish_) {
            wire_error error;
            error.status = 502;
            error.message = "the stream ended before the answer did";
            say(stream_error{std::move(error)});
            return;
        }
        queue_.finish();
        agree_with_calls(*finish_, calls_);
        writer w = event("message_delta");
        w.open("delta", '{').text("stop_reason", word_of(*finish_)).key("stop_sequence");
        if (finish_->stop_sequence.empty()) {
            w.null();
        } else {
            w.string(finish_->stop_sequence);
        }
        w.close('}').key("usage");
        write_usage(w, usage_, own_);
        end(w);
        writer stop = event("message_stop");
        end(stop);
        ended_ = true;
    }

    std::string id_, model_;
    std::string* out_ = nullptr;
    block_queue<anthropic_stream_encoder> queue_;
    std::optional<wire::finish> finish_;
    usage usage_;
    std::size_t index_ = 0, calls_ = 0;
    bool ended_ = false, own_ = true;
};

} // namespace

std::unique_ptr<stream_encoder> make_encoder(const response_options& options) {
    return std::make_unique<anthropic_stream_encoder>(options);
}

} // namespace jsonheal::wire_detail::anthropic
