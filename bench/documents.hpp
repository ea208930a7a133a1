// The texts that are timed: documents like those models write, and the same documents as models break them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace jsonheal::bench {

/// A broken text and the JSON it stands for.
struct broken_text {
    std::string text;
    std::string wanted; ///< valid JSON with the value that a right answer has
};

/// One way to break a document. Each leaves one reading only, so that the answer can be checked by value.
struct damage {
    std::string_view name;
    bool dense; ///< a fault in nearly every line; the others have one in about every ten to twenty lines
    broken_text (*make)(std::size_t bytes, std::uint64_t seed);
};

/// The ten damages. Seed and size decide every byte, on every machine.
[[nodiscard]] std::span<const damage> damages();

/// Indented records of tool calls as valid JSON in UTF-8, at least `bytes` and at most 600 bytes more
/// (with less than 600: one record).
[[nodiscard]] std::string make_document(std::size_t bytes, std::uint64_t seed);

/// Prose without a JSON value: sentences with quotes, colons and brackets, but no brace.
[[nodiscard]] std::string make_prose(std::size_t bytes, std::uint64_t seed);

/// The arguments of one tool call, about 200 bytes, with the faults that are seen most: single quotes, a Python
/// literal, a trailing comma.
[[nodiscard]] broken_text make_tool_call();

} // namespace jsonheal::bench
