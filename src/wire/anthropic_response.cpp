// Answers and errors of Anthropic Messages, whole.
#include "anthropic.hpp"
#include "openai_chat.hpp"

#include <algorithm>
#include <utility>

namespace jsonheal::wire_detail::anthropic {

namespace {

struct word_row {
    std::string_view word;
    finish_reason reason;
};
/// The first row of a reason is how it is written.
constexpr word_row words[] = {
    {"end_turn", finish_reason::stop},
    {"max_tokens", finish_reason::length},
    {"tool_use", finish_reason::tool_calls},
    {"refusal", finish_reason::content_filter},
    {"pause_turn", finish_reason::pause},
    {"stop_sequence", finish_reason::stop},
    {"model_context_window_exceeded", finish_reason::length},
};

struct error_row {
    int status;
    std::string_view type;
};
/// The first row of a status is how it is written.
constexpr error_row errors[] = {
    {400, "invalid_request_error"}, {401, "authentication_error"}, {402, "billing_error"},
    {403, "permission_error"},      {404, "not_found_error"},      {409, "conflict_error"},
    {413, "request_too_large"},     {429, "rate_limit_error"},     {500, "api_error"},
    {504, "timeout_error"},         {529, "overloaded_error"},
};

} // namespace

finish finish_of(std::string_view word) {
    finish f;
    if (word.empty()) { return f; }
    const auto* row =
        std::find_if(std::begin(words), std::end(words), [&](const word_row& r) { return r.word == word; });
    f.reason = row == std::end(words) ? finish_reason::other : row->reason;
    const bool usual = row != std::end(words) && word_of(f) == word;
    if (!usual) { f.native = word; }
    return f;
}

std::string_view word_of(const finish& f) {
    const auto* native = std::find_if(std::begin(words), std::end(words), [&](const word_row& r) {
        return r.word == f.native && r.reason == f.reason;
    });
    if (native != std::end(words)) { return native->word; }
    if (f.reason == finish_reason::stop && !f.stop_sequence.empty()) { return "stop_sequence"; }
    const auto* row = std::find_if(std::begin(words), std::end(words),
                                   [&](const word_row& r) { return r.reason == f.reason; });
    if (row != std::end(words)) { return row->word; }
    return f.reason == finish_reason::none ? std::string_view() : std::string_view("end_turn");
}

void counts::read(decoding& in, value_view v) {
    if (!in.object(v)) { return; }
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "input_tokens") {
            in.integer(m.value, input);
        } else if (key == "output_tokens") {
            in.integer(m.value, output);
        } else if (key == "cache_read_input_tokens") {
            in.integer(m.value, cache_read);
        } else if (key == "cache_creation_input_tokens") {
            in.integer(m.value, cache_write);
        } else if (!m.value.is(value_kind::null)) {
            (void)take_extra(extra, key);
            keep_extra(m, extra);
        }
    }
}

usage counts::total() const {
    usage u;
    if (input) { u.input = *input + cache_read.value_or(0) + cache_write.value_or(0); }
    u.output = output;
    u.cache_read = cache_read;
    u.cache_write = cache_write;
    u.extra = extra;
    return u;
}

void write_usage(writer& w, const usage& u, bool own) {
    const std::int64_t cached = u.cache_read.value_or(0) + u.cache_write.value_or(0);
    w.open('{').key("input_tokens").number(std::max<std::int64_t>(0, u.input.value_or(0) - cached));
    w.number_if("cache_creation_input_tokens", u.cache_write)
        .number_if("cache_read_input_tokens", u.cache_read);
    w.key("output_tokens").number(u.output.value_or(0));
    if (own) { w.extra(u.extra); }
    w.close('}');
}

namespace {

void read_members(decoding& in, response& out, choice& answer, std::string& word) {
    bool seen = false;
    std::string scratch;
    for (const member m : in.root().members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "id") {
            in.text(m.value, out.id);
        } else if (key == "model") {
            in.text(m.value, out.model);
        } else if (key == "content") {
            seen = in.array(m.value);
            answer.message.blocks.clear();
            if (!seen) { continue; }
            for (const value_view b : m.value.elements()) {
                answer.message.blocks.push_back(read_block(in, b));
            }
        } else if (key == "stop_reason") {
            in.text(m.value, word);
        } else if (key == "stop_sequence") {
            in.text(m.value, answer.finish.stop_sequence);
        } else if (key == "usage") {
            counts c;
            c.read(in, m.value);
            out.usage = c.total();
        } else if (key != "type" && key != "role") {
            keep_extra(m, out.extra);
        }
    }
    if (!seen) { in.fail(in.root(), "is required", "content"); }
}

} // namespace

