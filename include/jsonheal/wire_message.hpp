/// @file wire_message.hpp
/// Messages, tools, requests and responses of language models as neutral values, whatever the wire they came by.
///
/// A wire is the JSON that a provider speaks (`wire.hpp` lists them). What several wires can say has a member of its own
/// here; what a codec does not know is kept as raw JSON in `extra`, in order, and goes out again on the same wire.
///
/// Strings are WTF-8 (see `document.hpp`). "JSON text" is one strict JSON value without blanks outside its strings, numbers
/// and escapes as they were spelled; an empty string means that there is none. Arguments of tool calls are what a model wrote:
/// they may be no JSON at all until they are healed. All types are plain values: copied, compared, moved at will.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace jsonheal::wire {

/// The wires.
enum class wire_id : std::uint8_t {
    none,               ///< made by the caller
    openai_chat,        ///< `POST /v1/chat/completions`, and whoever copies it
    openai_responses,   ///< `POST /v1/responses`
    anthropic_messages, ///< `POST /v1/messages`
    gemini,             ///< `POST /v1beta/models/{model}:generateContent`
    ollama              ///< `POST /api/chat`
};
/// `none`, `openai_chat`, … Static storage.
[[nodiscard]] std::string_view name(wire_id w) noexcept;

/// @name Raw members
/// @{

/// A member that the codec does not know.
struct extra_member {
    std::string name;
    std::string json; ///< JSON text
    friend bool operator==(const extra_member&, const extra_member&) = default;
};
/// In the order of the wire; repeated names are kept.
using extra_members = std::vector<extra_member>;

/// The last member of that name, or null. O(members).
[[nodiscard]] const extra_member* find_extra(const extra_members& members, std::string_view name) noexcept;
/// Takes all members of that name out and returns the JSON text of the last, or an empty string. O(members).
std::string take_extra(extra_members& members, std::string_view name);

/// @}
/// @name Tools
/// @{

/// A tool that a model may call.
struct tool_definition {
    std::string name;
    std::string description;
    std::string parameters;     ///< JSON text of its JSON Schema
    std::optional<bool> strict; ///< the provider holds the model to the schema
    std::string cache_control;  ///< JSON text of the mark
    std::string
        json; ///< not empty: a tool of another sort, as the wire of the request has it; the rest is unused
    extra_members extra;
    extra_members wrapper_extra; ///< beside `function`, where the wire has that object
    friend bool operator==(const tool_definition&, const tool_definition&) = default;
};

/// Which tools the model may or must use.
struct tool_choice {
    enum class kind : std::uint8_t {
        unset,     ///< the provider's default
        automatic, ///< as it likes
        none,      ///< no tool
        required,  ///< at least one
        tool,      ///< the one of `name`
        other      ///< `json`, as the wire of the request has it
    };
    kind what = kind::unset;
    std::string name;
    std::string json;
    friend bool operator==(const tool_choice&, const tool_choice&) = default;
};

/// A call that a model wrote.
struct tool_call {
    std::string id;   ///< never empty in what a codec has read from a response
    std::string name; ///< of the tool
    std::string
        arguments; ///< what the model wrote: meant to be the JSON text of an object; of a custom tool any text
    bool custom = false;   ///< the tool takes free text
    std::string signature; ///< of the provider, to be sent back with the call (Gemini's thought signature)
    extra_members extra;
    extra_members wrapper_extra; ///< beside `function`, where the wire has that object
    friend bool operator==(const tool_call&, const tool_call&) = default;
};

struct content_block;

/// What a tool answered.
///
/// Wires without an error flag carry it as a prefix of the text, `[ERROR:<code>] ` or `[ERROR] `, which codecs put on and take
/// off; `content` is without it.
struct tool_result {
    std::string call_id;
    std::string name;                 ///< of the tool; for wires that link by name
    std::string content;              ///< its text; of `parts` all text in a row
    std::vector<content_block> parts; ///< not empty: the content in parts, images or marks among them
    bool is_error = false;
    std::string
        error_code; ///< `ENOENT`, `Timeout`, …; at most 32 bytes of ASCII letters, digits, `_`, `:`, `-`, `.`
    friend bool operator==(const tool_result& a, const tool_result& b);
};

