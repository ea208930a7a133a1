/// @file cut_reading.hpp
/// What the beginning of a strict JSON text holds for certain, and where it stops: a second opinion on law 4.
#pragma once

#include <jsonheal/heal.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace jsonheal_test {

/// The reading of a text that may have been cut.
struct cut_reading {
    bool nothing = false;                    ///< no value had begun
    bool whole = false;                      ///< the value is complete as far as one can tell
    std::string json;                        ///< what is certain, closed
    std::vector<jsonheal::cut_place> places; ///< the names for the place that are right
};

/// @pre `prefix` is the beginning of a valid JSON text (it may end inside a character)
[[nodiscard]] cut_reading read_cut(std::string_view prefix);

} // namespace jsonheal_test
