/// @file expectation.cpp
/// What a schema lets the engine expect while a text is being read.
///
/// An expectation stands for some nodes of which at least one must hold. Of what must hold together one part is enough,
/// since a hint may say too little, but never rule out what the schema allows.

#include "program.hpp"
#include "regex.hpp"

#include <algorithm>
#include <map>

namespace jsonheal::schema {

namespace detail {

namespace {

using node_list = std::vector<std::uint32_t>; ///< sorted
constexpr unsigned most_depth = 16;           // references and unions looked through
constexpr std::size_t most_nodes = 256;

class hints {
public:
    explicit hints(const program& p) : program_(p), p_(p.data()) {}

    [[nodiscard]] const program_data& data() const noexcept { return p_; }
    [[nodiscard]] const expectation* of(node_list nodes) const;

    /// Kinds that can fit a node.
    [[nodiscard]] unsigned kinds(std::uint32_t index, unsigned depth = 0) const {
        const node& n = p_.nodes[index];
        unsigned kinds = n.kinds;
        for (std::uint32_t i = 0; i != n.ends.back() && depth < most_depth; ++i) {
            const instruction& in = p_.code[n.first + i];
            if (in.op == opcode::value_set) { kinds &= p_.value_sets[in.a].kinds; }
            if (in.op == opcode::reference) { kinds &= this->kinds(p_.edges[in.a].at, depth + 1); }
            const bool all = in.op == opcode::all_of;
            if (!all && in.op != opcode::any_of && in.op != opcode::one_of) { continue; }
            const range r = p_.unions[in.a].branches;
            unsigned either = 0;
            for (std::uint32_t b = 0; b != r.count; ++b) {
                const unsigned one =
                    b < most_nodes >> depth ? this->kinds(p_.edges[r.begin + b].at, depth + 1) : 0x3F;
                either |= one;
                if (all) { kinds &= one; }
            }
            if (!all) { kinds &= either; }
        }
        return kinds;
    }

    /// Nodes of which one must hold for a part of the value. `own` gives those of one node. Nothing: none is known.
    template <class Own>
    [[nodiscard]] std::optional<node_list> parts(std::uint32_t index, const Own& own,
                                                 unsigned depth = 0) const {
        if (depth == most_depth) { return std::nullopt; }
        if (std::optional<std::uint32_t> part = own(index)) { return node_list{*part}; }
        const node& n = p_.nodes[index];
        for (std::uint32_t i = 0; i != n.ends.back(); ++i) {
            const instruction& in = p_.code[n.first + i];
            std::optional<node_list> found;
            if (in.op == opcode::reference) { found = parts(p_.edges[in.a].at, own, depth + 1); }
            if (in.op == opcode::all_of || in.op == opcode::any_of || in.op == opcode::one_of) {
                found = parts_of_union(p_.unions[in.a].branches, in.op == opcode::all_of, own, depth + 1);
            }
            if (found) { return found; }
        }
        return std::nullopt;
    }

    /// Appends the keys that a node names, and those of whatever may hold beside it.
    void keys(std::uint32_t index, std::vector<std::string_view>& out) const {
        std::vector<std::uint32_t> todo{index};
        std::vector<std::uint32_t> seen;
        while (!todo.empty() && seen.size() != most_nodes) {
            const std::uint32_t here = todo.back();
            todo.pop_back();
            if (std::find(seen.begin(), seen.end(), here) != seen.end()) { continue; }
            seen.push_back(here);
            const node& n = p_.nodes[here];
            for (std::uint32_t i = n.ends.back(); i-- != 0;) {
                const instruction& in = p_.code[n.first + i];
                if (in.op == opcode::reference) { todo.push_back(p_.edges[in.a].at); }
                if (in.op == opcode::properties) { add_keys(p_.objects[in.a], out); }
                if (in.op != opcode::all_of && in.op != opcode::any_of && in.op != opcode::one_of) {
                    continue;
                }
                const range r = p_.unions[in.a].branches;
                for (std::uint32_t b = std::min<std::uint32_t>(r.count, most_nodes); b-- != 0;) {
                    todo.push_back(p_.edges[r.begin + b].at);
                }
            }
        }
    }

private:
    template <class Own>
    [[nodiscard]] std::optional<node_list> parts_of_union(range r, bool all, const Own& own,
                                                          unsigned depth) const {
        node_list either;
        if (r.count > most_nodes >> depth) { return std::nullopt; }
        for (std::uint32_t b = 0; b != r.count; ++b) {
            const std::optional<node_list> one = parts(p_.edges[r.begin + b].at, own, depth);
            if (all && one) { return one; }
            if (!all && !one) { return std::nullopt; }
            if (one) { either.insert(either.end(), one->begin(), one->end()); }
        }
        if (either.empty() || either.size() > most_nodes) { return std::nullopt; }
        return either;
    }
    void add_keys(const object_shape& shape, std::vector<std::string_view>& out) const {
        for (std::uint32_t i = 0; i != shape.properties.count; ++i) {
            out.push_back(p_.properties[shape.properties.begin + i].key);
        }
    }

