#include "fit.hpp"

#include <algorithm>

namespace jsonheal::stream_detail {

namespace {

std::vector<std::uint32_t> indexes(const std::vector<schema::node_view>& nodes) {
    std::vector<std::uint32_t> out;
    for (const schema::node_view& n : nodes) { out.push_back(n.index()); }
    return out;
}

std::optional<std::uint32_t> index_of(const std::optional<schema::node_view>& n) {
    if (!n) { return std::nullopt; }
    return n->index();
}

std::optional<std::uint64_t> count_under(value_view schema, std::string_view keyword) {
    const auto v = schema.find(keyword);
    if (!v || !v->is(value_kind::number)) { return std::nullopt; }
    const auto n = v->int64();
    if (!n || *n < 0) { return std::nullopt; }
    return static_cast<std::uint64_t>(*n);
}

std::string_view number_under(value_view schema, std::string_view keyword) {
    const auto v = schema.find(keyword);
    return v && v->is(value_kind::number) ? v->source() : std::string_view();
}

/// The bounds that `source` spells; where `$ref` stands beside them some drafts ignore them, so they are not read.
void read_bounds(value_view source, node_facts& f) {
    f.max_length = count_under(source, "maxLength");
    f.max_items = count_under(source, "maxItems");
    f.max_properties = count_under(source, "maxProperties");
    f.maximum = number_under(source, "maximum");
    f.below = number_under(source, "exclusiveMaximum");
    f.minimum = number_under(source, "minimum");
    f.above = number_under(source, "exclusiveMinimum");
}

/// `"red", "green" or 2 more`
std::string listing(const std::vector<value_view>& values) {
    std::string out;
    constexpr std::size_t most = 5;
    for (std::size_t i = 0; i != std::min(values.size(), most); ++i) {
        out += i == 0 ? "" : ", ";
        const std::string_view source = values[i].source();
        out += source.size() <= 60 ? std::string(source) : std::string(source.substr(0, 57)) + "...";
    }
    if (values.size() > most) { out += " or " + std::to_string(values.size() - most) + " more"; }
    return out;
}

std::string kinds_in_words(kind_set kinds, bool integers) {
    std::string out;
    for (const value_kind k : {value_kind::object, value_kind::array, value_kind::string, value_kind::number,
                               value_kind::boolean, value_kind::null}) {
        if (!kinds.has(k)) { continue; }
        out += out.empty() ? "" : " or ";
        out += integers && k == value_kind::number ? std::string_view("integer") : name(k);
    }
    return out;
}

bool continues_character(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

} // namespace

const node_facts& fit_checker::facts(std::uint32_t node) {
    const auto [at, fresh] = facts_.try_emplace(node);
    node_facts& f = at->second;
    if (!fresh) { return f; }
    const schema::node_view v = view(node);
    f.kinds = v.kinds();
    f.integers = v.integers_only();
    f.values = v.values();
    if (f.values) {
        for (const value_view one : *f.values) {
            f.value_kinds.add(one.kind());
            if (one.is(value_kind::string)) { f.strings.push_back(one.string()); }
        }
    }
    const value_view source = v.source();
    const bool object = source.is(value_kind::object);
    const bool refers = object && source.find("$ref").has_value();
    // a dynamic reference may lead elsewhere than the program says without its context
    if (refers) { f.reference = index_of(v.reference()); }
    f.all_of = indexes(v.all_of());
    for (const auto& branches : {v.any_of(), v.one_of()}) {
        if (!branches.empty()) { f.unions.push_back(indexes(branches)); }
    }
    f.prefix = indexes(v.prefix_items());
    f.rest = index_of(v.rest_items());
    f.additional = index_of(v.additional());
    if (object && !refers) { read_bounds(source, f); }
    return f;
}

void fit_checker::reset() {
    threads_.clear();
    links_.clear();
    groups_.clear();
    values_.clear();
    possible_ = true;
}

std::uint32_t fit_checker::new_group(std::uint32_t owner, std::size_t alive) {
    groups_.push_back({static_cast<std::uint32_t>(alive), owner});
    return static_cast<std::uint32_t>(groups_.size() - 1);
}

/// A subschema has a say in the value that has just begun: its death counts in that group.
void fit_checker::add(std::uint32_t node, std::uint32_t in_group) {
    const std::size_t first = values_.back().threads;
    std::size_t t = first;
    while (t != threads_.size() && threads_[t].node != node) { ++t; }
    if (t == threads_.size()) {
        if (t - first == most_threads) { return; } // unknown, so it never dies
        threads_.push_back({node});
    }
    links_.push_back({in_group, threads_[t].links});
    threads_[t].links = static_cast<std::uint32_t>(links_.size() - 1);
}

void fit_checker::expand(std::uint32_t t) {
    const node_facts& f = facts(threads_[t].node);
    if (f.reference) { add(*f.reference, new_group(t, 1)); }
    for (const std::uint32_t part : f.all_of) { add(part, new_group(t, 1)); }
    for (const auto& branches : f.unions) {
        const std::uint32_t g = new_group(t, branches.size());
        for (const std::uint32_t branch : branches) { add(branch, g); }
    }
}

/// The subschemas of the parent's thread that speak of its newest part.
void fit_checker::add_parts(std::uint32_t parent, const stream_place& place) {
    const node_facts& f = facts(threads_[parent].node);
    const stream_place::step step = place.at(place.depth() - 1);
    if (step.in_array) {
        if (step.index < f.prefix.size()) {
            add(f.prefix[step.index], new_group(parent, 1));
        } else if (f.rest) {
            add(*f.rest, new_group(parent, 1));
        }
        return;
    }
    const schema::node_view v = view(threads_[parent].node);
    const auto own = v.property_node(step.key);
    const auto patterns = v.pattern_nodes(step.key);
    if (own) { add(own->index(), new_group(parent, 1)); }
    for (const schema::node_view& p : patterns) { add(p.index(), new_group(parent, 1)); }
    if (own || !patterns.empty() || !f.additional) { return; }
    if (facts(*f.additional).kinds.empty()) {
        return kill(parent, "additionalProperties", "none but the known keys", std::string(step.key));
    }
    add(*f.additional, new_group(parent, 1));
}

void fit_checker::check_count(std::uint32_t t, const open_value& v) {
    const node_facts& f = facts(threads_[t].node);
    const bool array = v.kind == value_kind::array;
    const auto most = array ? f.max_items : f.max_properties;
    const std::size_t parts = array ? v.parts : v.keys.size();
    if (most && parts > *most) {
        kill(t, array ? "maxItems" : "maxProperties", "at most " + std::to_string(*most),
             std::to_string(parts));
    }
}

void fit_checker::begin(const stream_place& place, value_kind kind, std::size_t begin) {
    if (!possible_) { return; }
    place_ = &place;
    open_value v{threads_.size(), links_.size(), groups_.size(), kind};
    v.begin = begin;
    const bool root = values_.empty();
    const std::size_t from = root ? 0 : values_.back().threads, to = threads_.size();
    if (!root) { ++values_.back().parts; }
    values_.push_back(v);
    if (root) { add(program_.root().index(), new_group(none, 1)); }
    const auto counts = [&](const thread& t) { return !t.dead && facts(t.node).max_properties.has_value(); };
    if (!root && !place.at(place.depth() - 1).in_array &&
        std::any_of(threads_.begin() + static_cast<std::ptrdiff_t>(from),
                    threads_.begin() + static_cast<std::ptrdiff_t>(to), counts)) {
        values_[values_.size() - 2].keys.emplace(place.at(place.depth() - 1).key);
    }
    for (std::size_t t = from; t != to && possible_; ++t) {
        if (threads_[t].dead) { continue; }
        check_count(static_cast<std::uint32_t>(t), values_[values_.size() - 2]);
        if (!threads_[t].dead) { add_parts(static_cast<std::uint32_t>(t), place); }
    }
    for (std::size_t t = v.threads; t != threads_.size() && possible_; ++t) {
        expand(static_cast<std::uint32_t>(t));
    }
    for (std::size_t t = v.threads; t != threads_.size() && possible_; ++t) {
        check_kind(static_cast<std::uint32_t>(t));
        if (!threads_[t].dead && facts(threads_[t].node).values) { values_.back().few = true; }
    }
    text_.clear();
    characters_ = 0;
}

void fit_checker::check_kind(std::uint32_t t) {
    const node_facts& f = facts(threads_[t].node);
    const value_kind kind = values_.back().kind;
    if (!f.kinds.has(kind)) {
        kill(t, f.kinds.empty() ? "false" : "type",
             f.kinds.empty() ? "nothing" : kinds_in_words(f.kinds, f.integers), std::string(name(kind)));
    } else if (f.values && !f.value_kinds.has(kind)) {
        kill(t, f.values->size() == 1 ? "const" : "enum", listing(*f.values), std::string(name(kind)));
    }
}

void fit_checker::run(std::string_view wtf8) {
    if (!possible_ || values_.empty()) { return; }
    for (const char c : wtf8) { characters_ += continues_character(c) ? 0u : 1u; }
    if (values_.back().few) { text_.append(wtf8); }
    for (std::size_t t = values_.back().threads; t != threads_.size() && possible_; ++t) {
        if (threads_[t].dead) { continue; }
        const node_facts& f = facts(threads_[t].node);
        const auto begins = [&](const std::string& s) { return s.starts_with(text_); };
        if (f.max_length && characters_ > *f.max_length) {
            kill(static_cast<std::uint32_t>(t), "maxLength",
                 "at most " + std::to_string(*f.max_length) + " characters", "more");
        } else if (f.values && std::none_of(f.strings.begin(), f.strings.end(), begins)) {
            std::string got;
            encode_string(text_, got);
            kill(static_cast<std::uint32_t>(t), f.values->size() == 1 ? "const" : "enum", listing(*f.values),
                 got);
        }
    }
}

void fit_checker::check_number(std::uint32_t t, std::string_view source) {
    const node_facts& f = facts(threads_[t].node);
    const struct {
        std::string_view bound;
        std::string_view keyword, words;
        bool wrong_below, wrong_equal;
    } rules[] = {
        {f.maximum, "maximum", "at most ", false, false},
        {f.below, "exclusiveMaximum", "less than ", false, true},
        {f.minimum, "minimum", "at least ", true, false},
        {f.above, "exclusiveMinimum", "more than ", true, true},
    };
    for (const auto& r : rules) {
        if (r.bound.empty()) { continue; }
        const auto order = compare_numbers(source, r.bound);
        const bool wrong = order == 0 ? r.wrong_equal : (order < 0) == r.wrong_below;
        if (wrong) {
            return kill(t, r.keyword, std::string(r.words) + std::string(r.bound), std::string(source));
        }
    }
}

/// A scalar that is one of a few is known as a whole.
void fit_checker::check_values(std::uint32_t t, std::string_view source) {
    const node_facts& f = facts(threads_[t].node);
    const value_kind kind = values_.back().kind;
    const auto same = [&](value_view v) {
        if (!v.is(kind)) { return false; }
        switch (kind) {
        case value_kind::string: return v.string_is(text_);
        case value_kind::number: return compare_numbers(v.source(), source) == 0;
        default: return v.source() == source;
        }
    };
    if (std::none_of(f.values->begin(), f.values->end(), same)) {
        kill(t, f.values->size() == 1 ? "const" : "enum", listing(*f.values),
             std::string(source.substr(0, 60)));
    }
}

void fit_checker::end(std::string_view source) {
    if (!possible_ || values_.empty()) { return; }
    const value_kind kind = values_.back().kind;
    const bool scalar = kind != value_kind::object && kind != value_kind::array;
    std::optional<bool> whole; // asked of the first thread that wants to know
    for (std::size_t i = values_.back().threads; scalar && i != threads_.size() && possible_; ++i) {
        const auto t = static_cast<std::uint32_t>(i);
        if (threads_[i].dead) { continue; }
        const node_facts& f = facts(threads_[i].node);
        if (kind == value_kind::number) {
            if (f.integers) {
                if (!whole) {
                    const parse_result parsed = document::parse_borrowed(source);
                    whole = !parsed || parsed.value.root().is_integer();
                }
                if (!*whole) {
                    kill(t, "type", "integer", std::string(source));
                    continue;
                }
            }
            check_number(t, source);
        }
        if (!threads_[i].dead && f.values) { check_values(t, source); }
    }
    const open_value v = values_.back();
    values_.pop_back();
    threads_.resize(v.threads, {0});
    links_.resize(v.links, {});
    groups_.resize(v.groups, {});
}

/// No continuation satisfies the thread's subschema.
void fit_checker::kill(std::uint32_t first, std::string_view keyword, std::string expected, std::string got) {
    std::vector<std::uint32_t> dying{first};
    while (!dying.empty()) {
        const std::uint32_t t = dying.back();
        dying.pop_back();
        if (threads_[t].dead) { continue; }
        threads_[t].dead = true;
        for (std::uint32_t l = threads_[t].links; l != none; l = links_[l].next) {
            group& g = groups_[links_[l].group];
            if (g.alive == 0 || --g.alive != 0) { continue; }
            if (g.owner != none) {
                dying.push_back(g.owner);
                continue;
            }
            possible_ = false;
            const schema::node_view node = view(threads_[first].node);
            violation_.instance = place_->pointer();
            violation_.begin = values_.back().begin;
            violation_.end = values_.back().begin;
            violation_.schema = node.location();
            if (keyword != "false") { violation_.schema += "/" + std::string(keyword); }
            violation_.keyword = keyword;
            violation_.message =
                "The value at " +
                (violation_.instance.empty() ? std::string("the root") : violation_.instance) +
                " cannot fit: expected " + expected + ", got " + got + ".";
            violation_.expected = std::move(expected);
            violation_.got = std::move(got);
            return;
        }
    }
}

} // namespace jsonheal::stream_detail
