/// @file program.cpp
/// A compiled schema as others see it: the program, and views of its nodes.

#include "program.hpp"

#include "regex.hpp"

#include <algorithm>
#include <bit>

namespace jsonheal::schema {

using namespace detail;

program::program() {
    static const std::shared_ptr<const program_data> accepts_all = [] {
        auto made = std::make_shared<program_data>();
        made->documents.push_back(document::parse("true").value);
        made->document_uris.emplace_back();
        resource all;
        all.end = 1;
        made->resources.push_back(all);
        node n;
        n.trivial = n.leaf = n.kinds;
        n.run = 0;
        made->nodes.push_back(n);
        return made;
    }();
    data_ = accepts_all;
}

node_view program::root() const noexcept { return {*data_, data_->root}; }

std::span<const std::string> program::unchecked_formats() const noexcept { return data_->unchecked_formats; }

namespace {

const instruction* find(const program_data& p, std::uint32_t index, opcode op) noexcept {
    const node& n = p.nodes[index];
    for (std::uint32_t i = 0; i != n.ends.back(); ++i) {
        if (p.code[n.first + i].op == op) { return &p.code[n.first + i]; }
    }
    return nullptr;
}

const object_shape* object_of(const program_data& p, std::uint32_t index) noexcept {
    const instruction* const in = find(p, index, opcode::properties);
    return in == nullptr ? nullptr : &p.objects[in->a];
}

const items_shape* items_of(const program_data& p, std::uint32_t index) noexcept {
    const instruction* const in = find(p, index, opcode::items);
    return in == nullptr ? nullptr : &p.items[in->a];
}

} // namespace

value_view node_view::source() const noexcept {
    const node& n = data_->nodes[index_];
    return data_->value_at(n.document, n.location);
}

std::string node_view::location() const { return data_->location_of(index_, data_->nodes[index_].location); }

kind_set node_view::kinds() const noexcept {
    kind_set set;
    for (unsigned k = 0; k != 6; ++k) {
        if ((static_cast<unsigned>(data_->nodes[index_].kinds) >> k & 1u) != 0) {
            set.add(static_cast<value_kind>(k));
        }
    }
    return set;
}

bool node_view::integers_only() const noexcept {
    return (data_->nodes[index_].flags & node::integers_only) != 0;
}

std::optional<std::vector<value_view>> node_view::values() const {
    const std::vector<value_view>* fewest = nullptr;
    const node& n = data_->nodes[index_];
    for (std::uint32_t i = 0; i != n.ends.back(); ++i) {
        const instruction& in = data_->code[n.first + i];
        if (in.op != opcode::value_set) { continue; }
        const std::vector<value_view>& all = data_->value_sets[in.a].all;
        if (fewest == nullptr || all.size() < fewest->size()) { fewest = &all; }
    }
    if (fewest == nullptr) { return std::nullopt; }
    return *fewest;
}

std::vector<node_view::property> node_view::properties() const {
    std::vector<property> list;
    const object_shape* const shape = object_of(*data_, index_);
    const instruction* const many = find(*data_, index_, opcode::required);
    const auto required_beside = [&](std::string_view key) {
        if (many == nullptr) { return false; }
        const std::vector<std::string>& names = data_->required_lists[many->a];
        return std::binary_search(names.begin(), names.end(), key);
    };
    for (std::uint32_t i = 0; shape != nullptr && i != shape->properties.count; ++i) {
        const detail::property& p = data_->properties[shape->properties.begin + i];
        property one;
        one.key = p.key;
        one.required = p.required_bit != 0 || required_beside(p.key);
        if (p.to.at != none) { one.node = p.to.at; }
        list.push_back(one);
    }
    if (many != nullptr) {
        for (const std::string& name : data_->required_lists[many->a]) {
            if (shape == nullptr || shape->keys.find(name) == key_table::not_found) {
                list.push_back({name, true, std::nullopt});
            }
        }
    }
    return list;
}

std::optional<node_view> node_view::property_node(std::string_view wtf8_key) const {
    const object_shape* const shape = object_of(*data_, index_);
    if (shape == nullptr) { return std::nullopt; }
    const std::uint32_t found = shape->keys.find(wtf8_key);
    if (found == key_table::not_found || data_->properties[found].to.at == none) { return std::nullopt; }
    return with_index(data_->properties[found].to.at);
}

std::vector<node_view> node_view::pattern_nodes(std::string_view wtf8_key) const {
    std::vector<node_view> nodes;
    const object_shape* const shape = object_of(*data_, index_);
    for (std::uint32_t i = 0; shape != nullptr && i != shape->patterns.count; ++i) {
        const pattern_edge& p = data_->pattern_edges[shape->patterns.begin + i];
        std::uint64_t budget = validate_limits{}.pattern_steps;
        if (data_->regexes[p.regex]->find_in(wtf8_key, budget) == match::yes) {
            nodes.push_back(with_index(p.to.at));
        }
    }
    return nodes;
}

std::optional<node_view> node_view::additional() const noexcept {
    const object_shape* const shape = object_of(*data_, index_);
    if (shape == nullptr || shape->additional.at == none) { return std::nullopt; }
    return with_index(shape->additional.at);
}

std::optional<node_view> node_view::property_names() const noexcept {
    const instruction* const in = find(*data_, index_, opcode::property_names);
    if (in == nullptr) { return std::nullopt; }
    return with_index(data_->edges[in->a].at);
}

namespace {

std::vector<node_view> nodes_of(const node_view& from, const program_data& p, range r) {
    std::vector<node_view> nodes;
    for (std::uint32_t i = 0; i != r.count; ++i) {
        nodes.push_back(from.with_index(p.edges[r.begin + i].at));
    }
    return nodes;
}

std::vector<node_view> branches_of(const node_view& from, const program_data& p, opcode op) {
    const instruction* const in = find(p, from.index(), op);
    return in == nullptr ? std::vector<node_view>{} : nodes_of(from, p, p.unions[in->a].branches);
}

} // namespace

std::vector<node_view> node_view::prefix_items() const {
    const items_shape* const shape = items_of(*data_, index_);
    return shape == nullptr ? std::vector<node_view>{} : nodes_of(*this, *data_, shape->prefix);
}

std::optional<node_view> node_view::rest_items() const noexcept {
    const items_shape* const shape = items_of(*data_, index_);
    if (shape == nullptr || shape->rest.at == none) { return std::nullopt; }
    return with_index(shape->rest.at);
}

std::optional<node_view> node_view::reference() const noexcept {
    for (const opcode op : {opcode::reference, opcode::dynamic_reference}) {
        if (const instruction* const in = find(*data_, index_, op)) {
            return with_index(data_->edges[in->a].at);
        }
    }
    return std::nullopt;
}

std::vector<node_view> node_view::all_of() const { return branches_of(*this, *data_, opcode::all_of); }
std::vector<node_view> node_view::any_of() const { return branches_of(*this, *data_, opcode::any_of); }
std::vector<node_view> node_view::one_of() const { return branches_of(*this, *data_, opcode::one_of); }

std::vector<node_view> node_view::candidates(bool of_one_of, value_view value) const {
    const opcode op = of_one_of ? opcode::one_of : opcode::any_of;
    std::vector<node_view> all = branches_of(*this, *data_, op);
    const instruction* const in = find(*data_, index_, op);
    if (in == nullptr || !data_->unions[in->a].filtered) { return all; }
    const std::uint64_t mask = data_->candidates(data_->unions[in->a], value);
    std::vector<node_view> kept;
    for (std::size_t i = 0; i != all.size(); ++i) {
        if ((mask >> i & 1u) != 0) { kept.push_back(all[i]); }
    }
    return kept;
}

bool node_view::has_other_assertions() const noexcept {
    const node& n = data_->nodes[index_];
    for (std::uint32_t i = 0; i != n.ends.back(); ++i) {
        switch (data_->code[n.first + i].op) {
        case opcode::integer:
        case opcode::properties:
        case opcode::required:
        case opcode::property_names:
        case opcode::items:
        case opcode::value_set:
        case opcode::reference:
        case opcode::all_of:
        case opcode::any_of:
        case opcode::one_of: break;
        default: return true;
        }
    }
    return false;
}

} // namespace jsonheal::schema
