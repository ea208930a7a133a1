#include "decoding.hpp"

#include <algorithm>
#include <unordered_set>

namespace jsonheal::wire_detail {

void append_json(value_view v, std::string& out) { compact(v.source(), out); }

std::string json_of(value_view v) {
    std::string out;
    append_json(v, out);
    return out;
}

namespace {

void append_token(std::string_view key, std::string& out) {
    out += '/';
    for (const char c : key) {
        if (c == '~') {
            out += "~0";
        } else if (c == '/') {
            out += "~1";
        } else {
            out += c;
        }
    }
}

bool holds(value_view outer, value_view v) noexcept {
    return outer.index() <= v.index() && v.index() < outer.end_index();
}

} // namespace

std::string pointer_to(value_view root, value_view v) {
    std::string out, scratch;
    value_view at = root;
    while (!(at == v)) {
        std::optional<value_view> inner;
        if (at.is(value_kind::object)) {
            for (const member m : at.members()) {
                if (holds(m.value, v)) {
                    append_token(key_of(m, scratch), out);
                    inner = m.value;
                    break;
                }
            }
        } else if (at.is(value_kind::array)) {
            std::size_t i = 0;
            for (const value_view e : at.elements()) {
                if (holds(e, v)) {
                    append_token(std::to_string(i), out);
                    inner = e;
                    break;
                }
                ++i;
            }
        }
        if (!inner) { break; }
        at = *inner;
    }
    return out;
}

decoding::decoding(std::string_view json, wire_id w, std::size_t depth, int status)
    : wire_(w), status_(status) {
    document_limits limits;
    limits.depth = static_cast<std::uint32_t>(depth);
    parse_result parsed = document::parse_borrowed(json, limits);
    if (!parsed) {
        error_ = wire_error{};
        error_->message = "the body is no JSON: " + std::string(parsed.error->message) + " (byte " +
                          std::to_string(parsed.error->offset) + ")";
    } else {
        document_ = std::move(parsed.value);
        if (root().is(value_kind::object)) { return; }
        error_ = wire_error{};
        error_->message = "the body must be a JSON object";
    }
    error_->wire = w;
    error_->status = status_;
}

void decoding::fail(value_view at, std::string_view message, std::string_view member) {
    if (error_) { return; }
    error_ = wire_error{};
    error_->wire = wire_;
    error_->status = status_;
    error_->field = pointer_to(root(), at);
    if (!member.empty()) { append_token(member, error_->field); }
    error_->message = message;
}

bool decoding::kind(value_view v, value_kind wanted, std::string_view message) {
    if (v.is(wanted)) { return true; }
    if (!v.is(value_kind::null)) { fail(v, message); }
    return false;
}

bool decoding::text(value_view v, std::string& out) {
    if (!kind(v, value_kind::string, "must be a string")) { return false; }
    out = v.string();
    return true;
}

bool decoding::integer(value_view v, std::optional<std::int64_t>& out) {
    if (!kind(v, value_kind::number, "must be an integer")) { return false; }
    const auto n = v.int64();
    if (!n) {
        fail(v, "must be an integer");
        return false;
    }
    out = n;
    return true;
}

bool decoding::number(value_view v, std::string& out) {
    if (!kind(v, value_kind::number, "must be a number")) { return false; }
    out = v.source();
    return true;
}

bool decoding::boolean(value_view v, std::optional<bool>& out) {
    if (!kind(v, value_kind::boolean, "must be true or false")) { return false; }
    out = v.boolean();
    return true;
}

bool decoding::raw(value_view v, std::string& out) {
    if (v.is(value_kind::null)) { return false; }
    out = json_of(v);
    return true;
}

bool decoding::object(value_view v) { return kind(v, value_kind::object, "must be an object"); }
bool decoding::array(value_view v) { return kind(v, value_kind::array, "must be an array"); }

void keep_extra(const member& m, extra_members& out) { out.push_back({m.key.string(), json_of(m.value)}); }

std::string string_in(value_view object, std::string_view key) {
    if (!object.is(value_kind::object)) { return {}; }
    const auto v = object.find(key);
    return v && v->is(value_kind::string) ? v->string() : std::string();
}

message without_foreign(const message& m, notes_for& notes) {
    message kept = m;
    kept.blocks.clear();
    kept.extra.clear();
    for (std::size_t i = 0; i < m.blocks.size(); ++i) {
        if (m.blocks[i].get<other_block>() != nullptr) {
            notes.add(i, "a part of another wire");
            continue;
        }
        kept.blocks.push_back(m.blocks[i]);
        content_block& b = kept.blocks.back();
        b.extra.clear();
        if (auto* call = b.get<tool_call>()) {
            call->extra.clear();
            call->wrapper_extra.clear();
        }
        if (auto* thought = b.get<reasoning_block>()) { thought->member.clear(); }
    }
    return kept;
}

bool append_arguments(const tool_call& call, std::string& out) {
    const bool blank = call.arguments.find_first_not_of(" \t\r\n") == std::string::npos;
    if (blank && !call.custom) {
        out += "{}";
        return true;
    }
    if (!call.custom) {
        const parse_result parsed = document::parse_borrowed(call.arguments);
        if (parsed && parsed.value.root().is(value_kind::object)) {
            append_json(parsed.value.root(), out);
            return true;
        }
    }
    out += call.custom ? "{\"input\":" : "{\"invalid_arguments\":";
    encode_string(call.arguments, out);
    out += '}';
    return call.custom;
}

void read_arguments_object(decoding& in, value_view v, tool_call& call) {
    call.arguments.clear();
    if (in.object(v)) { append_json(v, call.arguments); }
}

extra_members members_of(std::string_view json) {
    extra_members out;
    const parse_result parsed = document::parse_borrowed(json);
    if (!parsed || !parsed.value.root().is(value_kind::object)) { return out; }
    for (const member m : parsed.value.root().members()) { keep_extra(m, out); }
    return out;
}

std::size_t calls_in(const message& m) noexcept {
    return static_cast<std::size_t>(
        std::count_if(m.blocks.begin(), m.blocks.end(),
                      [](const content_block& b) { return b.get<tool_call>() != nullptr; }));
}

void agree_with_calls(finish& f, std::size_t calls) {
    if (calls != 0 && f.reason == finish_reason::stop) { f.reason = finish_reason::tool_calls; }
    if (calls == 0 && f.reason == finish_reason::tool_calls) { f.reason = finish_reason::stop; }
}

void complete_calls(choice& c, std::string_view seed, std::string_view response) {
    std::unordered_set<std::string> taken;
    std::size_t number = 0;
    for (content_block& b : c.message.blocks) {
        auto* call = b.get<tool_call>();
        if (call == nullptr) { continue; }
        if (call->id.empty() || taken.count(call->id) != 0) {
            call->id = make_call_id(seed, response, static_cast<std::size_t>(c.index), number);
        }
        taken.insert(call->id);
        ++number;
    }
    agree_with_calls(c.finish, number);
}

std::string make_call_id(std::string_view seed, std::string_view response, std::size_t choice,
                         std::size_t call) {
    std::uint64_t hash = 0xCBF2'9CE4'8422'2325ull; // FNV-1a
    const auto mix = [&](std::string_view bytes) {
        for (const char c : bytes) { hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01B3ull; }
        hash = (hash ^ 0xFFu) * 0x100'0000'01B3ull;
    };
    mix(seed);
    mix(response);
    mix(std::to_string(choice));
    mix(std::to_string(call));
    constexpr char hex[] = "0123456789abcdef";
    std::string id = "call_";
    for (int shift = 60; shift >= 0; shift -= 4) { id += hex[hash >> shift & 15]; }
    return id;
}

} // namespace jsonheal::wire_detail
