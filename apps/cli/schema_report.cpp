#include "schema_report.hpp"

#include "json_writer.hpp"

#include <jsonheal/edits.hpp>

namespace jsonheal::cli {

void write_violations(const schema::validation& v, std::string& out) {
    json_writer list(out, '[');
    for (const schema::violation& one : v.violations) {
        json_writer entry(list.element(), '{');
        entry.text("instance", one.instance).number("begin", one.begin).number("end", one.end);
        entry.text("schema", one.schema).text("keyword", one.keyword);
        entry.text("expected", one.expected).text("got", one.got).text("message", one.message);
    }
}

void explain_violations(std::string_view file, std::string_view text, const schema::validation& v,
                        std::string& out) {
    for (const schema::violation& one : v.violations) {
        const text_position place = locate(text, one.begin);
        out.append(file).append(":").append(std::to_string(place.line)).append(":");
        out.append(std::to_string(place.column)).append(": ").append(one.keyword).append(": ");
        out.append(one.message).append("\n");
    }
    if (!v.complete) { out.append(file).append(": there are more violations\n"); }
}

} // namespace jsonheal::cli
