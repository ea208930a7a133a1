// Streams of Gemini: each event is a whole answer with the parts that come next; calls arrive complete.
#include "block_queue.hpp"
#include "gemini.hpp"
#include "stream_state.hpp"

#include <deque>
#include <utility>

namespace jsonheal::wire_detail::gemini {

namespace {

class gemini_stream_decoder final : public stream_decoder {
public:
    explicit gemini_stream_decoder(const decode_options& options)
        : state_(wire_id::gemini, options), depth_(options.depth) {}

    void feed(std::string_view, std::string_view data, std::vector<stream_event>& out) override {
        const bool blank = data.find_first_not_of(" \t\r\n") == std::string_view::npos;
        if (state_.ended() || blank) { return; }
        decoding in(data, wire_id::gemini, depth_, 502);
        if (in.ok()) {
            if (auto e = read_error(in.root(), 0)) {
                state_.fail(*std::move(e), out);
            } else {
                read_chunk(in, out);
            }
        }
        if (auto e = in.take_error()) { state_.fail(*std::move(e), out); }
    }
    void finish(std::vector<stream_event>& out) override { state_.done(out); }

private:
    void read_chunk(decoding& in, std::vector<stream_event>& out) {
        std::optional<value_view> candidates;
        std::string scratch;
        for (const member m : in.root().members()) {
            const std::string_view key = key_of(m, scratch);
            message_start& head = state_.head();
            if (key == "candidates") {
                candidates = m.value;
            } else if (key == "responseId") {
                if (head.id.empty()) { in.text(m.value, head.id); }
            } else if (key == "modelVersion") {
                if (head.model.empty()) { in.text(m.value, head.model); }
            } else if (key == "usageMetadata") {
                if (in.object(m.value)) { state_.used(read_usage(in, m.value)); }
            } else if (key == "promptFeedback" && !string_in(m.value, "blockReason").empty()) {
                wire::finish f;
                f.reason = finish_reason::content_filter;
                state_.end(0, std::move(f));
            }
        }
        if (!candidates || !in.array(*candidates)) { return; }
        for (const value_view c : candidates->elements()) { read_candidate(in, c, out); }
    }

    void read_candidate(decoding& in, value_view v, std::vector<stream_event>& out) {
        if (!in.object(v)) { return; }
        std::optional<std::int64_t> index = 0;
        if (const auto i = v.find("index")) { in.integer(*i, index); }
        if (*index < 0 || state_.at(static_cast<std::size_t>(*index)) == nullptr) {
            in.fail(v, "is out of range", "index");
            return;
        }
        const auto choice = static_cast<std::size_t>(*index);
        const auto content = v.find("content");
        const auto parts = content && content->is(value_kind::object) ? content->find("parts") : std::nullopt;
        if (parts && in.array(*parts)) {
            for (const value_view p : parts->elements()) { read_stream_part(in, p, choice, out); }
        }
        const std::string word = string_in(v, "finishReason");
        if (!word.empty()) { state_.end(choice, finish_of(word)); }
    }

    void read_stream_part(decoding& in, value_view p, std::size_t choice, std::vector<stream_event>& out) {
        const content_block b = read_part(in, p);
        if (!in.ok()) { return; }
        if (const auto* t = b.get<text_block>()) {
            state_.text(choice, t->text, out);
            if (const auto* s = find_extra(b.extra, "thoughtSignature")) {
                std::string signature;
                if (decode_string(s->json, signature)) {
                    state_.reasoning(choice, {choice, {}, signature, {}, {}}, out);
                }
            }
        } else if (const auto* r = b.get<reasoning_block>()) {
            state_.reasoning(choice, {choice, r->text, r->signature, {}, {}}, out);
        } else if (const auto* c = b.get<tool_call>()) {
            call_state& call = state_.add_call(*state_.at(choice));
            call.id = c->id;
            call.name = c->name;
            call.signature = c->signature;
            state_.arguments(choice, call, c->arguments, out);
        } else {
            state_.extra({choice, {}, {}, {{"part", json_of(p)}}}, out);
        }
    }

    stream_state state_;
    std::size_t depth_;
};

/// What all chunks of a stream say.
struct chunk_frame {
    std::string id, model;
    std::optional<usage> used; ///< told with the last reason
    bool own = true;

    /// Opens an answer up to the list of parts of its one candidate.
    static writer open(std::string& out) {
        out += "data: ";
        writer w(out);
        w.open('{').open("candidates", '[').open('{').open("content", '{').open("parts", '[');
        return w;
    }
    void close(writer& w, std::string& out, std::size_t candidate, std::string_view reason) const {
        w.close(']')
            .text("role", "model")
            .close('}')
            .text_if("finishReason", reason)
            .key("index")
            .number(candidate);
        w.close('}').close(']');
        if (!reason.empty() && used) {
            w.key("usageMetadata");
            write_usage(w, *used, own);
        }
        w.text_if("modelVersion", model).text_if("responseId", id).close('}');
        out += "\n\n";
    }
};

/// One candidate: its parts, one after the other. A call waits until it is whole.
class candidate {
public:
    candidate(const chunk_frame& frame, std::size_t index) : frame_(frame), index_(index), queue_(*this) {}

