/// @file program.hpp
/// The compiled schema as plain data: nodes, instructions, and the tables that instructions name.
///
/// A node is one subschema. Its instructions stand together in `code`, those for one kind of value first (numbers,
/// strings, arrays, objects), then those for any. An instruction names its operand by index into one of the tables.
/// `{"type": "object", "properties": {"a": {"minLength": 2}}}` is
///
///     node 0  object   properties #0          object shape 0: key "a" → node 1
///     node 1  any      min_length 2
#pragma once

#include "dialects.hpp"
#include "key_table.hpp"

#include <jsonheal/schema.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::schema::detail {

class regex;

inline constexpr std::uint32_t none = 0xFFFF'FFFFu;

/// The way to a subschema. `at` is the one that the schema names; `run` the one that is evaluated for speed, behind
/// references that say nothing else.
struct edge {
    std::uint32_t run = none;
    std::uint32_t at = none;
};

/// An edge as `quick` wants it: what is said of a value's kind stands beside it, not a look-up away.
struct quick_edge {
    std::uint32_t run = none;    ///< `edge::run`; `none`: nothing is asked
    std::uint8_t kinds = 0x3F;   ///< bit per value_kind: what is allowed
    std::uint8_t trivial = 0x3F; ///< bit per value_kind: of these nothing else is asked
};

/// Some entries of one of the tables.
struct range {
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
};

enum class opcode : std::uint8_t {
    integer, ///< the number is whole
    minimum, ///< a: bound
    exclusive_minimum,
    maximum,
    exclusive_maximum,
    multiple_of, ///< a: divisor
    min_length,  ///< a: code points
    max_length,
    pattern,   ///< a: regex
    format,    ///< a: format
    min_items, ///< a: elements
    max_items,
    unique_items,
    items,          ///< a: items shape
    contains,       ///< a: contains shape
    min_properties, ///< a: distinct keys
    max_properties,
    properties,         ///< a: object shape
    required,           ///< a: required list, for more names than an object shape can count
    property_names,     ///< a: edge
    dependent_required, ///< a: dependency list
    dependent_schemas,  ///< a: dependency list
    value_set,          ///< a: value set; `const` and `enum`
    reference,          ///< a: edge
    dynamic_reference,  ///< a: edge where nothing is bound; b: dynamic anchor
    all_of,             ///< a: union
    any_of,
    one_of,
    negation,          ///< a: edge
    condition,         ///< a: first of three edges: if, then, else (`none` where absent)
    unevaluated_items, ///< a: edge; b: what is evaluated whatever the instance, or `none` where that depends on it
    unevaluated_properties,
};

struct instruction {
    opcode op{};
    detail::keyword keyword{};
    std::uint16_t flags = 0;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::uint32_t location = 0; ///< of the keyword's value in the node's document
};

/// What the fast face has to do for a value of one kind: nothing, or some instructions of `program_data::quick_code`, in which
/// references and `allOf` are written out and branches that cannot be are left out.
struct quick_run {
    enum class sort : std::uint8_t { fail, pass, ask, by_frames };
    std::uint32_t first = 0; ///< by_frames: the node
    std::uint16_t count = 0;
    sort what = sort::fail;
};
using quick_node = std::array<quick_run, 6>; ///< by value_kind

/// Groups of a node's instructions, in their order.
enum class group : std::uint8_t { number, string, array, object, any, count };

struct node {
    static constexpr std::uint8_t integers_only = 1; ///< flags
    static constexpr std::uint8_t shared = 2; ///< more than one edge leads here: worth remembering results
    static constexpr std::uint8_t unevaluated = 4; ///< has unevaluatedItems or unevaluatedProperties
    static constexpr std::uint8_t false_schema = 8;
    static constexpr std::uint8_t slow = 16; ///< the fast face leaves it to the machine

