/// @file stream.hpp
/// A reply that is still being written, as something to work with: snapshots, events, a live document, and whether it can
/// still fit a schema.
///
/// It is a `healer` whose settled text is read on as it settles. All that is shown here is therefore certain: it is a part
/// of the final value and depends on the bytes so far, never on where a chunk ended.
///
/// @code
/// jsonheal::stream s;
/// s.feed("Sure: {'title': 'Dra");
/// assert(s.snapshot_text() == R"({"title": "Dra"})");
/// @endcode
#pragma once

#include <jsonheal/align.hpp>
#include <jsonheal/document.hpp>
#include <jsonheal/heal.hpp>
#include <jsonheal/schema.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal {

/// Where a value stands: a view on the path stack of the stream that hands it out, valid during the call of the handler.
class stream_place {
public:
    /// One step from a container to its part.
    struct step {
        bool in_array = false;
        std::size_t index = 0;     ///< in an array
        std::string_view key = {}; ///< in an object, WTF-8
    };

    /// Steps from the root; 0 for the root itself.
    [[nodiscard]] std::size_t depth() const noexcept { return steps_.size(); }
    /// @pre i < depth(). The step from level i to level i + 1. O(1).
    [[nodiscard]] step at(std::size_t i) const noexcept;
    /// JSON Pointer (RFC 6901) as text. O(its length).
    [[nodiscard]] std::string pointer() const;
    void append_pointer(std::string& out) const;

private:
    friend class stream;
    friend struct stream_state;
    struct level {
        bool in_array = false;
        std::size_t index = 0;     ///< of the element that stands last
        std::size_t key_begin = 0; ///< in keys_
    };
    std::vector<level> steps_;
    std::string keys_;
};

enum class event_kind : std::uint8_t {
    began, ///< an object, an array or a string begins
    piece, ///< more of a string; together the pieces are its content
    ended  ///< a value is complete: once for each
};

/// Something has become certain. The order is that of the text. Numbers and literals only end, since they are not shown
/// before they are whole.
struct stream_event {
    event_kind kind = event_kind::ended;
    value_kind value = value_kind::null;
    const stream_place& place;
    /// piece: content in WTF-8. ended: a scalar as JSON (of a string longer than `longest_text` only the beginning, see
    /// `cut`). Else empty.
    std::string_view text;
    bool item = false;     ///< the value is an element of an array
    bool cut = false;      ///< `text` is not all of the string
    std::size_t size = 0;  ///< ended: members or elements of a container
    std::size_t begin = 0; ///< byte of the healed text at which the value begins
    std::size_t end = 0;   ///< ended: one past its last byte
};

/// What a stream keeps for its caller.
enum class stream_sink : std::uint8_t {
    text,     ///< `drain` hands over the healed text, which is then forgotten
    document, ///< `value` is a document that grows; `drain` gives nothing
    both
};

/// How the values at some places are shown in snapshots and in the live document. What is hidden is only late: it is shown
/// as soon as its condition holds, and at the latest when it (for `not_null`: its parent) is complete.
struct show_rule {
    /// JSON Pointer, in which a step `*` stands for any one key or index: `/rows/*/id`.
    std::string place;
    bool when_done = false; ///< not before it is complete
    bool not_null = false;  ///< its parent is not shown before this member is there and is not null
    bool with_state = false; ///< `snapshot_text` shows `{"value": …, "state": "incomplete"}`, or `"complete"`
};

struct stream_options {
    heal_options heal = heal_options::live();
    stream_sink sink = stream_sink::both;
    /// Called for each event during `feed` and `finish`. What it throws goes through; the stream is then of no use.
    std::function<void(const stream_event&)> on_event;
    /// Bytes kept of a string for the event of its end.
    std::size_t longest_text = 1u << 20;
    /// 0: pieces as they settle. Else each piece of a string but the last is as many bytes, or up to 11 more so that no
    /// character is cut: the events are then the same for any chunks.
    std::size_t piece_bytes = 0;
    std::vector<show_rule> show;
    /// With a schema strings of an `enum` or `const` are held until they are whole, and `can_still_fit` answers.
    std::optional<schema::program> schema;
    /// With a schema: values are aligned to it, and the schema is a hint for reading the text, as in `answer`. A scalar
    /// of which one subschema speaks, whatever else may follow, is held until it is whole and shown aligned. What only the whole
    /// value can decide is known after `finish`: `stream::aligned`. Where the preset is `whole` nothing is shown before
    /// that. The healed text is kept then, whatever the sink, and all that is said of healed text here (offsets, `drain`)
    /// is said of the shown one.
    std::optional<align_options> align;
};

