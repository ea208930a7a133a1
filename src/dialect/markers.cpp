#include "markers.hpp"

#include <algorithm>

namespace jsonheal::dialect::detail {

void marker_set::add(std::string_view text, role what, style_id style) {
    if (!text.empty()) { markers_.push_back({std::string(text), what, style}); }
}

void marker_set::add_lines(std::string_view list, role what, style_id style) {
    any_of_lines(list, [&](std::string_view text) {
        add(text, what, style);
        return false;
    });
}

void marker_set::sort() {
    // of one text the role that was added first stays
    std::stable_sort(markers_.begin(), markers_.end(),
                     [](const marker& a, const marker& b) { return a.text < b.text; });
    markers_.erase(std::unique(markers_.begin(), markers_.end(),
                               [](const marker& a, const marker& b) { return a.text == b.text; }),
                   markers_.end());
    for (const marker& m : markers_) {
        const auto first = static_cast<unsigned char>(m.text[0]);
        starts_[first] = true;
        if (m.text.size() == 1) {
            alone_[first] = true;
        } else {
            const std::size_t pair = std::size_t{first} << 8 | static_cast<unsigned char>(m.text[1]);
            pairs_[pair / 64] |= std::uint64_t{1} << pair % 64;
        }
    }
}

std::size_t marker_set::next(std::string_view w, std::size_t i) const noexcept {
    for (; i < w.size(); ++i) {
        const auto first = static_cast<unsigned char>(w[i]);
        if (!starts_[first]) { continue; }
        if (alone_[first] || i + 1 == w.size()) { return i; }
        const std::size_t pair = std::size_t{first} << 8 | static_cast<unsigned char>(w[i + 1]);
        if ((pairs_[pair / 64] >> pair % 64 & 1) != 0) { return i; }
    }
    return i;
}

marker_match marker_set::match(std::string_view w, std::size_t i, bool whole) const noexcept {
    using outcome = marker_match::outcome;
    auto low = markers_.begin(), high = markers_.end();
    marker_match best;
    for (std::size_t depth = 0; low != high; ++depth) {
        // those that end here stand first
        if (low->text.size() == depth) {
            if (depth != 0) { best = {outcome::found, &*low}; }
            if (++low == high) { break; }
        }
        if (i + depth == w.size()) { return whole ? best : marker_match{outcome::partial, best.found}; }
        const auto c = static_cast<unsigned char>(w[i + depth]);
        low = std::partition_point(
            low, high, [&](const marker& m) { return static_cast<unsigned char>(m.text[depth]) < c; });
        high = std::partition_point(
            low, high, [&](const marker& m) { return static_cast<unsigned char>(m.text[depth]) == c; });
    }
    return best;
}

} // namespace jsonheal::dialect::detail
