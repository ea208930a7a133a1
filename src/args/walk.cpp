#include "walk.hpp"

#include <cstring>

namespace jsonheal::args_detail {

namespace {

constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// Past the comma behind a value, if there is one.
std::size_t skip_comma(std::string_view json, std::size_t i) noexcept {
    i = skip_blanks(json, i);
    return i < json.size() && json[i] == ',' ? i + 1 : i;
}

} // namespace

std::size_t skip_blanks(std::string_view json, std::size_t i) noexcept {
    while (i < json.size() && is_blank(json[i])) { ++i; }
    return i;
}

std::size_t skip_string(std::string_view json, std::size_t i) noexcept {
    std::size_t from = i + 1;
    while (from < json.size()) {
        const void* found = std::memchr(json.data() + from, '"', json.size() - from);
        if (found == nullptr) { break; }
        const auto quote = static_cast<std::size_t>(static_cast<const char*>(found) - json.data());
        std::size_t slash = quote;
        while (slash > from && json[slash - 1] == '\\') { --slash; }
        from = quote + 1;
        if ((quote - slash) % 2 == 0) { return from; }
    }
    return json.size();
}

std::size_t skip_value(std::string_view json, std::size_t i) noexcept {
    std::size_t depth = 0;
    while (i < json.size()) {
        const char c = json[i];
        if (c == '"') {
            i = skip_string(json, i);
        } else if (c == '{' || c == '[') {
            ++depth;
            ++i;
            continue;
        } else if (c == '}' || c == ']') {
            --depth;
            ++i;
        } else if (depth != 0) {
            ++i; // commas, colons, blanks, and the bytes of other scalars
            continue;
        } else {
            while (i < json.size() && !is_blank(json[i]) && json[i] != ',' && json[i] != '}' &&
                   json[i] != ']') {
                ++i;
            }
        }
        if (depth == 0) { return i; }
    }
    return i;
}

bool member_walk::next(member_span& m) noexcept {
    at_ = skip_blanks(json_, at_);
    if (at_ >= json_.size() || json_[at_] != '"') { return false; }
    m.key = {at_, skip_string(json_, at_)};
    const std::size_t colon = skip_blanks(json_, m.key.end);
    m.value.begin = skip_blanks(json_, colon + 1);
    m.value.end = skip_value(json_, m.value.begin);
    at_ = skip_comma(json_, m.value.end);
    return true;
}

bool element_walk::next(span& element) noexcept {
    at_ = skip_blanks(json_, at_);
    if (at_ >= json_.size() || json_[at_] == ']') { return false; }
    element = {at_, skip_value(json_, at_)};
    at_ = skip_comma(json_, element.end);
    return true;
}

} // namespace jsonheal::args_detail
