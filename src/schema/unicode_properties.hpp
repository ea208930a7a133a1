/// @file unicode_properties.hpp
/// `\p{…}` of ECMA-262 in the words of RE2 and PCRE2.
#pragma once

#include "code_points.hpp"

#include <string_view>

namespace jsonheal::schema::detail {

/// Adds the code points of a property (`Lu`, `Letter`, `Script=Greek`, `ASCII`), or with `negated` all others. False if
/// the name cannot be one; whether it is one the engine says.
[[nodiscard]] bool add_unicode_property(std::string_view name, bool negated, code_point_set& set);

} // namespace jsonheal::schema::detail
