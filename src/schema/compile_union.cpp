/// @file compile_union.cpp
/// Which branches of a union can fit a value, told before any of them is evaluated.
///
/// The value's kind tells, a scalar's `const` or `enum`, and for objects the keys: a discriminator, whose `const` or `enum`
/// differs from branch to branch, keys that some branches require, and keys that some forbid. What is worked out here
/// only ever rules out branches that would fail.

#include "compiler.hpp"
#include "numbers.hpp"
#include "regex.hpp"

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
    std::uint8_t kinds = 0x3F;
    bool named = false;
    bool required = false;
};

struct branch_rules {
    std::uint8_t kinds = 0x3F;
    const value_set* values = nullptr; ///< of the value itself
    std::map<std::string_view, key_rule> keys;
    std::vector<const object_shape*> shapes;
};

const value_set* short_set_of(const program_data& p, const node& n) {
    const instruction* const in = find_instruction(p, n, opcode::value_set);
    return in != nullptr && p.value_sets[in->a].all.size() <= most_values ? &p.value_sets[in->a] : nullptr;
}

void add_property(const program_data& p, const property& prop, key_rule& rule) {
    rule.required = rule.required || prop.required_bit != 0;
    if (prop.to.at == none) { return; }
    rule.named = true;
    rule.kinds &= kinds_of(p, prop.to.at);
    for (const node* sub : conjuncts_of(p, prop.to.at)) {
        if (const value_set* const set = short_set_of(p, *sub)) { rule.values = set; }
    }
}

/// Keys and values, but for the kinds, which are known.
void complete(branch_rules& rules, const program_data& p, std::uint32_t branch, bool keys) {
    for (const node* n : conjuncts_of(p, branch)) {
        if (const value_set* const set = short_set_of(p, *n)) { rules.values = set; }
        const instruction* const in = find_instruction(p, *n, opcode::properties);
        if (in == nullptr || !keys || (rules.kinds & bit(value_kind::object)) == 0) { continue; }
        const object_shape& shape = p.objects[in->a];
        rules.shapes.push_back(&shape);
        for (std::uint32_t i = 0; i != std::min(shape.properties.count, most_keys); ++i) {
            const property& prop = p.properties[shape.properties.begin + i];
            add_property(p, prop, rules.keys[prop.key]);
        }
    }
}

/// The kinds that a key may have where `additionalProperties` speaks of it. Up to `most_patterns` are asked.
std::uint8_t kinds_of_unnamed(const program_data& p, const object_shape& shape, std::string_view key) {
    constexpr std::uint32_t most_patterns = 8;
    if (shape.additional.at == none || shape.patterns.count > most_patterns) { return 0x3F; }
    const std::uint32_t found = shape.keys.find(key);
    if (found != key_table::not_found && p.properties[found].to.at != none) { return 0x3F; }
    for (std::uint32_t i = 0; i != shape.patterns.count; ++i) {
        const pattern_edge& pattern = p.pattern_edges[shape.patterns.begin + i];
        std::uint64_t budget = 1'000;
        if (p.regexes[pattern.regex]->find_in(key, budget) != match::no) { return 0x3F; }
    }
    return p.nodes[shape.additional.at].kinds;
}

key_rule rule_for(const program_data& p, const branch_rules& branch, std::string_view key) {
    const auto found = branch.keys.find(key);
    key_rule rule = found == branch.keys.end() ? key_rule{} : found->second;
    for (const object_shape* shape : branch.shapes) { rule.kinds &= kinds_of_unnamed(p, *shape, key); }
    return rule;
}

using all_rules = std::vector<branch_rules>;

