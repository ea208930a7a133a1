/// @file solver_moves.cpp
/// The moves of one value: read a scalar otherwise, take it out of what stands around it, put around it what is missing.

#include "fold.hpp"
#include "number_text.hpp"
#include "solver.hpp"

#include <jsonheal/heal.hpp>

#include <algorithm>
#include <iterator>

namespace jsonheal::align_detail {

void solver::add_text(align_rule rule, std::string text, std::vector<plan>& out) const {
    if (!allowed(rule)) { return; }
    plan p;
    p.act = act::text;
    p.rule = rule;
    p.risk = info(rule).risk;
    p.cost = info(rule).cost;
    p.changed = true;
    p.text = std::move(text);
    out.push_back(std::move(p));
}

// ---- scalars

void solver::scalar_moves(const state& s, std::vector<plan>& out) {
    const shape& sh = shapes_.at(s.shape);
    const value_view v = s.value;
    switch (v.kind()) {
    case value_kind::string: string_moves(sh, v, out); break;
    case value_kind::number: number_moves(sh, v, out); break;
    case value_kind::boolean: boolean_moves(sh, v, out); break;
    default: break;
    }
    if (sh.kinds.has(value_kind::null) && !v.is(value_kind::null)) {
        add_text(align_rule::unfit_to_null, "null", out);
    }
}

/// Moves to the values of `const` and `enum`.
void solver::value_moves(const shape& sh, std::string_view text, std::vector<plan>& out) {
    const bool lossy = ceiling_ == risk::lossy;
    count(sh.names.size() / 16);
    if (const auto r = read_enum(text, sh.names, lossy)) {
        add_text(r->rule, std::string(sh.values[r->value].source()), out);
    }
    const auto number = read_number(text, options_, lossy);
    for (const value_view o : sh.values) {
        if (o.is(value_kind::number) && number && compare_numbers(o.source(), number->text) == 0) {
            add_text(number->rule, std::string(o.source()), out);
        }
    }
    const auto boolean = read_boolean(text, lossy);
    for (const value_view o : sh.values) {
        if (o.is(value_kind::boolean) && boolean && o.boolean() == boolean->value) {
            add_text(boolean->rule, std::string(o.source()), out);
        }
        if (o.is(value_kind::null) && is_null_word(text)) { add_text(align_rule::null_word, "null", out); }
    }
}

void solver::string_moves(const shape& sh, value_view v, std::vector<plan>& out) {
    std::string scratch;
    const std::string_view text = v.string(scratch);
    count(text.size() / 64);
    if (sh.limits_values) { return value_moves(sh, text, out); }
    const bool lossy = ceiling_ == risk::lossy;
    if (sh.kinds.has(value_kind::null) && is_null_word(text)) {
        add_text(align_rule::null_word, "null", out);
    }
    if (sh.kinds.has(value_kind::string)) { return; }
    if (sh.kinds.has(value_kind::number)) {
        if (auto r = read_number(text, options_, lossy)) { add_text(r->rule, std::move(r->text), out); }
    }
    if (sh.kinds.has(value_kind::boolean)) {
        if (const auto r = read_boolean(text, lossy)) { add_text(r->rule, r->value ? "true" : "false", out); }
    }
}

void solver::number_moves(const shape& sh, value_view v, std::vector<plan>& out) {
    const std::string text(v.source());
    for (const enum_name& n : sh.names) {
        if (!n.alias && n.text == text) { add_text(align_rule::number_to_string, '"' + text + '"', out); }
    }
    if (sh.limits_values || sh.kinds.has(value_kind::number)) { return; }
    if (sh.kinds.has(value_kind::string)) { add_text(align_rule::number_to_string, '"' + text + '"', out); }
    if (sh.kinds.has(value_kind::boolean) && (text == "0" || text == "1")) {
        add_text(align_rule::number_to_boolean, text == "1" ? "true" : "false", out);
    }
}

void solver::boolean_moves(const shape& sh, value_view v, std::vector<plan>& out) {
    const std::string text(v.source());
    if (!sh.limits_values) {
        if (sh.kinds.has(value_kind::string)) {
            add_text(align_rule::boolean_to_string, '"' + text + '"', out);
        }
        return;
    }
    for (const enum_name& n : sh.names) {
        if (!n.alias && fold(n.text, fold_level::case_only) == text) {
            add_text(align_rule::boolean_to_string, std::string(sh.values[n.value].source()), out);
        }
    }
}

// ---- one value in the place of another

/// A plan that is that of another state, with something around it put in or taken away.
void solver::add_around(act what, align_rule rule, std::uint32_t child, std::string text,
                        std::vector<plan>& out) {
    const plan& own = ask(child);
    if (!own.fits()) { return; }
    plan p;
    p.act = what;
    p.rule = rule;
    p.risk = info(rule).risk;
    p.cost = own.cost + info(rule).cost;
    p.changed = true;
    p.child = child;
    p.text = std::move(text);
    out.push_back(std::move(p));
}

void solver::add_inner(const state& s, align_rule rule, value_view inner, std::vector<plan>& out) {
    if (!worthwhile(rule) || (s.mode & ~wrapped) >= most_opened) { return; }
    const shape& sh = shapes_.at(s.shape);
    const bool leaves = sh.wanted.has(s.value.kind()) && inner.kind() != s.value.kind();
    if (sh.kinds.has(inner.kind()) && (leaves || !sh.wanted.has(inner.kind()))) { return; }
    const std::uint32_t child = state_of(s.shape, inner, static_cast<std::uint8_t>(s.mode + 1));
    add_around(act::inner, rule, child, {}, out);
}

namespace {

[[nodiscard]] bool is_container(value_view v) { return v.is(value_kind::array) || v.is(value_kind::object); }

template <std::size_t N>
[[nodiscard]] bool listed(const std::string_view (&list)[N], std::string_view word) {
    return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

constexpr std::string_view type_names[] = {"string", "number", "integer", "boolean",
                                           "array",  "object", "null"};

/// `{"type": "string", …}`: a schema, not a value.
[[nodiscard]] bool looks_like_schema(value_view v) {
    if (!v.is(value_kind::object)) { return false; }
    if (v.find("value")) { return false; }
    const auto type = v.find("type");
    const bool typed = type && type->is(value_kind::string) && listed(type_names, type->string());
    return typed || v.find("$ref") || v.find("anyOf") || v.find("oneOf") || v.find("enum");
}

/// Whether all members are schemas, as under the `properties` of one.
[[nodiscard]] bool holds_schemas(value_view v) {
    if (!v.is(value_kind::object) || v.size() == 0) { return false; }
    const member_range all = v.members();
    return std::all_of(all.begin(), all.end(), [](const member& m) { return looks_like_schema(m.value); });
}

} // namespace

void solver::structural_moves(const state& s, std::vector<plan>& out) {
    const shape& sh = shapes_.at(s.shape);
    const value_view v = s.value;
    if (v.is(value_kind::array)) { list_moves(s, out); }
    if (v.is(value_kind::object)) { wrapper_moves(s, out); }
    if (v.is(value_kind::string)) { held_move(s, out); }
    // a value of a kind that is wanted has another fault: another kind would only hide it
    if ((s.mode & wrapped) != 0 || sh.limits_values || sh.wanted.has(v.kind())) { return; }
    if (is_container(v) && v.size() == 0 && worthwhile(align_rule::empty_container)) {
        const bool object = v.is(value_kind::object);
        if (sh.wanted.has(object ? value_kind::array : value_kind::object)) {
            add_text(align_rule::empty_container, object ? "[]" : "{}", out);
        }
    }
    if (is_container(v) && sh.wanted.has(value_kind::string) && !looks_like_schema(v) &&
        worthwhile(align_rule::container_to_string)) {
        std::string text;
        encode_string(v.source(), text);
        add_text(align_rule::container_to_string, std::move(text), out);
    }
    if (sh.wanted.has(value_kind::array)) { wrap_move(s, out); }
    if (sh.wanted.has(value_kind::object)) { key_move(s, out); }
}

namespace {

/// `["a", "b`, `[{`: meant as JSON, whether or not it is any.
[[nodiscard]] bool begins_json(std::string_view text) {
    if (text.front() != '[' && text.front() != '{') { return false; }
    const std::size_t next = text.find_first_not_of(" \t\r\n", 1);
    return next != std::string_view::npos &&
           std::string_view("\"'[{").find(text[next]) != std::string_view::npos;
}

} // namespace

void solver::wrap_move(const state& s, std::vector<plan>& out) {
    const value_view v = s.value;
    if (!worthwhile(align_rule::one_to_list) || v.is(value_kind::null)) { return; }
    if (is_container(v) && v.size() == 0) { return; } // more likely a list of none
    if (s.value.is(value_kind::string)) {
        std::string scratch;
        const std::string_view text = s.value.string(scratch);
        if (trimmed(text).empty() || is_null_word(text)) { return; } // more likely a list of none
        if (begins_json(trimmed(text))) { return; }                  // a list that could not be read
    }
    const std::uint32_t child =
        state_of(shapes_.element(s.shape, 0), s.value, static_cast<std::uint8_t>(s.mode | wrapped));
    add_around(act::wrap, align_rule::one_to_list, child, {}, out);
}

/// `4` → `{"a": 4}`, where the object has one member only.
void solver::key_move(const state& s, std::vector<plan>& out) {
    const std::vector<named_property>& properties = shapes_.at(s.shape).properties;
    if (!worthwhile(align_rule::sole_key) || properties.size() != 1 || s.value.is(value_kind::null)) {
        return;
    }
    std::string key;
    encode_string(properties[0].key, key);
    const std::uint32_t child = state_of(shapes_.member(s.shape, properties[0].key), s.value,
                                         static_cast<std::uint8_t>(s.mode | wrapped));
    add_around(act::key, align_rule::sole_key, child, std::move(key), out);
}

void solver::list_moves(const state& s, std::vector<plan>& out) {
    if ((s.mode & wrapped) != 0 || s.value.size() == 0) { return; }
    const element_range all = s.value.elements();
    const value_view first = *all.begin();
    const bool list_wanted = shapes_.at(s.shape).kinds.has(value_kind::array);
    if (s.value.size() == 1) {
        // [["a"]] is a list in a list; what is taken out of a list would only be put into one again
        if (!list_wanted || first.is(value_kind::array) || first.is(value_kind::string)) {
            add_inner(s, align_rule::list_to_one, first, out);
        }
        return;
    }
    if (list_wanted) { return; }
    // copies are one where they are all there is; inside a value how many there are is part of it
    const auto same_as_first = [&](value_view v) { return v == first || same_value(v, first); };
    if (s.value.index() == 0 && std::all_of(all.begin(), all.end(), same_as_first)) {
        return add_inner(s, align_rule::list_to_one, first, out);
    }
    for (const value_view v : s.value.elements()) { add_inner(s, align_rule::first_of_list, v, out); }
}

// ---- JSON in a string

const solver::held_json& solver::held_in(value_view string) {
    const auto [place, added] = held_.try_emplace(string.source().data());
    if (added) { read_held(string, place->second); }
    return place->second;
}

namespace {

/// Whether a text is JSON and nothing else but a fence or tags around it: `[draft] fix the bug` and `not {"a": 1}` are
/// none.
[[nodiscard]] bool is_framed(std::string_view text) {
    const char first = text.front();
    if (first == '`' || first == '<' || first == '"') { return true; }
    const std::size_t last = text.find_last_of("]}");
    if ((first != '[' && first != '{') || last == std::string_view::npos) { return false; }
    bool in_tag = false;
    for (const char c : text.substr(last + 1)) {
        in_tag = c == '<' || (in_tag && c != '>');
        const bool letter =
            (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c & 0x80) != 0;
        if (letter && !in_tag) { return false; }
    }
    return true;
}

} // namespace

void solver::read_held(value_view string, held_json& out) {
    const std::string content = string.string();
    const std::string_view text = trimmed(content);
    if (text.find_first_of("[{\"") == std::string_view::npos) { return; }
    healed_bytes_ += content.size();
    if (healed_bytes_ > options_.limits.healed_bytes) {
        out_of_bounds_ = true;
        return;
    }
    if (parse_result strict = document::parse(std::string(text))) {
        const value_view root = strict.value.root();
        if (!is_container(root) && !root.is(value_kind::string)) { return; }
        out.value = std::move(strict.value);
        out.strict = true;
        return;
    }
    heal_options options;
    options.max_risk = ceiling_;
    options.log = log_policy::counted;
    options.plain_path = true;
    const healing h = heal(std::string_view(content), options);
    if (h.verdict != verdict::healed && h.verdict != verdict::intact) {
        return;
    } // what was cut in there is not whole
    parse_result healed = document::parse(std::string(h.json()));
    if (!healed || !is_container(healed.value.root())) { return; }
    if (!is_framed(text)) { return; }
    out.value = std::move(healed.value);
    out.risk = h.risk;
}

void solver::held_move(const state& s, std::vector<plan>& out) {
    const shape& sh = shapes_.at(s.shape);
    if (!sh.kinds.has(value_kind::array) && !sh.kinds.has(value_kind::object) && s.mode == 0) { return; }
    const held_json& held = held_in(s.value);
    if (!held.value) { return; }
    const align_rule rule = held.strict ? align_rule::string_to_json : align_rule::string_to_healed;
    const std::size_t before = out.size();
    add_inner(s, rule, held.value->root(), out);
    if (out.size() == before) { return; }
    plan& p = out.back();
    p.risk = std::max(p.risk, held.risk);
    if (held.risk >= risk::invented) { p.cost += info(align_rule::unfit_element).cost; }
}

// ---- wrappers

namespace {

/// Keys under which models put what was asked for. Folded.
constexpr std::string_view content_keys[] = {
    "arguments",   "args",       "parameters", "params",  "input",    "toolinput", "json",         "value",
    "text",        "content",    "data",       "result",  "response", "output",    "answer",       "body",
    "payload",     "properties", "object",     "item",    "items",    "function",  "functioncall", "final",
    "finalanswer", "instance",   "message",    "results", "list",     "records",   "entries",      "rows",
    "values",      "elements",   "jsonschema", "schema"};

/// Keys that stand beside it and are no part of it. Folded.
constexpr std::string_view envelope_keys[] = {
    "type",     "name",   "id",          "tool",        "toolname", "function",     "role",
    "index",    "title",  "description", "annotations", "status",   "required",     "additionalproperties",
    "$schema",  "$id",    "$defs",       "definitions", "callid",   "toolcallid",   "tooluseid",
    "model",    "format", "version",     "created",     "strict",   "finishreason", "citations",
    "logprobs", "schema", "kind",        "count",       "total",    "page",         "hasmore"};

[[nodiscard]] align_rule envelope_rule(std::string_view folded_key, bool typed) {
    if (folded_key == "properties") { return align_rule::schema_echo; }
    if (folded_key == "value" && typed) { return align_rule::typed_value; }
    return align_rule::envelope;
}

/// Keys that say something of what stands under them. Folded.
constexpr std::string_view turning_keys[] = {
    "not",    "except",  "exclude",  "excluded", "without",   "old",      "previous", "before",  "original",
    "wrong",  "error",   "errors",   "never",    "avoid",     "draft",    "drafts",   "example", "examples",
    "sample", "thought", "thoughts", "thinking", "reasoning", "rejected", "invalid",  "bad"};

/// What stands beside a value in an envelope that says that the value is not the answer. Folded.
constexpr std::string_view denying_words[] = {"error",      "failed",    "failure",   "fail",    "user",
                                              "system",     "reasoning", "thinking",  "draft",   "example",
                                              "cancelled",  "canceled",  "rejected",  "invalid", "wrong",
                                              "deprecated", "old",       "incomplete"};

/// `{"status": "error", "data": {…}}`: the envelope denies what it holds.
[[nodiscard]] bool envelope_denies(value_view object) {
    for (const member m : object.members()) {
        if (!m.value.is(value_kind::string) || m.value.source().size() > 24) { continue; }
        const std::string key = fold(m.key.string(), fold_level::separators);
        if (key != "status" && key != "type" && key != "role" && key != "kind") { continue; }
        if (listed(denying_words, fold(m.value.string(), fold_level::separators))) { return true; }
    }
    return false;
}

/// Whether a key repeats that of the object which it stands in, perhaps as one of many: `{"queries": {"query": …}}`.
[[nodiscard]] bool repeats_own_key(value_view object, std::string_view folded_key) {
    if (object.index() == 0) { return false; }
    const value_view before = object.with_index(object.index() - 1);
    if (!before.is(value_kind::string)) { return false; }
    const std::string own = fold(before.string(), fold_level::separators);
    const auto same =
        std::mismatch(own.begin(), own.end(), folded_key.begin(), folded_key.end()).first - own.begin();
    constexpr std::size_t ending = 3; // query, queries
    const auto shared = static_cast<std::size_t>(same);
    return shared >= ending && shared + ending >= own.size() && shared + ending >= folded_key.size();
}

} // namespace

/// Whether a sole key may be taken away: one that names no more than that a value follows, or any around the whole value.
bool solver::may_open(const state& s, std::string_view folded_key) {
    if (listed(content_keys, folded_key) || repeats_own_key(s.value, folded_key)) { return true; }
    const shape& sh = shapes_.at(s.shape);
    const bool outermost = s.value.index() == 0 || (s.mode & ~wrapped) != 0;
    const bool only_text = !sh.kinds.has(value_kind::object) && !sh.kinds.has(value_kind::array) &&
                           sh.kinds.has(value_kind::string) && !sh.limits_values;
    return outermost && !only_text && !listed(turning_keys, folded_key);
}

/// Whether a member is one that the schema knows, so that it is no wrapper: but for `{"output": {"output": …}}`, where the
/// object inside has that key and no others that the schema does not know.
bool solver::is_own(const state& s, const member& m) {
    const auto known = [&](const member& one) {
        return shapes_.rule_of(s.shape, one.key.string()).property != nothing;
    };
    if (!known(m)) { return false; }
    value_view inside = m.value;
    if (inside.is(value_kind::string)) {
        const held_json& held = held_in(inside);
        if (!held.value) { return true; }
        inside = held.value->root();
    }
    if (!inside.is(value_kind::object)) { return true; }
    bool repeats = false;
    for (const member inner : inside.members()) {
        if (!known(inner)) { return true; }
        repeats = repeats || inner.key.string() == m.key.string();
    }
    return !repeats;
}

void solver::wrapper_moves(const state& s, std::vector<plan>& out) {
    constexpr std::size_t most_members = 24;
    const value_view v = s.value;
    const std::size_t size = v.size();
    if (size == 0 || size > most_members) { return; }
    const kind_set kinds = shapes_.at(s.shape).kinds;
    std::size_t beside = 0; // members that may stand in an envelope
    bool typed = false;
    const bool denied = envelope_denies(v);
    for (const member m : v.members()) {
        const std::string key = fold(m.key.string(), fold_level::separators);
        typed = typed || key == "type";
        beside += std::size_t{listed(envelope_keys, key) || m.value.is(value_kind::null)};
    }
    for (const member m : v.members()) {
        const std::string key = fold(m.key.string(), fold_level::separators);
        if (key == "properties" && holds_schemas(m.value)) { continue; }
        const std::size_t others =
            beside - std::size_t{listed(envelope_keys, key) || m.value.is(value_kind::null)};
        if (size == 1 && may_open(s, key) && !is_own(s, m)) {
            add_inner(s, key == "properties" ? align_rule::schema_echo : align_rule::wrapper, m.value, out);
        } else if (size > 1 && listed(content_keys, key) && others == size - 1 && !denied) {
            add_inner(s, envelope_rule(key, typed), m.value, out);
        } else if (size > 1 && kinds.has(value_kind::object) && is_container(m.value)) {
            add_inner(s, align_rule::member_of_many, m.value, out);
        }
    }
}

} // namespace jsonheal::align_detail
