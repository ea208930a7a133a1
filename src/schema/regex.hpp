/// @file regex.hpp
/// Regular expressions as schemas write them (ECMA-262 with the `u` flag, and what of Annex B schemas make use of).
///
/// The engine stands behind this interface: loops of a few lines for the plainest patterns, a table-driven automaton for
/// most others; RE2 where it can express the pattern, in linear time; PCRE2 for look-around, back-references and what is
/// too large for RE2, under a limit of steps.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace jsonheal::schema::detail {

enum class match : std::uint8_t {
    no,
    yes,
    limit ///< gave up: neither is known
};

class regex;
struct regex_result {
    std::shared_ptr<const regex> value;
    std::string error; ///< a clause, where there is no value
};

class regex {
public:
    /// Compiles an ECMA-262 pattern. `memory` bounds what the engine may take, in bytes.
    [[nodiscard]] static regex_result make(std::string_view pattern, std::uint32_t memory);

    virtual ~regex() = default;
    regex(const regex&) = delete;
    regex& operator=(const regex&) = delete;

    /// Whether the pattern matches somewhere in `wtf8`. Backtracking is charged to `budget`, in steps of the engine; one
    /// string takes no more than a tenth of `most_steps`.
    [[nodiscard]] virtual match find_in(std::string_view wtf8, std::uint64_t& budget) const = 0;
    static constexpr std::uint64_t most_steps = 100'000'000;
    /// `plain`, `prefix`, `automaton`, `linear` or `backtracking`.
    [[nodiscard]] virtual std::string_view engine() const noexcept = 0;
    /// The pattern as the schema has it.
    [[nodiscard]] const std::string& source() const noexcept { return source_; }

protected:
    explicit regex(std::string_view source) : source_(source) {}

private:
    std::string source_;
};

} // namespace jsonheal::schema::detail
