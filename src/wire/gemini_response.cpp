// Answers and errors of Gemini, whole.
#include "gemini.hpp"
#include "openai_chat.hpp"

#include <algorithm>
#include <utility>

namespace jsonheal::wire_detail::gemini {

namespace {

struct word_row {
    std::string_view word;
    finish_reason reason;
};
/// The first row of a reason is how it is written.
constexpr word_row words[] = {
    {"STOP", finish_reason::stop},
    {"MAX_TOKENS", finish_reason::length},
    {"SAFETY", finish_reason::content_filter},
    {"MALFORMED_FUNCTION_CALL", finish_reason::malformed_call},
    {"OTHER", finish_reason::other},
    {"RECITATION", finish_reason::content_filter},
    {"LANGUAGE", finish_reason::content_filter},
    {"BLOCKLIST", finish_reason::content_filter},
    {"PROHIBITED_CONTENT", finish_reason::content_filter},
    {"SPII", finish_reason::content_filter},
    {"IMAGE_SAFETY", finish_reason::content_filter},
    {"UNEXPECTED_TOOL_CALL", finish_reason::malformed_call},
    {"TOO_MANY_TOOL_CALLS", finish_reason::malformed_call},
};
constexpr std::ptrdiff_t usual_words = 4;

struct status_row {
    int status;
    std::string_view word;
};
constexpr status_row statuses[] = {
    {400, "INVALID_ARGUMENT"}, {401, "UNAUTHENTICATED"},    {403, "PERMISSION_DENIED"}, {404, "NOT_FOUND"},
    {409, "ABORTED"},          {429, "RESOURCE_EXHAUSTED"}, {499, "CANCELLED"},         {500, "INTERNAL"},
    {501, "UNIMPLEMENTED"},    {503, "UNAVAILABLE"},        {504, "DEADLINE_EXCEEDED"},
};

} // namespace

finish finish_of(std::string_view word) {
    finish f;
    if (word.empty() || word == "FINISH_REASON_UNSPECIFIED") { return f; }
    const auto* row =
        std::find_if(std::begin(words), std::end(words), [&](const word_row& r) { return r.word == word; });
    f.reason = row == std::end(words) ? finish_reason::other : row->reason;
    if (row - std::begin(words) >= usual_words) { f.native = word; }
    return f;
}

std::string_view word_of(const finish& f) {
    const auto* native = std::find_if(std::begin(words), std::end(words), [&](const word_row& r) {
        return r.word == f.native && r.reason == f.reason;
    });
    if (native != std::end(words)) { return native->word; }
    if (f.reason == finish_reason::tool_calls || f.reason == finish_reason::pause) { return "STOP"; }
    const auto* row = std::find_if(std::begin(words), std::end(words),
                                   [&](const word_row& r) { return r.reason == f.reason; });
    if (row != std::end(words)) { return row->word; }
    return f.reason == finish_reason::none ? std::string_view() : std::string_view("OTHER");
}

usage read_usage(decoding& in, value_view v) {
    usage u;
    std::optional<std::int64_t> said;
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "promptTokenCount") {
            in.integer(m.value, u.input);
        } else if (key == "candidatesTokenCount") {
            in.integer(m.value, said);
        } else if (key == "thoughtsTokenCount") {
            in.integer(m.value, u.reasoning);
        } else if (key == "cachedContentTokenCount") {
            in.integer(m.value, u.cache_read);
        } else if (key == "totalTokenCount") {
            in.integer(m.value, u.total);
        } else {
            keep_extra(m, u.extra);
        }
    }
    if (said || u.reasoning) { u.output = said.value_or(0) + u.reasoning.value_or(0); }
    return u;
}

void write_usage(writer& w, const usage& u, bool own) {
    const std::int64_t input = u.input.value_or(0), output = u.output.value_or(0);
    w.open('{').key("promptTokenCount").number(input);
    w.key("candidatesTokenCount").number(std::max<std::int64_t>(0, output - u.reasoning.value_or(0)));
    w.number_if("thoughtsTokenCount", u.reasoning).number_if("cachedContentTokenCount", u.cache_read);
    w.key("totalTokenCount").number(u.total.value_or(input + output));
    if (own) { w.extra(u.extra); }
    w.close('}');
}

namespace {

choice read_candidate(decoding& in, value_view v, std::size_t position) {
    choice out;
    out.index = static_cast<std::int64_t>(position);
    if (!in.object(v)) {
        in.fail(v, "must be an object");
        return out;
    }
    std::string word, scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "index") {
            std::optional<std::int64_t> index;
            if (in.integer(m.value, index)) { out.index = *index; }
        } else if (key == "finishReason") {
            in.text(m.value, word);
        } else if (key == "content") {
            const auto parts = m.value.is(value_kind::object) ? m.value.find("parts") : std::nullopt;
            if (!parts || !in.array(*parts)) { continue; }
            out.message.blocks.clear();
            for (const value_view p : parts->elements()) { out.message.blocks.push_back(read_part(in, p)); }
        } else {
            keep_extra(m, out.extra);
        }
    }
    out.finish = finish_of(word);
    return out;
}

