/// @file compile_node.cpp
/// Third stage: one subschema to one node, with the keywords that hold further subschemas.

#include "compiler.hpp"
#include "uri.hpp"

namespace jsonheal::schema::detail {

namespace {

const std::optional<value_view>& get(const keyword_values& values, keyword k) {
    return values[static_cast<std::size_t>(k)];
}

} // namespace

/// The node of a place; made, and put in line to be compiled, when it is first asked for.
std::uint32_t compiler::node_at(place p) {
    std::uint32_t& slot = nodes_of_[p.document][p.location];
    if (slot == none) {
        slot = static_cast<std::uint32_t>(program_.nodes.size());
        node n;
        n.document = p.document;
        n.location = p.location;
        n.resource = resource_at(p);
        program_.nodes.push_back(n);
    }
    return slot;
}

edge compiler::edge_to(value_view schema) { return {none, node_at({document_, schema.index()})}; }

range compiler::edges_to(value_view array) {
    std::vector<edge> made; // `node_at` does not touch `edges`, but nested calls of this might come to
    for (const value_view v : array.elements()) { made.push_back(edge_to(v)); }
    const range r{static_cast<std::uint32_t>(program_.edges.size()), static_cast<std::uint32_t>(made.size())};
    program_.edges.insert(program_.edges.end(), made.begin(), made.end());
    return r;
}

void compiler::fail(place at, std::string reason) {
    if (error_) { return; }
    error_.emplace();
    error_->reason = std::move(reason);
    if (at.document >= program_.documents.size()) { return; }
    const std::vector<std::uint32_t>& own = resources_of_[at.document];
    error_->uri = own.empty() ? program_.document_uris[at.document] : program_.resources[own.front()].uri;
    error_->pointer = pointer_of(program_.documents[at.document].root(), at.location);
}

bool compiler::expect(bool ok, keyword k, value_view at, std::string_view what) {
    if (!ok) { fail(at, std::string(info(k).name).append(" must be ").append(what)); }
    return ok;
}

/// The string of a key or name, kept as long as the program.
std::string_view compiler::intern(value_view string) {
    if (string.has_escape()) { return program_.decoded.emplace_back(string.string()); }
    std::string unused;
    return string.string(unused);
}

void compiler::emit(group g, opcode op, keyword k, value_view at, std::uint32_t a, std::uint32_t b) {
    groups_[static_cast<std::size_t>(g)].push_back({op, k, 0, a, b, at.index()});
}

void compiler::place_instructions(node& n) {
    n.first = static_cast<std::uint32_t>(program_.code.size());
    for (std::size_t g = 0; g != groups_.size(); ++g) {
        program_.code.insert(program_.code.end(), groups_[g].begin(), groups_[g].end());
        n.ends[g] = static_cast<std::uint8_t>(program_.code.size() - n.first);
        groups_[g].clear();
    }
}

void compiler::compile_node(std::uint32_t index) {
    node n = program_.nodes[index];
    document_ = n.document;
    resource_ = n.resource;
    const value_view schema = program_.value_at(n.document, n.location);
    if (schema.is(value_kind::boolean)) {
        if (!schema.boolean()) {
            n.kinds = 0;
            n.flags |= node::false_schema;
        }
        n.first = static_cast<std::uint32_t>(program_.code.size());
        program_.nodes[index] = n;
        return;
    }
    if (!schema.is(value_kind::object)) { return fail(schema, "a schema must be an object or a boolean"); }

    const schema::dialect d = program_.resources[resource_].dialect;
    const vocabulary_set on = program_.resources[resource_].vocabularies;
    keyword_values values{};
    std::string scratch;
    for (const member m : schema.members()) {
        if (const auto k = find_keyword(m.key.string(scratch), d, on)) {
            values[static_cast<std::size_t>(*k)] = m.value;
        }
    }
    // Up to draft 7 a `$ref` stands alone, whatever is beside it.
    if (d <= dialect::draft7 && get(values, keyword::ref)) {
        const std::optional<value_view> ref = get(values, keyword::ref);
        values = {};
        values[static_cast<std::size_t>(keyword::ref)] = ref;
    }
    compile_type(n, values);
    for (const keyword k : {keyword::constant, keyword::enumeration}) {
        if (get(values, k)) { compile_values(k, *get(values, k)); }
    }
    compile_numbers(values, d);
    compile_strings(values, program_.resources[resource_]);
    compile_items(values, d);
    compile_contains(values, d);
    compile_object(values);
    compile_dependencies(values);
    compile_reference(n, values);
    if (!error_) { compile_dynamic_reference(n, values); }
    compile_applicators(values);
    compile_unevaluated(n, values);
    place_instructions(n);
    program_.nodes[index] = n;
}

void compiler::compile_object(const keyword_values& values) {
    compile_count(keyword::min_properties, get(values, keyword::min_properties), group::object,
                  opcode::min_properties);
    compile_count(keyword::max_properties, get(values, keyword::max_properties), group::object,
                  opcode::max_properties);
    const std::optional<value_view>& properties = get(values, keyword::properties);
    const std::optional<value_view>& patterns = get(values, keyword::pattern_properties);
    const std::optional<value_view>& additional = get(values, keyword::additional_properties);
    const std::optional<value_view>& required = get(values, keyword::required);
    const std::optional<value_view>& names = get(values, keyword::property_names);
    if (names) {
        const auto e = static_cast<std::uint32_t>(program_.edges.size());
        program_.edges.push_back(edge_to(*names));
        emit(group::object, opcode::property_names, keyword::property_names, *names, e);
    }
    if (!properties && !patterns && !additional && !required) { return; }
    object_shape shape;
    shape.properties.begin = static_cast<std::uint32_t>(program_.properties.size());
    if (properties) { compile_properties(shape, *properties); }
    if (required) { compile_required(shape, *required); }
    shape.properties.count = static_cast<std::uint32_t>(program_.properties.size()) - shape.properties.begin;
    shape.keys.settle();
    if (patterns) { compile_patterns(shape, *patterns); }
    if (additional) {
        shape.additional = edge_to(*additional);
        shape.additional_at = additional->index();
        shape.closed = additional->is(value_kind::boolean) && !additional->boolean();
    }
    const value_view at = properties ? *properties
                          : required ? *required
                          : patterns ? *patterns
                                     : *additional;
    emit(group::object, opcode::properties, properties ? keyword::properties : keyword::required, at,
         static_cast<std::uint32_t>(program_.objects.size()));
    program_.objects.push_back(std::move(shape));
}

void compiler::compile_properties(object_shape& shape, value_view properties) {
    if (!expect(properties.is(value_kind::object), keyword::properties, properties, "an object")) { return; }
    shape.properties_at = properties.index();
    for (const member m : properties.members()) {
        property p;
        p.to = edge_to(m.value);
        p.key = intern(m.key);
        p.ends = ends_of(p.key);
        const std::uint32_t before = shape.keys.find(p.key);
        if (before != key_table::not_found) { // a repeated key: the last counts
            program_.properties[before].to = p.to;
            continue;
        }
        shape.keys.add(p.key, static_cast<std::uint32_t>(program_.properties.size()));
        program_.properties.push_back(p);
    }
}

/// Required keys become bits of the shape; where there are more than 64, an instruction of their own.
void compiler::compile_required(object_shape& shape, value_view required) {
    shape.required_at = required.index();
    std::vector<std::string> names = names_of(keyword::required, required);
    if (names.size() > 64) {
        emit(group::object, opcode::required, keyword::required, required,
             static_cast<std::uint32_t>(program_.required_lists.size()));
        program_.required_lists.push_back(std::move(names));
        return;
    }
    unsigned next = 0;
    for (const value_view v : required.elements()) {
        const std::string_view key = intern(v);
        std::uint32_t at = shape.keys.find(key);
        if (at == key_table::not_found) {
            at = static_cast<std::uint32_t>(program_.properties.size());
            shape.keys.add(key, at);
            property p;
            p.key = key;
            p.ends = ends_of(key);
            program_.properties.push_back(p);
        }
        if (program_.properties[at].required_bit == 0) {
            program_.properties[at].required_bit = std::uint64_t{1} << next++;
            shape.required |= program_.properties[at].required_bit;
        }
    }
}

void compiler::compile_patterns(object_shape& shape, value_view patterns) {
    if (!expect(patterns.is(value_kind::object), keyword::pattern_properties, patterns, "an object")) {
        return;
    }
    shape.patterns_at = patterns.index();
    shape.patterns.begin = static_cast<std::uint32_t>(program_.pattern_edges.size());
    for (const member m : patterns.members()) {
        const std::optional<std::uint32_t> r = regex_of(m.key);
        if (!r) { return; }
        program_.pattern_edges.push_back({*r, edge_to(m.value), {}});
        ++shape.patterns.count;
    }
}

void compiler::compile_items(const keyword_values& values, schema::dialect d) {
    compile_count(keyword::min_items, get(values, keyword::min_items), group::array, opcode::min_items);
    compile_count(keyword::max_items, get(values, keyword::max_items), group::array, opcode::max_items);
    if (const auto& v = get(values, keyword::unique_items)) {
        if (!expect(v->is(value_kind::boolean), keyword::unique_items, *v, "a boolean")) { return; }
        if (v->boolean()) { emit(group::array, opcode::unique_items, keyword::unique_items, *v, 0); }
    }
    std::optional<value_view> prefix = get(values, keyword::prefix_items);
    std::optional<value_view> rest = get(values, keyword::items);
    keyword prefix_keyword = keyword::prefix_items;
    keyword rest_keyword = keyword::items;
    if (d < dialect::draft2020_12) {
        prefix.reset();
        if (rest && rest->is(value_kind::array)) {
            prefix = rest;
            rest = get(values, keyword::additional_items);
            prefix_keyword = keyword::items;
            rest_keyword = keyword::additional_items;
        }
    }
    if (!prefix && !rest) { return; }
    items_shape shape;
    shape.prefix_keyword = prefix_keyword;
    shape.rest_keyword = rest_keyword;
    if (prefix) {
        if (!expect(prefix->is(value_kind::array), prefix_keyword, *prefix, "an array")) { return; }
        shape.prefix = edges_to(*prefix);
    }
    if (rest) { shape.rest = edge_to(*rest); }
    emit(group::array, opcode::items, rest ? rest_keyword : prefix_keyword, rest ? *rest : *prefix,
         static_cast<std::uint32_t>(program_.items.size()));
    program_.items.push_back(shape);
}

void compiler::compile_contains(const keyword_values& values, schema::dialect d) {
    const std::optional<value_view>& v = get(values, keyword::contains);
    if (!v) { return; }
    contains_shape shape;
    shape.to = edge_to(*v);
    shape.marks = d >= dialect::draft2020_12;
    if (const auto& least = get(values, keyword::min_contains)) {
        shape.least = count_of(keyword::min_contains, *least);
        shape.least_at = least->index();
    }
    if (const auto& most = get(values, keyword::max_contains)) {
        shape.most = count_of(keyword::max_contains, *most);
        shape.most_at = most->index();
    }
    emit(group::array, opcode::contains, keyword::contains, *v,
         static_cast<std::uint32_t>(program_.contains.size()));
    program_.contains.push_back(shape);
}

void compiler::compile_dependencies(const keyword_values& values) {
    for (const keyword k : {keyword::dependencies, keyword::dependent_required, keyword::dependent_schemas}) {
        const std::optional<value_view>& v = get(values, k);
        if (!v) { continue; }
        if (!expect(v->is(value_kind::object), k, *v, "an object")) { return; }
        std::vector<dependency> names;
        std::vector<dependency> schemas;
        for (const member m : v->members()) {
            dependency entry;
            entry.key = m.key.string();
            entry.location = m.value.index();
            if (k == keyword::dependent_required ||
                (k == keyword::dependencies && m.value.is(value_kind::array))) {
                entry.names = names_of(k, m.value);
                names.push_back(std::move(entry));
            } else {
                entry.to = edge_to(m.value);
                schemas.push_back(std::move(entry));
            }
        }
        if (!names.empty()) {
            emit(group::object, opcode::dependent_required, k, *v,
                 static_cast<std::uint32_t>(program_.dependencies.size()));
            program_.dependencies.push_back(std::move(names));
        }
        if (!schemas.empty()) {
            emit(group::object, opcode::dependent_schemas, k, *v,
                 static_cast<std::uint32_t>(program_.dependencies.size()));
            program_.dependencies.push_back(std::move(schemas));
        }
    }
}

void compiler::compile_applicators(const keyword_values& values) {
    struct row {
        keyword k;
        opcode op;
    };
    for (const row& r : {row{keyword::all_of, opcode::all_of}, row{keyword::any_of, opcode::any_of},
                         row{keyword::one_of, opcode::one_of}}) {
        const std::optional<value_view>& v = get(values, r.k);
        if (!v) { continue; }
        if (!expect(v->is(value_kind::array) && v->size() > 0, r.k, *v, "an array of at least one schema")) {
            return;
        }
        union_shape shape;
        shape.branches = edges_to(*v);
        emit(group::any, r.op, r.k, *v, static_cast<std::uint32_t>(program_.unions.size()));
        program_.unions.push_back(std::move(shape));
    }
    if (const auto& v = get(values, keyword::negation)) {
        const auto e = static_cast<std::uint32_t>(program_.edges.size());
        program_.edges.push_back(edge_to(*v));
        emit(group::any, opcode::negation, keyword::negation, *v, e);
    }
    if (const auto& v = get(values, keyword::if_)) {
        const edge first = edge_to(*v);
        edge branches[2];
        if (const auto& then = get(values, keyword::then_)) { branches[0] = edge_to(*then); }
        if (const auto& otherwise = get(values, keyword::else_)) { branches[1] = edge_to(*otherwise); }
        const auto e = static_cast<std::uint32_t>(program_.edges.size());
        program_.edges.insert(program_.edges.end(), {first, branches[0], branches[1]});
        emit(group::any, opcode::condition, keyword::if_, *v, e);
    }
}

/// They look at what all the others have evaluated, so they come last.
void compiler::compile_unevaluated(node& n, const keyword_values& values) {
    struct row {
        keyword k;
        opcode op;
    };
    for (const row& r : {row{keyword::unevaluated_items, opcode::unevaluated_items},
                         row{keyword::unevaluated_properties, opcode::unevaluated_properties}}) {
        const std::optional<value_view>& v = get(values, r.k);
        if (!v) { continue; }
        const auto e = static_cast<std::uint32_t>(program_.edges.size());
        program_.edges.push_back(edge_to(*v));
        emit(group::any, r.op, r.k, *v, e);
        n.flags |= node::unevaluated;
    }
}

} // namespace jsonheal::schema::detail
