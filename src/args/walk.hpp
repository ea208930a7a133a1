// Walking over strict JSON text without building anything: where values end, and the members of an object.
//
// The text has been validated or healed; the functions rely on that. No recursion; each is O(what it passes).
#pragma once

#include <cstddef>
#include <string_view>

namespace jsonheal::args_detail {

/// The first offset at or after i that holds no blank.
[[nodiscard]] std::size_t skip_blanks(std::string_view json, std::size_t i) noexcept;
/// The offset behind the string that opens at i.
[[nodiscard]] std::size_t skip_string(std::string_view json, std::size_t i) noexcept;
/// The offset behind the value that begins at i.
[[nodiscard]] std::size_t skip_value(std::string_view json, std::size_t i) noexcept;

/// A range of bytes.
struct span {
    std::size_t begin = 0, end = 0;
    [[nodiscard]] std::string_view of(std::string_view text) const noexcept {
        return text.substr(begin, end - begin);
    }
};

/// A member: the key with its quotes, and the value.
struct member_span {
    span key, value;
    /// The key's characters as they are spelled, without quotes.
    [[nodiscard]] std::string_view name(std::string_view json) const noexcept {
        return json.substr(key.begin + 1, key.end - key.begin - 2);
    }
};

/// The members of an object, one after the other.
class member_walk {
public:
    /// @pre an object opens at `begin`
    member_walk(std::string_view json, std::size_t begin) noexcept : json_(json), at_(begin + 1) {}
    /// The next member; false where there is none.
    [[nodiscard]] bool next(member_span& m) noexcept;

private:
    std::string_view json_;
    std::size_t at_;
};

/// The elements of an array, one after the other.
class element_walk {
public:
    /// @pre an array opens at `begin`
    element_walk(std::string_view json, std::size_t begin) noexcept : json_(json), at_(begin + 1) {}
    [[nodiscard]] bool next(span& element) noexcept;

private:
    std::string_view json_;
    std::size_t at_;
};

} // namespace jsonheal::args_detail
