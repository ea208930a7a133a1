#include "documents.hpp"

#include "console.hpp"

#include <jsonheal/edits.hpp>

namespace jsonheal::cli {

std::optional<document> read_document(const std::string& path, input_file& in) {
    constexpr std::uint64_t most_bytes = document_limits{}.bytes;
    if (const problem p = read_input(path, most_bytes, in)) {
        complain(*p);
        return std::nullopt;
    }
    parse_result parsed = document::parse_borrowed(in.text);
    if (parsed) { return parsed.value; }
    const text_position place = locate(in.text, parsed.error->offset);
    complain(in.name + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) +
             ": it is not JSON: " + std::string(parsed.error->message));
    return std::nullopt;
}

std::optional<schema::program> read_schema(const std::string& path, const schema_options& options) {
    input_file source;
    const std::optional<document> parsed = read_document(path, source);
    if (!parsed) { return std::nullopt; }
    // The program outlives the file's text.
    const parse_result owned = document::parse(std::string(parsed->text()));
    schema::compile_result compiled = compile_schema(owned.value, options);
    if (compiled.error) {
        complain(path + ": " + describe(*compiled.error));
        return std::nullopt;
    }
    for (const std::string& format : compiled.value.unchecked_formats()) {
        complain(path + ": the format " + format + " is not checked");
    }
    return compiled.value;
}

} // namespace jsonheal::cli
