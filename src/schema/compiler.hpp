/// @file compiler.hpp
/// The state of one compilation. Its stages, a file each:
///
/// compile_scan.cpp finds resources and anchors in a document; compile_refs.cpp resolves references and loads
/// documents; compile_node.cpp and compile_keywords.cpp turn one subschema into instructions; compile_link.cpp checks and
/// prepares the whole; compile_merge.cpp makes one walk of several over the same members; compile_union.cpp works
/// out which branches of a union a value can fit; compile_quick.cpp puts what the fast face asks for where
/// it looks, and compile_flatten.cpp writes its instructions.
#pragma once

#include "program.hpp"
#include "uri.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace jsonheal::schema::detail {

/// Keywords of one subschema; of a repeated one the last counts.
using keyword_values = std::array<std::optional<value_view>, keyword_count>;

/// Calls `f(edge)` for every subschema that an instruction applies to the same value.
template <class F>
void for_each_in_place(const program_data& p, const instruction& in, F&& f) {
    switch (in.op) {
    case opcode::reference:
    case opcode::negation: f(p.edges[in.a]); break;
    case opcode::condition:
        for (std::uint32_t i = 0; i != 3; ++i) {
            if (p.edges[in.a + i].at != none) { f(p.edges[in.a + i]); }
        }
        break;
    case opcode::all_of:
    case opcode::any_of:
    case opcode::one_of: {
        const range r = p.unions[in.a].branches;
        for (std::uint32_t i = 0; i != r.count; ++i) { f(p.edges[r.begin + i]); }
        break;
    }
    case opcode::dependent_schemas:
        for (const dependency& d : p.dependencies[in.a]) { f(d.to); }
        break;
    default: break;
    }
}

class compiler {
public:
    explicit compiler(const compile_options& options) : options_(options) {}
    [[nodiscard]] compile_result run(const document& schema);

private:
    struct place {
        std::uint32_t document = none;
        std::uint32_t location = none;
    };
    struct schema_dialect {
        schema::dialect dialect{};
        vocabulary_set vocabularies;
    };
    /// What a subschema says about who it is.
    struct identity {
        std::optional<value_view> id, dollar_schema, anchor, dynamic_anchor, recursive_anchor;
        bool has_ref = false;
    };

    // compile_scan.cpp
    std::uint32_t add_document(const document& d, std::string uri);
    void scan(std::uint32_t document);
    std::uint32_t scan_identity(std::uint32_t document, value_view schema, std::uint32_t outer);
    void push_subschemas(value_view schema, const resource& in, std::vector<value_view>& todo) const;
    [[nodiscard]] identity identity_of(value_view schema, schema::dialect d) const;
    std::uint32_t add_resource(std::uint32_t document, value_view schema, std::uint32_t outer,
                               std::string uri, const schema_dialect& d);
    void add_anchor(std::uint32_t resource, std::string_view anchor, value_view schema,
                    std::uint32_t document);
    void add_dynamic_anchor(std::uint32_t resource, std::string_view anchor, value_view schema);
    [[nodiscard]] std::uint32_t resource_at(place p) const;
    [[nodiscard]] schema_dialect default_dialect() const;

    // compile_refs.cpp
    [[nodiscard]] std::optional<schema_dialect> dialect_of(const std::string& uri, place blame);
    [[nodiscard]] const document* fetch(const std::string& uri);
    [[nodiscard]] std::optional<std::uint32_t> find_resource(const std::string& uri, place blame);
    [[nodiscard]] std::optional<place> resolve_reference(std::uint32_t from_resource, value_view reference,
                                                         place blame);
    void compile_reference(const node& n, const keyword_values& values);
    void compile_dynamic_reference(const node& n, const keyword_values& values);
    [[nodiscard]] std::uint32_t dynamic_anchor_id(std::string_view anchor);

