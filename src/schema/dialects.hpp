/// @file dialects.hpp
/// What differs between the drafts: which keywords there are, in which vocabulary, and where subschemas stand.
#pragma once

#include <jsonheal/schema.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace jsonheal::schema::detail {

enum class keyword : std::uint8_t {
#define JSONHEAL_KEYWORD(identifier, name, first, last, vocabulary, shape) identifier,
#include "keywords.def"
#undef JSONHEAL_KEYWORD
    count
};
inline constexpr std::size_t keyword_count = static_cast<std::size_t>(keyword::count);

/// A set of these says what a metaschema switches on. `core` and `extension` cannot be switched off by one.
enum class vocabulary : std::uint8_t { core, applicator, unevaluated, validation, format, extension };

/// One bit a vocabulary, and whether formats are asserted.
struct vocabulary_set {
    std::uint8_t bits = 0x3F;
    bool asserts_formats = false;

    [[nodiscard]] constexpr bool has(vocabulary v) const noexcept {
        return (bits >> static_cast<unsigned>(v) & 1u) != 0;
    }
    constexpr void add(vocabulary v) noexcept {
        bits = static_cast<std::uint8_t>(bits | 1u << static_cast<unsigned>(v));
    }
};

/// Where a keyword's value holds schemas.
enum class schema_shape : std::uint8_t { none, one, list, map, one_or_list };

struct keyword_info {
    std::string_view name;
    dialect first;
    dialect last;
    detail::vocabulary vocabulary;
    schema_shape shape;
};
[[nodiscard]] const keyword_info& info(keyword k) noexcept;

/// The keyword of that name in that dialect, if there is one and its vocabulary is on. O(name).
[[nodiscard]] std::optional<keyword> find_keyword(std::string_view name, dialect d,
                                                  vocabulary_set on) noexcept;

/// What the `$vocabulary` URI `uri` switches on, added to `on`. Unknown ones change nothing.
void add_vocabulary(std::string_view uri, vocabulary_set& on) noexcept;

} // namespace jsonheal::schema::detail
