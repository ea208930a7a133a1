#include <jsonheal/unicode.hpp>

namespace jsonheal::unicode {

namespace {

constexpr bool is_tail(unsigned char c) noexcept { return (c & 0xC0) == 0x80; }

/// The second byte has a narrower range after some leads; this is what keeps overlong forms and surrogates out.
constexpr bool second_fits(unsigned char lead, unsigned char second) noexcept {
    switch (lead) {
    case 0xE0: return second >= 0xA0 && second <= 0xBF;
    case 0xED: return second >= 0x80 && second <= 0x9F;
    case 0xF0: return second >= 0x90 && second <= 0xBF;
    case 0xF4: return second >= 0x80 && second <= 0x8F;
    default: return is_tail(second);
    }
}

struct row {
    char32_t first, last;
    sign what;
};

// Ordered by code point. U+2032 and U+2033 (primes) are left out: as delimiters they are unheard of, as data common.
constexpr row signs[] = {
    {0x00A0, 0x00A0, sign::blank},           {0x00AB, 0x00AB, sign::double_quote}, // «
    {0x00B4, 0x00B4, sign::single_quote},                                          // acute accent
    {0x00BB, 0x00BB, sign::double_quote},    {0x1680, 0x1680, sign::blank},
    {0x180E, 0x180E, sign::blank},           {0x2000, 0x200D, sign::blank},
    {0x2018, 0x201B, sign::single_quote},    {0x201C, 0x201F, sign::double_quote},
    {0x2026, 0x2026, sign::ellipsis},        {0x2028, 0x2029, sign::blank},
    {0x202F, 0x202F, sign::blank},           {0x205F, 0x2060, sign::blank},
    {0x3000, 0x3000, sign::blank},           {0x3001, 0x3001, sign::comma},
    {0xFEFF, 0xFEFF, sign::byte_order_mark}, {0xFF02, 0xFF02, sign::double_quote},
    {0xFF07, 0xFF07, sign::single_quote},    {0xFF0C, 0xFF0C, sign::comma},
    {0xFF1A, 0xFF1A, sign::colon},           {0xFF1B, 0xFF1B, sign::comma},
    {0xFF3B, 0xFF3B, sign::open_bracket},    {0xFF3D, 0xFF3D, sign::close_bracket},
    {0xFF5B, 0xFF5B, sign::open_brace},      {0xFF5D, 0xFF5D, sign::close_brace},
};

} // namespace

decoded decode(std::string_view bytes) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const unsigned char lead = byte(0);
    const unsigned length = sequence_length(lead);
    if (length == 1) { return {lead, 1, 0}; }
    if (length == 0 || bytes.size() < 2 || !second_fits(lead, byte(1))) { return {0, 0, 1}; }
    char32_t code = lead & (0x7Fu >> length);
    for (unsigned i = 1; i < length; ++i) {
        if (i >= bytes.size() || !is_tail(byte(i))) { return {0, 0, static_cast<std::uint8_t>(i)}; }
        code = (code << 6) | (byte(i) & 0x3Fu);
    }
    return {code, static_cast<std::uint8_t>(length), 0};
}

sign sign_of(char32_t code) noexcept {
    for (const row& r : signs) {
        if (code <= r.last) { return code >= r.first ? r.what : sign::none; }
    }
    return sign::none;
}

} // namespace jsonheal::unicode
