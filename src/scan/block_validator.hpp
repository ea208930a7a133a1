/// @file block_validator.hpp
/// The strict validator of the vector kernels: 64 bytes at a time as masks, nothing built, no branch a token.
///
/// Included inside the target region of a kernel. A block becomes one mask for each class of bytes. Tokens are then
/// judged all at once by what may follow what:
///
///     text      {"a": [1, 20], "b":"x"}
///     strings    111            111 111     with both quotes
///     scalars           1  11
///     ends         1    1   11    1   11    last bytes of values and keys
///
/// The token behind a set of ends is found by an addition that carries through the blanks behind each. Only brackets
/// are looked at one by one, since only they need a stack.
#pragma once

#include "block.hpp"
#include "utf8.hpp"

namespace jsonheal::scan_detail {

/// Where something ends by its last byte or by the byte behind it, kept from block to block.
struct one_place_on {
    mask carry = 0;

    [[nodiscard]] JSONHEAL_INLINE mask of(mask bits) noexcept {
        const mask out = bits << 1 | carry;
        carry = bits >> (block_size - 1);
        return out;
    }
};

/// For each bit of `from` the first place at or behind it that is not in `run`, kept from block to block.
struct through_run {
    mask carry = 0;

    /// @pre a bit of `from` inside a run is at the first place of that run
    [[nodiscard]] JSONHEAL_INLINE mask of(mask from, mask run) noexcept {
        mask sum = 0;
        carry = __builtin_add_overflow(from | carry, run, &sum) ? 1 : 0;
        return sum & ~run;
    }
    /// For each bit of `ends`, none of them a blank, the first place behind it that is no blank; for each bit of
    /// `behind` the first from there on.
    [[nodiscard]] JSONHEAL_INLINE mask next(mask ends, mask behind, mask blanks) noexcept {
        const mask out = of(ends << 1 | behind, blanks);
        carry |= ends >> (block_size - 1);
        return out;
    }
};

/// Which bytes are escaped: those behind an odd run of backslashes.
struct escape_finder {
    mask carry = 0; ///< 1 if the first byte of the next block is escaped

    /// The escaped bytes; of escaped backslashes only some.
    [[nodiscard]] JSONHEAL_INLINE mask of(mask backslashes) noexcept {
        constexpr mask even = 0x5555'5555'5555'5555;
        const mask first = carry;
        const mask run = backslashes & ~first;
        const mask starts = run & ~(run << 1);
        // A run is odd if it starts at an even place and the byte behind it has an odd one, or the other way round.
        const mask behind_even = (starts & even) + run;
        mask behind_odd = 0;
        carry = __builtin_add_overflow(starts & ~even, run, &behind_odd) ? 1 : 0;
        return (((behind_even & ~even) | (behind_odd & even)) & ~run) | first;
    }
};

inline constexpr nibble_class escape_letters = class_of("\"\\/bfnrtu"); ///< what may stand behind a backslash
inline constexpr nibble_class hex_digits = class_of("0123456789abcdefABCDEF");

/// The escapes of strings, RFC 8259 section 7.
template <class Vector>
class escape_checker {
public:
    /// The escaped bytes; adds to `bad` those that may not be.
    [[nodiscard]] JSONHEAL_INLINE mask check(const block<Vector>& bytes, mask backslashes, mask& bad) noexcept {
        if ((backslashes | escapes_.carry | hex_) == 0) [[likely]] { return 0; }
        const mask escaped = escapes_.of(backslashes);
        bad |= escaped & ~bytes.in(escape_letters);
        const mask u = escaped & bytes.equal_to('u');
        if ((u | hex_) != 0) {
            bad |= (hex_ | u << 1 | u << 2 | u << 3 | u << 4) & ~bytes.in(hex_digits);
            hex_ = u >> 63 | u >> 62 | u >> 61 | u >> 60;
        }
        return escaped;
    }

private:
    escape_finder escapes_;
    mask hex_ = 0; ///< the first bytes of the next block that must be hexadecimal digits
};

/// Numbers and literals, RFC 8259 sections 3 and 6.
template <class Vector>
class scalar_checker {
public:
    /// The first byte behind each run of `scalars`, which are the bytes outside strings that are no blanks and no
    /// structure, and where those `starts`. Adds to `bad` what is no number or literal. `at` is where the block stands in the text.
    [[nodiscard]] JSONHEAL_INLINE mask check(const block<Vector>& bytes, mask scalars, const char* at,
                                             const char* end, mask& starts, mask& bad) noexcept {
        if ((scalars | scalars_.carry) == 0) { return 0; }
        const mask behind = scalars_.of(scalars);
        const mask digits = bytes.less('0').at_most(9) & scalars;
        starts = scalars & ~behind;
        const mask minuses = bytes.equal_to('-') & scalars;
        const mask words = literals(starts & ~(digits | minuses), at, end, bad);
        const mask points = bytes.equal_to('.') & scalars;
        const mask exponents = bytes.with(0x20).equal_to('e') & scalars & ~words;
        const mask pluses = bytes.equal_to('+') & scalars;
        numbers(starts, digits, bytes.equal_to('0') & digits, minuses, points, exponents, pluses, bad);
        bad |= (scalars & ~(words | digits | minuses | points | exponents | pluses)) |
               (words_.of(words) & digits);
        return behind & ~scalars;
    }

private:
    /// Which bytes belong to literals. A start that is none is bad.
    [[nodiscard]] JSONHEAL_INLINE mask literals(mask starts, const char* at, const char* end, mask& bad) noexcept {
        mask out = literal_rest_;
        literal_rest_ = 0;
        for (; starts != 0; starts &= starts - 1) {
            const int place = std::countr_zero(starts);
            const word bytes = load(at + place, end);
            const bool four = static_cast<std::uint32_t>(bytes) == spelled("true") ||
                              static_cast<std::uint32_t>(bytes) == spelled("null");
            const bool five = (bytes & 0xFF'FFFF'FFFF) == spelled("false");
            bad |= mask{!(four || five)} << place;
            const mask letters = five ? 31 : 15;
            out |= letters << place;
            literal_rest_ |= letters >> 1 >> (63 - place);
        }
        return out;
    }

