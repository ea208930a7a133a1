// Streams of chat completions: chunks to events, in every way in which providers write them.
#include "openai_chat.hpp"
#include "stream_state.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace jsonheal::wire_detail::chat {

namespace {

/// One element of `delta.tool_calls`, as read.
struct call_piece {
    std::optional<std::int64_t> index;
    std::string id, name, arguments;
    extra_members extra, wrapper_extra;
    bool custom = false;
};

bool same_extra(const extra_members& known, std::string_view name, std::string_view source) {
    return std::any_of(known.begin(), known.end(),
                       [&](const extra_member& m) { return m.name == name && m.json == source; });
}

class chat_stream_decoder final : public stream_decoder {
public:
    explicit chat_stream_decoder(const decode_options& options)
        : state_(wire_id::openai_chat, options), depth_(options.depth) {}

    void feed(std::string_view, std::string_view data, std::vector<stream_event>& out) override {
        if (state_.ended()) {
            if (state_.failed() && data == "[DONE]") { state_.done(out); }
            return;
        }
        if (data == "[DONE]") {
            state_.done(out);
        } else if (data.find_first_not_of(" \t\r\n") != std::string_view::npos) {
            chunk(data, out);
        }
    }
    void finish(std::vector<stream_event>& out) override { state_.done(out); }

private:
    void chunk(std::string_view data, std::vector<stream_event>& out) {
        decoding in(data, wire_id::openai_chat, depth_, 502);
        if (in.ok()) {
            if (auto e = read_error(in.root(), 0)) {
                state_.fail(*std::move(e), out);
                return;
            }
            read_chunk(in, out);
        }
        if (auto e = in.take_error()) { state_.fail(*std::move(e), out); }
    }

    void read_chunk(decoding& in, std::vector<stream_event>& out) {
        extra_delta extra;
        std::optional<value_view> choices;
        std::string scratch;
        for (const member m : in.root().members()) {
            const std::string_view key = key_of(m, scratch);
            message_start& head = state_.head();
            if (key == "choices") {
                choices = m.value;
            } else if (key == "id") {
                if (head.id.empty()) { in.text(m.value, head.id); }
            } else if (key == "model") {
                if (head.model.empty()) { in.text(m.value, head.model); }
            } else if (key == "created") {
                if (!head.created) { in.integer(m.value, head.created); }
            } else if (key == "usage") {
                if (in.object(m.value)) { state_.used(read_usage(in, m.value)); }
            } else if (!is_noise(key, m.value) && !same_extra(head.extra, key, m.value.source())) {
                keep_extra(m, state_.started() ? extra.chunk : head.extra);
            }
        }
        if (choices && in.array(*choices)) {
            for (const value_view c : choices->elements()) { read_choice(in, c, out); }
        }
        state_.extra(std::move(extra), out);
    }

    /// Members that say nothing of the answer: `obfuscation` is padding.
    static bool is_noise(std::string_view key, value_view v) {
        return v.is(value_kind::null) || key == "object" || key == "obfuscation";
    }

    void read_choice(decoding& in, value_view v, std::vector<stream_event>& out) {
        if (state_.ended() || !in.object(v)) { return; }
        std::optional<std::int64_t> index = 0;
        std::optional<value_view> delta;
        std::string word, scratch;
        extra_delta extra;
        for (const member m : v.members()) {
            const std::string_view key = key_of(m, scratch);
            if (key == "index") {
                in.integer(m.value, index);
            } else if (key == "delta" || (key == "message" && !delta)) {
                delta = m.value; // whole answers as one chunk say `message`
            } else if (key == "finish_reason") {
                in.text(m.value, word);
            } else if (key == "error" && !m.value.is(value_kind::null)) {
                state_.fail(read_error_value(m.value, 0), out);
                return;
            } else if (!m.value.is(value_kind::null)) {
                keep_extra(m, extra.in_choice);
            }
        }
        if (*index < 0 || state_.at(static_cast<std::size_t>(*index)) == nullptr) {
            in.fail(v, "is out of range", "index");
            return;
        }
        const auto choice = static_cast<std::size_t>(*index);
        extra.choice = choice;
        if (delta && in.object(*delta)) { read_delta(in, *delta, extra, out); }
        state_.extra(std::move(extra), out);
        if (!word.empty()) { end(choice, word, out); }
    }

    void end(std::size_t choice, std::string_view word, std::vector<stream_event>& out) {
        wire::finish f = finish_of(word);
        if (f.reason == finish_reason::error) { // and no error object said why
            wire_error e;
            e.what = wire_error::kind::provider;
            e.wire = wire_id::openai_chat;
            e.status = 502;
            e.message = "the provider stopped with an error";
            state_.fail(std::move(e), out);
        } else {
            state_.end(choice, std::move(f));
        }
    }

    /// Thought, then text, then refusal, then calls, in whatever order the members stand.
    void read_delta(decoding& in, value_view v, extra_delta& extra, std::vector<stream_event>& out) {
        std::optional<value_view> content, refusal, calls;
        bool thought = false;
        std::string scratch;
        for (const member m : v.members()) {
            const std::string_view key = key_of(m, scratch);
            if (key == "content") {
                content = m.value;
            } else if (key == "refusal") {
                refusal = m.value;
            } else if (key == "tool_calls") {
                calls = m.value;
            } else if (!thought && (key == "reasoning_content" || key == "reasoning") &&
                       m.value.is(value_kind::string)) {
                thought = !m.value.source().empty();
                const std::string name(key == "reasoning" ? key : std::string_view());
                state_.reasoning(extra.choice, {extra.choice, m.value.string(), {}, {}, name}, out);
            } else if (key != "role" && !m.value.is(value_kind::null)) {
                keep_extra(m, extra.in_delta);
            }
        }
        if (content) { read_content(in, *content, extra.choice, out); }
        std::string text;
        if (refusal && in.text(*refusal, text)) { state_.refusal(extra.choice, text, out); }
        if (calls && in.array(*calls)) { read_calls(in, *calls, extra.choice, out); }
    }

