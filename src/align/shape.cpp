#include "shape.hpp"

#include "fold.hpp"

#include <algorithm>

namespace jsonheal::align_detail {

using schema::node_view;

namespace {

/// A member of a schema that is an object.
[[nodiscard]] std::optional<value_view> keyword_of(node_view n, std::string_view key) {
    const value_view source = n.source();
    if (!source.is(value_kind::object)) { return std::nullopt; }
    return source.find(key);
}

[[nodiscard]] kind_set both(kind_set a, kind_set b) {
    kind_set set;
    for (unsigned k = 0; k != 6; ++k) {
        const auto kind = static_cast<value_kind>(k);
        if (a.has(kind) && b.has(kind)) { set.add(kind); }
    }
    return set;
}

/// Whether a node whose references and unions are followed says anything else.
[[nodiscard]] bool says_more(node_view n) {
    return !(n.kinds() == kind_set::all()) || n.integers_only() || n.has_other_assertions() || n.values() ||
           !n.properties().empty() || n.additional() || n.rest_items() || !n.prefix_items().empty() ||
           n.property_names() || keyword_of(n, "patternProperties");
}

/// Whether it was not there yet.
bool insert(part_list& list, part p) {
    const auto place = std::lower_bound(list.begin(), list.end(), p,
                                        [](const part& a, const part& b) { return a.node < b.node; });
    if (place != list.end() && place->node == p.node) {
        place->decided |= p.decided;
        return false;
    }
    list.insert(place, p);
    return true;
}

/// The seeds with all that they refer to. Parts that say nothing more themselves are left out.
part_list closure(node_view any, const part_list& seeds, std::uint64_t& work) {
    part_list all;
    part_list todo(seeds.rbegin(), seeds.rend());
    while (!todo.empty()) {
        const part p = todo.back();
        todo.pop_back();
        ++work;
        if (!insert(all, p)) { continue; }
        const node_view n = any.with_index(p.node);
        if (const auto target = n.reference()) { todo.push_back({target->index(), 0}); }
        for (const node_view one : n.all_of()) { todo.push_back({one.index(), 0}); }
    }
    part_list kept;
    for (const part& p : all) {
        const node_view n = any.with_index(p.node);
        const bool open = (!n.any_of().empty() && (p.decided & part::any_of_decided) == 0) ||
                          (!n.one_of().empty() && (p.decided & part::one_of_decided) == 0);
        if (open || says_more(n)) { kept.push_back(p); }
    }
    return kept;
}

} // namespace

std::uint32_t shape_table::of(const part_list& seeds) {
    part_list parts = closure(root_, seeds, work_);
    const auto [place, added] = numbers_.try_emplace(parts, static_cast<std::uint32_t>(shapes_.size()));
    if (added) {
        shapes_.emplace_back();
        shapes_.back().parts = std::move(parts);
        describe(shapes_.back());
    }
    return place->second;
}

/// Of a shape that allows every kind: those that one of its keywords is about.
kind_set shape_table::spoken_of(const shape& s) const {
    kind_set kinds;
    if (!s.properties.empty() || s.has_patterns) { kinds.add(value_kind::object); }
    for (const part& p : s.parts) {
        const node_view n = node(p.node);
        if (n.additional() || n.property_names()) { kinds.add(value_kind::object); }
        if (s.prefix != 0 || n.rest_items()) { kinds.add(value_kind::array); }
    }
    return kinds.empty() ? kind_set::all() : kinds;
}

void shape_table::describe(shape& s) {
    for (const part& p : s.parts) {
        const node_view n = node(p.node);
        s.kinds = both(s.kinds, n.kinds());
        s.integers_only = s.integers_only || n.integers_only();
        add_values(s, n);
        add_properties(s, n);
        s.has_patterns = s.has_patterns || keyword_of(n, "patternProperties");
        s.prefix = std::max(s.prefix, n.prefix_items().size());
        const auto unevaluated = keyword_of(n, "unevaluatedProperties");
        s.closed =
            s.closed || (unevaluated && unevaluated->is(value_kind::boolean) && !unevaluated->boolean());
        if (n.has_other_assertions() || n.property_names()) { s.checks.push_back(n); }
        if (s.choice.node != nothing) { continue; }
        if ((p.decided & part::any_of_decided) == 0) { open_choice(s, n, n.any_of(), false); }
        if ((p.decided & part::one_of_decided) == 0) { open_choice(s, n, n.one_of(), true); }
    }
    s.wanted = s.kinds;
    if (s.kinds == kind_set::all() && s.choice.node == nothing) { s.wanted = spoken_of(s); }
    if (!s.limits_values) { return; }
    kind_set occurring;
    for (const value_view v : s.values) { occurring.add(v.kind()); }
    s.wanted = s.kinds = both(s.kinds, occurring);
}

/// Branches that are each a `const`, an `enum` or null are one enum, so that a text is held against all names at once:
/// `RED or BLUE` is neither the one nor the other.
void shape_table::open_choice(shape& s, node_view n, const std::vector<node_view>& branches, bool of_one_of) {
    static const document null;
    std::vector<value_view> all;
    for (const node_view b : branches) {
        const auto own = b.values();
        const bool is_null = b.kinds() == kind_set().add(value_kind::null);
        const bool says_values_only = (own || is_null) && b.properties().empty() && !b.reference() &&
                                      b.all_of().empty() && b.any_of().empty() && b.one_of().empty() &&
                                      !keyword_of(b, "x-enum-aliases");
        if (!says_values_only) {
            if (s.choice.node == nothing) { s.choice = {n.index(), of_one_of}; }
            return;
        }
        if (own) {
            all.insert(all.end(), own->begin(), own->end());
        } else {
            all.push_back(null.root());
        }
    }
    if (!branches.empty()) { limit_values(s, all); }
}

void shape_table::limit_values(shape& s, const std::vector<value_view>& own) {
    if (s.limits_values) {
        std::erase_if(s.values, [&](value_view v) {
            return std::none_of(own.begin(), own.end(), [&](value_view o) { return same_value(v, o); });
        });
    } else {
        s.values = own;
    }
    s.limits_values = true;
    s.names.clear();
    for (std::uint32_t i = 0; i != s.values.size(); ++i) {
        if (!s.values[i].is(value_kind::string)) { continue; }
        s.names.emplace_back(keep(s, s.values[i]), i, false);
    }
}

/// The text of a string of a schema, for as long as the shape.
std::string_view shape_table::keep(shape& s, value_view string) {
    std::string scratch;
    if (!string.has_escape()) { return string.string(scratch); }
    return s.decoded.emplace_back(string.string());
}

void shape_table::add_values(shape& s, node_view n) {
    const auto own = n.values();
    if (!own) { return; }
    limit_values(s, *own);
    const auto aliases = keyword_of(n, "x-enum-aliases");
    if (!aliases || !aliases->is(value_kind::object)) { return; }
    const std::size_t real = s.names.size();
    for (const jsonheal::member m : aliases->members()) {
        if (!m.value.is(value_kind::array)) { continue; }
        for (std::size_t i = 0; i != real; ++i) {
            if (!m.key.string_is(s.names[i].text)) { continue; }
            for (const value_view alias : m.value.elements()) {
                if (alias.is(value_kind::string)) {
                    s.names.emplace_back(keep(s, alias), s.names[i].value, true);
                }
            }
        }
    }
}

void shape_table::add_properties(shape& s, node_view n) {
    for (const node_view::property& p : n.properties()) {
        const auto [place, added] =
            s.by_key.try_emplace(p.key, static_cast<std::uint32_t>(s.properties.size()));
        if (added) {
            s.properties.emplace_back();
            s.properties.back().key = p.key;
        }
        named_property& own = s.properties[place->second];
        own.required = own.required || p.required;
        if (!p.node) { continue; }
        const node_view to = node(*p.node);
        if (!own.default_value) { own.default_value = keyword_of(to, "default"); }
        const auto aliases = keyword_of(to, "x-aliases");
        if (!aliases || !aliases->is(value_kind::array)) { continue; }
        for (const value_view alias : aliases->elements()) {
            if (alias.is(value_kind::string)) { own.aliases.push_back(alias.string()); }
        }
    }
}

member_rule shape_table::rule_of(std::uint32_t number, std::string_view key) {
    const shape& s = shapes_[number];
    member_rule r;
    if (const auto found = s.by_key.find(key); found != s.by_key.end()) { r.property = found->second; }
    bool known = r.property != nothing;
    for (const part& p : s.parts) {
        const node_view n = node(p.node);
        const auto own = n.property_node(key);
        if (own) {
            r.forbidden = r.forbidden || own->kinds().empty();
            continue;
        }
        if (s.has_patterns && !n.pattern_nodes(key).empty()) {
            known = true;
            continue;
        }
        const auto rest = n.additional();
        known = known || rest;
        r.forbidden = r.forbidden || (rest && rest->kinds().empty());
    }
    r.forbidden = r.forbidden || (s.closed && !known);
    return r;
}

std::uint32_t shape_table::member(std::uint32_t number, std::string_view key) {
    shape& s = shapes_[number];
    const auto found = s.by_key.find(key);
    const bool named = found != s.by_key.end();
    if (named && s.properties[found->second].shape != nothing) { return s.properties[found->second].shape; }
    if (!named && !s.has_patterns && s.other_members != nothing) { return s.other_members; }
    part_list seeds;
    for (const part& p : s.parts) {
        const node_view n = node(p.node);
        const auto own = n.property_node(key);
        if (own) { (void)insert(seeds, {own->index(), 0}); }
        std::vector<node_view> patterns;
        if (s.has_patterns) { patterns = n.pattern_nodes(key); }
        for (const node_view one : patterns) { (void)insert(seeds, {one.index(), 0}); }
        const auto rest = n.additional();
        if (!own && patterns.empty() && rest) { (void)insert(seeds, {rest->index(), 0}); }
    }
    const std::uint32_t made = of(seeds);
    if (named) {
        s.properties[found->second].shape = made;
    } else if (!s.has_patterns) {
        s.other_members = made;
    }
    return made;
}

std::uint32_t shape_table::element(std::uint32_t number, std::size_t index) {
    shape& s = shapes_[number];
    if (index >= s.prefix && s.rest_elements != nothing) { return s.rest_elements; }
    part_list seeds;
    for (const part& p : s.parts) {
        const node_view n = node(p.node);
        const std::vector<node_view> prefix = n.prefix_items();
        if (index < prefix.size()) {
            (void)insert(seeds, {prefix[index].index(), 0});
        } else if (const auto rest = n.rest_items()) {
            (void)insert(seeds, {rest->index(), 0});
        }
    }
    const std::uint32_t made = of(seeds);
    if (index >= s.prefix) { s.rest_elements = made; }
    return made;
}

std::span<const branch> shape_table::branches(std::uint32_t number) {
    shape& s = shapes_[number];
    if (!s.branches.empty()) { return s.branches; }
    const node_view n = node(s.choice.node);
    for (const node_view b : s.choice.of_one_of ? n.one_of() : n.any_of()) {
        part_list seeds = s.parts;
        (void)insert(seeds, {n.index(), s.choice.of_one_of ? part::one_of_decided : part::any_of_decided});
        (void)insert(seeds, {b.index(), 0});
        s.branches.push_back({b.index(), of(seeds)});
    }
    return s.branches;
}

void shape_table::read_folds(shape& s) {
    s.folds_read = true;
    const auto add = [&](std::string_view name, std::uint32_t property) {
        for (const fold_level level : {fold_level::case_only, fold_level::separators}) {
            std::string folded = fold(name, level);
            if (folded.empty()) { continue; }
            const auto [place, added] = s.by_fold.try_emplace(std::move(folded), property);
            if (!added && place->second != property) { place->second = nothing; }
        }
    };
    for (std::uint32_t i = 0; i != s.properties.size(); ++i) {
        add(s.properties[i].key, i);
        for (const std::string& alias : s.properties[i].aliases) { add(alias, i); }
    }
}

std::optional<shape_table::key_reading> shape_table::read_key(std::uint32_t number, std::string_view key) {
    shape& s = shapes_[number];
    for (std::uint32_t i = 0; i != s.properties.size(); ++i) {
        const std::vector<std::string>& aliases = s.properties[i].aliases;
        if (std::find(aliases.begin(), aliases.end(), key) != aliases.end()) {
            return key_reading{i, align_rule::key_alias};
        }
    }
    if (!s.folds_read) { read_folds(s); }
    for (const fold_level level : {fold_level::case_only, fold_level::separators}) {
        const std::string folded = fold(key, level);
        const auto found = folded.empty() ? s.by_fold.end() : s.by_fold.find(folded);
        if (found == s.by_fold.end()) { continue; }
        if (found->second == nothing) { return std::nullopt; }
        const named_property& p = s.properties[found->second];
        const auto alike = [&](fold_level l) { return fold(p.key, l) == fold(key, l); };
        if (alike(fold_level::case_only)) { return key_reading{found->second, align_rule::key_case}; }
        if (alike(fold_level::separators)) { return key_reading{found->second, align_rule::key_spelling}; }
        return key_reading{found->second, align_rule::key_alias};
    }
    return std::nullopt;
}

} // namespace jsonheal::align_detail
