/// @file fold.hpp
/// Strings compared as a reader compares names: without regard to case, accents, or what parts words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::align_detail {

/// What is left out of account. Each level includes those before it.
enum class fold_level : std::uint8_t {
    case_only, ///< `RED` → `red`
    separators, ///< accents, quotes, and what parts words: `Crème_Brûlée` → `cremebrulee`; between digits `_` → ` `
    punctuation ///< all but letters and digits, and the signs that tell values apart (`+ # < > = & % $`) inside
};

/// The folded form. Appends nothing for bytes that are no character. O(text).
[[nodiscard]] std::string fold(std::string_view text, fold_level level);

/// The signs of a text that are part of what it says, though folding leaves them out: at its ends all but quotes, full
/// stops and the like (`A-`, `!approved`, `❌ approved`, but not `"Blue!"`), between digits all (`0-10`, `1.2`). O(text).
[[nodiscard]] std::u32string signs_of(std::string_view text);

/// A run of letters and digits in a text.
struct word {
    std::string folded; ///< without case and accents
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// The words of a text, parted by everything else and where lower case turns to upper (`darkBlue`). O(text).
[[nodiscard]] std::vector<word> words_of(std::string_view text);

/// Without the blanks of JSON and of Unicode at both ends. O(text).
[[nodiscard]] std::string_view trimmed(std::string_view text) noexcept;

} // namespace jsonheal::align_detail
