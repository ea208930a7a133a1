/// @file compile_quick.cpp
/// Puts what the fast face asks for where it looks: kinds into edges, patterns that a named key matches into its property,
/// beside `unevaluatedProperties` what is evaluated, where that does not depend on the instance.

#include "compiler.hpp"
#include "regex.hpp"

#include <algorithm>
#include <bit>

namespace jsonheal::schema::detail {

quick_edge compiler::quick_to(const edge& e) const {
    if (e.at == none) { return {}; }
    quick_edge made{e.run, 0, 0};
    for (unsigned k = 0; k != 6; ++k) {
        const quick_run::sort what = program_.quick_nodes[e.run][k].what;
        if (what != quick_run::sort::fail) { made.kinds = static_cast<std::uint8_t>(made.kinds | 1u << k); }
        if (what == quick_run::sort::pass) {
            made.trivial = static_cast<std::uint8_t>(made.trivial | 1u << k);
        }
    }
    return made;
}

/// The patterns that a key matches, a bit each; nothing where that is not known.
std::optional<std::uint32_t> compiler::patterns_of(const object_shape& shape, std::string_view key) {
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i != shape.patterns.count; ++i) {
        const pattern_edge& pattern = program_.pattern_edges[shape.patterns.begin + i];
        const match m = program_.regexes[pattern.regex]->find_in(key, pattern_steps_);
        if (m == match::limit) { return std::nullopt; }
        if (m == match::yes) { found |= 1u << i; }
    }
    return found;
}

/// Finds the patterns that named keys match. False if the shape is left to the machine.
bool compiler::find_patterns(const object_shape& shape) {
    constexpr std::uint32_t most_patterns = 32; // bits
    constexpr std::uint64_t most_asked = 100'000;
    const std::uint64_t asked = std::uint64_t{shape.patterns.count} * shape.properties.count;
    if (shape.patterns.count > most_patterns || asked > most_asked) { return false; }
    for (std::uint32_t i = 0; i != shape.properties.count; ++i) {
        property& p = program_.properties[shape.properties.begin + i];
        const std::optional<std::uint32_t> patterns = patterns_of(shape, p.key);
        if (!patterns) { return false; }
        p.patterns = *patterns;
    }
    return true;
}

void compiler::prepare_object(object_shape& shape) {
    shape.quick_additional = quick_to(shape.additional);
    shape.required_count = static_cast<std::uint32_t>(std::popcount(shape.required));
    for (std::uint32_t i = 0; i != shape.properties.count; ++i) {
        property& p = program_.properties[shape.properties.begin + i];
        const bool unnamed = p.to.at == none && p.patterns == 0;
        p.quick = unnamed ? shape.quick_additional : quick_to(p.to);
    }
}

namespace {

constexpr std::size_t most_nodes = 64;

bool evaluates(const instruction& in, const program_data& p, bool items) {
    if (items) {
        return in.op == opcode::items || in.op == opcode::contains || in.op == opcode::unevaluated_items;
    }
    if (in.op == opcode::unevaluated_properties) { return true; }
    if (in.op != opcode::properties) { return false; }
    const object_shape& shape = p.objects[in.a];
    return shape.properties_at != none || shape.patterns.count != 0 || shape.additional.at != none;
}

void add_evaluated(const instruction& in, const program_data& p, evaluated_set& set) {
    if (in.op == opcode::items) {
        const items_shape& shape = p.items[in.a];
        set.all = set.all || shape.rest.at != none;
        set.elements = std::max(set.elements, shape.prefix.count);
    } else if (in.op == opcode::properties) {
        const object_shape& shape = p.objects[in.a];
        set.all = set.all || shape.additional.at != none;
        for (std::uint32_t i = 0; i != shape.properties.count; ++i) {
            const property& named = p.properties[shape.properties.begin + i];
            if (named.to.at != none) { set.keys.set(named.key, 0); }
        }
        for (std::uint32_t i = 0; i != shape.patterns.count; ++i) {
            set.patterns.push_back(p.pattern_edges[shape.patterns.begin + i].regex);
        }
    } else {
        set.all = true; // a further `unevaluated…`
    }
}

/// What the keywords of a node evaluate, if nothing does so only where a branch fits. `own`: the instruction that asks.
std::optional<evaluated_set> always_evaluated(const program_data& p, std::uint32_t node_index,
                                              const instruction* own) {
    const bool items = own->op == opcode::unevaluated_items;
    struct place {
        std::uint32_t node;
        bool certain;
    };
    evaluated_set set;
    std::vector<place> todo{{node_index, true}};
    for (std::size_t seen = 0; !todo.empty(); ++seen) {
        if (seen == most_nodes) { return std::nullopt; }
        const place here = todo.back();
        todo.pop_back();
        const node& n = p.nodes[here.node];
        for (std::uint32_t i = 0; i != n.ends.back(); ++i) {
            const instruction& in = p.code[n.first + i];
            if (&in == own) { continue; }
            if (in.op == opcode::dynamic_reference) { return std::nullopt; }
            if (evaluates(in, p, items)) {
                if (!here.certain || in.op == opcode::contains) { return std::nullopt; }
                add_evaluated(in, p, set);
            }
            const bool certain = here.certain && (in.op == opcode::reference || in.op == opcode::all_of);
            if (in.op == opcode::negation) { continue; }
            for_each_in_place(p, in, [&](const edge& e) { todo.push_back({e.at, certain}); });
        }
    }
    set.keys.settle();
    return set;
}

} // namespace

/// Whether `quick` can decide the node.
bool compiler::prepare_node(std::uint32_t index, const std::vector<bool>& ready) {
    const node& n = program_.nodes[index];
    for (std::uint32_t i = 0; i != n.ends.back(); ++i) {
        instruction& in = program_.code[n.first + i];
        if (in.op == opcode::properties && !ready[in.a]) { return false; }
        if (in.op != opcode::unevaluated_items && in.op != opcode::unevaluated_properties) { continue; }
        in.b = none;
        std::optional<evaluated_set> set = always_evaluated(program_, index, &in);
        if (!set) { return false; }
        in.b = static_cast<std::uint32_t>(program_.evaluated_sets.size());
        program_.evaluated_sets.push_back(std::move(*set));
    }
    return true;
}

void compiler::prepare_quick() {
    if (program_.has_dynamic) { return; }
    std::vector<bool> ready(program_.objects.size(), true);
    for (std::size_t i = 0; i != ready.size(); ++i) { ready[i] = find_patterns(program_.objects[i]); }
    for (std::uint32_t i = 0; i != program_.nodes.size(); ++i) {
        if (!prepare_node(i, ready)) { program_.nodes[i].flags |= node::slow; }
    }
    flatten();
    narrow_unions();
    for (pattern_edge& e : program_.pattern_edges) { e.quick = quick_to(e.to); }
    for (items_shape& s : program_.items) { s.quick_rest = quick_to(s.rest); }
    for (object_shape& s : program_.objects) { prepare_object(s); }
}

} // namespace jsonheal::schema::detail
