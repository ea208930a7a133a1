/// @file quick_parts.cpp
/// The fast face: instructions over the members of an object and the elements of an array.

#include "quick.hpp"

namespace jsonheal::schema::detail {

/// The property that a key names, or null. Texts mostly have their keys in the schema's order, so `next` is looked at
/// first.
inline const property* quick::property_of(const object_shape& shape, std::uint32_t key,
                                          const property*& next) {
    key_ends ends;
    const std::string_view text = content(key, ends);
    const property* const first = properties_ + shape.properties.begin;
    const property* found = next;
    if (found == first + shape.properties.count || found->ends != ends) {
        std::uint32_t n = 0;
        if (shape.keys.perfect()) [[likely]] {
            n = shape.keys.sight(ends);
            if (n == key_table::not_found || first[n].ends != ends) { return nullptr; }
        } else {
            n = shape.keys.find(text, ends);
            if (n == key_table::not_found) { return nullptr; }
            n -= shape.properties.begin;
        }
        found = first + n;
    }
    if (!same_between_ends(found->key, text)) { return nullptr; }
    next = found + 1;
    return found;
}

bool quick::object(const object_shape& shape, std::uint32_t value, unsigned depth) {
    const std::uint32_t members = tape_[value].bits / entry::one_child;
    steps_ += members;
    if (members < shape.required_count) { return false; }
    const std::uint32_t end = tape_[value].next;
    const property* next = properties_ + shape.properties.begin;
    std::uint64_t seen = 0;
    for (std::uint32_t key = value + 1; key != end; key = behind(key + 1)) {
        const std::uint32_t member = key + 1;
        const property* const named = property_of(shape, key, next);
        const quick_edge* to = &shape.quick_additional;
        if (named != nullptr) [[likely]] {
            seen |= named->required_bit;
            if (named->patterns != 0 && !by_patterns(shape, named->patterns, member, depth)) { return false; }
            to = &named->quick;
        } else if (shape.patterns.count != 0) {
            if (!unnamed(shape, key, depth)) { return false; }
            continue;
        }
        if (!admits(*to, member, depth)) { return false; }
    }
    return (seen & shape.required) == shape.required;
}

bool quick::by_patterns(const object_shape& shape, std::uint32_t patterns, std::uint32_t value,
                        unsigned depth) {
    for (std::uint32_t i = 0; i != shape.patterns.count; ++i) {
        if ((patterns >> i & 1u) == 0) { continue; }
        if (!admits(p_.pattern_edges[shape.patterns.begin + i].quick, value, depth)) { return false; }
    }
    return true;
}

/// A member that `properties` does not name.
bool quick::unnamed(const object_shape& shape, std::uint32_t key, unsigned depth) {
    bool applied = false;
    for (std::uint32_t i = 0; i != shape.patterns.count; ++i) {
        const pattern_edge& pattern = p_.pattern_edges[shape.patterns.begin + i];
        if (!matches(pattern.regex, content(key))) { continue; }
        applied = true;
        if (!admits(pattern.quick, key + 1, depth)) { return false; }
    }
    steps_ += shape.patterns.count;
    return applied || admits(shape.quick_additional, key + 1, depth);
}

bool quick::property_names(std::uint32_t node_index, std::uint32_t value, unsigned depth) {
    const std::uint32_t end = tape_[value].next;
    for (std::uint32_t key = value + 1; key != end; key = behind(key + 1)) {
        ++steps_;
        if (!fits(node_index, key, depth)) { return false; }
    }
    return true;
}

bool quick::dependent_schemas(const std::vector<dependency>& list, std::uint32_t value, unsigned depth) {
    const value_view o = at(value);
    for (const dependency& d : list) {
        steps_ += o.size();
        if (o.find(d.key) && !fits(d.to.run, value, depth)) { return false; }
    }
    return true;
}

bool quick::unevaluated_properties(const instruction& in, std::uint32_t value, unsigned depth) {
    const evaluated_set& set = p_.evaluated_sets[in.b];
    if (tape_[value].kind() != value_kind::object || set.all) { return true; }
    const std::uint32_t end = tape_[value].next;
    for (std::uint32_t key = value + 1; key != end; key = behind(key + 1)) {
        ++steps_;
        key_ends ends;
        const std::string_view text = content(key, ends);
        if (set.keys.find(text, ends) != key_table::not_found) { continue; }
        steps_ += set.patterns.size();
        const bool matched = std::any_of(set.patterns.begin(), set.patterns.end(),
                                         [&](std::uint32_t regex) { return matches(regex, text); });
        if (!matched && !fits(p_.edges[in.a].run, key + 1, depth)) { return false; }
    }
    return true;
}

bool quick::unevaluated_items(const instruction& in, std::uint32_t value, unsigned depth) {
    const evaluated_set& set = p_.evaluated_sets[in.b];
    if (tape_[value].kind() != value_kind::array || set.all) { return true; }
    const std::uint32_t end = tape_[value].next;
    std::uint32_t place = 0;
    for (std::uint32_t element = value + 1; element != end; element = behind(element)) {
        ++steps_;
        if (place++ >= set.elements && !fits(p_.edges[in.a].run, element, depth)) { return false; }
    }
    return true;
}

bool quick::items(const items_shape& shape, std::uint32_t value, unsigned depth) {
    const std::uint32_t end = tape_[value].next;
    std::uint32_t element = value + 1;
    steps_ += tape_[value].bits / entry::one_child;
    for (std::uint32_t i = 0; i != shape.prefix.count && element != end; ++i) {
        if (!fits(p_.edges[shape.prefix.begin + i].run, element, depth)) { return false; }
        element = behind(element);
    }
    if (shape.rest.at == none) { return true; }
    const quick_edge rest = shape.quick_rest;
    const entry* const tape = tape_;
    while (element != end) {
        const unsigned kind = tape[element].bits & entry::kind_mask;
        if ((unsigned{rest.trivial} >> kind & 1u) == 0 && !admits(rest, element, depth)) { return false; }
        element = kind < static_cast<unsigned>(value_kind::array) ? element + 1 : tape[element].next;
    }
    return true;
}

bool quick::contains(const contains_shape& shape, std::uint32_t value, unsigned depth) {
    const std::uint32_t end = tape_[value].next;
    const bool unbounded = shape.most == ~std::uint64_t{0};
    std::uint64_t fitting = 0;
    for (std::uint32_t element = value + 1; element != end; element = behind(element)) {
        if ((unbounded && fitting >= shape.least) || fitting > shape.most) { break; }
        ++steps_;
        if (fits(shape.to.run, element, depth)) { ++fitting; }
    }
    return fitting >= shape.least && fitting <= shape.most;
}

} // namespace jsonheal::schema::detail
