/// @file args.hpp
/// Tool-call arguments: what a model wrote after a tool's name, to the one JSON object that it meant.
///
/// Offsets and sizes are bytes. All functions are O(text) in time and memory, take no lock and never throw but
/// std::bad_alloc: bad input is a verdict. What comes out is JSON, but it was written by a model: check names, types,
/// ranges and permissions before anything acts on it. docs/args.md shows the loop of an agent.
#pragma once

#include <jsonheal/align.hpp>
#include <jsonheal/args_tools.hpp>
#include <jsonheal/heal.hpp>
#include <jsonheal/schema.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal {

/// What was done to make arguments of a text; several may apply. The first seven are the documented strategies.
enum class args_step : std::uint8_t {
    valid,           ///< it was a JSON object already
    single_quotes,   ///< other quotes stood for JSON's
    unquoted_keys,   ///< bare keys; together with `single_quotes` the strategy "both"
    trailing_commas, ///< commas too many
    bare_value,      ///< the text became the value of the tool's field
    object_literal,  ///< bare words as values: `{cmd: read}`
    repaired,        ///< any other repair of `heal`
    extracted,       ///< prose, fences, reasoning or tokens around it went
    completed,       ///< brackets or quotes at the end were put in
    empty,           ///< no arguments were given: `{}`
    decoded,         ///< JSON inside a JSON string
    array_of_one,    ///< the only element of an array
    unwrapped,       ///< the arguments of a whole call: `{"name":…,"arguments":…}`
    one_of_copies,   ///< it was there several times
    listed,          ///< several different objects: see `arguments::objects`
    chosen,          ///< of several the only one that can be meant, or that fits the schema
    straightened,    ///< curly quotes inside strings became plain ones
    renamed          ///< a member had another name of the same meaning
};
/// The name of a step, as reports give it. Static storage.
[[nodiscard]] std::string_view name(args_step s) noexcept;

/// A set of steps.
class args_steps {
public:
    constexpr args_steps& add(args_step s) noexcept {
        bits_ |= 1u << static_cast<unsigned>(s);
        return *this;
    }
    [[nodiscard]] constexpr bool has(args_step s) const noexcept {
        return (bits_ >> static_cast<unsigned>(s) & 1u) != 0;
    }
    [[nodiscard]] constexpr bool empty() const noexcept { return bits_ == 0; }
    /// The steps in the order of the enum.
    [[nodiscard]] std::vector<args_step> list() const;
    friend constexpr bool operator==(args_steps, args_steps) noexcept = default;

private:
    std::uint32_t bits_ = 0;
};

/// Which curly quotes inside strings become plain ones. Those that stand for JSON's own quotes always do.
enum class string_quotes : std::uint8_t {
    all,         ///< in every string
    code_fields, ///< in members that hold code: those of the tool, or of any tool where it is not known
    off
};

struct args_options {
    heal_options engine; ///< policies, ceiling and limits; `preset` and `several` are not looked at
    const tool_catalogue* tools = nullptr; ///< null: the 38 tools. Must outlive the call
    const tool_spec* tool =
        nullptr; ///< what is known of this tool, in place of looking it up. Must outlive the call
    string_quotes quotes = string_quotes::all;
    bool aliases = false;     ///< rename members by `member_aliases`
    bool bare_values = true;  ///< put bare values into the tool's field; else they pass through
    std::uint32_t levels = 8; ///< strings in strings and wrappers in wrappers that are opened
};

/// Arguments, or why there are none.
class arguments {
public:
    jsonheal::verdict verdict = jsonheal::verdict::refused;
    cut_place cut =
        cut_place::none; ///< where, if truncated: `closers` forgot a brace, `in_string` may be half a command
    jsonheal::risk risk = jsonheal::risk::exact; ///< the highest of all edits
    args_steps how;
    /// The text is a command line or a value for which no field is known: hand `text()` to a positional parser. The
    /// verdict is then `refused`.
    bool passthrough = false;
    std::vector<edit> edits; ///< `replay(raw, edits)` gives `json()`
    refusal why;             ///< set if refused or passed through