void read_members(decoding& in, response& out) {
    bool seen = false, blocked = false;
    std::string scratch;
    for (const member m : in.root().members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "candidates") {
            seen = in.array(m.value);
            out.choices.clear();
            if (!seen) { continue; }
            for (const value_view c : m.value.elements()) {
                out.choices.push_back(read_candidate(in, c, out.choices.size()));
            }
        } else if (key == "responseId") {
            in.text(m.value, out.id);
        } else if (key == "modelVersion") {
            in.text(m.value, out.model);
        } else if (key == "usageMetadata") {
            if (in.object(m.value)) { out.usage = read_usage(in, m.value); }
        } else {
            blocked = blocked || (key == "promptFeedback" && !string_in(m.value, "blockReason").empty());
            keep_extra(m, out.extra);
        }
    }
    if (out.choices.empty() && blocked) {
        choice none;
        none.finish.reason = finish_reason::content_filter;
        out.choices.push_back(std::move(none));
    } else if (!seen) {
        in.fail(in.root(), "is required", "candidates");
    }
}

} // namespace

reading<response> decode_response(std::string_view json, const decode_options& options) {
    reading<response> result;
    decoding in(json, wire_id::gemini, options.depth, 502);
    response& out = result.value;
    out.origin = wire_id::gemini;
    if (in.ok()) {
        result.error = read_error(in.root(), 0);
        if (result.error) { return result; }
        read_members(in, out);
        for (choice& c : out.choices) { complete_calls(c, options.id_seed, out.id); }
    }
    result.error = in.take_error();
    return result;
}

encoded encode_response(const response& r, const response_options& options) {
    encoded out;
    writer w(out.json);
    const bool own = is_own(r.origin, wire_id::gemini);
    w.open('{').open("candidates", '[');
    for (std::size_t i = 0; i < r.choices.size(); ++i) {
        const choice& c = r.choices[i];
        notes_for notes(out.notes, "/choices/" + std::to_string(i) + "/message");
        w.open('{').open("content", '{').open("parts", '[');
        for (std::size_t b = 0; b < c.message.blocks.size(); ++b) {
            const auto* thought = c.message.blocks[b].get<reasoning_block>();
            content_block shown; // thoughts of other wires are shown, without their signatures
            if (thought != nullptr && !own) { shown.value = reasoning_block{thought->text, {}, {}, {}}; }
            write_part(w, thought != nullptr && !own ? shown : c.message.blocks[b], b, {},
                       own || thought != nullptr, notes);
        }
        w.close(']').text("role", "model").close('}');
        w.text_if("finishReason", word_of(c.finish)).key("index").number(c.index);
        if (own) { w.extra(c.extra); }
        w.close('}');
    }
    w.close(']');
    if (r.usage) {
        w.key("usageMetadata");
        write_usage(w, *r.usage, own);
    }
    w.text_if("modelVersion", options.model.empty() ? std::string_view(r.model) : options.model);
    w.text_if("responseId", options.id.empty() ? std::string_view(r.id) : options.id);
    if (own) { w.extra(r.extra); }
    w.close('}');
    return out;
}

std::optional<wire_error> read_error(value_view root, int status) {
    auto e = chat::read_error(root, status);
    if (e) { e->wire = wire_id::gemini; }
    return e;
}

wire_error decode_error(int status, std::string_view body) {
    wire_error e = chat::decode_error(status, body);
    e.wire = wire_id::gemini;
    return e;
}

void write_error(writer& w, const wire_error& e) {
    const int status = e.status == 0 ? 502 : e.status;
    const auto* row = std::find_if(std::begin(statuses), std::end(statuses),
                                   [&](const status_row& r) { return r.status == status; });
    const std::string_view word = row != std::end(statuses) ? row->word
                                  : status < 500            ? "INVALID_ARGUMENT"
                                                            : "UNAVAILABLE";
    const std::string field = param_of(e.field);
    w.open('{').key("code").number(status).text("message",
                                                field.empty() ? e.message : field + ": " + e.message);
    w.text("status", word);
    if (const auto* details = find_extra(e.extra, "details")) { w.json("details", details->json); }
    w.close('}');
}

std::string encode_error(const wire_error& e) {
    std::string out;
    writer w(out);
    w.open('{').key("error");
    write_error(w, e);
    w.close('}');
    return out;
}

} // namespace jsonheal::wire_detail::gemini