    /// Text, or parts of it (Mistral).
    void read_content(decoding& in, value_view v, std::size_t choice, std::vector<stream_event>& out) {
        if (v.is(value_kind::string)) {
            std::string scratch;
            state_.text(choice, v.string(scratch), out);
            return;
        }
        if (v.is(value_kind::null)) { return; }
        message parts;
        chat::read_content(in, v, parts.blocks);
        for (const content_block& b : parts.blocks) {
            if (const auto* t = b.get<text_block>()) { state_.text(choice, t->text, out); }
            if (const auto* r = b.get<refusal_block>()) { state_.refusal(choice, r->text, out); }
            if (const auto* r = b.get<reasoning_block>()) {
                state_.reasoning(choice, {choice, r->text, {}, {}, {}}, out);
            }
        }
    }

    void read_calls(decoding& in, value_view list, std::size_t choice, std::vector<stream_event>& out) {
        const bool several = list.size() > 1;
        std::size_t position = 0;
        for (const value_view v : list.elements()) {
            if (state_.ended() || !in.object(v)) { return; }
            call_piece piece = read_piece(in, v);
            call_state& call = find_call(*state_.at(choice), piece, several ? position : std::string::npos);
            if (call.id.empty()) { call.id = piece.id; }
            if (call.name.empty()) { call.name = piece.name; }
            call.custom = call.custom || piece.custom;
            if (!call.begun) {
                std::move(piece.extra.begin(), piece.extra.end(), std::back_inserter(call.extra));
                std::move(piece.wrapper_extra.begin(), piece.wrapper_extra.end(),
                          std::back_inserter(call.wrapper_extra));
            }
            state_.arguments(choice, call, piece.arguments, out);
            ++position;
        }
    }

    static call_piece read_piece(decoding& in, value_view v) {
        call_piece piece;
        std::string scratch;
        for (const member m : v.members()) {
            const std::string_view key = key_of(m, scratch);
            if (key == "index") {
                if (m.value.is(value_kind::number)) { in.integer(m.value, piece.index); }
            } else if (key == "id") {
                if (m.value.is(value_kind::string)) { piece.id = m.value.string(); }
            } else if (key == "function" || key == "custom") {
                piece.custom = key == "custom";
                if (in.object(m.value)) { read_function(in, m.value, piece); }
            } else if (key != "type" && !m.value.is(value_kind::null)) {
                keep_extra(m, piece.wrapper_extra);
            }
        }
        return piece;
    }

    static void read_function(decoding& in, value_view v, call_piece& piece) {
        std::string scratch;
        for (const member m : v.members()) {
            const std::string_view key = key_of(m, scratch);
            if (key == "name") {
                in.text(m.value, piece.name);
            } else if (key == "arguments" || key == "input") {
                if (m.value.is(value_kind::string)) {
                    piece.arguments = m.value.string();
                } else if (!m.value.is(value_kind::null)) {
                    append_json(m.value, piece.arguments); // an object that was not encoded
                }
            } else if (!m.value.is(value_kind::null)) {
                keep_extra(m, piece.extra);
            }
        }
    }

    /// Which call a piece is of. By its index; without one by its id; without either it goes on with the last call. A piece
    /// that bears a name is a new call where the one found must be another: its own name differs, or it is whole.
    call_state& find_call(choice_state& c, const call_piece& piece, std::size_t position) {
        call_state* found = nullptr;
        const std::string key = piece.index ? std::to_string(*piece.index)
                                : position != std::string::npos && piece.id.empty()
                                    ? "at " + std::to_string(position)
                                    : std::string();
        for (auto call = c.calls.rbegin(); call != c.calls.rend() && found == nullptr && !key.empty();
             ++call) {
            if (call->key == key) { found = &*call; }
        }
        const bool by_id = !piece.id.empty() && (key.empty() || piece.name.empty());
        for (auto call = c.calls.rbegin(); call != c.calls.rend() && found == nullptr && by_id; ++call) {
            if (call->id == piece.id) { found = &*call; }
        }
        const bool loose = key.empty() && piece.id.empty();
        if (found == nullptr && loose && !c.calls.empty()) { found = &c.calls.back(); }
        if (found == nullptr || is_another(*found, piece, loose)) {
            found = &state_.add_call(c);
            found->key = key;
        }
        return *found;
    }

    static bool is_another(const call_state& call, const call_piece& piece, bool loose) {
        if (piece.name.empty() || call.name.empty()) { return false; }
        if (loose || piece.id.empty()) { return call.name != piece.name || (loose && call.extent.whole()); }
        if (call.id == piece.id || call.id.empty()) { return call.name != piece.name; }
        return call.name != piece.name || call.extent.whole() || (!call.any && call.held.empty());
    }

    stream_state state_;
    std::size_t depth_;
};

} // namespace

std::unique_ptr<stream_decoder> make_decoder(const decode_options& options) {
    return std::make_unique<chat_stream_decoder>(options);
}

} // namespace jsonheal::wire_detail::chat