    [[nodiscard]] static constexpr word spelled(std::string_view text) noexcept {
        word out = 0;
        for (std::size_t i = 0; i != text.size(); ++i) {
            out |= word{static_cast<unsigned char>(text[i])} << (8 * i);
        }
        return out;
    }

    JSONHEAL_INLINE void numbers(mask starts, mask digits, mask zeros, mask minuses, mask points, mask exponents,
                                 mask pluses, mask& bad) noexcept {
        const mask behind_digit = digits_.of(digits);
        const mask behind_exponent = exponents_.of(exponents);
        const mask behind_sign_or_point = signs_or_points_.of(minuses | pluses | points);
        const mask first_minus = minuses & starts;
        const mask first_zero = zeros & (starts | first_minuses_.of(first_minus));
        bad |= (minuses & ~(starts | behind_exponent)) | (pluses & ~behind_exponent) |
               (behind_sign_or_point & ~digits) | ((points | exponents) & ~behind_digit) |
               (behind_exponent & ~(digits | minuses | pluses)) | (first_zeros_.of(first_zero) & digits);
        // No second point, and neither point nor exponent behind the exponent: 1.2.3, 1e2.3, 1e2e3.
        bad |= fractions_.of(points_.of(points), digits) & points;
        const mask exponent_sign = behind_exponent & (minuses | pluses);
        const mask exponent_digits = (behind_exponent & digits) | exponent_signs_.of(exponent_sign);
        bad |= powers_.of(exponent_digits, digits) & (points | exponents);
    }

    one_place_on scalars_, words_, digits_, exponents_, signs_or_points_, first_minuses_, first_zeros_, points_,
        exponent_signs_;
    through_run fractions_, powers_;
    mask literal_rest_ = 0; ///< the first bytes of the next block that end a literal
};

/// Which brackets are open.
class bracket_checker {
public:
    bracket_checker(std::uint32_t max_depth, level_store& store) noexcept : max_depth_(max_depth), store_(store) {}

    [[nodiscard]] bool none_open() const noexcept { return depth_ == 0; }

    /// The commas that stand in an object. Adds to `bad` brackets that do not match or are too many, and commas outside
    /// of all. `braces` tells `{` from `[` and `}` from `]`.
    [[nodiscard]] JSONHEAL_INLINE mask check(mask openers, mask closers, mask braces, mask commas, mask& bad) {
        mask brackets = openers | closers;
        if (depth_ == 0) { bad |= commas & ((brackets & (~brackets + 1)) - 1); } // before the first bracket
        mask objects = ~((levels_ & 1) - 1);
        for (; brackets != 0; brackets &= brackets - 1) {
            const int place = std::countr_zero(brackets);
            const mask opens = openers >> place & 1;
            const mask object = braces >> place & 1;
            bad |= ~opens & (levels_ ^ object) & 1;
            mask levels = opens != 0 ? levels_ << 1 | object : levels_ >> 1;
            depth_ += opens + opens - 1;
            if (static_cast<std::int64_t>(levels) <= 1 || depth_ > max_depth_) [[unlikely]] {
                if (levels == 0 || (depth_ > max_depth_ && opens != 0)) {
                    bad = ~mask{0};
                    return 0;
                }
                levels = refitted(levels, store_);
                if (depth_ == 0) { bad |= commas & (~mask{0} << place); }
            }
            objects ^= ~(((levels_ ^ levels) & 1) - 1) << place;
            levels_ = levels;
        }
        return commas & objects;
    }

private:
    /// `levels` with room for another level, and with the innermost one if any is open.
    [[nodiscard, gnu::noinline, gnu::cold]] static mask refitted(mask levels, level_store& store) {
        if (levels >> 63 != 0) {
            store.push(levels >> 32);
            return (levels & 0xFFFF'FFFF) | mask{1} << 32;
        }
        return store.empty() ? levels : store.pop();
    }

    const std::uint32_t max_depth_;
    std::size_t depth_ = 0;
    mask levels_ = 1; ///< the innermost level lowest, 1 for an object; a 1 above the outermost of them
    level_store& store_;
};

template <class Vector>
class block_validator {
public:
    block_validator(std::uint32_t max_depth, level_store& store) noexcept : brackets_(max_depth, store) {}