    /// The queue, for one event whose bytes go to `out`.
    block_queue<candidate>& to(std::string& out) {
        out_ = &out;
        return queue_;
    }

    // For the queue.
    void open(const out_block&) { arguments_.clear(); }
    void piece(const out_block& b, const std::string& text) {
        if (b.what == out_block::kind::call) {
            arguments_ += text;
            return;
        }
        writer w = chunk_frame::open(*out_);
        w.open('{').text("text", text);
        if (b.what == out_block::kind::reasoning) { w.key("thought").boolean(true); }
        w.close('}');
        frame_.close(w, *out_, index_, {});
    }
    void close(const out_block& b) {
        const bool call = b.what == out_block::kind::call;
        if (!call && (!frame_.own || b.signature.empty())) { return; }
        writer w = chunk_frame::open(*out_);
        if (call) {
            const content_block part{
                tool_call{b.call.id, b.call.name, arguments_, b.call.custom, b.call.signature, {}, {}},
                {},
                {}};
            std::vector<note> notes;
            notes_for unused(notes, {});
            write_part(w, part, 0, {}, frame_.own, unused);
        } else {
            w.open('{')
                .text("text", "")
                .key("thought")
                .boolean(true)
                .text("thoughtSignature", b.signature)
                .close('}');
        }
        frame_.close(w, *out_, index_, {});
    }

    std::optional<wire::finish> end;

private:
    const chunk_frame& frame_;
    std::size_t index_;
    std::string arguments_;
    std::string* out_ = nullptr;
    block_queue<candidate> queue_;
};

class gemini_stream_encoder final : public stream_encoder {
public:
    explicit gemini_stream_encoder(const response_options& options) {
        frame_.id = options.id;
        frame_.model = options.model;
    }

    void put(const stream_event& event, std::string& out) override {
        if (ended_) { return; }
        std::visit([&](const auto& e) { say(e, out); }, event);
    }

private:
    candidate& at(std::size_t choice) {
        while (choice >= candidates_.size()) { candidates_.emplace_back(frame_, candidates_.size()); }
        return candidates_[choice];
    }

    void say(const message_start& e, std::string&) {
        frame_.own = is_own(e.origin, wire_id::gemini);
        if (frame_.id.empty()) { frame_.id = e.id; }
        if (frame_.model.empty()) { frame_.model = e.model; }
    }
    void say(const text_delta& e, std::string& out) {
        at(e.choice).to(out).text(out_block::kind::text, e.text);
    }
    void say(const refusal_delta& e, std::string& out) {
        at(e.choice).to(out).text(out_block::kind::refusal, e.text);
    }
    void say(const reasoning_delta& e, std::string& out) {
        if (e.redacted.empty()) { at(e.choice).to(out).reasoning(e); }
    }
    void say(const call_begin& e, std::string& out) { at(e.choice).to(out).begin(e); }
    void say(const call_arguments& e, std::string& out) {
        if (!at(e.choice).to(out).arguments(e)) { fail("a tool call went on after it was whole", out); }
    }
    void say(const extra_delta&, std::string&) {}
    void say(const choice_finish& e, std::string&) { at(e.choice).end = e.finish; }
    void say(const usage_total& e, std::string&) { frame_.used = e.usage; }
    void say(const stream_error& e, std::string& out) {
        ended_ = true;
        out += "data: ";
        writer w(out);
        w.open('{').key("error");
        write_error(w, e.error);
        w.close('}');
        out += "\n\n";
    }
    void fail(std::string_view message, std::string& out) {
        wire_error e;
        e.status = 502;
        e.message = message;
        say(stream_error{std::move(e)}, out);
    }
    void say(const stream_done&, std::string& out) {
        bool whole = !candidates_.empty();
        for (const candidate& c : candidates_) { whole = whole && c.end.has_value(); }
        if (!whole) {
            fail("the stream ended before the answer did", out);
            return;
        }
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            candidates_[i].to(out).finish();
            writer w = chunk_frame::open(out);
            frame_.close(w, out, i, word_of(*candidates_[i].end));
        }
        ended_ = true;
    }

    chunk_frame frame_;
    std::deque<candidate> candidates_; ///< queues refer to them
    bool ended_ = false;
};

} // namespace

std::unique_ptr<stream_decoder> make_decoder(const decode_options& options) {
    return std::make_unique<gemini_stream_decoder>(options);
}
std::unique_ptr<stream_encoder> make_encoder(const response_options& options) {
    return std::make_unique<gemini_stream_encoder>(options);
}

} // namespace jsonheal::wire_detail::gemini
