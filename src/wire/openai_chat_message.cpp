// Messages of chat completions: contents, calls, results.
#include "openai_chat.hpp"

#include <algorithm>
#include <utility>

namespace jsonheal::wire_detail::chat {

namespace {

/// Names of the members that hold reasoning; the first is how it is written.
constexpr std::string_view reasoning_members[] = {"reasoning_content", "reasoning"};

} // namespace

std::string_view reasoning_member(std::string_view wanted) noexcept {
    return wanted == reasoning_members[1] ? reasoning_members[1] : reasoning_members[0];
}

void set_image_url(std::string url, image_block& image) {
    constexpr std::string_view scheme = "data:", mark = ";base64,";
    const std::size_t at = url.find(mark);
    if (!url.starts_with(scheme) || at == std::string::npos) {
        image.url = std::move(url);
        return;
    }
    image.media_type = url.substr(scheme.size(), at - scheme.size());
    image.data = url.substr(at + mark.size());
}

std::string image_url(const image_block& image) {
    return image.data.empty() ? image.url : "data:" + image.media_type + ";base64," + image.data;
}

namespace {

bool read_image(decoding& in, value_view v, image_block& image) {
    if (v.is(value_kind::string)) { // of some providers that are nearly compatible
        set_image_url(v.string(), image);
        return true;
    }
    if (!in.object(v)) { return false; }
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "url") {
            std::string url;
            if (in.text(m.value, url)) { set_image_url(std::move(url), image); }
        } else if (key == "detail") {
            in.text(m.value, image.detail);
        } else {
            return false; // members that only the raw part can keep
        }
    }
    return true;
}

/// The text of a part of reasoning (Mistral): a string, or parts of text.
std::string thinking_text(value_view v) {
    if (v.is(value_kind::string)) { return v.string(); }
    std::string out;
    if (!v.is(value_kind::array)) { return out; }
    for (const value_view part : v.elements()) { out += string_in(part, "text"); }
    return out;
}

/// The blocks that are known by the type of the part, filled in from its members. False: unknown, or more than they can hold.
bool read_known_part(decoding& in, value_view part, std::string_view type, content_block& block) {
    const bool is_text = type == "text", is_refusal = type == "refusal", is_image = type == "image_url",
               is_thinking = type == "thinking";
    if (!is_text && !is_refusal && !is_image && !is_thinking) { return false; }
    if (is_refusal) { block.value = refusal_block{}; }
    if (is_image) { block.value = image_block{}; }
    if (is_thinking) { block.value = reasoning_block{{}, {}, {}, "content"}; }
    bool seen = false;
    std::string scratch;
    for (const member m : part.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "type") { continue; }
        if (key == "cache_control") {
            in.raw(m.value, block.cache_control);
        } else if (key == type && is_text) {
            seen = in.text(m.value, block.get<text_block>()->text);
        } else if (key == type && is_refusal) {
            seen = in.text(m.value, block.get<refusal_block>()->text);
        } else if (key == type && is_image) {
            seen = read_image(in, m.value, *block.get<image_block>());
        } else if (key == type && is_thinking) {
            block.get<reasoning_block>()->text = thinking_text(m.value);
            seen = true;
        } else {
            keep_extra(m, block.extra);
        }
    }
    return seen;
}

content_block read_part(decoding& in, value_view part) {
    content_block block;
    if (part.is(value_kind::string)) { return make_text(part.string()); }
    const std::string type = string_in(part, "type");
    if (!part.is(value_kind::object)) {
        in.fail(part, "must be an object or a string");
    } else if (type.empty()) {
        in.fail(part, "is required", "type");
    } else if (!read_known_part(in, part, type, block)) {
        block = {other_block{json_of(part)}, {}, {}};
    }
    return block;
}

void write_image(writer& w, const image_block& image) {
    w.text("type", "image_url").open("image_url", '{');
    w.text("url", image_url(image)).text_if("detail", image.detail).close('}');
}

} // namespace

