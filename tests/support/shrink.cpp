#include "shrink.hpp"

#include <algorithm>

namespace jsonheal_test {

std::string shrink(std::string text, const std::function<bool(const std::string&)>& fails,
                   std::size_t most_tries) {
    std::size_t tries = 0;
    auto still_fails = [&](const std::string& candidate) { return tries++ < most_tries && fails(candidate); };
    bool smaller = true;
    while (smaller && tries < most_tries) {
        smaller = false;
        for (std::size_t size = std::max<std::size_t>(text.size() / 2, 1); size > 0; size /= 2) {
            for (std::size_t at = 0; at + size <= text.size();) {
                std::string candidate = text;
                candidate.erase(at, size);
                if (still_fails(candidate)) {
                    text = std::move(candidate);
                    smaller = true;
                } else {
                    at += size;
                }
            }
        }
        // Plain letters and digits are easier to read than what stood there.
        for (std::size_t at = 0; at < text.size(); ++at) {
            for (char plain : {'a', '1', ' '}) {
                char c = text[at];
                if (c == 'a' || (plain != 'a' && (c == '1' || c == ' '))) { break; }
                std::string candidate = text;
                candidate[at] = plain;
                if (still_fails(candidate)) { text = std::move(candidate); }
            }
        }
    }
    return text;
}

} // namespace jsonheal_test
