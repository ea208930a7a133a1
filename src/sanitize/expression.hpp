/// @file expression.hpp
/// Where an expression or a bare text ends, and whether a member of an object begins at a place.
#pragma once

#include "lexer.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jsonheal::sanitize_detail {

/// What a value stands in; decides what a comma behind it means.
enum class surroundings : std::uint8_t { object, array, root };

struct expression {
    std::size_t begin = 0;
    std::size_t end = 0;         ///< behind the last token that is no blank and no comment
    std::size_t stop = 0;        ///< what ends it: a comma, closer, the next member, the end of the text
    bool comment_behind = false; ///< a comment stands between `end` and `stop`
    bool is_regex = false;       ///< a regular expression and nothing else
    bool cut = false;            ///< the text ends inside a bracket, string, template or comment of it
};

/// Finds the end of the value that begins at `begin`. @pre no blank, comment, comma or closer stands there.
[[nodiscard]] expression scan_expression(lexer& lex, std::string_view text, std::size_t begin,
                                         surroundings in);

/// Does a member, a closer or the end of the text follow at `i`? `yes, please, "b": 1` has one at the second comma.
[[nodiscard]] bool member_follows(const lexer& lex, std::string_view text, std::size_t i);
/// A key with its colon, or a method, at `i`.
[[nodiscard]] bool begins_member(const lexer& lex, std::string_view text, std::size_t i);
/// The name of a method and where its parameters open.
struct method_head {
    std::size_t name_begin = 0, name_end = 0;
    std::size_t parameters = 0; ///< 0 if there is no method
};
/// Reads `name(…) {` with its modifiers, as in `async load(url) {`, at `i`.
[[nodiscard]] method_head find_method(const lexer& lex, std::string_view text, std::size_t i);
/// The offset behind the bracket that closes the one at `i`, if it is within reach, else npos.
[[nodiscard]] std::size_t near_close(std::string_view text, std::size_t i);
/// The end of the quoted run at `i`, if it closes within reach, else npos.
[[nodiscard]] std::size_t near_string_end(std::string_view text, std::size_t i);

/// Is it a number in a notation of JSON or JavaScript: `1e3`, `0xff`, `1_000n`, `+.5`?
[[nodiscard]] bool is_number(std::string_view text) noexcept;

} // namespace jsonheal::sanitize_detail
