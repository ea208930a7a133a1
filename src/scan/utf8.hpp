/// @file utf8.hpp
/// UTF-8 a block at a time, by the method of J. Keiser and D. Lemire, "Validating UTF-8 in less than one instruction per
/// byte" (2021). Included inside the target region of a kernel.
#pragma once

#include "block.hpp"

namespace jsonheal::scan_detail {

/// What two bytes that stand side by side can be, each a fault that three nibbles prove together: both of the first
/// byte and the high one of the second. `two_tails` is a fault unless a lead of three or four bytes stands before.
namespace pair {
inline constexpr unsigned char too_short = 1;   ///< 11______ 0_______, 11______ 11______
inline constexpr unsigned char too_long = 2;    ///< 0_______ 10______
inline constexpr unsigned char overlong_3 = 4;  ///< 11100000 100_____
inline constexpr unsigned char too_large = 8;   ///< 11110100 1001____ and above
inline constexpr unsigned char surrogate = 16;  ///< 11101101 101_____
inline constexpr unsigned char overlong_2 = 32; ///< 1100000_ 10______
inline constexpr unsigned char large_lead = 64; ///< 11110101 1000____ and above; overlong 11110000 1000____
inline constexpr unsigned char two_tails = 128; ///< 10______ 10______
inline constexpr unsigned char any_low = too_short | too_long | two_tails; ///< said by high nibbles alone

inline constexpr nibble_table first_high = {
    too_long,
    too_long,
    too_long,
    too_long,
    too_long,
    too_long,
    too_long,
    too_long,
    two_tails,
    two_tails,
    two_tails,
    two_tails,
    too_short | overlong_2,
    too_short,
    too_short | overlong_3 | surrogate,
    too_short | too_large | large_lead,
};
inline constexpr nibble_table first_low = {
    any_low | overlong_2 | overlong_3 | large_lead,
    any_low | overlong_2,
    any_low,
    any_low,
    any_low | too_large,
    any_low | too_large | large_lead,
    any_low | too_large | large_lead,
    any_low | too_large | large_lead,
    any_low | too_large | large_lead,
    any_low | too_large | large_lead,
    any_low | too_large | large_lead,
    any_low | too_large | large_lead,
    any_low | too_large | large_lead,
    any_low | too_large | large_lead | surrogate,
    any_low | too_large | large_lead,
    any_low | too_large | large_lead,
};
inline constexpr nibble_table second_high = {
    too_short,
    too_short,
    too_short,
    too_short,
    too_short,
    too_short,
    too_short,
    too_short,
    too_long | overlong_2 | two_tails | overlong_3 | large_lead,
    too_long | overlong_2 | two_tails | overlong_3 | too_large,
    too_long | overlong_2 | two_tails | surrogate | too_large,
    too_long | overlong_2 | two_tails | surrogate | too_large,
    too_short,
    too_short,
    too_short,
    too_short,
};
} // namespace pair

/// Every block of a text goes through `check`, in order; the last one must end in a byte below 0x80.
template <class Vector>
class utf8_checker {
public:
    /// Not zero if the block, with what stands before it, is not UTF-8; a character may go on behind it.
    /// `non_ascii`: its bytes at or above 0x80. `at`: where it stands in the text, which begins at `begin`.
    [[nodiscard]] JSONHEAL_INLINE mask check(const block<Vector>& bytes, mask non_ascii, const char* begin,
                                             const char* at) noexcept {
        const mask seen = non_ascii | open_;
        open_ = non_ascii >> (block_size - 1);
        if (seen == 0) { return 0; }
        Vector before = at == begin ? Vector::all(0) : Vector::load(at - Vector::size);
        Vector faults = Vector::all(0);
        for (const Vector& now : bytes.part) {
            faults = faults | faults_of(now, before);
            before = now;
        }
        return faults.common(faults);
    }

private:
    [[nodiscard]] JSONHEAL_INLINE static Vector faults_of(Vector now, Vector before) noexcept {
        const Vector first = now.template behind<1>(before);
        const Vector faults = Vector::table(pair::first_high).look_up(first.high_nibbles()) &
                              Vector::table(pair::first_low).look_up(first & Vector::all(0x0F)) &
                              Vector::table(pair::second_high).look_up(now.high_nibbles());
        // Behind a lead of three or four bytes a second and a third tail must stand, and nowhere else.
        const Vector second_tail = minus_to_zero(now.template behind<2>(before), Vector::all(0xE0 - 0x80));
        const Vector third_tail = minus_to_zero(now.template behind<3>(before), Vector::all(0xF0 - 0x80));
        return ((second_tail | third_tail) & Vector::all(pair::two_tails)) ^ faults;
    }

    mask open_ = 0; ///< 1 if the last byte so far is at or above 0x80, so that its character may go on
};

} // namespace jsonheal::scan_detail
