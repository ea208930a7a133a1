// Whether JSON that arrives in pieces has become one whole value: brackets counted, strings passed over.
#pragma once

#include <cstddef>
#include <string_view>

namespace jsonheal::wire_detail {

/// For objects and arrays; nothing else is ever whole. O(piece) each.
/// `{"a":` no, then `"}"}` yes
class json_extent {
public:
    void feed(std::string_view piece) noexcept {
        for (const char c : piece) {
            if (in_string_) {
                if (escape_) {
                    escape_ = false;
                } else if (c == '\\') {
                    escape_ = true;
                } else if (c == '"') {
                    in_string_ = false;
                }
            } else if (c == '"') {
                in_string_ = true;
            } else if (c == '{' || c == '[') {
                ++depth_;
                opened_ = true;
            } else if ((c == '}' || c == ']') && depth_ > 0) {
                --depth_;
            }
        }
    }
    [[nodiscard]] bool whole() const noexcept { return opened_ && depth_ == 0 && !in_string_; }

private:
    std::size_t depth_ = 0;
    bool opened_ = false, in_string_ = false, escape_ = false;
};

} // namespace jsonheal::wire_detail
