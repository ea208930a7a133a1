// Several values: copies are one, different ones a list, and a schema may rule out all but one.

#include "writer.hpp"

#include <jsonheal/document.hpp>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace jsonheal {

namespace {

using namespace args_detail;

/// Is `less` what a text that was cut off has of `more`? Its members are members of the other, the last perhaps in part.
bool is_part(value_view less, value_view more) {
    if (!less.is(value_kind::object) || !more.is(value_kind::object)) { return false; }
    std::string scratch;
    const std::size_t count = less.size();
    std::size_t i = 0;
    for (const member m : less.members()) {
        ++i;
        const auto other = more.find(m.key.string(scratch));
        if (!other) { return false; }
        if (same_value(m.value, *other)) { continue; }
        // the last: "x" of "xyz", [1] of [1,2]
        if (i != count || m.value.kind() != other->kind()) { return false; }
        if (m.value.is(value_kind::string)) { return other->string().starts_with(m.value.string()); }
        if (m.value.is(value_kind::object)) { return is_part(m.value, *other); }
        return m.value.is(value_kind::array) && m.value.size() <= other->size();
    }
    return true;
}

/// [/TOOL_CALLS], which healing takes for a list of one word
bool is_tag(std::string_view json) noexcept {
    return json.starts_with("[\"/") && json.ends_with("\"]") &&
           std::all_of(json.begin() + 3, json.end() - 2,
                       [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; });
}

/// Changes that leave the kept elements of a list: alone, if it is one.
edit_log leave(std::string_view json, const std::vector<span>& all, const std::vector<bool>& kept,
               const std::vector<rule>& fate, rule brackets) {
    edit_log log;
    const auto left = std::count(kept.begin(), kept.end(), true);
    const std::size_t open = skip_blanks(json, 0);
    const std::size_t close = json.rfind(']');
    if (left == 1) { log.emplace_back(open, open + 1, std::string_view(), brackets); }
    bool before_first = true;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (kept[i]) {
            before_first = false;
        } else if (before_first) { // goes with the comma behind it
            log.emplace_back(i == 0 ? open + 1 : all[i].begin, all[i + 1].begin, std::string_view(), fate[i]);
        } else { // and else with the one before it
            log.emplace_back(all[i - 1].end, all[i].end, std::string_view(), fate[i]);
        }
    }
    if (left == 1) { log.emplace_back(close, close + 1, std::string_view(), brackets); }
    return log;
}

} // namespace

bool args_detail::says_all(std::string_view less, std::string_view more) {
    const parse_result a = document::parse_borrowed(less), b = document::parse_borrowed(more);
    return a && b && is_part(a.value.root(), b.value.root());
}

shape args_writer::open_list(draft& d, std::size_t begin, bool listed) {
    // the arguments of each, if it is a whole call
    std::vector<span> all;
    std::vector<rule> fate; // of what is no arguments
    edit_log calls;
    bool any = false;
    element_walk walk(d.text, begin);
    span element;
    const tool_spec* known = options_.tool != nullptr || options_.tools != nullptr ? spec() : nullptr;
    while (walk.next(element)) {
        const bool object = d.text[element.begin] == '{';
        if (!object && !listed) { return refuse("arguments are one object, and this is a list", begin); }
        const auto inner = object ? wrapped_arguments(d.text, element.begin, tool_, known) : std::nullopt;
        if (inner && d.text[inner->begin] == '{') {
            calls.emplace_back(element.begin, inner->begin, std::string_view(), rule::arguments_wrapper);
            calls.emplace_back(inner->end, element.end, std::string_view(), rule::arguments_wrapper);
        }
        any = any || object;
        all.push_back(element);
        fate.push_back(object                       ? rule::repeated_value
                       : is_tag(element.of(d.text)) ? rule::special_token
                                                    : rule::value_dropped);
    }
    if (all.empty()) { return empty(d); }
    if (!any) { return refuse("arguments are one object, and these are others", begin); }
    if (!listed && all.size() == 1) {
        d.keep(all.front().begin, all.front().end, rule::arguments_list);
        return open(d, 0);
    }
    if (!calls.empty()) {
        // beside calls of this tool, those of others are not meant
        for (std::size_t i = 0; i < all.size(); ++i) {
            const bool other = d.text[all[i].begin] == '{' &&
                               !wrapped_arguments(d.text, all[i].begin, tool_, known) &&
                               is_whole_call(d.text, all[i].begin);
            if (other) { fate[i] = rule::value_dropped; }
        }
        d.apply(std::move(calls));
        all.clear();
        element_walk again(d.text, skip_blanks(d.text, 0));
        while (again.next(element)) { all.push_back(element); }
    }
    return choose(d, all, std::move(fate));
}

shape args_writer::choose(draft& d, const std::vector<span>& all, std::vector<rule> fate) {
    const parse_result parsed = document::parse_borrowed(d.text);
    if (!parsed) { return refuse(parsed.error->message, 0); }
    std::vector<bool> kept(all.size(), true);
    std::vector<value_view> values;
    for (const value_view v : parsed.value.root().elements()) { values.push_back(v); }
    std::unordered_multimap<std::uint64_t, std::size_t> seen;
    for (std::size_t i = 0; i < values.size(); ++i) {
        kept[i] = fate[i] == rule::repeated_value;
        if (!kept[i]) { continue; }
        const std::uint64_t hash = hash_value(values[i]);
        const auto [from, to] = seen.equal_range(hash);
        kept[i] =
            std::none_of(from, to, [&](const auto& e) { return same_value(values[e.second], values[i]); });
        if (kept[i]) { seen.emplace(hash, i); }
    }
    // a copy that was cut off adds nothing
    if (d.cut != cut_place::none && values.size() > 1 && kept.back() &&
        is_part(values.back(), values[values.size() - 2])) {
        kept.back() = false;
    }
    if (!kept.back()) { d.cut = cut_place::none; }
    if (spec() != nullptr && spec()->has_schema && std::count(kept.begin(), kept.end(), true) > 1) {
        std::vector<bool> fits = kept;
        for (std::size_t i = 0; i < all.size(); ++i) {
            fits[i] = kept[i] && fits_schema(d.text, all[i].begin, spec());
        }
        if (std::count(fits.begin(), fits.end(), true) == 1) {
            for (std::size_t i = 0; i < all.size(); ++i) {
                if (kept[i] && !fits[i]) { fate[i] = rule::value_dropped; }
            }
            if (!fits.back()) { d.cut = cut_place::none; }
            kept = std::move(fits);
        }
    }
    const bool one = std::count(kept.begin(), kept.end(), true) == 1;
    d.apply(leave(d.text, all, kept, fate, rule::repeated_value));
    return one ? open(d, 0) : shape::several;
}

} // namespace jsonheal
