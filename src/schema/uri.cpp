/// @file uri.cpp
/// Resolving URI references; following and writing JSON Pointers.

#include "uri.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

namespace jsonheal::schema::detail {

namespace {

/// The parts of RFC 3986 section 3, each with a flag where empty and absent differ.
struct uri_parts {
    std::string_view scheme;
    std::string_view authority;
    std::string_view path;
    std::string_view query;
    bool has_scheme = false;
    bool has_authority = false;
    bool has_query = false;
};

bool is_scheme(std::string_view text) noexcept {
    if (text.empty()) { return false; }
    for (std::size_t i = 0; i != text.size(); ++i) {
        const char c = text[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const bool later = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
        if (!letter && !(i > 0 && later)) { return false; }
    }
    return true;
}

uri_parts parse(std::string_view uri) noexcept {
    uri_parts parts;
    const std::size_t colon = uri.find_first_of(":/?");
    if (colon != std::string_view::npos && uri[colon] == ':' && is_scheme(uri.substr(0, colon))) {
        parts.scheme = uri.substr(0, colon);
        parts.has_scheme = true;
        uri.remove_prefix(colon + 1);
    }
    if (uri.starts_with("//")) {
        const std::size_t end = std::min(uri.find_first_of("/?", 2), uri.size());
        parts.authority = uri.substr(2, end - 2);
        parts.has_authority = true;
        uri.remove_prefix(end);
    }
    const std::size_t question = uri.find('?');
    parts.path = uri.substr(0, question);
    if (question != std::string_view::npos) {
        parts.query = uri.substr(question + 1);
        parts.has_query = true;
    }
    return parts;
}

/// RFC 3986 section 5.2.4: `/a/./b/../c` → `/a/c`.
std::string remove_dot_segments(std::string_view path) {
    std::vector<std::string_view> kept;
    const bool absolute = path.starts_with('/');
    if (absolute) { path.remove_prefix(1); }
    bool directory = false;
    while (true) {
        const std::size_t slash = path.find('/');
        const std::string_view segment = path.substr(0, slash);
        const bool dots = segment == "." || segment == "..";
        if (segment == ".." && !kept.empty()) { kept.pop_back(); }
        if (!dots) { kept.push_back(segment); }
        directory = dots;
        if (slash == std::string_view::npos) { break; }
        path.remove_prefix(slash + 1);
    }
    if (directory) { kept.emplace_back(); }
    std::string out;
    for (std::size_t i = 0; i != kept.size(); ++i) {
        if (i > 0 || absolute) { out.push_back('/'); }
        out.append(kept[i]);
    }
    return out;
}

std::string merge(const uri_parts& base, std::string_view path) {
    if (base.has_authority && base.path.empty()) { return "/" + std::string(path); }
    const std::size_t slash = base.path.rfind('/');
    if (slash == std::string_view::npos) { return std::string(path); }
    return std::string(base.path.substr(0, slash + 1)).append(path);
}

std::string recompose(const uri_parts& parts, std::string_view path) {
    std::string out;
    if (parts.has_scheme) { out.append(parts.scheme).append(":"); }
    if (parts.has_authority) { out.append("//").append(parts.authority); }
    out.append(path);
    if (parts.has_query) { out.append("?").append(parts.query); }
    return out;
}

} // namespace

split_uri split_fragment(std::string_view uri) noexcept {
    const std::size_t hash = uri.find('#');
    if (hash == std::string_view::npos) { return {uri, {}, false}; }
    return {uri.substr(0, hash), uri.substr(hash + 1), true};
}

std::string resolve(std::string_view base, std::string_view reference) {
    uri_parts r = parse(reference);
    if (r.has_scheme) {
        // `urn:example:a` has no path to take dots from.
        return recompose(r, r.path.starts_with('/') ? remove_dot_segments(r.path) : std::string(r.path));
    }
    const uri_parts b = parse(base);
    r.scheme = b.scheme;
    r.has_scheme = b.has_scheme;
    if (r.has_authority) { return recompose(r, remove_dot_segments(r.path)); }
    r.authority = b.authority;
    r.has_authority = b.has_authority;
    if (r.path.empty()) {
        if (!r.has_query) {
            r.query = b.query;
            r.has_query = b.has_query;
        }
        return recompose(r, b.path);
    }
    if (r.path.starts_with('/')) { return recompose(r, remove_dot_segments(r.path)); }
    return recompose(r, remove_dot_segments(merge(b, r.path)));
}

std::optional<std::string> percent_decode(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i != text.size(); ++i) {
        if (text[i] != '%') {
            out.push_back(text[i]);
            continue;
        }
        unsigned value = 0;
        const char* const first = text.data() + i + 1;
        if (text.size() - i < 3) { return std::nullopt; }
        const auto [end, error] = std::from_chars(first, first + 2, value, 16);
        if (error != std::errc() || end != first + 2) { return std::nullopt; }
        out.push_back(static_cast<char>(value));
        i += 2;
    }
    return out;
}

namespace {

/// `a~1b~0` → `a/b~`; nothing if a tilde stands alone.
std::optional<std::string> unescape_token(std::string_view token) {
    std::string out;
    for (std::size_t i = 0; i != token.size(); ++i) {
        if (token[i] != '~') {
            out.push_back(token[i]);
            continue;
        }
        ++i;
        if (i == token.size() || (token[i] != '0' && token[i] != '1')) { return std::nullopt; }
        out.push_back(token[i] == '0' ? '~' : '/');
    }
    return out;
}

std::optional<value_view> element_named(value_view array, std::string_view token) {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
    const bool leading_zero = token.size() > 1 && token.front() == '0';
    if (error != std::errc() || end != token.data() + token.size() || leading_zero || index >= array.size()) {
        return std::nullopt;
    }
    return array.at(index);
}

} // namespace

std::optional<value_view> pointer_follower::member_named(value_view object, std::string_view key) {
    constexpr std::size_t few = 16;
    if (object.size() <= few) { return object.find(key); }
    const auto [at, added] = indexes_.try_emplace(object.index());
    key_table& index = at->second;
    if (added) {
        std::string scratch;
        for (const member m : object.members()) {
            index.set(m.key.string(scratch), m.value.index()); // of a repeated key the last counts
        }
    }
    const std::uint32_t found = index.find(key);
    if (found == key_table::not_found) { return std::nullopt; }
    return object.with_index(found);
}

std::optional<value_view> pointer_follower::follow(value_view root, std::string_view pointer) {
    value_view here = root;
    while (!pointer.empty()) {
        if (pointer.front() != '/') { return std::nullopt; }
        pointer.remove_prefix(1);
        const std::size_t slash = std::min(pointer.find('/'), pointer.size());
        const std::optional<std::string> token = unescape_token(pointer.substr(0, slash));
        pointer.remove_prefix(slash);
        if (!token) { return std::nullopt; }
        std::optional<value_view> next;
        if (here.is(value_kind::object)) { next = member_named(here, *token); }
        if (here.is(value_kind::array)) { next = element_named(here, *token); }
        if (!next) { return std::nullopt; }
        here = *next;
    }
    return here;
}

void append_token(std::string_view token, std::string& pointer) {
    pointer.push_back('/');
    for (const char c : token) {
        if (c == '~') {
            pointer.append("~0");
        } else if (c == '/') {
            pointer.append("~1");
        } else {
            pointer.push_back(c);
        }
    }
}

void append_pointer(value_view from, std::uint32_t index, std::string& pointer) {
    value_view here = from;
    std::string scratch;
    while (here.index() != index && index > here.index() && index < here.end_index()) {
        if (here.is(value_kind::array)) {
            std::size_t place = 0;
            for (const value_view element : here.elements()) {
                if (index < element.end_index()) {
                    pointer.append("/").append(std::to_string(place));
                    here = element;
                    break;
                }
                ++place;
            }
        } else if (here.is(value_kind::object)) {
            for (const member m : here.members()) {
                if (index >= m.value.end_index()) { continue; }
                append_token(m.key.string(scratch), pointer);
                if (index == m.key.index()) { return; }
                here = m.value;
                break;
            }
        } else {
            return;
        }
    }
}

std::string pointer_of(value_view from, std::uint32_t index) {
    std::string pointer;
    append_pointer(from, index, pointer);
    return pointer;
}

} // namespace jsonheal::schema::detail
