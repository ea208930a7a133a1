/// @file align.cpp
/// The face of the module: solve, write, check.
#include "render.hpp"
#include "solver.hpp"

#include <jsonheal/align.hpp>

#include <algorithm>

namespace jsonheal {

namespace {

using align_detail::renderer;
using align_detail::solver;

schema::violation limit_violation(const document& value) {
    schema::violation v;
    v.begin = value.root().begin();
    v.end = value.root().end();
    v.schema = "#";
    v.keyword = "limit";
    v.expected = "a value that can be aligned within the limits";
    v.got = "one that cannot";
    v.message = "The value is too large, or its schema too ambiguous, to be aligned within the limits.";
    return v;
}

alignment unchanged(const document& value) {
    alignment a;
    a.fits = true;
    a.json = value.text();
    return a;
}

/// Writes what was planned into `a`, behind what `a.json` holds.
void write_plan(solver& plans, alignment& a) {
    const align_detail::state& root = plans.at(plans.root());
    renderer(plans).write(root, root.best, a.json, &a);
    a.steps = plans.steps();
    for (const change& c : a.changes) {
        a.risk = std::max(a.risk, c.risk);
        a.cost += info(c.rule).cost;
    }
}

/// The same for all of a document, with the blanks around its value.
void write_outcome(const document& value, solver& plans, alignment& a) {
    a.json = value.text().substr(0, value.root().begin());
    write_plan(plans, a);
    a.json.append(value.text().substr(value.root().end()));
}

/// The first change above the ceiling among those that would make the value fit.
std::optional<align_offender> find_offender(const document& value, const schema::program& program,
                                            const align_options& options) {
    solver plans(value.root(), program.root(), options, risk::lossy);
    if (!plans.run() || !plans.at(plans.root()).best.fits()) { return std::nullopt; }
    alignment a;
    write_outcome(value, plans, a);
    const auto above = std::find_if(a.changes.begin(), a.changes.end(),
                                    [&](const change& c) { return c.risk > options.max_risk; });
    if (above == a.changes.end()) { return std::nullopt; }
    return align_offender{above->pointer, above->rule, above->risk};
}

} // namespace

alignment align(const document& value, const schema::program& program, const align_options& options) {
    const bool fits = schema::fits(program, value.root(), options.validation);
    if (fits && !options.defaults) { return unchanged(value); }

    solver plans(value.root(), program.root(), options, options.max_risk);
    if (!plans.run()) {
        alignment a = unchanged(value);
        a.fits = fits;
        a.steps = plans.steps();
        if (!fits) { a.violations.push_back(limit_violation(value)); }
        return a;
    }
    alignment a;
    write_outcome(value, plans, a);
    const parse_result made = document::parse_borrowed(a.json);
    schema::validation checked = schema::validate(program, made.value.root(), options.validation);
    a.fits = made && checked.valid;
    a.violations = std::move(checked.violations);
    if (a.fits) { return a; }
    if (fits) { return unchanged(value); } // the defaults do not go together
    if (options.max_risk < risk::lossy) { a.offender = find_offender(value, program, options); }
    return a;
}

alignment align(value_view part, const schema::node_view& schema, const align_options& options) {
    alignment as_it_stands;
    as_it_stands.fits = schema::fits(schema, part, options.validation);
    as_it_stands.json = part.source();
    if (as_it_stands.fits && !options.defaults) { return as_it_stands; }
    solver plans(part, schema, options, options.max_risk);
    if (!plans.run()) { return as_it_stands; }
    alignment a;
    write_plan(plans, a);
    const parse_result made = document::parse_borrowed(a.json);
    a.fits = made && schema::fits(schema, made.value.root(), options.validation);
    return a.fits || !as_it_stands.fits ? a : as_it_stands;
}

} // namespace jsonheal
