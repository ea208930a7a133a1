// What every decoder of streams keeps, so that events come in the one order that `wire_stream.hpp` promises: a wire's decoder
// says what it has read, this says what that means.
#pragma once

#include "decoding.hpp"
#include "json_extent.hpp"

#include <jsonheal/wire_stream.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jsonheal::wire_detail {

/// Text in pieces, each of whole characters: half of a surrogate pair at the end of one waits for the next.
class piece_joiner {
public:
    /// Appends `piece` to `out`, behind what waited, without what must wait.
    void join(std::string_view piece, std::string& out);
    /// What waits still.
    [[nodiscard]] std::string take() noexcept { return std::exchange(half_, {}); }

private:
    std::string half_;
};

/// One call while it arrives.
struct call_state {
    std::string id; ///< as announced, or as read so far
    std::string name;
    std::string held; ///< arguments that wait: for the name, or `{}` that may be a placeholder
    std::string key;  ///< by which the wire tells it from others: an index, or nothing
    std::string signature;
    extra_members extra, wrapper_extra;
    json_extent extent;
    piece_joiner joiner;
    std::size_t index = 0; ///< final, once begun
    bool begun = false;
    bool any = false; ///< arguments went out
    bool custom = false;
};

struct choice_state {
    std::vector<call_state> calls; ///< in the order in which they appeared
    std::size_t begun = 0;
    piece_joiner text, reasoning, refusal;
    std::optional<finish> end;
    bool seen = false; ///< it is told of at the end
};

/// The events of one stream, in order.
class stream_state {
public:
    stream_state(wire_id w, const decode_options& options);

    [[nodiscard]] bool ended() const noexcept { return failed_ || done_; }
    [[nodiscard]] bool failed() const noexcept { return failed_; }
    message_start& head() noexcept { return head_; }
    [[nodiscard]] bool started() const noexcept { return started_; }

    /// The choice of that index; null if there are too many.
    choice_state* at(std::size_t choice);
    void text(std::size_t choice, std::string_view piece, std::vector<stream_event>& out);
    void reasoning(std::size_t choice, reasoning_delta piece, std::vector<stream_event>& out);
    void refusal(std::size_t choice, std::string_view piece, std::vector<stream_event>& out);
    void extra(extra_delta piece, std::vector<stream_event>& out);

    /// A new call at the end of the choice's. The reference is good until the next.
    call_state& add_call(choice_state& c);
    /// More of a call's arguments, or only what it has become known by.
    void arguments(std::size_t choice, call_state& call, std::string_view piece,
                   std::vector<stream_event>& out);

    void end(std::size_t choice, finish f);
    void used(usage u) { usage_ = std::move(u); }
    void fail(wire_error e, std::vector<stream_event>& out);
    void fail(std::string_view message, std::vector<stream_event>& out, std::string field = {});
    /// The end of the body, or what the wire has for it.
    void done(std::vector<stream_event>& out);

private:
    void start(std::vector<stream_event>& out);
    void begin(std::size_t choice, call_state& call, std::vector<stream_event>& out);
    void send(std::size_t choice, call_state& call, std::string text, std::vector<stream_event>& out);
    bool finish_calls(std::size_t choice, std::vector<stream_event>& out);
    void flush(std::size_t choice, std::vector<stream_event>& out);

    wire_id wire_;
    std::string id_seed_;
    message_start head_;
    std::string response_id_;
    std::vector<choice_state> choices_;
    std::optional<usage> usage_;
    bool started_ = false, failed_ = false, done_ = false;
};

} // namespace jsonheal::wire_detail