void read_content(decoding& in, value_view v, std::vector<content_block>& out) {
    if (v.is(value_kind::string)) {
        out.push_back(make_text(v.string()));
    } else if (v.is(value_kind::array)) {
        for (const value_view part : v.elements()) { out.push_back(read_part(in, part)); }
    } else if (!v.is(value_kind::null)) {
        in.fail(v, "must be a string or an array of parts");
    }
}

namespace {

/// Arguments as the JSON text that was meant: a string holds it, an object (of providers that forget to encode it) is it.
void read_arguments(value_view v, std::string& out) {
    if (v.is(value_kind::string)) {
        out = v.string();
    } else if (!v.is(value_kind::null)) {
        append_json(v, out);
    }
}

void read_function(decoding& in, value_view v, tool_call& call) {
    if (!in.object(v)) { return; }
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "name") {
            in.text(m.value, call.name);
        } else if (key == (call.custom ? "input" : "arguments")) {
            call.arguments.clear();
            read_arguments(m.value, call.arguments);
        } else {
            keep_extra(m, call.extra);
        }
    }
}

} // namespace

tool_call read_call(decoding& in, value_view v) {
    tool_call call;
    if (!in.object(v)) {
        in.fail(v, "must be an object");
        return call;
    }
    call.custom = string_in(v, "type") == "custom";
    bool seen = false;
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "id") {
            in.text(m.value, call.id);
        } else if (key == (call.custom ? "custom" : "function")) {
            seen = true;
            read_function(in, m.value, call);
        } else if (key != "type" && key != "index") {
            keep_extra(m, call.wrapper_extra);
        }
    }
    if (!seen) { in.fail(v, "is required", call.custom ? "custom" : "function"); }
    if (call.name.empty()) { in.fail(v, "a tool call must have a name"); }
    if (call.arguments.empty() && !call.custom) { call.arguments = "{}"; }
    return call;
}

namespace {

template <class Block>
bool has(const message& m) {
    return std::any_of(m.blocks.begin(), m.blocks.end(),
                       [](const content_block& b) { return b.get<Block>() != nullptr; });
}

} // namespace

bool read_assistant_member(decoding& in, std::string_view key, value_view v, message& out) {
    if (key == "content") {
        if (has<text_block>(out) || has<image_block>(out)) { in.fail(v, "is repeated"); }
        read_content(in, v, out.blocks);
    } else if (key == "refusal") {
        std::string text;
        if (in.text(v, text)) { out.blocks.push_back({refusal_block{std::move(text)}, {}, {}}); }
    } else if (key == "tool_calls") {
        if (has<tool_call>(out)) { in.fail(v, "is repeated"); }
        if (!in.array(v)) { return true; }
        for (const value_view c : v.elements()) { out.blocks.push_back({read_call(in, c), {}, {}}); }
    } else if (key == reasoning_members[0] || key == reasoning_members[1]) {
        if (has<reasoning_block>(out)) { return false; } // said under both names: the second stays as it is
        if (!v.is(value_kind::string)) { return v.is(value_kind::null); }
        const std::string member(key == reasoning_members[0] ? std::string_view() : key);
        // Thought comes first, wherever it stands among the members.
        out.blocks.insert(out.blocks.begin(), {reasoning_block{v.string(), {}, {}, member}, {}, {}});
    } else {
        return false;
    }
    return true;
}

void write_call(writer& w, const tool_call& c, std::optional<std::size_t> index) {
    const std::string_view sort = c.custom ? "custom" : "function";
    w.open('{').number_if("index", index);
    w.text("id", c.id).text("type", sort).open(sort, '{');
    w.text("name", c.name).text(c.custom ? "input" : "arguments", c.arguments);
    w.extra(c.extra).close('}').extra(c.wrapper_extra).close('}');
}

