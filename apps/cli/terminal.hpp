/// @file terminal.hpp
/// What the terminal behind a descriptor can show: its width, and whether to colour.
#pragma once

#include "command_line.hpp"

#include <jsonheal/edits.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace jsonheal::cli {

enum class color_choice : std::uint8_t { automatic, always, never };

/// `--color auto|always|never`.
void add_color_option(command_line& line, color_choice& color);

/// Whether to colour what goes to `descriptor`. `automatic`: on a terminal, unless the environment says NO_COLOR or
/// a terminal that can do nothing (https://no-color.org).
[[nodiscard]] bool colored(color_choice color, int descriptor);

/// Columns: COLUMNS of the environment, else what the terminal says, else 80. Never below 20.
[[nodiscard]] std::size_t width_of(int descriptor);

/// What a piece of text is, for its colour.
enum class style : std::uint8_t { plain, strong, faint, stand_in, exact, likely, invented, lossy, refused };

[[nodiscard]] style style_of(risk r) noexcept;

/// Appends text in a style, or as it is where there are no colours. An empty text appends nothing.
void append_styled(std::string& out, std::string_view text, style s, bool colors);

} // namespace jsonheal::cli