    std::uint32_t first = 0;                                                 ///< of its instructions
    std::array<std::uint8_t, static_cast<std::size_t>(group::count)> ends{}; ///< of its groups, from `first`
    std::uint8_t kinds = 0x3F; ///< bit per value_kind: what `type` allows
    std::uint8_t trivial = 0;  ///< bit per value_kind: of these nothing else is asked
    std::uint8_t leaf = 0;     ///< bit per value_kind: no instruction for these looks at another subschema
    std::uint8_t flags = 0;
    std::uint32_t run = none; ///< where `edge::run` leads that comes here
    std::uint32_t document = 0;
    std::uint32_t location = 0; ///< of the schema in its document
    std::uint32_t resource = 0;
};

/// A number of the schema, with a short form where it has one.
struct bound {
    std::string_view text; ///< of the schema's document
    std::int64_t small = 0;
    bool is_small = false;
};

struct divisor {
    std::string_view text;
    std::string digits;        ///< without leading and trailing zeros
    std::int64_t exponent = 0; ///< digits × 10^exponent
    std::uint64_t small = 0;   ///< the whole value, if it is an integer below 2^62; else 0
};

/// `properties`, `required`, `patternProperties` and `additionalProperties` of one schema.
struct object_shape {
    key_table keys; ///< payload: index into `program_data::properties`
    range properties;
    range patterns; ///< of `pattern_edges`
    quick_edge quick_additional;
    edge additional;            ///< `at` is `none` if there is no such keyword
    std::uint64_t required = 0; ///< one bit for each required key
    std::uint32_t required_count = 0;
    bool closed = false;                ///< `additionalProperties: false`
    std::uint32_t properties_at = none; ///< locations of the keywords' values
    std::uint32_t required_at = none;
    std::uint32_t patterns_at = none;
    std::uint32_t additional_at = none;
};
struct property {
    std::string_view key;
    key_ends ends; ///< of the key
    edge to;       ///< `at` is `none` for a key that is only required
    std::uint64_t required_bit = 0;
    quick_edge quick;           ///< of `to`, or where it is not there and no pattern applies, of `additional`
    std::uint32_t patterns = 0; ///< one bit for each pattern beside it that the key matches
};
struct pattern_edge {
    std::uint32_t regex = 0;
    edge to;
    quick_edge quick;
};

struct items_shape {
    range prefix; ///< of `edges`
    edge rest;
    quick_edge quick_rest;
    detail::keyword prefix_keyword{};
    detail::keyword rest_keyword{};
};

struct contains_shape {
    edge to;
    std::uint64_t least = 1;
    std::uint64_t most = ~std::uint64_t{0};
    bool marks = false; ///< counts as evaluation (2020-12)
    std::uint32_t least_at = none;
    std::uint32_t most_at = none;
};

struct dependency {
    std::string key;
    std::vector<std::string> names; ///< required beside `key`
    edge to;
    std::uint32_t location = 0;
};

/// The members or elements that a node's keywords always evaluate.
struct evaluated_set {
    bool all = false;
    key_table keys;
    std::vector<std::uint32_t> patterns; ///< regexes
    std::uint32_t elements = 0;          ///< from the first
};

/// `const` or `enum`.
struct value_set {
    key_table strings;              ///< of the strings among the values
    std::vector<value_view> others; ///< all but strings, of the schema's document
    std::vector<value_view> all;
    std::uint8_t kinds = 0; ///< bit per value_kind that occurs
};

/// What a value says about the branches of a union: a mask of those that may fit it.
struct value_filter {
    std::array<std::uint64_t, 6> by_kind{};
    bool by_value = false; ///< the members below say more
    key_table strings;     ///< payload: index into `masks`
    std::vector<std::uint64_t> masks;
    std::vector<std::pair<std::int64_t, std::uint64_t>> integers; ///< sorted; each with its branches
    std::uint64_t unbound = 0;                                    ///< branches that name no values
    std::uint64_t with_others = 0; ///< branches that name values which are neither strings nor short integers
    std::uint64_t with_numbers = 0; ///< branches that name numbers of any spelling

    void add(value_view named, std::uint64_t branch);
    /// Branches that may name the value. O(value).
    [[nodiscard]] std::uint64_t naming(value_view v) const;
};

/// What an object's keys say about the branches of a union.
struct key_filter {
    std::vector<std::string> telling; ///< the keys, by index into `members`
    key_table keys;                   ///< payload: index into `members`
    std::vector<value_filter> members;
    std::vector<std::uint64_t> required; ///< by branch: bit per member whose key it requires
};

