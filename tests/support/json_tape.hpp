/// @file json_tape.hpp
/// A tiny reader of valid JSON for the tests: a flat list of tokens, no tree, no recursion.
///
/// It reads the golden files, compares values, and tells where in a healed text each scalar stands.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal_test {

enum class token_kind { open_object, close_object, open_array, close_array, key, string, number, literal };

/// One token of a valid text.
struct token {
    token_kind kind{};
    std::size_t begin = 0; ///< first byte in the text
    std::size_t end = 0;   ///< one past the last
    std::size_t depth = 0; ///< brackets open before it
    std::size_t close = 0; ///< for an opener: index of its closer
    std::string text;      ///< strings and keys decoded, numbers in normal form, literals as they are
};

using json_tape = std::vector<token>;

/// The tokens of a text, or nothing if `check_strict_json` refuses it.
[[nodiscard]] std::optional<json_tape> read_json(std::string_view text);

/// The same tokens: members in the same order, numbers by exact value, strings by content.
[[nodiscard]] bool same_tokens(const json_tape& a, const json_tape& b);
/// Equal values: as `same_tokens`, but members in any order, and of repeated keys the last counts.
[[nodiscard]] bool same_value(const json_tape& a, const json_tape& b);

/// A decimal number without its freedom of spelling: `1.50e2` and `150` both give `15e1`. Exact at any length.
[[nodiscard]] std::string normal_number(std::string_view number);

/// The content of a JSON string given without its quotes. Lone surrogates become three bytes of their own.
[[nodiscard]] std::string decode_string(std::string_view body);

/// Appends a code point as UTF-8, surrogates included.
void append_utf8(std::string& out, unsigned code);

/// A view of one value in a tape, for reading test data.
class json_view {
public:
    json_view(std::string_view text, const json_tape& tape, std::size_t at)
        : text_(text), tape_(&tape), at_(at) {}

    [[nodiscard]] token_kind kind() const { return (*tape_)[at_].kind; }
    [[nodiscard]] const std::string& text() const { return (*tape_)[at_].text; }
    /// The bytes of the value as they stand in the file.
    [[nodiscard]] std::string_view source() const;
    /// A member of an object.
    [[nodiscard]] std::optional<json_view> get(std::string_view key) const;
    /// The members of an object as (key, value), the items of an array with empty keys.
    [[nodiscard]] std::vector<std::pair<std::string, json_view>> members() const;

private:
    std::size_t last(std::size_t at) const;

    std::string_view text_;
    const json_tape* tape_;
    std::size_t at_;
};

} // namespace jsonheal_test
