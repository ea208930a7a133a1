/// @file options.hpp
/// Sets of options under which the laws are tried.
#pragma once

#include "random.hpp"

#include <jsonheal/heal.hpp>

#include <vector>

namespace jsonheal_test {

/// The presets with their defaults, first `whole`, then `live`.
[[nodiscard]] std::vector<jsonheal::heal_options> both_presets();
/// Both presets, each with ordinary and with very short look-ahead. The fast path is off in all of them.
[[nodiscard]] std::vector<jsonheal::heal_options> slow_path_variants();
/// Any options that do not contradict each other.
[[nodiscard]] jsonheal::heal_options random_options(random_source& random);
/// The options that a few bytes spell: for fuzzers. Every value is valid.
[[nodiscard]] jsonheal::heal_options options_from(std::uint32_t bits);

} // namespace jsonheal_test
