// Answers are compared by value, with simdjson, which shares no code with what is judged.
#pragma once

#include <string>
#include <string_view>

namespace jsonheal::bench {

/// The value of a JSON text in one spelling; empty if simdjson refuses the text.
[[nodiscard]] std::string minified(std::string_view json);

[[nodiscard]] bool same_value(std::string_view json, std::string_view wanted);

} // namespace jsonheal::bench
