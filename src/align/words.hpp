/// @file words.hpp
/// Words that stand for booleans, null and the values of an enum.
#pragma once

#include <jsonheal/align.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace jsonheal::align_detail {

struct boolean_reading {
    bool value = false;
    align_rule rule{};
};
/// `"true"`, `"yes"`, `"0"`; with `lossy` also the only such word of a text, if nothing denies it. O(text).
[[nodiscard]] std::optional<boolean_reading> read_boolean(std::string_view text, bool lossy);

/// `null`, `none`, `nil`, `undefined`, `n/a` in any case. O(1).
[[nodiscard]] bool is_null_word(std::string_view text);

/// A spelling of one of the values of an enum.
struct enum_name {
    enum_name(std::string_view wtf8, std::uint32_t of_value, bool is_alias);
    std::string_view text; ///< WTF-8; must outlive this
    std::uint32_t value;
    bool alias;
    std::string by_case;       ///< folded, once for all texts that are held against it
    std::string by_separators; ///< the same at the other levels
    std::string by_punctuation;
};
struct enum_reading {
    std::uint32_t value = 0;
    align_rule rule{};
};
/// The value that a text spells: by case, then by accents and separators, then by punctuation, then as the only one that
/// stands in it as whole words. Where two values match at one of these, none does. O(text × names); texts are short.
[[nodiscard]] std::optional<enum_reading> read_enum(std::string_view text, std::span<const enum_name> names,
                                                    bool lossy);

} // namespace jsonheal::align_detail
