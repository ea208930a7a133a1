/// @file automaton.hpp
/// A deterministic automaton over the bytes of a string, for patterns of modest size: one table look-up a byte.
///
/// Understands what `translate_pattern` writes but for word boundaries, Unicode properties, back-references and look-around
/// other than look-aheads that stand first: `\A(?=[^!]+\z)(?!x).+\z` is three automata that run as one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace jsonheal::schema::detail {

class automaton {
public:
    /// Nothing where the pattern is not of that sort, or would take more states, more work or more than `memory` bytes.
    [[nodiscard]] static std::optional<automaton> make(std::string_view translated, std::uint32_t memory);

    /// Whether the pattern matches somewhere in `wtf8`. O(length).
    [[nodiscard]] bool matches(std::string_view wtf8) const noexcept {
        std::uint32_t state = start_;
        for (const char c : wtf8) {
            if (state <= accepted) { return state == accepted; }
            state = next_[state + classes_[static_cast<unsigned char>(c)]];
        }
        return state <= accepted ? state == accepted : ends_[state] != 0;
    }

private:
    friend class subset_builder;
    // States are offsets of their rows in the table, but for two that nothing leads out of.
    static constexpr std::uint32_t rejected = 0;
    static constexpr std::uint32_t accepted = 1;

    std::array<std::uint8_t, 256> classes_{}; ///< of bytes that no transition tells apart
    std::vector<std::uint16_t> next_;
    std::vector<std::uint8_t> ends_; ///< by state: whether the string may end here
    std::uint32_t start_ = 0;
};

} // namespace jsonheal::schema::detail
