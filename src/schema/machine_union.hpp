/// @file machine_union.hpp
/// Instructions that apply further subschemas to the same value.
#pragma once

#include "machine.hpp"

#include <bit>

namespace jsonheal::schema::detail {

template <bool Report>
typename machine<Report>::verdict machine<Report>::step_reference(frame& f, const instruction& in) {
    if (f.resumed) { return to_verdict(child_ok_); }
    edge to = p_.edges[in.a];
    if (in.op == opcode::dynamic_reference && !bindings_.empty() && bindings_[in.b] != none) {
        to = {bindings_[in.b], bindings_[in.b]};
    }
    return enter(to, f.value);
}

/// `cursor`: the next branch. `count`: whether one failed.
template <bool Report>
typename machine<Report>::verdict machine<Report>::step_all_of(frame& f, const instruction& in) {
    const range branches = p_.unions[in.a].branches;
    return every_child(f, 0, [&](edge& to, std::uint32_t&) {
        if (f.cursor == branches.count) { return false; }
        to = p_.edges[branches.begin + f.cursor++];
        return true;
    });
}

/// `anyOf` and `oneOf`. `mask`: candidates still to be tried, where they are known, or for reports where the branch's units
/// begin; `cursor`: the next branch. `count`: how many fit.
template <bool Report>
typename machine<Report>::verdict machine<Report>::step_union(frame& f, const instruction& in) {
    const union_shape& u = p_.unions[in.a];
    const bool filtered = !Report && u.filtered;
    const bool any = in.op == opcode::any_of;
    const auto branch_done = [&](bool ok) {
        if (ok) { ++f.count; }
        if constexpr (Report) {
            unit end;
            end.reason = unit_reason::branch;
            end.keyword = in.keyword;
            end.value = f.value;
            end.instruction = f.ip;
            end.location = in.location;
            end.extra = f.cursor - 1;
            end.first_child = static_cast<std::uint32_t>(f.mask);
            end.tentative = true;
            if (!ok) { record(f, end); }
            f.mask = units_.size();
        }
    };
    if (!f.resumed) {
        f.cursor = 0;
        f.count = 0;
        f.mask = filtered ? p_.candidates(u, at(f.value)) : f.saved;
    } else {
        branch_done(child_ok_);
    }
    while (filtered ? f.mask != 0 : f.cursor != u.branches.count) {
        if (f.count > (any ? 0u : 1u) && !f.track && !Report) { break; }
        if (filtered) {
            f.cursor = static_cast<std::uint32_t>(std::countr_zero(f.mask));
            f.mask &= f.mask - 1;
        }
        const verdict v = enter(p_.edges[u.branches.begin + f.cursor++], f.value, true);
        if (v == verdict::pushed) { return v; }
        branch_done(v == verdict::pass);
    }
    return finish_union(f, in);
}

template <bool Report>
typename machine<Report>::verdict machine<Report>::finish_union(frame& f, const instruction& in) {
    const bool ok = in.op == opcode::any_of ? f.count > 0 : f.count == 1;
    if constexpr (Report) {
        if (f.count > 0) { forget_units(f); }
        if (!ok) {
            record_keyword(f, in, f.count > 0 ? unit_reason::several : unit_reason::keyword, f.count);
        }
    }
    return to_verdict(ok);
}

template <bool Report>
typename machine<Report>::verdict machine<Report>::step_negation(frame& f, const instruction& in) {
    bool ok = child_ok_;
    if (!f.resumed) {
        f.mask = marks_.size();
        const verdict v = enter(p_.edges[in.a], f.value, true);
        if (v == verdict::pushed) { return v; }
        ok = v == verdict::pass;
    }
    marks_.resize(static_cast<std::size_t>(f.mask));
    if constexpr (Report) {
        forget_units(f);
        if (ok) { record_keyword(f, in, unit_reason::keyword); }
    }
    return to_verdict(!ok);
}

/// `cursor`: which of the three is being evaluated.
template <bool Report>
typename machine<Report>::verdict machine<Report>::step_condition(frame& f, const instruction& in) {
    bool ok = child_ok_;
    if (!f.resumed) {
        f.cursor = 0;
        const verdict v = enter(p_.edges[in.a], f.value, true);
        if (v == verdict::pushed) { return v; }
        ok = v == verdict::pass;
    }
    if (f.cursor != 0) { return to_verdict(ok); }
    if constexpr (Report) { forget_units(f); }
    f.cursor = ok ? 1 : 2;
    const edge& branch = p_.edges[in.a + f.cursor];
    return branch.at == none ? verdict::pass : enter(branch, f.value);
}

} // namespace jsonheal::schema::detail
