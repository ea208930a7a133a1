// Items of OpenAI Responses, both ways.
#include "openai_chat.hpp"
#include "openai_responses.hpp"

#include <utility>

namespace jsonheal::wire_detail::responses {

namespace {

constexpr std::string_view item_member = "item";

bool read_image_part(decoding& in, value_view part, content_block& block) {
    image_block image;
    std::string url, scratch;
    for (const member m : part.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "image_url") {
            in.text(m.value, url);
        } else if (key == "detail") {
            in.text(m.value, image.detail);
        } else if (key != "type") {
            return false; // `file_id`: only the raw part can say it
        }
    }
    if (url.empty()) { return false; }
    chat::set_image_url(std::move(url), image);
    block.value = std::move(image);
    return true;
}

bool read_text_part(decoding& in, value_view part, std::string_view type, content_block& block) {
    const bool refusal = type == "refusal";
    const bool text = type == "input_text" || type == "output_text" || type == "text";
    if (!refusal && !text) { return false; }
    if (refusal) { block.value = refusal_block{}; }
    std::string scratch;
    for (const member m : part.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "text" && text) {
            in.text(m.value, block.get<text_block>()->text);
        } else if (key == "refusal" && refusal) {
            in.text(m.value, block.get<refusal_block>()->text);
        } else if (key != "type") {
            keep_extra(m, block.extra);
        }
    }
    return true;
}

content_block read_part(decoding& in, value_view part) {
    content_block block;
    if (!in.object(part)) {
        in.fail(part, "must be an object");
        return block;
    }
    const std::string type = string_in(part, "type");
    if (type.empty()) { in.fail(part, "is required", "type"); }
    if (read_text_part(in, part, type, block)) { return block; }
    if (type == "input_image" && read_image_part(in, part, block)) { return block; }
    return {other_block{json_of(part)}, {}, {}};
}

void read_call_item(decoding& in, value_view item, bool custom, std::vector<content_block>& out) {
    tool_call call;
    call.custom = custom;
    std::string scratch;
    for (const member m : item.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "call_id") {
            in.text(m.value, call.id);
        } else if (key == "name") {
            in.text(m.value, call.name);
        } else if (key == (custom ? "input" : "arguments")) {
            if (m.value.is(value_kind::object)) {
                read_arguments_object(in, m.value, call);
            } else {
                in.text(m.value, call.arguments);
            }
        } else if (key != "type") {
            keep_extra(m, call.extra);
        }
    }
    if (call.name.empty()) { in.fail(item, "is required", "name"); }
    if (call.arguments.empty() && !custom) { call.arguments = "{}"; }
    out.push_back({std::move(call), {}, {}});
}

/// The texts of a list of parts: `[{"type":"summary_text","text":"a"}]`
std::string texts_of(value_view list) {
    std::string out;
    if (!list.is(value_kind::array)) { return out; }
    for (const value_view part : list.elements()) {
        if (!out.empty()) { out += "\n\n"; }
        out += string_in(part, "text");
    }
    return out;
}

void read_thought_item(decoding& in, value_view item, std::vector<content_block>& out) {
    reasoning_block thought;
    content_block block;
    std::string summary, content, scratch;
    for (const member m : item.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "summary") {
            summary = texts_of(m.value);
        } else if (key == "content") {
            content = texts_of(m.value);
        } else if (key == "encrypted_content") {
            in.text(m.value, thought.signature);
        } else if (key != "type") {
            keep_extra(m, block.extra);
        }
    }
    // The thought itself where the model gives it, else what was made of it.
    thought.member = content.empty() ? "" : "reasoning_text";
    thought.text = content.empty() ? std::move(summary) : std::move(content);
    block.value = std::move(thought);
    out.push_back(std::move(block));
}

void read_message_item(decoding& in, value_view item, std::vector<content_block>& out) {
    const std::size_t first = out.size();
    std::string known, scratch;
    writer w(known);
    w.open('{');
    for (const member m : item.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "content") {
            read_parts(in, m.value, out);
        } else if (key != "type" && key != "role") {
            w.extra({{m.key.string(), json_of(m.value)}});
        }
    }
    w.close('}');
    if (out.size() > first) { out[first].extra.push_back({std::string(item_member), std::move(known)}); }
}

} // namespace

