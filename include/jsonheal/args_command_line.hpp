/// @file args_command_line.hpp
/// Command lines as models write them in place of JSON: to words, to an object, and back to words.
///
/// Nothing is run, expanded or looked up. Offsets are bytes. All functions are O(text) and never throw but
/// std::bad_alloc.
#pragma once

#include <jsonheal/args.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal {

/// Words, or why there are none.
struct word_list {
    std::vector<std::string> list;
    std::string_view error; ///< empty if there is none; static text
    std::size_t offset = 0; ///< of the error: for a quote that is not closed, that of the quote
    /// Where the JSON was cut off that the words were read from. Other than `none` and `closers`, a command that must not run.
    cut_place cut = cut_place::none;
    jsonheal::risk risk = jsonheal::risk::exact; ///< the highest of what healing that JSON took

    [[nodiscard]] bool ok() const noexcept { return error.empty(); }
};

/// Splits a command line at blanks outside quotes.
///
/// - `'…'` is literal. In `"…"` a backslash escapes `"`, `\`, `$` and backtick, and before a line end goes with it; before any
///   other character it is data, so `"C:\Users"` stays.
/// - Outside quotes a backslash escapes a blank, a quote, a backslash or a sign of the shell; before a letter or digit it
///   is data: `C:\x\y.txt` and `\\host\share` stay. One that stands alone before blanks, and one at the end of a line, is a
///   line continuation: a blank.
/// - Quoted empty words are words. Nothing else is interpreted: no variables, no globs, no `\n`.
///
/// @code
/// auto w = jsonheal::split_command_line(R"(exec --cmd "echo \"hi\"")");
/// assert(w.list[2] == "echo \"hi\"");
/// assert(jsonheal::split_command_line("echo it's").offset == 7);
/// @endcode
[[nodiscard]] word_list split_command_line(std::string_view text);

/// Reads a command line into an object: `{"cmd":…,"args":{…}}`, or the members of `args` alone where it begins with a flag.
///
/// `--k v`, `--k=v` and `-k v` are members; a flag before another flag, or last, is `true`; repeated ones are a list. Words
/// that are no flag's become the value of the field of `tool` or of the command, if that is known and not given, else
/// `"positional"`. A quoted word is never a flag. Behind the name of a shell tool without flags of its own all is the
/// command, as written. All values are strings: types are for a schema.
///
/// @code
/// auto a = jsonheal::read_fields("read --file main.go", "@coder");
/// assert(a.json() == R"({"cmd":"read","args":{"file":"main.go"}})");
/// @endcode
[[nodiscard]] arguments read_fields(std::string_view text, std::string_view tool,
                                    const args_options& options = {});

/// An object of arguments to words: `cmd`, then a flag for each member of the object, of `args` and of `flags`, in the order
/// written; then `positional` and `_`.
///
/// Numbers as they are spelled (never `1e+06`), `true` as a bare flag, `false` and `null` as nothing, lists as repeated flags,
/// objects as compact JSON. `command` is renamed `cmd`. An `argv` list goes as it is. `args` as a string: JSON is
/// decoded; else it is the value of the command's field, or words of its own. A flag that is given again counts once: `flags`
/// before `args`, those before the object's own, and the last of one of them. Without `cmd` and `argv` the object is one word, or
/// `command` is the command if there are `args` or `flags`. A list of strings and numbers is its words.
/// @param json strict JSON, such as `arguments::json()`
[[nodiscard]] word_list to_argv(std::string_view json, const args_options& options = {});

/// What a model wrote for a tool that takes words: an object, a list or a command line, to words.
[[nodiscard]] word_list read_argv(std::string_view tool, std::string_view raw,
                                  const args_options& options = {});

} // namespace jsonheal
