// Answers of OpenAI Responses, whole.
#include "openai_chat.hpp"
#include "openai_responses.hpp"

#include <utility>

namespace jsonheal::wire_detail::responses {

usage read_usage(decoding& in, value_view v) {
    usage u;
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "input_tokens") {
            in.integer(m.value, u.input);
        } else if (key == "output_tokens") {
            in.integer(m.value, u.output);
        } else if (key == "total_tokens") {
            in.integer(m.value, u.total);
        } else if (key == "input_tokens_details") {
            chat::read_details(in, m.value, "cached_tokens", u.cache_read, u.input_extra);
        } else if (key == "output_tokens_details") {
            chat::read_details(in, m.value, "reasoning_tokens", u.reasoning, u.output_extra);
        } else {
            keep_extra(m, u.extra);
        }
    }
    return u;
}

namespace {

/// `completed`, or `incomplete` with its reason, as a reason to stop.
finish finish_of(std::string_view status, std::string_view reason) {
    finish f;
    if (status == "completed") {
        f.reason = finish_reason::stop;
    } else if (status == "incomplete" && reason == "max_output_tokens") {
        f.reason = finish_reason::length;
    } else if (status == "incomplete" && reason == "content_filter") {
        f.reason = finish_reason::content_filter;
    } else if (status == "incomplete" || status == "cancelled") {
        f.reason = finish_reason::other;
        f.native = reason.empty() ? status : reason;
    }
    return f;
}

void read_output(decoding& in, value_view list, std::vector<content_block>& out) {
    if (!in.array(list)) { return; }
    for (const value_view item : list.elements()) {
        if (!in.object(item)) {
            in.fail(item, "must be an object");
            return;
        }
        const std::string type = string_in(item, "type");
        if (!read_output_item(in, item, type, out)) { out.push_back({other_block{json_of(item)}, {}, {}}); }
    }
}

} // namespace

void read_response(decoding& in, value_view v, response& out) {
    choice answer;
    std::string status, reason, scratch;
    bool seen = false;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "id") {
            in.text(m.value, out.id);
        } else if (key == "model") {
            in.text(m.value, out.model);
        } else if (key == "created_at") {
            in.integer(m.value, out.created);
        } else if (key == "status") {
            in.text(m.value, status);
        } else if (key == "incomplete_details") {
            reason = string_in(m.value, "reason");
        } else if (key == "output") {
            seen = true;
            answer.message.blocks.clear();
            read_output(in, m.value, answer.message.blocks);
        } else if (key == "usage") {
            if (in.object(m.value)) { out.usage = read_usage(in, m.value); }
        } else if (key != "object" && key != "error") {
            keep_extra(m, out.extra);
        }
    }
    if (!seen) { in.fail(v, "is required", "output"); }
    answer.finish = finish_of(status.empty() ? "completed" : std::string_view(status), reason);
    out.choices.push_back(std::move(answer));
}

std::optional<wire_error> failure_of(value_view response) {
    auto e = chat::read_error(response, 0);
    if (!e && string_in(response, "status") == "failed") {
        e = wire_error{};
        e->what = wire_error::kind::provider;
        e->status = 502;
        e->message = "the answer failed";
    }
    if (e) { e->wire = wire_id::openai_responses; }
    return e;
}

reading<response> decode_response(std::string_view json, const decode_options& options) {
    reading<response> result;
    decoding in(json, wire_id::openai_responses, options.depth, 502);
    response& out = result.value;
    out.origin = wire_id::openai_responses;
    if (in.ok()) {
        result.error = failure_of(in.root());
        if (result.error) { return result; }
        read_response(in, in.root(), out);
        complete_calls(out.choices.front(), options.id_seed, out.id);
    }
    result.error = in.take_error();
    return result;
}

