#include "terminal.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

namespace jsonheal::cli {

namespace {

std::string_view variable(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr ? value : std::string_view();
}

} // namespace

void add_color_option(command_line& line, color_choice& color) {
    add_choice<color_choice>(
        line, "--color", color,
        {{"auto", color_choice::automatic}, {"always", color_choice::always}, {"never", color_choice::never}},
        "colours; auto: on a terminal, unless NO_COLOR is set");
}

bool colored(color_choice color, int descriptor) {
    if (color != color_choice::automatic) { return color == color_choice::always; }
    return variable("NO_COLOR").empty() && variable("TERM") != "dumb" && ::isatty(descriptor) == 1;
}

std::size_t width_of(int descriptor) {
    constexpr std::size_t least = 20;
    std::size_t width = 0;
    const std::string_view said = variable("COLUMNS");
    (void)std::from_chars(said.data(), said.data() + said.size(), width);
    struct winsize size = {};
    if (width == 0 && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0) { width = size.ws_col; }
    return width == 0 ? 80 : std::clamp<std::size_t>(width, least, 10'000);
}

style style_of(risk r) noexcept {
    switch (r) {
    case risk::exact: return style::exact;
    case risk::likely: return style::likely;
    case risk::invented: return style::invented;
    case risk::lossy: break;
    }
    return style::lossy;
}

void append_styled(std::string& out, std::string_view text, style s, bool colors) {
    // Parameters of "select graphic rendition" (ECMA-48, 8.3.117); only the sixteen colours that users choose themselves.
    constexpr std::string_view codes[] = {"", "1", "2", "36", "32", "33", "35", "31", "1;31"};
    const std::string_view code = codes[static_cast<std::size_t>(s)];
    if (!colors || code.empty() || text.empty()) {
        out.append(text);
        return;
    }
    out.append("\x1b[").append(code).append("m").append(text).append("\x1b[0m");
}

} // namespace jsonheal::cli
