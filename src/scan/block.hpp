/// @file block.hpp
/// 64 bytes in the vectors of a kernel, and questions about all of them at once: bit i of a mask speaks of byte i.
///
/// Included inside the target region of a kernel. `Vector` is the kernel's own type:
///
///     static constexpr std::size_t size;             16, 32 or 64 bytes
///     Vector load(const char*), all(byte), table(const nibble_table&): the 16 bytes over and over
///     a | b, a & b, a - b (modulo 256), minus_to_zero(a, b) (saturating)
///     a.high_nibbles(); t.look_up(a): for each byte of `a`, which is below 16, that byte of the table t
///     a.behind<N>(before): the bytes N places earlier, the first N of them from the end of `before`
///     a mask each: a.equal(b), a.at_most(b) (unsigned), a.common(b) (a bit in common), a.top_bits()
///     Vector::prefix_xor(mask): bit i is the parity of bits 0 to i
#pragma once

#include "target.hpp"

namespace jsonheal::scan_detail {

using mask = std::uint64_t;
using nibble_table = std::array<unsigned char, 16>;

inline constexpr std::size_t block_size = 64;

/// A set of bytes by two tables, of their low and of their high nibble: those whose entries have a bit in common.
struct nibble_class {
    nibble_table low{}, high{};
};

/// High nibbles with the same low ones beside them share a bit. Does not compile for sets that need more than eight.
consteval nibble_class class_of(auto contains) {
    nibble_class out;
    std::array<unsigned, 16> rows{};
    unsigned bit = 1;
    for (unsigned high = 0; high != 16; ++high) {
        for (unsigned low = 0; low != 16; ++low) { rows[high] |= unsigned{contains(high << 4 | low)} << low; }
        if (rows[high] == 0) { continue; }
        const auto same =
            static_cast<unsigned>(std::find(rows.begin(), rows.end(), rows[high]) - rows.begin());
        if (same == high) {
            if (bit > 128) { throw "too many rows"; }
            for (unsigned low = 0; low != 16; ++low) {
                if ((rows[high] >> low & 1) != 0) {
                    out.low[low] = static_cast<unsigned char>(out.low[low] | bit);
                }
            }
            out.high[high] = static_cast<unsigned char>(bit);
            bit <<= 1;
        } else {
            out.high[high] = out.high[same];
        }
    }
    return out;
}
consteval nibble_class class_of(const char* bytes) {
    return class_of(
        [set = std::string_view(bytes)](unsigned c) { return set.find(static_cast<char>(c)) != set.npos; });
}

template <class Vector>
struct nibble_vectors {
    Vector low, high;

    JSONHEAL_INLINE explicit nibble_vectors(const nibble_class& c) noexcept
        : low(Vector::table(c.low)), high(Vector::table(c.high)) {}
    [[nodiscard]] JSONHEAL_INLINE mask of(Vector bytes) const noexcept {
        return low.look_up(bytes & Vector::all(0x0F)).common(high.look_up(bytes.high_nibbles()));
    }
};

template <class Vector>
struct block {
    static constexpr std::size_t parts = block_size / Vector::size;

    Vector part[parts];

    JSONHEAL_INLINE explicit block(const char* p) noexcept {
        for (std::size_t i = 0; i != parts; ++i) { part[i] = Vector::load(p + i * Vector::size); }
    }

    [[nodiscard]] JSONHEAL_INLINE mask equal_to(char c) const noexcept {
        const Vector all = Vector::all(static_cast<unsigned char>(c));
        mask out = 0;
        for (std::size_t i = 0; i != parts; ++i) { out |= part[i].equal(all) << (i * Vector::size); }
        return out;
    }
    [[nodiscard]] JSONHEAL_INLINE mask at_most(unsigned char c) const noexcept {
        const Vector all = Vector::all(c);
        mask out = 0;
        for (std::size_t i = 0; i != parts; ++i) { out |= part[i].at_most(all) << (i * Vector::size); }
        return out;
    }
    [[nodiscard]] JSONHEAL_INLINE mask in(const nibble_class& c) const noexcept {
        const nibble_vectors<Vector> tables(c);
        mask out = 0;
        for (std::size_t i = 0; i != parts; ++i) { out |= tables.of(part[i]) << (i * Vector::size); }
        return out;
    }
    [[nodiscard]] JSONHEAL_INLINE mask non_ascii() const noexcept {
        mask out = 0;
        for (std::size_t i = 0; i != parts; ++i) { out |= part[i].top_bits() << (i * Vector::size); }
        return out;
    }
    /// The same bytes with `bits` set in each.
    [[nodiscard]] JSONHEAL_INLINE block with(unsigned char bits) const noexcept {
        block out = *this;
        for (Vector& v : out.part) { v = v | Vector::all(bits); }
        return out;
    }
    /// The same bytes less `c`, modulo 256.
    [[nodiscard]] JSONHEAL_INLINE block less(unsigned char c) const noexcept {
        block out = *this;
        for (Vector& v : out.part) { v = v - Vector::all(c); }
        return out;
    }
};

} // namespace jsonheal::scan_detail
