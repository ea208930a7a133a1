// Curly quotes to plain ones, a character at a time.
#pragma once

#include <string_view>

namespace jsonheal::args_detail {

/// What a typographic quote becomes; empty if the character is none. The characters that the contract documents.
/// ’ → '   “ → "   « → <<
[[nodiscard]] constexpr std::string_view plain_quote(char32_t code) noexcept {
    switch (code) {
    case 0x2018:
    case 0x2019:
    case 0x2032: return "'";
    case 0x201C:
    case 0x201D:
    case 0x2033: return "\"";
    case 0x00AB: return "<<";
    case 0x00BB: return ">>";
    default: return {};
    }
}

} // namespace jsonheal::args_detail
