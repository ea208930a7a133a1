// The declared tools.
#include <jsonheal/calls.hpp>

namespace jsonheal {

namespace {

std::string text_at(value_view object, std::string_view key) {
    const auto v = object.find(key);
    return v && v->is(value_kind::string) ? v->string() : std::string();
}

/// The parameters that a schema names, through a reference at its root.
std::vector<std::string> parameters_of(const schema::program& p) {
    std::vector<std::string> all;
    schema::node_view node = p.root();
    for (int hops = 0; hops < 16; ++hops) {
        for (const auto& property : node.properties()) { all.emplace_back(property.key); }
        for (const auto& part : node.all_of()) {
            for (const auto& property : part.properties()) { all.emplace_back(property.key); }
        }
        const auto target = node.reference();
        if (!target) { break; }
        node = *target;
    }
    return all;
}

} // namespace

tool_set_reading tool_set::read(std::string_view json) {
    const parse_result parsed = document::parse(std::string(json));
    if (!parsed) {
        tool_set_reading r;
        r.error = "the tools are not JSON: " + std::string(parsed.error->message) + " at byte " +
                  std::to_string(parsed.error->offset);
        return r;
    }
    return read(parsed.value.root());
}

tool_set_reading tool_set::read(value_view list) {
    tool_set_reading r;
    if (!list.is(value_kind::array)) {
        r.error = "the tools are not a list";
        return r;
    }
    for (const value_view entry : list.elements()) {
        value_view v = entry;
        if (v.is(value_kind::object)) {
            if (const auto f = v.find("function"); f && f->is(value_kind::object)) { v = *f; }
        }
        call_tool t;
        if (v.is(value_kind::object)) { t.name = text_at(v, "name"); }
        if (t.name.empty()) {
            r.error = "a tool has no name";
            return r;
        }
        t.description = text_at(v, "description");
        auto schema = v.find("parameters");
        if (!schema) { schema = v.find("input_schema"); }
        dialect::tool_names::tool names{t.name, {}, false};
        if (schema && schema->is(value_kind::object)) {
            t.parameters = document::parse(std::string(schema->source())).value;
            schema::compile_result made = schema::compile(t.parameters);
            if (made) {
                t.program = std::move(made.value);
                t.has_schema = true;
                names.parameters = parameters_of(t.program);
                names.has_schema = schema->find("properties").has_value() || !names.parameters.empty();
            } else {
                r.notes.push_back("the schema of " + t.name + " cannot be used: " + made.error->reason);
            }
        }
        r.tools.names_.add(std::move(names));
        r.tools.tools_.push_back(std::move(t));
    }
    return r;
}

const call_tool* tool_set::find(std::string_view name) const noexcept {
    for (const call_tool& t : tools_) {
        if (t.name == name) { return &t; }
    }
    return nullptr;
}

} // namespace jsonheal
