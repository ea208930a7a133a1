/// @file compile_flatten.cpp
/// Writes, for each node and each kind of value, the instructions that the fast face runs.
///
/// `{"anyOf": [{"type": "null"}, {"$ref": "#/$defs/name"}]}` with `name` a string of some length is: pass for null, `min_length`
/// for a string, fail for all else. References and `allOf` are written out as long as that stays short.

#include "compiler.hpp"

#include <algorithm>

namespace jsonheal::schema::detail {

namespace {

using sort = quick_run::sort;

/// Cheap instructions first: they may spare the others.
unsigned cost_of(opcode op) noexcept {
    switch (op) {
    case opcode::pattern:
    case opcode::format: return 1;
    case opcode::items:
    case opcode::properties: return 2;
    case opcode::reference:
    case opcode::property_names:
    case opcode::contains:
    case opcode::unique_items:
    case opcode::all_of:
    case opcode::any_of:
    case opcode::one_of:
    case opcode::negation:
    case opcode::condition:
    case opcode::dependent_required:
    case opcode::dependent_schemas: return 3;
    case opcode::unevaluated_items:
    case opcode::unevaluated_properties: return 4;
    default: return 0;
    }
}

class flattener {
public:
    flattener(program_data& p, std::uint32_t index, value_kind kind)
        : p_(p), index_(index), kind_(kind), at_(static_cast<std::size_t>(kind)) {}

    quick_run run() {
        const node& n = p_.nodes[index_];
        if ((n.kinds & bit(kind_)) == 0) { return {}; }
        if ((n.flags & node::slow) != 0) { return {index_, 0, sort::by_frames}; }
        const auto own = static_cast<std::size_t>(group_of(kind_));
        constexpr auto any = static_cast<std::size_t>(group::any);
        if (own != any) { add_all(n.first + (own == 0 ? 0u : n.ends[own - 1]), n.first + n.ends[own]); }
        add_all(n.first + n.ends[any - 1], n.first + n.ends[any]);
        if (!possible_) { return {}; }
        if (list_.empty()) { return {0, 0, sort::pass}; }
        std::stable_sort(list_.begin(), list_.end(), [](const instruction& a, const instruction& b) {
            return cost_of(a.op) < cost_of(b.op);
        });
        const quick_run made{static_cast<std::uint32_t>(p_.quick_code.size()),
                             static_cast<std::uint16_t>(list_.size()), sort::ask};
        p_.quick_code.insert(p_.quick_code.end(), list_.begin(), list_.end());
        return made;
    }

private:
    static constexpr std::size_t most_written_out = 16;

    void add_all(std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t i = begin; i != end && possible_; ++i) { add(p_.code[i]); }
    }

    [[nodiscard]] const quick_run& result_of(std::uint32_t edge_index) const {
        return p_.quick_nodes[p_.edges[edge_index].run][at_];
    }

    /// A subschema that has to hold.
    void require(std::uint32_t edge_index) {
        const quick_run& r = result_of(edge_index);
        switch (r.what) {
        case sort::fail: possible_ = false; return;
        case sort::pass: return;
        case sort::ask:
            if (list_.size() + r.count <= most_written_out) {
                const auto from = p_.quick_code.begin() + r.first;
                list_.insert(list_.end(), from, from + r.count);
                return;
            }
            break;
        case sort::by_frames: break;
        }
        instruction call;
        call.op = opcode::reference;
        call.a = edge_index;
        list_.push_back(call);
    }

    void add(const instruction& in) {
        switch (in.op) {
        case opcode::reference: return require(in.a);
        case opcode::all_of: {
            const range r = p_.unions[in.a].branches;
            if (r.count > most_written_out) { return list_.push_back(in); }
            for (std::uint32_t i = 0; i != r.count && possible_; ++i) { require(r.begin + i); }
            return;
        }
        case opcode::any_of:
        case opcode::one_of: return add_union(in);
        case opcode::negation: {
            const sort inner = result_of(in.a).what;
            possible_ = inner != sort::pass;
            if (inner == sort::ask || inner == sort::by_frames) { list_.push_back(in); }
            return;
        }
        case opcode::condition: {
            const sort inner = result_of(in.a).what;
            if (inner == sort::ask || inner == sort::by_frames) { return list_.push_back(in); }
            const std::uint32_t branch = in.a + (inner == sort::pass ? 1 : 2);
            if (p_.edges[branch].at != none) { require(branch); }
            return;
        }
        case opcode::value_set: possible_ = (p_.value_sets[in.a].kinds & bit(kind_)) != 0; break;
        case opcode::unevaluated_items:
            if (kind_ != value_kind::array) { return; }
            break;
        case opcode::unevaluated_properties:
            if (kind_ != value_kind::object) { return; }
            break;
        default: break;
        }
        list_.push_back(in);
    }

    void add_union(const instruction& in) {
        const range r = p_.unions[in.a].branches;
        const bool any = in.op == opcode::any_of;
        std::uint32_t passing = 0;
        std::uint32_t asking = 0;
        std::uint32_t last = 0;
        for (std::uint32_t i = r.begin; i != r.begin + r.count; ++i) {
            const sort what = result_of(i).what;
            if (what == sort::pass) {
                ++passing;
            } else if (what != sort::fail) {
                ++asking;
                last = i;
            }
        }
        if (any && passing != 0) { return; }
        if (passing > 1 || passing + asking == 0) {
            possible_ = false;
        } else if (asking == 0) {
            return;
        } else if (asking == 1 && passing == 0) {
            require(last);
        } else {
            list_.push_back(in);
        }
    }

    program_data& p_;
    std::uint32_t index_;
    value_kind kind_;
    std::size_t at_;
    std::vector<instruction> list_;
    bool possible_ = true;
};

} // namespace

void compiler::flatten_node(std::uint32_t index) {
    for (unsigned k = 0; k != 6; ++k) {
        program_.quick_nodes[index][k] = flattener(program_, index, static_cast<value_kind>(k)).run();
    }
}

/// What a node applies to the same value comes before it. There are no cycles; `path` holds nodes that are entered and not yet left.
void compiler::flatten() {
    program_.quick_nodes.resize(program_.nodes.size());
    std::vector<std::uint8_t> entered(program_.nodes.size(), 0);
    std::vector<std::uint32_t> path;
    for (std::uint32_t start = 0; start != program_.nodes.size(); ++start) {
        if (entered[start] == 0) { path.push_back(start); }
        while (!path.empty()) {
            const std::uint32_t here = path.back();
            if (entered[here] != 0) {
                path.pop_back();
                if (entered[here] == 1) { flatten_node(here); }
                entered[here] = 2;
                continue;
            }
            entered[here] = 1;
            const node& n = program_.nodes[here];
            for (std::uint32_t i = 0; i != n.ends.back(); ++i) {
                for_each_in_place(program_, program_.code[n.first + i], [&](const edge& e) {
                    if (entered[e.run] == 0) { path.push_back(e.run); }
                });
            }
        }
    }
}

/// Branches that fail for a kind need not be looked at.
void compiler::narrow_unions() {
    for (union_shape& u : program_.unions) {
        if (!u.filtered) { continue; }
        for (std::uint32_t b = 0; b != u.branches.count; ++b) {
            const quick_node& branch = program_.quick_nodes[program_.edges[u.branches.begin + b].run];
            for (unsigned k = 0; k != 6; ++k) {
                if (branch[k].what == sort::fail) { u.quick_by_kind[k] &= ~(std::uint64_t{1} << b); }
            }
        }
    }
}

} // namespace jsonheal::schema::detail
