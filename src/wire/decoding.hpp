// Reading the members of a wire's JSON into neutral values, with the first thing that is wrong kept as a typed error.
#pragma once

#include <jsonheal/document.hpp>
#include <jsonheal/wire.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jsonheal::wire_detail {

using namespace wire;

/// Appends a value as JSON text: its source without blanks.
void append_json(value_view v, std::string& out);
[[nodiscard]] std::string json_of(value_view v);

/// The JSON Pointer of a value, from the root. O(members on the way).
[[nodiscard]] std::string pointer_to(value_view root, value_view v);

/// A document being read, and what was wrong with it first. The functions say whether the value was there and right, so that
/// `null` and absent are one; a wrong kind is an error.
class decoding {
public:
    /// Parses; `ok()` is false if it is no JSON object, or nested deeper than `depth`. `status` is that of its errors.
    decoding(std::string_view json, wire_id w, std::size_t depth, int status);

    [[nodiscard]] bool ok() const noexcept { return !error_; }
    [[nodiscard]] value_view root() const noexcept { return document_.root(); }
    [[nodiscard]] std::optional<wire_error>&& take_error() noexcept { return std::move(error_); }

    /// Keeps the error if it is the first. `member`: of the object `at`, one that is missing.
    void fail(value_view at, std::string_view message, std::string_view member = {});

    bool text(value_view v, std::string& out);
    bool integer(value_view v, std::optional<std::int64_t>& out);
    bool number(value_view v, std::string& out);
    bool boolean(value_view v, std::optional<bool>& out);
    /// Any JSON but null.
    bool raw(value_view v, std::string& out);
    /// True if it is an object, false if null.
    bool object(value_view v);
    bool array(value_view v);

private:
    bool kind(value_view v, value_kind wanted, std::string_view message);
    document document_;
    wire_id wire_;
    int status_;
    std::optional<wire_error> error_;
};

/// Keeps a member that is not known.
void keep_extra(const member& m, extra_members& out);

/// The name of a member; borrows the text or `scratch`.
[[nodiscard]] inline std::string_view key_of(const member& m, std::string& scratch) {
    return m.key.string(scratch);
}

/// Notes about the blocks of one message.
class notes_for {
public:
    notes_for(std::vector<note>& notes, std::string message) : notes_(notes), message_(std::move(message)) {}
    void add(std::size_t block, std::string_view text) {
        notes_.push_back({message_ + "/blocks/" + std::to_string(block), std::string(text)});
    }
    void add(std::string_view text) { notes_.push_back({message_, std::string(text)}); }

private:
    std::vector<note>& notes_;
    std::string message_;
};

/// The string of that member, or an empty one.
[[nodiscard]] std::string string_in(value_view object, std::string_view key);

/// Arguments as the object that some wires want in place of text. False if they are no object: they are then a member of one,
/// `invalid_arguments`, so that nothing is lost. Free text of a custom tool is the member `input`.
bool append_arguments(const tool_call& call, std::string& out);
/// An object from such a wire as arguments.
void read_arguments_object(decoding& in, value_view v, tool_call& call);

/// Whether what only the wire of origin knows may go out on this one.
[[nodiscard]] inline bool is_own(wire_id origin, wire_id w) noexcept {
    return origin == w || origin == wire_id::none;
}

/// A message as another wire than its own may have it: without the parts and members that only its own knows.
[[nodiscard]] message without_foreign(const message& m, notes_for& notes);

/// The members of a JSON object that was kept as text; none of other text.
[[nodiscard]] extra_members members_of(std::string_view json);

[[nodiscard]] std::size_t calls_in(const message& m) noexcept;
/// A reason that agrees with the calls that there are: a provider that says `stop` after calls means `tool_calls`.
void agree_with_calls(finish& f, std::size_t calls);
/// Calls without an id, or with one that another call of the message has, get one, and the reason agrees with them.
void complete_calls(choice& c, std::string_view seed, std::string_view response);

/// An id for a call that came without one: from what tells calls apart, so the same input gives the same id.
[[nodiscard]] std::string make_call_id(std::string_view seed, std::string_view response, std::size_t choice,
                                       std::size_t call);

} // namespace jsonheal::wire_detail
