/// @file answer.hpp
/// A model's reply to the value it meant: which candidate was taken, and why.
#pragma once

#include <jsonheal/heal.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace jsonheal {

/// What `answer` decided.
struct answered {
    healing result;                    ///< as `heal` gives it
    std::vector<candidate> candidates; ///< every value in the text, in order
    std::string reason;                ///< one sentence: what was taken, what was left and why
};

/// Finds the value that a reply means and says how it was chosen. O(text). The preset is always `whole`.
///
/// Of several values: copies are one; drafts inside reasoning, citations, code in fences of other languages, bare
/// scalars and empty objects give way; values glued or one a line are a list; of values parted by prose the last is
/// meant (`heal_options::several` overrides this).
///
/// @code
/// auto a = jsonheal::answer("<think>{\"draft\":1}</think>{\"final\":2}");
/// assert(a.result.json() == "{\"final\":2}");
/// assert(a.reason == "took 1 of 2 values, at bytes 26 to 37; left 1: reasoning");
/// @endcode
[[nodiscard]] answered answer(std::string_view text, const heal_options& options = {});

} // namespace jsonheal