reading<response> decode_response(std::string_view json, const decode_options& options) {
    reading<response> result;
    decoding in(json, wire_id::anthropic_messages, options.depth, 502);
    response& out = result.value;
    out.origin = wire_id::anthropic_messages;
    if (in.ok()) {
        result.error = read_error(in.root(), 0);
        if (result.error) { return result; }
        choice answer;
        std::string word;
        read_members(in, out, answer, word);
        const std::string met = std::move(answer.finish.stop_sequence);
        answer.finish = finish_of(word);
        answer.finish.stop_sequence = met;
        complete_calls(answer, options.id_seed, out.id);
        out.choices.push_back(std::move(answer));
    }
    result.error = in.take_error();
    return result;
}

encoded encode_response(const response& r, const response_options& options) {
    encoded out;
    writer w(out.json);
    const bool own = is_own(r.origin, wire_id::anthropic_messages);
    w.open('{').text("id", options.id.empty() ? std::string_view(r.id) : options.id).text("type", "message");
    w.text("role", "assistant")
        .text("model", options.model.empty() ? std::string_view(r.model) : options.model);
    w.open("content", '[');
    const choice none;
    const choice& c = r.choices.empty() ? none : r.choices.front();
    if (r.choices.size() > 1) { out.notes.push_back({"/choices/1", "this wire gives one answer"}); }
    notes_for notes(out.notes, "/choices/0/message");
    for (std::size_t i = 0; i < c.message.blocks.size(); ++i) {
        write_block(w, c.message.blocks[i], i, {own, own}, notes);
    }
    w.close(']').key("stop_reason");
    finish agreed = c.finish;
    agree_with_calls(agreed, calls_in(c.message));
    if (const std::string_view word = word_of(agreed); !word.empty()) {
        w.string(word);
    } else {
        w.null();
    }
    w.key("stop_sequence");
    if (c.finish.stop_sequence.empty()) {
        w.null();
    } else {
        w.string(c.finish.stop_sequence);
    }
    w.key("usage");
    write_usage(w, r.usage.value_or(usage{}), own);
    if (own) { w.extra(r.extra); }
    w.close('}');
    return out;
}

std::optional<wire_error> read_error(value_view root, int status) {
    auto e = chat::read_error(root, status);
    if (!e) { return e; }
    e->wire = wire_id::anthropic_messages;
    const auto* row = std::find_if(std::begin(errors), std::end(errors),
                                   [&](const error_row& r) { return r.type == e->type; });
    if (status < 400 && row != std::end(errors)) { e->status = row->status; }
    if (const std::string id = string_in(root, "request_id"); !id.empty()) {
        e->extra.push_back({"request_id", json_of(*root.find("request_id"))});
    }
    return e;
}

wire_error decode_error(int status, std::string_view body) {
    const parse_result parsed = document::parse_borrowed(body, {.bytes = 1u << 24, .depth = 100});
    if (parsed) {
        if (auto e = read_error(parsed.value.root(), status)) { return *std::move(e); }
    }
    wire_error e = chat::decode_error(status, body);
    e.wire = wire_id::anthropic_messages;
    return e;
}

void write_error(writer& w, const wire_error& e) {
    const int status = e.status == 0 ? 502 : e.status;
    const auto row_with = [](auto fits) { return std::find_if(std::begin(errors), std::end(errors), fits); };
    const auto* named = row_with([&](const error_row& r) { return r.type == e.type; });
    const auto* row = row_with([&](const error_row& r) { return r.status == status; });
    if (named != std::end(errors) && (named->status == status || row == std::end(errors))) { row = named; }
    const std::string_view type = row != std::end(errors) ? row->type
                                  : status < 500          ? errors[0].type
                                                          : "api_error";
    const std::string field = param_of(e.field);
    w.open('{').text("type", type);
    w.text("message", field.empty() ? e.message : field + ": " + e.message).close('}');
}

std::string encode_error(const wire_error& e) {
    std::string out;
    writer w(out);
    w.open('{').text("type", "error").key("error");
    write_error(w, e);
    if (const auto* id = find_extra(e.extra, "request_id")) { w.json("request_id", id->json); }
    w.close('}');
    return out;
}

} // namespace jsonheal::wire_detail::anthropic
