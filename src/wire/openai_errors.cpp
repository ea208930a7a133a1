// OpenAI's error object: its four keys, and what those who copy it make of it.
#include "openai_chat.hpp"

#include <algorithm>

namespace jsonheal::wire {

namespace {

constexpr error_words table[] = {
    {400, "invalid_request_error", ""},
    {401, "authentication_error", "invalid_api_key"},
    {402, "insufficient_quota", "insufficient_quota"},
    {403, "permission_error", ""},
    {404, "invalid_request_error", "model_not_found"},
    {405, "invalid_request_error", "method_not_allowed"},
    {408, "timeout", "request_timeout"},
    {409, "conflict", ""},
    {413, "invalid_request_error", "request_too_large"},
    {415, "invalid_request_error", "unsupported_media_type"},
    {422, "invalid_request_error", ""},
    {429, "requests", "rate_limit_exceeded"},
    {500, "server_error", ""},
    {501, "server_error", "not_implemented"},
    {502, "server_error", "upstream_error"},
    {503, "server_error", "service_unavailable"},
    {504, "server_error", "upstream_timeout"},
    {529, "server_error", "overloaded"},
};

const error_words* row_of(int status) noexcept {
    const auto* row = std::find_if(std::begin(table), std::end(table),
                                   [&](const error_words& w) { return w.status == status; });
    return row == std::end(table) ? nullptr : row;
}

} // namespace

const error_words& words_of(int status) noexcept {
    if (const error_words* row = row_of(status)) { return *row; }
    return *row_of(status >= 400 && status < 500 ? 400 : 500);
}

std::string param_of(std::string_view pointer) {
    std::string out;
    while (!pointer.empty()) {
        pointer.remove_prefix(1);
        const std::size_t end = std::min(pointer.find('/'), pointer.size());
        const std::string_view token = pointer.substr(0, end);
        pointer.remove_prefix(end);
        const bool index = !token.empty() && token.find_first_not_of("0123456789") == std::string_view::npos;
        if (index) {
            out.append("[").append(token).append("]");
            continue;
        }
        if (!out.empty()) { out += '.'; }
        for (std::size_t i = 0; i < token.size(); ++i) {
            const bool escaped = token[i] == '~' && i + 1 < token.size();
            out += !escaped ? token[i] : token[++i] == '1' ? '/' : '~';
        }
    }
    return out;
}

} // namespace jsonheal::wire

