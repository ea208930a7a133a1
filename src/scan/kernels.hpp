/// @file kernels.hpp
/// The kernels, one a source file.
#pragma once

#include <jsonheal/scan.hpp>

namespace jsonheal::scan_detail {

extern const scan::kernel scalar_kernel;
#if defined(__x86_64__)
extern const scan::kernel sse42_kernel, avx2_kernel, avx512_kernel;
#elif defined(__aarch64__)
extern const scan::kernel neon_kernel;
#endif

// The searches of the scalar kernel, which the others use for short ranges.
[[nodiscard]] const char* find_string_stop(const char* p, const char* end) noexcept;
[[nodiscard]] const char* find_non_blank(const char* p, const char* end) noexcept;
[[nodiscard]] const char* find_prose_stop(const char* p, const char* end) noexcept;

/// The answer of `validate_json` found byte by byte where it matters: the kernels say only whether a text is valid.
[[nodiscard]] scan::validation locate_fault(std::string_view text, std::uint32_t max_depth);

} // namespace jsonheal::scan_detail
