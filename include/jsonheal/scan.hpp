/// @file scan.hpp
/// What looks at many bytes at once: the strict validator, and the searches inside strings, blanks and prose.
///
/// A kernel is one way to do all of it; every kernel gives the same answer for the same bytes, offsets included.
/// All offsets and sizes are bytes. Nothing here keeps, copies or changes the bytes that it is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace jsonheal::scan {

/// What the validator found.
struct validation {
    bool valid = false;
    /// The size of the text if it is valid; else the first byte that cannot be part of valid JSON: what stands
    /// before it begins some valid text, and with it no valid text does. It equals the size of the text if nothing
    /// is wrong but that the text ends too early.
    std::size_t offset = 0;

    explicit operator bool() const noexcept { return valid; }
    friend bool operator==(const validation&, const validation&) = default;
};

/// One way to do all scans. The pointers are never null. For the range functions begin <= end, and both may be null.
struct kernel {
    /// Looks for a byte in [begin, end); the answer is `end` if there is none.
    using search = const char* (*)(const char* begin, const char* end) noexcept;

    std::string_view name; ///< static storage: scalar, sse42, avx2, avx512, neon
    bool (*is_json)(std::string_view text, std::uint32_t max_depth);
    search find_string_stop;
    search skip_blanks;
    search find_prose_stop;

    /// As the function of that name, by this kernel.
    [[nodiscard]] validation validate_json(std::string_view text, std::uint32_t max_depth) const;
};

/// The kernels that run on this processor, the portable one first. Static storage. O(1).
[[nodiscard]] std::span<const kernel> kernels() noexcept;
/// The kernel that the functions below use: the fastest, unless one was forced. O(1), safe from any thread.
[[nodiscard]] const kernel& active_kernel() noexcept;
/// Makes the kernel of that name the active one, for the whole process: for tests and measurements.
/// False, and nothing changes, if this processor runs none of that name. O(kernels), safe from any thread.
bool force_kernel(std::string_view name) noexcept;

/// Is the text one JSON value, by RFC 8259 and in UTF-8, with nothing but blanks around it?
///
/// - Grammar (sections 2 to 7): no byte order mark, no comments, no trailing commas, nothing behind the value.
///   Blanks are space, tab, line feed, carriage return. Literals are `true`, `false`, `null` in lower case.
/// - Numbers (section 6): any count of digits, any exponent; no sign `+`, no leading zeros, no bare point.
/// - Strings (section 7): no raw byte below 0x20; of escapes only `\" \\ \/ \b \f \n \r \t` and `\u` with four
///   hexadecimal digits of any value: a lone surrogate is allowed as an escape (section 8.2).
/// - Bytes (section 8.1, RFC 3629 section 4): no overlong forms, no surrogates, nothing above U+10FFFF.
/// - Depth (section 9): at most `max_depth` brackets open at once; the one that is too many is the first bad byte.
///   A value that is no array and no object has depth 0. Repeated keys are allowed.
///
/// O(size) time, no recursion. No memory is taken below depth 1024, about two
/// bits a level from there on.
/// @throws std::bad_alloc if there is no memory for those bits
///
/// A text that is not valid costs a second pass, which finds the place; `is_json` leaves that out.
///
/// @code
/// validate_json(R"({"a":[1,2]})", 100);  // {true, 11}
/// validate_json(R"({"a":[1,2,]})", 100); // {false, 10}: no value begins with ]
/// @endcode
[[nodiscard]] inline validation validate_json(std::string_view text, std::uint32_t max_depth) {
    return active_kernel().validate_json(text, max_depth);
}

/// Whether `validate_json` calls the text valid; no slower where it does not, and O(1) but for blanks where the first or
/// the last bytes tell.
[[nodiscard]] bool is_json(std::string_view text, std::uint32_t max_depth);

/// The first byte that may matter inside a string, however it is quoted: `"`, `'`, backslash, backtick, `<`, a byte
/// below 0x20 or at or above 0x80. `end` if there is none. O(distance).
[[nodiscard]] inline const char* find_string_stop(const char* begin, const char* end) noexcept {
    return active_kernel().find_string_stop(begin, end);
}

/// The first byte that is no blank (space, tab, line feed, carriage return). `end` if there is none. O(distance).
[[nodiscard]] inline const char* skip_blanks(const char* begin, const char* end) noexcept {
    return active_kernel().skip_blanks(begin, end);
}

/// The first byte of prose at which a value, a fence or a tag may begin, or a line ends: one of `{`, `[`, `(`,
/// backtick, `<`, line feed. `end` if there is none. O(distance).
[[nodiscard]] inline const char* find_prose_stop(const char* begin, const char* end) noexcept {
    return active_kernel().find_prose_stop(begin, end);
}

} // namespace jsonheal::scan
