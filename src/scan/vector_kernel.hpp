/// @file vector_kernel.hpp
/// All that a kernel offers, over its vector type. Included inside the target region of a kernel.
#pragma once

#include "block_validator.hpp"

namespace jsonheal::scan_detail {

inline constexpr nibble_class string_stop_bytes = class_of([](unsigned c) {
    return c < 0x20 || c >= 0x80 || c == '"' || c == '\'' || c == '\\' || c == '`' || c == '<';
});
inline constexpr nibble_class prose_stop_bytes = class_of("{[(`<\n");
inline constexpr nibble_class non_blank_bytes =
    class_of([](unsigned c) { return c != ' ' && c != '\t' && c != '\n' && c != '\r'; });

template <class Vector>
bool is_json(std::string_view text, std::uint32_t max_depth) {
    level_store store;
    return block_validator<Vector>(text, max_depth, store).run();
}

/// The first byte of the class. The last bytes are looked at together with some before them, so that nothing is read
/// behind the end; less than a vector is left to the `scalar` search.
template <class Vector, const nibble_class& Stops, scan::kernel::search Scalar>
const char* find(const char* p, const char* end) noexcept {
    constexpr auto size = static_cast<std::ptrdiff_t>(Vector::size);
    if (end - p < size) { return Scalar(p, end); }
    const nibble_vectors<Vector> stops(Stops);
    for (;;) {
        const mask found = stops.of(Vector::load(p));
        if (found != 0) { return p + std::countr_zero(found); }
        p += size;
        if (end - p < size) {
            if (p == end) { return end; }
            p = end - size; // its first bytes are no stops
        }
    }
}

template <class Vector>
constexpr scan::kernel vector_kernel(std::string_view name) noexcept {
    return {name, is_json<Vector>, find<Vector, string_stop_bytes, find_string_stop>,
            find<Vector, non_blank_bytes, find_non_blank>, find<Vector, prose_stop_bytes, find_prose_stop>};
}

} // namespace jsonheal::scan_detail
