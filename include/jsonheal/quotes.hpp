/// @file quotes.hpp
/// Typographic quotes to plain ones, in code that a model wrote as if for print.
///
/// All offsets and sizes are bytes. O(text) time in one pass. No function throws but std::bad_alloc. Bytes that are
/// not UTF-8 stay as they are.
#pragma once

#include <jsonheal/edits.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal {

/// Which characters become plain quotes. Each set holds the ones before it. docs/quotes.md lists them all.
enum class quote_set : std::uint8_t {
    curly,    ///< U+2018 U+2019 U+2032 to ', U+201C U+201D U+2033 to "
    standard, ///< also guillemets: U+00AB to <<, U+00BB to >>
    all       ///< also low, reversed, full-width, acute, triple and reversed primes, single guillemets
};

/// What a character of the set becomes; empty if it is none of them. Static storage. O(log characters).
[[nodiscard]] std::string_view plain_quote(char32_t code, quote_set set) noexcept;

struct quote_options {
    quote_set set = quote_set::standard;
    std::uint64_t max_bytes = 0xFFFF'FFFEull; ///< input bytes (4 GiB less two); a longer text is refused
};

/// A text with plain quotes, and the proof: `replay(input, edits)` gives `text`.
struct normalized_quotes {
    std::string text;        ///< empty if refused
    std::vector<edit> edits; ///< in order of position; empty if nothing changed
    bool refused = false;    ///< the text is longer than `quote_options::max_bytes`
};

/// Replaces every typographic quote of the set, wherever it stands: also inside strings and comments.
///
/// @code
/// assert(jsonheal::normalize_quotes("say(\u201Chi\u201D)").text == "say(\"hi\")");
/// @endcode
[[nodiscard]] normalized_quotes normalize_quotes(std::string_view text, const quote_options& options = {});

/// Does a file of that path hold code or configuration, by its extension or its name? Upper and lower case are alike; `/` and
/// `\` part folders. The empty path counts as code. O(path).
///
/// `.env` and `Dockerfile` do; `.env.local`, `Dockerfile.prod`, `CMakeLists.txt`, `.md` and `.txt` do not.
[[nodiscard]] bool is_code_path(std::string_view path) noexcept;

/// `normalize_quotes` if the path is that of code, else the text as it is.
[[nodiscard]] normalized_quotes normalize_code_file(std::string_view path, std::string_view text,
                                                    const quote_options& options = {});

} // namespace jsonheal
