/// @file validator.hpp
/// The strict validator, over whatever a kernel offers for the runs of bytes in it.
#pragma once

#include "bytes.hpp"
#include "nesting.hpp"
#include "words.hpp"

#include <jsonheal/scan.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace jsonheal::scan_detail {

/// One pass over one text. Every reading function moves `p_` behind what it read and returns true, or moves it to the
/// first byte that cannot stand there (or to the end) and returns false.
///
/// `Runs` has three static searches over [p, end), which return `end` if there is no such byte:
/// `string_end` (quote, backslash, below 0x20, at or above 0x80), `non_blank` and `non_digit`.
///
/// Fast as long as its members stay in registers: nothing that is not inlined may take `this`. That is why the store
/// is elsewhere and `read_character` works on copies.
template <class Runs>
class validator {
public:
    validator(std::string_view text, std::uint32_t max_depth, level_store& store) noexcept
        : begin_(text.data()), p_(begin_), end_(begin_ + text.size()), max_depth_(max_depth), store_(store) {}

    [[nodiscard]] scan::validation run() {
        blanks();
        const char first = peek();
        if (!(first == '{' || first == '[' ? container() : scalar(first))) { return fault(); }
        blanks();
        return p_ == end_ ? scan::validation{true, offset()} : fault();
    }

private:
    [[nodiscard]] std::size_t offset() const noexcept { return static_cast<std::size_t>(p_ - begin_); }
    [[nodiscard]] scan::validation fault() const noexcept { return {false, offset()}; }

