#include <jsonheal/extract.hpp>

#include <utility>

namespace jsonheal {

std::vector<candidate> extract(std::string_view text, const heal_options& options) {
    heal_options asked = options;
    asked.preset = preset::whole;
    asked.list_candidates = true;
    healing h = heal(text, asked);
    return std::move(h.candidates);
}

} // namespace jsonheal
