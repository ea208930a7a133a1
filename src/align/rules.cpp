/// @file rules.cpp
/// The table of coercions, read from align_rules.def.
#include <jsonheal/align.hpp>

namespace jsonheal {

namespace {

constexpr align_rule_info table[] = {
#define JSONHEAL_ALIGN_RULE(id, risk_of_rule, cost, meaning, schema, before, after)                          \
    {#id, risk::risk_of_rule, cost, meaning, schema, before, after},
#include <jsonheal/align_rules.def>
#undef JSONHEAL_ALIGN_RULE
};

} // namespace

std::span<const align_rule_info> align_rules() noexcept { return table; }

const align_rule_info& info(align_rule r) noexcept { return table[static_cast<std::size_t>(r)]; }

} // namespace jsonheal
