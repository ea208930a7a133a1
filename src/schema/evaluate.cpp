/// @file evaluate.cpp
/// Both machines, and the faces that run them.

#include "machine.hpp"
#include "machine_array.hpp"
#include "machine_object.hpp"
#include "machine_record.hpp"
#include "machine_union.hpp"
#include "quick.hpp"
#include "report.hpp"

namespace jsonheal::schema {

namespace detail {

recording record_faults(const program_data& p, value_view root, const validate_limits& limits) {
    machine<true> m(p, p.root, root, limits);
    const bool ok = m.run();
    recording r;
    r.stopped = m.stopped();
    if (ok) { return r; }
    r.units = m.units();
    r.paths = m.paths();
    return r;
}

/// What such a node says stays within it, so a machine of its own can decide it. Its work is charged here.
bool quick::fits_by_machine(std::uint32_t node_index, std::uint32_t value) {
    validate_limits rest = limits_;
    rest.pattern_steps = pattern_budget_;
    machine<false> m(p_, node_index, at(value), rest);
    const bool ok = m.run();
    pattern_budget_ = m.pattern_budget();
    steps_ += m.steps() + (tape_[value].next - value);
    return m.stopped() != stop_reason::nothing ? give_up() : ok;
}

} // namespace detail

bool fits(const program& p, value_view instance, const validate_limits& limits) {
    return fits(p.root(), instance, limits);
}

bool fits(const node_view& schema, value_view instance, const validate_limits& limits) {
    const detail::program_data& p = schema.data();
    if (!p.has_dynamic && !p.quick_nodes.empty()) { // the program of `true` has none
        const detail::quick_answer answer = detail::quick(p, instance, limits).run(schema.index());
        if (answer != detail::quick_answer::gave_up) { return answer == detail::quick_answer::yes; }
    }
    return detail::machine<false>(p, schema.index(), instance, limits).run();
}

} // namespace jsonheal::schema
