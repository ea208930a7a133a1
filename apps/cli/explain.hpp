/// @file explain.hpp
/// A healing shown to people: the text, its changes under their places, and what it all means.
#pragma once

#include "console.hpp"
#include "terminal.hpp"

#include <jsonheal/answer.hpp>

#include <cstddef>
#include <string_view>

namespace jsonheal::cli {

/// What is explained.
struct explained {
    std::string_view name; ///< of the input
    std::string_view text;
    const healing& result;
    std::string_view reason; ///< which of several values was taken; empty if there was no choice
    risk ceiling = risk::lossy;
};

struct plain_look {
    std::size_t width = 80; ///< columns
    bool colors = false;
};

/// Changes that are shown unless all are asked for.
inline constexpr std::size_t default_changes = 100;

/// As text for a terminal. O(text + changes shown).
void explain_plain(const explained& what, std::size_t most_changes, plain_look look, buffered_output& out);

/// The page around the sections of `explain_html`.
void begin_html(buffered_output& out);
void end_html(buffered_output& out);
/// As a section of a page without scripts or anything from elsewhere. Folded lines can be opened.
void explain_html(const explained& what, std::size_t most_changes, buffered_output& out);

} // namespace jsonheal::cli
