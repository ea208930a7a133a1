/// @file automaton_parse.hpp
/// From a pattern's translation to a nondeterministic automaton over bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace jsonheal::schema::detail {

/// One instruction of the nondeterministic automaton.
struct nfa_step {
    enum class sort : std::uint8_t { byte, split, begin, end, match };
    sort what{};
    std::uint8_t low = 0; ///< byte: the range
    std::uint8_t high = 0;
    std::uint32_t next = 0;
    std::uint32_t other = 0; ///< split: the second way
};

/// A pattern, or a look-ahead at the beginning of the string.
struct nfa_part {
    std::uint32_t start = 0;
    bool wanted = true;    ///< false for (?!…)
    bool anywhere = false; ///< may begin at any place
};

struct nfa {
    std::vector<nfa_step> steps;
    std::vector<nfa_part> parts; ///< the pattern is the first
};

/// Nothing where the pattern is of another sort or too large.
[[nodiscard]] std::optional<nfa> parse_nfa(std::string_view translated);

} // namespace jsonheal::schema::detail