    program program_; ///< keeps the data alive
    const program_data& p_;
    mutable std::map<node_list, std::unique_ptr<expectation>> made_;
};

class node_expectation final : public expectation {
public:
    node_expectation(const hints& all, node_list nodes) : all_(all), nodes_(std::move(nodes)) {
        unsigned bits = 0;
        std::vector<std::string_view> keys;
        for (const std::uint32_t n : nodes_) {
            bits |= all_.kinds(n);
            all_.keys(n, keys);
        }
        for (unsigned k = 0; k != 6; ++k) {
            if ((bits >> k & 1u) != 0) { kinds_.add(static_cast<value_kind>(k)); }
        }
        if (kinds_.empty()) { kinds_ = kind_set::all(); }
        for (const std::string_view key : keys) {
            if (seen_.find(key) != key_table::not_found) { continue; }
            seen_.add(key, 0);
            keys_.push_back(key);
        }
    }
    [[nodiscard]] kind_set kinds() const noexcept override { return kinds_; }
    [[nodiscard]] std::span<const std::string_view> known_keys() const noexcept override { return keys_; }

    [[nodiscard]] const expectation* member(std::string_view key) const noexcept override {
        return part([&](std::uint32_t n) { return member_of(node_view(all_.data(), n), key); });
    }
    [[nodiscard]] const expectation* element(std::size_t index) const noexcept override {
        return part([&](std::uint32_t n) -> std::optional<std::uint32_t> {
            const node_view view(all_.data(), n);
            const std::vector<node_view> prefix = view.prefix_items();
            if (index < prefix.size()) { return prefix[index].index(); }
            const std::optional<node_view> rest = view.rest_items();
            return rest ? std::optional(rest->index()) : std::nullopt;
        });
    }

private:
    static std::optional<std::uint32_t> member_of(const node_view& view, std::string_view key) {
        if (const auto named = view.property_node(key)) { return named->index(); }
        const std::vector<node_view> patterns = view.pattern_nodes(key);
        if (!patterns.empty()) { return patterns.front().index(); }
        if (const auto rest = view.additional()) { return rest->index(); }
        return std::nullopt;
    }

    template <class Own>
    [[nodiscard]] const expectation* part(const Own& own) const {
        node_list either;
        for (const std::uint32_t n : nodes_) {
            const std::optional<node_list> one = all_.parts(n, own);
            if (!one || either.size() > most_nodes) { return nullptr; }
            either.insert(either.end(), one->begin(), one->end());
        }
        std::sort(either.begin(), either.end());
        either.erase(std::unique(either.begin(), either.end()), either.end());
        return all_.of(std::move(either));
    }

    const hints& all_;
    node_list nodes_;
    kind_set kinds_;
    key_table seen_;
    std::vector<std::string_view> keys_;
};

const expectation* hints::of(node_list nodes) const {
    std::unique_ptr<expectation>& slot = made_[nodes];
    if (!slot) { slot = std::make_unique<node_expectation>(*this, std::move(nodes)); }
    return slot.get();
}

/// The expectation of the root, and the home of all others.
class root_expectation final : public expectation {
public:
    explicit root_expectation(const program& p) : all_(p), root_(all_.of({p.data().root})) {}
    [[nodiscard]] kind_set kinds() const noexcept override { return root_->kinds(); }
    [[nodiscard]] std::span<const std::string_view> known_keys() const noexcept override {
        return root_->known_keys();
    }
    [[nodiscard]] const expectation* member(std::string_view key) const noexcept override {
        return root_->member(key);
    }
    [[nodiscard]] const expectation* element(std::size_t index) const noexcept override {
        return root_->element(index);
    }

private:
    hints all_;
    const expectation* root_;
};

} // namespace

} // namespace detail

std::unique_ptr<expectation> make_expectation(const program& p) {
    return std::make_unique<detail::root_expectation>(p);
}

} // namespace jsonheal::schema
