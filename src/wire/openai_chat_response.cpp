// Responses of chat completions, whole.
#include "openai_chat.hpp"

#include <algorithm>
#include <utility>

namespace jsonheal::wire_detail::chat {

namespace {

struct word_row {
    std::string_view word;
    finish_reason reason;
};
/// The first row of a reason is how it is written.
constexpr word_row words[] = {
    {"stop", finish_reason::stop},
    {"length", finish_reason::length},
    {"tool_calls", finish_reason::tool_calls},
    {"content_filter", finish_reason::content_filter},
    {"error", finish_reason::error},
    // What others write in their place.
    {"end_turn", finish_reason::stop},
    {"eos", finish_reason::stop},
    {"eos_token", finish_reason::stop},
    {"stop_sequence", finish_reason::stop},
    {"max_tokens", finish_reason::length},
    {"MAX_TOKENS", finish_reason::length},
    {"model_length", finish_reason::length},
    {"tool_use", finish_reason::tool_calls},
    {"sensitive", finish_reason::content_filter},
    {"refusal", finish_reason::content_filter},
    {"STOP", finish_reason::stop},
    {"SAFETY", finish_reason::content_filter},
    {"MALFORMED_FUNCTION_CALL", finish_reason::malformed_call},
    {"network_error", finish_reason::error},
};

constexpr std::ptrdiff_t own_words = 5;

} // namespace

finish finish_of(std::string_view word) {
    finish f;
    if (word.empty()) { return f; }
    const auto* row =
        std::find_if(std::begin(words), std::end(words), [&](const word_row& r) { return r.word == word; });
    f.reason = row == std::end(words) ? finish_reason::other : row->reason;
    if (row == std::end(words) || row - std::begin(words) >= own_words) { f.native = word; }
    return f;
}

std::string_view word_of(const finish& f, std::size_t calls) {
    finish agreed = f;
    agree_with_calls(agreed, calls);
    switch (agreed.reason) {
    case finish_reason::other:
        return f.native.empty() ? std::string_view("stop") : std::string_view(f.native);
    case finish_reason::pause:
    case finish_reason::malformed_call: return "stop";
    default: break;
    }
    const auto* row = std::find_if(std::begin(words), std::end(words),
                                   [&](const word_row& r) { return r.reason == agreed.reason; });
    return row == std::end(words) ? std::string_view() : row->word;
}

void read_details(decoding& in, value_view v, std::string_view known, std::optional<std::int64_t>& out,
                  extra_members& extra) {
    if (!in.object(v)) { return; }
    std::string scratch;
    for (const member m : v.members()) {
        if (key_of(m, scratch) == known) {
            in.integer(m.value, out);
        } else if (!m.value.is(value_kind::null)) {
            keep_extra(m, extra);
        }
    }
}

usage read_usage(decoding& in, value_view v) {
    usage u;
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "prompt_tokens") {
            in.integer(m.value, u.input);
        } else if (key == "completion_tokens") {
            in.integer(m.value, u.output);
        } else if (key == "total_tokens") {
            in.integer(m.value, u.total);
        } else if (key == "prompt_tokens_details") {
            read_details(in, m.value, "cached_tokens", u.cache_read, u.input_extra);
        } else if (key == "completion_tokens_details") {
            read_details(in, m.value, "reasoning_tokens", u.reasoning, u.output_extra);
        } else if (key == "cache_creation_input_tokens") {
            in.integer(m.value, u.cache_write);
        } else if (!m.value.is(value_kind::null)) {
            keep_extra(m, u.extra);
        }
    }
    return u;
}

void write_usage(writer& w, const usage& u) {
    const std::int64_t input = u.input.value_or(0), output = u.output.value_or(0);
    w.open('{');
    w.key("prompt_tokens").number(input).key("completion_tokens").number(output);
    w.key("total_tokens").number(u.total.value_or(input + output));
    if (u.cache_read || !u.input_extra.empty()) {
        w.open("prompt_tokens_details", '{')
            .number_if("cached_tokens", u.cache_read)
            .extra(u.input_extra)
            .close('}');
    }
    if (u.reasoning || !u.output_extra.empty()) {
        w.open("completion_tokens_details", '{').number_if("reasoning_tokens", u.reasoning);
        w.extra(u.output_extra).close('}');
    }
    w.number_if("cache_creation_input_tokens", u.cache_write).extra(u.extra).close('}');
}

namespace {

message read_message(decoding& in, value_view v) {
    message out{role::assistant, {}, {}, {}};
    if (!in.object(v)) { return out; }
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "role" || read_assistant_member(in, key, m.value, out)) { continue; }
        keep_extra(m, out.extra);
    }
    return out;
}

