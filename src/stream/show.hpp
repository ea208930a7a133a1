// The show rules of a stream, ready to be asked about a place.
#pragma once

#include <jsonheal/stream.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace jsonheal::stream_detail {

class show_table {
public:
    /// Throws std::invalid_argument for a place that is no pointer, and beyond 64 `not_null` rules.
    explicit show_table(const std::vector<show_rule>& rules);

    [[nodiscard]] bool empty() const noexcept { return rows_.empty(); }
    struct answer {
        bool when_done = false, with_state = false;
        std::uint64_t wanted = 0; ///< bits of the `not_null` rules for members of this place
        std::uint64_t meets = 0;  ///< bits of those for this place itself
    };
    /// O(rules × depth).
    [[nodiscard]] answer ask(const stream_place& place) const;

private:
    struct row {
        std::vector<std::string> steps; ///< WTF-8; `*` stands for all
        show_rule rule;
        std::uint64_t bit = 0;
    };
    std::vector<row> rows_;
};

} // namespace jsonheal::stream_detail
