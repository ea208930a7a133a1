// Helpers on healed text.
#pragma once

#include <string_view>

namespace jsonheal::heal_detail {

/// Are two healed texts the same but for blanks between tokens? O(both).
[[nodiscard]] bool same_but_blanks(std::string_view a, std::string_view b) noexcept;

} // namespace jsonheal::heal_detail
