#include "engine_options.hpp"

#include "spelling.hpp"

#include <stdexcept>

namespace jsonheal::cli {

namespace {

const std::string policies = "Policies";
const std::string limits = "Limits";

} // namespace

std::string no_such_rule(std::string_view id) {
    std::vector<std::string_view> ids;
    for (const rule_info& row : rules()) { ids.push_back(row.id); }
    const std::string hint = did_you_mean(id, ids);
    return "there is no rule '" + std::string(id) + "'" +
           (hint.empty() ? "; `jsonheal rules` lists them" : hint);
}

namespace {

void add_policies(command_line& line, heal_options& o) {
    const auto group = [](option added) { added.under(policies); };
    group(add_choice<preset>(line, "--preset", o.preset, {{"whole", preset::whole}, {"live", preset::live}},
                             "whole: the best value of the whole text; live: the first, as in a stream"));
    group(add_choice<risk>(line, "--max-risk", o.max_risk,
                           {{"exact", risk::exact},
                            {"likely", risk::likely},
                            {"invented", risk::invented},
                            {"lossy", risk::lossy}},
                           "refuse a text that needs a change of higher risk than this"));
    group(add_choice<several_policy>(line, "--several", o.several,
                                     {{"automatic", several_policy::automatic},
                                      {"first", several_policy::first},
                                      {"last", several_policy::last},
                                      {"all", several_policy::all}},
                                     "which of several values is meant"));
    group(add_choice<missing_policy>(line, "--missing", o.missing,
                                     {{"null", missing_policy::null}, {"drop", missing_policy::drop}},
                                     "what a member without a value becomes"));
    group(
        add_choice<nonfinite_policy>(line, "--nonfinite", o.nonfinite,
                                     {{"string", nonfinite_policy::string}, {"null", nonfinite_policy::null}},
                                     "what NaN and Infinity become"));
    group(add_choice<undefined_policy>(
        line, "--undefined", o.undefined,
        {{"null", undefined_policy::null}, {"string", undefined_policy::string}}, "what undefined becomes"));
    group(add_choice<cut_number_policy>(
        line, "--cut-number", o.cut_number,
        {{"keep", cut_number_policy::keep}, {"withhold", cut_number_policy::withhold}},
        "what becomes of a number at the end of a cut text"));
    const auto forbid = [&o](const std::string& id) {
        const auto found = rule_by_name(id);
        if (!found) { throw usage_mistake("--forbid", no_such_rule(id)); }
        o.forbidden.add(*found);
    };
    group(line.list("--forbid", forbid, "refuse a text that needs one of these rules").shows("RULE,..."));
}

template <class Number>
void add_limit(command_line& line, const std::string& flag, Number& target, std::uint64_t most,
               const std::string& help) {
    line.number(flag, target, {0, most}, help + " (" + std::to_string(target) + ")").under(limits).shows("N");
}

} // namespace

void add_engine_options(command_line& line, heal_options& o) {
    add_policies(line, o);
    const heal_limits most;
    constexpr std::uint64_t any = 0xFFFF'FFFF;
    add_limit(line, "--max-bytes", o.limits.bytes, most.bytes, "refuse a longer text");
    add_limit(line, "--max-depth", o.limits.depth, any, "refuse a text with more brackets open at once");
    add_limit(line, "--max-edits", o.limits.edits, any, "refuse a text that needs more changes");
    add_limit(line, "--look-ahead", o.limits.look_ahead, any, "bytes looked at before a decision");
    add_limit(line, "--hold-back", o.limits.hold_back, any,
              "bytes of one undecided key, number or run of blanks");
}

std::string contradiction(const heal_options& options) {
    try {
        const healer probe(options);
    } catch (const std::invalid_argument& e) { return e.what(); }
    return {};
}

} // namespace jsonheal::cli
