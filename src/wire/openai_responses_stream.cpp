// Streams of OpenAI Responses: events to neutral ones. What some servers leave out of the deltas is taken from the events that
// close a part, an item or the whole.
#include "openai_responses.hpp"
#include "stream_state.hpp"

#include <utility>

namespace jsonheal::wire_detail::responses {

namespace {

/// One item of the output while it arrives.
struct item_state {
    std::int64_t index = 0;               ///< `output_index`
    std::string id;                       ///< `item_id`
    std::size_t call = std::string::npos; ///< of `choice_state::calls`
    bool said = false;                    ///< some of its text or arguments came
    bool signature = false;
};

class responses_stream_decoder final : public stream_decoder {
public:
    explicit responses_stream_decoder(const decode_options& options)
        : state_(wire_id::openai_responses, options), depth_(options.depth) {}

    void feed(std::string_view, std::string_view data, std::vector<stream_event>& out) override {
        const bool blank = data.find_first_not_of(" \t\r\n") == std::string_view::npos;
        if (state_.ended() || blank) { return; }
        if (data == "[DONE]") { // of those who copy the wire
            state_.done(out);
            return;
        }
        decoding in(data, wire_id::openai_responses, depth_, 502);
        if (in.ok()) { read_event(in, out); }
        if (auto e = in.take_error()) { state_.fail(*std::move(e), out); }
    }
    void finish(std::vector<stream_event>& out) override { state_.done(out); }

private:
    void read_event(decoding& in, std::vector<stream_event>& out) {
        const value_view root = in.root();
        const std::string type = string_in(root, "type");
        if (type == "error" || type == "response.failed") {
            fail(root, out);
        } else if (type == "response.created" || type == "response.in_progress") {
            start(in);
        } else if (type == "response.completed" || type == "response.incomplete") {
            end(in, out);
        } else if (type == "response.output_item.added") {
            if (const auto item = root.find("item"); item && in.object(*item)) { begin(in, *item, out); }
        } else if (type == "response.output_item.done") {
            if (const auto item = root.find("item"); item && in.object(*item)) { whole_item(in, *item, out); }
        } else if (type.ends_with(".delta")) {
            piece(in, type, "delta", out);
        } else if (type.ends_with(".done")) {
            if (!item_of(in).said) { piece(in, type, {}, out); }
        }
    }

    void fail(value_view root, std::vector<stream_event>& out) {
        const auto response = root.find("response");
        auto e = response && response->is(value_kind::object) ? failure_of(*response) : failure_of(root);
        if (!e) { // `{"type":"error","code":…,"message":…}`: its own type is no type of an error
            wire_error flat;
            flat.what = wire_error::kind::provider;
            flat.wire = wire_id::openai_responses;
            flat.code = string_in(root, "code");
            flat.param = string_in(root, "param");
            flat.message = string_in(root, "message");
            if (flat.message.empty()) { flat.message = "the answer failed"; }
            flat.status = flat.code == "rate_limit_exceeded" ? 429 : 502;
            e = std::move(flat);
        }
        state_.fail(*std::move(e), out);
    }

    void start(decoding& in) {
        const auto response = in.root().find("response");
        if (!response || !in.object(*response) || state_.started()) { return; }
        state_.at(0);
        message_start& head = state_.head();
        if (head.id.empty()) { head.id = string_in(*response, "id"); }
        if (head.model.empty()) { head.model = string_in(*response, "model"); }
        if (const auto created = response->find("created_at"); created && !head.created) {
            in.integer(*created, head.created);
        }
    }

    item_state& item_of(decoding& in) {
        std::optional<std::int64_t> index;
        if (const auto v = in.root().find("output_index")) { in.integer(*v, index); }
        std::string id = string_in(in.root(), "item_id");
        for (auto i = items_.rbegin(); i != items_.rend(); ++i) {
            const bool same = index ? i->index == *index : id.empty() || i->id == id;
            if (same) { return *i; }
        }
        items_.emplace_back();
        items_.back().index = index.value_or(static_cast<std::int64_t>(items_.size()) - 1);
        items_.back().id = std::move(id);
        return items_.back();
    }

    void begin(decoding& in, value_view item, std::vector<stream_event>& out) {
        const std::string type = string_in(item, "type");
        item_state& i = item_of(in);
        i.id = string_in(item, "id");
        if (type == "function_call" || type == "custom_tool_call") { call_of(i, item, type, out); }
    }

    call_state& call_of(item_state& i, value_view item, std::string_view type,
                        std::vector<stream_event>& out) {
        choice_state& c = *state_.at(0);
        if (i.call == std::string::npos) {
            i.call = c.calls.size();
            call_state& call = state_.add_call(c);
            call.id = string_in(item, "call_id");
            call.name = string_in(item, "name");
            call.custom = type == "custom_tool_call";
            const std::string given = string_in(item, call.custom ? "input" : "arguments");
            i.said = i.said || !given.empty();
            state_.arguments(0, call, given, out);
        }
        return state_.at(0)->calls[i.call];
    }

