#include <jsonheal/answer.hpp>

#include <algorithm>
#include <utility>

namespace jsonheal {

namespace {

std::string describe(const healing& h, const std::vector<candidate>& all) {
    if (all.empty() || !h.ok()) { return std::string(h.why.message); }
    std::size_t taken = 0, first = 0, last = 0;
    std::vector<std::string_view> left; // the rules of the others, each once
    for (const candidate& c : all) {
        if (c.taken) {
            if (taken++ == 0) { first = c.begin; }
            last = c.end;
        } else if (std::find(left.begin(), left.end(), info(c.why).id) == left.end()) {
            left.push_back(info(c.why).id);
        }
    }
    const std::string place = "at bytes " + std::to_string(first) + " to " + std::to_string(last);
    if (all.size() == 1) { return "took the only value, " + place; }
    std::string out =
        "took " + std::to_string(taken) + " of " + std::to_string(all.size()) + " values, " + place;
    if (taken > 1) { out += ", as a list"; }
    if (taken == all.size()) { return out; }
    out += "; left " + std::to_string(all.size() - taken) + ": ";
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (i != 0) { out += ", "; }
        out += left[i];
    }
    return out;
}

} // namespace

answered answer(std::string_view text, const heal_options& options) {
    heal_options asked = options;
    asked.preset = preset::whole;
    asked.list_candidates = true;
    answered a;
    a.result = heal(text, asked);
    a.candidates = std::move(a.result.candidates);
    a.result.candidates.clear();
    a.reason = describe(a.result, a.candidates);
    return a;
}

} // namespace jsonheal
