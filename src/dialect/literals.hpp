// Calls written as Python or with strings between markers: their arguments to JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace jsonheal::dialect::detail {

struct literal_style {
    bool python = true;     ///< only literals: an expression or a name is no value
    char closer = ')';      ///< what ends the arguments
    std::string_view quote; ///< another delimiter of strings: `<|"|>`
};

struct literal_result {
    enum class outcome : std::uint8_t { whole, cut, wrong } what = outcome::wrong;
    std::size_t end = 0; ///< one past the closer
    std::string json;    ///< an object; of a cut text what was certain
};

/// Reads arguments from behind their opening bracket. `name_of` gives the name of a value without one, or nothing. Of a
/// number, a word or a key at the end of the text nothing is kept. O(text).
/// `city="Faro", tags=['x'])` → `{"city":"Faro","tags":["x"]}`
[[nodiscard]] literal_result read_literals(std::string_view text, std::size_t begin,
                                           const literal_style& style,
                                           const std::function<std::string_view(std::size_t)>& name_of);

/// Finds the bracket that closes one, byte by byte, for a text that still arrives. A hint only: it knows strings and
/// brackets but no more.
class bracket_watch {
public:
    explicit bracket_watch(std::string_view quote = {}) : quote_(quote) {}
    /// Goes on at `from`; returns one past the closing bracket, or npos if it is not there yet. `from` becomes where to
    /// go on.
    [[nodiscard]] std::size_t look(std::string_view text, std::size_t& from);

private:
    [[nodiscard]] bool in_string(std::string_view text, std::size_t& i);
    std::string_view quote_;
    std::string_view open_; // the delimiter of the string it is in
    std::size_t depth_ = 0;
};

} // namespace jsonheal::dialect::detail
