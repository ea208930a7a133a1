/// @file shrink.hpp
/// Makes a failing text smaller while it still fails.
#pragma once

#include <functional>
#include <string>

namespace jsonheal_test {

/// The smallest text found within `most_tries` calls for which `fails` holds. @pre fails(text)
[[nodiscard]] std::string shrink(std::string text, const std::function<bool(const std::string&)>& fails,
                                 std::size_t most_tries = 4000);

} // namespace jsonheal_test
