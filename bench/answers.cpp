#include "answers.hpp"

#include <simdjson.h>

namespace jsonheal::bench {

std::string minified(std::string_view json) {
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    if (parser.parse(simdjson::padded_string(json)).get(root) != simdjson::SUCCESS) { return {}; }
    return simdjson::minify(root);
}

bool same_value(std::string_view json, std::string_view wanted) {
    const std::string value = minified(json);
    return !value.empty() && value == minified(wanted);
}

} // namespace jsonheal::bench
