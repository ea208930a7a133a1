/// @file exit_code.hpp
/// What the tool says to scripts.
#pragma once

#include <jsonheal/heal.hpp>

#include <cstdint>

namespace jsonheal::cli {

enum class exit_code : std::uint8_t {
    whole = 0,     ///< a whole value came out
    refused = 1,   ///< nothing came out, or with --stream the settled part and its closers
    failed = 2,    ///< usage, or something that could not be read or written
    truncated = 3, ///< a value came out, but the text was cut off
    misfit = 4     ///< the value does not fit the schema
};

[[nodiscard]] constexpr exit_code code_of(verdict v) noexcept {
    return v == verdict::refused     ? exit_code::refused
           : v == verdict::truncated ? exit_code::truncated
                                     : exit_code::whole;
}

/// Of several inputs the worst decides: failed, refused, misfit, truncated, whole.
[[nodiscard]] constexpr exit_code worse(exit_code a, exit_code b) noexcept {
    constexpr int badness[] = {0, 3, 4, 1, 2};
    return badness[static_cast<int>(a)] >= badness[static_cast<int>(b)] ? a : b;
}

} // namespace jsonheal::cli