namespace jsonheal::wire_detail::chat {

namespace {

/// A code as text: a number is its digits (OpenRouter), a word itself (Groq), null nothing.
std::string code_of(value_view v) {
    if (v.is(value_kind::string)) { return v.string(); }
    return v.is(value_kind::null) ? std::string() : json_of(v);
}

/// A status that a code spells: `429`, `"429"`. 0 if it does not.
int status_in(std::string_view code) {
    if (code.size() != 3 || code.find_first_not_of("0123456789") != std::string_view::npos) { return 0; }
    const int n = (code[0] - '0') * 100 + (code[1] - '0') * 10 + (code[2] - '0');
    return n >= 400 && n < 600 ? n : 0;
}

/// Words that mean a status where none was given, as inside a stream.
struct meaning {
    std::string_view word;
    int status;
};
constexpr meaning meanings[] = {
    {"rate_limit_exceeded", 429},
    {"insufficient_quota", 429},
    {"requests", 429},
    {"tokens", 429},
    {"rate_limit_error", 429},
    {"invalid_api_key", 401},
    {"authentication_error", 401},
    {"permission_error", 403},
    {"model_not_found", 404},
    {"not_found_error", 404},
    {"invalid_request_error", 400},
    {"BadRequestError", 400},
    {"context_length_exceeded", 400},
    {"json_validate_failed", 400},
    {"tool_use_failed", 400},
    {"service_unavailable", 503},
    {"overloaded_error", 529},
    {"timeout", 504},
    {"server_error", 500},
    {"api_error", 500},
    {"InternalServerError", 500},
};

int status_meant(const wire_error& e) {
    if (const int n = status_in(e.code)) { return n; }
    for (const std::string_view word : {std::string_view(e.code), std::string_view(e.type)}) {
        for (const meaning& m : meanings) {
            if (!word.empty() && m.word == word) { return m.status; }
        }
    }
    return 0;
}

void read_members(value_view v, wire_error& e) {
    std::string scratch;
    for (const member m : v.members()) {
        const std::string_view key = key_of(m, scratch);
        const bool text = m.value.is(value_kind::string);
        if (key == "message" && text) {
            e.message = m.value.string();
        } else if (key == "type" && text) {
            e.type = m.value.string();
        } else if (key == "code") {
            e.code = code_of(m.value);
        } else if (key == "param" && text) {
            e.param = m.value.string();
        } else if (key == "failed_generation" && text) {
            e.failed_generation = m.value.string();
        } else if (key != "object" && !m.value.is(value_kind::null)) {
            keep_extra(m, e.extra);
        }
    }
}

} // namespace

wire_error read_error_value(value_view v, int status) {
    wire_error e;
    e.what = wire_error::kind::provider;
    e.wire = wire_id::openai_chat;
    if (v.is(value_kind::object)) {
        read_members(v, e);
    } else if (v.is(value_kind::string)) {
        e.message = v.string();
    } else {
        e.message = json_of(v);
    }
    if (e.message.empty()) { e.message = "the provider gave an error without a message"; }
    const int meant = status_meant(e);
    e.status = status >= 400 ? status : meant != 0 ? meant : 502;
    return e;
}

std::optional<wire_error> read_error(value_view root, int status) {
    if (!root.is(value_kind::object)) { return std::nullopt; }
    if (const auto error = root.find("error"); error && !error->is(value_kind::null)) {
        return read_error_value(*error, status);
    }
    if (string_in(root, "object") == "error") { return read_error_value(root, status); }
    return std::nullopt;
}

wire_error decode_error(int status, std::string_view body) {
    constexpr std::size_t most = 512; // of a page that is no JSON
    document_limits limits;
    limits.depth = 100;
    const parse_result parsed = document::parse_borrowed(body, limits);
    if (parsed) {
        const value_view root = parsed.value.root();
        // Some wrap the object in a list (Gemini's layer), some give `{"message":…}` or `{"detail":…}`.
        const value_view inner = root.is(value_kind::array) && root.size() > 0 ? root.at(0) : root;
        if (auto e = read_error(inner, status)) { return *std::move(e); }
        wire_error e = read_error_value(inner, status);
        if (const std::string detail = string_in(inner, "detail"); !detail.empty()) { e.message = detail; }
        return e;
    }
    wire_error e;
    e.what = wire_error::kind::provider;
    e.wire = wire_id::openai_chat;
    e.status = status >= 400 ? status : 502;
    e.message = "status " + std::to_string(status);
    if (!body.empty()) { e.message.append(": ").append(body.substr(0, most)); }
    return e;
}

void write_error(writer& w, const wire_error& e) {
    const error_words& words = words_of(e.status == 0 ? 502 : e.status);
    const std::string_view type = e.type.empty() ? words.type : std::string_view(e.type);
    // A word of the table is added only where the provider, or the check that failed, said nothing of its own.
    const bool own = !e.code.empty() || !e.type.empty() || !e.field.empty();
    const std::string_view code = own ? std::string_view(e.code) : words.code;
    const std::string param = e.param.empty() ? param_of(e.field) : e.param;
    std::string message = e.message;
    if (e.param.empty() && !param.empty()) { message.insert(0, "'" + param + "' "); }
    w.open('{').text("message", message).text("type", type).key("param");
    if (param.empty()) {
        w.null();
    } else {
        w.string(param);
    }
    w.key("code");
    if (code.empty()) {
        w.null();
    } else {
        w.string(code);
    }
    w.text_if("failed_generation", e.failed_generation).extra(e.extra).close('}');
}

std::string encode_error(const wire_error& e) {
    std::string out;
    writer w(out);
    w.open('{').key("error");
    write_error(w, e);
    w.close('}');
    return out;
}

} // namespace jsonheal::wire_detail::chat
