/// @file cases.hpp
/// Reads the files of cases; tests/args/README.md describes them.
#pragma once

#include <jsonheal/args.hpp>
#include <jsonheal/document.hpp>

#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal_test {

/// The document of a file below tests/args. Throws if there is none.
inline jsonheal::document read_cases(const std::string& name) {
    std::ifstream in("tests/args/" + name, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    jsonheal::parse_result parsed = jsonheal::document::parse(std::move(text));
    if (!in || !parsed) {
        throw std::runtime_error(name + " cannot be read: run it in the root of the sources");
    }
    return parsed.value;
}

/// The string of that name; empty if there is none.
inline std::string text_of(jsonheal::value_view c, std::string_view key) {
    const auto v = c.find(key);
    return v && v->is(jsonheal::value_kind::string) ? v->string() : std::string();
}

inline bool flag_of(jsonheal::value_view c, std::string_view key) {
    const auto v = c.find(key);
    return v && v->is(jsonheal::value_kind::boolean) && v->boolean();
}

/// One case made ready to run.
struct args_case {
    explicit args_case(jsonheal::value_view c) : id(text_of(c, "id")), input(text_of(c, "input")), data(c) {
        const auto name = c.find("tool");
        if (name && name->is(jsonheal::value_kind::string)) { tool = name->string(); }
        if (const auto schema = c.find("schema")) {
            spec = jsonheal::tool_from_schema(tool.value_or(""), *schema,
                                              jsonheal::tool_catalogue::standard().find(tool.value_or("")));
        }
        if (const auto given = c.find("options")) { read_options(*given); }
    }

    [[nodiscard]] jsonheal::arguments run() const {
        jsonheal::args_options o = options;
        if (spec) { o.tool = &*spec; }
        return tool ? jsonheal::normalize_args(*tool, std::string_view(input), o)
                    : jsonheal::arguments_map(std::string_view(input), o);
    }

    std::string id, input;
    std::optional<std::string> tool;
    std::optional<jsonheal::tool_spec> spec;
    jsonheal::args_options options;
    jsonheal::value_view data;

private:
    void read_options(jsonheal::value_view given) {
        const std::string quotes = text_of(given, "quotes");
        if (quotes == "off") { options.quotes = jsonheal::string_quotes::off; }
        if (quotes == "code_fields") { options.quotes = jsonheal::string_quotes::code_fields; }
        options.aliases = flag_of(given, "aliases");
        if (given.find("bare_values")) { options.bare_values = flag_of(given, "bare_values"); }
        if (const auto risk = jsonheal::risk_by_name(text_of(given, "max_risk"))) {
            options.engine.max_risk = *risk;
        }
    }
};

/// All cases of the three files of arguments. The documents must outlive them.
inline std::vector<args_case> cases_of(const jsonheal::document& d) {
    std::vector<args_case> all;
    for (const jsonheal::value_view c : d.root().find("cases")->elements()) { all.emplace_back(c); }
    return all;
}

} // namespace jsonheal_test
