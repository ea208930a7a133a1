#include "legend.hpp"

#include "explain_summary.hpp"

#include <algorithm>

namespace jsonheal::cli {

namespace {

/// Of one rule so many changes are listed one by one; the rest counts together.
constexpr std::size_t most_sorts = 6;

/// What stood there: `"`, `a line end`, `3 lines, 163 bytes`.
snippet show_before(std::string_view before, std::size_t most) {
    constexpr std::size_t long_text = 200;
    if (before.empty()) { return {}; }
    std::string_view bare = before; // line ends around it go without saying
    while (bare.ends_with('\n') || bare.ends_with('\r')) { bare.remove_suffix(1); }
    while (bare.starts_with('\n') || bare.starts_with('\r')) { bare.remove_prefix(1); }
    if (before.size() <= long_text && !bare.empty() && bare.find('\n') == std::string_view::npos) {
        return show_snippet(bare, most);
    }
    const auto lines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    std::string said = grouped(before.size()) + " bytes";
    if (lines > 1) { said = grouped(lines) + " lines, " + said; }
    if (before == "\n") { said = "a line end"; }
    const std::size_t width = said.size();
    return {std::move(said), width};
}

} // namespace

void legend::add(const change& c) {
    const std::string_view before = text_.substr(c.begin, c.end - c.begin);
    const bool one_side = before.empty() || c.text.empty();
    const std::size_t most = one_side ? 2 * most_ : most_;
    legend_entry entry{&c, show_before(before, most), show_snippet(c.text, most)};
    std::string key = entry.before.text + '\n' + entry.after.text;
    if (known_.find({c.rule, key}) == known_.end() && ++sorts_[c.rule] > most_sorts) {
        key.clear();
        entry.before = entry.after = {"…", 1};
    }
    const auto [found, fresh] = known_.try_emplace({c.rule, std::move(key)}, entries_.size());
    if (fresh) {
        entries_.push_back(std::move(entry));
    } else {
        ++entries_[found->second].count;
    }
}

} // namespace jsonheal::cli
