/// @file legend.hpp
/// The changes of a place in words: what stood there, what stands there now. Alike ones are one entry.
#pragma once

#include "glyphs.hpp"
#include "report.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jsonheal::cli {

struct legend_entry {
    const change* what;
    snippet before; ///< empty for an insertion; the size where it is long
    snippet after;  ///< empty for a deletion
    std::size_t count = 1;
};

class legend {
public:
    /// `most`: columns of each side.
    legend(std::string_view text, std::size_t most) : text_(text), most_(most) {}
    /// `c` must stay where it is. O(columns + log(entries)).
    void add(const change& c);
    [[nodiscard]] const std::vector<legend_entry>& entries() const noexcept { return entries_; }

private:
    std::string_view text_;
    std::size_t most_;
    std::vector<legend_entry> entries_;
    std::map<std::pair<rule, std::string>, std::size_t> known_; ///< to the index of the entry
    std::map<rule, std::size_t> sorts_;                         ///< different changes seen of each rule
};

} // namespace jsonheal::cli
