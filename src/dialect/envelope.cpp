// What the keys of a call's object say.
#include "bytes.hpp"
#include "machine.hpp"

namespace jsonheal::dialect::detail {

namespace {

struct key_row {
    std::string_view key;
    envelope_key what;
};
constexpr key_row keys[] = {
    {"name", envelope_key::name},
    {"tool_name", envelope_key::name},
    {"recipient_name", envelope_key::name},
    {"function_name", envelope_key::name},
    {"action", envelope_key::name},
    {"function", envelope_key::either},
    {"function_call", envelope_key::either},
    {"tool_call", envelope_key::either},
    {"tool", envelope_key::either},
    {"call", envelope_key::either},
    {"arguments", envelope_key::arguments},
    {"parameters", envelope_key::arguments},
    {"args", envelope_key::arguments},
    {"input", envelope_key::arguments},
    {"action_input", envelope_key::arguments},
    {"tool_input", envelope_key::arguments},
    {"kwargs", envelope_key::arguments},
    {"tool_calls", envelope_key::list},
    {"tool_uses", envelope_key::list},
    {"calls", envelope_key::list},
    {"id", envelope_key::aside},
    {"tool_call_id", envelope_key::aside},
    {"call_id", envelope_key::aside},
    {"type", envelope_key::aside},
    {"index", envelope_key::aside},
};

constexpr std::size_t most_levels = 4; // of calls in calls

std::string text_of(value_view v) { return v.is(value_kind::string) ? v.string() : std::string(v.source()); }

} // namespace

envelope_key key_of(std::string_view key) noexcept {
    for (const key_row& r : keys) {
        if (r.key == key) { return r.what; }
    }
    return envelope_key::other;
}

std::vector<enveloped> machine::calls_in(value_view root) const {
    std::vector<enveloped> out;
    if (!has_outer_) {
        call_in(root, 0, {}, out);
        return out;
    }
    enveloped c;
    c.name = outer_name_;
    c.id = outer_id_;
    if (root.is(value_kind::object)) {
        // the whole call once more: {"name": "f", "args": {…}}
        std::vector<enveloped> inner;
        call_in(root, most_levels, outer_id_, inner);
        if (inner.size() == 1 && inner[0].arguments &&
            tools_.meant(inner[0].name) == tools_.meant(outer_name_) && root.find("name").has_value() &&
            !tools_.declares(tools_.meant(outer_name_), "name")) {
            inner[0].name = outer_name_;
            return inner;
        }
        // a counter in place of the name: the tool is the only one that has all the keys
        if (tools_.meant(c.name) == tool_names::none && !probing_ && root.size() > 0) {
            std::size_t only = tool_names::none, fitting = 0;
            for (std::size_t t = 0; t < tools_.tools().size(); ++t) {
                bool all = true;
                for (const member m : root.members()) { all = all && tools_.declares(t, m.key.string()); }
                if (all) {
                    only = t;
                    ++fitting;
                }
            }
            if (fitting == 1 && counter_name_) { c.name = tools_.tools()[only].name; }
        }
    }
    c.arguments = root;
    out.push_back(std::move(c));
    return out;
}

void machine::call_in(value_view v, std::size_t level, std::string id, std::vector<enveloped>& out) const {
    if (!v.is(value_kind::object) || level > most_levels) { return; }
    enveloped c;
    c.id = std::move(id);
    std::string own_name;
    std::optional<value_view> wrapped, list;
    document_builder others;
    others.begin_object();
    std::size_t other_members = 0;
    bool all_declared = true, named = false;
    std::vector<member> rest;
    for (const member m : v.members()) {
        const std::string key = m.key.string();
        const envelope_key what = key_of(key);
        if (what == envelope_key::name || what == envelope_key::either) {
            if (m.value.is(value_kind::string) && !named) {
                c.name = m.value.string();
                named = true;
            } else if (m.value.is(value_kind::object) && what == envelope_key::either) {
                wrapped = m.value;
            }
        } else if (what == envelope_key::arguments) {
            if (!c.arguments || key == "arguments") { c.arguments = m.value; }
        } else if (what == envelope_key::list) {
            if (m.value.is(value_kind::array)) { list = m.value; }
        } else if (what == envelope_key::aside) {
            if (key != "type" && key != "index") { c.id = text_of(m.value); }
        } else {
            rest.push_back(m);
        }
    }
    if (c.name == "multi_tool_use.parallel" && c.arguments && c.arguments->is(value_kind::object)) {
        call_in(*c.arguments, level + 1, {}, out);
        return;
    }
    if (!named && wrapped) {
        call_in(*wrapped, level + 1, c.id, out);
        return;
    }
    if (!named && list) {
        for (const value_view e : list->elements()) { call_in(e, level + 1, {}, out); }
        return;
    }
    if (!named) {
        // {"f": {…}}
        if (v.size() == 1 && rest.size() == 1 && rest[0].value.is(value_kind::object)) {
            const std::string key = rest[0].key.string();
            const bool by_key = row_ != nullptr && row_->name_key.empty();
            if (tools_.find(key) != tool_names::none || by_key) {
                c.name = key;
                c.arguments = rest[0].value;
                out.push_back(std::move(c));
            }
        }
        return;
    }
    if (strength_ == strength::weak && (!may_name(c.name) || (!c.arguments && level == 0))) { return; }
    if (c.name.empty()) { return; }
    const std::size_t tool = tools_.meant(c.name);
    if (!c.arguments && !rest.empty()) {
        // the arguments stand beside the name
        for (const member& m : rest) {
            all_declared = all_declared && tools_.declares(tool, m.key.string());
            others.key_copy(m.key).copy(m.value);
            ++other_members;
        }
        others.end_object();
        if (all_declared && other_members > 0) { c.rest = std::string(others.finish().text()); }
    }
    // one wrapper more: {"arguments": {"arguments": {…}}}
    for (std::size_t opened = 0; opened < most_levels && c.arguments && c.arguments->is(value_kind::object) &&
                                 c.arguments->size() == 1;
         ++opened) {
        const member only = *c.arguments->members().begin();
        const std::string key = only.key.string();
        const bool wrapper = key_of(key) == envelope_key::arguments || key == "properties" || key == "params";
        if (!wrapper || tool == tool_names::none || !tools_.tools()[tool].has_schema ||
            tools_.declares(tool, key) || !only.value.is(value_kind::object)) {
            break;
        }
        c.arguments = only.value;
    }
    out.push_back(std::move(c));
}

} // namespace jsonheal::dialect::detail
