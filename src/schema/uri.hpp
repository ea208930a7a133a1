/// @file uri.hpp
/// URI references (RFC 3986) and JSON Pointers (RFC 6901), as far as schemas need them.
#pragma once

#include "key_table.hpp"

#include <jsonheal/document.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace jsonheal::schema::detail {

/// A URI reference and its fragment: `a/b#c` is `a/b` and `c`. Both borrow.
struct split_uri {
    std::string_view base;
    std::string_view fragment;
    bool has_fragment = false;
};
[[nodiscard]] split_uri split_fragment(std::string_view uri) noexcept;

/// RFC 3986 section 5.2: `reference` as it stands in a document whose URI is `base`. Fragments are no part of
/// either. Where `base` is itself relative, so is the result.
[[nodiscard]] std::string resolve(std::string_view base, std::string_view reference);

/// `a%20b` → `a b`; nothing if a percent sign is not followed by two hexadecimal digits.
[[nodiscard]] std::optional<std::string> percent_decode(std::string_view text);

/// Follows JSON Pointers in one document. Objects with many members are indexed when they are first passed, so that many
/// pointers into one of them cost O(pointers + members).
class pointer_follower {
public:
    /// The value that a JSON Pointer names, starting at `root`. Nothing if there is none or the pointer is malformed.
    [[nodiscard]] std::optional<value_view> follow(value_view root, std::string_view pointer);

private:
    [[nodiscard]] std::optional<value_view> member_named(value_view object, std::string_view key);
    std::unordered_map<std::uint32_t, key_table>
        indexes_; ///< by the object's index; payload: index of the value
};

/// Appends `/token` with `~` and `/` escaped.
void append_token(std::string_view token, std::string& pointer);

/// Appends the JSON Pointer from `from` to the value or key with that index, which stands inside it.
/// A key has the pointer of its member. O(values before it on its path).
void append_pointer(value_view from, std::uint32_t index, std::string& pointer);

/// The same as a string of its own.
[[nodiscard]] std::string pointer_of(value_view from, std::uint32_t index);

} // namespace jsonheal::schema::detail
