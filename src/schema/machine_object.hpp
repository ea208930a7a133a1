/// @file machine_object.hpp
/// Instructions over an object's members. One walk serves `properties`, `required`, `patternProperties` and
/// `additionalProperties`.
#pragma once

#include "machine.hpp"

namespace jsonheal::schema::detail {

/// The property that a key names, or `not_found`. Texts mostly have their keys in the schema's order, so the one behind
/// the last is looked at first.
template <bool Report>
inline std::uint32_t machine<Report>::property_of(const object_shape& shape, std::uint32_t key,
                                                  std::uint32_t& hint) {
    key_ends ends;
    const std::string_view text = content(key, ends);
    if (hint < shape.properties.count) {
        const property& next = p_.properties[shape.properties.begin + hint];
        if (next.ends == ends && same_between_ends(next.key, text)) {
            return shape.properties.begin + hint++;
        }
    }
    const std::uint32_t found = shape.keys.find(text, ends);
    if (found != key_table::not_found) { hint = found - shape.properties.begin + 1; }
    return found;
}

/// `cursor`: the next key. `mask`: required keys seen.
template <bool Report>
typename machine<Report>::verdict machine<Report>::step_properties(frame& f, const instruction& in) {
    const object_shape& shape = p_.objects[in.a];
    if (shape.patterns.count != 0) { return step_pattern_properties(f, in, shape); }
    if (!f.resumed) {
        f.cursor = f.value + 1;
        f.mask = 0;
        f.count = 0;
        f.hint = 0;
    } else if (!child_ok_) {
        if constexpr (!Report) { return verdict::fail; }
        f.count = 1;
    }
    const std::uint32_t end = at(f.value).end_index();
    while (f.cursor != end) {
        const std::uint32_t key = f.cursor;
        const std::uint32_t value = key + 1;
        f.cursor = at(value).end_index();
        ++steps_;
        const std::uint32_t found = property_of(shape, key, f.hint);
        const edge* to = &shape.additional;
        if (found != key_table::not_found) {
            const property& prop = p_.properties[found];
            f.mask |= prop.required_bit;
            if (prop.to.at != none) { to = &prop.to; }
        }
        if (to->at == none) { continue; }
        mark(f, value);
        const verdict v = enter_member(f, *to, value, key, shape);
        if (v == verdict::pushed) { return v; }
        if (v == verdict::fail) {
            if constexpr (!Report) { return v; }
            f.count = 1;
        }
    }
    return finish_properties(f, in, shape);
}

/// A forbidden key is a fault of the key.
template <bool Report>
inline typename machine<Report>::verdict machine<Report>::enter_member(frame& f, const edge& e,
                                                                       std::uint32_t value, std::uint32_t key,
                                                                       const object_shape& shape) {
    if constexpr (Report) {
        if (shape.closed && &e == &shape.additional) {
            unit u;
            u.reason = unit_reason::forbidden;
            u.keyword = keyword::additional_properties;
            u.location = shape.additional_at;
            u.instruction = f.ip;
            u.value = key;
            record(f, u);
            return verdict::fail;
        }
    }
    return enter(e, value);
}

template <bool Report>
typename machine<Report>::verdict machine<Report>::finish_properties(frame& f, const instruction& in,
                                                                     const object_shape& shape) {
    const bool all = (f.mask & shape.required) == shape.required;
    if constexpr (Report) {
        for (std::uint32_t i = 0; i != shape.properties.count && !all; ++i) {
            const property& prop = p_.properties[shape.properties.begin + i];
            if ((prop.required_bit & ~f.mask) == 0) { continue; }
            unit u;
            u.reason = unit_reason::required;
            u.keyword = keyword::required;
            u.location = shape.required_at;
            u.instruction = f.ip;
            u.value = f.value;
            u.extra = shape.properties.begin + i;
            record(f, u);
        }
        (void)in;
        return to_verdict(all && f.count == 0);
    }
    return to_verdict(all);
}

/// As `step_properties`, where several subschemas may apply to a member. `cursor`: the key at hand. `count`: what is to be
/// tried next on it: 0 its property, n pattern n - 1, one more than there are patterns: the end. The top bit says that
/// one applied, the bit below that one failed.
template <bool Report>
typename machine<Report>::verdict machine<Report>::step_pattern_properties(frame& f, const instruction& in,
                                                                           const object_shape& shape) {
    constexpr std::uint32_t applied = 1u << 31;
    constexpr std::uint32_t failed = 1u << 30;
    if (!f.resumed) {
        f.cursor = f.value + 1;
        f.mask = 0;
        f.count = 0;
    } else if (!child_ok_) {
        if constexpr (!Report) { return verdict::fail; }
        f.count |= failed;
    }
    const std::uint32_t end = at(f.value).end_index();
    while (f.cursor != end) {
        const std::uint32_t key = f.cursor;
        const std::uint32_t value = key + 1;
        const std::uint32_t stage = f.count & ~(applied | failed);
        if (stage > shape.patterns.count + 1) { // the next member
            f.cursor = at(value).end_index();
            f.count &= failed;
            continue;
        }
        ++f.count;
        ++steps_;
        const edge* to = nullptr;
        if (stage == 0) {
            const std::uint32_t found = shape.keys.find(content(key));
            if (found == key_table::not_found) { continue; }
            f.mask |= p_.properties[found].required_bit;
            to = &p_.properties[found].to;
        } else if (stage <= shape.patterns.count) {
            const pattern_edge& pattern = p_.pattern_edges[shape.patterns.begin + stage - 1];
            if (!matches(pattern.regex, content(key))) {
                if (stopped_ != stop_reason::nothing) { return verdict::fail; }
                continue;
            }
            to = &pattern.to;
        } else if ((f.count & applied) == 0) {
            to = &shape.additional;
        }
        if (to == nullptr || to->at == none) { continue; }
        f.count |= applied;
        mark(f, value);
        const verdict v = enter_member(f, *to, value, key, shape);
        if (v == verdict::pushed) { return v; }
        if (v == verdict::fail) {
            if constexpr (!Report) { return v; }
            f.count |= failed;
        }
    }
    f.count = (f.count & failed) != 0 ? 1 : 0;
    return finish_properties(f, in, shape);
}

/// `cursor`: the next key.
template <bool Report>
typename machine<Report>::verdict machine<Report>::step_property_names(frame& f, const instruction& in) {
    const std::uint32_t end = at(f.value).end_index();
    return every_child(f, f.value + 1, [&](edge& to, std::uint32_t& key) {
        if (f.cursor == end) { return false; }
        key = f.cursor;
        f.cursor = at(key + 1).end_index();
        ++steps_;
        to = p_.edges[in.a];
        return true;
    });
}

/// `cursor`: the next dependency.
template <bool Report>
typename machine<Report>::verdict machine<Report>::step_dependent_schemas(frame& f, const instruction& in) {
    const std::vector<dependency>& list = p_.dependencies[in.a];
    const value_view object = at(f.value);
    return every_child(f, 0, [&](edge& to, std::uint32_t&) {
        while (f.cursor != list.size()) {
            const dependency& d = list[f.cursor++];
            steps_ += object.size();
            if (!object.find(d.key)) { continue; }
            to = d.to;
            return true;
        }
        return false;
    });
}

/// `cursor`: the next key. The marks of this frame are sorted once and only grow behind their end while children run,
/// which take theirs away again.
template <bool Report>
typename machine<Report>::verdict machine<Report>::step_unevaluated_properties(frame& f,
                                                                               const instruction& in) {
    const value_view object = at(f.value);
    if (!object.is(value_kind::object)) { return verdict::pass; }
    if (!f.resumed) { sort_marks(f); }
    const bool all = is_marked(f, f.value);
    return every_child(f, f.value + 1, [&](edge& to, std::uint32_t& member) {
        while (f.cursor != object.end_index() && !all) {
            member = f.cursor + 1;
            f.cursor = at(member).end_index();
            ++steps_;
            if (is_marked(f, member)) { continue; }
            to = p_.edges[in.a];
            return true;
        }
        mark(f, f.value);
        return false;
    });
}

} // namespace jsonheal::schema::detail
