/// @file shape.hpp
/// What must hold for one value: some subschemas together, with what they say joined.
///
/// `{"$ref": "#/$defs/a", "properties": {…}}` is a shape of two parts, the schema and what it refers to. A union stays
/// open until one of its branches is chosen; choosing makes another shape. Shapes are numbered and made once, so that a
/// pair of a shape and a value can be remembered.
#pragma once

#include "words.hpp"

#include <jsonheal/align.hpp>

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace jsonheal::align_detail {

inline constexpr std::uint32_t nothing = 0xFFFF'FFFFu;

/// A subschema, and which of its unions have been decided.
struct part {
    static constexpr std::uint32_t any_of_decided = 1;
    static constexpr std::uint32_t one_of_decided = 2;
    std::uint32_t node = 0;
    std::uint32_t decided = 0;
    friend auto operator<=>(const part&, const part&) = default;
};
using part_list = std::vector<part>; ///< sorted, each node once

/// A key that the shape names.
struct named_property {
    std::string_view key; ///< WTF-8
    bool required = false;
    std::uint32_t shape = nothing;    ///< of the member's value, once it has been asked for
    std::vector<std::string> aliases; ///< `x-aliases`
    std::optional<value_view> default_value;
};

/// A union that has not been decided.
struct open_union {
    std::uint32_t node = nothing;
    bool of_one_of = false;
};

/// A branch of it, and the shape once that branch has been chosen.
struct branch {
    std::uint32_t node = nothing;
    std::uint32_t shape = nothing;
};

struct shape {
    part_list parts;
    kind_set kinds = kind_set::all();
    /// The kinds that the schema speaks of: `kinds`, but for `{"properties": …}` without a type only objects. A value is
    /// not moved out of them, or everything would fit.
    kind_set wanted = kind_set::all();
    bool integers_only = false;
    bool limits_values = false;            ///< there is `const` or `enum`
    std::vector<value_view> values;        ///< that they allow
    std::vector<enum_name> names;          ///< the strings among them, and their aliases
    std::deque<std::string> decoded;       ///< keeps names that are spelled with escapes
    open_union choice;                     ///< `node` is `nothing` if all are decided
    std::vector<branch> branches;          ///< of that union, once they have been asked for
    std::vector<schema::node_view> checks; ///< parts that say more than is joined here
    std::vector<named_property> properties;
    std::unordered_map<std::string_view, std::uint32_t> by_key; ///< of `properties`
    std::unordered_map<std::string, std::uint32_t>
        by_fold; ///< folded key or alias → property; `nothing`: several
    bool has_patterns = false;
    bool closed = false; ///< `unevaluatedProperties: false`
    bool folds_read = false;
    std::uint32_t other_members =
        nothing; ///< shape of members that are not named, once it has been asked for
    std::uint32_t rest_elements = nothing; ///< shape of the elements behind `prefix`
    std::size_t prefix = 0;                ///< longest `prefixItems`
};

/// What a shape says about a key.
struct member_rule {
    std::uint32_t property = nothing; ///< index in `shape::properties`
    bool forbidden = false;
};

/// All shapes of one alignment.
class shape_table {
public:
    /// Of a schema or a part of one, which must outlive the table.
    explicit shape_table(const schema::node_view& root) : root_(root) {}

    [[nodiscard]] std::uint32_t root() { return of({{root_.index(), 0}}); }
    [[nodiscard]] shape& at(std::uint32_t s) { return shapes_[s]; }
    [[nodiscard]] std::size_t size() const { return shapes_.size(); }
    /// Parts looked at for making them.
    [[nodiscard]] std::uint64_t work() const { return work_; }
    [[nodiscard]] schema::node_view node(std::uint32_t index) const { return root_.with_index(index); }

    /// What holds for members of that key.
    [[nodiscard]] member_rule rule_of(std::uint32_t s, std::string_view key);
    /// The shape of the member's value.
    [[nodiscard]] std::uint32_t member(std::uint32_t s, std::string_view key);
    /// The shape of the element.
    [[nodiscard]] std::uint32_t element(std::uint32_t s, std::size_t index);
    /// The branches of the open union. @pre it has one
    [[nodiscard]] std::span<const branch> branches(std::uint32_t s);
    /// The property that a key is another spelling of, and under which rule. Nothing: of none, or of several.
    struct key_reading {
        std::uint32_t property = nothing;
        align_rule rule{};
    };
    [[nodiscard]] std::optional<key_reading> read_key(std::uint32_t s, std::string_view key);

private:
    [[nodiscard]] std::uint32_t of(const part_list& seeds);
    void describe(shape& s);
    [[nodiscard]] kind_set spoken_of(const shape& s) const;
    void open_choice(shape& s, schema::node_view n, const std::vector<schema::node_view>& branches,
                     bool of_one_of);
    void limit_values(shape& s, const std::vector<value_view>& own);
    [[nodiscard]] static std::string_view keep(shape& s, value_view string);
    void add_values(shape& s, schema::node_view n);
    void add_properties(shape& s, schema::node_view n);
    void read_folds(shape& s);

    schema::node_view root_;
    std::deque<shape> shapes_;
    std::map<part_list, std::uint32_t> numbers_;
    std::uint64_t work_ = 0;
};

} // namespace jsonheal::align_detail
