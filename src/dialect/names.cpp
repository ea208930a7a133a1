// What models call tools, and what these are called.
#include "bytes.hpp"

#include <jsonheal/dialect.hpp>

namespace jsonheal::dialect {

namespace {

using namespace detail;

/// A name without what models put around it: blanks, a leaked token, a counter.
/// ` functions.f:12 ` → `functions.f`, `f<|channel|>commentary` → `f`
std::string_view without_trailer(std::string_view name) noexcept {
    name = trimmed(name.substr(0, name.find("<|")));
    std::size_t end = name.size();
    while (end > 0 && is_digit(name[end - 1])) { --end; }
    if (end < name.size() && end > 0 && name[end - 1] == ':') { name = name.substr(0, end - 1); }
    return name;
}

bool same_but_for_marks(std::string_view a, std::string_view b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
        const auto plain = [](char c) { return c == '-' || c == '.' || c == ' ' ? '_' : to_lower(c); };
        return plain(x) == plain(y);
    });
}

} // namespace

std::size_t tool_names::find(std::string_view name) const noexcept {
    for (std::size_t i = 0; i < tools_.size(); ++i) {
        if (tools_[i].name == name) { return i; }
    }
    return none;
}

std::size_t tool_names::meant(std::string_view written) const noexcept {
    if (const std::size_t i = find(written); i != none) { return i; }
    std::string_view name = without_trailer(written);
    if (const std::size_t i = find(name); i != none) { return i; }
    for (const std::string_view prefix :
         {"functions.", "tools.", "default_api.", "functions:", "functions_", "function.", "functions"}) {
        if (!name.starts_with(prefix) || name.size() == prefix.size()) { continue; }
        name.remove_prefix(prefix.size());
        if (const std::size_t i = find(name); i != none) { return i; }
        break;
    }
    // `get_weather_1`, `getweather1`: a counter glued on
    std::size_t end = name.size();
    while (end > 0 && is_digit(name[end - 1])) { --end; }
    if (end > 0 && end < name.size()) {
        std::string_view shorter = name.substr(0, end);
        if (const std::size_t i = find(shorter); i != none) { return i; }
        if (shorter.back() == '_' || shorter.back() == '-') { shorter.remove_suffix(1); }
        if (const std::size_t i = find(shorter); i != none) { return i; }
    }
    // a namespace before it, an @ too few or too many, other marks between its words
    if (const std::size_t mark = name.find_last_of(":/"); mark != std::string_view::npos) {
        if (const std::size_t i = find(name.substr(mark + 1)); i != none) { return i; }
    }
    for (std::size_t i = 0; i < tools_.size(); ++i) {
        const std::string_view known = tools_[i].name;
        if ((name.starts_with('@') && name.substr(1) == known) ||
            (known.starts_with('@') && known.substr(1) == name)) {
            return i;
        }
    }
    std::size_t only = none;
    for (std::size_t i = 0; i < tools_.size(); ++i) {
        if (!same_but_for_marks(tools_[i].name, name)) { continue; }
        if (only != none) { return none; }
        only = i;
    }
    return only;
}

bool tool_names::declares(std::size_t index, std::string_view parameter) const noexcept {
    if (index == none) { return false; }
    const auto& all = tools_[index].parameters;
    return std::find(all.begin(), all.end(), parameter) != all.end();
}

bool tool_names::may_have(std::size_t index, std::string_view parameter) const noexcept {
    return index == none || !tools_[index].has_schema || declares(index, parameter);
}

} // namespace jsonheal::dialect
