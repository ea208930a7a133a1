#include "schema_options.hpp"

#include "engine_options.hpp"
#include "files.hpp"

namespace jsonheal::cli {

namespace {

/// A file below a mapped folder; a path that would leave the folder names none.
std::optional<document> load(const schema_options& options, std::string_view uri) {
    constexpr std::uint64_t most_bytes = 64u << 20;
    for (const auto& [prefix, folder] : options.map) {
        if (!uri.starts_with(prefix)) { continue; }
        const std::string path(uri.substr(prefix.size()));
        if (path.find("..") != std::string::npos || path.find('\0') != std::string::npos) { continue; }
        input_file in;
        if (read_input(folder + "/" + path, most_bytes, in)) { continue; }
        parse_result parsed = document::parse(std::move(in.text));
        if (parsed) { return parsed.value; }
    }
    return std::nullopt;
}

} // namespace

void add_schema_options(command_line& line, schema_options& options) {
    using schema::dialect;
    line.text(
            "--draft",
            [&options](const std::string& word) {
                options.dialect = schema::dialect_named(word);
                if (!options.dialect) {
                    throw usage_mistake("--draft", "'" + word + "' is not one of 4|6|7|2019-09|2020-12");
                }
            },
            "the draft of schemas that do not say it with $schema; 2020-12 if left out")
        .shows("4|6|7|2019-09|2020-12");
    line.flag("--format-assertion", options.format_assertion, "check `format`, which else says nothing");
    line.repeated(
            "--schema-map",
            [&options](const std::string& word) {
                const std::size_t equals = word.rfind('=');
                if (equals == std::string::npos) {
                    throw usage_mistake("--schema-map", "'" + word + "' is not URL-PREFIX=DIR");
                }
                options.map.emplace_back(word.substr(0, equals), word.substr(equals + 1));
            },
            "where documents that a schema refers to are: those whose URL begins so are files below DIR")
        .shows("URL-PREFIX=DIR");
}

schema::compile_result compile_schema(const document& source, const schema_options& options) {
    schema::compile_options compile;
    compile.dialect = options.dialect;
    compile.format_assertion = options.format_assertion;
    compile.loader = [&options](std::string_view uri) { return load(options, uri); };
    return schema::compile(source, compile);
}

std::string describe(const schema::compile_error& error) {
    std::string text = "the schema cannot be used: " + error.reason;
    return text.append(" at ").append(error.uri).append("#").append(error.pointer);
}

} // namespace jsonheal::cli
