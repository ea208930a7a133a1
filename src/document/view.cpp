/// @file view.cpp
/// Looking at a document.

#include "bytes.hpp"

#include <jsonheal/document.hpp>

namespace jsonheal {

using namespace document_detail;

std::string_view name(value_kind k) noexcept {
    constexpr std::string_view names[] = {"null", "boolean", "number", "string", "array", "object"};
    return names[static_cast<std::size_t>(k)];
}

namespace {

std::string_view without_quotes(std::string_view quoted) noexcept {
    return quoted.substr(1, quoted.size() - 2);
}

} // namespace

std::string_view value_view::string(std::string& scratch) const {
    const std::string_view content = without_quotes(source());
    if (!has_escape()) { return content; }
    scratch.clear();
    decode_content(content, scratch);
    return scratch;
}

std::string value_view::string() const {
    std::string decoded;
    decode_content(without_quotes(source()), decoded);
    return decoded;
}

bool value_view::string_is(std::string_view wtf8) const {
    const std::string_view content = without_quotes(source());
    if (!has_escape()) { return content == wtf8; }
    return content.size() > wtf8.size() && string() == wtf8; // every escape is longer than what it stands for
}

std::size_t value_view::size() const noexcept {
    const document_detail::node& n = node();
    const std::size_t counted = n.bits / document_detail::node::one_child;
    if (counted < document_detail::node::most_children / document_detail::node::one_child) { return counted; }
    std::size_t walked = 0;
    if (is(value_kind::array)) {
        for ([[maybe_unused]] const value_view v : elements()) { ++walked; }
    } else {
        for ([[maybe_unused]] const jsonheal::member m : members()) { ++walked; }
    }
    return walked;
}

value_view value_view::at(std::size_t index) const noexcept {
    auto i = elements().begin();
    while (index-- != 0) { ++i; }
    return *i;
}

std::optional<value_view> value_view::find(std::string_view wtf8_key) const {
    std::optional<value_view> found;
    for (const jsonheal::member m : members()) {
        if (m.key.string_is(wtf8_key)) { found = m.value; }
    }
    return found;
}

} // namespace jsonheal
