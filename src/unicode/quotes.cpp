// Typographic quotes to plain ones.

#include "code_paths.hpp"

#include <jsonheal/quotes.hpp>
#include <jsonheal/unicode.hpp>

#include <algorithm>
#include <cstring>

namespace jsonheal {

namespace {

struct quote_row {
    char32_t code;
    quote_set set; ///< the smallest set that has it
    std::string_view plain;
};

// In order of code points.
constexpr quote_row quote_rows[] = {
    {0x00AB, quote_set::standard, "<<"}, // «
    {0x00B4, quote_set::all, "'"},       // acute accent
    {0x00BB, quote_set::standard, ">>"}, // »
    {0x2018, quote_set::curly, "'"},     {0x2019, quote_set::curly, "'"},
    {0x201A, quote_set::all, "'"}, // low
    {0x201B, quote_set::all, "'"}, // reversed
    {0x201C, quote_set::curly, "\""},    {0x201D, quote_set::curly, "\""},
    {0x201E, quote_set::all, "\""},  // low
    {0x201F, quote_set::all, "\""},  // reversed
    {0x2032, quote_set::curly, "'"}, // prime
    {0x2033, quote_set::curly, "\""},    {0x2034, quote_set::all, "'''"},
    {0x2035, quote_set::all, "'"}, // reversed primes
    {0x2036, quote_set::all, "\""},      {0x2037, quote_set::all, "'''"},
    {0x2039, quote_set::all, "<"},       {0x203A, quote_set::all, ">"},
    {0x301D, quote_set::all, "\""}, // ideographic
    {0x301E, quote_set::all, "\""},      {0x301F, quote_set::all, "\""},
    {0xFF02, quote_set::all, "\""}, // full-width
    {0xFF07, quote_set::all, "'"},
};

const quote_row* find_row(char32_t code, quote_set set) noexcept {
    const auto* const row = std::lower_bound(std::begin(quote_rows), std::end(quote_rows), code,
                                             [](const quote_row& r, char32_t c) { return r.code < c; });
    return row != std::end(quote_rows) && row->code == code && row->set <= set ? row : nullptr;
}

/// The first byte that begins a character of the table, or npos. Eight bytes a step through ASCII.
std::size_t find_lead(std::string_view text, std::size_t i) noexcept {
    constexpr std::uint64_t top_bits = 0x8080'8080'8080'8080ull;
    while (i < text.size()) {
        std::uint64_t bytes = 0;
        if (i + sizeof bytes <= text.size()) {
            std::memcpy(&bytes, text.data() + i, sizeof bytes);
            if ((bytes & top_bits) == 0) {
                i += sizeof bytes;
                continue;
            }
        }
        const auto c = static_cast<unsigned char>(text[i]);
        if (c == 0xC2 || c == 0xE2 || c == 0xE3 || c == 0xEF) { return i; }
        ++i;
    }
    return std::string_view::npos;
}

constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Is a name, in any case, in an ordered list of lower-case ones?
template <std::size_t N>
bool holds(const std::string_view (&list)[N], std::string_view name) noexcept {
    const auto less = [](std::string_view entry, std::string_view wanted) {
        return std::lexicographical_compare(entry.begin(), entry.end(), wanted.begin(), wanted.end(),
                                            [](char a, char b) { return lower(a) < lower(b); });
    };
    const auto* const entry = std::lower_bound(std::begin(list), std::end(list), name, less);
    return entry != std::end(list) && !less(name, *entry);
}

} // namespace

std::string_view plain_quote(char32_t code, quote_set set) noexcept {
    const quote_row* const row = find_row(code, set);
    return row != nullptr ? row->plain : std::string_view();
}

normalized_quotes normalize_quotes(std::string_view text, const quote_options& options) {
    normalized_quotes result;
    if (text.size() > options.max_bytes) {
        result.refused = true;
        return result;
    }
    std::size_t copied = 0;
    for (std::size_t i = 0; (i = find_lead(text, i)) != std::string_view::npos;) {
        const unicode::decoded u = unicode::decode(text.substr(i));
        const quote_row* const row = u.size != 0 ? find_row(u.code, options.set) : nullptr;
        const std::size_t end = i + std::max<std::size_t>(1, u.size);
        if (row != nullptr) {
            result.text.append(text.substr(copied, i - copied)).append(row->plain);
            result.edits.emplace_back(i, end, row->plain, rule::quote_style);
            copied = end;
        }
        i = end;
    }
    result.text.append(text.substr(copied));
    return result;
}

bool is_code_path(std::string_view path) noexcept {
    if (path.empty()) { return true; }
    const std::string_view name = path.substr(path.find_last_of("/\\") + 1);
    const std::size_t point = name.rfind('.');
    return holds(unicode::code_names, name) ||
           (point != std::string_view::npos && holds(unicode::code_extensions, name.substr(point)));
}

normalized_quotes normalize_code_file(std::string_view path, std::string_view text,
                                      const quote_options& options) {
    if (is_code_path(path)) { return normalize_quotes(text, options); }
    normalized_quotes result;
    result.refused = text.size() > options.max_bytes;
    if (!result.refused) { result.text = text; }
    return result;
}

} // namespace jsonheal
