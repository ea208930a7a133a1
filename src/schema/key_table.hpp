/// @file key_table.hpp
/// Strings to small numbers, for keys and string values of schemas: built once, then only asked.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::schema::detail {

/// The first up to eight bytes of a string as one word.
[[nodiscard]] inline std::uint64_t head_of(std::string_view text) noexcept {
    const char* const p = text.data();
    const std::size_t size = text.size();
    std::uint64_t word = 0;
    if (size >= 8) {
        std::memcpy(&word, p, 8);
    } else if (size >= 4) {
        std::uint32_t low = 0;
        std::uint32_t high = 0;
        std::memcpy(&low, p, 4);
        std::memcpy(&high, p + size - 4, 4);
        word = low | std::uint64_t{high} << (size - 4) * 8;
    } else if (size != 0) {
        const auto at = [p](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(p[i])}; };
        word = at(0) | at(size / 2) << size / 2 * 8 | at(size - 1) << (size - 1) * 8;
    }
    return word;
}

/// The same, for a string inside a text that goes on to `limit`: where eight bytes can be read at once, no branch depends
/// on the length.
[[nodiscard]] inline std::uint64_t head_within(std::string_view text, const char* limit) noexcept {
    if constexpr (std::endian::native == std::endian::little) {
        if (limit - text.data() >= 8) [[likely]] {
            std::uint64_t word = 0;
            std::memcpy(&word, text.data(), 8);
            const std::size_t shift = text.size() >= 8 ? 0 : (8 - text.size()) * 8;
            return text.empty() ? 0 : word << shift >> shift;
        }
    }
    return head_of(text);
}

/// What tells most strings apart at one sight, and those of up to 16 bytes altogether.
struct key_ends {
    std::uint64_t head = 0;
    std::uint64_t tail = 0; ///< the last eight bytes; 0 for strings of up to eight
    std::size_t size = 0;
    friend bool operator==(const key_ends&, const key_ends&) = default;
};

[[nodiscard]] inline key_ends ends_of(std::string_view text, std::uint64_t head) noexcept {
    key_ends e{head, 0, text.size()};
    if (text.size() > 8) { std::memcpy(&e.tail, text.data() + text.size() - 8, 8); }
    return e;
}
[[nodiscard]] inline key_ends ends_of(std::string_view text) noexcept { return ends_of(text, head_of(text)); }

/// Whether two strings of the same ends are equal.
[[nodiscard]] inline bool same_between_ends(std::string_view a, std::string_view b) noexcept {
    const std::size_t size = a.size();
    if (size <= 16) { return true; }
    if (size > 32) { return std::memcmp(a.data() + 8, b.data() + 8, size - 16) == 0; }
    std::uint64_t words[4];
    std::memcpy(&words[0], a.data() + 8, 8);
    std::memcpy(&words[1], b.data() + 8, 8);
    std::memcpy(&words[2], a.data() + size - 16, 8);
    std::memcpy(&words[3], b.data() + size - 16, 8);
    return words[0] == words[1] && words[2] == words[3];
}

/// A hash table that looks at no more than the ends of a string before it compares: keys of one schema differ there.
/// Keys from strangers may agree in length and ends; once chains grow long the whole key is hashed.
class key_table {
public:
    static constexpr std::uint32_t not_found = 0xFFFF'FFFFu;

    /// Adds a key that is not there yet. O(key), amortised.
    void add(std::string_view key, std::uint32_t payload) {
        perfect_ = false;
        entries_.push_back({ends_of(key), std::string(key), payload});
        if (entries_.size() * 4 > slots_.size()) {
            fill(slots_.empty() ? 8 : slots_.size() * 2);
        } else if (insert(static_cast<std::uint32_t>(entries_.size() - 1)) > longest_chain && !whole_) {
            whole_ = true;
            fill(slots_.size());
        }
    }

    /// Adds a key, or gives one that is there another payload.
    void set(std::string_view key, std::uint32_t payload) {
        const std::uint32_t n = entry_of(key, ends_of(key));
        if (n == not_found) {
            add(key, payload);
        } else {
            entries_[n].payload = payload;
        }
    }

