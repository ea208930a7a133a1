/// @file extract.hpp
/// JSON in prose: every value that a model's text holds, healed, with where it stood.
#pragma once

#include <jsonheal/heal.hpp>

#include <string_view>
#include <vector>

namespace jsonheal {

/// All values in a text, in order: in fences, tags, lists, prose, reasoning; glued, repeated or drafts.
///
/// The engine's own candidates, under the same options as `heal`; each is healed. Objects and arrays count, and a
/// string, number or literal that is all there is. Empty if there is none. O(text). The preset is always `whole`.
///
/// @code
/// auto found = jsonheal::extract("first {a: 1}, then [2,]");
/// assert(found.size() == 2 && found[1].json == "[2]");
/// @endcode
[[nodiscard]] std::vector<candidate> extract(std::string_view text, const heal_options& options = {});

} // namespace jsonheal
