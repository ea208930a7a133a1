/// @file corpus.hpp
/// Texts to judge the engine by: valid JSON made to mislead it, damaged documents, and noise. All from seeds.
#pragma once

#include "random.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal_test {

// ---- valid JSON (documents.cpp)

/// A piece of a document: a token with the blanks before it.
struct piece {
    char kind{}; ///< one of `{ } [ ] , :`, or k key, s string, n number, l literal
    std::string text;
    std::string blank;
};
using pieces = std::vector<piece>;

[[nodiscard]] std::string join(const pieces& document);
/// A document of the sort that models write: objects, short texts, paths, code, numbers.
[[nodiscard]] pieces random_document(random_source& random);

/// Parts of JSON strings, validly escaped, that look like structure, escapes, comments, fences or markers.
[[nodiscard]] std::span<const std::string_view> hostile_fragments();
/// A string with its quotes, made of such parts; sometimes longer than any look-ahead.
[[nodiscard]] std::string hostile_string(random_source& random);
/// Valid JSON that does all it can to look broken.
[[nodiscard]] std::string hostile_valid(random_source& random);
/// Valid JSON in small: every pair of fragments in every template. Number `index` of `hostile_pair_count()`.
[[nodiscard]] std::string hostile_pair(std::size_t index);
[[nodiscard]] std::size_t hostile_pair_count();
/// Valid texts written by hand: spellings of numbers, escapes, blanks, scalars at the root.
[[nodiscard]] std::span<const std::string_view> valid_by_hand();

// ---- damage (damage.cpp)

/// The names of the kinds of damage.
[[nodiscard]] std::span<const std::string_view> damage_kinds();
/// A random document with that damage; the document itself if the damage finds nothing to do.
[[nodiscard]] std::string damaged(random_source& random, std::string_view kind);
/// A random document with several kinds of damage at once.
[[nodiscard]] std::string damaged(random_source& random, std::size_t kinds);

// ---- noise (noise.cpp)

/// Tokens of JSON and of everything around it, in no order.
[[nodiscard]] std::string token_soup(random_source& random, std::size_t most_tokens);
/// Arbitrary bytes, most of them ones that matter.
[[nodiscard]] std::string byte_soup(random_source& random, std::size_t most_bytes);
/// A text with a few bytes or runs deleted, doubled, swapped or put in.
[[nodiscard]] std::string mutated(random_source& random, std::string text);

/// One text of any of these sorts.
[[nodiscard]] std::string any_text(random_source& random);

} // namespace jsonheal_test
