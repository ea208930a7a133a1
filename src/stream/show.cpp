#include "show.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace jsonheal {

namespace stream_detail {

namespace {

/// `/a/*/b~1c` → `a`, `*`, `b/c` (RFC 6901)
std::vector<std::string> steps_of(const std::string& pointer) {
    std::vector<std::string> steps;
    if (!pointer.empty() && pointer[0] != '/') {
        throw std::invalid_argument("jsonheal: '" + pointer + "' is no JSON Pointer: it must begin with /");
    }
    for (std::size_t i = 0; i < pointer.size(); ++i) {
        if (pointer[i] == '/') {
            steps.emplace_back();
        } else if (pointer[i] == '~' && i + 1 < pointer.size() &&
                   (pointer[i + 1] == '0' || pointer[i + 1] == '1')) {
            steps.back().push_back(pointer[++i] == '0' ? '~' : '/');
        } else {
            steps.back().push_back(pointer[i]);
        }
    }
    return steps;
}

bool fits(const std::string& pattern, const stream_place::step& step) {
    if (pattern == "*") { return true; }
    if (!step.in_array) { return pattern == step.key; }
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(pattern.data(), pattern.data() + pattern.size(), index);
    return error == std::errc() && end == pattern.data() + pattern.size() && index == step.index;
}

/// Do the first `count` steps fit?
bool fit_first(const std::vector<std::string>& steps, const stream_place& place, std::size_t count) {
    for (std::size_t i = 0; i != count; ++i) {
        if (!fits(steps[i], place.at(i))) { return false; }
    }
    return true;
}

} // namespace

show_table::show_table(const std::vector<show_rule>& rules) {
    std::uint64_t next = 1;
    for (const show_rule& r : rules) {
        row one{steps_of(r.place), r, 0};
        if (r.not_null && !one.steps.empty()) {
            if (next == 0) {
                throw std::invalid_argument("jsonheal: more than 64 places are to be not null");
            }
            one.bit = next;
            next <<= 1;
        }
        rows_.push_back(std::move(one));
    }
}

show_table::answer show_table::ask(const stream_place& place) const {
    answer a;
    for (const row& r : rows_) {
        if (r.steps.size() == place.depth() && fit_first(r.steps, place, place.depth())) {
            a.when_done |= r.rule.when_done;
            a.with_state |= r.rule.with_state;
            a.meets |= r.bit;
        } else if (r.bit != 0 && r.steps.size() == place.depth() + 1 &&
                   fit_first(r.steps, place, place.depth())) {
            a.wanted |= r.bit;
        }
    }
    return a;
}

} // namespace stream_detail

namespace {

constexpr std::size_t most_places = 10'000;

/// Walks a schema and remembers where it has been.
struct collector {
    struct visit {
        schema::node_view node;
        std::string place;
        std::vector<std::uint32_t> above; ///< subschemas that it is a part of
    };
    std::vector<visit> todo;
    std::vector<show_rule> rules;

    void read(const visit& v) {
        const value_view source = v.node.source();
        if (!source.is(value_kind::object)) { return; }
        const auto words = source.find("x-stream");
        if (!words) { return; }
        show_rule r;
        r.place = v.place;
        const auto word = [&r](value_view w) {
            if (!w.is(value_kind::string)) { return; }
            r.when_done |= w.string_is("done");
            r.not_null |= w.string_is("not_null");
            r.with_state |= w.string_is("state");
        };
        if (words->is(value_kind::array)) {
            for (const value_view w : words->elements()) { word(w); }
        } else {
            word(*words);
        }
        rules.push_back(std::move(r));
    }
    void go(const visit& from, const schema::node_view& node, const std::string& step) {
        if (std::find(from.above.begin(), from.above.end(), node.index()) != from.above.end()) { return; }
        todo.push_back({node, from.place + step, from.above});
    }
};

std::string escaped(std::string_view key) {
    std::string out = "/";
    for (const char c : key) { out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c); }
    return out;
}

} // namespace

std::vector<show_rule> show_rules_of(const schema::program& p) {
    collector c;
    c.todo.push_back({p.root(), "", {}});
    for (std::size_t seen = 0; !c.todo.empty() && seen != most_places; ++seen) {
        collector::visit v = std::move(c.todo.back());
        c.todo.pop_back();
        v.above.push_back(v.node.index());
        c.read(v);
        for (const auto& parts : {v.node.all_of(), v.node.any_of(), v.node.one_of()}) {
            for (const schema::node_view& n : parts) { c.go(v, n, ""); }
        }
        if (const auto n = v.node.reference()) { c.go(v, *n, ""); }
        for (const auto& property : v.node.properties()) {
            if (property.node) { c.go(v, v.node.with_index(*property.node), escaped(property.key)); }
        }
        if (const auto n = v.node.additional()) { c.go(v, *n, "/*"); }
        const auto prefix = v.node.prefix_items();
        for (std::size_t i = 0; i != prefix.size(); ++i) { c.go(v, prefix[i], "/" + std::to_string(i)); }
        if (const auto n = v.node.rest_items()) { c.go(v, *n, "/*"); }
    }
    return std::move(c.rules);
}

} // namespace jsonheal
