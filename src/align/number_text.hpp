/// @file number_text.hpp
/// Numbers as people write them, to numbers as JSON writes them. Digits are moved, never computed: nothing rounds.
#pragma once

#include <jsonheal/align.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace jsonheal::align_detail {

struct number_reading {
    std::string text; ///< as RFC 8259 section 6 has it
    align_rule rule{};
};

/// Reads a string that is a number and nothing else, and has one reading: `"12"`, `"+3"`, `"−5"`, `"1,234,567.5"`, `"3,14"`,
/// `"0x1F"`. What has several (`1,234`, `1.234`) needs a locale. With `lossy`, also a number with a currency or percent
/// sign, and the only number of a longer text. O(text).
[[nodiscard]] std::optional<number_reading> read_number(std::string_view text, const align_options& options,
                                                        bool lossy);

/// Whether RFC 8259 section 6 allows the spelling. O(text).
[[nodiscard]] bool is_json_number(std::string_view text) noexcept;

} // namespace jsonheal::align_detail
