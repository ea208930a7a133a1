/// @file wire_stream.hpp
/// Answers that arrive in pieces, as neutral events: read from any wire, written to any.
///
/// The order of events, whatever the provider sent: one `message_start`; then deltas, of any choice; then for each choice that
/// had one `choice_finish`; then `usage_total` if it is known; then `stream_done`. A call is begun once, by `call_begin` with its
/// final index, id and name, before its arguments; indexes count from 0 in each choice, without gaps. Where anything fails
/// there is one `stream_error`, after which only `stream_done` comes. Decoders keep this order under any input, and encoders
/// rely on it.
///
/// Ends are told at the end: a reason that came early waits for the end of the stream, for providers send content after it.
#pragma once

#include <jsonheal/wire_message.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace jsonheal::wire {

/// Why a wire could not be read, or what a provider said in place of an answer.
struct wire_error {
    enum class kind : std::uint8_t {
        protocol, ///< the bytes break the wire's rules
        provider, ///< the provider says so
        usage     ///< the client asks for what is not there
    };
    kind what = kind::protocol;
    wire_id wire = wire_id::none;
    std::string field;   ///< JSON Pointer (RFC 6901) into what was read; empty: all of it
    std::string message; ///< a sentence without its full stop, or the provider's words
    int status = 0;      ///< HTTP status that it is, or would be; 0 if nothing is known
    std::string type;    ///< the provider's, such as `invalid_request_error`
    std::string code;    ///< the provider's; of a number its digits
    std::string param;   ///< the provider's name for the field
    std::string
        failed_generation; ///< what the model wrote and the provider could not read (Groq): to be healed
    extra_members extra;
    friend bool operator==(const wire_error&, const wire_error&) = default;
};

/// @name Events
/// @{

struct message_start {
    wire_id origin = wire_id::none; ///< where the `extra` of this and later events belongs to
    std::string id;
    std::string model;
    std::optional<std::int64_t> created;
    extra_members extra;
    friend bool operator==(const message_start&, const message_start&) = default;
};
struct text_delta {
    std::size_t choice = 0;
    std::string text; ///< whole characters
    friend bool operator==(const text_delta&, const text_delta&) = default;
};
struct reasoning_delta {
    std::size_t choice = 0;
    std::string text;
    std::string signature; ///< of the block that ends here
    std::string redacted;
    std::string member; ///< chat: as in `reasoning_block`
    friend bool operator==(const reasoning_delta&, const reasoning_delta&) = default;
};
struct refusal_delta {
    std::size_t choice = 0;
    std::string text;
    friend bool operator==(const refusal_delta&, const refusal_delta&) = default;
};
struct call_begin {
    std::size_t choice = 0;
    std::size_t call = 0; ///< index within the choice
    std::string id;
    std::string name;
    bool custom = false;
    std::string signature;
    extra_members extra;
    extra_members wrapper_extra;
    friend bool operator==(const call_begin&, const call_begin&) = default;
};
struct call_arguments {
    std::size_t choice = 0;
    std::size_t call = 0;
    std::string text; ///< the next piece; never empty
    friend bool operator==(const call_arguments&, const call_arguments&) = default;
};
/// Members that the codec does not know, where the wire has them.
struct extra_delta {
    std::size_t choice = 0;
    extra_members chunk;
    extra_members in_choice;
    extra_members in_delta;
    friend bool operator==(const extra_delta&, const extra_delta&) = default;
};
struct choice_finish {
    std::size_t choice = 0;
    wire::finish finish;
    friend bool operator==(const choice_finish&, const choice_finish&) = default;
};
struct usage_total {
    wire::usage usage;
    friend bool operator==(const usage_total&, const usage_total&) = default;
};
struct stream_error {
    wire_error error;
    friend bool operator==(const stream_error&, const stream_error&) = default;
};
struct stream_done {
    friend bool operator==(const stream_done&, const stream_done&) = default;
};

using stream_event =
    std::variant<message_start, text_delta, reasoning_delta, refusal_delta, call_begin, call_arguments,
                 extra_delta, choice_finish, usage_total, stream_error, stream_done>;

/// @}

/// Reads a stream. Amortised O(payload); memory is O(calls) and what is held of the current place. Nothing throws but
/// std::bad_alloc.
class stream_decoder {
public:
    virtual ~stream_decoder() = default;
    /// One event of the body: for SSE the `event:` name, or nothing, and the `data:` lines joined by line feeds; else a line.
    /// Appends what it says. After `stream_done` nothing more is said.
    virtual void feed(std::string_view event, std::string_view data, std::vector<stream_event>& out) = 0;
    /// The body has ended, or will not go on. Ends that are missing become a `stream_error`; `stream_done` comes last.
    virtual void finish(std::vector<stream_event>& out) = 0;

protected:
    stream_decoder() = default;
    stream_decoder(const stream_decoder&) = default;
    stream_decoder& operator=(const stream_decoder&) = default;
};

/// Writes a stream: the bytes of the body, framed (`data: …` and a blank line, or a line). O(event) each.
class stream_encoder {
public:
    virtual ~stream_encoder() = default;
    /// Appends the bytes of one event. A stream that ends before its choices do is told to the client as an error; what
    /// comes after the end is left out.
    virtual void put(const stream_event& event, std::string& out) = 0;

protected:
    stream_encoder() = default;
    stream_encoder(const stream_encoder&) = default;
    stream_encoder& operator=(const stream_encoder&) = default;
};

/// Puts a stream together. O(event) each.
class response_gatherer {
public:
    void put(const stream_event& event);
    /// The error of the stream, if there was one; the response is then what came before.
    [[nodiscard]] const std::optional<wire_error>& error() const noexcept { return error_; }
    [[nodiscard]] bool done() const noexcept { return done_; }
    [[nodiscard]] const wire::response& response() const noexcept { return response_; }
    /// Hands the response over. The gatherer is then used up.
    [[nodiscard]] wire::response take() { return std::move(response_); }

private:
    [[nodiscard]] choice& at(std::size_t index);
    wire::response response_;
    std::optional<wire_error> error_;
    bool done_ = false;
};

/// The events of a response, for a client that wants a stream where the provider gave none. Text and arguments are cut into
/// pieces of at most `piece` bytes, at characters; 0: one piece each. O(response).
void replay(const response& r, std::size_t piece, std::vector<stream_event>& out);

} // namespace jsonheal::wire
