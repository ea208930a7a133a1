/// @file evaluate.cpp
/// Both machines, and the faces that run them.

#include "machine.hpp"
#include "machine_array.hpp"
#include "machine_leaf.hpp"
#include "machine_object.hpp"
#include "machine_record.hpp"
#include "machine_union.hpp"
#include "report.hpp"

namespace jsonheal::schema {

namespace detail {

recording record_faults(const program_data& p, value_view root, const validate_limits& limits) {
    machine<true> m(p, root, limits);
    const bool ok = m.run();
    recording r;
    r.stopped = m.stopped();
    if (ok) { return r; }
    r.units = m.units();
    r.paths = m.paths();
    return r;
}

} // namespace detail

bool fits(const program& p, value_view instance, const validate_limits& limits) {
    return detail::machine<false>(p.data(), instance, limits).run();
}

bool node_view::accepts(value_view value, const validate_limits& limits) const {
    return detail::machine<false>(*data_, value, limits).run(index_);
}

} // namespace jsonheal::schema
