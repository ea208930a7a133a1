/// @file words.hpp
/// Eight bytes in one register: how the scalar kernel looks at several bytes at once.
///
/// A search makes a word of marks: the top bit of every byte that it looks for. Subtraction and addition carry from
/// a byte only where that byte is marked, so a carry can add false marks above the first true one, never below it:
/// the first mark is right, the others may not be.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

/// For the parts of a loop over every byte: the compilers leave some of them as calls, which costs a third.
#define JSONHEAL_INLINE [[gnu::always_inline]] inline

namespace jsonheal::scan_detail {

using word = std::uint64_t;

inline constexpr std::size_t word_size = sizeof(word);
inline constexpr word ones = 0x0101'0101'0101'0101;
inline constexpr word tops = ones * 0x80;

/// The byte `c` eight times.
[[nodiscard]] constexpr word all(unsigned char c) noexcept { return ones * c; }

/// As `load`, byte by byte: for the end of a text, and for machines that keep the highest byte first.
[[nodiscard]] word load_slowly(const char* p, const char* end) noexcept;

/// Up to eight bytes at `p`, the first in the lowest place; zeros stand for those at and beyond `end`.
[[nodiscard]] inline word load(const char* p, const char* end) noexcept {
    if constexpr (std::endian::native == std::endian::little) {
        if (end - p >= static_cast<std::ptrdiff_t>(word_size)) [[likely]] {
            word bytes = 0;
            std::memcpy(&bytes, p, word_size);
            return bytes;
        }
    }
    return load_slowly(p, end);
}

/// The four bytes at `p`, the first in the lowest place.
[[nodiscard]] inline std::uint32_t load_four(const char* p) noexcept {
    if constexpr (std::endian::native == std::endian::little) {
        std::uint32_t bytes = 0;
        std::memcpy(&bytes, p, sizeof bytes);
        return bytes;
    }
    return static_cast<std::uint32_t>(load_slowly(p, p + 4));
}

/// The place of the first mark, 0 to 7; 8 if there is none.
[[nodiscard]] constexpr std::size_t first_mark(word marks) noexcept {
    return static_cast<unsigned>(std::countr_zero(marks)) / 8u; // unsigned: no sign to extend
}

/// Marks the bytes that end a run of a JSON string: `"`, backslash, below 0x20, at or above 0x80.
/// Of bytes below 0x80 only `"` and those below 0x20 give less than 0x21 when bit 1 is flipped. Bytes at or above 0x80
/// keep their top bit in the second difference, but for 0xDC, which keeps it in the first.
[[nodiscard]] constexpr word string_ends(word bytes) noexcept {
    const word low = (bytes ^ all(0x02)) - all(0x21);
    const word backslash = (bytes ^ all('\\')) - ones;
    return (low | backslash) & tops;
}

/// Marks the bytes of `find_string_stop`.
[[nodiscard]] constexpr word string_stops(word bytes) noexcept {
    const word single = (bytes ^ all('\'')) - ones;
    const word backtick = (bytes ^ all('`')) - ones;
    const word less = (bytes ^ all('<')) - ones;
    return string_ends(bytes) | ((single | backtick | less) & tops);
}

/// Marks the bytes of `find_prose_stop`. Bit 5 is all that parts `{` from `[`.
[[nodiscard]] constexpr word prose_stops(word bytes) noexcept {
    const word opener = ((bytes | all(0x20)) ^ all('{')) - ones;
    const word parenthesis = (bytes ^ all('(')) - ones;
    const word backtick = (bytes ^ all('`')) - ones;
    const word less = (bytes ^ all('<')) - ones;
    const word line_feed = (bytes ^ all('\n')) - ones;
    return (opener | parenthesis | backtick | less | line_feed) & ~bytes & tops;
}

/// Marks the bytes that are no space: not by their top bits, but by some bit, which does for the first one.
[[nodiscard]] constexpr word non_spaces(word bytes) noexcept { return bytes ^ all(' '); }

/// Marks the bytes that are no digit.
[[nodiscard]] constexpr word non_digits(word bytes) noexcept {
    const word value = bytes ^ all('0');
    return ((value + all(0x76)) | value) & tops;
}

} // namespace jsonheal::scan_detail
