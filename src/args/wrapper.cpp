// Whole calls in place of arguments: which member holds the arguments, and whether the call is this tool's.

#include "ascii.hpp"
#include "writer.hpp"

#include <algorithm>
#include <iterator>

namespace jsonheal::args_detail {

namespace {

constexpr std::string_view name_keys[] = {"name",           "tool",     "tool_name",     "toolName",
                                          "tool_call",      "function", "function_name", "functionName",
                                          "recipient_name", "action"};
constexpr std::string_view args_keys[] = {"arguments",     "args",           "parameters",   "params",
                                          "input",         "tool_input",     "toolInput",    "tool_args",
                                          "toolArgs",      "tool_arguments", "action_input", "actionInput",
                                          "function_args", "kwargs",         "properties"};
constexpr std::string_view side_keys[] = {
    "id",        "call_id",  "callId",      "tool_call_id", "type",      "index",       "thought", "thoughts",
    "reasoning", "headline", "explanation", "role",         "toolUseId", "tool_use_id", "status",  "caller"};
// What stands beside a carrier in a whole message, if it says nothing: {"content":null,"tool_calls":[…]}
constexpr std::string_view message_keys[] = {"content", "refusal", "annotations", "audio", "text"};
// An object or a list of one that holds the call: {"type":"function","function":{"name":…}}
constexpr std::string_view carrier_keys[] = {"function", "tool_call",    "function_call", "tool_use",
                                             "toolCall", "functionCall", "tool_calls",    "toolUse"};
constexpr std::string_view namespaces[] = {"functions.", "tools.", "default_api."};

template <std::size_t N>
bool listed(const std::string_view (&table)[N], std::string_view key) noexcept {
    return std::find(std::begin(table), std::end(table), key) != std::end(table);
}

/// The name as it was meant: `functions.f:0<|channel|>x` → `f`, `@coder` → `coder`.
std::string_view plain_name(std::string_view name) noexcept {
    name = trimmed(name.substr(0, name.find("<|")));
    for (const std::string_view prefix : namespaces) {
        if (name.starts_with(prefix)) { name.remove_prefix(prefix.size()); }
    }
    std::size_t digits = name.size();
    while (digits > 0 && is_digit(name[digits - 1])) { --digits; }
    if (digits > 0 && digits < name.size() && name[digits - 1] == ':') { name = name.substr(0, digits - 1); }
    if (name.starts_with('@')) { name.remove_prefix(1); }
    return name;
}

bool is_string(std::string_view json, span s) noexcept {
    return s.end - s.begin >= 2 && json[s.begin] == '"';
}

/// null, "", [], {}
bool says_nothing(std::string_view json, span s) noexcept {
    const std::string_view v = s.of(json);
    return v == "null" || v == "\"\"" ||
           ((v.front() == '[' || v.front() == '{') && skip_blanks(v, 1) + 1 == v.size());
}

bool names_tool(std::string_view json, span value, std::string_view tool) noexcept {
    if (!is_string(json, value)) { return false; }
    const std::string_view wanted = plain_name(tool);
    return !wanted.empty() &&
           same_word(plain_name(json.substr(value.begin + 1, value.end - value.begin - 2)), wanted);
}

/// The members of an object that may be a call.
struct call_members {
    std::optional<span> name, arguments, carrier;
    bool ruled_out = true; ///< the schema has none of the keys
    bool declared = true;  ///< the schema has the keys that make it a call: they are the tool's own
    bool strange = false;  ///< it has others
    bool message = false;  ///< it has members of a message that say nothing
};

/// Reads members until one is strange.
call_members read_call(std::string_view json, std::size_t begin, const tool_spec* spec) {
    call_members call;
    member_walk walk(json, begin);
    member_span m;
    std::size_t count = 0;
    constexpr std::size_t most = 12; // no call has more
    while (!call.strange && walk.next(m)) {
        const std::string_view key = m.name(json);
        const char first = json[m.value.begin];
        const bool known = spec != nullptr && spec->find_property(key) != nullptr;
        const auto makes_call = [&](std::optional<span>& part) {
            part = m.value;
            call.declared = call.declared && known;
        };
        if (listed(carrier_keys, key) && (first == '{' || first == '[') && !call.carrier) {
            makes_call(call.carrier);
        } else if (listed(name_keys, key) && is_string(json, m.value) && !call.name) {
            makes_call(call.name);
        } else if (listed(args_keys, key) && !call.arguments) {
            makes_call(call.arguments);
        } else if (listed(message_keys, key) && says_nothing(json, m.value)) {
            call.message = true;
        } else if (!listed(side_keys, key)) {
            call.strange = true;
        }
        call.ruled_out = call.ruled_out && spec != nullptr && spec->closed && !known;
        if (++count > most) { call.strange = true; }
    }
    call.strange = call.strange || (call.message && !call.carrier);
    return call;
}

/// An object with one member that the schema does not have, which holds an object that fits: {"request":{"port":"Brest"}}
std::optional<span> sole_member(std::string_view json, std::size_t begin, const tool_spec& spec) {
    member_walk walk(json, begin);
    member_span one, other;
    const bool sole = spec.closed && walk.next(one) && !walk.next(other) && json[one.value.begin] == '{' &&
                      spec.find_property(one.name(json)) == nullptr;
    if (!sole || skip_blanks(json, one.value.begin + 1) + 1 == one.value.end) { return std::nullopt; }
    return fits_schema(json, one.value.begin, &spec) ? std::optional(one.value) : std::nullopt;
}

/// Would the object be better arguments than what it stands in?
bool suits_schema(std::string_view json, span value, const tool_spec& spec) {
    if (json[value.begin] == '"') { return true; } // to be decoded
    if (json[value.begin] != '{') { return false; }
    member_walk walk(json, value.begin);
    member_span m;
    bool any = false;
    while (walk.next(m)) {
        if (spec.find_property(m.name(json)) != nullptr) { return true; }
        any = true;
    }
    return !any && spec.required.empty();
}

/// The object that a carrier holds.
std::optional<std::size_t> carried(std::string_view json, span value) {
    if (json[value.begin] == '{') { return value.begin; }
    element_walk walk(json, value.begin);
    span first, second;
    if (!walk.next(first) || walk.next(second) || json[first.begin] != '{') { return std::nullopt; }
    return first.begin;
}

} // namespace

std::optional<span> wrapped_arguments(std::string_view json, std::size_t begin, std::string_view tool,
                                      const tool_spec* spec) {
    const tool_spec* known = spec != nullptr && spec->has_schema ? spec : nullptr;
    constexpr int deepest = 4;
    for (int depth = 0; depth < deepest; ++depth) {
        const call_members call = read_call(json, begin, known);
        if (call.strange) {
            return depth == 0 && known != nullptr ? sole_member(json, begin, *known) : std::nullopt;
        }
        if (depth == 0 && call.declared) { return std::nullopt; }
        if (call.arguments && call.name && names_tool(json, *call.name, tool)) { return call.arguments; }
        if (call.arguments && call.ruled_out && known != nullptr &&
            suits_schema(json, *call.arguments, *known)) {
            return call.arguments;
        }
        if (!call.carrier || call.arguments) { return std::nullopt; }
        const auto inner = carried(json, *call.carrier);
        if (!inner) { return std::nullopt; }
        begin = *inner;
    }
    return std::nullopt;
}

bool is_whole_call(std::string_view json, std::size_t begin) {
    const call_members call = read_call(json, begin, nullptr);
    return !call.strange && call.name && call.arguments;
}

bool is_name_of(std::string_view text, std::string_view tool) noexcept {
    const std::string_view wanted = plain_name(tool);
    return !wanted.empty() && same_word(plain_name(text), wanted);
}

std::size_t call_notation(std::string_view text, std::string_view tool) noexcept {
    const std::string_view wanted = plain_name(tool);
    const std::size_t bracket = text.find('(');
    if (wanted.empty() || bracket == std::string_view::npos) { return 0; }
    return same_word(plain_name(trimmed(text.substr(0, bracket))), wanted) ? bracket + 1 : 0;
}

bool is_other_notation(std::string_view text, std::string_view tool) noexcept {
    if (text.starts_with('<')) {
        for (const std::string_view tag :
             {"<parameter=", "<parameter name", "<arg_key>", "<invoke ", "<function="}) {
            if (text.find(tag) != std::string_view::npos) { return true; }
        }
        return false;
    }
    if (text.starts_with('[') && text.ends_with(")]")) { text = text.substr(1, text.size() - 2); }
    return text.ends_with(')') && call_notation(text, tool) != 0;
}

bool fits_schema(std::string_view json, std::size_t begin, const tool_spec* spec) {
    if (spec == nullptr || !spec->has_schema) { return true; }
    std::size_t required = 0;
    member_walk walk(json, begin);
    member_span m;
    while (walk.next(m)) {
        const std::string_view key = m.name(json);
        const tool_spec::property* p = spec->find_property(key);
        if (p == nullptr) {
            if (spec->closed) { return false; }
            continue;
        }
        const char c = json[m.value.begin];
        const value_kind kind = c == '{'               ? value_kind::object
                                : c == '['             ? value_kind::array
                                : c == '"'             ? value_kind::string
                                : c == 'n'             ? value_kind::null
                                : c == 't' || c == 'f' ? value_kind::boolean
                                                       : value_kind::number;
        if (!p->kinds.has(kind)) { return false; }
        required += static_cast<std::size_t>(std::count(spec->required.begin(), spec->required.end(), key));
    }
    return required >= spec->required.size();
}

} // namespace jsonheal::args_detail