bool has_refusal(const message& m) noexcept {
    return std::any_of(m.blocks.begin(), m.blocks.end(),
                       [](const content_block& b) { return b.get<refusal_block>() != nullptr; });
}

choice read_choice(decoding& in, value_view v, std::size_t position) {
    choice out;
    out.index = static_cast<std::int64_t>(position);
    if (!in.object(v)) {
        in.fail(v, "must be an object");
        return out;
    }
    bool seen = false;
    std::string scratch, word;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "index") {
            std::optional<std::int64_t> index;
            if (in.integer(m.value, index)) { out.index = *index; }
        } else if (key == "message") {
            seen = m.value.is(value_kind::object);
            out.message = read_message(in, m.value);
        } else if (key == "finish_reason") {
            in.text(m.value, word);
        } else {
            keep_extra(m, out.extra);
        }
    }
    if (!seen) { in.fail(v, "is required", "message"); }
    out.finish = finish_of(word);
    return out;
}

/// An error that stands in a choice (OpenRouter): the answer as a whole has failed.
std::optional<wire_error> error_in_choices(value_view choices) {
    if (!choices.is(value_kind::array)) { return std::nullopt; }
    for (const value_view c : choices.elements()) {
        if (!c.is(value_kind::object)) { continue; }
        if (const auto error = c.find("error"); error && !error->is(value_kind::null)) {
            return read_error_value(*error, 0);
        }
    }
    return std::nullopt;
}

void read_response(decoding& in, response& out) {
    bool seen = false;
    std::string scratch;
    for (const member m : in.root().members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "id") {
            in.text(m.value, out.id);
        } else if (key == "model") {
            in.text(m.value, out.model);
        } else if (key == "created") {
            in.integer(m.value, out.created);
        } else if (key == "choices") {
            out.choices.clear();
            seen = in.array(m.value);
            if (!seen) { continue; }
            for (const value_view c : m.value.elements()) {
                out.choices.push_back(read_choice(in, c, out.choices.size()));
            }
        } else if (key == "usage") {
            if (in.object(m.value)) { out.usage = read_usage(in, m.value); }
        } else if (key != "object" && key != "error") {
            keep_extra(m, out.extra);
        }
    }
    if (!seen) { in.fail(in.root(), "is required", "choices"); }
}

} // namespace

reading<response> decode_response(std::string_view json, const decode_options& options) {
    reading<response> result;
    decoding in(json, wire_id::openai_chat, options.depth, 502);
    response& out = result.value;
    out.origin = wire_id::openai_chat;
    if (in.ok()) {
        result.error = read_error(in.root(), 0);
        const auto choices = in.root().find("choices");
        if (!result.error && choices) { result.error = error_in_choices(*choices); }
        if (result.error) { return result; }
        read_response(in, out);
    }
    for (choice& c : out.choices) { complete_calls(c, options.id_seed, out.id); }
    result.error = in.take_error();
    return result;
}

encoded encode_response(const response& r, const response_options& options) {
    encoded out;
    writer w(out.json);
    const bool own = r.origin == wire_id::openai_chat || r.origin == wire_id::none;
    const std::string_view id = options.id.empty() ? std::string_view(r.id) : options.id;
    w.open('{').text("id", id).text("object", "chat.completion");
    w.key("created").number(options.created ? *options.created : r.created.value_or(0));
    w.text("model", options.model.empty() ? std::string_view(r.model) : options.model).open("choices", '[');
    for (std::size_t i = 0; i < r.choices.size(); ++i) {
        const choice& c = r.choices[i];
        notes_for notes(out.notes, "/choices/" + std::to_string(i) + "/message");
        w.open('{').key("index").number(c.index).open("message", '{').text("role", "assistant");
        write_assistant(w, own ? c.message : without_foreign(c.message, notes), {}, content_form::text,
                        notes);
        if (!has_refusal(c.message)) { w.key("refusal").null(); } // the API demands it
        if (own) { w.extra(c.message.extra); }
        const std::string_view word = word_of(c.finish, calls_in(c.message));
        w.close('}').key("finish_reason");
        if (word.empty()) {
            w.null();
        } else {
            w.string(word);
        }
        if (!own || find_extra(c.extra, "logprobs") == nullptr) { w.key("logprobs").null(); }
        if (own) { w.extra(c.extra); }
        w.close('}');
    }
    w.close(']');
    if (r.usage) {
        w.key("usage");
        write_usage(w, *r.usage);
    }
    if (own) { w.extra(r.extra); }
    w.close('}');
    return out;
}

} // namespace jsonheal::wire_detail::chat
