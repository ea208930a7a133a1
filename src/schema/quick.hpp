/// @file quick.hpp
/// The fast face: says whether a value fits, by calls that nest to a fixed depth.
///
/// Most instances are shallow and most schemas never ask the same twice. So the first try keeps no frames, no
/// results and no faults; it walks the tape and calls itself, at most `most_depth` deep whatever the input is. Where that
/// does not do, or the steps grow beyond what the size of the instance explains, it gives up and the machine
/// decides from the start: that costs no more than the try did, so the time stays linear.
#pragma once

#include "evaluation.hpp"

namespace jsonheal::schema::detail {

enum class quick_answer : std::uint8_t { no, yes, gave_up };

class quick : private evaluation {
public:
    quick(const program_data& p, value_view root, const validate_limits& limits);

    /// @pre the program has no dynamic references
    [[nodiscard]] quick_answer run(std::uint32_t node_index);

private:
    static constexpr unsigned most_depth = 128;

    /// The entry behind a value. That of a scalar is known without reading it.
    [[nodiscard]] std::uint32_t behind(std::uint32_t value) const noexcept {
        const entry& e = tape_[value];
        return e.kind() < value_kind::array ? value + 1 : e.next;
    }
    bool admits(const quick_edge& e, std::uint32_t value, unsigned depth) {
        const unsigned kind = tape_[value].bits & entry::kind_mask;
        if ((unsigned{e.trivial} >> kind & 1u) != 0) { return true; }
        return (unsigned{e.kinds} >> kind & 1u) != 0 && ask(nodes_[e.run][kind], value, depth);
    }
    bool fits(std::uint32_t node_index, std::uint32_t value, unsigned depth) {
        const quick_run& r = nodes_[node_index][tape_[value].bits & entry::kind_mask];
        if (r.what == quick_run::sort::fail) { return false; }
        return r.what == quick_run::sort::pass || ask(r, value, depth);
    }
    /// @pre what is to be done for the value is more than to fail or to pass
    bool ask(const quick_run& r, std::uint32_t value, unsigned depth);
    bool step(const instruction& in, std::uint32_t value, unsigned depth);
    bool fits_by_machine(std::uint32_t node_index, std::uint32_t value);
    /// What is returned from here on means nothing; no further call does anything.
    bool give_up() noexcept {
        gave_up_ = true;
        most_steps_ = 0;
        return false;
    }

    bool object(const object_shape& shape, std::uint32_t value, unsigned depth);
    const property* property_of(const object_shape& shape, std::uint32_t key, const property*& next);
    bool by_patterns(const object_shape& shape, std::uint32_t patterns, std::uint32_t value, unsigned depth);
    bool unnamed(const object_shape& shape, std::uint32_t key, unsigned depth);
    bool property_names(std::uint32_t node_index, std::uint32_t value, unsigned depth);
    bool dependent_schemas(const std::vector<dependency>& list, std::uint32_t value, unsigned depth);

    bool unevaluated_properties(const instruction& in, std::uint32_t value, unsigned depth);
    bool unevaluated_items(const instruction& in, std::uint32_t value, unsigned depth);

    bool items(const items_shape& shape, std::uint32_t value, unsigned depth);
    bool contains(const contains_shape& shape, std::uint32_t value, unsigned depth);

    bool all_of(const union_shape& u, std::uint32_t value, unsigned depth);
    bool any_of(const union_shape& u, std::uint32_t value, unsigned depth);
    bool one_of(const union_shape& u, std::uint32_t value, unsigned depth);
    std::uint64_t candidates(const union_shape& u, std::uint32_t value);
    std::uint64_t naming(const value_filter& f, std::uint32_t value);
    std::uint64_t candidates_by_keys(const key_filter& f, std::uint32_t object, std::uint64_t mask);

    const quick_node* nodes_;
    const instruction* code_;
    const property* properties_;
    std::uint64_t most_steps_;
    bool gave_up_ = false;
};

} // namespace jsonheal::schema::detail
