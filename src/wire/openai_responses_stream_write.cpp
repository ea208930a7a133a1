// Streams of OpenAI Responses: neutral events to its own, items one after the other, and the whole at the end.
#include "block_queue.hpp"
#include "openai_responses.hpp"

#include <utility>

namespace jsonheal::wire_detail::responses {

namespace {

class responses_stream_encoder final : public stream_encoder {
public:
    explicit responses_stream_encoder(const response_options& options)
        : id_(options.id), model_(options.model), created_(options.created), queue_(*this) {}

    void put(const stream_event& event, std::string& out) override {
        if (ended_) { return; }
        out_ = &out;
        gathered_.put(event);
        std::visit([&](const auto& e) { say(e); }, event);
        out_ = nullptr;
    }

    // For the queue.
    void open(const out_block& b) {
        text_.clear();
        item("response.output_item.added", b, false);
        if (b.what == out_block::kind::call) { return; }
        if (b.what == out_block::kind::reasoning) {
            writer w = event("response.reasoning_summary_part.added");
            place(w, b).key("summary_index").number(0);
            w.open("part", '{').text("type", "summary_text").text("text", "").close('}');
            end(w);
        } else {
            part("response.content_part.added", b);
        }
    }
    void piece(const out_block& b, const std::string& text) {
        text_ += text;
        writer w = event(std::string(names(b).event) + ".delta");
        place(w, b);
        inside(w, b).text("delta", text);
        if (b.what == out_block::kind::text) { w.open("logprobs", '[').close(']'); }
        end(w);
    }
    void close(const out_block& b) {
        writer w = event(std::string(names(b).event) + ".done");
        place(w, b);
        inside(w, b).text(names(b).member, text_);
        if (b.what == out_block::kind::text) { w.open("logprobs", '[').close(']'); }
        if (b.what == out_block::kind::call) { w.text("name", b.call.name); }
        end(w);
        if (b.what == out_block::kind::reasoning) {
            writer p = event("response.reasoning_summary_part.done");
            place(p, b).key("summary_index").number(0);
            p.open("part", '{').text("type", "summary_text").text("text", text_).close('}');
            end(p);
        } else if (b.what != out_block::kind::call) {
            part("response.content_part.done", b);
        }
        item("response.output_item.done", b, true);
        ++index_;
    }

private:
    struct block_names {
        std::string_view prefix, event, member;
    };
    static block_names names(const out_block& b) {
        switch (b.what) {
        case out_block::kind::call:
            if (b.call.custom) { return {"ctc_", "response.custom_tool_call_input", "input"}; }
            return {"fc_", "response.function_call_arguments", "arguments"};
        case out_block::kind::reasoning: return {"rs_", "response.reasoning_summary_text", "text"};
        case out_block::kind::refusal: return {"msg_", "response.refusal", "refusal"};
        default: return {"msg_", "response.output_text", "text"};
        }
    }

    writer event(std::string_view type) {
        out_->append("event: ").append(type).append("\ndata: ");
        writer w(*out_);
        w.open('{').text("type", type).key("sequence_number").number(sequence_++);
        return w;
    }
    void end(writer& w) {
        w.close('}');
        out_->append("\n\n");
    }
    [[nodiscard]] std::string id_of(const out_block& b) const {
        return item_id(names(b).prefix, response_id_, index_);
    }
    writer& place(writer& w, const out_block& b) {
        return w.text("item_id", id_of(b)).key("output_index").number(index_);
    }
    /// Which part of the item.
    static writer& inside(writer& w, const out_block& b) {
        if (b.what == out_block::kind::call) { return w; }
        return w.key(b.what == out_block::kind::reasoning ? "summary_index" : "content_index").number(0);
    }

