// Valid JSON of many sorts, for the validators.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace jsonheal::bench {

struct document_sort {
    std::string_view name;
    /// One member of the array that is the text. Made without a random source: the same number gives the same member.
    void (*add)(std::string& out, std::size_t number);
    std::string_view between; ///< stands between members
};

[[nodiscard]] std::span<const document_sort> document_sorts() noexcept;

/// An array of about `bytes` bytes.
[[nodiscard]] std::string make_document(const document_sort& sort, std::size_t bytes);

} // namespace jsonheal::bench
