/// @file compile_link.cpp
/// Last stage: the worklist that compiles what is reached, then what can only be known of the whole.

#include "compiler.hpp"

#include <algorithm>

namespace jsonheal::schema {

namespace detail {

compile_result compiler::run(const document& schema) {
    compile_result result;
    bytes_ = schema.text().size();
    if (bytes_ > options_.limits.bytes) {
        result.error = compile_error{{}, {}, "the schema is longer than the limit"};
        return result;
    }
    add_document(schema, {});
    if (!error_) { program_.root = node_at({0, 0}); }
    for (std::uint32_t i = 0; i < program_.nodes.size() && !error_; ++i) {
        const node& n = program_.nodes[i];
        if (program_.nodes.size() > options_.limits.subschemas) {
            fail({n.document, n.location}, "there are more subschemas than the limit");
            break;
        }
        const std::uint32_t r = n.resource;
        compile_node(i);
        if (!anchored_[r]) { // whatever may be bound while this resource is in scope
            anchored_[r] = true;
            for (const auto& bound_to : program_.resources[r].dynamic) {
                (void)node_at({program_.resources[r].document, bound_to.second});
            }
        }
    }
    if (!error_) { link(); }
    if (error_) {
        result.error = std::move(error_);
    } else {
        result.value = program(std::make_shared<const program_data>(std::move(program_)));
    }
    return result;
}

/// A dynamic reference whose anchor only one resource has leads there whatever the scope is: it becomes a plain one, unless
/// that would close a circle, which only evaluation may complain of.
void compiler::settle_dynamic_references() {
    std::vector<std::vector<std::uint32_t>> targets(program_.dynamic_anchors.size());
    for (const resource& r : program_.resources) {
        for (const auto& [anchor, target] : r.dynamic) { targets[anchor].push_back(target); }
    }
    std::vector<instruction*> changed;
    bool left = false;
    for (instruction& in : program_.code) {
        if (in.op != opcode::dynamic_reference) { continue; }
        if (targets[in.b].size() == 1 && targets[in.b].front() == program_.edges[in.a].at) {
            in.op = opcode::reference;
            changed.push_back(&in);
        } else {
            left = true;
        }
    }
    check_cycles();
    if (error_) {
        error_.reset();
        for (instruction* const in : changed) { in->op = opcode::dynamic_reference; }
        left = true;
    }
    program_.has_dynamic = program_.has_dynamic && left;
}

void compiler::link() {
    check_cycles();
    if (error_) { return; }
    for (resource& r : program_.resources) {
        for (auto& [anchor, target] : r.dynamic) { target = nodes_of_[r.document][target]; }
        std::erase_if(r.dynamic, [](const auto& bound_to) { return bound_to.second == none; });
    }
    if (program_.has_dynamic) { settle_dynamic_references(); }
    merge_objects();
    resolve_edges();
    count_edges();
    for (node& n : program_.nodes) { mark_leaves(n); }
    for (const instruction& in : program_.code) {
        if (in.op == opcode::any_of || in.op == opcode::one_of) { filter_union(program_.unions[in.a]); }
    }
    prepare_quick();
}

/// A schema that comes back to itself for the same value says nothing that could be worked out. Depth first, without
/// recursion: `path` holds nodes that are entered and not yet left.
void compiler::check_cycles() {
    enum class state : std::uint8_t { fresh, open, done };
    std::vector<state> states(program_.nodes.size(), state::fresh);
    std::vector<std::uint32_t> path;
    for (std::uint32_t start = 0; start != program_.nodes.size(); ++start) {
        if (states[start] == state::fresh) { path.push_back(start); }
        while (!path.empty()) {
            const std::uint32_t here = path.back();
            if (states[here] != state::fresh) {
                states[here] = state::done;
                path.pop_back();
                continue;
            }
            states[here] = state::open;
            const node& n = program_.nodes[here];
            for (std::uint32_t i = 0; i != n.ends.back(); ++i) {
                for_each_in_place(program_, program_.code[n.first + i], [&](const edge& e) {
                    if (states[e.at] == state::open) {
                        fail({n.document, n.location},
                             "it leads back to itself without looking at a part of the value");
                    }
                    if (states[e.at] == state::fresh) { path.push_back(e.at); }
                });
            }
            if (error_) { return; }
        }
    }
}

/// Behind nodes that are nothing but a reference. There are no cycles any more. Dynamic scopes would lose a
/// resource on the way. All nodes on the way learn where it ends.
std::uint32_t compiler::behind_references(std::uint32_t index) {
    std::vector<std::uint32_t> way;
    while (program_.nodes[index].run == none) {
        const node& n = program_.nodes[index];
        way.push_back(index);
        const bool only = !program_.has_dynamic && n.ends.back() == 1 && n.kinds == 0x3F &&
                          program_.code[n.first].op == opcode::reference;
        if (!only) { break; }
        index = program_.edges[program_.code[n.first].a].at;
    }
    const std::uint32_t end = program_.nodes[index].run == none ? index : program_.nodes[index].run;
    for (const std::uint32_t n : way) { program_.nodes[n].run = end; }
    return end;
}

void compiler::resolve_edges() {
    for (std::uint32_t i = 0; i != program_.nodes.size(); ++i) { (void)behind_references(i); }
    const auto set = [this](edge& e) {
        if (e.at != none) { e.run = program_.nodes[e.at].run; }
    };
    for (edge& e : program_.edges) { set(e); }
    for (property& p : program_.properties) { set(p.to); }
    for (pattern_edge& p : program_.pattern_edges) { set(p.to); }
    for (object_shape& o : program_.objects) { set(o.additional); }
    for (items_shape& s : program_.items) { set(s.rest); }
    for (contains_shape& s : program_.contains) { set(s.to); }
    for (auto& list : program_.dependencies) {
        for (dependency& d : list) { set(d.to); }
    }
}

/// Nodes that more than one edge leads to: only there can work be repeated.
void compiler::count_edges() {
    std::vector<std::uint8_t> seen(program_.nodes.size(), 0);
    const auto count = [&](const edge& e) {
        if (e.at == none) { return; }
        for (const std::uint32_t n : {e.run, e.at}) {
            if (seen[n] < 2) { ++seen[n]; }
            if (e.run == e.at) { break; }
        }
    };
    for (const edge& e : program_.edges) { count(e); }
    for (const property& p : program_.properties) { count(p.to); }
    for (const pattern_edge& p : program_.pattern_edges) { count(p.to); }
    for (const object_shape& o : program_.objects) { count(o.additional); }
    for (const items_shape& s : program_.items) { count(s.rest); }
    for (const contains_shape& s : program_.contains) { count(s.to); }
    for (const auto& list : program_.dependencies) {
        for (const dependency& d : list) { count(d.to); }
    }
    seen[program_.root] = 2; // whatever leads there is the second way
    for (const resource& r : program_.resources) {
        for (const auto& bound_to : r.dynamic) { seen[bound_to.second] = 2; }
    }
    for (std::uint32_t i = 0; i != program_.nodes.size(); ++i) {
        if (seen[i] > 1) { program_.nodes[i].flags |= node::shared; }
    }
}

namespace {

/// Instructions that are decided at once, without looking at another subschema.
bool is_leaf(opcode op) noexcept {
    switch (op) {
    case opcode::items:
    case opcode::contains:
    case opcode::properties:
    case opcode::property_names:
    case opcode::dependent_schemas:
    case opcode::reference:
    case opcode::dynamic_reference:
    case opcode::all_of:
    case opcode::any_of:
    case opcode::one_of:
    case opcode::negation:
    case opcode::condition:
    case opcode::unevaluated_items:
    case opcode::unevaluated_properties: return false;
    default: return true;
    }
}

} // namespace

void compiler::mark_leaves(node& n) const {
    const auto all = [&](std::size_t g, auto&& holds) {
        const std::uint32_t begin = g == 0 ? 0 : n.ends[g - 1];
        for (std::uint32_t i = begin; i != n.ends[g]; ++i) {
            if (!holds(program_.code[n.first + i])) { return false; }
        }
        return true;
    };
    const auto never = [](const instruction&) { return false; };
    const auto leaf = [](const instruction& in) { return is_leaf(in.op); };
    constexpr auto any = static_cast<std::size_t>(group::any);
    for (unsigned k = 0; k != 6; ++k) {
        const auto own = static_cast<std::size_t>(group_of(static_cast<value_kind>(k)));
        const unsigned mask = 1u << k;
        if (all(any, never) && (own == any || all(own, never))) {
            n.trivial = static_cast<std::uint8_t>(n.trivial | mask);
        }
        if (all(any, leaf) && (own == any || all(own, leaf))) {
            n.leaf = static_cast<std::uint8_t>(n.leaf | mask);
        }
    }
}

} // namespace detail

compile_result compile(const document& schema, const compile_options& options) {
    compile_result made = detail::compiler(options).run(schema);
    const value_view root = schema.root();
    const bool told = options.dialect || (root.is(value_kind::object) && root.find("$schema"));
    if (!made.error || told || !options.extensions) { return made; }
    // what only older drafts have says which one is meant: tuples under `items`, `"exclusiveMinimum": true`
    compile_options asked = options;
    std::string fault = made.error->pointer;
    if (fault.ends_with("/items")) {
        asked.dialect = dialect::draft2019_09;
        compile_result other = detail::compiler(asked).run(schema);
        if (!other.error) { return other; }
        fault = other.error->pointer;
    }
    if (fault.ends_with("/exclusiveMinimum") || fault.ends_with("/exclusiveMaximum")) {
        asked.dialect = dialect::draft4;
        compile_result other = detail::compiler(asked).run(schema);
        if (!other.error) { return other; }
    }
    return made;
}

} // namespace jsonheal::schema
