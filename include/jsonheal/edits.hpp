/// @file edits.hpp
/// The edit log: what a healing changed, as ranges of the input's bytes, each with its rule and risk.
///
/// A log is a proof: `replay(input, log)` gives the healed text to the byte (law 2 of the design).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace jsonheal {

/// How sure a change is, from surest to least sure.
enum class risk : std::uint8_t {
    exact,    ///< one reading only
    likely,   ///< the best of several readings
    invented, ///< something was put in that no input byte spells
    lossy     ///< content of the value was, or may have been, dropped or moved
};

/// The repair rules, in the order of `rules.def`.
enum class rule : std::uint8_t {
#define JSONHEAL_RULE(id, risk, meaning, before, after) id,
#include <jsonheal/rules.def>
#undef JSONHEAL_RULE
};

/// The rules that `heal` itself uses are the first of the table; those behind them are of modules that build on it.
inline constexpr std::size_t healing_rules = static_cast<std::size_t>(rule::value_misfit);

/// One row of the table of rules. All text is static.
struct rule_info {
    std::string_view id;      ///< stable name, as `jsonheal rules` prints it
    jsonheal::risk risk;      ///< the risk of every edit made under the rule
    std::string_view meaning; ///< one line
    std::string_view before;  ///< an input that shows the rule (may hold bytes that are not UTF-8)
    std::string_view after;   ///< what it heals to
};

/// All rules, indexed by `static_cast<std::size_t>(rule)`. O(1), static storage.
[[nodiscard]] std::span<const rule_info> rules() noexcept;
/// The row of one rule. O(1).
[[nodiscard]] const rule_info& info(rule r) noexcept;
/// The rule of that name, if there is one. O(number of rules).
[[nodiscard]] std::optional<rule> rule_by_name(std::string_view id) noexcept;
/// `exact`, `likely`, `invented`, `lossy`. Static storage.
[[nodiscard]] std::string_view name(risk r) noexcept;
/// The risk of that name, if there is one.
[[nodiscard]] std::optional<risk> risk_by_name(std::string_view name) noexcept;

namespace edits_detail {
/// The risks of the rules, for every edit is asked for its own.
inline constexpr risk risks[] = {
#define JSONHEAL_RULE(id, risk_of_id, meaning, before, after) risk::risk_of_id,
#include <jsonheal/rules.def>
#undef JSONHEAL_RULE
};
} // namespace edits_detail

/// One change: the input's bytes [begin, end) were replaced by `text()`.
///
/// 24 bytes, trivially copyable. A replacement longer than `max_text` is written as several edits in a row.
struct edit {
    static constexpr std::size_t max_text = 14;

    std::uint32_t begin = 0; ///< first byte of the input that was replaced
    std::uint32_t end = 0;   ///< one past the last; equal to `begin` for an insertion
    jsonheal::rule rule{};
    std::uint8_t size = 0; ///< bytes of the replacement
    char bytes[max_text] = {};

    edit() = default;
    /// @pre replacement.size() <= max_text
    edit(std::size_t from, std::size_t to, std::string_view replacement, jsonheal::rule why) noexcept
        : begin(static_cast<std::uint32_t>(from)),
          end(static_cast<std::uint32_t>(to)),
          rule(why),
          size(static_cast<std::uint8_t>(replacement.size())) {
        if (size == 1) {
            bytes[0] = replacement[0]; // most are: no call for one byte
        } else if (size != 0) {
            std::memcpy(bytes, replacement.data(), size);
        }
    }
    /// The replacement; empty for a deletion. Valid as long as the edit.
    [[nodiscard]] std::string_view text() const noexcept { return {bytes, size}; }
    [[nodiscard]] jsonheal::risk risk() const noexcept {
        return edits_detail::risks[static_cast<std::size_t>(rule)];
    }
    friend bool operator==(const edit&, const edit&) = default;
};
static_assert(sizeof(edit) == 24);

/// Applies a log to the input it was made for. O(input + edits).
/// Returns nothing if the log does not fit: out of order, overlapping, or past the end.
[[nodiscard]] std::optional<std::string> replay(std::string_view input, std::span<const edit> log);

namespace edits_detail {
/// Writes what edits make of the input from `at` to the end of the last of them, and returns the end of what was
/// written: most runs and replacements are short, and where there is room a fixed size is copied, the rest of it to be
/// written over.
/// @param in byte 0 of the input, whose last byte stands before `in_end`
/// @param out_end the end of the room; what is written must fit
/// @pre the edits are in order, none begins before `at`
char* replay(const char* in, const char* in_end, std::size_t at, std::span<const edit> edits, char* out,
             const char* out_end) noexcept;
} // namespace edits_detail

/// A place in a text as people count it. Lines end at LF, CR LF or CR; columns are bytes. Both from 1.
struct text_position {
    std::size_t line = 1;
    std::size_t column = 1;
    friend bool operator==(const text_position&, const text_position&) = default;
};
/// The place of a byte offset (clamped to the text's end). O(offset): for messages, not for loops.
[[nodiscard]] text_position locate(std::string_view text, std::size_t offset) noexcept;

} // namespace jsonheal
