// Values as models spell them in text.
#include "bytes.hpp"

#include <jsonheal/dialect.hpp>

namespace jsonheal::dialect {

using namespace detail;

std::optional<std::string> spelled_value(std::string_view text, kind_set kinds) {
    constexpr std::pair<std::string_view, std::string_view> words[] = {
        {"True", "true"}, {"TRUE", "true"}, {"False", "false"}, {"FALSE", "false"}, {"None", "null"}};
    text = trimmed(text);
    for (const auto& [word, json] : words) {
        if (text == word) { return std::string(json); }
    }
    if (text.empty()) { return std::nullopt; }
    const bool container = kinds.has(value_kind::object) || kinds.has(value_kind::array);
    if (!container || std::string_view("{[\"'").find(text.front()) == std::string_view::npos) {
        const parse_result p = document::parse_borrowed(text);
        return p ? std::optional(std::string(text)) : std::nullopt;
    }
    std::string inner(text);
    for (int level = 0; level < 3; ++level) {
        const healing h = heal(inner);
        if (!h.ok() || h.verdict == verdict::truncated) { return std::nullopt; }
        std::string json(trimmed(h.json()));
        if (json.front() != '"') { return json; }
        std::string decoded;
        if (!decode_string(json, decoded)) { return std::nullopt; }
        inner = std::move(decoded);
    }
    return std::nullopt;
}

} // namespace jsonheal::dialect
