// Requests of Gemini: JSON to neutral.
#include "call_linker.hpp"
#include "gemini.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace jsonheal::wire_detail::gemini {

namespace {

/// A schema of Gemini's own kind as JSON Schema: its types are written in capitals, `{"type":"OBJECT"}`.
std::string json_schema_of(value_view schema) {
    constexpr std::array names = {"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"};
    std::string out(schema.source());
    for (std::uint32_t i = schema.index(); i < schema.end_index(); ++i) {
        const value_view v = schema.with_index(i);
        if (!v.is(value_kind::object)) { continue; }
        for (const member m : v.members()) {
            if (!m.key.string_is("type") || !m.value.is(value_kind::string)) { continue; }
            const auto is = [&](const char* n) { return m.value.string_is(n); };
            if (std::none_of(names.begin(), names.end(), is)) { continue; }
            for (std::size_t at = m.value.begin() - schema.begin() + 1; out[at] != '"'; ++at) {
                out[at] = static_cast<char>(out[at] - 'A' + 'a');
            }
        }
    }
    std::string compacted;
    compact(out, compacted);
    return compacted;
}

void read_content(decoding& in, value_view v, call_linker& links, std::vector<message>& out) {
    if (!in.object(v)) {
        in.fail(v, "must be an object");
        return;
    }
    const std::string role_name = string_in(v, "role");
    const bool model = role_name == "model";
    if (!model && role_name != "user" && role_name != "function" && !role_name.empty()) {
        in.fail(v, "must be user or model", "role");
        return;
    }
    const auto parts = v.find("parts");
    if (!parts || !in.array(*parts)) {
        in.fail(v, "is required", "parts");
        return;
    }
    if (model) { links.turn(); }
    const std::size_t first = out.size();
    for (const value_view p : parts->elements()) {
        content_block b = read_part(in, p);
        auto* result = b.get<tool_result>();
        if (auto* call = b.get<tool_call>()) { links.called(*call); }
        if (result != nullptr) { links.answered(*result); }
        const role r = model ? role::assistant : result != nullptr ? role::tool : role::user;
        if (out.size() == first || out.back().role != r) { out.push_back({r, {}, {}, {}}); }
        out.back().blocks.push_back(std::move(b));
    }
    if (out.size() == first) { out.push_back({model ? role::assistant : role::user, {}, {}, {}}); }
    for (const member m : v.members()) {
        if (!m.key.string_is("role") && !m.key.string_is("parts")) { keep_extra(m, out[first].extra); }
    }
}

tool_definition read_declaration(decoding& in, value_view v) {
    tool_definition tool;
    if (!in.object(v)) { return tool; }
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "name") {
            in.text(m.value, tool.name);
        } else if (key == "description") {
            in.text(m.value, tool.description);
        } else if (key == "parameters" || key == "parametersJsonSchema") {
            if (in.object(m.value)) {
                tool.parameters = key == "parameters" ? json_schema_of(m.value) : json_of(m.value);
            }
        } else {
            keep_extra(m, tool.extra);
        }
    }
    if (tool.name.empty()) { in.fail(v, "is required", "name"); }
    return tool;
}

void read_tools(decoding& in, value_view list, std::vector<tool_definition>& out) {
    if (!in.array(list)) { return; }
    for (const value_view t : list.elements()) {
        if (!in.object(t)) { continue; }
        for (const member m : t.members()) {
            if (m.key.string_is("functionDeclarations") && in.array(m.value)) {
                for (const value_view d : m.value.elements()) { out.push_back(read_declaration(in, d)); }
            } else if (!m.key.string_is("functionDeclarations")) { // tools that run at the provider
                tool_definition other;
                std::string key;
                encode_string(m.key.string(), key);
                other.json = "{" + key + ":" + json_of(m.value) + "}";
                out.push_back(std::move(other));
            }
        }
    }
}

void read_tool_config(decoding& in, value_view v, tool_choice& out) {
    using kind = tool_choice::kind;
    if (!in.object(v)) { return; }
    const auto config = v.find("functionCallingConfig");
    const std::string mode = config ? string_in(*config, "mode") : std::string();
    const auto names = config ? config->find("allowedFunctionNames") : std::nullopt;
    const bool one =
        names && names->is(value_kind::array) && names->size() == 1 && names->at(0).is(value_kind::string);
    if (v.size() == 1 && config && mode == "ANY" && one) {
        out.what = kind::tool;
        out.name = names->at(0).string();
    } else if (v.size() == 1 && config && !names && config->size() == 1 &&
               (mode == "AUTO" || mode == "ANY" || mode == "NONE")) {
        out.what = mode == "AUTO" ? kind::automatic : mode == "ANY" ? kind::required : kind::none;
    } else {
        out.what = kind::other;
        out.json = json_of(v);
    }
}

