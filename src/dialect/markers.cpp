#include "markers.hpp"

#include <jsonheal/scan.hpp>

#include <algorithm>
#include <cstring>

namespace jsonheal::dialect::detail {

namespace {

constexpr std::string_view prose_stops = "{[(`<\n"; // of `scan::find_prose_stop`
constexpr std::size_t most_others = 6;              // bytes that are searched for one by one
constexpr std::size_t short_text = 64;              // vectors do not pay below it

std::size_t pair_of(char first, char second) noexcept {
    return std::size_t{static_cast<unsigned char>(first)} << 8 | static_cast<unsigned char>(second);
}

} // namespace

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
    build();
    note_starts();
}

/// The trie, level by level, so that the children of a node stand in a row.
void marker_set::build() {
    struct range {
        std::uint32_t node, low, high;
    };
    nodes_.assign(1, {});
    std::vector<range> level{{0, 0, static_cast<std::uint32_t>(markers_.size())}}, deeper;
    for (std::size_t depth = 0; !level.empty(); ++depth) {
        deeper.clear();
        for (range r : level) {
            if (r.low != r.high && markers_[r.low].text.size() == depth) { // it ends here, so it stands first
                nodes_[r.node].marker = static_cast<std::int32_t>(r.low++);
            }
            nodes_[r.node].first = static_cast<std::uint32_t>(nodes_.size());
            while (r.low != r.high) {
                const char c = markers_[r.low].text[depth];
                std::uint32_t end = r.low;
                while (end != r.high && markers_[end].text[depth] == c) { ++end; }
                node n;
                n.byte = c;
                ++nodes_[r.node].children;
                deeper.push_back({static_cast<std::uint32_t>(nodes_.size()), r.low, end});
                nodes_.push_back(n);
                r.low = end;
            }
        }
        level.swap(deeper);
    }
}

void marker_set::note_starts() {
    if (base_ != nullptr) {
        starts_ = base_->starts_;
        alone_ = base_->alone_;
        pairs_ = base_->pairs_;
        others_ = base_->others_;
        by_vectors_ = base_->by_vectors_;
    }
    for (const marker& m : markers_) {
        const char first = m.text[0];
        starts_[static_cast<unsigned char>(first)] = true;
        if (m.text.size() == 1) {
            alone_[static_cast<unsigned char>(first)] = true;
        } else {
            const std::size_t pair = pair_of(first, m.text[1]);
            pairs_[pair / 64] |= std::uint64_t{1} << pair % 64;
        }
        if (m.what == role::call_name) {
            const std::string_view name = std::string_view(m.text).substr(0, m.text.size() - 1);
            by_vectors_ = by_vectors_ && name.find_first_of(prose_stops) == std::string_view::npos;
            names_.push_back(name);
            longest_name_ = std::max(longest_name_, name.size());
        } else if (prose_stops.find(first) == std::string_view::npos &&
                   others_.find(first) == std::string::npos) {
            others_.push_back(first);
        }
    }
    by_vectors_ = by_vectors_ && others_.size() <= most_others;
}

bool marker_set::may_begin(std::string_view w, std::size_t i) const noexcept {
    const auto first = static_cast<unsigned char>(w[i]);
    if (!starts_[first]) { return false; }
    if (alone_[first] || i + 1 == w.size()) { return true; }
    const std::size_t pair = pair_of(w[i], w[i + 1]);
    return (pairs_[pair / 64] >> pair % 64 & 1) != 0;
}

std::size_t marker_set::next_by_pairs(std::string_view w, std::size_t i, std::size_t end) const noexcept {
    while (i < end && !may_begin(w, i)) { ++i; }
    return i;
}

/// Where the longest name begins, not before `from`, that the bracket of a call stands behind; npos if there is none.
std::size_t marker_set::name_before(std::string_view w, std::size_t from,
                                    std::size_t bracket) const noexcept {
    std::size_t longest = 0;
    const std::string_view before = w.substr(from, bracket - from);
    for (const std::string_view name : names_) {
        if (name.size() > longest && before.ends_with(name)) { longest = name.size(); }
    }
    return longest == 0 ? std::string_view::npos : bracket - longest;
}

std::size_t marker_set::next(std::string_view w, std::size_t i) const noexcept {
    // names are found by their bracket, but one that the end cuts off has none
    const std::size_t tail = w.size() - std::min(w.size(), longest_name_);
    if (!by_vectors_ || tail < i + short_text) { return next_by_pairs(w, i, w.size()); }
    const char* const text = w.data();
    while (i < tail) {
        const char* const found = scan::find_prose_stop(text + i, text + tail);
        std::size_t stop = static_cast<std::size_t>(found - text);
        bool begins = stop < tail && may_begin(w, stop);
        if (stop < tail && *found == '(' && !names_.empty()) {
            const std::size_t name = name_before(w, i, stop);
            if (name != std::string_view::npos) {
                begins = true;
                stop = name;
            }
        }
        for (const char c : others_) {
            for (std::size_t from = i; from < stop;) {
                const void* const hit = std::memchr(text + from, c, stop - from);
                if (hit == nullptr) { break; }
                from = static_cast<std::size_t>(static_cast<const char*>(hit) - text);
                if (may_begin(w, from)) {
                    begins = true;
                    stop = from;
                }
                ++from;
            }
        }
        if (begins) { return stop; }
        i = stop + 1;
    }
    return next_by_pairs(w, tail, w.size());
}

marker_match marker_set::match(std::string_view w, std::size_t i, bool whole) const noexcept {
    using outcome = marker_match::outcome;
    marker_match best;
    if (base_ != nullptr) { best = base_->match(w, i, whole); }
    std::size_t longest = best.found != nullptr ? best.found->text.size() : 0;
    const node* n = nodes_.data();
    for (std::size_t at = i;; ++at) {
        if (n->marker >= 0) {
            const marker& m = markers_[static_cast<std::size_t>(n->marker)];
            if (m.text.size() > longest) {
                longest = m.text.size();
                best = {best.what == outcome::partial ? outcome::partial : outcome::found, &m};
            }
        }
        if (n->children == 0) { return best; }
        if (at == w.size()) { return whole ? best : marker_match{outcome::partial, best.found}; }
        const node* child = nodes_.data() + n->first;
        const node* const end = child + n->children;
        while (child != end && child->byte != w[at]) { ++child; }
        if (child == end) { return best; }
        n = child;
    }
}

} // namespace jsonheal::dialect::detail
