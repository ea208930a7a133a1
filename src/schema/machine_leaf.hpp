/// @file machine_leaf.hpp
/// Instructions that look at one value and no other subschema.
#pragma once

#include "formats.hpp"
#include "machine.hpp"

#include <algorithm>

namespace jsonheal::schema::detail {

/// Code points of WTF-8: bytes that do not continue one.
[[nodiscard]] inline std::size_t count_code_points(std::string_view wtf8) noexcept {
    return static_cast<std::size_t>(std::count_if(
        wtf8.begin(), wtf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

template <bool Report>
bool machine<Report>::run_leaves(const node& n, value_view v) {
    const group g = group_of(v.kind());
    const instruction* const code = p_.code.data() + n.first;
    if (g != group::any) {
        const auto own = static_cast<std::size_t>(g);
        for (std::uint32_t i = own == 0 ? 0 : n.ends[own - 1]; i != n.ends[own]; ++i) {
            if (!leaf(code[i], v)) { return false; }
        }
    }
    for (std::uint32_t i = n.ends[static_cast<std::size_t>(group::object)]; i != n.ends.back(); ++i) {
        if (!leaf(code[i], v)) { return false; }
    }
    return true;
}

template <bool Report>
bool machine<Report>::leaf(const instruction& in, value_view v) {
    switch (in.op) {
    case opcode::integer:
    case opcode::minimum:
    case opcode::exclusive_minimum:
    case opcode::maximum:
    case opcode::exclusive_maximum:
    case opcode::multiple_of: return number_leaf(in, v);
    case opcode::min_length:
    case opcode::max_length:
    case opcode::pattern:
    case opcode::format: return string_leaf(in, v);
    case opcode::min_items: return v.size() >= in.a;
    case opcode::max_items: return v.size() <= in.a;
    case opcode::unique_items: steps_ += v.size(); return !find_duplicate(root_, v, hashes_);
    case opcode::min_properties: return v.size() >= in.a && (in.a == 1 || distinct_keys(v) >= in.a);
    case opcode::max_properties: return v.size() <= in.a || distinct_keys(v) <= in.a;
    case opcode::required: return has_required(p_.required_lists[in.a], v);
    case opcode::dependent_required: return has_dependencies(p_.dependencies[in.a], v);
    case opcode::value_set: return in_value_set(p_.value_sets[in.a], v);
    default: return true;
    }
}

template <bool Report>
bool machine<Report>::number_leaf(const instruction& in, value_view v) {
    const std::string_view text = v.source();
    switch (in.op) {
    case opcode::integer: return short_integer(text) || v.is_integer();
    case opcode::minimum: return compare(text, p_.bounds[in.a]) >= 0;
    case opcode::exclusive_minimum: return compare(text, p_.bounds[in.a]) > 0;
    case opcode::maximum: return compare(text, p_.bounds[in.a]) <= 0;
    case opcode::exclusive_maximum: return compare(text, p_.bounds[in.a]) < 0;
    default: return is_multiple(text, p_.divisors[in.a]);
    }
}

template <bool Report>
bool machine<Report>::string_leaf(const instruction& in, value_view v) {
    const std::string_view text = text_of(v, scratch_);
    switch (in.op) {
    // A code point has one to four bytes: often the length says it all.
    case opcode::min_length:
        return text.size() >= in.a && (text.size() / 4 >= in.a || count_code_points(text) >= in.a);
    case opcode::max_length: return text.size() <= in.a || count_code_points(text) <= in.a;
    case opcode::pattern: return matches(in.a, text);
    default: return has_format(in.a, text);
    }
}

template <bool Report>
bool machine<Report>::matches(std::uint32_t regex, std::string_view text) {
    switch (p_.regexes[regex]->find_in(text, pattern_budget_)) {
    case match::yes: return true;
    case match::limit: stop(stop_reason::pattern); return false;
    case match::no: break;
    }
    return false;
}

template <bool Report>
bool machine<Report>::in_value_set(const value_set& set, value_view v) {
    if ((set.kinds & bit(v.kind())) == 0) { return false; }
    if (v.is(value_kind::string)) { return set.strings.find(text_of(v, scratch_)) != key_table::not_found; }
    steps_ += set.others.size();
    return std::any_of(set.others.begin(), set.others.end(),
                       [v](value_view other) { return other.kind() == v.kind() && same_value(other, v); });
}

template <bool Report>
bool machine<Report>::has_required(const std::vector<std::string>& names, value_view object) {
    std::vector<bool> seen(names.size(), false);
    std::size_t missing = names.size();
    for (const member m : object.members()) {
        const std::string_view key = text_of(m.key, scratch_);
        const auto found = std::lower_bound(names.begin(), names.end(), key);
        if (found == names.end() || *found != key || seen[static_cast<std::size_t>(found - names.begin())]) {
            continue;
        }
        seen[static_cast<std::size_t>(found - names.begin())] = true;
        --missing;
    }
    if constexpr (Report) {
        for (std::size_t i = 0; i != names.size() && missing != 0; ++i) {
            if (!seen[i]) {
                record_keyword(frames_.top(), p_.code[frames_.top().ip], unit_reason::required,
                               static_cast<std::uint32_t>(i));
            }
        }
    }
    return missing == 0;
}

template <bool Report>
bool machine<Report>::has_dependencies(const std::vector<dependency>& list, value_view object) {
    bool ok = true;
    for (std::uint32_t i = 0; i != list.size(); ++i) {
        steps_ += object.size();
        if (!object.find(list[i].key)) { continue; }
        for (std::uint32_t j = 0; j != list[i].names.size(); ++j) {
            steps_ += object.size();
            if (object.find(list[i].names[j])) { continue; }
            if constexpr (!Report) { return false; }
            ok = false;
            const frame& f = frames_.top();
            unit u;
            u.reason = unit_reason::dependency;
            u.instruction = f.ip;
            u.keyword = p_.code[f.ip].keyword;
            u.location = list[i].location;
            u.value = f.value;
            u.extra = i;
            u.name = j;
            record(f, u);
        }
    }
    return ok;
}

template <bool Report>
std::size_t machine<Report>::distinct_keys(value_view object) {
    std::vector<std::string> keys;
    keys.reserve(object.size());
    for (const member m : object.members()) { keys.push_back(m.key.string()); }
    std::sort(keys.begin(), keys.end());
    return static_cast<std::size_t>(std::unique(keys.begin(), keys.end()) - keys.begin());
}

} // namespace jsonheal::schema::detail
