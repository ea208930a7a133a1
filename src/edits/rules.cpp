/// @file rules.cpp
/// The table of rules, read from rules.def, and look-ups in it.
#include <jsonheal/edits.hpp>

#include <algorithm>
#include <array>

namespace jsonheal {
namespace {

/// A view of a literal that may hold NUL bytes: the literal's own length counts, not strlen.
template <std::size_t N>
constexpr std::string_view view_of(const char (&literal)[N]) noexcept {
    return {literal, N - 1};
}

constexpr rule_info table[] = {
#define JSONHEAL_RULE(id, risk_of_rule, meaning, before, after)                                              \
    {#id, risk::risk_of_rule, view_of(meaning), view_of(before), view_of(after)},
#include <jsonheal/rules.def>
#undef JSONHEAL_RULE
};

constexpr std::array<std::string_view, 4> risk_names{"exact", "likely", "invented", "lossy"};

} // namespace

std::span<const rule_info> rules() noexcept { return table; }

const rule_info& info(rule r) noexcept { return table[static_cast<std::size_t>(r)]; }

std::optional<rule> rule_by_name(std::string_view id) noexcept {
    const auto* const row =
        std::find_if(std::begin(table), std::end(table), [id](const rule_info& i) { return i.id == id; });
    if (row == std::end(table)) { return std::nullopt; }
    return static_cast<rule>(row - std::begin(table));
}

std::string_view name(risk r) noexcept { return risk_names[static_cast<std::size_t>(r)]; }

std::optional<risk> risk_by_name(std::string_view name) noexcept {
    const auto* const place = std::find(risk_names.begin(), risk_names.end(), name);
    if (place == risk_names.end()) { return std::nullopt; }
    return static_cast<risk>(place - risk_names.begin());
}

} // namespace jsonheal
