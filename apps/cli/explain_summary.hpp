/// @file explain_summary.hpp
/// What became of a text, in a sentence.
#pragma once

#include "report.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::cli {

/// `inside a string`; empty for `cut_place::none`. Behind "the text was cut off".
[[nodiscard]] std::string_view cut_phrase(cut_place cut);

/// What the whole log says, read once. O(text + log).
struct overview {
    std::size_t changes = 0;
    bool all_exact = true;
    change riskiest; ///< the first of the highest risk
    text_position riskiest_at;
    text_position cut_at; ///< where a truncated text stopped
};
[[nodiscard]] overview look_over(std::string_view text, const healing& h);

/// `Healed with 3 edits, the riskiest likely: a lost colon is put in (line 3).` For a refusal `ceiling` is what the
/// caller allowed.
[[nodiscard]] std::string summary_of(std::string_view text, const healing& h, const overview& seen,
                                     risk ceiling);

/// The first changes of a log, and where the text was refused. A refusal undoes the changes unless some of them had
/// been handed out; without a place in the text (no JSON at all) there is nothing to show.
[[nodiscard]] std::vector<change> changes_to_show(const healing& h, std::size_t most);

/// `12 345 more edits, from line 210 on`
[[nodiscard]] std::string more_changes(std::string_view text, const healing& h, std::size_t shown,
                                       const overview& seen);

/// `12 345`
[[nodiscard]] std::string grouped(std::size_t n);

} // namespace jsonheal::cli