    /// A piece of something: the member says of what. In an event that closes, the text stands under a name of its own.
    void piece(decoding& in, std::string_view type, std::string_view member, std::vector<stream_event>& out) {
        item_state& i = item_of(in);
        const bool whole = member.empty();
        const auto text = [&](std::string_view of_whole) {
            return string_in(in.root(), whole ? of_whole : member);
        };
        std::string said;
        if (type.starts_with("response.output_text.")) {
            said = text("text");
            state_.text(0, said, out);
        } else if (type.starts_with("response.refusal.")) {
            said = text("refusal");
            state_.refusal(0, said, out);
        } else if (type.starts_with("response.reasoning_summary_text.") ||
                   type.starts_with("response.reasoning_text.")) {
            said = text("text");
            state_.reasoning(0, {0, said, {}, {}, {}}, out);
        } else if (type.starts_with("response.function_call_arguments.") ||
                   type.starts_with("response.custom_tool_call_input.")) {
            const bool custom = type.starts_with("response.custom");
            said = text(custom ? "input" : "arguments");
            if (i.call == std::string::npos) { // its item was never announced: the name may come with the end
                i.call = state_.at(0)->calls.size();
                call_state& fresh = state_.add_call(*state_.at(0));
                fresh.custom = custom;
            }
            call_state& call = state_.at(0)->calls[i.call];
            if (call.name.empty()) { call.name = string_in(in.root(), "name"); }
            state_.arguments(0, call, said, out);
        } else {
            return;
        }
        i.said = i.said || !said.empty();
    }

    void whole_item(decoding& in, value_view item, std::vector<stream_event>& out) {
        const std::string type = string_in(item, "type");
        item_state& i = item_of(in);
        if (type == "function_call" || type == "custom_tool_call") {
            call_state& call = call_of(i, item, type, out);
            if (call.name.empty()) { call.name = string_in(item, "name"); }
            if (!call.begun) { call.id = string_in(item, "call_id"); }
            const std::string given =
                i.said ? std::string() : string_in(item, call.custom ? "input" : "arguments");
            i.said = i.said || !given.empty();
            state_.arguments(0, call, given, out);
            return;
        }
        std::vector<content_block> blocks;
        if (!read_output_item(in, item, type, blocks)) {
            state_.extra({0, {}, {}, {{"output_item", json_of(item)}}}, out);
            return;
        }
        for (const content_block& b : blocks) { rest_of(i, b, out); }
        i.said = true;
    }

    /// Of a whole block what did not come in pieces.
    void rest_of(item_state& i, const content_block& b, std::vector<stream_event>& out) {
        const auto* text = b.get<text_block>();
        const auto* refusal = b.get<refusal_block>();
        const auto* thought = b.get<reasoning_block>();
        if (text != nullptr && !i.said) { state_.text(0, text->text, out); }
        if (refusal != nullptr && !i.said) { state_.refusal(0, refusal->text, out); }
        if (thought == nullptr) { return; }
        const bool sign = !thought->signature.empty() && !std::exchange(i.signature, true);
        state_.reasoning(0, {0, i.said ? "" : thought->text, sign ? thought->signature : "", {}, {}}, out);
    }

    void end(decoding& in, std::vector<stream_event>& out) {
        const auto response = in.root().find("response");
        if (!response || !in.object(*response)) {
            in.fail(in.root(), "is required", "response");
            return;
        }
        start(in);
        if (auto e = failure_of(*response)) {
            state_.fail(*std::move(e), out);
            return;
        }
        wire::response whole;
        wire_detail::responses::read_response(in, *response, whole);
        if (!in.ok()) { return; }
        if (items_.empty()) { // nothing came in pieces
            item_state all;
            for (const content_block& b : whole.choices[0].message.blocks) {
                rest_of(all, b, out);
                if (const auto* c = b.get<tool_call>()) { whole_call(*c, out); }
            }
        }
        if (whole.usage) { state_.used(*std::move(whole.usage)); }
        state_.end(0, whole.choices[0].finish);
        state_.done(out);
    }

    void whole_call(const tool_call& c, std::vector<stream_event>& out) {
        call_state& call = state_.add_call(*state_.at(0));
        call.id = c.id;
        call.name = c.name;
        call.custom = c.custom;
        state_.arguments(0, call, c.arguments, out);
    }

    stream_state state_;
    std::size_t depth_;
    std::vector<item_state> items_;
};

} // namespace

std::unique_ptr<stream_decoder> make_decoder(const decode_options& options) {
    return std::make_unique<responses_stream_decoder>(options);
}

} // namespace jsonheal::wire_detail::responses
