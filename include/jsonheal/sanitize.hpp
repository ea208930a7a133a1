/// @file sanitize.hpp
/// JavaScript in JSON's place: keeps the source of functions, calls and other expressions as strings, finds
/// balanced objects in a text, completes lost braces.
///
/// Nothing here evaluates anything. **A kept expression is data of an untrusted writer: never run it.**
/// Unlike `heal`, these functions do only what they say, and what comes out need not be JSON: `heal` it then.
///
/// All offsets and sizes are bytes. One pass, O(text) time, no recursion; nothing is kept of the text given but where
/// a view is returned. No function throws but std::bad_alloc: bad input is a verdict. Lexical rules are those of
/// ECMA-262 (comments, strings, templates, regular expressions) as far as the text keeps to them.
#pragma once

#include <jsonheal/edits.hpp>
#include <jsonheal/heal.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal {

/// Bounds on untrusted input. Passing one is a refusal that names it.
struct sanitize_limits {
    std::uint64_t bytes = 0xFFFF'FFFEull; ///< input bytes (4 GiB less two)
    std::uint32_t depth = 1'000'000;      ///< open brackets at once; they live on the heap
    std::uint32_t edits = 16'000'000;     ///< entries of the log
};

struct sanitize_options {
    risk max_risk = risk::lossy; ///< above it the answer is `refused`, naming the first offender
    rule_set forbidden;          ///< an edit under one of these rules is a refusal
    sanitize_limits limits;
};

/// A text that was rewritten, with the proof: `replay(input, edits)` gives `text`.
struct rewritten {
    jsonheal::verdict verdict = jsonheal::verdict::refused; ///< `truncated`: the text stopped inside a value
    cut_place cut = cut_place::none;                        ///< where, if truncated
    jsonheal::risk risk = jsonheal::risk::exact;            ///< the highest of all edits
    std::string text;                                       ///< empty if refused
    std::vector<edit> edits;                                ///< in order of position
    refusal why;                                            ///< set if refused

    [[nodiscard]] bool ok() const noexcept { return verdict != jsonheal::verdict::refused; }
};

/// Turns JavaScript values in JSON-like text into strings that hold their source, and single-quoted strings into
/// JSON's.
///
/// - In an object or array a value that is no string, number, `true`, `false`, `null`, object or array becomes a
///   string: functions, arrows, classes, `new`, calls, templates with `${}`, regular expressions, `undefined`, `NaN`,
///   `Infinity`, arithmetic, and bare words (`success`, `2024-01-02`). Its comments inside stay, those behind it
///   stay outside. `True`, `None` and their kind become literals.
/// - Methods and spreads get a key (`f() {}` → `f: "f() {}"`, `...x` → `"...x": "x"`), computed keys get quotes.
/// - Untouched: double-quoted strings, numbers in any notation, bare keys, comments, commas, brackets, and all that
///   stands outside objects and arrays, unless the whole text is one expression.
///
/// The empty text comes back empty, `intact`. O(text) time and memory.
///
/// @code
/// auto s = jsonheal::sanitize(R"({"formatter": function(v) { return v * 2; }})");
/// assert(s.text == R"({"formatter": "function(v) { return v * 2; }"})");
/// @endcode
[[nodiscard]] rewritten sanitize(std::string_view text, const sanitize_options& options = {});

/// The balanced `{…}` of a text, in order, as they stand there. Views into `text`.
///
/// Braces in strings, templates, comments and regular expressions of an object count for nothing. Outside objects a
/// quote opens no string (`It's {"a":1}` has one), unless it encloses a lone brace (`"{"`). Of an object that is never
/// closed the complete ones inside are given; of a complete one none. Empty if there is none or the text passes the
/// limits. O(text) time, O(depth + result) memory.
///
/// @code
/// assert(jsonheal::extract_objects("first {\"id\":1}, then {\"id\":2}").size() == 2);
/// @endcode
[[nodiscard]] std::vector<std::string_view> extract_objects(std::string_view text,
                                                            const sanitize_limits& limits = {});

/// Puts in the braces that a text lost: `{` before it, unless it begins with one behind blanks; `}` behind it, as many
/// as are open. Strings, templates and comments that are open at the end are closed first, or they would swallow the
/// brace. Surplus braces, brackets and commas stay as they are; so does the empty text. O(text).
///
/// @code
/// assert(jsonheal::complete_object("\"a\":{\"b\":1").text == "{\"a\":{\"b\":1}}");
/// @endcode
[[nodiscard]] rewritten complete_object(std::string_view text, const sanitize_options& options = {});

} // namespace jsonheal
