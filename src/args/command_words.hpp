// The words of a command line with where they stood.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::args_detail {

struct command_word {
    std::string text;
    std::size_t begin = 0, end = 0; ///< bytes of the line
    bool quoted = false;            ///< it begins with a quote, so it is no flag
};

struct split_line {
    std::vector<command_word> words;
    std::string_view error; ///< empty if there is none
    std::size_t offset = 0;
};

/// See `split_command_line`.
[[nodiscard]] split_line split_words(std::string_view text);

} // namespace jsonheal::args_detail
