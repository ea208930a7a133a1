// Words of the tables, which are in lower case, against words of the text in any case. ASCII only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace jsonheal::heal_detail {

[[nodiscard]] constexpr char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

[[nodiscard]] inline bool same_word(std::string_view word, std::string_view lower_case) noexcept {
    return std::equal(word.begin(), word.end(), lower_case.begin(), lower_case.end(),
                      [](char a, char b) { return lower(a) == b; });
}

template <std::size_t N>
[[nodiscard]] bool listed(const std::string_view (&list)[N], std::string_view word) noexcept {
    return std::any_of(std::begin(list), std::end(list),
                       [&](std::string_view w) { return same_word(word, w); });
}

} // namespace jsonheal::heal_detail
