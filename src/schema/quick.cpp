/// @file quick.cpp
/// The fast face: nodes, and instructions that apply further subschemas to the same value.

#include "quick.hpp"

#include <algorithm>
#include <bit>

namespace jsonheal::schema::detail {

namespace {

constexpr bool is_one_or_none(std::uint64_t mask) noexcept { return (mask & (mask - 1)) == 0; }

} // namespace

quick::quick(const program_data& p, value_view root, const validate_limits& limits)
    : evaluation(p, root, limits),
      nodes_(p.quick_nodes.data()),
      code_(p.quick_code.data()),
      properties_(p.properties.data()),
      most_steps_(std::min(limits.steps, 4096 + 32 * std::uint64_t{root.end_index() - root.index()})) {}

quick_answer quick::run(std::uint32_t node_index) {
    const bool ok = fits(p_.nodes[node_index].run, root_.index(), most_depth);
    if (gave_up_ || stopped_ != stop_reason::nothing) { return quick_answer::gave_up; }
    return ok ? quick_answer::yes : quick_answer::no;
}

inline bool quick::step(const instruction& in, std::uint32_t value, unsigned depth) {
    switch (in.op) {
    case opcode::value_set: return in_value_set(p_.value_sets[in.a], value);
    case opcode::properties: return object(p_.objects[in.a], value, depth);
    case opcode::items: return items(p_.items[in.a], value, depth);
    case opcode::contains: return contains(p_.contains[in.a], value, depth);
    case opcode::property_names: return property_names(p_.edges[in.a].run, value, depth);
    case opcode::dependent_schemas: return dependent_schemas(p_.dependencies[in.a], value, depth);
    case opcode::reference: return fits(p_.edges[in.a].run, value, depth);
    case opcode::all_of: return all_of(p_.unions[in.a], value, depth);
    case opcode::any_of: return any_of(p_.unions[in.a], value, depth);
    case opcode::one_of: return one_of(p_.unions[in.a], value, depth);
    case opcode::negation: return !fits(p_.edges[in.a].run, value, depth);
    case opcode::condition: {
        const edge& branch = p_.edges[in.a + (fits(p_.edges[in.a].run, value, depth) ? 1 : 2)];
        return branch.at == none || fits(branch.run, value, depth);
    }
    case opcode::unevaluated_properties: return unevaluated_properties(in, value, depth);
    case opcode::unevaluated_items: return unevaluated_items(in, value, depth);
    default: return leaf(in, value);
    }
}

bool quick::ask(const quick_run& r, std::uint32_t value, unsigned depth) {
    if (++steps_ > most_steps_ || depth == 0) [[unlikely]] { return give_up(); }
    if (r.what == quick_run::sort::by_frames) [[unlikely]] { return fits_by_machine(r.first, value); }
    const instruction* in = code_ + r.first;
    const instruction* const end = in + r.count;
    do {
        if (!step(*in, value, depth - 1)) { return false; }
    } while (++in != end);
    return true;
}

bool quick::all_of(const union_shape& u, std::uint32_t value, unsigned depth) {
    const edge* const branches = p_.edges.data() + u.branches.begin;
    steps_ += u.branches.count;
    return std::all_of(branches, branches + u.branches.count,
                       [&](const edge& e) { return fits(e.run, value, depth); });
}

bool quick::any_of(const union_shape& u, std::uint32_t value, unsigned depth) {
    const edge* const branches = p_.edges.data() + u.branches.begin;
    if (!u.filtered) {
        steps_ += u.branches.count;
        return std::any_of(branches, branches + u.branches.count,
                           [&](const edge& e) { return fits(e.run, value, depth); });
    }
    for (std::uint64_t mask = candidates(u, value); mask != 0; mask &= mask - 1) {
        if (fits(branches[std::countr_zero(mask)].run, value, depth)) { return true; }
    }
    return false;
}

bool quick::one_of(const union_shape& u, std::uint32_t value, unsigned depth) {
    const edge* const branches = p_.edges.data() + u.branches.begin;
    unsigned fitting = 0;
    if (!u.filtered) {
        steps_ += u.branches.count;
        for (std::uint32_t i = 0; i != u.branches.count && fitting < 2; ++i) {
            if (fits(branches[i].run, value, depth)) { ++fitting; }
        }
        return fitting == 1;
    }
    for (std::uint64_t mask = candidates(u, value); mask != 0 && fitting < 2; mask &= mask - 1) {
        if (fits(branches[std::countr_zero(mask)].run, value, depth)) { ++fitting; }
    }
    return fitting == 1;
}

inline std::uint64_t quick::naming(const value_filter& f, std::uint32_t value) {
    if (tape_[value].kind() != value_kind::string) { return f.unbound | f.naming(at(value)); }
    key_ends ends;
    const std::string_view text = content(value, ends);
    const std::uint32_t found = f.strings.find(text, ends);
    return found == key_table::not_found ? f.unbound : f.unbound | f.masks[found];
}

std::uint64_t quick::candidates(const union_shape& u, std::uint32_t value) {
    const value_kind kind = tape_[value].kind();
    const std::uint64_t mask = u.quick_by_kind[static_cast<std::size_t>(kind)];
    if (is_one_or_none(mask)) { return mask; }
    if (kind == value_kind::object) {
        return u.by_keys == none ? mask : candidates_by_keys(p_.key_filters[u.by_keys], value, mask);
    }
    return u.by_value == none ? mask : mask & naming(p_.value_filters[u.by_value], value);
}

std::uint64_t quick::candidates_by_keys(const key_filter& f, std::uint32_t object, std::uint64_t mask) {
    std::uint64_t seen = 0;
    const std::uint32_t end = tape_[object].next;
    for (std::uint32_t key = object + 1; key != end; key = behind(key + 1)) {
        ++steps_;
        key_ends ends;
        const std::string_view text = content(key, ends);
        const std::uint32_t found = f.keys.find(text, ends);
        if (found == key_table::not_found) { continue; }
        const value_filter& member = f.members[found];
        seen |= std::uint64_t{1} << found;
        mask &= member.by_kind[static_cast<std::size_t>(tape_[key + 1].kind())];
        if (member.by_value) { mask &= naming(member, key + 1); }
        if (is_one_or_none(mask)) { return mask; }
    }
    std::uint64_t kept = mask;
    for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) {
        const std::uint64_t required = f.required[static_cast<std::size_t>(std::countr_zero(rest))];
        if ((required & ~seen) != 0) { kept &= ~(rest & (~rest + 1)); }
    }
    return kept;
}

} // namespace jsonheal::schema::detail
