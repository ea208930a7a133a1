/// @file strict_json.hpp
/// A strict RFC 8259 checker that shares no code, table or idea with the library: slow, plain, and easy to read.
///
/// It is the judge of the law tests, so it must be right by inspection. It has a test of its own.
#pragma once

#include <cstddef>
#include <string_view>

namespace jsonheal_test {

/// What the checker found.
struct strict_result {
    bool valid = false;
    std::size_t offset = 0;  ///< first byte that cannot stand there; the size of the text if it is too short
    std::string_view reason; ///< empty if valid
    std::size_t depth = 0;   ///< most brackets open at once
};

/// One JSON value with blanks around it, in UTF-8, and nothing else. No recursion: depth costs heap.
[[nodiscard]] strict_result check_strict_json(std::string_view text);

/// Well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

/// Bytes of the well-formed character at `at`; 0 if there is none.
[[nodiscard]] std::size_t utf8_character(std::string_view text, std::size_t at) noexcept;

} // namespace jsonheal_test
