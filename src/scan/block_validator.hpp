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
    [[nodiscard]] JSONHEAL_INLINE mask check(const block<Vector>& bytes, mask backslashes,
                                             mask& bad) noexcept {
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
    /// `scalars` are the bytes outside strings that are no blanks and no structure. `starts` becomes the first of each
    /// run of them; the answer is the first byte behind each. Adds to `bad` what is no number or literal. The block
    /// stands at `at` of a text that ends at `end`.
    [[nodiscard]] JSONHEAL_INLINE mask check(const block<Vector>& bytes, mask scalars, const char* at,
                                             const char* end, mask& starts, mask& bad) noexcept {
        if ((scalars | scalars_.carry) == 0) { return 0; }
        const mask one_on = scalars_.of(scalars);
        const mask behind = one_on & ~scalars;
        starts = scalars & ~one_on;
        const mask digits = bytes.less('0').at_most(9) & scalars;
        const mask minuses = bytes.equal_to('-') & scalars;
        const mask points = bytes.equal_to('.') & scalars;
        const mask words = literals(starts & ~(digits | minuses), at, end, bad);
        bad |= words_.of(words) & scalars & ~words; // true1
        // What may stand behind what: a digit anywhere, the others behind a digit; a digit at the end.
        const mask behind_digit = digits_.of(digits | words);
        const mask exponents = bytes.with(0x20).equal_to('e') & scalars & ~words;
        const mask signs = exponents_begin(bytes, scalars, digits, minuses, points, exponents, bad);
        const mask first_minuses = minuses & starts;
        bad |= ((points | exponents) & ~behind_digit) | (behind & ~behind_digit) |
               (scalars & ~(words | digits | points | exponents | signs | first_minuses));
        const mask first_zeros = bytes.equal_to('0') & digits & (starts | first_minuses_.of(first_minuses));
        bad |= first_zeros_.of(first_zeros) & digits;              // 01
        bad |= fractions_.of(points_.of(points), digits) & points; // 1.2.3
        return behind;
    }

private:
    /// The signs behind `exponents`. Adds to `bad` a point or an exponent behind the digits of one: 1e2.3, 1e2e3.
    [[nodiscard]] JSONHEAL_INLINE mask exponents_begin(const block<Vector>& bytes, mask scalars, mask digits,
                                                       mask minuses, mask points, mask exponents,
                                                       mask& bad) noexcept {
        if ((exponents | exponents_.carry | signs_.carry | powers_.carry) == 0) { return 0; }
        const mask behind = exponents_.of(exponents);
        const mask signs = behind & (minuses | (bytes.equal_to('+') & scalars));
        const mask first_digits = (behind & digits) | signs_.of(signs);
        bad |= powers_.of(first_digits, digits) & (points | exponents);
        return signs;
    }

    /// Which bytes belong to literals. A start that is none is bad.
    [[nodiscard]] JSONHEAL_INLINE mask literals(mask starts, const char* at, const char* end,
                                                mask& bad) noexcept {
        mask out = literal_rest_;
        literal_rest_ = 0;
        for (; starts != 0; starts &= starts - 1) {
            const int place = std::countr_zero(starts);
            const word bytes = load(at + place, end);
            const bool four = static_cast<std::uint32_t>(bytes) == spelled("true") ||
                              static_cast<std::uint32_t>(bytes) == spelled("null");
            const bool five = (bytes & 0xFF'FFFF'FFFF) == spelled("false");
            if (!(four || five)) [[unlikely]] { bad |= starts; }
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

    one_place_on scalars_, words_, digits_, exponents_, first_minuses_, first_zeros_, points_, signs_;
    through_run fractions_, powers_;
    mask literal_rest_ = 0; ///< the first bytes of the next block that end a literal
};

/// Which brackets are open. A template, as all of the region that may become a symbol: no kernel must be given the code
/// of another one.
template <class Vector>
class bracket_checker {
public:
    bracket_checker(std::uint32_t max_depth, level_store& store) noexcept
        : max_depth_(max_depth), store_(store) {}

    [[nodiscard]] JSONHEAL_INLINE bool none_open() const noexcept { return levels_ == 1 && store_.empty(); }

    /// The commas that stand in an object. Adds to `bad` brackets that do not match or are too many, and commas outside
    /// of all. `braces` tells `{` from `[` and `}` from `]`.
    [[nodiscard]] JSONHEAL_INLINE mask check(mask openers, mask closers, mask braces, mask commas,
                                             mask& bad) {
        const mask brackets = openers | closers;
        if (brackets == 0) [[unlikely]] {
            if (none_open()) { bad |= commas; }
            return commas & (0 - (levels_ & 1));
        }
        const answer found = walk(openers, brackets, braces);
        bad |= found.bad | (commas & found.outside);
        return commas & found.objects;
    }

private:
    struct answer {
        mask objects; ///< the places whose innermost bracket is that of an object
        mask outside; ///< those before the outermost bracket or behind it
        mask bad;
    };

    /// One bracket after the other, without a branch on its sort. Not inlined: it needs the registers.
    [[nodiscard, gnu::noinline]] answer walk(mask openers, mask brackets, mask braces) {
        mask levels = levels_;
        answer out{0 - (levels & 1), none_open() ? (brackets & (0 - brackets)) - 1 : 0, 0};
        const auto opened = static_cast<std::size_t>(std::popcount(openers));
        if (depth_ + opened > max_depth_ && too_deep(openers, brackets)) [[unlikely]] {
            return {0, 0, ~mask{0}};
        }
        depth_ += opened + opened - static_cast<std::size_t>(std::popcount(brackets));
        mask wrong = 0;
        do {
            const int place = std::countr_zero(brackets);
            const mask opens = openers >> place & 1;
            const mask object = braces >> place & 1;
            const mask before = levels;
            const mask inner = levels << 1 | object;
            const mask outer = levels >> 1;
            wrong |= (opens - 1) & (before ^ object);
            levels = opens != 0 ? inner : outer;
            if (static_cast<std::int64_t>(levels) <= 1) [[unlikely]] {
                if (levels == 0) { return {0, 0, ~mask{0}}; }
                levels = refitted(levels, store_);
                if (levels == 1) { out.outside |= ~mask{0} << place; }
            }
            out.objects ^= (0 - ((before ^ levels) & 1)) << place;
            brackets &= brackets - 1;
        } while (brackets != 0);
        levels_ = levels;
        out.bad = wrong & 1;
        return out;
    }

    /// Whether some opener is one too many.
    [[nodiscard, gnu::noinline, gnu::cold]] bool too_deep(mask openers, mask brackets) const noexcept {
        std::size_t depth = depth_;
        for (; brackets != 0; brackets &= brackets - 1) {
            const bool opens = (openers & brackets & (0 - brackets)) != 0;
            depth += opens ? std::size_t{1} : ~std::size_t{0};
            if (opens && depth > max_depth_) { return true; }
        }
        return false;
    }

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
    block_validator(std::string_view text, std::uint32_t max_depth, level_store& store) noexcept
        : begin_(text.data()), end_(begin_ + text.size()), brackets_(max_depth, store) {}

    [[nodiscard]] JSONHEAL_INLINE bool run() {
        char last[block_size];
        for (const char* p = begin_;; p += block_size) {
            const auto left = static_cast<std::size_t>(end_ - p);
            const char* bytes = p;
            if (left < block_size) {
                std::memset(last, ' ', block_size);
                if (left != 0) { std::memcpy(last, p, left); }
                bytes = last;
            }
            if (step(block<Vector>(bytes), p) != 0) { return false; }
            if (left < block_size) { break; }
        }
        return behind_value_.carry != 0 && brackets_.none_open();
    }

private:
    /// Judges the next 64 bytes, which stand at `at`. Not zero if the text cannot be valid.
    [[nodiscard]] JSONHEAL_INLINE mask step(const block<Vector>& bytes, const char* at) {
        mask bad = utf8_.check(bytes, bytes.non_ascii(), begin_, at);
        const mask controls = bytes.at_most(0x1F);
        const mask escaped = escapes_.check(bytes, bytes.equal_to('\\'), bad);
        const mask quotes = bytes.equal_to('"') & ~escaped;
        // Strings with the opening quote, without the closing one.
        const mask inner = Vector::prefix_xor(quotes) ^ in_string_;
        in_string_ = ~((inner >> 63) - 1);
        if ((inner & ~quotes) == ~mask{0}) { return bad | controls; } // a long string goes on
        const mask strings = inner | quotes;
        mask blanks = bytes.equal_to(' ');
        if (controls != 0) {
            const mask other = bytes.equal_to('\n') | bytes.equal_to('\t') | bytes.equal_to('\r');
            bad |= controls & strings; // others outside are scalars, and bad as those
            blanks |= other;
        }
        tokens(bytes, at, inner, quotes, blanks & ~strings, bad);
        return bad;
    }

    JSONHEAL_INLINE void tokens(const block<Vector>& bytes, const char* at, mask inner, mask quotes,
                                mask blanks, mask& bad) {
        const mask strings = inner | quotes;
        const block<Vector> folded = bytes.with(0x20); // [ becomes {
        const mask openers = folded.equal_to('{') & ~strings;
        const mask closers = folded.equal_to('}') & ~strings;
        const mask braces = ~bytes.at_most(0x5F);
        const mask commas = bytes.equal_to(',') & ~strings;
        const mask colons = bytes.equal_to(':') & ~strings;
        const mask scalars = ~(strings | blanks | openers | closers | commas | colons);
        mask scalar_starts = 0;
        const mask behind_scalars = scalars_.check(bytes, scalars, at, end_, scalar_starts, bad);
        const mask member_commas = brackets_.check(openers, closers, braces, commas, bad);

        // What may stand behind what.
        const mask values = (quotes & inner) | openers | scalar_starts;
        const mask behind_value = behind_value_.next((quotes & ~inner) | closers, behind_scalars, blanks);
        bad |= (values & behind_value) | ((commas | colons) & ~behind_value);
        const mask empty = closers & ~behind_value;
        if (empty != 0) { bad |= empty & ~behind_openers(openers, blanks, at); }
        // The first thing behind the place of a key that is no string is a colon.
        const mask behind_key = behind_key_.next((openers & braces) | member_commas, 0, blanks | strings);
        bad |= (behind_key ^ colons) & ~empty;
    }

    /// The first places behind openers that are no blanks. What stands before the block is looked up in the text: only
    /// an empty container asks, and once for the blanks in it, so all looks together are linear.
    [[nodiscard, gnu::noinline]] mask behind_openers(mask openers, mask blanks,
                                                     const char* at) const noexcept {
        through_run behind;
        const char* p = at;
        while (p != begin_ && is(p[-1], blank)) { --p; }
        behind.carry = p != begin_ && (p[-1] == '[' || p[-1] == '{') ? 1 : 0;
        return behind.next(openers, 0, blanks);
    }

    const char* const begin_;
    const char* const end_;
    utf8_checker<Vector> utf8_;
    escape_checker<Vector> escapes_;
    scalar_checker<Vector> scalars_;
    bracket_checker<Vector> brackets_;
    through_run behind_value_, behind_key_;
    mask in_string_ = 0; ///< all ones inside a string
};

} // namespace jsonheal::scan_detail
