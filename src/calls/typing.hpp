// The type that a schema gives an argument, and text or JSON brought to it. Exact: no digit is lost, a string is never read as
// anything else where strings fit.
#pragma once

#include <jsonheal/align.hpp>
#include <jsonheal/document.hpp>
#include <jsonheal/schema.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::calls_detail {

/// What a schema says of one value, through references and unions.
struct value_type {
    bool known = false;
    kind_set kinds = kind_set::all();
    bool integers_only = false;
    std::vector<value_view> values;        ///< of `enum` and `const`; empty if there are none
    std::optional<schema::node_view> node; ///< the subschema itself
    [[nodiscard]] bool only_strings() const noexcept;
};
[[nodiscard]] value_type type_of(const schema::node_view& node);
/// That of a tool's parameter. Unknown without a schema.
[[nodiscard]] value_type type_of_member(const schema::program& p, std::string_view key);

struct typed {
    std::string json;
    bool fits = true;
    bool changed = false; ///< it is no plain copy
    jsonheal::risk risk = jsonheal::risk::exact;
};

/// Text as the value it means. `as_json`: the format says that it is JSON, which counts where the schema is silent.
/// `2` for an integer → `2`, for a string → `"2"`
[[nodiscard]] typed json_of_text(std::string_view text, const value_type& type, bool as_json);
/// The JSON value of that key as the type has it.
/// `"3"` for an integer → `3`, `12` for a string → `"12"`
[[nodiscard]] typed json_of_json(std::string_view source, const value_type& type, std::string_view key);

/// What has no reading above, aligned to its subschema if that makes it fit.
/// `"Red"` for the enum of `red` and `blue` → `"red"`
[[nodiscard]] typed aligned(typed t, const value_type& type, std::string_view key);

} // namespace jsonheal::calls_detail
