/// @file base64.hpp
/// Base64 of RFC 4648 section 4.
#pragma once

#include <string>
#include <string_view>

namespace jsonheal::cli {

/// Appends the bytes that `text` stands for. Padding may be left out. False, with `out` in an unspecified
/// state, if a character is not of the alphabet or bits are left over.
[[nodiscard]] bool decode_base64(std::string_view text, std::string& out);

} // namespace jsonheal::cli
