// Helpers on healed text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace jsonheal::heal_detail {

/// The longest prefix of a JSON text's prefix that only needs closers to be whole: it ends inside a string value,
/// after a value, or after an opening bracket. O(text).
/// `{"a":1,"b":tr` → `{"a":1`
/// `whole_tokens`: a number or literal at the end is complete; else it might go on, and does not count.
[[nodiscard]] std::size_t complete_prefix(std::string_view json, bool whole_tokens);

/// What a prefix of a JSON text needs to be whole: the closing quote and brackets, and null where it ends in a key or
/// behind a colon or a comma, which a `complete_prefix` never does. O(text).
[[nodiscard]] std::string closers_of(std::string_view json);

/// Are two healed texts the same but for blanks between tokens? O(both).
[[nodiscard]] bool same_but_blanks(std::string_view a, std::string_view b) noexcept;

} // namespace jsonheal::heal_detail
