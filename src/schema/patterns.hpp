/// @file patterns.hpp
/// From ECMA-262 to the syntax that RE2 and PCRE2 share.
///
/// Both read the translation the same way, because it uses little: literals, classes of explicit ranges, `\p{…}`, groups,
/// quantifiers, `\A \z \b \B`. What differs between the standards (`\d \s \w . $ ^`, escapes) is spelled out:
/// `^\d+$` → `\A[0-9]+\z`.
///
/// Strings may hold lone surrogates, which neither engine reads: `hide_surrogates` moves them to the last
/// 2048 code points of plane 16, and the translation moves those of the pattern likewise.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jsonheal::schema::detail {

/// `^[class]{least,most}$`, where the class holds all code points beyond ASCII or none of them.
struct plain_pattern {
    std::bitset<128> ascii;
    bool beyond_ascii = false;
    bool no_separators = false; ///< U+2028 and U+2029 are not in it though others are
    std::size_t least = 1;
    std::size_t most = 1;
};

struct translation {
    std::optional<plain_pattern> plain; ///< where the whole pattern is such a one
    std::optional<std::string> prefix;  ///< where the whole pattern is `^` and a literal: `^x-`
    std::string text;
    bool needs_backtracking = false; ///< look-around, back-references, or repeats beyond RE2's 1000
    std::string error;               ///< a clause; empty if `text` is the translation
};

/// O(pattern), but for repeats beyond 65535, whose operand is written several times.
[[nodiscard]] translation translate_pattern(std::string_view ecma);

/// True if `wtf8` holds a lone surrogate. O(bytes).
[[nodiscard]] bool has_surrogate(std::string_view wtf8) noexcept;
[[nodiscard]] std::string hide_surrogates(std::string_view wtf8);

} // namespace jsonheal::schema::detail
