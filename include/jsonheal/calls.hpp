/// @file calls.hpp
/// Tool calls in a model's text, in any of the formats of `dialect.hpp`, while the text arrives or whole.
///
/// Whole and streamed are one path: `read_calls` is `feed` and `finish` in a row, so any chunking gives the same calls.
/// Offsets and sizes are bytes. O(text) time. Nothing throws but std::bad_alloc and where stated. Calls were written by a
/// model: check names, values and permissions before anything is run.
///
/// @code
/// auto tools = jsonheal::tool_set::read(R"([{"name": "get_time", "parameters": {"type": "object",
///     "properties": {"tz": {"type": "string"}}}}])");
/// jsonheal::call_options options;
/// options.tools = &tools.tools;
/// auto r = jsonheal::read_calls("On it. <tool_call>{\"name\": \"get_time\", \"arguments\": {'tz': 'UTC'}}</tool_call>", options);
/// assert(r.content == "On it. " && r.calls.at(0).arguments == R"({"tz": "UTC"})");
/// @endcode
#pragma once

#include <jsonheal/align.hpp>
#include <jsonheal/args_tools.hpp>
#include <jsonheal/dialect.hpp>
#include <jsonheal/document.hpp>
#include <jsonheal/schema.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal {

/// A declared tool.
struct call_tool {
    std::string name; ///< WTF-8
    std::string description;
    document parameters;     ///< its JSON Schema; `null` if none was given
    schema::program program; ///< of that; of `true` where the schema cannot be used
    bool has_schema = false; ///< `program` is that of `parameters`
};

struct tool_set_reading;

/// The declared tools. Immutable once read; copies are deep in names, shallow in schemas.
class tool_set {
public:
    tool_set() = default;
    /// Reads a list of tools: those of OpenAI (`{"type": "function", "function": {…}}`), of Anthropic (`input_schema`),
    /// or `{"name", "description", "parameters"}`. A schema that does not compile counts as none, and `notes` says so.
    [[nodiscard]] static tool_set_reading read(value_view list);
    [[nodiscard]] static tool_set_reading read(std::string_view json);

    [[nodiscard]] std::span<const call_tool> tools() const noexcept { return tools_; }
    /// The tool of that name, or null. O(tools).
    [[nodiscard]] const call_tool* find(std::string_view name) const noexcept;
    /// What the reader of formats needs of them.
    [[nodiscard]] const dialect::tool_names& names() const noexcept { return names_; }

private:
    std::vector<call_tool> tools_;
    dialect::tool_names names_;
};

struct tool_set_reading {
    tool_set tools;
    std::vector<std::string> notes; ///< of tools that are used without their schema
    std::string error;              ///< not empty: no list of tools
    [[nodiscard]] explicit operator bool() const noexcept { return error.empty(); }
};

enum class call_status : std::uint8_t {
    complete,   ///< as the format has it
    repaired,   ///< whole, after changes: see `edits`, `retyped` and `fit`
    incomplete, ///< the text stopped first; the arguments hold what was certain
    rejected    ///< its arguments cannot be an object
};
/// `complete`, `repaired`, `incomplete`, `rejected`. Static storage.
[[nodiscard]] std::string_view name(call_status s) noexcept;

struct call_options {
    const call_format* format = nullptr; ///< null: whatever the first markers say. See `find_call_format`
    const tool_set* tools = nullptr;     ///< must outlive the reader; null: none are declared
    bool open_reasoning = false;         ///< the prompt has opened the reasoning
    dialect::reasoning_calls in_reasoning = dialect::reasoning_calls::unclosed;
    std::string id_prefix = "call_"; ///< of the ids of calls that have none in the text, before their number
    heal_limits limits;              ///< of the engine, for one call
};

/// What happened to one argument on its way to its type.
struct retyping {
    std::string key;
    bool fits = true;                            ///< false: no reading fits its type, so it is text still
    jsonheal::risk risk = jsonheal::risk::exact; ///< of the reading that was taken
};

