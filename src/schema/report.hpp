/// @file report.hpp
/// What `machine<true>` recorded, and the words for it.
#pragma once

#include "machine.hpp"

#include <string>
#include <vector>

namespace jsonheal::schema::detail {

/// The faults of one instance. Empty `units`: it fits.
struct recording {
    std::vector<unit> units;
    std::vector<path_entry> paths;
    stop_reason stopped = stop_reason::nothing;
};
[[nodiscard]] recording record_faults(const program_data& p, value_view root, const validate_limits& limits);

/// Units that stand between `begin` and `end` and are part of no other there, in their order.
[[nodiscard]] std::vector<std::uint32_t> outermost(const std::vector<unit>& units, std::uint32_t begin,
                                                   std::uint32_t end);

/// What a unit says.
struct wording {
    std::string keyword;
    std::string expected;
    std::string got;
    std::string message;
};
/// `pointer`: of the instance, for the message.
[[nodiscard]] wording words_for(const program_data& p, value_view root, const recording& r, const unit& u,
                                std::string_view pointer);

} // namespace jsonheal::schema::detail