namespace {

/// Whether a block is part of `content`, where that may be parts.
bool is_content(const content_block& b) noexcept {
    const auto* thought = b.get<reasoning_block>();
    return b.get<text_block>() != nullptr || b.get<image_block>() != nullptr ||
           b.get<other_block>() != nullptr || (thought != nullptr && thought->member == "content");
}

/// Whether `content` must be parts to say all.
bool needs_parts(const message& m, const encode_options& options) noexcept {
    std::size_t texts = 0;
    bool marks = false;
    for (const content_block& b : m.blocks) {
        if (!is_content(b)) { continue; }
        if (b.get<text_block>() == nullptr) { return true; }
        ++texts;
        marks = marks || !b.extra.empty() || (!b.cache_control.empty() && options.cache_control);
    }
    return !options.text_content_only && (texts > 1 || marks);
}

void write_part(writer& w, const content_block& b, const encode_options& options) {
    if (const auto* other = b.get<other_block>()) {
        w.raw(other->json);
        return;
    }
    w.open('{');
    if (const auto* text = b.get<text_block>()) {
        w.text("type", "text").text("text", text->text);
    } else if (const auto* image = b.get<image_block>()) {
        write_image(w, *image);
    } else if (const auto* thought = b.get<reasoning_block>()) {
        w.text("type", "thinking")
            .open("thinking", '[')
            .open('{')
            .text("type", "text")
            .text("text", thought->text);
        w.close('}').close(']');
    }
    if (options.cache_control) { w.json_if("cache_control", b.cache_control); }
    w.extra(b.extra).close('}');
}

} // namespace

void write_content(writer& w, const message& m, const encode_options& options, content_form form,
                   notes_for& notes) {
    if (form == content_form::text || !needs_parts(m, options)) {
        bool any = false;
        for (std::size_t i = 0; i < m.blocks.size(); ++i) {
            const content_block& b = m.blocks[i];
            any = any || b.get<text_block>() != nullptr;
            if (b.get<image_block>() != nullptr || b.get<other_block>() != nullptr) {
                notes.add(i, "content here can only be text");
            }
        }
        w.key("content");
        if (!any && m.role == role::assistant) {
            w.null();
        } else {
            w.string(m.text());
        }
        return;
    }
    w.open("content", '[');
    for (const content_block& b : m.blocks) {
        if (is_content(b)) { write_part(w, b, options); }
    }
    w.close(']');
}

void write_assistant(writer& w, const message& m, const encode_options& options, content_form form,
                     notes_for& notes) {
    write_content(w, m, options, form, notes);
    std::string refusal, thought;
    std::string_view member;
    bool refused = false, calls = false, thinks = false;
    for (std::size_t i = 0; i < m.blocks.size(); ++i) {
        const content_block& b = m.blocks[i];
        if (const auto* r = b.get<refusal_block>()) {
            refusal += r->text;
            refused = true;
        } else if (const auto* t = b.get<reasoning_block>(); t != nullptr) {
            const bool in_content = t->member == "content";
            if (in_content && form == content_form::parts) { continue; }
            thought += t->text;
            if (!in_content) { member = reasoning_member(t->member); }
            thinks = thinks || t->redacted.empty();
            if (!t->signature.empty() || !t->redacted.empty()) {
                notes.add(i, "signed reasoning has no place on this wire");
            }
        } else if (b.get<tool_call>() != nullptr) {
            calls = true;
            if (!options.native_tools) { notes.add(i, "the provider has no native tools"); }
        } else if (b.get<tool_result>() != nullptr) {
            notes.add(i, "a result stands in a message of the assistant");
        }
    }
    if (refused) { w.text("refusal", refusal); }
    if (thinks) { w.text(reasoning_member(member), thought); }
    if (!calls || !options.native_tools) { return; }
    w.open("tool_calls", '[');
    for (const content_block& b : m.blocks) {
        if (const auto* c = b.get<tool_call>()) { write_call(w, *c, std::nullopt); }
    }
    w.close(']');
}

} // namespace jsonheal::wire_detail::chat
