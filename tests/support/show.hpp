/// @file show.hpp
/// Texts, options and outcomes as one readable line, for the messages of failing tests.
#pragma once

#include <jsonheal/heal.hpp>

#include <string>
#include <string_view>

namespace jsonheal_test {

/// A text as a C++ string literal; the middle of a long one is left out.
[[nodiscard]] std::string show(std::string_view text);
/// The options that differ from the defaults.
[[nodiscard]] std::string show(const jsonheal::heal_options& options);
/// `[3,4)->"x" comma_missing`
[[nodiscard]] std::string show(const jsonheal::edit& e);
/// Verdict, risk, text, edits, reason of refusal.
[[nodiscard]] std::string show(const jsonheal::healing& h);

} // namespace jsonheal_test
