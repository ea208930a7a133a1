/// @file dialect.hpp
/// Tool calls that models print as text: the table of formats, and the reader that finds calls in a text as it arrives.
///
/// `calls.hpp` is the face for callers; this one knows the markers and the shapes of bodies, and nothing of types. Offsets
/// and sizes are bytes. Every byte is looked at a bounded number of times; nothing recurses on the depth of the input;
/// nothing throws but std::bad_alloc.
#pragma once

#include <jsonheal/document.hpp>
#include <jsonheal/edits.hpp>
#include <jsonheal/heal.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal {

/// How the body of a call is written.
enum class call_shape : std::uint8_t {
    object,        ///< `{"name": …, "arguments": {…}}` between markers
    array,         ///< a list of those
    sequence,      ///< several of those, a line each or with `;` between
    named_object,  ///< the name outside, then an object of arguments
    python,        ///< `[f(a=1, b="x")]`
    delimited,     ///< `call:f{a:<|"|>x<|"|>}`
    function_tags, ///< `<function=f><parameter=a>1</parameter></function>`
    invoke_tags,   ///< `<invoke name="f"><parameter name="a">1</parameter></invoke>`
    pair_tags,     ///< `f<arg_key>a</arg_key><arg_value>1</arg_value>`
    typed_tags,    ///< as `invoke_tags`, each parameter with its type as an attribute
    element_tags,  ///< `<f><a>1</a></f>`
    lines          ///< attributes of one tag, or labelled lines
};
/// `object`, `array`, …, as `jsonheal calls --list` prints it. Static storage.
[[nodiscard]] std::string_view name(call_shape s) noexcept;

/// One format of the table. All text is static.
struct call_format {
    std::string_view name;   ///< stable, lower case
    std::string_view models; ///< whose text looks so
    call_shape shape;
    std::string_view opener; ///< what begins a call or a section of calls; empty if nothing does
};

/// All formats, in the order of their shapes. Static storage.
[[nodiscard]] std::span<const call_format> call_formats() noexcept;
/// The format of that name, or null. `-` counts as `_`, and case does not count. O(formats).
[[nodiscard]] const call_format* find_call_format(std::string_view name) noexcept;
/// The name nearest to one that is none. O(formats × length).
[[nodiscard]] std::string_view nearest_call_format(std::string_view name);
/// The format whose markers a chat template (Jinja text) or a model's reply has, the longest opener first; null if it has
/// none. O(text × formats).
[[nodiscard]] const call_format* detect_call_format(std::string_view text) noexcept;

namespace dialect {

/// The tools that are declared, as far as reading a text needs them. Names are WTF-8.
class tool_names {
public:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    struct tool {
        std::string name;
        std::vector<std::string> parameters; ///< in the schema's order
        bool has_schema = false;             ///< the parameters are known
    };
    void add(tool t) { tools_.push_back(std::move(t)); }
    [[nodiscard]] std::span<const tool> tools() const noexcept { return tools_; }
    /// Its index, or `none`. O(tools).
    [[nodiscard]] std::size_t find(std::string_view name) const noexcept;
    /// The tool that a model meant by a name: exactly, or without what models put around it (`functions.f:0`, `@f`,
    /// `mcp:f`). O(tools × length).
    [[nodiscard]] std::size_t meant(std::string_view written) const noexcept;
    /// May a call of that tool have that parameter? True where nothing is known.
    [[nodiscard]] bool may_have(std::size_t index, std::string_view parameter) const noexcept;
    /// Is it declared? False where nothing is known.
    [[nodiscard]] bool declares(std::size_t index, std::string_view parameter) const noexcept;

private:
    std::vector<tool> tools_;
};

/// What the format says of a text parameter's type.
enum class type_hint : std::uint8_t { none, string, json };

/// How a call came to its end.
enum class call_ending : std::uint8_t {
    closed,  ///< as the format has it
    mended,  ///< whole, but something that belongs to it was missing or wrong
    cut,     ///< the text stopped first
    rejected ///< what stands there cannot be the arguments of a call
};

struct call_begin {
    std::string_view name;  ///< as declared if it is, else as written; an `@` that was written stays
    std::string_view tool;  ///< the declared tool; empty if none is meant
    std::string_view id;    ///< from the text; empty if there is none
    std::size_t offset = 0; ///< where the call begins in the whole text
};

struct call_end {
    call_ending ending = call_ending::closed;
    std::size_t offset = 0;      ///< one past the call in the whole text
    std::span<const edit> edits; ///< of the engine, offsets in the whole text
};

/// What a reader tells. Views are valid during the call only.
class sink {
public:
    virtual ~sink() = default;
    virtual void on_content(std::string_view text) = 0;
    virtual void on_reasoning(std::string_view text) = 0;
    virtual void on_call(const call_begin& call) = 0;
    /// More bytes of the arguments as strict JSON, an object in the end.
    virtual void on_json(std::string_view bytes) = 0;
    /// The arguments as any text, whole: what a string held, a command line, nothing. `offset` is that of its first
    /// byte in the whole text, or `npos` if it does not stand there as it is.
    virtual void on_text(std::string_view text, std::size_t offset) = 0;
    /// A parameter given as text begins.
    virtual void on_parameter(std::string_view key, type_hint hint, std::size_t offset) = 0;
    /// More of its text.
    virtual void on_value(std::string_view text, std::size_t offset) = 0;
    /// It ends; `whole` is false where the text was cut off inside.
    virtual void on_value_end(bool whole) = 0;
    virtual void on_call_end(const call_end& end) = 0;

protected:
    sink() = default;
    sink(const sink&) = default;
    sink& operator=(const sink&) = default;
};

/// What becomes of calls that stand inside reasoning.
enum class reasoning_calls : std::uint8_t {
    unclosed, ///< they count if the reasoning is never closed: known at the end
    read,     ///< they count, and end the reasoning
    ignore    ///< they are reasoning
};

struct reader_options {
    const call_format* format = nullptr; ///< null: any
    const tool_names* tools = nullptr;   ///< must outlive the reader; null: none declared
    bool open_reasoning = false;         ///< the prompt has opened the reasoning already
    reasoning_calls in_reasoning = reasoning_calls::unclosed;
    heal_limits limits; ///< of the engine, for one call
};

namespace detail {
class machine;
}

/// Finds calls in a text as it arrives. Whole and streamed are one path: events come in the same order with the same
/// bytes, however the text is cut into chunks (pieces may be cut elsewhere).
class reader {
public:
    /// `to` must outlive the reader.
    reader(const reader_options& options, sink& to);
    ~reader();
    reader(reader&&) noexcept;
    reader& operator=(reader&&) noexcept;
    /// Amortised O(chunk).
    void feed(std::string_view chunk);
    void finish();

private:
    std::unique_ptr<detail::machine> machine_;
};

/// Text that stands for a value other than a string, as strict JSON: `True`, `{'a': 1}`, JSON once more inside a JSON string.
/// Objects and lists are only healed where `kinds` has them; numbers keep their digits. Nothing if it stands for none.
/// O(text).
[[nodiscard]] std::optional<std::string> spelled_value(std::string_view text, kind_set kinds);

/// @name Writing
/// @{

/// A call to be written. `arguments` is a strict JSON object.
struct written_call {
    std::string_view name, arguments, id;
};
/// Appends calls as a model of that format writes them, sections and all. O(size).
/// @pre arguments are strict JSON objects
void write_calls(const call_format& format, std::span<const written_call> calls, std::string& out);

/// @}

} // namespace dialect
} // namespace jsonheal