void read_parts(decoding& in, value_view v, std::vector<content_block>& out) {
    if (v.is(value_kind::string)) {
        out.push_back(make_text(v.string()));
    } else if (in.array(v)) {
        for (const value_view part : v.elements()) { out.push_back(read_part(in, part)); }
    }
}

bool read_output_item(decoding& in, value_view item, std::string_view type, std::vector<content_block>& out) {
    if (type == "function_call" || type == "custom_tool_call") {
        read_call_item(in, item, type == "custom_tool_call", out);
    } else if (type == "reasoning") {
        read_thought_item(in, item, out);
    } else if (type == "message") {
        read_message_item(in, item, out);
    } else {
        return false;
    }
    return true;
}

std::string item_id(std::string_view prefix, std::string_view response, std::size_t index) {
    return std::string(prefix) + make_call_id(prefix, response, 0, index).substr(5);
}

bool write_part(writer& w, const content_block& b, speaker who, bool own) {
    if (const auto* other = b.get<other_block>()) {
        if (own) { w.raw(other->json); }
        return own;
    }
    const auto* text = b.get<text_block>();
    const auto* refusal = b.get<refusal_block>();
    const auto* image = b.get<image_block>();
    if (text == nullptr && refusal == nullptr && image == nullptr) { return false; }
    w.open('{');
    const bool answer = who == speaker::assistant;
    if (text != nullptr) { w.text("type", answer ? "output_text" : "input_text").text("text", text->text); }
    if (refusal != nullptr) { w.text("type", "refusal").text("refusal", refusal->text); }
    if (image != nullptr) {
        w.text("type", "input_image")
            .text("image_url", chat::image_url(*image))
            .text_if("detail", image->detail);
    }
    bool annotated = false;
    for (const extra_member& m : b.extra) {
        if (!own || m.name == item_member) { continue; }
        annotated = annotated || m.name == "annotations";
        w.extra({m});
    }
    if (text != nullptr && answer && !annotated) { w.open("annotations", '[').close(']'); }
    w.close('}');
    return true;
}

namespace {

/// `id` and `status`, which items of an answer must have, and what else is known.
void write_identity(writer& w, const extra_members& known, std::string_view prefix, const item_place& place) {
    if (place.answer && (!place.own || find_extra(known, "id") == nullptr)) {
        w.text("id", item_id(prefix, place.response, place.index));
    }
    if (place.answer && (!place.own || find_extra(known, "status") == nullptr)) {
        w.text("status", "completed");
    }
    if (place.own) { w.extra(known); }
}

} // namespace

void write_call_item(writer& w, const tool_call& c, const item_place& place) {
    w.open('{')
        .text("type", c.custom ? "custom_tool_call" : "function_call")
        .text("call_id", c.id)
        .text("name", c.name);
    w.text(c.custom ? "input" : "arguments", c.arguments);
    write_identity(w, c.extra, c.custom ? "ctc_" : "fc_", place);
    w.close('}');
}

void write_thought_item(writer& w, const content_block& b, const reasoning_block& r,
                        const item_place& place) {
    w.open('{').text("type", "reasoning").open("summary", '[');
    const bool content = r.member == "reasoning_text" && place.own;
    if (!content && !r.text.empty()) {
        w.open('{').text("type", "summary_text").text("text", r.text).close('}');
    }
    w.close(']');
    if (content) {
        w.open("content", '[')
            .open('{')
            .text("type", "reasoning_text")
            .text("text", r.text)
            .close('}')
            .close(']');
    }
    if (place.own) { w.text_if("encrypted_content", r.signature); }
    const bool has_id = place.own && find_extra(b.extra, "id") != nullptr;
    if (!has_id) { w.text("id", item_id("rs_", place.response, place.index)); }
    if (place.own) { w.extra(b.extra); }
    w.close('}');
}

void open_message_item(writer& w, const content_block& first, const item_place& place) {
    w.open('{').text("type", "message").text("role", "assistant");
    extra_members known;
    if (const auto* item = find_extra(first.extra, item_member)) { known = members_of(item->json); }
    write_identity(w, known, "msg_", place);
    w.open("content", '[');
}

} // namespace jsonheal::wire_detail::responses
