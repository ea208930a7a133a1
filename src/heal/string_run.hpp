// Runs inside strings and blanks, found inline: most are shorter than a call is worth.
#pragma once

#include "look.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace jsonheal::heal_detail {

/// The first byte in [i, end) that a string between `quote`s does not take as it is: either quote, where it is that of
/// the string or JSON's own, a backslash, a control character, a byte outside ASCII. `end` if there is none.
inline std::size_t string_run_end(const char* s, std::size_t i, std::size_t end, char quote) noexcept {
#if defined(__SSE2__)
    const __m128i own = _mm_set1_epi8(quote), json = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\');
    const __m128i blank = _mm_set1_epi8(' ');
    for (; i + 16 <= end; i += 16) {
        const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(s + i));
        // bytes outside ASCII are negative, and so less than a blank as control characters are
        const __m128i stops = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(x, own), _mm_cmpeq_epi8(x, json)),
                                           _mm_or_si128(_mm_cmpeq_epi8(x, slash), _mm_cmplt_epi8(x, blank)));
        const unsigned mask = static_cast<unsigned>(_mm_movemask_epi8(stops));
        if (mask != 0) { return i + static_cast<unsigned>(std::countr_zero(mask)); }
    }
#endif
    for (; i < end; ++i) {
        const char c = s[i];
        if (c == quote || c == '"' || c == '\\' || static_cast<signed char>(c) < ' ') { break; }
    }
    return i;
}

/// The first byte in [i, end) that is no blank of JSON. `end` if there is none.
inline std::size_t blank_run_end(const char* s, std::size_t i, std::size_t end) noexcept {
    const auto blank = [](char c) { return is_blank(static_cast<unsigned char>(c)); };
    const auto above_blanks = [](char c) { return static_cast<unsigned char>(c) > ' '; };
    if (i < end && above_blanks(s[i])) { return i; }
    if (i + 1 < end && s[i] == ' ' && above_blanks(s[i + 1])) { return i + 1; }
#if defined(__SSE2__)
    // the indentation of pretty-printed text: a line end and many spaces
    for (; i + 16 <= end; i += 16) {
        const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(s + i));
        const __m128i blanks = _mm_or_si128(
            _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(x, _mm_set1_epi8('\n'))),
            _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('\r')), _mm_cmpeq_epi8(x, _mm_set1_epi8('\t'))));
        const unsigned mask = static_cast<unsigned>(_mm_movemask_epi8(blanks)) ^ 0xFFFFu;
        if (mask != 0) { return i + static_cast<unsigned>(std::countr_zero(mask)); }
    }
#endif
    while (i < end && blank(s[i])) { ++i; }
    return i;
}

} // namespace jsonheal::heal_detail