/// @}
/// @name Content
/// @{

struct text_block {
    std::string text;
    friend bool operator==(const text_block&, const text_block&) = default;
};

/// What the model thought before it answered.
struct reasoning_block {
    std::string text;
    std::string signature; ///< of the provider; a block that has one must go back unchanged
    std::string redacted;  ///< thought that the provider keeps encrypted; `text` is then empty
    std::string member;    ///< chat: the name it came under, if not `reasoning_content`
    friend bool operator==(const reasoning_block&, const reasoning_block&) = default;
};

/// Why the model will not answer. No failure of its JSON.
struct refusal_block {
    std::string text;
    friend bool operator==(const refusal_block&, const refusal_block&) = default;
};

/// A picture: bytes or a link.
struct image_block {
    std::string url;        ///< a link; empty if there are bytes
    std::string media_type; ///< `image/png`
    std::string data;       ///< base64
    std::string detail;     ///< `low`, `high`, `auto`, or empty
    friend bool operator==(const image_block&, const image_block&) = default;
};

/// A part of which this library knows nothing, for the wire it came by.
struct other_block {
    std::string json; ///< JSON text of the whole part
    friend bool operator==(const other_block&, const other_block&) = default;
};

/// One part of a message.
struct content_block {
    std::variant<text_block, reasoning_block, refusal_block, image_block, tool_call, tool_result, other_block>
        value;
    std::string
        cache_control;   ///< JSON text of the mark, `{"type":"ephemeral"}`: a provider may cache up to here
    extra_members extra; ///< of parts other than calls, which have their own
    friend bool operator==(const content_block&, const content_block&) = default;

    /// The block as that kind, or null: `if (const auto* t = block.get<text_block>())`
    template <class Block>
    [[nodiscard]] const Block* get() const noexcept {
        return std::get_if<Block>(&value);
    }
    template <class Block>
    [[nodiscard]] Block* get() noexcept {
        return std::get_if<Block>(&value);
    }
};
inline bool operator==(const tool_result& a, const tool_result& b) {
    return a.call_id == b.call_id && a.name == b.name && a.content == b.content && a.parts == b.parts &&
           a.is_error == b.is_error && a.error_code == b.error_code;
}

/// A block of text.
[[nodiscard]] inline content_block make_text(std::string text) {
    return {text_block{std::move(text)}, {}, {}};
}

enum class role : std::uint8_t {
    system,
    developer, ///< as `system`; newer models of OpenAI call it so
    user,
    assistant,
    tool ///< holds tool results and nothing else
};
/// `system`, `developer`, `user`, `assistant`, `tool`. Static storage.
[[nodiscard]] std::string_view name(role r) noexcept;
[[nodiscard]] std::optional<role> role_by_name(std::string_view name) noexcept;

struct message {
    wire::role role = wire::role::user;
    std::vector<content_block> blocks;
    std::string participant; ///< chat: `name`, which tells apart several of one role
    extra_members extra;
    friend bool operator==(const message&, const message&) = default;

    /// All its text blocks in a row. O(text).
    [[nodiscard]] std::string text() const;
};

/// @}
/// @name Requests
/// @{

/// The form that the answer must have.
struct response_format {
    enum class kind : std::uint8_t { unset, text, json_object, json_schema, other };
    kind what = kind::unset;
    std::string name; ///< of the schema
    std::string description;
    std::string schema; ///< JSON text
    std::optional<bool> strict;
    std::string json;            ///< of `other`, as the wire of the request has it
    extra_members extra;         ///< of `json_schema`, such as `healing_options`
    extra_members wrapper_extra; ///< beside `json_schema`, where the wire has that object
    friend bool operator==(const response_format&, const response_format&) = default;
};

