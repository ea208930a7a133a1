/// @file args_tools.hpp
/// What is known of tools: into which field a bare value goes, which tools take a shell command, which fields hold code.
///
/// The 38 names of the catalogue are data; a caller adds more by name and field, by JSON Schema or from a file.
/// Sizes are bytes. Look-ups take no memory and never throw.
#pragma once

#include <jsonheal/document.hpp>
#include <jsonheal/edits.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal {

/// What is known of one tool.
struct tool_spec {
    /// How bare text that looks like a command line (`read --file main.go`) is taken.
    enum class bare_text : std::uint8_t {
        value,       ///< flags pass it through, for a positional parser; any other text is the field's value
        subcommands, ///< so does a first word that is one of the subcommands (`@coder`)
        shell        ///< it is a shell command, flags or not: always the field's value
    };
    /// One property of the tool's JSON Schema.
    struct property {
        std::string name; ///< WTF-8
        kind_set kinds;   ///< by its `type`; all where none is given
    };

    std::string name;  ///< exact, as models write it
    std::string field; ///< the member that a bare value becomes; empty: none, bare text passes through
    bare_text bare = bare_text::value;
    std::vector<std::string> code_fields; ///< members that hold code, whose curly quotes are never meant

    bool has_schema = false;           ///< the members below are known
    bool closed = true;                ///< `additionalProperties` was not given as true or as a schema
    std::vector<property> properties;  ///< in the schema's order
    std::vector<std::string> required; ///< of these

    [[nodiscard]] bool is_shell() const noexcept { return bare == bare_text::shell; }
    /// The property of that name, or null. O(properties).
    [[nodiscard]] const property* find_property(std::string_view key) const noexcept;
};

/// Reads what `args` needs of a tool's parameters: `properties`, their `type`, `required`, `additionalProperties`. The
/// field is that of `known` if the schema has it, else the sole required string, else the sole property if that is a
/// string. A tool whose field is named like a command (`command`, `cmd`, `script`, …) is a shell tool.
/// `schema` that is no object with properties gives a spec without schema. O(schema).
/// @param known what the catalogue says of a tool of that name, or null
[[nodiscard]] tool_spec tool_from_schema(std::string_view name, value_view schema,
                                         const tool_spec* known = nullptr);

struct catalogue_reading;

/// Tools by name. Copyable; safe to read from several threads.
class tool_catalogue {
public:
    /// The 38 tools of docs/args.md.
    tool_catalogue();
    /// Shared, for callers that add nothing. Static storage.
    [[nodiscard]] static const tool_catalogue& standard();

    /// Adds a tool, or replaces the one of that name. O(tools).
    /// @throws std::invalid_argument if the name is empty
    void add(tool_spec tool);
    /// Adds a tool by its JSON Schema: see `tool_from_schema`.
    void add(std::string_view name, value_view schema);

    /// The tool of exactly that name, else the one of the name in lower case (ASCII), else null: `Read` and `read` are two
    /// tools, `READ` is `read`. Valid until the catalogue changes. O(log tools).
    [[nodiscard]] const tool_spec* find(std::string_view name) const noexcept;
    /// All tools, by name.
    [[nodiscard]] std::span<const tool_spec> tools() const noexcept { return tools_; }

    /// Reads a catalogue file and adds its tools to the 38. One JSON object, a tool a member:
    ///
    /// @code{.json}
    /// {
    ///   "fetch":  "url",
    ///   "zsh":    {"field": "command", "bare": "shell", "code": ["command"]},
    ///   "lookup": {"schema": {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}}
    /// }
    /// @endcode
    ///
    /// A string is the field. Of an object `bare` is `value` (default), `subcommands` or `shell`, `code` the fields that hold
    /// code. What is not JSON, names a tool twice or has a member that is not known is an error with its place.
    [[nodiscard]] static catalogue_reading read(std::string_view json);

private:
    std::vector<tool_spec> tools_; // by name
};

/// Why a catalogue file is none.
struct catalogue_error {
    std::string message;
    text_position place; ///< line and column, from 1
};

/// A catalogue, or what is wrong with its file (`catalogue` is then the 38 tools).
struct catalogue_reading {
    tool_catalogue catalogue;
    std::optional<catalogue_error> error;
    [[nodiscard]] explicit operator bool() const noexcept { return !error.has_value(); }
};

/// Other names that models give the members of tools, each with the name that is meant: `path` for `file`. An option of
/// `normalize_args`, off by default. Static storage.
struct member_alias {
    std::string_view alias;
    std::string_view name;
};
[[nodiscard]] std::span<const member_alias> member_aliases() noexcept;

} // namespace jsonheal
