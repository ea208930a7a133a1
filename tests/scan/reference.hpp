/// @file reference.hpp
/// What the kernels must answer, found slowly, and bytes laid so that a sanitizer sees one step too far.
#pragma once

#include <jsonheal/scan.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

namespace jsonheal_test {

/// The answer of `validate_json`, from the strict checker that shares no code with the library.
[[nodiscard]] jsonheal::scan::validation expected_validation(std::string_view text, std::uint32_t max_depth);

/// The searches, one byte at a time.
[[nodiscard]] const char* plain_string_stop(const char* begin, const char* end) noexcept;
[[nodiscard]] const char* plain_skip_blanks(const char* begin, const char* end) noexcept;
[[nodiscard]] const char* plain_prose_stop(const char* begin, const char* end) noexcept;

/// A copy whose last byte is the last of its memory, `shift` bytes behind the start of it.
class exact_copy {
public:
    explicit exact_copy(std::string_view text, std::size_t shift = 0)
        : memory_(new char[shift + text.size()]), text_(memory_.get() + shift, text.size()) {
        if (!text.empty()) { std::memcpy(memory_.get() + shift, text.data(), text.size()); }
    }
    [[nodiscard]] std::string_view text() const noexcept { return text_; }
    [[nodiscard]] const char* begin() const noexcept { return text_.data(); }
    [[nodiscard]] const char* end() const noexcept { return text_.data() + text_.size(); }

private:
    std::unique_ptr<char[]> memory_;
    std::string_view text_;
};

/// Bytes as a person can read them in a failure.
[[nodiscard]] std::string shown(std::string_view text);

/// Empty if every kernel gives the wanted answer; else which does not.
[[nodiscard]] std::string disagreement(std::string_view text, std::uint32_t max_depth,
                                       const jsonheal::scan::validation& wanted);

} // namespace jsonheal_test
