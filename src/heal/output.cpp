#include "output.hpp"

namespace jsonheal::heal_detail {

namespace {

constexpr bool blank(char c) noexcept { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

} // namespace

bool same_but_blanks(std::string_view a, std::string_view b) noexcept {
    std::size_t i = 0, j = 0;
    bool in_string = false;
    for (;;) {
        if (!in_string) {
            while (i < a.size() && blank(a[i])) { ++i; }
            while (j < b.size() && blank(b[j])) { ++j; }
        }
        if (i == a.size() || j == b.size()) { return i == a.size() && j == b.size(); }
        if (a[i] != b[j]) { return false; }
        if (in_string && a[i] == '\\') {
            ++i;
            ++j;
            if (i == a.size() || j == b.size() || a[i] != b[j]) { return false; }
        } else if (a[i] == '"') {
            in_string = !in_string;
        }
        ++i;
        ++j;
    }
}

} // namespace jsonheal::heal_detail
