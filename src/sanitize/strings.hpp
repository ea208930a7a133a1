/// @file strings.hpp
/// Strings of JavaScript as strings of JSON.
#pragma once

#include "rewriter.hpp"

#include <cstddef>
#include <string_view>

namespace jsonheal::sanitize_detail {

/// A string in single quotes or back-ticks: where it opens, and where its content ends.
struct quoted_run {
    std::size_t begin = 0;
    std::size_t close = 0; ///< the closing quote; where there is none, where it belongs
    bool closed = false;
    bool cut = false; ///< the end of the text cut it; else only its quote was lost
    [[nodiscard]] std::size_t end() const noexcept { return close + (closed ? 1 : 0); }
};

/// A string whose closing quote the text has not: it belongs before the closers that end the text, as in
/// `{"a": 'b}`; where there are none the text was cut.
[[nodiscard]] quoted_run unclosed_run(std::string_view text, std::size_t begin) noexcept;

/// Finds the ends of single-quoted strings. Remembers what it searched in vain, so that all of them cost O(text).
class single_quotes {
public:
    explicit single_quotes(std::string_view text) : text_(text) {}
    /// The string that opens at `begin`. An apostrophe inside a word does not close it, nor one behind which the text
    /// goes on (`'the dogs' bowls'`) if a better one follows.
    quoted_run find(std::size_t begin);

private:
    std::string_view text_;
    std::size_t no_better_before_ = 0;
};

enum class content : std::uint8_t {
    string, ///< escapes mean what they mean in JSON
    source  ///< every byte stands for itself
};

/// Escapes the content [begin, end) for a JSON string. O(end - begin).
void escape_content(rewriter& out, std::string_view text, std::size_t begin, std::size_t end, content what);
/// Rewrites a string with its quotes.
void put_string(rewriter& out, std::string_view text, const quoted_run& run);
/// The same escapes as `escape_content` with `content::source`, for a copy: appends to `to`.
void append_source(std::string& to, std::string_view source);

} // namespace jsonheal::sanitize_detail
