// Streams of Anthropic Messages: events to neutral ones.
#include "anthropic.hpp"
#include "stream_state.hpp"

#include <utility>

namespace jsonheal::wire_detail::anthropic {

namespace {

/// One content block while it arrives.
struct block_state {
    std::int64_t index = 0;
    std::size_t call = std::string::npos; ///< of `choice_state::calls`
    std::string input;                    ///< given whole at the start by some; counts if no piece follows
};

class anthropic_stream_decoder final : public stream_decoder {
public:
    explicit anthropic_stream_decoder(const decode_options& options)
        : state_(wire_id::anthropic_messages, options), depth_(options.depth) {}

    void feed(std::string_view, std::string_view data, std::vector<stream_event>& out) override {
        const bool blank = data.find_first_not_of(" \t\r\n") == std::string_view::npos;
        if (state_.ended() || blank) { return; }
        decoding in(data, wire_id::anthropic_messages, depth_, 502);
        if (in.ok()) { read_event(in, out); }
        if (auto e = in.take_error()) { state_.fail(*std::move(e), out); }
    }
    void finish(std::vector<stream_event>& out) override {
        for (block_state& b : blocks_) { end_block(b, out); }
        state_.done(out);
    }

private:
    void read_event(decoding& in, std::vector<stream_event>& out) {
        const value_view root = in.root();
        const std::string type = string_in(root, "type");
        if (auto e = read_error(root, 0)) {
            state_.fail(*std::move(e), out);
        } else if (type == "content_block_delta") {
            if (const auto delta = root.find("delta"); delta && in.object(*delta)) {
                read_delta(in, *delta, out);
            }
        } else if (type == "content_block_start") {
            start_block(in, out);
        } else if (type == "content_block_stop") {
            if (block_state* b = block_of(in)) { end_block(*b, out); }
        } else if (type == "message_start") {
            start(in);
        } else if (type == "message_delta") {
            read_end(in);
        } else if (type == "message_stop") {
            finish(out);
        } // `ping`, and what is not known, say nothing
    }

    void start(decoding& in) {
        const auto message = in.root().find("message");
        if (!message || !in.object(*message) || state_.started()) { return; }
        state_.at(0);
        message_start& head = state_.head();
        std::string scratch;
        for (const member m : message->members()) {
            const std::string_view key = key_of(m, scratch);
            if (key == "id") {
                in.text(m.value, head.id);
            } else if (key == "model") {
                in.text(m.value, head.model);
            } else if (key == "usage") {
                counts_.read(in, m.value);
                state_.used(counts_.total());
            } else if (key != "type" && key != "role" && key != "content" && key != "stop_reason" &&
                       key != "stop_sequence" && !m.value.is(value_kind::null)) {
                keep_extra(m, head.extra);
            }
        }
    }

    /// The block that the event is of; the last one where it says no index.
    block_state* block_of(decoding& in) {
        std::optional<std::int64_t> index;
        if (const auto v = in.root().find("index")) { in.integer(*v, index); }
        for (auto b = blocks_.rbegin(); b != blocks_.rend(); ++b) {
            if (!index || b->index == *index) { return &*b; }
        }
        return nullptr;
    }

    void start_block(decoding& in, std::vector<stream_event>& out) {
        const auto block = in.root().find("content_block");
        if (!block || !in.object(*block)) {
            in.fail(in.root(), "is required", "content_block");
            return;
        }
        block_state b;
        std::optional<std::int64_t> index;
        if (const auto v = in.root().find("index")) { in.integer(*v, index); }
        b.index = index.value_or(static_cast<std::int64_t>(blocks_.size()));
        const std::string type = string_in(*block, "type");
        if (type == "tool_use") {
            start_call(in, *block, b, out);
        } else if (type == "text") {
            state_.text(0, string_in(*block, "text"), out);
        } else if (type == "thinking") {
            state_.reasoning(0, {0, string_in(*block, "thinking"), string_in(*block, "signature"), {}, {}},
                             out);
        } else if (type == "redacted_thinking") {
            state_.reasoning(0, {0, {}, {}, string_in(*block, "data"), {}}, out);
        } else {
            state_.extra({0, {}, {}, {{"content_block", json_of(*block)}}}, out);
        }
        blocks_.push_back(std::move(b));
    }

    void start_call(decoding& in, value_view v, block_state& b, std::vector<stream_event>& out) {
        choice_state& c = *state_.at(0);
        b.call = c.calls.size();
        call_state& call = state_.add_call(c);
        call.id = string_in(v, "id");
        call.name = string_in(v, "name");
        if (const auto input = v.find("input");
            input && input->is(value_kind::object) && input->size() != 0) {
            b.input = json_of(*input);
        }
        if (call.name.empty()) { in.fail(v, "is required", "name"); }
        state_.arguments(0, call, {}, out);
    }

    void end_block(block_state& b, std::vector<stream_event>& out) {
        if (b.input.empty()) { return; }
        state_.arguments(0, state_.at(0)->calls[b.call], std::exchange(b.input, {}), out);
    }

    void read_delta(decoding& in, value_view delta, std::vector<stream_event>& out) {
        const std::string type = string_in(delta, "type");
        if (type == "text_delta") {
            state_.text(0, string_in(delta, "text"), out);
        } else if (type == "input_json_delta") {
            block_state* b = block_of(in);
            if (b == nullptr || b->call == std::string::npos) {
                in.fail(in.root(), "is of no tool_use block", "index");
                return;
            }
            const std::string piece = string_in(delta, "partial_json");
            if (!piece.empty()) { b->input.clear(); }
            state_.arguments(0, state_.at(0)->calls[b->call], piece, out);
        } else if (type == "thinking_delta") {
            state_.reasoning(0, {0, string_in(delta, "thinking"), {}, {}, {}}, out);
        } else if (type == "signature_delta") {
            state_.reasoning(0, {0, {}, string_in(delta, "signature"), {}, {}}, out);
        } else {
            state_.extra({0, {}, {}, {{"content_block_delta", json_of(delta)}}}, out);
        }
    }

    void read_end(decoding& in) {
        if (const auto used = in.root().find("usage"); used && in.object(*used)) {
            counts_.read(in, *used);
            state_.used(counts_.total());
        }
        const auto delta = in.root().find("delta");
        if (!delta || !in.object(*delta)) { return; }
        const std::string word = string_in(*delta, "stop_reason");
        if (word.empty()) { return; }
        wire::finish f = finish_of(word);
        f.stop_sequence = string_in(*delta, "stop_sequence");
        state_.end(0, std::move(f));
    }

    stream_state state_;
    std::size_t depth_;
    std::vector<block_state> blocks_;
    counts counts_;
};

} // namespace

std::unique_ptr<stream_decoder> make_decoder(const decode_options& options) {
    return std::make_unique<anthropic_stream_decoder>(options);
}

} // namespace jsonheal::wire_detail::anthropic
