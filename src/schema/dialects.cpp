/// @file dialects.cpp
/// The tables of dialects, keywords and vocabularies.

#include "dialects.hpp"

#include "metaschemas.hpp"

#include <string>
#include <unordered_map>

namespace jsonheal::schema {

namespace {

struct dialect_row {
    schema::dialect value;
    std::string_view name;
    std::string_view uri; ///< of the metaschema, without `#`
};
constexpr dialect_row dialects[] = {
    {dialect::draft4, "4", "http://json-schema.org/draft-04/schema"},
    {dialect::draft6, "6", "http://json-schema.org/draft-06/schema"},
    {dialect::draft7, "7", "http://json-schema.org/draft-07/schema"},
    {dialect::draft2019_09, "2019-09", "https://json-schema.org/draft/2019-09/schema"},
    {dialect::draft2020_12, "2020-12", "https://json-schema.org/draft/2020-12/schema"},
    {dialect::draft2020_12, "latest", "http://json-schema.org/schema"},
};

/// `http` and `https` name the same metaschema, and an empty fragment says nothing.
std::string_view without_scheme(std::string_view uri) noexcept {
    if (uri.ends_with('#')) { uri.remove_suffix(1); }
    for (const std::string_view scheme : {std::string_view("https://"), std::string_view("http://")}) {
        if (uri.starts_with(scheme)) { return uri.substr(scheme.size()); }
    }
    return {};
}

} // namespace

std::string_view name(dialect d) noexcept { return dialects[static_cast<std::size_t>(d)].name; }

std::optional<dialect> dialect_named(std::string_view name_or_uri) noexcept {
    const std::string_view bare = without_scheme(name_or_uri);
    std::string_view short_name = name_or_uri;
    if (short_name.starts_with("draft")) { short_name.remove_prefix(5); }
    if (short_name.starts_with("-")) { short_name.remove_prefix(1); }
    for (const dialect_row& row : dialects) {
        if (short_name == row.name) { return row.value; }
        if (!bare.empty() && bare == without_scheme(row.uri)) { return row.value; }
    }
    return std::nullopt;
}

namespace detail {

namespace {

constexpr std::array<keyword_info, keyword_count> keywords{{
#define JSONHEAL_KEYWORD(identifier, name, first, last, vocabulary_, shape)                                  \
    {name, dialect::first, dialect::last, vocabulary::vocabulary_, schema_shape::shape},
#include "keywords.def"
#undef JSONHEAL_KEYWORD
}};

const std::unordered_map<std::string_view, keyword>& keywords_by_name() {
    static const std::unordered_map<std::string_view, keyword> map = [] {
        std::unordered_map<std::string_view, keyword> made;
        for (std::size_t i = 0; i != keyword_count; ++i) {
            made.emplace(keywords[i].name, static_cast<keyword>(i));
        }
        return made;
    }();
    return map;
}

struct vocabulary_row {
    std::string_view last; ///< segment of the URI
    detail::vocabulary value;
};
constexpr vocabulary_row vocabularies[] = {
    {"core", vocabulary::core},
    {"applicator", vocabulary::applicator},
    {"unevaluated", vocabulary::unevaluated},
    {"validation", vocabulary::validation},
    {"format", vocabulary::format},
    {"format-annotation", vocabulary::format},
    {"format-assertion", vocabulary::format},
};

} // namespace

const keyword_info& info(keyword k) noexcept { return keywords[static_cast<std::size_t>(k)]; }

std::optional<keyword> find_keyword(std::string_view name, dialect d, vocabulary_set on) noexcept {
    const auto& by_name = keywords_by_name();
    const auto found = by_name.find(name);
    if (found == by_name.end()) { return std::nullopt; }
    const keyword_info& row = info(found->second);
    if (d < row.first || d > row.last || !on.has(row.vocabulary)) { return std::nullopt; }
    return found->second;
}

void add_vocabulary(std::string_view uri, vocabulary_set& on) noexcept {
    constexpr std::string_view bases[] = {"https://json-schema.org/draft/2019-09/vocab/",
                                          "https://json-schema.org/draft/2020-12/vocab/"};
    for (const std::string_view base : bases) {
        if (!uri.starts_with(base)) { continue; }
        const std::string_view last = uri.substr(base.size());
        for (const vocabulary_row& row : vocabularies) {
            if (row.last == last) { on.add(row.value); }
        }
        // 2019-09 has the unevaluated keywords among the applicators.
        if (last == "applicator" && base == bases[0]) { on.add(vocabulary::unevaluated); }
        if (last == "format-assertion") { on.asserts_formats = true; }
    }
}

std::string_view find_metaschema(std::string_view uri) {
    static const std::unordered_map<std::string, std::string_view> by_uri = [] {
        std::unordered_map<std::string, std::string_view> made;
        for (const std::string_view text : metaschema_texts()) {
            const parse_result parsed = document::parse_borrowed(text);
            const value_view root = parsed.value.root();
            if (!root.is(value_kind::object)) { continue; }
            std::optional<value_view> id = root.find("$id");
            if (!id) { id = root.find("id"); }
            if (!id || !id->is(value_kind::string)) { continue; }
            std::string key = id->string();
            if (key.ends_with('#')) { key.pop_back(); }
            made.emplace(std::move(key), text);
        }
        return made;
    }();
    const auto found = by_uri.find(std::string(uri));
    return found == by_uri.end() ? std::string_view() : found->second;
}

} // namespace detail

} // namespace jsonheal::schema