/// The key that most branches tell apart by its values; nothing if none does so in two branches.
std::string_view discriminator_of(const all_rules& rules) {
    std::map<std::string_view, std::size_t> votes;
    for (const branch_rules& branch : rules) {
        for (const auto& [key, rule] : branch.keys) {
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

void add_branch(value_filter& f, const value_set* values, std::uint8_t kinds, std::uint64_t own) {
    for (unsigned k = 0; k != 6; ++k) {
        if ((kinds >> k & 1) != 0) { f.by_kind[k] |= own; }
    }
    if (values == nullptr) {
        f.unbound |= own;
        return;
    }
    f.by_value = true;
    for (const value_view v : values->all) { f.add(v, own); }
}

discriminator make_discriminator(const all_rules& rules, std::string_view key) {
    discriminator d;
    d.key = key;
    for (std::size_t b = 0; b != rules.size(); ++b) {
        const auto found = rules[b].keys.find(key);
        const key_rule rule = found == rules[b].keys.end() ? key_rule{} : found->second;
        const std::uint64_t own = std::uint64_t{1} << b;
        if (!rule.required) { d.absent |= own; }
        add_branch(d.values, rule.values, 0x3F, own);
    }
    return d;
}

/// Keys that may tell branches apart, the better sort if there is one: those with values and those that some branches
/// require and others do not; else those that some branches forbid.
std::vector<std::string_view> telling_keys(const program_data& p, const all_rules& rules) {
    std::map<std::string_view, bool> all;
    for (const branch_rules& branch : rules) {
        for (const auto& [key, rule] : branch.keys) { all[key] = false; }
    }
    std::vector<std::string_view> strong;
    std::vector<std::string_view> weak;
    for (const auto& [key, unused] : all) {
        std::size_t objects = 0;
        std::size_t required = 0;
        std::size_t forbidden = 0;
        bool values = false;
        for (const branch_rules& branch : rules) {
            if ((branch.kinds & bit(value_kind::object)) == 0) { continue; }
            const key_rule rule = rule_for(p, branch, key);
            ++objects;
            required += rule.required ? 1 : 0;
            forbidden += rule.kinds == 0 ? 1 : 0;
            values = values || rule.values != nullptr;
        }
        if (objects < 2) { return {}; }
        if (values || (required != 0 && required != objects)) {
            strong.push_back(key);
        } else if (forbidden != 0 && forbidden != objects) {
            weak.push_back(key);
        }
    }
    std::vector<std::string_view>& best = strong.empty() ? weak : strong;
    constexpr std::size_t most_strong = 64; // bits
    constexpr std::size_t most_weak = 16;
    best.resize(std::min(best.size(), strong.empty() ? most_weak : most_strong));
    return best;
}

key_filter filter_of(const program_data& p, const all_rules& rules) {
    key_filter made;
    made.required.assign(rules.size(), 0);
    for (const std::string_view key : telling_keys(p, rules)) {
        value_filter f;
        const std::uint64_t key_bit = std::uint64_t{1} << made.members.size();
        for (std::size_t b = 0; b != rules.size(); ++b) {
            const key_rule rule = rule_for(p, rules[b], key);
            add_branch(f, rule.values, rule.kinds, std::uint64_t{1} << b);
            if (rule.required) { made.required[b] |= key_bit; }
        }
        made.telling.emplace_back(key);
        made.keys.add(key, static_cast<std::uint32_t>(made.members.size()));
        made.members.push_back(std::move(f));
    }
    made.keys.settle();
    return made;
}

} // namespace

void value_filter::add(value_view named, std::uint64_t branch) {
    const bool number = named.is(value_kind::number);
    if (number) { with_numbers |= branch; }
    if (named.is(value_kind::string)) {
        std::string scratch;
        const std::string_view text = named.string(scratch);
        std::uint32_t at = strings.find(text);
        if (at == key_table::not_found) {
            at = static_cast<std::uint32_t>(masks.size());
            strings.add(text, at);
            masks.push_back(0);
        }
        masks[at] |= branch;
    } else if (const auto small = number ? short_integer(named.source()) : std::nullopt) {
        const auto at =
            std::lower_bound(integers.begin(), integers.end(), std::pair(*small, std::uint64_t{0}));
        if (at != integers.end() && at->first == *small) {
            at->second |= branch;
        } else {
            integers.insert(at, {*small, branch});
        }
    } else {
        with_others |= branch;
    }
}

std::uint64_t value_filter::naming(value_view v) const {
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

std::uint64_t program_data::candidates(const union_shape& u, value_view v) const {
    const std::uint64_t mask = u.by_kind[static_cast<std::size_t>(v.kind())];
    if (u.by_discriminator == none || !v.is(value_kind::object) || std::has_single_bit(mask)) { return mask; }
    const discriminator& d = discriminators[u.by_discriminator];
    std::string scratch;
    for (const member m : v.members()) {
        if (text_of(m.key, scratch) != d.key) { continue; }
        return mask & (d.values.unbound | d.values.naming(m.value));
    }
    return mask & d.absent;
}

void compiler::filter_union(union_shape& u) {
    if (u.branches.count > 64) { return; }
    u.filtered = true;
    all_rules rules(u.branches.count);
    for (std::uint32_t b = 0; b != u.branches.count; ++b) {
        rules[b].kinds = kinds_of(program_, program_.edges[u.branches.begin + b].at);
        for (unsigned k = 0; k != 6; ++k) {
            if ((rules[b].kinds >> k & 1) != 0) { u.by_kind[k] |= std::uint64_t{1} << b; }
        }
    }
    u.quick_by_kind = u.by_kind;
    // Where the kind tells all, nothing more has to be known.
    const auto several = [&u](std::size_t k) { return (u.by_kind[k] & (u.by_kind[k] - 1)) != 0; };
    const bool objects = several(static_cast<std::size_t>(value_kind::object));
    const bool scalars = several(0) || several(1) || several(2) || several(3);
    if (!objects && !scalars) { return; }
    value_filter self;
    for (std::uint32_t b = 0; b != u.branches.count; ++b) {
        complete(rules[b], program_, program_.edges[u.branches.begin + b].at, objects);
        if (scalars) { add_branch(self, rules[b].values, rules[b].kinds, std::uint64_t{1} << b); }
    }
    if (self.by_value) {
        self.strings.settle();
        u.by_value = static_cast<std::uint32_t>(program_.value_filters.size());
        program_.value_filters.push_back(std::move(self));
    }
    if (!objects) { return; }
    if (const std::string_view key = discriminator_of(rules); !key.empty()) {
        u.by_discriminator = static_cast<std::uint32_t>(program_.discriminators.size());
        program_.discriminators.push_back(make_discriminator(rules, key));
    }
    std::uint64_t work = 0; // every key beside every branch and its patterns
    std::uint64_t named = 0;
    for (const branch_rules& branch : rules) {
        named += branch.keys.size();
        ++work;
        for (const object_shape* shape : branch.shapes) { work += shape->patterns.count; }
    }
    work *= named;
    if (work > filter_work_) { return; }
    filter_work_ -= work;
    key_filter keys = filter_of(program_, rules);
    if (keys.members.empty()) { return; }
    u.by_keys = static_cast<std::uint32_t>(program_.key_filters.size());
    program_.key_filters.push_back(std::move(keys));
}

} // namespace jsonheal::schema::detail
