#include "typing.hpp"

#include <jsonheal/dialect.hpp>

namespace jsonheal::calls_detail {

namespace {

constexpr std::size_t most_nodes = 256; // of references and unions looked through

std::string_view trimmed(std::string_view w) noexcept {
    const auto blank = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
    while (!w.empty() && blank(w.front())) { w.remove_prefix(1); }
    while (!w.empty() && blank(w.back())) { w.remove_suffix(1); }
    return w;
}

kind_set both(kind_set a, kind_set b) noexcept {
    kind_set out;
    for (const value_kind k : {value_kind::null, value_kind::boolean, value_kind::number, value_kind::string,
                               value_kind::array, value_kind::object}) {
        if (a.has(k) && b.has(k)) { out.add(k); }
    }
    return out;
}

std::string quoted(std::string_view text) {
    std::string out;
    encode_string(text, out);
    return out;
}

value_type resolve(const schema::node_view& node, std::size_t& budget);

/// Of the branches of a union all count.
void join(const std::vector<schema::node_view>& branches, value_type& out, std::size_t& budget) {
    if (branches.empty()) { return; }
    kind_set kinds;
    bool whole = true, all_values = true;
    std::vector<value_view> values;
    for (const schema::node_view& b : branches) {
        const value_type t = resolve(b, budget);
        for (const value_kind k : {value_kind::null, value_kind::boolean, value_kind::number,
                                   value_kind::string, value_kind::array, value_kind::object}) {
            if (t.kinds.has(k)) { kinds.add(k); }
        }
        if (t.kinds.has(value_kind::number) && !t.integers_only) { whole = false; }
        all_values = all_values && !t.values.empty();
        values.insert(values.end(), t.values.begin(), t.values.end());
    }
    out.kinds = both(out.kinds, kinds);
    out.integers_only = out.integers_only || whole;
    if (all_values && out.values.empty()) { out.values = std::move(values); }
}

value_type resolve(const schema::node_view& node, std::size_t& budget) {
    value_type out;
    out.known = true;
    if (budget == 0) { return out; }
    --budget;
    out.kinds = node.kinds();
    out.integers_only = node.integers_only();
    if (const auto v = node.values()) {
        kind_set kinds;
        for (const value_view one : *v) { kinds.add(one.kind()); }
        out.kinds = both(out.kinds, kinds);
        out.values = *v;
    }
    if (const auto target = node.reference()) {
        value_type t = resolve(*target, budget);
        out.kinds = both(out.kinds, t.kinds);
        out.integers_only = out.integers_only || t.integers_only;
        if (out.values.empty()) { out.values = std::move(t.values); }
    }
    for (const schema::node_view& part : node.all_of()) {
        value_type t = resolve(part, budget);
        out.kinds = both(out.kinds, t.kinds);
        out.integers_only = out.integers_only || t.integers_only;
        if (out.values.empty()) { out.values = std::move(t.values); }
    }
    join(node.any_of(), out, budget);
    join(node.one_of(), out, budget);
    return out;
}

/// Does a JSON value fit as far as its kind and the values go?
bool fits(value_view v, const value_type& t) {
    if (!t.kinds.has(v.kind())) { return false; }
    if (v.is(value_kind::number) && t.integers_only && !v.is_integer()) { return false; }
    if (t.values.empty()) { return true; }
    for (const value_view one : t.values) {
        if (same_value(one, v)) { return true; }
    }
    return false;
}

} // namespace

bool value_type::only_strings() const noexcept {
    kind_set s;
    s.add(value_kind::string);
    return known && kinds == s && values.empty();
}

value_type type_of(const schema::node_view& node) {
    std::size_t budget = most_nodes;
    value_type t = resolve(node, budget);
    t.node = node;
    return t;
}

value_type type_of_member(const schema::program& p, std::string_view key) {
    schema::node_view node = p.root();
    for (int hops = 0; hops < 16; ++hops) { // {"$ref": "#/$defs/Args"}
        if (const auto own = node.property_node(key)) { return type_of(*own); }
        for (const schema::node_view& part : node.all_of()) {
            if (const auto own = part.property_node(key)) { return type_of(*own); }
        }
        const auto target = node.reference();
        if (!target) { break; }
        node = *target;
    }
    if (const auto patterns = node.pattern_nodes(key); !patterns.empty()) {
        return type_of(patterns.front());
    }
    if (const auto more = node.additional(); more && more->source().is(value_kind::object)) {
        return type_of(*more);
    }
    return {};
}

typed json_of_text(std::string_view text, const value_type& type, bool as_json) {
    const std::string_view t = trimmed(text);
    if (!type.known) {
        if (!as_json) { return {quoted(text), true, false}; }
        const std::optional<std::string> json = dialect::spelled_value(t, type.kinds);
        return json ? typed{*json, true, *json != t} : typed{quoted(text), false, true};
    }
    if (type.kinds.has(value_kind::string)) {
        if (type.kinds.has(value_kind::null) && (t == "null" || t == "None")) {
            return {"null", true, false};
        }
        for (const value_view v : type.values) {
            if (v.is(value_kind::string) ? v.string_is(t) : v.source() == t) {
                return {std::string(v.source()), true, false};
            }
        }
        const bool container = !t.empty() && ((t.front() == '{' && type.kinds.has(value_kind::object)) ||
                                              (t.front() == '[' && type.kinds.has(value_kind::array)));
        if (container && type.kinds != kind_set::all() && document::parse_borrowed(t)) {
            return {std::string(t), true, false};
        }
        if (type.kinds == kind_set::all() && as_json) {
            if (const auto json = dialect::spelled_value(t, type.kinds)) { return {*json, true, *json != t}; }
        }
        return {quoted(text), type.values.empty(), false};
    }
    if (const auto json = dialect::spelled_value(t, type.kinds)) {
        const parse_result p = document::parse_borrowed(*json);
        if (p && fits(p.value.root(), type)) { return {*json, true, *json != t}; }
    }
    return {quoted(text), false, true};
}

typed aligned(typed t, const value_type& type, std::string_view key) {
    if (t.fits || !type.node) { return t; }
    // as a member: some coercions ask for the key, and some are for whole values only
    const std::string object = "{" + quoted(key) + ":" + t.json + "}";
    const parse_result p = document::parse_borrowed(object);
    if (!p) { return t; }
    alignment a = align((*p.value.root().members().begin()).value, *type.node);
    if (!a.fits || a.changes.empty()) { return t; }
    return {std::move(a.json), true, true, a.risk};
}

typed json_of_json(std::string_view source, const value_type& type, std::string_view key) {
    typed same{std::string(source), true, false};
    if (!type.known) { return same; }
    const parse_result p = document::parse_borrowed(source);
    if (!p) { return same; }
    const value_view v = p.value.root();
    same.fits = fits(v, type);
    return same.fits ? same : aligned(same, type, key);
}

} // namespace jsonheal::calls_detail
