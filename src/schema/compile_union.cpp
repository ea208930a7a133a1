/// @file compile_union.cpp
/// Which branches of a union can fit a value, told before any of them is evaluated.
///
/// Two things tell: the value's kind, and for objects a discriminator, a property whose `const` or `enum` differs
/// from branch to branch. What is worked out here only ever rules out branches that would fail.

#include "compiler.hpp"
#include "numbers.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace jsonheal::schema::detail {

namespace {

/// Subschemas that hold wherever one holds: itself, what it refers to, its `allOf`. Bounded, since the rest can only tell
/// more.
std::vector<const node*> conjuncts_of(const program_data& p, std::uint32_t index) {
    constexpr std::size_t most = 16;
    std::vector<const node*> found;
    std::vector<std::uint32_t> todo{index};
    while (!todo.empty() && found.size() < most) {
        const node& n = p.nodes[todo.back()];
        todo.pop_back();
        found.push_back(&n);
        for (std::uint32_t i = 0; i != n.ends.back(); ++i) {
            const instruction& in = p.code[n.first + i];
            if (in.op == opcode::reference) { todo.push_back(p.edges[in.a].at); }
            if (in.op != opcode::all_of) { continue; }
            const range r = p.unions[in.a].branches;
            for (std::uint32_t b = 0; b != std::min<std::uint32_t>(r.count, most); ++b) {
                todo.push_back(p.edges[r.begin + b].at);
            }
        }
    }
    return found;
}

const instruction* find_instruction(const program_data& p, const node& n, opcode op) {
    for (std::uint32_t i = 0; i != n.ends.back(); ++i) {
        if (p.code[n.first + i].op == op) { return &p.code[n.first + i]; }
    }
    return nullptr;
}

std::uint8_t kinds_of(const program_data& p, std::uint32_t index) {
    std::uint8_t kinds = 0x3F;
    for (const node* n : conjuncts_of(p, index)) {
        kinds &= n->kinds;
        if (const instruction* in = find_instruction(p, *n, opcode::value_set)) {
            kinds &= p.value_sets[in->a].kinds;
        }
    }
    return kinds;
}

// A schema may refer to one large subschema from very many unions: what is looked at in each is bounded.
constexpr std::uint32_t most_keys = 64;
constexpr std::size_t most_values = 256;

/// What a branch says about one key.
struct key_rule {
    const value_set* values = nullptr; ///< null: not told apart by values
    bool required = false;
};

std::map<std::string_view, key_rule> key_rules_of(const program_data& p, std::uint32_t branch) {
    std::map<std::string_view, key_rule> rules;
    for (const node* n : conjuncts_of(p, branch)) {
        const instruction* const in = find_instruction(p, *n, opcode::properties);
        if (in == nullptr) { continue; }
        const range r = p.objects[in->a].properties;
        for (std::uint32_t i = 0; i != std::min(r.count, most_keys); ++i) {
            const property& prop = p.properties[r.begin + i];
            key_rule& rule = rules[prop.key];
            rule.required = rule.required || prop.required_bit != 0;
            if (prop.to.at == none) { continue; }
            for (const node* sub : conjuncts_of(p, prop.to.at)) {
                const instruction* const set = find_instruction(p, *sub, opcode::value_set);
                if (set != nullptr && p.value_sets[set->a].all.size() <= most_values) {
                    rule.values = &p.value_sets[set->a];
                }
            }
        }
    }
    return rules;
}

using branch_rules = std::vector<std::map<std::string_view, key_rule>>;

/// The key that most branches tell apart by its values; nothing if none does so in two branches.
std::string_view discriminator_of(const branch_rules& rules) {
    std::map<std::string_view, std::size_t> votes;
    for (const auto& branch : rules) {
        for (const auto& [key, rule] : branch) {
            if (rule.values != nullptr) { ++votes[key]; }
        }
    }
    std::string_view best;
    std::size_t most = 1;
    for (const auto& [key, count] : votes) {
        if (count > most) {
            best = key;
            most = count;
        }
    }
    return best;
}

void add_integer(union_shape& u, std::int64_t value, std::uint64_t branch) {
    const auto at =
        std::lower_bound(u.integers.begin(), u.integers.end(), std::pair(value, std::uint64_t{0}));
    if (at != u.integers.end() && at->first == value) {
        at->second |= branch;
    } else {
        u.integers.insert(at, {value, branch});
    }
}

void add_string(union_shape& u, std::string_view text, std::uint64_t branch) {
    std::uint32_t at = u.strings.find(text);
    if (at == key_table::not_found) {
        at = static_cast<std::uint32_t>(u.masks.size());
        u.strings.add(text, at);
        u.masks.push_back(0);
    }
    u.masks[at] |= branch;
}

void add_discriminator(union_shape& u, const branch_rules& rules, std::string_view key) {
    u.discriminator = key;
    u.has_discriminator = true;
    for (std::size_t b = 0; b != rules.size(); ++b) {
        const auto found = rules[b].find(key);
        const key_rule rule = found == rules[b].end() ? key_rule{} : found->second;
        const std::uint64_t own = std::uint64_t{1} << b;
        if (!rule.required) { u.absent |= own; }
        if (rule.values == nullptr) {
            u.unbound |= own;
            continue;
        }
        std::string scratch;
        for (const value_view v : rule.values->all) {
            const bool number = v.is(value_kind::number);
            if (number) { u.with_numbers |= own; }
            if (v.is(value_kind::string)) {
                add_string(u, v.string(scratch), own);
            } else if (const auto small = number ? short_integer(v.source()) : std::nullopt) {
                add_integer(u, *small, own);
            } else {
                u.with_others |= own;
            }
        }
    }
}

} // namespace

