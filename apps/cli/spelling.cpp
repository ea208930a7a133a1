#include "spelling.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace jsonheal::cli {

namespace {

constexpr std::size_t longest = 40;

/// Letters put in, left out, changed or swapped with their neighbour.
std::size_t distance(std::string_view a, std::string_view b) {
    std::array<std::array<std::size_t, longest + 1>, 3> rows{};
    for (std::size_t j = 0; j <= b.size(); ++j) { rows[0][j] = j; }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        auto& row = rows[i % 3];
        const auto& above = rows[(i - 1) % 3];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({change, above[j] + 1, row[j - 1] + 1});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) { row[j] = std::min(row[j], rows[(i - 2) % 3][j - 2] + 1); }
        }
    }
    return rows[a.size() % 3][b.size()];
}

} // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
    std::string_view best;
    // The beginning of one word alone is near enough, however much is missing.
    const auto begun = [&](std::string_view c) { return word.size() > 2 && c.starts_with(word); };
    if (std::count_if(candidates.begin(), candidates.end(), begun) == 1) {
        return *std::find_if(candidates.begin(), candidates.end(), begun);
    }
    std::size_t least = std::max<std::size_t>(word.size() / 3, 1) + 1;
    for (const std::string_view c : candidates) {
        if (word.size() > longest || c.size() > longest) { continue; }
        const std::size_t d = distance(word, c);
        if (d < least) {
            least = d;
            best = c;
        }
    }
    return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
    const std::string_view meant = nearest(word, candidates);
    return meant.empty() ? std::string() : "; did you mean " + std::string(meant) + "?";
}

} // namespace jsonheal::cli
