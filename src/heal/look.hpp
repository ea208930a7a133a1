// Looking ahead: what stands after a place in the text, and whether a value may end there.
//
// A look never changes anything. It is bounded: past `limit` it reads nothing more and says `past`, upon which the
// reading of strict JSON wins. Where a byte has not arrived yet the engine's `starved_` is set and the answer is void.
#pragma once

#include <jsonheal/unicode.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace jsonheal::heal_detail {

class engine;

inline constexpr unsigned closers_proved = 3; // so many closers in a row that match are proof enough

/// How well what follows fits the end of a value.
enum class fit : std::uint8_t {
    none,  ///< it does not
    poor,  ///< only with a repair that a careful reader would doubt
    good,  ///< with a repair that is common
    strict ///< as in valid JSON (or the look-ahead ended before anything was disproved)
};

/// Blanks and comments that were passed over.
struct gap {
    std::size_t position = 0;
    bool newline = false, comment = false, blank = false;
};

/// What a key looks like from outside.
enum class key_shape : std::uint8_t { none, colon, lost_close, no_colon, inner, alone, cut };

struct look {
    engine& e;
    std::size_t from, limit;
    bool past = false;
    bool closed_some = false;    ///< a closer that matches stood between the value and what follows it
    bool early_close = true;     ///< `},"b":` after the root fits: the closer came too early
    bool equals = false;         ///< = counts as a colon
    bool escaped_blanks = false; ///< \n outside strings counts as a blank
    bool deep = false; ///< look also at the value after a key, and at the end of a string after a comma

    look(engine& owner, std::size_t position) noexcept;
    ~look() = default;
    look(const look&) = delete;
    look& operator=(const look&) = delete;

    /// The byte at an offset, -1 at the end of the text, past the bound, or where it has not arrived.
    int at(std::size_t i) noexcept;
    [[nodiscard]] bool at_end() const noexcept;

    gap skip(std::size_t i) noexcept;
    /// The code point at i, if it lies outside ASCII and all of it is there.
    unicode::decoded decode_at(std::size_t i) noexcept;
    /// What it stands for; `size` is set if it is a code point of the table's range.
    unicode::sign wide_sign(std::size_t i, std::size_t& size) noexcept;
    /// The size of a blank outside ASCII at i, or 0.
    std::size_t wide_blank(std::size_t i) noexcept;
    /// What the character at i stands for, in ASCII terms: typographic quotes give " or ', full-width signs , and :.
    /// Returns 0 for none; `size` is its length in bytes.
    char sign_at(std::size_t i, std::size_t& size) noexcept;
    /// Is the byte at i part of a name? Full-width signs, typographic quotes and blanks are not.
    bool name_at(std::size_t i) noexcept;
    /// The end of the quoted run that opens at i: the offset after its closing quote, or 0 if there is none.
    std::size_t quoted_end(std::size_t i, std::size_t size, char quote) noexcept;

    /// May a value end at i, `depth` brackets above the innermost one having been closed already?
    fit after_value(std::size_t i, std::size_t depth, unsigned closers = 0) noexcept;
    fit after_comma(std::size_t i, std::size_t depth, unsigned commas = 0) noexcept;
    fit after_root(const gap& g) noexcept;
    fit closer_fits(const gap& g, char c, std::size_t depth, unsigned closers) noexcept;
    fit member_after_comma(const gap& g, std::size_t depth, unsigned commas) noexcept;
    fit element_after_comma(const gap& g, std::size_t depth, unsigned commas) noexcept;
    fit token_fits(std::size_t i) noexcept;
    fit words_fit(std::size_t i) noexcept;
    /// Words alone up to a line end, behind which a quoted key begins: `true, NOISE\n"b": 1`.
    bool noise_line(std::size_t i) noexcept;

    key_shape quoted_key(std::size_t i) noexcept;
    key_shape bare_key(std::size_t i) noexcept;
    /// Is there a colon (or what stands for one) at i, after blanks?
    bool colon_at(std::size_t i, bool& other) noexcept;
    bool value_starts(std::size_t i) noexcept;
    /// Does the text end a document here: a fence, a special token, a closing tag?
    bool ends_document(std::size_t i) noexcept;
    bool word_is(std::size_t i, const char* word) noexcept;
};

[[nodiscard]] constexpr bool is_blank(int c) noexcept {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}
[[nodiscard]] constexpr bool is_digit(int c) noexcept { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_letter(int c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
/// The first letters of all literals that the engine knows: see `engine::is_literal`.
[[nodiscard]] constexpr bool begins_literal(int c) noexcept {
    const int lower = c | 0x20;
    return lower == 't' || lower == 'f' || lower == 'n' || lower == 'u' || lower == 'i';
}

inline constexpr std::array<bool, 256> name_bytes = [] {
    std::array<bool, 256> table{};
    for (int c = 0; c < 256; ++c) {
        table[static_cast<std::size_t>(c)] = is_letter(c) || is_digit(c) || c == '_' || c == '$' || c >= 0x80;
    }
    return table;
}();
/// A byte of a name: letters, digits, _ $ and every byte of a character outside ASCII.
[[nodiscard]] constexpr bool is_name(int c) noexcept {
    return c >= 0 && name_bytes[static_cast<unsigned char>(c)];
}
[[nodiscard]] constexpr bool is_name_start(int c) noexcept { return is_name(c) && !is_digit(c); }
[[nodiscard]] constexpr bool is_hex(int c) noexcept {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// Bytes at which the content of a string needs a look: quotes, backslash, control characters, anything outside ASCII.
inline constexpr std::array<bool, 256> string_stops = [] {
    std::array<bool, 256> stops{};
    for (unsigned c = 0; c < 256; ++c) {
        stops[c] = c < 0x20 || c >= 0x80 || c == '"' || c == '\'' || c == '\\' || c == '`' || c == '<';
    }
    return stops;
}();

} // namespace jsonheal::heal_detail
