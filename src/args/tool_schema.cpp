// What args needs of a tool's JSON Schema, read with `document` alone.

#include <jsonheal/args_tools.hpp>

#include <algorithm>
#include <string>

namespace jsonheal {

namespace {

// A tool whose one field is called like this takes a command of the shell.
constexpr std::string_view command_fields[] = {"command",      "cmd",         "script",      "shell_command",
                                               "bash_command", "commandLine", "command_line"};

kind_set kinds_of_type(std::string_view type) {
    if (type == "integer") { return kind_set().add(value_kind::number); }
    for (const value_kind k : {value_kind::null, value_kind::boolean, value_kind::number, value_kind::string,
                               value_kind::array, value_kind::object}) {
        if (name(k) == type) { return kind_set().add(k); }
    }
    return kind_set::all();
}

kind_set kinds_of(value_view schema) {
    if (!schema.is(value_kind::object)) { return kind_set::all(); }
    const auto type = schema.find("type");
    if (type && type->is(value_kind::string)) { return kinds_of_type(type->string()); }
    kind_set kinds;
    if (type && type->is(value_kind::array)) {
        for (const value_view one : type->elements()) {
            if (!one.is(value_kind::string)) { continue; }
            const kind_set more = kinds_of_type(one.string());
            for (const value_kind k : {value_kind::null, value_kind::boolean, value_kind::number,
                                       value_kind::string, value_kind::array, value_kind::object}) {
                if (more.has(k)) { kinds.add(k); }
            }
        }
    } else if (const auto values = schema.find("enum"); values && values->is(value_kind::array)) {
        for (const value_view one : values->elements()) { kinds.add(one.kind()); }
    }
    return kinds.empty() ? kind_set::all() : kinds;
}

/// Text fits, and it is not there only because anything does.
bool is_string(const tool_spec::property& p) {
    return p.kinds.has(value_kind::string) && !p.kinds.has(value_kind::array);
}

std::string field_of(const tool_spec& t, const tool_spec* known) {
    if (known != nullptr && t.find_property(known->field) != nullptr) { return known->field; }
    if (t.required.size() == 1) {
        const auto* p = t.find_property(t.required.front());
        return p != nullptr && is_string(*p) ? p->name : std::string();
    }
    const bool sole = t.required.empty() && t.properties.size() == 1 && is_string(t.properties.front());
    return sole ? t.properties.front().name : std::string();
}

} // namespace

tool_spec tool_from_schema(std::string_view name, value_view schema, const tool_spec* known) {
    tool_spec t;
    if (known != nullptr) { t = *known; }
    t.name = name;
    if (!schema.is(value_kind::object)) { return t; }
    const auto properties = schema.find("properties");
    if (!properties || !properties->is(value_kind::object)) { return t; }
    t.has_schema = true;
    t.properties.clear();
    t.required.clear();
    for (const member m : properties->members()) {
        t.properties.push_back({m.key.string(), kinds_of(m.value)});
    }
    if (const auto required = schema.find("required"); required && required->is(value_kind::array)) {
        for (const value_view key : required->elements()) {
            if (key.is(value_kind::string)) { t.required.push_back(key.string()); }
        }
    }
    const auto more = schema.find("additionalProperties");
    t.closed = !more || (more->is(value_kind::boolean) && !more->boolean());
    t.field = field_of(t, known);
    if (known == nullptr && std::find(std::begin(command_fields), std::end(command_fields),
                                      std::string_view(t.field)) != std::end(command_fields)) {
        t.bare = tool_spec::bare_text::shell;
        t.code_fields.assign(1, t.field);
    }
    return t;
}

} // namespace jsonheal