/// The show rules that a schema spells: the keyword `x-stream` of a subschema is one of the words `done`, `not_null` and
/// `state`, or a list of them. Subschemas are found through `properties`, `items`, `prefixItems`, `allOf`, `anyOf`, `oneOf`
/// and `$ref`; one that contains itself is followed once. O(schema).
[[nodiscard]] std::vector<show_rule> show_rules_of(const schema::program& p);

/// A stream of healed JSON. Use after `finish` (but for `reset`, `value`, `validation`) throws std::logic_error.
///
/// Memory: that of a drained `healer`, and what the options ask for: the document so far, one string, the keys on the path.
class stream {
public:
    /// Throws std::invalid_argument as `healer` does, and for a `show_rule::place` that is no pointer.
    explicit stream(stream_options options = {});
    ~stream();
    stream(stream&&) noexcept;
    stream& operator=(stream&&) noexcept;

    /// Amortised O(chunk), and what the handler does.
    void feed(std::string_view chunk);
    /// Ends the text. `json()` of the result is what `drain` has not handed over, with the sink `document` all of it.
    [[nodiscard]] healing finish();
    /// Ready for another text; keeps its memory.
    void reset();

    /// As `healer::drain`, but that strings of an enum are held until they are whole. Empty with the sink `document`.
    [[nodiscard]] std::string_view drain();
    /// As `healer::drain_edits`.
    [[nodiscard]] std::span<const edit> drain_edits();

    /// What can be shown now: offsets in the healed text. Under `show` less than `healer::snapshot` may give. O(depth).
    [[nodiscard]] jsonheal::snapshot snapshot();
    /// @pre the sink is not `text`. The snapshot as text, with states where `show` asks for them; empty while there is none.
    /// O(text).
    [[nodiscard]] std::string snapshot_text();
    /// @pre the sink is not `text`. The same as a document that shares its memory with the stream: no copy is made. Nothing
    /// while no value has begun. Valid until the next call of `feed`, `finish` or `reset`. O(depth + bytes hidden).
    [[nodiscard]] std::optional<value_view> value();
    /// Of a view that `value` has led to: whether nothing more will be added to it. O(depth).
    [[nodiscard]] bool complete(value_view v) const noexcept;

    /// False once no continuation of the text can give a value that the schema accepts; then it stays false. Never false
    /// while one can. Not every such moment is noticed at once: kinds, `enum`, `const`, forbidden keys, `maximum` and its
    /// kin, `maxItems`, `maxProperties`, `maxLength` are, through references and unions; other keywords are left to
    /// `validation`. A text that is refused cannot fit. True without a schema. With `stream_options::align` this is said of
    /// the values as they are shown: alignment of the whole may still mend what is not certain before the end.
    [[nodiscard]] bool can_still_fit() const noexcept;
    /// Why not: the first violation that no continuation mends. Null while `can_still_fit`.
    [[nodiscard]] const schema::violation* misfit() const noexcept;
    /// After `finish`, with `stream_options::align`: the alignment of the whole value. Its `json` is the final value, the
    /// same as that of `answer` with this schema for a text that the preset reads as `answer` does. It is the text that was shown
    /// if only certain scalars were changed; where it is not, what was shown stays, and `changes` says what became of it.
    /// Null if the text was refused.
    [[nodiscard]] const alignment* aligned() const noexcept;
    /// After `finish`, with a schema and a sink other than `text`, or with `align`: the whole validation. Null otherwise.
    [[nodiscard]] const schema::validation* validation() const noexcept;

private:
    std::unique_ptr<struct stream_state> state_;
};

} // namespace jsonheal
