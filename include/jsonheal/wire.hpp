/// @file wire.hpp
/// The wires of providers: JSON to neutral messages and back, whole and streaming, as pure functions. No sockets.
///
/// A codec is a row of functions, so a caller picks one by name and needs to know nothing of it. What a wire cannot say is
/// reported in `notes`, never dropped in silence. Data never throws: errors are values.
///
/// @code
/// const jsonheal::wire::codec& chat = jsonheal::wire::get_codec(jsonheal::wire::wire_id::openai_chat);
/// auto asked = chat.decode_request(R"({"model": "m", "messages": [{"role": "user", "content": "Hi"}], "top_a": 0.50})", {});
/// assert(asked && asked.value.messages.at(0).text() == "Hi");
/// assert(chat.encode_request(asked.value, {}).json ==
///        R"({"model":"m","messages":[{"role":"user","content":"Hi"}],"top_a":0.50})");
/// @endcode
#pragma once

#include <jsonheal/wire_message.hpp>
#include <jsonheal/wire_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::wire {

/// Something that could not be said on a wire, or was said in another way.
struct note {
    std::string field;   ///< of the neutral value, as a JSON Pointer: `/messages/2/blocks/0`
    std::string message; ///< a clause without a full stop
    friend bool operator==(const note&, const note&) = default;
};

/// What was read, or why not (`value` is then of no use).
template <class Value>
struct reading {
    Value value;
    std::optional<wire_error> error;
    [[nodiscard]] explicit operator bool() const noexcept { return !error.has_value(); }
};

/// What was written.
struct encoded {
    std::string json;
    std::vector<note> notes;
};

/// How to read.
struct decode_options {
    std::string_view model; ///< of a request whose wire has it in the URL
    bool stream = false;    ///< likewise
    std::string_view
        id_seed; ///< makes the ids of calls that came without one; give what differs between responses
    std::size_t depth = 1000; ///< of the JSON; deeper is an error
};

/// How to write for one provider. The defaults keep all that the wire can say.
struct encode_options {
    bool cache_control = true;       ///< marks go out where the wire has a place for them
    bool native_tools = true;        ///< false: tools, calls and choices are left out, with a note
    bool json_schema = true;         ///< false: a schema goes out as `json_object`, with a note
    bool json_object = true;         ///< false: the response format is left out, with a note
    bool strict = true;              ///< false: `strict` is left out
    bool tool_choice = true;         ///< false: the choice is left out, with a note unless it was automatic
    bool parallel_tool_calls = true; ///< false: left out, with a note
    bool text_content_only =
        false; ///< chat: contents of text alone go out as one string, marks and all left out
    bool old_max_tokens = false;            ///< chat: the limit goes out as `max_tokens` in any case
    std::int64_t default_max_tokens = 4096; ///< for wires that demand a limit
};

/// How to write an answer.
struct response_options {
    bool include_usage = false; ///< chat streams: a last chunk with the usage, and `usage: null` before
    std::string_view id;        ///< in place of the response's own; empty: that, or one is made
    std::string_view model;     ///< likewise
    std::optional<std::int64_t> created; ///< likewise; without any it is 0
};

/// One wire.
struct codec {
    wire_id id = wire_id::none;
    std::string_view name;
    std::string_view path;        ///< behind the base URL; `{model}` stands for the model
    std::string_view stream_path; ///< for streams
    bool sse = true;              ///< streams are Server-Sent Events; else lines of JSON

    reading<request> (*decode_request)(std::string_view json, const decode_options& options) = nullptr;
    encoded (*encode_request)(const request& r, const encode_options& options) = nullptr;
    /// An answer of status 200; an error in its body is an error.
    reading<response> (*decode_response)(std::string_view json, const decode_options& options) = nullptr;
    encoded (*encode_response)(const response& r, const response_options& options) = nullptr;
    /// The body of another status, whatever it holds: JSON of this wire, of another, or a page of HTML.
    wire_error (*decode_error)(int status, std::string_view body) = nullptr;
    std::string (*encode_error)(const wire_error& e) = nullptr;
    /// Options must outlive nothing: they are copied.
    std::unique_ptr<stream_decoder> (*make_decoder)(const decode_options& options) = nullptr;
    std::unique_ptr<stream_encoder> (*make_encoder)(const response_options& options) = nullptr;
};

/// All codecs. Static storage.
[[nodiscard]] std::span<const codec> codecs() noexcept;
/// The codec of that wire. @pre it is not `none`
[[nodiscard]] const codec& get_codec(wire_id w) noexcept;
/// The codec of that name (`openai_chat`), or null.
[[nodiscard]] const codec* find_codec(std::string_view name) noexcept;

/// @name Errors
/// @{

/// The words of OpenAI's error object for a status: `{404, "invalid_request_error", "model_not_found"}`.
struct error_words {
    int status = 0;
    std::string_view type;
    std::string_view code; ///< empty: null
};
/// The row of a status; that of 500, or of 400, for one that the table has not.
[[nodiscard]] const error_words& words_of(int status) noexcept;

/// A JSON Pointer as OpenAI's `param`: `/messages/0/content` → `messages[0].content`.
[[nodiscard]] std::string param_of(std::string_view pointer);

/// @}
/// @name Tool results as text
/// @{

/// `[ERROR:ENOENT] no such file`, `[ERROR] no such file`, or the content alone if it is no error.
[[nodiscard]] std::string marked_content(const tool_result& r);
/// Takes such a prefix off `content` and sets `is_error` and `error_code`. False, with nothing changed, if there is none.
bool read_error_mark(tool_result& r);

/// @}
/// @name Before a request goes out
/// @{

/// What `repair_history` did.
struct history_repair {
    std::size_t missing = 0; ///< calls that got an error result
    std::size_t removed = 0; ///< results of no call
    std::size_t moved = 0;   ///< results that did not follow their call
    std::size_t renamed = 0; ///< calls whose id was empty or taken
    [[nodiscard]] bool any() const noexcept { return missing + removed + moved + renamed != 0; }
};

/// Makes every call have exactly one result, in the messages that follow it, as providers demand.
///
/// Ids may repeat from turn to turn: a call is matched only up to the next message of the assistant. Of several results for one call the
/// first stays. A missing one becomes an error result of code `missing_result`. Results stand right behind their calls, in the
/// order of these, each in a message of its own. Calls whose id is empty or taken in the turn get another, and so do their
/// results. Idempotent. O(history).
history_repair repair_history(std::vector<message>& messages);

/// @}

} // namespace jsonheal::wire