    [[nodiscard]] JSONHEAL_INLINE bool run(std::string_view text) {
        const char* p = text.data();
        std::size_t left = text.size();
        const char* const end = p + left;
        for (; left >= block_size; left -= block_size, p += block_size) {
            if (step(block<Vector>(p), p, end) != 0) { return false; }
        }
        char last[block_size];
        std::memset(last, ' ', block_size);
        if (left != 0) { std::memcpy(last, p, left); }
        return step(block<Vector>(last), p, end) == 0 && behind_value_.carry != 0 && brackets_.none_open();
    }

private:
    /// Judges the next 64 bytes, which stand at `at`. Not zero if the text cannot be valid.
    [[nodiscard]] JSONHEAL_INLINE mask step(const block<Vector>& bytes, const char* at, const char* end) {
        mask bad = utf8_.check(bytes, bytes.non_ascii());
        const mask controls = bytes.at_most(0x1F);
        const mask escaped = escapes_.check(bytes, bytes.equal_to('\\'), bad);
        const mask quotes = bytes.equal_to('"') & ~escaped;
        const mask inner = Vector::prefix_xor(quotes) ^ in_string_; // with the opening quote, without the closing one
        in_string_ = ~((inner >> 63) - 1);
        const mask strings = inner | quotes;
        bad |= controls & strings;
        if (inner == ~mask{0} && quotes == 0) { return bad; } // a long string goes on
        mask blanks = bytes.equal_to(' ');
        if (controls != 0) {
            const mask other = bytes.equal_to('\n') | bytes.equal_to('\t') | bytes.equal_to('\r');
            bad |= controls & ~other;
            blanks |= other;
        }
        blanks &= ~strings;
        tokens(bytes, at, end, inner, quotes, blanks, bad);
        return bad;
    }

    JSONHEAL_INLINE void tokens(const block<Vector>& bytes, const char* at, const char* end, mask inner, mask quotes,
                                mask blanks, mask& bad) {
        const mask outside = ~(inner | quotes);
        const block<Vector> folded = bytes.with(0x20); // [ becomes {
        const mask openers = folded.equal_to('{') & outside;
        const mask closers = folded.equal_to('}') & outside;
        const mask braces = ~bytes.at_most(0x5F);
        const mask commas = bytes.equal_to(',') & outside;
        const mask colons = bytes.equal_to(':') & outside;
        const mask scalars = outside & ~(blanks | openers | closers | commas | colons);
        mask scalar_starts = 0;
        const mask behind_scalars = scalars_.check(bytes, scalars, at, end, scalar_starts, bad);
        const mask member_commas = brackets_.check(openers, closers, braces, commas, bad);

        // What may stand behind what: the first token behind each sort.
        const mask values = (quotes & inner) | openers | scalar_starts;
        const mask behind_value = behind_value_.next((quotes & ~inner) | closers, behind_scalars, blanks);
        const mask behind_opener = behind_opener_.next(openers, 0, blanks);
        const mask key_places = key_places_.next((openers & braces) | member_commas, 0, blanks);
        const mask key_ends = keys_.of(key_places & quotes & inner, inner);
        const mask behind_key = behind_key_.next(key_ends, 0, blanks);
        bad |= (values & behind_value) | (commas & ~behind_value) | (closers & ~(behind_value | behind_opener)) |
               (key_places & values & ~quotes) | (colons ^ behind_key);
    }

    utf8_checker<Vector> utf8_;
    escape_checker<Vector> escapes_;
    scalar_checker<Vector> scalars_;
    bracket_checker brackets_;
    through_run behind_value_, behind_opener_, key_places_, keys_, behind_key_;
    mask in_string_ = 0; ///< all ones inside a string
};

} // namespace jsonheal::scan_detail