namespace {

struct outcome {
    std::string_view status = "completed";
    std::string_view reason; ///< of `incomplete`
};

outcome outcome_of(const finish& f) {
    switch (f.reason) {
    case finish_reason::length: return {"incomplete", "max_output_tokens"};
    case finish_reason::content_filter: return {"incomplete", "content_filter"};
    case finish_reason::none: return {"incomplete", {}};
    case finish_reason::error: return {"failed", {}};
    case finish_reason::other:
        if (f.native == "cancelled") { return {"cancelled", {}}; }
        return {"incomplete", f.native};
    default: return {};
    }
}

/// The items of an answer. Blocks of one item of this wire stay together; of other wires each block is an item.
void write_output(writer& w, const response& r, std::string_view id, bool own, std::vector<note>& notes) {
    w.open("output", '[');
    if (r.choices.size() > 1) { notes.push_back({"/choices/1", "this wire gives one answer"}); }
    const std::vector<content_block> none;
    const auto& blocks = r.choices.empty() ? none : r.choices.front().message.blocks;
    bool open = false, goes_on = false; // a message; one that may have more parts
    std::size_t index = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const content_block& b = blocks[i];
        const auto* call = b.get<tool_call>();
        const auto* thought = b.get<reasoning_block>();
        const auto* other = b.get<other_block>();
        const bool part = call == nullptr && thought == nullptr && (other == nullptr || goes_on);
        const bool named = own && find_extra(b.extra, "item") != nullptr;
        if (open && (!part || named || !goes_on)) {
            w.close(']').close('}');
            open = goes_on = false;
        }
        const item_place place{id, index, own, true};
        if (call != nullptr) {
            write_call_item(w, *call, place);
        } else if (thought != nullptr) {
            write_thought_item(w, b, *thought, place);
            if (!own && !thought->signature.empty()) {
                notes.push_back(
                    {"/choices/0/message/blocks/" + std::to_string(i), "signed reasoning of another wire"});
            }
        } else if (other != nullptr && !part) {
            if (own) { w.raw(other->json); }
        } else {
            if (!std::exchange(open, true)) {
                open_message_item(w, b, place);
                goes_on = named;
            }
            write_part(w, b, speaker::assistant, own);
        }
        ++index;
    }
    if (open) { w.close(']').close('}'); }
    w.close(']');
}

/// Members that clients look for in every answer, where the one that came did not have them.
constexpr std::pair<std::string_view, std::string_view> defaults[] = {
    {"instructions", "null"}, {"metadata", "{}"}, {"parallel_tool_calls", "true"},
    {"temperature", "null"},  {"tools", "[]"},    {"tool_choice", "\"auto\""},
    {"top_p", "null"},
};

} // namespace

void write_response(writer& w, const response& r, const response_options& options, std::string_view status,
                    std::vector<note>& notes) {
    const bool own = is_own(r.origin, wire_id::openai_responses);
    const std::string_view id = options.id.empty() ? std::string_view(r.id) : options.id;
    const finish f = r.choices.empty() ? finish{} : r.choices.front().finish;
    const outcome end = status.empty() ? outcome_of(f) : outcome{status, {}};
    w.open('{').text("id", id).text("object", "response");
    w.key("created_at").number(options.created ? *options.created : r.created.value_or(0));
    w.text("status", end.status).key("error").null().key("incomplete_details");
    if (end.reason.empty()) {
        w.null();
    } else {
        w.open('{').text("reason", end.reason).close('}');
    }
    w.text("model", options.model.empty() ? std::string_view(r.model) : options.model);
    write_output(w, r, id, own, notes);
    if (r.usage) {
        const usage& u = *r.usage;
        const std::int64_t input = u.input.value_or(0), output = u.output.value_or(0);
        w.open("usage", '{').key("input_tokens").number(input).open("input_tokens_details", '{');
        w.key("cached_tokens").number(u.cache_read.value_or(0));
        if (own) { w.extra(u.input_extra); }
        w.close('}').key("output_tokens").number(output).open("output_tokens_details", '{');
        w.key("reasoning_tokens").number(u.reasoning.value_or(0));
        if (own) { w.extra(u.output_extra); }
        w.close('}').key("total_tokens").number(u.total.value_or(input + output));
        if (own) { w.extra(u.extra); }
        w.close('}');
    } else {
        w.key("usage").null();
    }
    for (const auto& [name, json] : defaults) {
        if (!own || find_extra(r.extra, name) == nullptr) { w.json(name, json); }
    }
    if (own) { w.extra(r.extra); }
    w.close('}');
}

encoded encode_response(const response& r, const response_options& options) {
    encoded out;
    writer w(out.json);
    write_response(w, r, options, {}, out.notes);
    return out;
}

wire_error decode_error(int status, std::string_view body) {
    wire_error e = chat::decode_error(status, body);
    e.wire = wire_id::openai_responses;
    return e;
}

std::string encode_error(const wire_error& e) { return chat::encode_error(e); }

} // namespace jsonheal::wire_detail::responses
