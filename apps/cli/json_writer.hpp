/// @file json_writer.hpp
/// Appends JSON objects and arrays to a string, member by member: for reports and records.
#pragma once

#include <jsonheal/document.hpp>

#include <charconv>
#include <concepts>
#include <exception>
#include <string>
#include <string_view>

namespace jsonheal::cli {

/// Line-based readers of other languages split at U+0085, U+2028 and U+2029, so no output line may hold them
/// raw.
inline constexpr string_escapes one_line{.line_separators = true, .non_ascii = false};

/// Writes one object or array. Closes it when it goes out of scope; members are in the order of the calls.
///
/// @code
/// {
///     json_writer object(out, '{');
///     object.text("verdict", "healed").number("edits", 3);
/// }   // {"verdict":"healed","edits":3}
/// @endcode
class json_writer {
public:
    json_writer(std::string& out, char opener) : out_(out), closer_(opener == '{' ? '}' : ']') {
        out_.push_back(opener);
    }
    json_writer(const json_writer&) = delete;
    json_writer& operator=(const json_writer&) = delete;
    ~json_writer() {
        // Where an exception ends it, the whole answer is thrown away.
        if (std::uncaught_exceptions() == exceptions_) { out_.push_back(closer_); }
    }

    /// Begins a member: the caller appends its value to the string. `name` needs no escapes.
    std::string& member(std::string_view name) {
        element().append("\"").append(name).append("\":");
        return out_;
    }
    /// Begins an element of an array.
    std::string& element() {
        if (!first_) { out_.push_back(','); }
        first_ = false;
        return out_;
    }
    json_writer& text(std::string_view name, std::string_view wtf8) {
        encode_string(wtf8, member(name), one_line);
        return *this;
    }
    /// A value that is JSON already; it loses its blanks.
    json_writer& json(std::string_view name, std::string_view strict_json) {
        compact(strict_json, member(name), one_line);
        return *this;
    }
    json_writer& number(std::string_view name, std::unsigned_integral auto n) {
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, n).ptr;
        member(name).append(digits, end);
        return *this;
    }

private:
    std::string& out_;
    char closer_;
    int exceptions_ = std::uncaught_exceptions();
    bool first_ = true;
};

} // namespace jsonheal::cli
