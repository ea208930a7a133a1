/// @file spelling.hpp
/// What a misspelt word was meant to be.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace jsonheal::cli {

/// The candidate that differs from `word` by the fewest letters put in, left out, changed or swapped; empty if
/// none is near. O(candidates x length^2).
[[nodiscard]] std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// `; did you mean WORD?`, or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

} // namespace jsonheal::cli
