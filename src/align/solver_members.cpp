/// @file solver_members.cpp
/// Objects member by member, arrays element by element.

#include "fold.hpp"
#include "solver.hpp"

#include <algorithm>

namespace jsonheal::align_detail {

namespace {

/// A member on the way to its plan.
struct seen_member {
    value_view key;
    value_view value;
    std::string name; ///< WTF-8
    member_rule rule;
    std::optional<shape_table::key_reading> reading; ///< of a key that stands for another
};

/// Takes back readings that lead to a key which is there or to one key together.
void drop_collisions(std::vector<seen_member>& members, const std::vector<bool>& present) {
    std::vector<std::uint32_t> wanted(present.size(), 0);
    for (const seen_member& m : members) {
        if (m.reading) { ++wanted[m.reading->property]; }
    }
    for (seen_member& m : members) {
        if (m.reading && (present[m.reading->property] || wanted[m.reading->property] > 1)) {
            m.reading.reset();
        }
    }
}

/// Null, a word for it, or nothing at all between two quotes.
[[nodiscard]] bool says_absent(value_view v) {
    if (v.is(value_kind::null)) { return true; }
    if (!v.is(value_kind::string) || v.end() - v.begin() > 64) { return false; }
    const std::string text = v.string();
    return trimmed(text).empty() || is_null_word(text);
}

/// `"$schema": "…"`, `"type": "object"`, `"required": ["a"]`: said of an object, not in it.
[[nodiscard]] bool is_schema_keyword(std::string_view key, value_view v) {
    if (key == "$schema" || key == "$id") { return v.is(value_kind::string); }
    if (key == "type") { return v.is(value_kind::string) && v.string_is("object"); }
    if (key == "additionalProperties") { return v.is(value_kind::boolean); }
    if (key != "required" || !v.is(value_kind::array)) { return false; }
    const element_range all = v.elements();
    return std::all_of(all.begin(), all.end(), [](value_view e) { return e.is(value_kind::string); });
}

/// The members of an object with what the shape says of their keys.
std::vector<seen_member> read_members(shape_table& shapes, std::uint32_t number, value_view object,
                                      std::vector<bool>& present) {
    std::vector<seen_member> members;
    for (const member m : object.members()) {
        seen_member one{m.key, m.value, m.key.string(), {}, std::nullopt};
        one.rule = shapes.rule_of(number, one.name);
        if (one.rule.property != nothing) { present[one.rule.property] = true; }
        members.push_back(std::move(one));
    }
    const bool all_there = std::find(present.begin(), present.end(), false) == present.end();
    if (all_there) { return members; }
    for (seen_member& m : members) {
        if (m.rule.property == nothing) { m.reading = shapes.read_key(number, m.name); }
    }
    drop_collisions(members, present);
    // A key that is allowed as it stands is another's spelling only where the object cannot fit without.
    const bool needed = std::any_of(members.begin(), members.end(), [&](const seen_member& m) {
        return m.reading && (m.rule.forbidden || shapes.at(number).properties[m.reading->property].required);
    });
    if (!needed) {
        for (seen_member& m : members) { m.reading.reset(); }
    }
    return members;
}

} // namespace

void solver::align_object(const state& s, plan& out) {
    std::vector<bool> present(shapes_.at(s.shape).properties.size(), false);
    const std::vector<seen_member> members = read_members(shapes_, s.shape, s.value, present);
    count(members.size() + present.size());
    out.act = act::parts;
    for (const seen_member& m : members) {
        part_plan part;
        std::uint32_t property = m.rule.property;
        std::string_view key = m.name;
        if (m.reading && allowed(m.reading->rule)) {
            property = part.property = m.reading->property;
            part.what = part_plan::renamed;
            part.rule = m.reading->rule;
            key = shapes_.at(s.shape).properties[property].key;
            present[property] = true;
        }
        const bool forbidden = m.rule.forbidden && part.what != part_plan::renamed;
        part.child = state_of(shapes_.member(s.shape, key), m.value, 0);
        const plan& own = ask(part.child);
        std::uint64_t cost = own.cost + (part.what == part_plan::renamed ? info(part.rule).cost : 0);
        const bool required = property != nothing && shapes_.at(s.shape).properties[property].required;
        const auto drop = [&](align_rule rule) {
            if (!allowed(rule) || cost <= info(rule).cost) { return; }
            part.what = part_plan::dropped;
            part.rule = rule;
            cost = info(rule).cost;
        };
        if (forbidden) {
            cost = misfit;
            drop(m.value.is(value_kind::null)         ? align_rule::extra_null
                 : is_schema_keyword(m.name, m.value) ? align_rule::schema_keyword
                                                      : align_rule::extra_member);
        } else if (!required && cost >= info(align_rule::boolean_in_text).cost) {
            if (says_absent(m.value)) { drop(align_rule::null_for_absent); }
            drop(align_rule::unfit_member);
        }
        out.cost += cost;
        out.changed = out.changed || part.what != part_plan::kept || own.changed;
        out.parts.push_back(part);
    }
    add_absent(s, present, out);
    if (!out.changed) {
        out.act = act::keep;
        out.parts.clear();
    }
}

void solver::add_absent(const state& s, const std::vector<bool>& present, plan& out) {
    const std::vector<named_property>& properties = shapes_.at(s.shape).properties;
    for (std::uint32_t i = 0; i != properties.size(); ++i) {
        const named_property& p = properties[i];
        if (present[i] || (!p.required && (!options_.defaults || !p.default_value))) { continue; }
        part_plan part;
        part.what = part_plan::added;
        part.property = i;
        if (!options_.defaults || absent_value(shapes_.member(s.shape, p.key), p, part.rule).empty() ||
            !allowed(part.rule)) {
            if (p.required) { out.cost += misfit; }
            continue;
        }
        // An optional default changes the value, but says nothing against the reading that leads here.
        out.cost += p.required ? info(part.rule).cost : 0;
        out.changed = true;
        out.parts.push_back(part);
    }
}

std::string solver::absent_value(std::uint32_t member_shape, const named_property& p, align_rule& rule) {
    const shape& sh = shapes_.at(member_shape);
    rule = align_rule::default_value;
    if (p.default_value && scalar_fits(sh, *p.default_value)) {
        return std::string(p.default_value->source());
    }
    if (!p.required) { return {}; }
    if (sh.limits_values && sh.values.size() == 1) { return std::string(sh.values[0].source()); }
    rule = align_rule::null_value;
    static const document null;
    return scalar_fits(sh, null.root()) ? "null" : "";
}

void solver::align_array(const state& s, plan& out) {
    out.act = act::parts;
    std::size_t index = 0;
    for (const value_view v : s.value.elements()) {
        part_plan part;
        const std::uint32_t shape = shapes_.element(s.shape, index++);
        part.child = state_of(shape, v, 0);
        const plan& own = ask(part.child);
        std::uint64_t cost = own.cost;
        if (!own.fits() && index > shapes_.at(s.shape).prefix && allowed(align_rule::unfit_element)) {
            part.what = part_plan::dropped;
            part.rule = align_rule::unfit_element;
            cost = info(part.rule).cost;
        }
        out.cost += cost;
        out.changed = out.changed || part.what != part_plan::kept || own.changed;
        out.parts.push_back(part);
    }
    if (!out.changed) {
        out.act = act::keep;
        out.parts.clear();
    }
}

} // namespace jsonheal::align_detail