/// A property whose `const` or `enum` tells most branches apart.
struct discriminator {
    std::string key; ///< WTF-8
    value_filter values;
    std::uint64_t absent = 0; ///< branches that do not require the key
};

/// The branches of `allOf`, `anyOf` or `oneOf`. With at most 64, a mask says which branches can fit a value by its kind
/// and, where that leaves several, by the value of a scalar and the keys of an object.
struct union_shape {
    range branches; ///< of `edges`
    bool filtered = false;
    std::array<std::uint64_t, 6> by_kind{};
    std::array<std::uint64_t, 6> quick_by_kind{}; ///< less those that fail for the kind, whatever `type` says
    std::uint32_t by_discriminator = none;        ///< index into `discriminators`
    std::uint32_t by_value = none;                ///< index into `value_filters`
    std::uint32_t by_keys = none;                 ///< index into `key_filters`
};

struct resource {
    std::string uri; ///< without fragment
    std::uint32_t document = 0;
    std::uint32_t location = 0;
    std::uint32_t end = 0;       ///< index after it
    std::uint32_t parent = none; ///< resource that it stands in, of the same document
    schema::dialect dialect{};
    vocabulary_set vocabularies;
    std::vector<std::pair<std::uint32_t, std::uint32_t>>
        dynamic; ///< dynamic anchor → location; after linking → node
};

struct program_data {
    std::vector<node> nodes;
    std::vector<instruction> code;
    std::vector<edge> edges;
    std::vector<quick_node> quick_nodes; ///< by node; empty where the machine runs all
    std::vector<instruction> quick_code;
    std::vector<bound> bounds;
    std::vector<divisor> divisors;
    std::vector<object_shape> objects;
    std::vector<property> properties;
    std::vector<pattern_edge> pattern_edges;
    std::vector<items_shape> items;
    std::vector<contains_shape> contains;
    std::vector<std::vector<dependency>> dependencies;
    std::vector<std::vector<std::string>> required_lists;
    std::vector<value_set> value_sets;
    std::vector<evaluated_set> evaluated_sets;
    std::vector<union_shape> unions;
    std::vector<discriminator> discriminators;
    std::vector<value_filter> value_filters;
    std::vector<key_filter> key_filters;
    std::vector<std::shared_ptr<const regex>> regexes;
    std::vector<resource> resources;
    std::vector<document> documents;
    std::vector<std::string> document_uris; ///< as they were asked of the loader; empty for the first
    std::deque<std::string> decoded; ///< keys that are spelled with escapes; their elements do not move
    std::vector<std::string> dynamic_anchors;
    std::vector<std::string> unchecked_formats;
    std::uint32_t root = 0;
    bool has_dynamic = false;

    [[nodiscard]] value_view value_at(std::uint32_t document, std::uint32_t location) const noexcept {
        return documents[document].root().with_index(location);
    }
    /// Branches of a union that the value's kind and discriminator do not rule out. O(members). @pre filtered
    [[nodiscard]] std::uint64_t candidates(const union_shape& u, value_view v) const;
    /// `URI#/pointer` of a location.
    [[nodiscard]] std::string location_of(std::uint32_t node, std::uint32_t location) const;
};

/// The content of a string, in `scratch` only where it has to be decoded. O(1) where not.
[[nodiscard]] inline std::string_view text_of(value_view string, std::string& scratch) {
    if (string.has_escape()) { return string.string(scratch); }
    const std::string_view quoted = string.source();
    return {quoted.data() + 1, quoted.size() - 2};
}

[[nodiscard]] constexpr unsigned bit(value_kind k) noexcept { return 1u << static_cast<unsigned>(k); }

/// The group of instructions for a kind; `any` for null and boolean, which have none of their own.
[[nodiscard]] constexpr group group_of(value_kind k) noexcept {
    constexpr group groups[] = {group::any,    group::any,   group::number,
                                group::string, group::array, group::object};
    return groups[static_cast<std::size_t>(k)];
}

} // namespace jsonheal::schema::detail
