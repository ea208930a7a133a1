/// @file machine_array.hpp
/// Instructions over an array's elements.
#pragma once

#include "machine.hpp"

namespace jsonheal::schema::detail {

/// `cursor`: the next element. `count`: how many are done. `mask`: whether one failed.
template <bool Report>
typename machine<Report>::verdict machine<Report>::step_items(frame& f, const instruction& in) {
    const items_shape& shape = p_.items[in.a];
    if (!f.resumed) {
        f.cursor = f.value + 1;
        f.count = 0;
        f.mask = 0;
    } else if (!child_ok_) {
        if constexpr (!Report) { return verdict::fail; }
        f.mask = 1;
    }
    const std::uint32_t end = at(f.value).end_index();
    while (f.cursor != end) {
        const std::uint32_t element = f.cursor;
        const edge* to = &shape.rest;
        if (f.count < shape.prefix.count) {
            to = &p_.edges[shape.prefix.begin + f.count];
        } else if (shape.rest.at == none) {
            break;
        }
        f.cursor = at(element).end_index();
        ++f.count;
        ++steps_;
        mark(f, element);
        const verdict v = enter(*to, element);
        if (v == verdict::pushed) { return v; }
        if (v == verdict::fail) {
            if constexpr (!Report) { return v; }
            f.mask = 1;
        }
    }
    return to_verdict(f.mask == 0);
}

/// `cursor`: behind the element at hand. `count`: how many fit.
template <bool Report>
typename machine<Report>::verdict machine<Report>::step_contains(frame& f, const instruction& in) {
    const contains_shape& shape = p_.contains[in.a];
    const auto count = [&](std::uint32_t element, bool ok) {
        if (!ok) { return; }
        ++f.count;
        if (shape.marks) { mark(f, element); }
    };
    if (!f.resumed) {
        f.cursor = f.value + 1;
        f.count = 0;
    } else {
        count(static_cast<std::uint32_t>(f.mask), child_ok_);
    }
    const std::uint32_t end = at(f.value).end_index();
    const bool unbounded = shape.most == ~std::uint64_t{0};
    while (f.cursor != end) {
        if (!f.track && ((unbounded && f.count >= shape.least) || f.count > shape.most)) { break; }
        const std::uint32_t element = f.cursor;
        f.cursor = at(element).end_index();
        f.mask = element;
        ++steps_;
        const verdict v = enter(shape.to, element, true);
        if (v == verdict::pushed) { return v; }
        count(element, v == verdict::pass);
    }
    const bool enough = f.count >= shape.least;
    const bool ok = enough && f.count <= shape.most;
    if constexpr (Report) {
        forget_units(f);
        if (!ok) { record_keyword(f, in, enough ? unit_reason::too_many : unit_reason::too_few, f.count); }
    }
    return to_verdict(ok);
}

/// As `step_unevaluated_properties`. `cursor`: the next element.
template <bool Report>
typename machine<Report>::verdict machine<Report>::step_unevaluated_items(frame& f, const instruction& in) {
    const value_view array = at(f.value);
    if (!array.is(value_kind::array)) { return verdict::pass; }
    if (!f.resumed) { sort_marks(f); }
    const bool all = is_marked(f, f.value);
    return every_child(f, f.value + 1, [&](edge& to, std::uint32_t& element) {
        while (f.cursor != array.end_index() && !all) {
            element = f.cursor;
            f.cursor = at(element).end_index();
            ++steps_;
            if (is_marked(f, element)) { continue; }
            to = p_.edges[in.a];
            return true;
        }
        mark(f, f.value);
        return false;
    });
}

} // namespace jsonheal::schema::detail
