// The table of formats as the reader and the writer see it.
#pragma once

#include <jsonheal/dialect.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace jsonheal::dialect::detail {

/// How a name stands in an opening tag.
enum class name_place : std::uint8_t {
    bare,      ///< `<function=f>`
    attribute, ///< `<invoke name="f">`
    line,      ///< up to the next tag: `f<arg_key>`
    element    ///< the tag itself: `<f>`
};

/// The tags of one family of bodies. Alternatives stand one a line, the first is the one that is written.
struct tag_style {
    std::string_view call_open;
    name_place call_name;
    std::string_view name_attribute;
    std::string_view call_close; ///< for `element` what stands before the name
    std::string_view param_open;
    name_place param_name;
    std::string_view key_attribute;
    std::string_view key_close; ///< behind a `line` key; `value_open` may follow
    std::string_view value_open;
    std::string_view param_close; ///< for `element` what stands before the name
    std::string_view type_attribute;
    std::string_view tag_end; ///< of an opening tag
    bool layout_newline;      ///< one line end on each side of a value is layout
};

enum class style_id : std::uint8_t {
    none,
    function,
    invoke,
    dsml,
    gcml,
    steptml,
    atem,
    cofl,
    function_name,
    kimi_k3,
    arg,
    longcat_arg,
    solar,
    minimax_m3,
    elements,
    count
};
[[nodiscard]] const tag_style& style_of(style_id s) noexcept;

/// How text outside bodies is arranged.
enum class arrangement : std::uint8_t {
    markers,   ///< markers anywhere
    harmony,   ///< messages with headers: `<|channel|>…<|message|>`
    glimmer,   ///< ` to=f<|message|>`
    inkling,   ///< `<|message_model|>f<|content_…|>`
    recipient, ///< `>>>f` lines
    channels,  ///< `<|open|>response<|sep|>`
    react      ///< labelled lines
};

/// One row of the table. Lists stand one a line.
struct format_row {
    call_format info;
    std::string_view sections = {}, section_ends = {}; ///< around several calls
    std::string_view calls = {}, call_ends = {};       ///< around one call or its body
    std::string_view reasoning = {}, reasoning_ends = {};
    std::string_view wrappers = {}; ///< dropped wherever they stand
    style_id style = style_id::none;
    arrangement arranged = arrangement::markers;
    std::string_view name_key = "name", arguments_key = "arguments";
};
[[nodiscard]] std::span<const format_row> rows() noexcept;
[[nodiscard]] const format_row& row_of(const call_format& f) noexcept;

/// Calls f with each entry of a list that stands one a line, until it returns true. Was there one?
template <class F>
bool any_of_lines(std::string_view list, F f) {
    while (!list.empty()) {
        const std::size_t end = list.find('\n');
        if (f(list.substr(0, end))) { return true; }
        if (end == std::string_view::npos) { return false; }
        list.remove_prefix(end + 1);
    }
    return false;
}
[[nodiscard]] constexpr std::string_view first_line(std::string_view list) noexcept {
    return list.substr(0, list.find('\n'));
}

} // namespace jsonheal::dialect::detail
