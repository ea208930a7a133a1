/// @file compile_refs.cpp
/// Second stage: from references to places, through documents that are loaded when they are first named.

#include "compiler.hpp"
#include "metaschemas.hpp"
#include "uri.hpp"

namespace jsonheal::schema::detail {

/// The document behind a URI: a metaschema, or what the loader gives. Null: there is none, or a limit is reached.
const document* compiler::fetch(const std::string& uri) {
    const auto known = fetched_.find(uri);
    if (known != fetched_.end()) { return known->second ? &*known->second : nullptr; }
    std::optional<document> found;
    if (const std::string_view text = find_metaschema(uri); !text.empty()) {
        found = document::parse_borrowed(text).value;
    } else if (options_.loader && loaded_ < options_.limits.documents) {
        ++loaded_;
        found = options_.loader(uri);
        if (found) { bytes_ += found->text().size(); }
        if (bytes_ > options_.limits.bytes) { found.reset(); }
    }
    std::optional<document>& kept = fetched_[uri];
    kept = std::move(found);
    return kept ? &*kept : nullptr;
}

/// The dialect of a `$schema`: a draft, or one that a metaschema of someone's own describes with `$vocabulary`.
std::optional<compiler::schema_dialect> compiler::dialect_of(const std::string& uri, place blame) {
    std::optional<vocabulary_set> vocabularies;
    std::string here = uri;
    for (unsigned steps = 0; steps != 16; ++steps) {
        if (const std::optional<schema::dialect> d = dialect_named(here)) {
            return schema_dialect{*d, vocabularies.value_or(vocabulary_set{})};
        }
        const document* const metaschema = fetch(std::string(split_fragment(here).base));
        if (metaschema == nullptr || !metaschema->root().is(value_kind::object)) { break; }
        const value_view root = metaschema->root();
        if (const auto listed = root.find("$vocabulary");
            listed && listed->is(value_kind::object) && !vocabularies) {
            vocabularies.emplace();
            vocabularies->bits = 0;
            vocabularies->add(vocabulary::core);
            vocabularies->add(vocabulary::extension);
            for (const member m : listed->members()) { add_vocabulary(m.key.string(), *vocabularies); }
        }
        const std::optional<value_view> next = root.find("$schema");
        if (!next || !next->is(value_kind::string)) { break; }
        here = next->string();
    }
    if (options_.dialect) { return schema_dialect{*options_.dialect, {}}; }
    fail(blame, "the dialect " + uri + " is not known, and no loader gave its metaschema");
    return std::nullopt;
}

std::optional<std::uint32_t> compiler::find_resource(const std::string& uri, place blame) {
    const auto known = resources_by_uri_.find(uri);
    if (known != resources_by_uri_.end()) { return known->second; }
    const document* const loaded = fetch(uri);
    if (loaded == nullptr) {
        std::string why = "it refers to " + uri + ", which is not there";
        if (bytes_ > options_.limits.bytes) {
            why = "the schemas together are longer than the limit";
        } else if (loaded_ >= options_.limits.documents) {
            why = "it refers to more documents than the limit";
        } else if (!options_.loader) {
            why += ", and there is no loader to ask";
        }
        fail(blame, std::move(why));
        return std::nullopt;
    }
    const std::uint32_t document = add_document(*loaded, uri);
    if (error_) { return std::nullopt; }
    return resources_of_[document].front();
}

/// Where a `$ref` leads. Nothing: it has been said why.
std::optional<compiler::place> compiler::resolve_reference(std::uint32_t from_resource, value_view reference,
                                                           place blame) {
    const std::string text = reference.string();
    const split_uri split = split_fragment(text);
    const std::string uri = resolve(program_.resources[from_resource].uri, split.base);
    // A reference to a fragment alone stays in its resource, even where another one took the same URI first.
    const std::optional<std::uint32_t> to =
        split.base.empty() ? std::optional(from_resource) : find_resource(uri, blame);
    if (!to) { return std::nullopt; }
    const resource& r = program_.resources[*to];
    const value_view root = program_.value_at(r.document, r.location);
    const std::optional<std::string> fragment = percent_decode(split.fragment);
    if (!fragment) {
        fail(blame, "the fragment of " + text + " is not percent-encoded text");
        return std::nullopt;
    }
    if (fragment->empty()) { return place{r.document, r.location}; }
    if (fragment->front() == '/') {
        if (const std::optional<value_view> found = followers_[r.document].follow(root, *fragment)) {
            return place{r.document, found->index()};
        }
    } else if (const auto anchor = anchors_.find(std::to_string(*to).append("#").append(*fragment));
               anchor != anchors_.end()) {
        return anchor->second;
    }
    fail(blame, "it refers to " + text + ", which is not there");
    return std::nullopt;
}

void compiler::compile_reference(const node& n, const keyword_values& values) {
    const std::optional<value_view>& v = values[static_cast<std::size_t>(keyword::ref)];
    if (!v) { return; }
    if (!expect(v->is(value_kind::string), keyword::ref, *v, "a string")) { return; }
    const std::optional<place> target = resolve_reference(n.resource, *v, {n.document, v->index()});
    if (!target) { return; }
    const auto e = static_cast<std::uint32_t>(program_.edges.size());
    program_.edges.push_back({none, node_at(*target)});
    emit(group::any, opcode::reference, keyword::ref, *v, e);
}

/// `$dynamicRef` (2020-12) and `$recursiveRef` (2019-09). Where the target is no dynamic anchor they are a `$ref`.
void compiler::compile_dynamic_reference(const node& n, const keyword_values& values) {
    for (const keyword k : {keyword::dynamic_ref, keyword::recursive_ref}) {
        const std::optional<value_view>& v = values[static_cast<std::size_t>(k)];
        if (!v) { continue; }
        if (!expect(v->is(value_kind::string), k, *v, "a string")) { return; }
        const std::optional<place> target = resolve_reference(n.resource, *v, {n.document, v->index()});
        if (!target) { return; }
        std::string anchor;
        if (k == keyword::dynamic_ref) {
            const std::string text = v->string();
            anchor = percent_decode(split_fragment(text).fragment).value_or("");
        }
        const std::uint32_t id = dynamic_anchor_id(anchor);
        const auto e = static_cast<std::uint32_t>(program_.edges.size());
        program_.edges.push_back({none, node_at(*target)});
        bool dynamic = false;
        for (const auto& [other, location] : program_.resources[resource_at(*target)].dynamic) {
            if (other == id && location == target->location) { dynamic = true; }
        }
        program_.has_dynamic = program_.has_dynamic || dynamic;
        emit(group::any, dynamic ? opcode::dynamic_reference : opcode::reference, k, *v, e, id);
    }
}

std::uint32_t compiler::dynamic_anchor_id(std::string_view anchor) {
    const auto [at, added] =
        dynamic_ids_.emplace(anchor, static_cast<std::uint32_t>(program_.dynamic_anchors.size()));
    if (added) { program_.dynamic_anchors.emplace_back(anchor); }
    return at->second;
}

} // namespace jsonheal::schema::detail