    /// True if there are arguments.
    [[nodiscard]] bool ok() const noexcept { return verdict != jsonheal::verdict::refused; }
    /// The one object; with several, a list of them all. Empty if refused. Borrows the raw text where that was valid
    /// already: valid as long as both it and this.
    [[nodiscard]] std::string_view json() const noexcept {
        return borrowed_.data() != nullptr ? borrowed_ : owned_;
    }
    /// True if several different objects stood in the text. None is picked: the caller knows whether to run all or ask.
    [[nodiscard]] bool several() const noexcept { return !objects_.empty(); }
    /// The objects, if there are several; views into `json()`.
    [[nodiscard]] std::vector<std::string_view> objects() const;
    /// What passes through: the raw text, or the string that a wrapper held (then owned by this).
    [[nodiscard]] std::string_view text() const noexcept {
        return borrowed_.data() != nullptr ? borrowed_ : owned_;
    }

private:
    friend class args_writer;
    struct range {
        std::size_t begin = 0, end = 0;
    };
    std::string owned_;
    std::string_view borrowed_;
    std::vector<range> objects_;
};

/// Turns the arguments that a model wrote for a tool into one JSON object.
///
/// A valid object that is no wrapper comes back byte for byte. Faults of all kinds are mended in one pass, so they may
/// come together; members stay in order, numbers keep their digits. A wrapper is opened only if its name is the tool's
/// or the tool's schema has none of its keys.
///
/// @param tool the tool's name; empty if it is not known
/// @param raw any bytes; must outlive the result
///
/// @code
/// auto a = jsonheal::normalize_args("read_file", "main.go");
/// assert(a.json() == R"({"file":"main.go"})" && a.risk == jsonheal::risk::invented); // the key is the catalogue's
/// auto b = jsonheal::normalize_args("@coder", "{cmd: 'read', file: 'main.go',}");
/// assert(b.json() == R"({"cmd": "read", "file": "main.go"})");
/// @endcode
[[nodiscard]] arguments normalize_args(std::string_view tool, std::string_view raw,
                                       const args_options& options = {});
[[nodiscard]] inline arguments normalize_args(std::string_view tool, const char* raw,
                                              const args_options& options = {}) {
    return normalize_args(tool, std::string_view(raw), options);
}
arguments normalize_args(std::string_view, std::string&&, const args_options& = {}) = delete;

/// The arguments of a tool that is not named, in the order of Agents-Flex: the text as JSON, with its JavaScript values
/// as source text, the objects that stand in it, the object with its lost braces put in. Differs from `normalize_args`
/// without a tool in that `undefined`, `NaN` and calls are kept as their source, and that a text without its outer
/// braces and with bare keys (`a:1`) is completed. With `options.tool` the object that fits the schema is chosen.
///
/// @code
/// auto a = jsonheal::arguments_map("Args: {\"at\": new Date(1), \"x\": undefined}");
/// assert(a.json() == R"({"at": "new Date(1)", "x": "undefined"})");
/// @endcode
[[nodiscard]] arguments arguments_map(std::string_view raw, const args_options& options = {});
[[nodiscard]] inline arguments arguments_map(const char* raw, const args_options& options = {}) {
    return arguments_map(std::string_view(raw), options);
}
arguments arguments_map(std::string&&, const args_options& = {}) = delete;

/// The arguments made to fit the tool's JSON Schema: one alignment for each object, as `arguments::objects` counts them,
/// or a single one; none if there are no arguments. What does not fit comes back as the best attempt, with its violations.
/// Give `args_options::engine.expect` the schema's expectation as well, so that it decides what is read as text.
///
/// @code
/// auto schema = jsonheal::schema::compile(jsonheal::document::parse(
///     R"({"type": "object", "properties": {"lines": {"type": "integer"}}})").value);
/// auto a = jsonheal::normalize_args("head", "{lines: '3'}");
/// assert(jsonheal::align_arguments(a, schema.value).at(0).json == R"({"lines": 3})");
/// @endcode
[[nodiscard]] std::vector<alignment> align_arguments(const arguments& a, const schema::program& program,
                                                     const align_options& options = {});

} // namespace jsonheal
