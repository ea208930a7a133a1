#include "aligner.hpp"

#include <algorithm>
#include <array>

namespace jsonheal::stream_detail {

namespace {

constexpr std::size_t most_nodes = 64;  // of references and unions looked through
constexpr std::uint32_t sure_cost = 10; // below it no change of the object around is cheaper

/// The keywords that leave it to each part of a value on its own what becomes of it.
constexpr std::array<std::string_view, 24> plain_keywords = {
    "$anchor",    "$comment",      "$defs",      "$id",           "$schema",  "additionalProperties",
    "default",    "definitions",   "deprecated", "description",   "examples", "items",
    "maxItems",   "maxProperties", "minItems",   "minProperties", "nullable", "prefixItems",
    "properties", "readOnly",      "required",   "title",         "type",     "writeOnly"};

bool is_container(value_kind k) noexcept { return k == value_kind::object || k == value_kind::array; }

value_kind kind_of(char first) noexcept {
    switch (first) {
    case '{': return value_kind::object;
    case '[': return value_kind::array;
    case '"': return value_kind::string;
    case 't':
    case 'f': return value_kind::boolean;
    case 'n': return value_kind::null;
    default: return value_kind::number;
    }
}

bool says_only_plain_things(value_view source) {
    if (!source.is(value_kind::object)) { return false; }
    for (const member m : source.members()) {
        const std::string key = m.key.string();
        if (!key.starts_with("x-") &&
            std::find(plain_keywords.begin(), plain_keywords.end(), key) == plain_keywords.end()) {
            return false;
        }
    }
    return true;
}

/// The schema of null alone: what can be aligned to it is a word for null.
const schema::program& null_schema() {
    static const schema::program null = schema::compile(document::parse(R"({"type": "null"})").value).value;
    return null;
}

bool only_kind(kind_set kinds, value_kind k) noexcept {
    kind_set one;
    one.add(k);
    return kinds == one;
}

} // namespace

value_aligner::value_aligner(const schema::program& program, const align_options& options)
    : program_(program), options_(options) {
    options_.defaults = false; // they are put in at the end
}

void value_aligner::reset() {
    reader_.reset();
    levels_.clear();
    healed_.clear();
    shown_to_ = 0;
    holds_ = whole_ = false;
}

bool value_aligner::takes_any_text(const schema::node_view& n, std::size_t& budget) const {
    if (budget == 0 || !n.kinds().has(value_kind::string) || n.values()) { return false; }
    --budget;
    if (const auto target = n.reference(); target && !takes_any_text(*target, budget)) { return false; }
    const auto takes = [&](const schema::node_view& part) { return takes_any_text(part, budget); };
    const auto all = n.all_of(), any = n.any_of(), one = n.one_of();
    return std::all_of(all.begin(), all.end(), takes) &&
           (any.empty() || std::any_of(any.begin(), any.end(), takes)) &&
           (one.empty() || std::any_of(one.begin(), one.end(), takes));
}

const value_aligner::facts& value_aligner::facts_of(const schema::node_view& n) {
    const auto [at, fresh] = facts_.try_emplace(n.index());
    facts& f = at->second;
    if (!fresh) { return f; }
    schema::node_view end = n;
    for (std::size_t hops = 0; hops != most_nodes;
         ++hops) { // {"$ref": "#/$defs/item"}, and nothing beside it
        const auto target = end.reference();
        const value_view source = end.source();
        if (!target || !source.is(value_kind::object) || source.size() != 1) { break; }
        end = *target;
    }
    f.target = end;
    f.kinds = end.kinds();
    f.plain = says_only_plain_things(end.source());
    f.closed_keys = !end.properties().empty();
    if (f.closed_keys && f.kinds == kind_set::all()) { // properties without a type speak of objects
        f.kinds = kind_set();
        f.kinds.add(value_kind::object);
    }
    std::size_t budget = most_nodes;
    f.text_fits = takes_any_text(n, budget);
    return f;
}

/// The subschema of the value that begins now, if one alone speaks of it.
value_aligner::node value_aligner::part_node() {
    if (levels_.empty()) { return program_.root(); }
    level& around = levels_.back();
    const std::size_t index = around.index++;
    if (!around.part) { return std::nullopt; }
    const schema::node_view& n = *around.part;
    if (around.kind == value_kind::array) {
        const auto prefix = n.prefix_items();
        return index < prefix.size() ? node(prefix[index]) : n.rest_items();
    }
    if (auto own = n.property_node(key_)) { return own; }
    return facts_of(n).closed_keys ? std::nullopt : n.additional();
}

void value_aligner::value_begins(char first, std::size_t at) {
    const value_kind kind = kind_of(first);
    node part = part_node();
    whole_ = false;
    if (is_container(kind)) {
        if (part) {
            const facts& f = facts_of(*part);
            part = f.plain && only_kind(f.kinds, kind) ? f.target : std::nullopt;
        }
        levels_.push_back({kind, part});
        return;
    }
    if (!part || (kind == value_kind::string && facts_of(*part).text_fits)) { return; }
    show(reader_.whole()); // a key goes out with the first byte of its value
    scalar_ = part;
    held_from_ = at;
    holds_ = true;
}

void value_aligner::key_ends(std::size_t end) {
    key_.clear();
    (void)decode_string(std::string_view(healed_).substr(key_begin_, end - key_begin_), key_);
}

void value_aligner::value_ends(std::size_t end) {
    if (!holds_) {
        // a scalar that was not held ends within a container as well, but only closers are seen without one open
        const char last = healed_[end - 1];
        if ((last == '}' || last == ']') && !levels_.empty()) { levels_.pop_back(); }
        return;
    }
    holds_ = false;
    show(held_from_);
    out_->append(aligned(std::string_view(healed_).substr(held_from_, end - held_from_)));
    shown_to_ = end;
    whole_ = true;
}

/// The scalar as it is shown.
std::string value_aligner::aligned(std::string_view source) const {
    std::string text(source);
    // in its context: some coercions ask for the key, and some are for whole values only
    if (!levels_.empty()) {
        text = "[" + text + "]";
        if (levels_.back().kind == value_kind::object) {
            text = "{";
            encode_string(key_, text);
            text.append(":").append(source).append("}");
        }
    }
    const parse_result parsed = document::parse_borrowed(text);
    if (!parsed) { return std::string(source); }
    value_view v = parsed.value.root();
    if (!levels_.empty()) {
        v = levels_.back().kind == value_kind::object ? (*v.members().begin()).value : *v.elements().begin();
    }
    if (v.is(value_kind::null)) { return std::string(source); } // it may stand for an absent member
    alignment a = align(v, *scalar_, options_);
    if (!a.fits || a.changes.empty()) { return std::string(source); }
    // a word for null may stand for an absent member too, if that costs less
    if (a.cost >= sure_cost && v.is(value_kind::string) && align(v, null_schema().root()).fits) {
        return std::string(source);
    }
    return std::move(a.json);
}

/// Hands out the text up to there, if that has not been done.
void value_aligner::show(std::size_t end) {
    if (end <= shown_to_) { return; }
    out_->append(healed_, shown_to_, end - shown_to_);
    shown_to_ = end;
}

void value_aligner::read(std::string_view settled, bool token_ended, std::string& shown) {
    out_ = &shown;
    healed_.append(settled);
    reader_.read(settled);
    if (token_ended) { reader_.end_token(); }
    if (!holds_ && shown_to_ != healed_.size()) {
        whole_ = false;
        show(healed_.size());
    }
}

void value_aligner::finish(std::string& shown) {
    out_ = &shown;
    reader_.end_token();
    if (!holds_) { return; }
    holds_ = false; // the text was refused inside it
    show(healed_.size());
}

} // namespace jsonheal::stream_detail
