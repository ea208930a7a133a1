/// @file compile_scan.cpp
/// First stage: which schema resources and anchors a document holds.

#include "compiler.hpp"
#include "uri.hpp"

#include <algorithm>

namespace jsonheal::schema::detail {

namespace {

bool is_string(const std::optional<value_view>& v) { return v && v->is(value_kind::string); }

} // namespace

/// Loaded documents without `$schema` are of the dialect of the one that all began with.
compiler::schema_dialect compiler::default_dialect() const {
    if (!program_.resources.empty()) { return {program_.resources.front().dialect, {}}; }
    return {options_.dialect.value_or(dialect::draft2020_12), {}};
}

std::uint32_t compiler::add_document(const document& d, std::string uri) {
    const auto index = static_cast<std::uint32_t>(program_.documents.size());
    program_.documents.push_back(d);
    program_.document_uris.push_back(std::move(uri));
    resources_of_.emplace_back();
    followers_.emplace_back();
    nodes_of_.emplace_back(d.node_count(), none);
    scan(index);
    return index;
}

/// Visits every place where the dialect has a schema. `todo` holds subschemas still to be seen; the
/// resource of each is that of its location, since outer ones are seen first.
void compiler::scan(std::uint32_t document) {
    const value_view root = program_.documents[document].root();
    std::vector<value_view> todo{root};
    while (!todo.empty() && !error_) {
        const value_view schema = todo.back();
        todo.pop_back();
        if (!schema.is(value_kind::object)) {
            if (schema == root) {
                add_resource(document, schema, none, program_.document_uris[document], default_dialect());
            }
            continue;
        }
        const std::uint32_t outer = schema == root ? none : resource_at({document, schema.index()});
        const std::uint32_t own = scan_identity(document, schema, outer);
        if (!error_) { push_subschemas(schema, program_.resources[own], todo); }
    }
}

compiler::identity compiler::identity_of(value_view schema, schema::dialect d) const {
    identity found;
    for (const member m : schema.members()) {
        if (m.key.string_is("$schema")) { found.dollar_schema = m.value; }
        if (m.key.string_is("$ref")) { found.has_ref = true; }
        if (m.key.string_is(d == dialect::draft4 ? "id" : "$id")) { found.id = m.value; }
        if (d >= dialect::draft2019_09 && m.key.string_is("$anchor")) { found.anchor = m.value; }
        if (d == dialect::draft2019_09 && m.key.string_is("$recursiveAnchor")) {
            found.recursive_anchor = m.value;
        }
        if (d == dialect::draft2020_12 && m.key.string_is("$dynamicAnchor")) {
            found.dynamic_anchor = m.value;
        }
    }
    return found;
}

/// Registers what a subschema calls itself; returns the resource that it belongs to.
std::uint32_t compiler::scan_identity(std::uint32_t document, value_view schema, std::uint32_t outer) {
    const place here{document, schema.index()};
    schema_dialect d = outer == none ? default_dialect()
                                     : schema_dialect{program_.resources[outer].dialect,
                                                      program_.resources[outer].vocabularies};
    // `$schema` counts only where a resource begins, which the `$id` of either spelling says.
    const std::optional<value_view> declared = schema.find("$schema");
    const bool may_begin = outer == none || is_string(schema.find("$id")) || is_string(schema.find("id"));
    if (is_string(declared) && may_begin) {
        const std::optional<schema_dialect> own =
            dialect_of(declared->string(), {document, declared->index()});
        if (!own) { return outer; }
        d = *own;
    }
    const identity who = identity_of(schema, d.dialect);
    const bool id_counts = is_string(who.id) && (d.dialect >= dialect::draft2019_09 || !who.has_ref);
    const std::string id = id_counts ? who.id->string() : std::string();
    const split_uri split = split_fragment(id);

    std::uint32_t own = outer;
    if (outer == none) {
        own = add_resource(document, schema, none, program_.document_uris[document], d);
        if (!split.base.empty()) {
            program_.resources[own].uri = resolve(program_.document_uris[document], split.base);
            resources_by_uri_.emplace(program_.resources[own].uri, own);
        }
    } else if (!split.base.empty()) {
        const std::string uri = resolve(program_.resources[outer].uri, split.base);
        const auto taken = resources_by_uri_.find(uri);
        if (taken != resources_by_uri_.end() && program_.resources[taken->second].document == document) {
            fail({document, who.id->index()}, "two schemas have the same URI, " + uri);
            return outer;
        }
        own = add_resource(document, schema, outer, uri, d);
    }
    if (!split.fragment.empty() && d.dialect <= dialect::draft7) {
        add_anchor(own, split.fragment, schema, document);
    }
    if (is_string(who.anchor)) { add_anchor(own, who.anchor->string(), schema, document); }
    if (is_string(who.dynamic_anchor)) {
        add_anchor(own, who.dynamic_anchor->string(), schema, document);
        add_dynamic_anchor(own, who.dynamic_anchor->string(), schema);
    }
    const bool is_root = program_.resources[own].location == here.location;
    if (is_root && who.recursive_anchor && who.recursive_anchor->source() == "true") {
        add_dynamic_anchor(own, {}, schema);
    }
    return own;
}

std::uint32_t compiler::add_resource(std::uint32_t document, value_view schema, std::uint32_t outer,
                                     std::string uri, const schema_dialect& d) {
    const auto index = static_cast<std::uint32_t>(program_.resources.size());
    resource r;
    r.document = document;
    r.location = schema.index();
    r.end = schema.end_index();
    r.parent = outer;
    r.dialect = d.dialect;
    r.vocabularies = d.vocabularies;
    if (!options_.extensions) {
        r.vocabularies.bits &=
            static_cast<std::uint8_t>(~(1u << static_cast<unsigned>(vocabulary::extension)));
    }
    resources_by_uri_.emplace(uri, index);
    r.uri = std::move(uri);
    program_.resources.push_back(std::move(r));
    anchored_.push_back(false);
    std::vector<std::uint32_t>& order = resources_of_[document];
    const auto behind = std::upper_bound(order.begin(), order.end(), schema.index(),
                                         [this](std::uint32_t location, std::uint32_t other) {
                                             return location < program_.resources[other].location;
                                         });
    order.insert(behind, index);
    return index;
}

void compiler::add_anchor(std::uint32_t resource, std::string_view anchor, value_view schema,
                          std::uint32_t document) {
    const auto [at, added] = anchors_.emplace(std::to_string(resource).append("#").append(anchor),
                                              place{document, schema.index()});
    if (!added && at->second.location != schema.index()) {
        fail({document, schema.index()}, "two schemas have the same anchor, " + std::string(anchor));
    }
}

void compiler::add_dynamic_anchor(std::uint32_t resource, std::string_view anchor, value_view schema) {
    program_.resources[resource].dynamic.emplace_back(dynamic_anchor_id(anchor), schema.index());
}

/// The innermost resource around a location. O(log resources + nesting of resources).
std::uint32_t compiler::resource_at(place p) const {
    const std::vector<std::uint32_t>& order = resources_of_[p.document];
    const auto behind = std::upper_bound(order.begin(), order.end(), p.location,
                                         [this](std::uint32_t location, std::uint32_t other) {
                                             return location < program_.resources[other].location;
                                         });
    std::uint32_t r = *(behind - 1); // the root's stands before all
    while (program_.resources[r].end <= p.location) { r = program_.resources[r].parent; }
    return r;
}

void compiler::push_subschemas(value_view schema, const resource& in, std::vector<value_view>& todo) const {
    std::string scratch;
    for (const member m : schema.members()) {
        const std::optional<keyword> k = find_keyword(m.key.string(scratch), in.dialect, {});
        if (!k) { continue; }
        const schema_shape shape = info(*k).shape;
        const bool array = m.value.is(value_kind::array);
        const bool object = m.value.is(value_kind::object);
        if (object && (shape == schema_shape::one || shape == schema_shape::one_or_list)) {
            todo.push_back(m.value);
        } else if (array && (shape == schema_shape::list || shape == schema_shape::one_or_list)) {
            for (const value_view v : m.value.elements()) { todo.push_back(v); }
        } else if (object && shape == schema_shape::map) {
            for (const member sub : m.value.members()) { todo.push_back(sub.value); }
        }
    }
}

} // namespace jsonheal::schema::detail
