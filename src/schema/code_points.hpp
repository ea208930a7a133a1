/// @file code_points.hpp
/// Sets of code points, and how a pattern's translation spells them.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jsonheal::schema::detail {

inline constexpr char32_t last_code_point = 0x10FFFF;
inline constexpr char32_t first_surrogate = 0xD800;
inline constexpr char32_t last_surrogate = 0xDFFF;
/// Where surrogates are moved to; see patterns.hpp.
inline constexpr char32_t hidden_surrogates = 0x10F800;

/// Code points and Unicode properties, as between the brackets of a class.
class code_point_set {
public:
    void add(char32_t first, char32_t last) { ranges_.emplace_back(first, last); }
    void add(char32_t c) { add(c, c); }
    void add(const code_point_set& other);
    /// All but those of `other`, which has no properties.
    void add_complement(const code_point_set& other);
    /// `\p{Lu}` as both engines spell it.
    void add_property(std::string_view spelled) { properties_.append(spelled); }
    /// The set, or all that is not in it, as a class.
    [[nodiscard]] std::string spell(bool negated) const;

    /// The ASCII characters of the set or its complement, if all others are in it or none is. Nothing otherwise.
    [[nodiscard]] std::optional<std::pair<std::bitset<128>, bool>> as_ascii(bool negated) const;

private:
    /// Sorted and merged; surrogates moved.
    [[nodiscard]] std::vector<std::pair<char32_t, char32_t>> normal() const;
    std::vector<std::pair<char32_t, char32_t>> ranges_;
    std::string properties_;
};

/// `\d`, `\s` or `\w` of ECMA-262.
[[nodiscard]] const code_point_set& class_escape(char letter);

/// Appends one code point as a literal.
void append_literal(char32_t c, std::string& out);

} // namespace jsonheal::schema::detail
