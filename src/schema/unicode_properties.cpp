/// @file unicode_properties.cpp
/// The names of Unicode properties.

#include "unicode_properties.hpp"

#include <algorithm>
#include <string>

namespace jsonheal::schema::detail {

namespace {

/// General categories: the name that both engines know, and the long ones of PropertyValueAliases.txt.
struct category {
    std::string_view brief;
    std::string_view names[3];
};
constexpr category categories[] = {
    {"C", {"Other"}},
    {"Cc", {"Control", "cntrl"}},
    {"Cf", {"Format"}},
    {"Cn", {"Unassigned"}},
    {"Co", {"Private_Use"}},
    {"Cs", {"Surrogate"}},
    {"L", {"Letter"}},
    {"Ll", {"Lowercase_Letter"}},
    {"Lm", {"Modifier_Letter"}},
    {"Lo", {"Other_Letter"}},
    {"Lt", {"Titlecase_Letter"}},
    {"Lu", {"Uppercase_Letter"}},
    {"M", {"Mark", "Combining_Mark"}},
    {"Mc", {"Spacing_Mark"}},
    {"Me", {"Enclosing_Mark"}},
    {"Mn", {"Nonspacing_Mark"}},
    {"N", {"Number"}},
    {"Nd", {"Decimal_Number", "digit"}},
    {"Nl", {"Letter_Number"}},
    {"No", {"Other_Number"}},
    {"P", {"Punctuation", "punct"}},
    {"Pc", {"Connector_Punctuation"}},
    {"Pd", {"Dash_Punctuation"}},
    {"Pe", {"Close_Punctuation"}},
    {"Pf", {"Final_Punctuation"}},
    {"Pi", {"Initial_Punctuation"}},
    {"Po", {"Other_Punctuation"}},
    {"Ps", {"Open_Punctuation"}},
    {"S", {"Symbol"}},
    {"Sc", {"Currency_Symbol"}},
    {"Sk", {"Modifier_Symbol"}},
    {"Sm", {"Math_Symbol"}},
    {"So", {"Other_Symbol"}},
    {"Z", {"Separator"}},
    {"Zl", {"Line_Separator"}},
    {"Zp", {"Paragraph_Separator"}},
    {"Zs", {"Space_Separator"}},
};

std::string_view category_named(std::string_view name) noexcept {
    for (const category& c : categories) {
        if (c.brief == name || std::find(std::begin(c.names), std::end(c.names), name) != std::end(c.names)) {
            return c.brief;
        }
    }
    return {};
}

void add_range(char32_t last, bool negated, code_point_set& set) {
    if (!negated) {
        set.add(0, last);
    } else if (last < last_code_point) {
        set.add(last + 1, last_code_point);
    }
}

} // namespace

bool add_unicode_property(std::string_view name, bool negated, code_point_set& set) {
    const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               c == '=';
    });
    if (!plain) { return false; }
    const std::size_t equals = name.find('=');
    const std::string_view property =
        equals == std::string_view::npos ? std::string_view() : name.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? name : name.substr(equals + 1);
    const bool script = property == "Script" || property == "sc";
    const bool extensions = property == "Script_Extensions" || property == "scx";
    const bool general = property == "General_Category" || property == "gc";
    if (value.empty() || value.find('=') != std::string_view::npos) { return false; }
    if (!property.empty() && !script && !extensions && !general) { return false; }

    std::string spelled = negated ? "\\P{" : "\\p{";
    if (property.empty() || general) {
        if (property.empty() && value == "Any") {
            add_range(last_code_point, negated, set);
            return true;
        }
        if (property.empty() && value == "ASCII") {
            add_range(0x7F, negated, set);
            return true;
        }
        if (value == "LC" || value == "Cased_Letter") {
            set.add_property(negated ? "\\P{L&}" : "\\p{Lu}\\p{Ll}\\p{Lt}");
            return true;
        }
        const std::string_view brief = category_named(value);
        if (general && brief.empty()) { return false; }
        set.add_property(spelled.append(brief.empty() ? value : brief).append("}"));
        return true;
    }
    set.add_property(spelled.append(extensions ? "scx:" : "").append(value).append("}"));
    return true;
}

} // namespace jsonheal::schema::detail
