// From the text that a model wrote for a tool to its arguments: one pass of healing, then what only arguments need.
#pragma once

#include "draft.hpp"
#include "walk.hpp"

#include <jsonheal/args.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace jsonheal::args_detail {

/// What a text turned out to be.
enum class shape : std::uint8_t {
    object,  ///< one object of arguments
    several, ///< a list of different ones
    bare,    ///< no JSON: a value, a command, a command line
    none     ///< JSON that cannot be arguments, or a refusal
};

/// The arguments inside a whole call that stands at `begin` of strict JSON, if the call is of that tool.
/// `{"name":"f","arguments":{"a":1}}` → the range of `{"a":1}`
[[nodiscard]] std::optional<span> wrapped_arguments(std::string_view json, std::size_t begin,
                                                    std::string_view tool, const tool_spec* spec);

/// Is the object at `begin` a call of any tool, with its name and arguments?
[[nodiscard]] bool is_whole_call(std::string_view json, std::size_t begin);
/// Is a text the tool's name, as models write it: `functions.f:0`, `@f`?
[[nodiscard]] bool is_name_of(std::string_view text, std::string_view tool) noexcept;
/// `f({"a":1})`: the offset behind the bracket, if a text begins with the tool's name and one; else 0.
[[nodiscard]] std::size_t call_notation(std::string_view text, std::string_view tool) noexcept;

/// A call that is written without JSON: `f(a=1)`, `[f(a=1)]`, `<function=f><parameter=a>1</parameter>`
[[nodiscard]] bool is_other_notation(std::string_view text, std::string_view tool) noexcept;

/// Does an object fit the tool's schema, as far as its keys and their kinds go? True without a schema. O(object).
[[nodiscard]] bool fits_schema(std::string_view json, std::size_t begin, const tool_spec* spec);

inline constexpr std::string_view cdata_open = "<![CDATA[";

/// The changes that take one level of encoding off a text that was encoded without becoming a JSON string: with its quotes
/// escaped, in quotes that it has inside as well, with HTML entities, or as CDATA. Empty if it was not.
/// `{\n \"a\": 1\n}`, `"{"a": 1}"`, `{&quot;a&quot;: 1}`, `<![CDATA[{"a": 1}]]>`
[[nodiscard]] edit_log peeling(std::string_view text);
/// The changes that turn a JSON string, all of `json` but blanks, into what it spells.
[[nodiscard]] edit_log decoding(std::string_view json);

/// Does bare text look like a command line of the tool's own (`read --file main.go`)?
[[nodiscard]] bool looks_like_command_line(std::string_view text, std::string_view tool,
                                           const tool_spec* spec) noexcept;
/// A word for "no arguments": null, None, undefined. For a tool that searches only null is one.
[[nodiscard]] bool is_null_word(std::string_view text, const tool_spec* spec) noexcept;
/// A path of a tool that takes one, though it begins or ends like JSON: `[id].tsx`, `{a,b}/x`
[[nodiscard]] bool looks_like_path(std::string_view text, const tool_spec* spec) noexcept;
/// Does a word of it look like a flag?
[[nodiscard]] bool has_flag(std::string_view text) noexcept;

/// Does any text make sense as the value of the tool's field, brackets and all?
[[nodiscard]] bool takes_any_text(const tool_spec* spec) noexcept;

/// Something that no command of a shell begins with: a fence of data, a tag or a token alone, a label in words.
/// "```json", "<tool_call>", "Here is the call:"
[[nodiscard]] bool is_frame(std::string_view before) noexcept;

/// Where a value was found in a text.
struct place {
    std::size_t begin = 0, end = 0;
    bool starts_text = false; ///< nothing but blanks stands before it
};
/// Is an object that stands in a text the arguments, or part of a command, a pattern, a phrase?
[[nodiscard]] bool is_meant(std::string_view text, place where, std::string_view healed,
                            std::string_view tool, const tool_spec* spec);

/// Curly quotes in the strings of strict JSON, as changes.
[[nodiscard]] edit_log straightening(std::string_view json, string_quotes mode, const tool_spec* spec);
/// Members with another name than the tool's, as changes.
[[nodiscard]] edit_log renaming(std::string_view json, std::size_t begin, const tool_spec* spec);

/// The line that opens a fence which is not closed, "```bash": its bytes with the line end. 0 if there is none.
[[nodiscard]] std::size_t open_fence(std::string_view text, const tool_spec* spec) noexcept;
/// The fences, tokens and reasoning around bare text: the range of what is left.
[[nodiscard]] span bare_core(std::string_view text, const tool_spec* spec) noexcept;

/// Does an object say all that another one does, of which the text was cut off? O(both).
[[nodiscard]] bool says_all(std::string_view less, std::string_view more);

/// Which strategies these rules show.
[[nodiscard]] args_steps steps_of(const rules_used& used);

} // namespace jsonheal::args_detail

namespace jsonheal {

/// Makes one result. It lives as long as a call.
class args_writer {
public:
    args_writer(std::string_view tool, std::string_view raw, const args_options& options, bool map);
    [[nodiscard]] arguments run();
    /// Arguments that were built, not healed: no edits lead to them.
    [[nodiscard]] static arguments built(std::string json);

private:
    using shape = args_detail::shape;
    using draft = args_detail::draft;

    [[nodiscard]] heal_options engine_options() const;
    [[nodiscard]] const tool_spec* spec();
    [[nodiscard]] bool is_strict(std::string_view text) const;
    void keep_expressions(draft& d) const;
    [[nodiscard]] bool read_notation(draft& d);
    [[nodiscard]] shape read_text(draft& d, std::uint32_t level);
    [[nodiscard]] shape complete(draft& d);
    [[nodiscard]] bool restarted(draft& d, healing& h);
    [[nodiscard]] shape open(draft& d, std::uint32_t level);
    [[nodiscard]] shape open_list(draft& d, std::size_t begin, bool listed);
    [[nodiscard]] shape open_string(draft& d, std::size_t begin, std::uint32_t level);
    [[nodiscard]] shape empty(draft& d);
    [[nodiscard]] shape refuse(std::string_view message, std::size_t offset);
    [[nodiscard]] shape choose(draft& d, const std::vector<args_detail::span>& all, std::vector<rule> fate);

    void wrap_bare(draft& d);
    void wrap(draft& d, std::string_view field, bool quoted);
    void pass(std::string_view message);
    void finish(draft& d, shape s);
    void deliver(draft& d, shape s);
    [[nodiscard]] bool is_barred(rule r) const noexcept;

    std::string_view tool_, raw_;
    const args_options& options_;
    bool map_;
    bool looked_up_ = false;
    bool opened_ = false; // a wrapper was opened: bare text is what it held
    const tool_spec* spec_ = nullptr;
    arguments out_;
};

} // namespace jsonheal
