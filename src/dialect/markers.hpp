// The markers that a text is searched for, as one sorted list that is walked like a trie.
#pragma once

#include "formats.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::dialect::detail {

/// What a marker does outside of bodies.
enum class role : std::uint8_t {
    wrapper, ///< dropped
    section, ///< begins a section of calls
    section_end,
    call, ///< begins a call
    call_end,
    reasoning,
    reasoning_end,
    header,     ///< begins the header of a message
    recipient,  ///< `>>>`
    label,      ///< `Thought:` at the beginning of a line
    attributes, ///< `<tool_call name="@f" …>`
    brackets,   ///< `[tool: @f …]`
    tag,        ///< the opening tag of a call: `<function=`
    fence,      ///< weak: a call may stand inside
    json,       ///< weak: `{` or `[`
    call_name,  ///< weak: `f(` of a declared tool
    element     ///< weak: `<f>` of a declared tool
};

struct marker {
    std::string text;
    role what = role::wrapper;
    style_id style = style_id::none;
};

/// Where a text has a marker.
struct marker_match {
    enum class outcome : std::uint8_t { none, partial, found } what = outcome::none;
    const marker* found = nullptr;
};

/// Sorted markers. Of those that begin at one place the longest counts.
class marker_set {
public:
    void add(std::string_view text, role what, style_id style = style_id::none);
    void add_lines(std::string_view list, role what, style_id style = style_id::none);
    /// @pre nothing is added later
    void sort();
    /// The first place from `i` on where one may begin.
    [[nodiscard]] std::size_t next(std::string_view w, std::size_t i) const noexcept;
    /// The longest that stands at `i`; `partial` if it may yet become longer and `whole` does not say that `w` ends there.
    [[nodiscard]] marker_match match(std::string_view w, std::size_t i, bool whole) const noexcept;

private:
    std::vector<marker> markers_;
    std::array<bool, 256> starts_{};
    std::array<bool, 256> alone_{};           // a marker is this byte only
    std::array<std::uint64_t, 1024> pairs_{}; // bits: the first two bytes of longer ones
};

} // namespace jsonheal::dialect::detail