    // compile_node.cpp
    [[nodiscard]] std::uint32_t node_at(place p);
    [[nodiscard]] edge edge_to(value_view schema);
    range edges_to(value_view array);
    void compile_node(std::uint32_t index);
    [[nodiscard]] std::string_view intern(value_view string);
    void emit(group g, opcode op, keyword k, value_view at, std::uint32_t a, std::uint32_t b = 0);
    void place_instructions(node& n);
    void compile_object(const keyword_values& values);
    void compile_properties(object_shape& shape, value_view properties);
    void compile_required(object_shape& shape, value_view required);
    void compile_patterns(object_shape& shape, value_view patterns);
    void compile_items(const keyword_values& values, schema::dialect d);
    void compile_contains(const keyword_values& values, schema::dialect d);
    void compile_dependencies(const keyword_values& values);
    void compile_applicators(const keyword_values& values);
    void compile_unevaluated(node& n, const keyword_values& values);

    // compile_keywords.cpp
    void compile_type(node& n, const keyword_values& values);
    void compile_values(keyword k, value_view values);
    void compile_numbers(const keyword_values& values, schema::dialect d);
    void compile_bound(keyword k, const std::optional<value_view>& v, opcode op);
    void compile_multiple_of(value_view v);
    void compile_strings(const keyword_values& values, const resource& r);
    void compile_count(keyword k, const std::optional<value_view>& v, group g, opcode op);
    [[nodiscard]] std::uint64_t count_of(keyword k, value_view v);
    [[nodiscard]] std::optional<std::uint32_t> regex_of(value_view pattern);
    [[nodiscard]] std::vector<std::string> names_of(keyword k, value_view array);

    // compile_link.cpp
    void link();
    void check_cycles();
    void settle_dynamic_references();
    void resolve_edges();
    std::uint32_t behind_references(std::uint32_t index);
    void mark_leaves(node& n) const;
    void count_edges();

    // compile_merge.cpp
    void merge_objects();
    [[nodiscard]] bool merge_object(std::uint32_t index);
    void merge_elements(std::uint32_t index);
    edge both(const edge& a, const edge& b, std::uint32_t beside);
    std::uint32_t all_of_node(const std::vector<edge>& branches, std::uint32_t beside);
    void add_merged_node(std::uint32_t index, object_shape shape, std::vector<property> properties,
                         std::uint8_t kinds);

    // compile_quick.cpp
    void prepare_quick();
    [[nodiscard]] quick_edge quick_to(const edge& e) const;
    void prepare_object(object_shape& shape);
    [[nodiscard]] bool find_patterns(const object_shape& shape);
    [[nodiscard]] bool prepare_node(std::uint32_t index, const std::vector<bool>& ready);
    [[nodiscard]] std::optional<std::uint32_t> patterns_of(const object_shape& shape, std::string_view key);

    // compile_flatten.cpp
    void flatten();
    void flatten_node(std::uint32_t index);
    void narrow_unions();

    // compile_union.cpp
    void filter_union(union_shape& u);

    void fail(place at, std::string reason);
    void fail(value_view at, std::string reason) { fail({document_, at.index()}, std::move(reason)); }
    [[nodiscard]] bool expect(bool ok, keyword k, value_view at, std::string_view what);

    const compile_options& options_;
    program_data program_;
    std::optional<compile_error> error_;

    std::unordered_map<std::string, std::optional<document>> fetched_;
    std::uint64_t bytes_ = 0;
    std::uint32_t loaded_ = 0;
    std::unordered_map<std::string, std::uint32_t> resources_by_uri_;
    std::unordered_map<std::string, place> anchors_;       ///< `RESOURCE#name`
    std::vector<std::vector<std::uint32_t>> resources_of_; ///< by document, in the order of their locations
    std::vector<std::vector<std::uint32_t>> nodes_of_;     ///< by document and location; `none`: no node
    std::vector<pointer_follower> followers_;              ///< by document
    std::unordered_map<std::string, std::uint32_t> regexes_by_text_;
    std::unordered_map<std::string, std::uint32_t> dynamic_ids_;
    std::vector<bool> anchored_; ///< by resource: its dynamic anchors have nodes

    // What may be spent on speed, over the whole schema: beyond it the program is slower, not another.
    std::uint64_t pattern_steps_ = 2'000'000; ///< of backtracking, to see which patterns named keys match
    std::uint64_t filter_work_ = 3'000'000;   ///< keys times branches of unions

    std::uint32_t document_ = 0; ///< of the node that is being compiled
    std::uint32_t resource_ = 0;
    std::array<std::vector<instruction>, static_cast<std::size_t>(group::count)> groups_;
};

} // namespace jsonheal::schema::detail
