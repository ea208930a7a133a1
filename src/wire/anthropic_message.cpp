// Blocks of Anthropic's messages, both ways.
#include "anthropic.hpp"

#include <utility>

namespace jsonheal::wire_detail::anthropic {

namespace {

bool read_image(decoding& in, value_view source, image_block& image) {
    if (!source.is(value_kind::object)) { return false; }
    std::string type, scratch;
    for (const member m : source.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "type") {
            in.text(m.value, type);
        } else if (key == "media_type") {
            in.text(m.value, image.media_type);
        } else if (key == "data") {
            in.text(m.value, image.data);
        } else if (key == "url") {
            in.text(m.value, image.url);
        } else {
            return false;
        }
    }
    return type == "base64" || type == "url";
}

tool_call read_call(decoding& in, value_view v, content_block& block) {
    tool_call call;
    call.arguments = "{}";
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "id") {
            in.text(m.value, call.id);
        } else if (key == "name") {
            in.text(m.value, call.name);
        } else if (key == "input") {
            read_arguments_object(in, m.value, call);
        } else if (key == "cache_control") {
            in.raw(m.value, block.cache_control);
        } else if (key != "type") {
            keep_extra(m, call.extra);
        }
    }
    if (call.arguments.empty()) { call.arguments = "{}"; } // `input: null`
    if (call.name.empty()) { in.fail(v, "is required", "name"); }
    return call;
}

/// Inside a result: text alone is its content, anything else are parts.
void read_result_content(decoding& in, value_view v, tool_result& result) {
    if (v.is(value_kind::string)) {
        result.content = v.string();
        return;
    }
    if (!in.array(v)) { return; }
    message content;
    for (const value_view part : v.elements()) { content.blocks.push_back(read_block(in, part)); }
    result.content = content.text();
    const bool plain = content.blocks.empty() ||
                       (content.blocks.size() == 1 && content.blocks[0] == make_text(result.content));
    if (!plain) { result.parts = std::move(content.blocks); }
}

tool_result read_result(decoding& in, value_view v, content_block& block) {
    tool_result result;
    std::optional<bool> failed;
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "tool_use_id") {
            in.text(m.value, result.call_id);
        } else if (key == "content") {
            read_result_content(in, m.value, result);
        } else if (key == "is_error") {
            in.boolean(m.value, failed);
        } else if (key == "cache_control") {
            in.raw(m.value, block.cache_control);
        } else if (key != "type") {
            keep_extra(m, block.extra);
        }
    }
    if (result.call_id.empty()) { in.fail(v, "is required", "tool_use_id"); }
    if (failed.value_or(false)) {
        // The wire has a flag; only a mark with a code says more.
        tool_result marked = result;
        if (read_error_mark(marked) && !marked.error_code.empty()) { result = std::move(marked); }
        result.is_error = true;
    }
    return result;
}

/// Blocks whose members are strings: text and thought.
bool read_texts(decoding& in, value_view v, std::string_view type, content_block& block) {
    const bool text = type == "text", thinking = type == "thinking";
    if (!text && !thinking && type != "redacted_thinking") { return false; }
    if (!text) { block.value = reasoning_block{}; }
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        auto* thought = block.get<reasoning_block>();
        if (key == "type") { continue; }
        if (key == "cache_control") {
            in.raw(m.value, block.cache_control);
        } else if (text && key == "text") {
            in.text(m.value, block.get<text_block>()->text);
        } else if (thinking && key == "thinking") {
            in.text(m.value, thought->text);
        } else if (thinking && key == "signature") {
            in.text(m.value, thought->signature);
        } else if (!text && !thinking && key == "data") {
            in.text(m.value, thought->redacted);
        } else if (!m.value.is(value_kind::null)) {
            keep_extra(m, block.extra);
        }
    }
    return true;
}

} // namespace

