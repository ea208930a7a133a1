/// @file compile_merge.cpp
/// Several subschemas that each walk the same object (`allOf`, references beside `properties`) become one walk.
///
/// `{"properties": {"a": {}, "b": {}}, "additionalProperties": false, "allOf": [A, B]}`, where A speaks of `a` and B of `b`, runs
/// as one closed object with the subschemas of A and B. Reports still see the original.

#include "compiler.hpp"

namespace jsonheal::schema::detail {

namespace {

constexpr std::size_t most_parts = 16;
constexpr std::size_t most_properties = 512;

/// What stands to be merged: object shapes, of which one may speak of all other keys; or edges to elements.
struct parts {
    const object_shape* own = nullptr; ///< the one with `additionalProperties`
    std::vector<const object_shape*> others;
    std::vector<edge> elements;
    std::uint8_t kinds = 0x3F;
    bool ok = true;
};

void collect(const program_data& p, std::uint32_t top, parts& found) {
    std::vector<std::uint32_t> todo{top};
    std::size_t seen = 0;
    while (!todo.empty() && found.ok) {
        const std::uint32_t here = todo.back();
        todo.pop_back();
        const node& n = p.nodes[here];
        found.kinds &= n.kinds;
        found.ok = ++seen <= most_parts && (n.flags & (node::unevaluated | node::integers_only)) == 0;
        for (std::uint32_t i = 0; i != n.ends.back() && found.ok; ++i) {
            const instruction& in = p.code[n.first + i];
            if (in.op == opcode::reference) {
                todo.push_back(p.edges[in.a].at);
            } else if (in.op == opcode::all_of) {
                const range r = p.unions[in.a].branches;
                for (std::uint32_t b = 0; b != std::min<std::uint32_t>(r.count, most_parts + 1); ++b) {
                    todo.push_back(p.edges[r.begin + b].at);
                }
            } else if (in.op == opcode::properties) {
                const object_shape& shape = p.objects[in.a];
                const bool open = shape.additional.at == none;
                found.ok = shape.patterns.count == 0 && shape.properties.count <= most_properties &&
                           (open || found.own == nullptr);
                if (open) {
                    found.others.push_back(&shape);
                } else {
                    found.own = &shape;
                }
            } else if (in.op == opcode::items && p.items[in.a].prefix.count == 0) {
                found.elements.push_back(p.items[in.a].rest);
            } else {
                found.ok = false;
            }
        }
    }
}

/// Whether a subschema accepts everything.
bool accepts_all(const program_data& p, const edge& e) {
    const node& n = p.nodes[e.at];
    return n.kinds == 0x3F && n.ends.back() == 0;
}

} // namespace

void compiler::merge_objects() {
    if (program_.has_dynamic) { return; }
    const auto count = static_cast<std::uint32_t>(program_.nodes.size());
    for (std::uint32_t i = 0; i != count; ++i) {
        if (program_.nodes[i].ends.back() > 1 && !merge_object(i)) { merge_elements(i); }
    }
}

/// A node that asks for two. It stands where `beside` stands.
edge compiler::both(const edge& a, const edge& b, std::uint32_t beside) {
    return {none, all_of_node({a, b}, beside)};
}

std::uint32_t compiler::all_of_node(const std::vector<edge>& branches, std::uint32_t beside) {
    union_shape all;
    all.branches = {static_cast<std::uint32_t>(program_.edges.size()),
                    static_cast<std::uint32_t>(branches.size())};
    program_.edges.insert(program_.edges.end(), branches.begin(), branches.end());
    node n = program_.nodes[beside];
    n.kinds = 0x3F;
    for (const edge& e : branches) { n.kinds &= program_.nodes[e.at].kinds; }
    n.flags = 0;
    n.run = none;
    n.first = static_cast<std::uint32_t>(program_.code.size());
    n.ends = {0, 0, 0, 0, 1};
    program_.code.push_back({opcode::all_of, keyword::all_of, 0,
                             static_cast<std::uint32_t>(program_.unions.size()), 0, n.location});
    program_.unions.push_back(std::move(all));
    program_.nodes.push_back(n);
    return static_cast<std::uint32_t>(program_.nodes.size() - 1);
}

/// False where the parts do not fit together: a key that the closed part does not name.
bool compiler::merge_object(std::uint32_t index) {
    parts found;
    collect(program_, index, found);
    if (!found.ok || !found.elements.empty() || found.others.size() + (found.own != nullptr ? 1 : 0) < 2) {
        return false;
    }
    object_shape merged;
    std::vector<property> properties;
    unsigned required = 0;
    const auto add = [&](const object_shape& shape, bool own) {
        for (std::uint32_t i = 0; i != shape.properties.count; ++i) {
            property p = program_.properties[shape.properties.begin + i];
            const bool is_required = p.required_bit != 0;
            p.required_bit = 0;
            std::uint32_t at = merged.keys.find(p.key);
            const bool named = p.to.at != none;
            if (at == key_table::not_found) {
                if (!own && named && found.own != nullptr && found.own->additional.at != none) {
                    return false;
                }
                at = static_cast<std::uint32_t>(properties.size());
                merged.keys.add(p.key, at);
                properties.push_back(p);
            } else if (named && (properties[at].to.at == none || accepts_all(program_, properties[at].to))) {
                // A key that the closed part requires, but does not name, stays forbidden.
                if (properties[at].to.at == none && found.own != nullptr &&
                    found.own->additional.at != none) {
                    return false;
                }
                properties[at].to = p.to;
            } else if (named && properties[at].to.at != p.to.at && !accepts_all(program_, p.to)) {
                properties[at].to = both(properties[at].to, p.to, index);
            }
            if (is_required && properties[at].required_bit == 0) {
                if (required == 64) { return false; }
                properties[at].required_bit = std::uint64_t{1} << required++;
                merged.required |= properties[at].required_bit;
            }
        }
        return properties.size() <= most_properties;
    };
    if (found.own != nullptr && !add(*found.own, true)) { return false; }
    for (const object_shape* shape : found.others) {
        if (!add(*shape, false)) { return false; }
    }
    if (found.own != nullptr) {
        merged.additional = found.own->additional;
        merged.closed = found.own->closed;
    }
    add_merged_node(index, std::move(merged), std::move(properties), found.kinds);
    return true;
}

/// As `merge_object`, for the elements of an array that several subschemas walk: their subschemas become one, if that one can
/// be merged. It stands for no place of the schema but that of the array.
void compiler::merge_elements(std::uint32_t index) {
    parts found;
    collect(program_, index, found);
    if (!found.ok || found.elements.size() < 2 || found.own != nullptr || !found.others.empty()) { return; }
    const std::uint32_t element = all_of_node(found.elements, index);
    if (!merge_object(element)) { return; }
    items_shape shape;
    shape.rest = {none, element};
    shape.rest_keyword = keyword::items;
    node n = program_.nodes[index];
    n.kinds = found.kinds;
    n.first = static_cast<std::uint32_t>(program_.code.size());
    n.ends = {0, 0, 1, 1, 1};
    n.run = static_cast<std::uint32_t>(program_.nodes.size());
    program_.code.push_back(
        {opcode::items, keyword::items, 0, static_cast<std::uint32_t>(program_.items.size()), 0, n.location});
    program_.items.push_back(shape);
    program_.nodes[index].run = n.run;
    program_.nodes.push_back(n);
}

void compiler::add_merged_node(std::uint32_t index, object_shape shape, std::vector<property> properties,
                               std::uint8_t kinds) {
    const auto offset = static_cast<std::uint32_t>(program_.properties.size());
    key_table keys;
    for (std::uint32_t i = 0; i != properties.size(); ++i) { keys.add(properties[i].key, offset + i); }
    keys.settle();
    shape.keys = std::move(keys);
    shape.properties = {offset, static_cast<std::uint32_t>(properties.size())};
    program_.properties.insert(program_.properties.end(), properties.begin(), properties.end());

    node n = program_.nodes[index];
    n.kinds = kinds;
    n.first = static_cast<std::uint32_t>(program_.code.size());
    n.ends = {0, 0, 0, 1, 1};
    n.run = static_cast<std::uint32_t>(program_.nodes.size());
    program_.code.push_back({opcode::properties, keyword::properties, 0,
                             static_cast<std::uint32_t>(program_.objects.size()), 0,
                             program_.nodes[index].location});
    program_.objects.push_back(std::move(shape));
    program_.nodes[index].run = n.run;
    program_.nodes.push_back(n);
}

} // namespace jsonheal::schema::detail
