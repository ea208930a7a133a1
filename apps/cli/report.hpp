/// @file report.hpp
/// What a healing did, for people and for programs.
#pragma once

#include <jsonheal/answer.hpp>
#include <jsonheal/args.hpp>
#include <jsonheal/heal.hpp>

#include <span>
#include <string>
#include <string_view>

namespace jsonheal::cli {

/// Line and column of rising offsets in one text: as `locate`, but O(text) for all of them together.
class place_finder {
public:
    explicit place_finder(std::string_view text) noexcept : text_(text) {}
    /// @pre offset is not below that of the last call
    text_position at(std::size_t offset) noexcept;

private:
    std::string_view text_;
    std::size_t seen_ = 0;
    std::size_t line_start_ = 0;
    std::size_t line_ = 1;
};

/// An edit as people see it: entries of the log that only continue each other are one, since an entry holds
/// 14 bytes of replacement at most.
struct change {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string text; ///< what stands there afterwards
    jsonheal::rule rule{};
    bool refusal = false; ///< no change but the place where the text was refused; `text` says why
};

/// Reads a log change by change. O(log) for all of them, O(1) memory.
class change_reader {
public:
    explicit change_reader(std::span<const edit> log) noexcept : log_(log) {}
    /// False if there is none left; `into` is then untouched.
    bool next(change& into);

private:
    std::span<const edit> log_;
};

/// `refused: no JSON in the text`, with the rule where a rule was the reason.
[[nodiscard]] std::string describe(const refusal& why);

/// One JSON object on one line, with a line end: `file`, `verdict`, `cut` (null unless truncated), `risk`,
/// `edits` (each with begin, end, line, column, text, rule, risk, meaning), `json` (the healed text as a
/// string, if `with_json` and there is one), `error` (message, offset, line, column, if refused).
struct reported {
    const healing& h;
    std::string_view json;
    const fitted* value = nullptr; ///< with a schema: adds `fits`, `violations`, `changes`, `reason`
};
void report_json(std::string_view file, std::string_view input, const reported& r, bool with_json,
                 std::string& out);

/// The same for arguments: also `how` (the steps), `passthrough` (with `text`) and `several`; `json` is the object or the
/// list of them.
/// With a schema (`values` not empty) `json` is what was made to fit; adds `fits`, `violations`, `changes`.
void report_arguments(std::string_view file, std::string_view input, const arguments& a,
                      std::span<const alignment> values, std::string& out);

} // namespace jsonheal::cli