/// What the schema of its tool says of a call that is whole.
struct call_fit {
    bool fits = true;
    /// What alignment changed in the arguments that were streamed; offsets are bytes of these. The ceiling is `likely`; where
    /// nothing makes the arguments fit, what can be mended is.
    std::vector<change> changes;
    std::string arguments; ///< the final JSON if there are changes; else empty: what was streamed is final
    jsonheal::risk risk = jsonheal::risk::exact; ///< the highest of the changes
    std::vector<schema::violation> violations;   ///< of the final arguments, if they do not fit
};

/// One step of reading.
struct call_event {
    enum class kind : std::uint8_t {
        reasoning, ///< `text`
        content,   ///< `text`
        begin,     ///< `index`, `id`, `name`, `declared`
        arguments, ///< `index`, `text`: more bytes of its arguments' JSON
        end        ///< `index`, `status`, `edits`, `retyped`, `fit`, `begin_offset`, `end_offset`
    };
    kind what = kind::content;
    std::string text;
    std::size_t index = 0; ///< of the call, from 0
    std::string id;
    std::string name;      ///< as declared if it is, else as written
    bool declared = false; ///< the name is that of a tool
    call_status status = call_status::complete;
    std::vector<edit> edits; ///< of the engine, in the bytes of the whole text
    std::vector<retyping> retyped;
    std::shared_ptr<const call_fit> fit; ///< of a whole call whose tool has a schema; else null
    std::size_t begin_offset = 0,
                end_offset = 0; ///< of the call in the whole text, markers included where they are its own
};

/// Reads calls from text as it arrives. Memory is O(text) at most: an undecided place is held until it is decided.
///
/// Argument bytes are append-only: those of one call, put together, are one JSON object (or, where a tool takes a command
/// line, a string), closed also where the text is cut. An argument is aligned to its schema as it completes, where it stands for
/// a value of another kind or one of an enum. What only the whole object can decide (values deep inside, keys, wrappers) the
/// end of the call brings: `call_fit::arguments` then takes the place of what was streamed.
class call_reader {
public:
    explicit call_reader(const call_options& options = {});
    ~call_reader();
    call_reader(call_reader&&) noexcept;
    call_reader& operator=(call_reader&&) noexcept;
    /// Amortised O(chunk). The events are valid until the next call.
    [[nodiscard]] std::span<const call_event> feed(std::string_view chunk);
    [[nodiscard]] std::span<const call_event> finish();

private:
    class worker;
    std::unique_ptr<worker> worker_;
};

/// One call.
struct read_call {
    std::string id;
    std::string name;
    std::string arguments; ///< JSON: an object, aligned; or a string where a command line passed through
    bool declared = false;
    call_status status = call_status::complete;
    std::vector<edit> edits;
    std::vector<retyping> retyped;
    std::optional<call_fit> fit; ///< as in the event, but that its arguments have moved to `arguments`
    std::size_t begin_offset = 0, end_offset = 0;
};

/// A whole reply.
struct calls_reading {
    std::string content; ///< all of it in a row, as it stands
    std::string reasoning;
    std::vector<read_call> calls;
};

/// Adds events to what they make up: the arguments of a call are those that were streamed, or the aligned ones where these differ.
/// @pre they come in order, from the first
void gather(std::span<const call_event> events, calls_reading& reading);

/// Reads a whole reply: `feed` and `finish` in a row. O(text).
[[nodiscard]] calls_reading read_calls(std::string_view text, const call_options& options = {});

/// What to tell a model whose calls cannot be run, for a caller that asks again up to three times: an unknown tool with those
/// that there are, a missing argument by its name, one of the wrong type, a call that was cut off. Empty if all can be run.
[[nodiscard]] std::string correction_message(const calls_reading& reading, const tool_set& tools);

/// @name For models without native tools
/// @{

/// The part of a system prompt that tells a model which tools there are and how to write a call in that format.
[[nodiscard]] std::string tool_prompt(const tool_set& tools, const call_format& format);
/// A call as a model of that format writes it. `arguments` is a strict JSON object.
[[nodiscard]] std::string render_call(const read_call& call, const call_format& format);
/// The same for several calls of one turn.
[[nodiscard]] std::string render_calls(std::span<const read_call> calls, const call_format& format);
/// A tool's result as text for the next turn.
[[nodiscard]] std::string render_result(const read_call& call, std::string_view result,
                                        const call_format& format, bool is_error = false);

/// @}

} // namespace jsonheal
