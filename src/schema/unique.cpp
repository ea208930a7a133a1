/// @file unique.cpp
/// uniqueItems.

#include "unique.hpp"

#include "key_table.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>

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

namespace {

constexpr std::size_t few = 8;

/// Equal values have equally many parts, so most pairs are told apart by that.
bool same(value_view a, value_view b) {
    if (a.kind() != b.kind() || a.end_index() - a.index() != b.end_index() - b.index()) { return false; }
    if (a.is(value_kind::string) && !a.has_escape() && !b.has_escape()) { return a.source() == b.source(); }
    return same_value(a, b);
}

bool few_are_distinct(value_view array) {
    std::array<std::uint32_t, few> seen{};
    std::size_t count = 0;
    for (const value_view v : array.elements()) {
        for (std::size_t i = 0; i != count; ++i) {
            if (same(array.with_index(seen[i]), v)) { return false; }
        }
        seen[count++] = v.index();
    }
    return true;
}

std::uint64_t hash_text(std::string_view text) noexcept {
    std::uint64_t h = text.size();
    std::string_view rest = text;
    for (; rest.size() > 8; rest.remove_prefix(8)) { h = mix(h ^ head_of(rest)); }
    return mix(h ^ head_of(rest));
}

/// Agrees with `same_value`.
std::uint64_t hash_of(value_view root, value_view v, hash_cache& hashes, std::string& scratch) {
    switch (v.kind()) {
    case value_kind::string:
        return hash_text(v.has_escape() ? v.string(scratch) : v.source().substr(1, v.source().size() - 2));
    case value_kind::number:
        if (const auto whole = v.int64()) { return mix(static_cast<std::uint64_t>(*whole) + 0x51ED'270Bull); }
        break;
    default: break;
    }
    return hashes.hash(root, v);
}

struct slot {
    std::uint64_t hash = 0;
    std::uint32_t index = 0; ///< of the element; no element has the index of the root
};

enum class table_answer : std::uint8_t { distinct, equal, crowded };

table_answer fill_table(value_view root, value_view array, hash_cache& hashes, slot* slots,
                        std::size_t mask) {
    std::string scratch;
    std::size_t probes = 0;
    const std::size_t most_probes = 8 * (mask + 1);
    for (const value_view v : array.elements()) {
        const std::uint64_t h = hash_of(root, v, hashes, scratch);
        std::size_t i = static_cast<std::size_t>(h) & mask;
        for (; slots[i].index != 0; i = (i + 1) & mask) {
            if (slots[i].hash == h && same(v.with_index(slots[i].index), v)) { return table_answer::equal; }
            if (++probes > most_probes) { return table_answer::crowded; }
        }
        slots[i] = {h, v.index()};
    }
    return table_answer::distinct;
}

} // namespace

bool all_distinct(value_view root, value_view array, hash_cache& hashes) {
    const std::size_t size = array.size();
    if (size < 2) { return true; }
    if (size <= few) { return few_are_distinct(array); }
    constexpr std::size_t slots_on_stack = 128;
    table_answer answer{};
    if (size * 2 <= slots_on_stack) {
        std::array<slot, slots_on_stack> slots{};
        answer = fill_table(root, array, hashes, slots.data(), std::bit_ceil(size * 2) - 1);
    } else {
        std::vector<slot> slots(std::bit_ceil(size * 2));
        answer = fill_table(root, array, hashes, slots.data(), slots.size() - 1);
    }
    if (answer != table_answer::crowded) { return answer == table_answer::distinct; }
    return !find_duplicate(root, array, hashes);
}

} // namespace jsonheal::schema::detail
