/// @file unique.hpp
/// Finding equal elements.
#pragma once

#include <jsonheal/document.hpp>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace jsonheal::schema::detail {

/// Hashes of all values of an instance, worked out once and only if arrays of containers have to be unique.
class hash_cache {
public:
    /// A hash that agrees with `same_value`. O(1), but for scalars, and the first container: O(instance).
    [[nodiscard]] std::uint64_t hash(value_view root, value_view v);

private:
    std::vector<std::uint64_t> hashes_;
};

/// Whether all elements differ. Few are compared pair by pair, many meet in a table; the time is expected O(array), and
/// where strangers have made hashes collide that of `find_duplicate`.
[[nodiscard]] bool all_distinct(value_view root, value_view array, hash_cache& hashes);

/// Places of the first two elements found equal. Expected O(elements); comparisons that say "different" are rare.
[[nodiscard]] std::optional<std::pair<std::uint32_t, std::uint32_t>>
find_duplicate(value_view root, value_view array, hash_cache& hashes);

} // namespace jsonheal::schema::detail