    /// The byte at `p_`; beyond the end NUL, which stands nowhere in JSON.
    [[nodiscard]] char peek() const noexcept { return p_ != end_ ? *p_ : '\0'; }
    [[nodiscard]] std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - p_); }

    /// Most places have no blank or one space, so those are looked at first.
    JSONHEAL_INLINE void blanks() noexcept {
        if (p_ == end_ || static_cast<unsigned char>(*p_) > ' ') { return; }
        if (*p_ == ' ' && left() > 1 && static_cast<unsigned char>(p_[1]) > ' ') {
            ++p_;
            return;
        }
        p_ = Runs::non_blank(p_, end_);
    }

    /// A text whose value is an array or an object. @pre `p_` is at its opening bracket
    [[nodiscard]] JSONHEAL_INLINE bool container() {
        do {
            // A value begins here. What opens a bracket and does not close it at once has a first member.
            const char c = peek();
            if (c == '{') {
                if (!open(1)) { return false; }
                if (peek() != '}') {
                    if (!key()) { return false; }
                    continue;
                }
            } else if (c == '[') {
                if (!open(0)) { return false; }
                if (peek() != ']') { continue; }
            } else if (!scalar(c)) {
                return false;
            }
            if (!value_end()) { return false; }
        } while (depth_ != 0);
        return true;
    }

    /// From behind a value, or from the closer of an empty container, to the next value, or behind the last closer.
    [[nodiscard]] JSONHEAL_INLINE bool value_end() noexcept {
        for (;;) {
            blanks();
            const bool object = (levels_ & 1) != 0;
            const char c = peek();
            if (c == ',') {
                ++p_;
                blanks();
                return object ? key() : true;
            }
            if (c != (object ? '}' : ']')) { return false; }
            ++p_;
            close();
            if (depth_ == 0) { return true; }
        }
    }

    [[nodiscard]] JSONHEAL_INLINE bool open(std::uint64_t object) {
        if (depth_ == max_depth_) { return false; }
        if (++depth_ % 64 == 0) { store_.push(levels_); }
        levels_ = levels_ << 1 | object;
        ++p_;
        blanks();
        return true;
    }
    JSONHEAL_INLINE void close() noexcept {
        levels_ >>= 1;
        if (depth_-- % 64 == 0) { levels_ = store_.pop(); }
    }

    /// A key, its colon, and the blanks behind it.
    [[nodiscard]] JSONHEAL_INLINE bool key() noexcept {
        if (peek() != '"' || !string()) { return false; }
        blanks();
        if (peek() != ':') { return false; }
        ++p_;
        blanks();
        return true;
    }

    [[nodiscard]] JSONHEAL_INLINE bool scalar(char first) noexcept {
        switch (first) {
        case '"': return string();
        case 't': return literal("true");
        case 'f': return literal("false");
        case 'n': return literal("null");
        default: return number();
        }
    }

    [[nodiscard]] JSONHEAL_INLINE bool literal(std::string_view spelling) noexcept {
        if (left() >= spelling.size() && std::memcmp(p_, spelling.data(), spelling.size()) == 0) {
            p_ += spelling.size();
            return true;
        }
        for (const char c : spelling) {
            if (peek() != c) { break; }
            ++p_;
        }
        return false;
    }

    /// RFC 8259 section 6. What ends the number is for the caller to judge.
    [[nodiscard]] JSONHEAL_INLINE bool number() noexcept {
        if (peek() == '-') { ++p_; }
        if (peek() == '0') {
            ++p_;
        } else if (!digits()) {
            return false;
        }
        if (peek() == '.') {
            ++p_;
            if (!digits()) { return false; }
        }
        if (peek() == 'e' || peek() == 'E') {
            ++p_;
            if (peek() == '+' || peek() == '-') { ++p_; }
            return digits();
        }
        return true;
    }

    /// One digit or more.
    [[nodiscard]] JSONHEAL_INLINE bool digits() noexcept {
        const char* const first = p_;
        p_ = Runs::non_digit(p_, end_);
        return p_ != first;
    }

    /// RFC 8259 section 7. @pre `p_` is at the opening quote
    [[nodiscard]] JSONHEAL_INLINE bool string() noexcept {
        ++p_;
        for (;;) {
            p_ = Runs::string_end(p_, end_);
            const char c = peek();
            if (c == '"') {
                ++p_;
                return true;
            }
            if (c == '\\') {
                if (!escape()) { return false; }
            } else if (static_cast<unsigned char>(c) < 0x80 || !beyond_ascii()) {
                return false;
            }
        }
    }

    /// @pre `p_` is at the backslash
    [[nodiscard]] JSONHEAL_INLINE bool escape() noexcept {
        ++p_;
        const char c = peek();
        if (is(c, short_escape)) {
            ++p_;
            return true;
        }
        if (c != 'u') { return false; }
        ++p_;
        for (int i = 0; i != 4; ++i) {
            if (!is(peek(), hex_digit)) { return false; }
            ++p_;
        }
        return true;
    }

    /// All characters beyond ASCII up to the next byte below 0x80. @pre `p_` is at a byte at or above 0x80
    [[nodiscard]] JSONHEAL_INLINE bool beyond_ascii() noexcept {
        do {
            if (left() <= 4) { return slow_character(); } // so `p_` stays before the end
            // Masks take the bits that table 3-7 fixes (the lead is the lowest byte), then those that it narrows.
            const std::uint32_t bytes = load_four(p_);
            if ((bytes & 0x00C0'C0F0) == 0x0080'80E0) {
                const std::uint32_t narrow = bytes & 0x200F; // overlong; surrogate
                if (narrow == 0 || narrow == 0x200D) { return slow_character(); }
                p_ += 3;
            } else if ((bytes & 0xC0E0) == 0x80C0) {
                if ((bytes & 0x1E) == 0) { return slow_character(); }
                p_ += 2;
            } else {
                const std::uint32_t narrow = bytes & 0x3007; // overlong; above U+10FFFF
                if ((bytes & 0xC0C0'C0F8) != 0x8080'80F0 || narrow == 0 ||
                    ((narrow & 4) != 0 && narrow != 4)) {
                    return slow_character();
                }
                p_ += 4;
            }
        } while (static_cast<unsigned char>(*p_) >= 0x80);
        return true;
    }

    [[nodiscard]] JSONHEAL_INLINE bool slow_character() noexcept {
        const step to = read_character(p_, end_);
        p_ = to.at;
        return to.fits;
    }

    struct step {
        const char* at;
        bool fits;
    };

    /// One character beyond ASCII by table 3-7 of the Unicode standard: slow, and right about where it fails.
    [[nodiscard, gnu::noinline, gnu::cold]] static step read_character(const char* p,
                                                                       const char* end) noexcept {
        const auto lead = static_cast<unsigned char>(*p);
        if (lead < 0xC2 || lead > 0xF4) { return {p, false}; }
        unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        for (unsigned tails = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3; tails != 0; --tails) {
            ++p;
            const unsigned tail = p != end ? static_cast<unsigned char>(*p) : 0;
            if (tail < low || tail > high) { return {p, false}; }
            low = 0x80;
            high = 0xBF;
        }
        return {p + 1, true};
    }

    const char* const begin_;
    const char* p_;
    const char* const end_;
    const std::uint32_t max_depth_;
    std::uint32_t depth_ = 0;
    std::uint64_t levels_ = 0; ///< the innermost level lowest: 1 for an object
    level_store& store_;
};

} // namespace jsonheal::scan_detail
