/// @file batch_record.hpp
/// One record of `jsonheal batch`, as it came in.
#pragma once

#include <jsonheal/document.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace jsonheal::cli {

/// A record's fields. Views are valid as long as the record and the line that it was read from.
struct batch_record {
    document line;
    std::string_view id = "null"; ///< JSON, to be echoed
    std::string_view input;       ///< WTF-8, or any bytes where they came as Base64
    std::string fn;               ///< empty if the record does not say
    std::optional<value_view> schema, tool, tools, format, path, open_reasoning;

    std::string input_storage; ///< what `input` shows where it had to be decoded
};

/// Reads a record. Returns why it is none, for the answer's `error`; empty if it is one. Then `id` is right
/// all the same, as far as the line is an object at all. Of a repeated field the last counts; unknown ones
/// are ignored.
[[nodiscard]] std::string read_record(std::string_view line, batch_record& record);

} // namespace jsonheal::cli
