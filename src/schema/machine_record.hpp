/// @file machine_record.hpp
/// Recording of faults.
#pragma once

#include "machine.hpp"

namespace jsonheal::schema::detail {

template <bool Report>
void machine<Report>::record(const frame& f, unit u) {
    constexpr std::size_t most_units = 100'000; // faults of branches that others may make up for, too
    u.path = f.path;
    u.tentative = u.tentative || f.tentative;
    if (u.first_child == none) { u.first_child = static_cast<std::uint32_t>(units_.size()); }
    if (!u.tentative) { ++certain_; }
    units_.push_back(u);
    if (certain_ > limits_.violations || units_.size() > most_units) { stop(stop_reason::enough); }
}

template <bool Report>
void machine<Report>::record_keyword(const frame& f, const instruction& in, unit_reason reason,
                                     std::uint32_t extra) {
    unit u;
    u.reason = reason;
    u.keyword = in.keyword;
    u.instruction = f.ip;
    u.location = in.location;
    u.value = f.value;
    u.extra = extra;
    const bool is_union = in.op == opcode::any_of || in.op == opcode::one_of;
    if (is_union && reason == unit_reason::keyword) { u.first_child = f.saved; }
    record(f, u);
}

/// The schema `false`: the fault of the keyword that led there, if it speaks of all but the named parts.
template <bool Report>
void machine<Report>::record_forbidden(const frame& f, const instruction& in, const node& schema,
                                       std::uint32_t value) {
    unit u;
    u.reason = unit_reason::forbidden;
    u.keyword = keyword::count;
    u.instruction = f.ip;
    // A unit's location is one of the resource of its frame: behind a reference that is the reference.
    const bool here = p_.nodes[f.node].resource == schema.resource;
    u.location = here ? schema.location : in.location;
    u.value = value;
    if (in.op == opcode::items && here && schema.location == in.location) { u.keyword = in.keyword; }
    if (in.op == opcode::unevaluated_items) { u.keyword = in.keyword; }
    if (in.op == opcode::unevaluated_properties) {
        u.keyword = in.keyword;
        u.value = value - 1;
    }
    record(f, u);
}

template <bool Report>
void machine<Report>::record_stop() {
    const frame& f = frames_.top();
    unit u;
    u.reason = unit_reason::stopped;
    u.keyword = keyword::count;
    u.value = f.value;
    u.path = f.path;
    u.first_child = static_cast<std::uint32_t>(units_.size());
    units_.push_back(u);
}

template <bool Report>
typename machine<Report>::verdict machine<Report>::report_required(const frame& f, const instruction& in) {
    const std::vector<bool> seen = names_seen(p_.required_lists[in.a], f.value);
    bool ok = true;
    for (std::uint32_t i = 0; i != seen.size(); ++i) {
        if (seen[i]) { continue; }
        ok = false;
        record_keyword(f, in, unit_reason::required, i);
    }
    return to_verdict(ok);
}

template <bool Report>
typename machine<Report>::verdict machine<Report>::report_dependencies(const frame& f,
                                                                       const instruction& in) {
    const std::vector<dependency>& list = p_.dependencies[in.a];
    bool ok = true;
    for_each_missing(list, f.value, [&](std::uint32_t i, std::uint32_t j) {
        ok = false;
        unit u;
        u.reason = unit_reason::dependency;
        u.instruction = f.ip;
        u.keyword = in.keyword;
        u.location = list[i].location;
        u.value = f.value;
        u.extra = i;
        u.name = j;
        record(f, u);
        return false;
    });
    return to_verdict(ok);
}

} // namespace jsonheal::schema::detail
