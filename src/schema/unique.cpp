/// @file unique.cpp
/// uniqueItems.

#include "unique.hpp"

#include <algorithm>

namespace jsonheal::schema::detail {

namespace {

bool is_container(value_view v) noexcept {
    return v.kind() == value_kind::array || v.kind() == value_kind::object;
}

constexpr std::uint64_t mix(std::uint64_t x) noexcept {
    x = (x ^ x >> 31) * 0x9FB2'1C65'1E98'DF25ull;
    return x ^ x >> 28;
}

} // namespace

std::uint64_t hash_cache::hash(value_view root, value_view v) {
    if (!is_container(v)) { return hash_value(v); }
    if (!hashes_.empty()) { return hashes_[v.index() - root.index()]; }
    // From the end backwards, parts come before what they are part of.
    hashes_.resize(root.end_index() - root.index());
    for (std::uint32_t i = root.end_index(); i-- != root.index();) {
        const value_view here = root.with_index(i);
        std::uint64_t h = static_cast<std::uint64_t>(here.kind());
        if (here.is(value_kind::array)) {
            for (const value_view element : here.elements()) {
                h = mix(h + hashes_[element.index() - root.index()]);
            }
        } else if (here.is(value_kind::object)) {
            for (const member m : here.members()) { // a sum: their order does not matter
                h +=
                    mix(mix(hashes_[m.key.index() - root.index()]) + hashes_[m.value.index() - root.index()]);
            }
        } else {
            h = hash_value(here);
        }
        hashes_[i - root.index()] = mix(h);
    }
    return hashes_[v.index() - root.index()];
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> find_duplicate(value_view root, value_view array,
                                                                      hash_cache& hashes) {
    struct item {
        std::uint64_t hash;
        std::uint32_t place;
        std::uint32_t index;
    };
    const std::size_t size = array.size();
    if (size < 2) { return std::nullopt; }
    std::vector<item> items;
    items.reserve(size);
    for (const value_view v : array.elements()) {
        items.push_back({hashes.hash(root, v), static_cast<std::uint32_t>(items.size()), v.index()});
    }
    std::sort(items.begin(), items.end(), [](const item& a, const item& b) {
        return a.hash != b.hash ? a.hash < b.hash : a.place < b.place;
    });
    for (std::size_t i = 0; i != items.size(); ++i) {
        for (std::size_t j = i + 1; j != items.size() && items[j].hash == items[i].hash; ++j) {
            if (same_value(root.with_index(items[i].index), root.with_index(items[j].index))) {
                return std::pair(items[i].place, items[j].place);
            }
        }
    }
    return std::nullopt;
}

} // namespace jsonheal::schema::detail