content_block read_block(decoding& in, value_view v) {
    content_block block;
    if (!in.object(v)) {
        in.fail(v, "must be an object");
        return block;
    }
    const std::string type = string_in(v, "type");
    if (type.empty()) { in.fail(v, "is required", "type"); }
    if (read_texts(in, v, type, block)) { return block; }
    if (type == "tool_use") {
        block.value = read_call(in, v, block);
        return block;
    }
    if (type == "tool_result") {
        block.value = read_result(in, v, block);
        return block;
    }
    const auto source = v.find("source");
    if (type == "image" && source) {
        image_block image;
        if (read_image(in, *source, image)) {
            block.value = std::move(image);
            for (const member m : v.members()) {
                if (m.key.string_is("cache_control")) {
                    in.raw(m.value, block.cache_control);
                } else if (!m.key.string_is("type") && !m.key.string_is("source")) {
                    keep_extra(m, block.extra);
                }
            }
            return block;
        }
    }
    block.value = other_block{json_of(v)};
    return block;
}

namespace {

void write_image(writer& w, const image_block& image) {
    w.text("type", "image").open("source", '{');
    if (image.data.empty()) {
        w.text("type", "url").text("url", image.url);
    } else {
        w.text("type", "base64").text("media_type", image.media_type).text("data", image.data);
    }
    w.close('}');
}

void write_result(writer& w, const tool_result& r, block_rules rules, notes_for& notes) {
    w.text("type", "tool_result").text("tool_use_id", r.call_id);
    const bool coded = r.is_error && !r.error_code.empty();
    if (r.parts.empty()) {
        std::string content = coded ? marked_content(r) : r.content;
        if (content.empty() && r.is_error) { content = "error"; } // an error must say something
        w.text("content", content);
    } else {
        w.open("content", '[');
        if (coded) {
            tool_result mark = r;
            mark.content.clear();
            w.open('{').text("type", "text").text("text", marked_content(mark)).close('}');
        }
        for (std::size_t i = 0; i < r.parts.size(); ++i) { write_block(w, r.parts[i], i, rules, notes); }
        w.close(']');
    }
    if (r.is_error) { w.key("is_error").boolean(true); }
}

void write_call(writer& w, const tool_call& c, std::size_t number, block_rules rules, notes_for& notes) {
    std::string input;
    if (!append_arguments(c, input)) { notes.add(number, "the arguments are no JSON object"); }
    w.text("type", "tool_use").text("id", c.id).text("name", c.name).json("input", input);
    if (rules.own) { w.extra(c.extra); }
}

void write_thought(writer& w, const reasoning_block& r) {
    if (!r.redacted.empty()) {
        w.text("type", "redacted_thinking").text("data", r.redacted);
    } else {
        w.text("type", "thinking").text("thinking", r.text).text("signature", r.signature);
    }
}

} // namespace

bool write_block(writer& w, const content_block& b, std::size_t number, block_rules rules, notes_for& notes) {
    const auto* text = b.get<text_block>();
    const auto* refusal = b.get<refusal_block>();
    if (text != nullptr && text->text.empty()) { return false; } // the API refuses empty text
    if (refusal != nullptr && refusal->text.empty()) { return false; }
    if (const auto* other = b.get<other_block>()) {
        if (rules.own) {
            w.raw(other->json);
        } else {
            notes.add(number, "a part of another wire");
        }
        return rules.own;
    }
    w.open('{');
    if (text != nullptr) { w.text("type", "text").text("text", text->text); }
    if (refusal != nullptr) { w.text("type", "text").text("text", refusal->text); }
    if (const auto* r = b.get<reasoning_block>()) { write_thought(w, *r); }
    if (const auto* image = b.get<image_block>()) { write_image(w, *image); }
    if (const auto* c = b.get<tool_call>()) { write_call(w, *c, number, rules, notes); }
    if (const auto* r = b.get<tool_result>()) { write_result(w, *r, rules, notes); }
    if (rules.marks) { w.json_if("cache_control", b.cache_control); }
    if (rules.own) { w.extra(b.extra); }
    w.close('}');
    return true;
}

} // namespace jsonheal::wire_detail::anthropic