    void write_text_part(writer& w, const out_block& b) {
        const bool refusal = b.what == out_block::kind::refusal;
        w.open('{')
            .text("type", refusal ? "refusal" : "output_text")
            .text(refusal ? "refusal" : "text", text_);
        if (!refusal) { w.open("annotations", '[').close(']'); }
        w.close('}');
    }
    void part(std::string_view type, const out_block& b) {
        writer w = event(type);
        place(w, b).key("content_index").number(0).key("part");
        write_text_part(w, b);
        end(w);
    }
    void item(std::string_view type, const out_block& b, bool whole) {
        writer w = event(type);
        w.key("output_index").number(index_).open("item", '{').text("id", id_of(b));
        if (b.what == out_block::kind::call) {
            w.text("type", b.call.custom ? "custom_tool_call" : "function_call");
            w.text("status", whole ? "completed" : "in_progress").text(names(b).member, text_);
            w.text("call_id", b.call.id).text("name", b.call.name);
        } else if (b.what == out_block::kind::reasoning) {
            w.text("type", "reasoning").open("summary", '[');
            if (whole && !text_.empty()) {
                w.open('{').text("type", "summary_text").text("text", text_).close('}');
            }
            w.close(']');
            if (whole && own_) { w.text_if("encrypted_content", b.signature); }
        } else {
            w.text("type", "message")
                .text("status", whole ? "completed" : "in_progress")
                .text("role", "assistant");
            w.open("content", '[');
            if (whole) { write_text_part(w, b); }
            w.close(']');
        }
        w.close('}');
        end(w);
    }

    [[nodiscard]] response_options options() const { return {false, id_, model_, created_}; }

    void say(const message_start& e) {
        own_ = is_own(e.origin, wire_id::openai_responses);
        response_id_ = id_.empty() ? e.id : id_;
        for (const std::string_view type : {"response.created", "response.in_progress"}) {
            whole(type, "in_progress");
        }
    }
    void whole(std::string_view type, std::string_view status) {
        std::vector<note> notes;
        writer w = event(type);
        w.key("response");
        write_response(w, gathered_.response(), options(), status, notes);
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
        if (e.choice == 0) { queue_.begin(e); }
    }
    void say(const call_arguments& e) {
        if (e.choice != 0 || queue_.arguments(e)) { return; }
        wire_error error;
        error.status = 502;
        error.message = "a tool call went on after it was whole";
        say(stream_error{std::move(error)});
    }
    void say(const extra_delta&) {}
    void say(const choice_finish& e) {
        if (e.choice == 0) { finished_ = true; }
    }
    void say(const usage_total&) {}
    void say(const stream_error& e) {
        ended_ = true;
        const error_words& words = words_of(e.error.status == 0 ? 502 : e.error.status);
        const std::string_view code = e.error.code.empty() ? words.code : std::string_view(e.error.code);
        writer w = event("error");
        w.text("code", code.empty() ? words.type : code).text("message", e.error.message).key("param");
        const std::string param = e.error.param.empty() ? param_of(e.error.field) : e.error.param;
        if (param.empty()) {
            w.null();
        } else {
            w.string(param);
        }
        end(w);
    }
    void say(const stream_done&) {
        if (!finished_) {
            wire_error error;
            error.status = 502;
            error.message = "the stream ended before the answer did";
            say(stream_error{std::move(error)});
            return;
        }
        queue_.finish();
        const finish_reason reason = gathered_.response().choices.front().finish.reason;
        const bool cut = reason == finish_reason::length || reason == finish_reason::content_filter ||
                         reason == finish_reason::other;
        whole(cut ? "response.incomplete" : "response.completed", {});
        ended_ = true;
    }

    std::string id_, model_, response_id_;
    std::optional<std::int64_t> created_;
    std::string* out_ = nullptr;
    block_queue<responses_stream_encoder> queue_;
    response_gatherer gathered_;
    std::string text_; ///< of the item that is open
    std::size_t index_ = 0, sequence_ = 0;
    bool finished_ = false, ended_ = false, own_ = true;
};

} // namespace

std::unique_ptr<stream_encoder> make_encoder(const response_options& options) {
    return std::make_unique<responses_stream_encoder>(options);
}

} // namespace jsonheal::wire_detail::responses