    /// The key's payload, or `not_found`. O(key).
    [[nodiscard]] std::uint32_t find(std::string_view key) const noexcept { return find(key, ends_of(key)); }
    /// The same where the key's ends are known.
    [[nodiscard]] std::uint32_t find(std::string_view key, const key_ends& ends) const noexcept {
        const std::uint32_t n = entry_of(key, ends);
        return n == not_found ? not_found : entries_[n].payload;
    }

    /// Looks for a hash function, and a size, under which every key is found at first sight. Call when all keys are there.
    void settle() {
        constexpr std::size_t most_keys = 256;
        constexpr unsigned tries = 8;
        constexpr unsigned sizes = 3;
        if (entries_.empty() || entries_.size() > most_keys || whole_) { return; }
        const std::size_t smallest = slots_.size();
        for (unsigned i = 0; i != tries * sizes && !perfect_; ++i) {
            if (i != 0) { factor_ = (factor_ * 0xD134'2543'DE82'EF95ull + 2) | 1; }
            perfect_ = fill(smallest << i / tries) == entries_.size();
        }
        if (!perfect_) { fill(smallest); }
    }
    /// Whether `sight` may be asked.
    [[nodiscard]] bool perfect() const noexcept { return perfect_; }
    /// The number of the only key, in the order of adding, that may have these ends; `not_found` if none may.
    /// @pre perfect()
    [[nodiscard]] std::uint32_t sight(const key_ends& ends) const noexcept {
        return slots_[hash({}, ends) & mask_] - 1;
    }
    [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

private:
    struct entry {
        key_ends ends;
        std::string key;
        std::uint32_t payload;
    };
    static constexpr std::size_t few = 4;

    [[nodiscard]] std::uint32_t entry_of(std::string_view key, const key_ends& ends) const noexcept {
        const auto is = [&](const entry& e) { return e.ends == ends && same_between_ends(e.key, key); };
        if (entries_.size() <= few) {
            for (std::uint32_t n = 0; n != entries_.size(); ++n) {
                if (is(entries_[n])) { return n; }
            }
            return not_found;
        }
        std::size_t i = hash(key, ends) & mask_;
        for (; slots_[i] != 0; i = (i + 1) & mask_) {
            if (is(entries_[slots_[i] - 1])) { return slots_[i] - 1; }
        }
        return not_found;
    }

    [[nodiscard]] std::size_t hash(std::string_view key, const key_ends& ends) const noexcept {
        std::uint64_t h = ends.head + ends.size * 0x9E37'79B9'7F4A'7C15ull;
        h ^= ends.tail << 29 | ends.tail >> 35;
        if (whole_) [[unlikely]] { h ^= std::hash<std::string_view>{}(key); }
        h *= factor_;
        return static_cast<std::size_t>(h >> 40 ^ h >> 20);
    }

    /// Returns how many slots were looked at.
    std::size_t insert(std::uint32_t n) {
        std::size_t i = hash(entries_[n].key, entries_[n].ends) & mask_;
        std::size_t steps = 1;
        for (; slots_[i] != 0; i = (i + 1) & mask_) { ++steps; }
        slots_[i] = n + 1;
        return steps;
    }
    /// Returns how many slots were looked at.
    std::size_t fill(std::size_t size) {
        mask_ = size - 1;
        slots_.assign(size, 0);
        std::size_t steps = 0;
        for (std::uint32_t n = 0; n != entries_.size(); ++n) { steps += insert(n); }
        return steps;
    }

    static constexpr std::size_t longest_chain = 16;
    std::vector<entry> entries_;
    std::vector<std::uint32_t> slots_;
    std::size_t mask_ = 0;
    std::uint64_t factor_ = 0xBF58'476D'1CE4'E5B9ull;
    bool whole_ = false;
    bool perfect_ = false;
};

} // namespace jsonheal::schema::detail
