// The markers that a text is searched for: a trie, and what finds the places where one may begin.
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

/// Of the markers that begin at one place the longest counts.
class marker_set {
public:
    marker_set() = default;
    /// Also all of `base`, which must outlive the set; of one text that of `base` counts.
    void extend(const marker_set& base) noexcept { base_ = &base; }

    void add(std::string_view text, role what, style_id style = style_id::none);
    void add_lines(std::string_view list, role what, style_id style = style_id::none);
    /// @pre nothing is added later. O(bytes added · log markers)
    void sort();
    /// The first place from `i` on where one may begin; the end if there is none. What it passes over begins none, and no
    /// beginning of one that the end of `w` cuts off.
    [[nodiscard]] std::size_t next(std::string_view w, std::size_t i) const noexcept;
    /// The longest that stands at `i`; `partial` if it may yet become longer and `whole` does not say that `w` ends there.
    [[nodiscard]] marker_match match(std::string_view w, std::size_t i, bool whole) const noexcept;

private:
    struct node {
        std::uint32_t first = 0;  ///< its children stand in a row
        std::int32_t marker = -1; ///< that ends here
        std::uint16_t children = 0;
        char byte = 0;
    };

    void build();
    void note_starts();
    [[nodiscard]] std::size_t next_by_pairs(std::string_view w, std::size_t i,
                                            std::size_t end) const noexcept;
    [[nodiscard]] bool may_begin(std::string_view w, std::size_t i) const noexcept;
    [[nodiscard]] std::size_t name_before(std::string_view w, std::size_t from,
                                          std::size_t bracket) const noexcept;

    const marker_set* base_ = nullptr;
    std::vector<marker> markers_;
    std::vector<node> nodes_;
    std::array<bool, 256> starts_{};
    std::array<bool, 256> alone_{};           // a marker is this byte only
    std::array<std::uint64_t, 1024> pairs_{}; // bits: the first two bytes of longer ones

    // What the search by vectors does not look for: first bytes of markers that it must be told of.
    std::string others_;
    std::vector<std::string_view> names_; // of `f(`, without the bracket
    std::size_t longest_name_ = 0;
    bool by_vectors_ = true;
};

} // namespace jsonheal::dialect::detail