/// What a client asks of a model. Numbers that are only passed on keep their spelling (JSON text).
struct request {
    wire_id origin = wire_id::none; ///< where `extra`, `json` and `other_block` belong to
    std::string model;
    std::vector<content_block>
        system;                    ///< where the wire has a place of its own for it; stands before `messages`
    std::vector<message> messages; ///< chat keeps its system messages here, each in its place
    std::vector<tool_definition> tools;
    wire::tool_choice tool_choice;
    std::optional<bool> parallel_tool_calls;
    wire::response_format response_format;
    std::optional<std::int64_t> max_tokens;
    bool old_max_tokens = false; ///< chat: the limit stood in `max_tokens`, not in `max_completion_tokens`
    std::optional<std::int64_t> n;
    std::string temperature;
    std::string top_p;
    std::string top_k;
    std::string seed;
    std::vector<std::string> stop;
    std::string reasoning_effort; ///< `low`, `medium`, …
    std::optional<bool> stream;
    std::optional<bool> include_usage; ///< at the end of a stream
    std::string user;
    std::string metadata; ///< JSON text
    extra_members extra;
    extra_members stream_extra; ///< of `stream_options`
    friend bool operator==(const request&, const request&) = default;
};

/// All that tells the model how to behave: `system`, then the blocks of system and developer messages, in order. For wires
/// that have one place for it. O(blocks).
[[nodiscard]] std::vector<content_block> gather_system(const request& r);

/// @}
/// @name Responses
/// @{

/// Why a model stopped.
enum class finish_reason : std::uint8_t {
    none,           ///< not said: the answer may be cut
    stop,           ///< it was done, or met a stop sequence
    length,         ///< the limit of tokens, or the context, was full
    tool_calls,     ///< it wants results
    content_filter, ///< the provider, or the model itself, would not
    malformed_call, ///< the provider could not read the model's own call
    pause,          ///< the provider wants to be asked to go on
    error,          ///< it failed on the way
    other           ///< see `native`
};
/// `none`, `stop`, `length`, `tool_calls`, `content_filter`, `malformed_call`, `pause`, `error`, `other`. Static storage.
[[nodiscard]] std::string_view name(finish_reason r) noexcept;

struct finish {
    finish_reason reason = finish_reason::none;
    std::string native;        ///< as the wire spelled it, where that says more than `reason`
    std::string stop_sequence; ///< the one that was met, if the wire says so
    friend bool operator==(const finish&, const finish&) = default;
};

/// What was used. `input` counts every token read, cached ones among them; `output` counts reasoning.
struct usage {
    std::optional<std::int64_t> input;
    std::optional<std::int64_t> output;
    std::optional<std::int64_t> total; ///< as the wire said it
    std::optional<std::int64_t> cache_read;
    std::optional<std::int64_t> cache_write;
    std::optional<std::int64_t> reasoning;
    extra_members extra;
    extra_members input_extra;  ///< of `prompt_tokens_details`
    extra_members output_extra; ///< of `completion_tokens_details`
    friend bool operator==(const usage&, const usage&) = default;

    /// Adds the counts of a further attempt; a count that either has is there. `extra` stays as it is.
    usage& operator+=(const usage& more);
};

struct choice {
    std::int64_t index = 0;
    wire::message message{role::assistant, {}, {}, {}};
    wire::finish finish;
    extra_members extra;
    friend bool operator==(const choice&, const choice&) = default;
};

/// What a model answered.
struct response {
    wire_id origin = wire_id::none;
    std::string id;
    std::string model;
    std::optional<std::int64_t> created; ///< seconds since 1970
    std::vector<choice> choices;
    std::optional<wire::usage> usage;
    extra_members extra;
    friend bool operator==(const response&, const response&) = default;
};

/// @}

} // namespace jsonheal::wire