void read_stops(decoding& in, value_view v, std::vector<std::string>& out) {
    if (!in.array(v)) { return; }
    for (const value_view word : v.elements()) {
        std::string text;
        if (in.text(word, text)) { out.push_back(std::move(text)); }
    }
}

/// Members that are not known go into `extra` as an object of the same name.
void read_generation_config(decoding& in, value_view v, request& out) {
    using kind = response_format::kind;
    if (!in.object(v)) { return; }
    std::string rest, scratch;
    writer w(rest);
    w.open('{');
    bool more = false;
    response_format& f = out.response_format;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        if (key == "temperature") {
            in.number(m.value, out.temperature);
        } else if (key == "topP") {
            in.number(m.value, out.top_p);
        } else if (key == "topK") {
            in.number(m.value, out.top_k);
        } else if (key == "seed") {
            in.number(m.value, out.seed);
        } else if (key == "maxOutputTokens") {
            in.integer(m.value, out.max_tokens);
        } else if (key == "candidateCount") {
            in.integer(m.value, out.n);
        } else if (key == "stopSequences") {
            read_stops(in, m.value, out.stop);
        } else if (key == "responseMimeType" && m.value.is(value_kind::string) &&
                   m.value.string_is("application/json")) {
            if (f.what == kind::unset) { f.what = kind::json_object; }
        } else if ((key == "responseSchema" || key == "responseJsonSchema") && in.object(m.value)) {
            f.what = kind::json_schema;
            f.schema = key == "responseSchema" ? json_schema_of(m.value) : json_of(m.value);
        } else if (!m.value.is(value_kind::null)) {
            w.extra({{m.key.string(), json_of(m.value)}});
            more = true;
        }
    }
    w.close('}');
    if (more) { out.extra.push_back({"generationConfig", std::move(rest)}); }
}

void read_system(decoding& in, value_view v, request& out) {
    if (v.is(value_kind::string)) {
        out.system.push_back(make_text(v.string()));
        return;
    }
    const auto parts = v.is(value_kind::object) ? v.find("parts") : std::nullopt;
    if (!parts || !in.array(*parts)) {
        in.fail(v, "must be a content with parts");
        return;
    }
    for (const value_view p : parts->elements()) { out.system.push_back(read_part(in, p)); }
}

void read_member(decoding& in, const member& m, std::string_view key, request& out) {
    if (key == "contents") {
        out.messages.clear();
        call_linker links;
        if (!in.array(m.value)) { return; }
        for (const value_view c : m.value.elements()) { read_content(in, c, links, out.messages); }
    } else if (key == "systemInstruction" || key == "system_instruction") {
        out.system.clear();
        read_system(in, m.value, out);
    } else if (key == "tools") {
        out.tools.clear();
        read_tools(in, m.value, out.tools);
    } else if (key == "toolConfig") {
        read_tool_config(in, m.value, out.tool_choice);
    } else if (key == "generationConfig") {
        read_generation_config(in, m.value, out);
    } else if (key == "model") {
        in.text(m.value, out.model);
    } else {
        keep_extra(m, out.extra);
    }
}

} // namespace

reading<request> decode_request(std::string_view json, const decode_options& options) {
    reading<request> result;
    decoding in(json, wire_id::gemini, options.depth, 400);
    request& out = result.value;
    out.origin = wire_id::gemini;
    if (!in.ok()) {
        result.error = in.take_error();
        return result;
    }
    std::string scratch;
    for (const member m : in.root().members()) { read_member(in, m, key_of(m, scratch), out); }
    if (!options.model.empty()) { out.model = options.model; }
    if (options.stream) { out.stream = true; }
    if (out.messages.empty()) { in.fail(in.root(), "is required and must not be empty", "contents"); }
    if (out.model.empty()) { in.fail(in.root(), "is required", "model"); }
    result.error = in.take_error();
    return result;
}

} // namespace jsonheal::wire_detail::gemini
