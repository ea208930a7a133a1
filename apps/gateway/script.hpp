/// @file script.hpp
/// A provider that answers from a file: broken in the ways models break, at a pace, failing, hanging. For trying the gateway without
/// a key and without a network, and for its tests.
#pragma once

#include <jsonheal/wire.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jsonheal::gateway {

/// What goes wrong besides the text.
enum class script_fault : std::uint8_t {
    none,
    hang,       ///< nothing comes, ever
    reset,      ///< the connection ends without an answer, or after `after` bytes of the text in a stream
    half_event, ///< a stream ends in the middle of an event
    no_done ///< a stream ends without [DONE] and without a finish reason; `after` is all of the text if not given
};

/// One answer.
struct scripted_reply {
    std::string text;
    std::string reasoning;
    std::string refusal;
    std::vector<wire::tool_call> calls;
    wire::finish_reason finish =
        wire::finish_reason::stop; ///< `tool_calls` if there are calls and none was given
    int status = 200;              ///< another one: an error with `error` as its message
    std::string error;
    std::vector<std::pair<std::string, std::string>> headers; ///< such as retry-after
    std::chrono::milliseconds delay{0};                       ///< before the first byte
    std::chrono::milliseconds pace{0};                        ///< between the pieces of a stream
    std::size_t piece = 16; ///< bytes of text in a piece of a stream, whole characters
    script_fault fault = script_fault::none;
    std::size_t after = 0;                            ///< bytes of text before the fault
    std::int64_t input_tokens = 0, output_tokens = 0; ///< 0: a quarter of the bytes
};

/// When a reply is given: all that is set must hold.
struct script_rule {
    std::string model; ///< of the request
    std::string
        contains; ///< in the text of the last user message that is not feedback of the gateway's: the first user message from the end whose text does not begin with `feedback_mark`
    std::size_t turn = 0; ///< 1 + number of assistant messages behind the last plain user message; 0: any
    scripted_reply reply;
};

/// Rules in order; the first that holds answers. Stateless, so the same request has the same answer.
class script {
public:
    [[nodiscard]] const scripted_reply& reply_to(const wire::request& r) const noexcept;
    [[nodiscard]] const std::vector<script_rule>& rules() const noexcept { return rules_; }
    /// Names of models that rules mention, each once, in order; `demo` if none.
    [[nodiscard]] std::vector<std::string> models() const;

private:
    friend struct script_reading read_script(std::string_view yaml, const std::string& file);
    std::vector<script_rule> rules_;
    scripted_reply otherwise_; ///< status 404: no rule holds
};

struct script_reading {
    std::shared_ptr<const gateway::script> value;
    std::vector<std::string> mistakes; ///< `demo.yaml:3: …`
    [[nodiscard]] explicit operator bool() const noexcept { return mistakes.empty(); }
};

/// Reads `replies: [{when: {model, contains, turn}, text, reasoning, refusal, tool_calls: [{name, arguments, id}], finish, status,
/// error, headers, delay, pace, piece, fault, after, usage: {input, output}}]`.
[[nodiscard]] script_reading read_script(std::string_view yaml, const std::string& file);
/// The sample that is compiled in (`apps/gateway/demo.yaml`).
[[nodiscard]] std::shared_ptr<const script> demo_script();

/// The reply as a whole answer of the chat wire's neutral form, `asked.n` times over. `id` and `created` are the caller's; calls without an
/// id get one made of it. @pre the reply's status is 200
[[nodiscard]] wire::response as_response(const scripted_reply& reply, const wire::request& asked,
                                         std::string id, std::int64_t created);
/// The reply as the events of a whole stream, in pieces of `reply.piece` bytes; its fault is the caller's.
[[nodiscard]] std::vector<wire::stream_event>
as_events(const scripted_reply& reply, const wire::request& asked, std::string id, std::int64_t created);

/// Feedback of the gateway begins with this, so scripts can tell it from a user's words.
inline constexpr std::string_view feedback_mark = "Your last answer ";

} // namespace jsonheal::gateway