/// Branches that may name the value of the discriminator.
std::uint64_t union_shape::branches_naming(value_view v) const {
    std::string scratch;
    if (v.is(value_kind::string)) {
        const std::uint32_t found = strings.find(text_of(v, scratch));
        return found == key_table::not_found ? 0 : masks[found];
    }
    if (!v.is(value_kind::number)) { return with_others; }
    const auto small = short_integer(v.source());
    if (!small) { return with_numbers; } // 1.0 is 1, too
    const auto at = std::lower_bound(integers.begin(), integers.end(), std::pair(*small, std::uint64_t{0}));
    return with_others | (at != integers.end() && at->first == *small ? at->second : 0);
}

std::uint64_t union_shape::candidates(value_view v) const {
    const std::uint64_t mask = by_kind[static_cast<std::size_t>(v.kind())];
    if (!has_discriminator || !v.is(value_kind::object) || std::has_single_bit(mask)) { return mask; }
    std::string scratch;
    for (const member m : v.members()) {
        if (text_of(m.key, scratch) != discriminator) { continue; }
        return mask & (unbound | branches_naming(m.value));
    }
    return mask & absent;
}

void compiler::filter_union(union_shape& u) const {
    if (u.branches.count > 64) { return; }
    u.filtered = true;
    branch_rules rules;
    for (std::uint32_t b = 0; b != u.branches.count; ++b) {
        const std::uint32_t branch = program_.edges[u.branches.begin + b].at;
        const std::uint8_t kinds = kinds_of(program_, branch);
        for (unsigned k = 0; k != 6; ++k) {
            if ((kinds >> k & 1u) != 0) { u.by_kind[k] |= std::uint64_t{1} << b; }
        }
        rules.push_back((kinds & bit(value_kind::object)) != 0 ? key_rules_of(program_, branch)
                                                               : std::map<std::string_view, key_rule>{});
    }
    const std::string_view key = discriminator_of(rules);
    if (!key.empty()) { add_discriminator(u, rules, key); }
}

} // namespace jsonheal::schema::detail
