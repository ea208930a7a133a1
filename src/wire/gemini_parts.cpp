// Parts of Gemini's contents, both ways.
#include "gemini.hpp"

#include <utility>

namespace jsonheal::wire_detail::gemini {

namespace {

tool_call read_call(decoding& in, value_view v) {
    tool_call call;
    call.arguments = "{}";
    if (!in.object(v)) { return call; }
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "id") {
            in.text(m.value, call.id);
        } else if (key == "name") {
            in.text(m.value, call.name);
        } else if (key == "args") {
            read_arguments_object(in, m.value, call);
        } else {
            keep_extra(m, call.extra);
        }
    }
    if (call.arguments.empty()) { call.arguments = "{}"; } // `args: null`
    if (call.name.empty()) { in.fail(v, "is required", "name"); }
    return call;
}

/// What a tool answered is an object here: `{"output":"text"}`, `{"error":"text"}`, or any other, which is then JSON text.
void read_answer(value_view v, tool_result& result) {
    if (v.is(value_kind::object) && v.size() == 1) {
        const auto output = v.find("output"), error = v.find("error");
        const auto said = output ? output : error;
        if (said && said->is(value_kind::string)) {
            result.content = said->string();
            if (error) {
                read_error_mark(result);
                result.is_error = true;
            }
            return;
        }
    }
    result.content = json_of(v);
}

tool_result read_result(decoding& in, value_view v, extra_members& extra) {
    tool_result result;
    if (!in.object(v)) { return result; }
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "id") {
            in.text(m.value, result.call_id);
        } else if (key == "name") {
            in.text(m.value, result.name);
        } else if (key == "response") {
            read_answer(m.value, result);
        } else {
            keep_extra(m, extra);
        }
    }
    return result;
}

bool read_blob(decoding& in, value_view v, image_block& image) {
    if (!v.is(value_kind::object)) { return false; }
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "mimeType") {
            in.text(m.value, image.media_type);
        } else if (key == "data") {
            in.text(m.value, image.data);
        } else if (key == "fileUri") {
            in.text(m.value, image.url);
        } else {
            return false;
        }
    }
    return image.media_type.starts_with("image/");
}

} // namespace

content_block read_part(decoding& in, value_view v) {
    content_block block;
    if (!in.object(v)) {
        in.fail(v, "must be an object");
        return block;
    }
    bool known = false, thought = false;
    std::string signature, scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        image_block image;
        if (key == "text") {
            text_block text;
            known = in.text(m.value, text.text);
            block.value = std::move(text);
        } else if (key == "functionCall") {
            block.value = read_call(in, m.value);
            known = true;
        } else if (key == "functionResponse") {
            block.value = read_result(in, m.value, block.extra);
            known = true;
        } else if ((key == "inlineData" || key == "fileData") && read_blob(in, m.value, image)) {
            block.value = std::move(image);
            known = true;
        } else if (key == "thought" && m.value.is(value_kind::boolean)) {
            thought = m.value.boolean();
        } else if (key == "thoughtSignature") {
            in.text(m.value, signature);
        } else {
            keep_extra(m, block.extra);
        }
    }
    if (!known) { return {other_block{json_of(v)}, {}, {}}; }
    auto* text = block.get<text_block>();
    if (auto* call = block.get<tool_call>()) {
        call->signature = std::move(signature);
    } else if (text != nullptr && thought) {
        block.value = reasoning_block{std::move(text->text), std::move(signature), {}, {}};
    } else if (!signature.empty()) {
        std::string json;
        encode_string(signature, json);
        block.extra.push_back({"thoughtSignature", std::move(json)});
    }
    return block;
}

namespace {

/// An object that a tool answered goes as it is, unless it would be read back as something else.
bool is_plain_object(const std::string& content) {
    const parse_result parsed = document::parse_borrowed(content);
    if (!parsed || !parsed.value.root().is(value_kind::object)) { return false; }
    const value_view v = parsed.value.root();
    const bool reserved = v.size() == 1 && (v.find("output") || v.find("error"));
    return !reserved && json_of(v) == content;
}

void write_result(writer& w, const tool_result& r, std::string_view tool, std::size_t number,
                  notes_for& notes) {
    w.open("functionResponse", '{').text_if("id", r.call_id).text("name", tool).key("response");
    for (const content_block& b : r.parts) {
        if (b.get<text_block>() == nullptr) { notes.add(number, "results are text on this wire"); }
    }
    if (!r.is_error && is_plain_object(r.content)) {
        w.raw(r.content);
    } else if (r.is_error) {
        w.open('{').text("error", r.error_code.empty() ? r.content : marked_content(r)).close('}');
    } else {
        w.open('{').text("output", r.content).close('}');
    }
    w.close('}');
}

void write_image(writer& w, const image_block& image) {
    if (image.data.empty()) {
        w.open("fileData", '{').text_if("mimeType", image.media_type).text("fileUri", image.url).close('}');
    } else {
        w.open("inlineData", '{').text("mimeType", image.media_type).text("data", image.data).close('}');
    }
}

} // namespace

bool write_part(writer& w, const content_block& b, std::size_t number, std::string_view tool, bool own,
                notes_for& notes) {
    if (const auto* other = b.get<other_block>()) {
        if (own) {
            w.raw(other->json);
        } else {
            notes.add(number, "a part of another wire");
        }
        return own;
    }
    const auto* thought = b.get<reasoning_block>();
    if (thought != nullptr && !own) {
        notes.add(number, "reasoning of another wire cannot go back");
        return false;
    }
    w.open('{');
    if (const auto* t = b.get<text_block>()) { w.text("text", t->text); }
    if (const auto* t = b.get<refusal_block>()) { w.text("text", t->text); }
    if (thought != nullptr) {
        w.text("text", thought->text)
            .key("thought")
            .boolean(true)
            .text_if("thoughtSignature", thought->signature);
    }
    if (const auto* image = b.get<image_block>()) { write_image(w, *image); }
    if (const auto* r = b.get<tool_result>()) { write_result(w, *r, tool, number, notes); }
    if (const auto* c = b.get<tool_call>()) {
        std::string args;
        if (!append_arguments(*c, args)) { notes.add(number, "the arguments are no JSON object"); }
        w.open("functionCall", '{').text_if("id", c->id).text("name", c->name).json("args", args);
        if (own) { w.extra(c->extra); }
        w.close('}');
        if (own) { w.text_if("thoughtSignature", c->signature); }
    }
    if (own) { w.extra(b.extra); }
    w.close('}');
    return true;
}

} // namespace jsonheal::wire_detail::gemini
