/// @file answer.hpp
/// A model's reply to the value it meant: which candidate was taken, and why; with a schema, the value that fits it, or
/// what to say to the model.
#pragma once

#include <jsonheal/align.hpp>
#include <jsonheal/heal.hpp>
#include <jsonheal/schema.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal {

/// @name Without a schema
/// @{

/// What `answer` decided.
struct answered {
    healing result;                    ///< as `heal` gives it
    std::vector<candidate> candidates; ///< every value in the text, in order
    std::string reason;                ///< one sentence: what was taken, what was left and why
};

/// Finds the value that a reply means and says how it was chosen. O(text). The preset is always `whole`.
///
/// Of several values: copies are one; drafts inside reasoning, citations, code in fences of other languages, bare
/// scalars and empty objects give way; values glued or one a line are a list; of values parted by prose the last is
/// meant (`heal_options::several` overrides this).
///
/// @code
/// auto a = jsonheal::answer("<think>{\"draft\":1}</think>{\"final\":2}");
/// assert(a.result.json() == "{\"final\":2}");
/// assert(a.reason == "took 1 of 2 values, at bytes 26 to 37; left 1: reasoning");
/// @endcode
[[nodiscard]] answered answer(std::string_view text, const heal_options& options = {});

/// @}
/// @name With a schema
/// @{

struct answer_options {
    heal_options heal;   ///< `preset`, `expect` and `chooser` are not looked at
    align_options align; ///< its ceiling is `likely`: content is not dropped to make a value fit
};

/// A value of the text as the schema sees it.
struct judged {
    std::size_t begin = 0, end = 0; ///< bytes of the text
    bool fits = false;              ///< with the changes that `cost` stands for
    std::uint64_t cost = 0;
    std::size_t violations = 0; ///< if it does not fit
    bool taken = false;
    bool reasoning = false; ///< a draft inside reasoning: taken only where there is nothing else
};

/// A reply, healed, chosen by the schema and aligned to it.
class fitted {
public:
    /// What the text gave: verdict, cut, edits. Its `json()` is the value before alignment; for an intact text it
    /// borrows the text that was given.
    healing text;
    /// What made the value fit, or why it does not: `alignment::json` is empty if `text` was refused.
    alignment value;
    std::vector<judged> candidates; ///< the values of the text, in order, where there was a choice
    std::string reason; ///< one sentence: what was taken; of several, which came second and why it lost

    /// A whole value that fits came out. Of a text that was cut off it is not known what is missing: see `text.cut`.
    [[nodiscard]] bool fits() const noexcept { return text.ok() && value.fits; }
    /// The value; empty if the text was refused. Where nothing fits, the best attempt.
    [[nodiscard]] std::string_view json() const noexcept { return value.json; }
    /// The highest of all edits and changes.
    [[nodiscard]] jsonheal::risk risk() const noexcept {
        return text.risk < value.risk ? value.risk : text.risk;
    }
};

/// Reads replies that must fit one schema. Holds what it has worked out about the schema; for one thread at a time.
class answerer {
public:
    explicit answerer(schema::program program, const answer_options& options = {});
    ~answerer();
    answerer(answerer&&) noexcept;
    answerer& operator=(answerer&&) noexcept;

    /// Finds, heals and aligns the value that a reply means: every candidate, healed with the schema as a hint, aligned;
    /// the best by fit, then the last. Drafts inside reasoning count only where there is nothing else. Where
    /// the text ended with brackets open and does not fit, the schema's keys say which bracket was lost, if any does.
    /// O(text) but for alignment, see `align`. Never throws but std::bad_alloc. `text` must outlive the result.
    ///
    /// @code
    /// auto schema = jsonheal::schema::compile(jsonheal::document::parse(
    ///     R"({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})").value);
    /// jsonheal::answerer reader(schema.value);
    /// auto a = reader.answer("Not {note: 'x'} but {n: '3'}");
    /// assert(a.fits() && a.json() == R"({"n": 3})");
    /// @endcode
    [[nodiscard]] fitted answer(std::string_view text);
    [[nodiscard]] fitted answer(const char* text) { return answer(std::string_view(text)); }
    fitted answer(std::string&&) = delete;

private:
    struct parts;
    std::unique_ptr<parts> parts_;
};

/// The same for a single reply.
[[nodiscard]] fitted answer(std::string_view text, const schema::program& program,
                            const answer_options& options = {});
[[nodiscard]] inline fitted answer(const char* text, const schema::program& program,
                                   const answer_options& options = {}) {
    return answer(std::string_view(text), program, options);
}
fitted answer(std::string&&, const schema::program&, const answer_options& = {}) = delete;

/// @}
/// @name Asking again
/// @{

enum class reask_style : std::uint8_t {
    whole, ///< asks for the whole value anew
    patch  ///< asks only for the parts that do not fit; `apply_patch` puts the reply in
};

struct reask_options {
    reask_style style = reask_style::whole;
    std::size_t violations = 8;    ///< listed; the rest is counted
    std::size_t value_bytes = 200; ///< of one message, longer ones are shortened
};

/// What to send back to the model after a reply that was refused, cut off or does not fit: what is wrong where, and what
/// to send. Empty if there is nothing to mend. Text that the model wrote is quoted in it, shortened. With `patch`, a reply that
/// gave no value at all is asked for whole. O(violations).
[[nodiscard]] std::string reask_message(const fitted& f, const reask_options& options = {});

/// A value with a patch put in.
struct patched {
    bool ok = false;
    std::string json;   ///< the new value; the old one if not `ok`
    std::string why;    ///< if not `ok`: a sentence, naming the pointer
    bool whole = false; ///< the reply was a whole value and no patch
    healing reply;      ///< how the reply was read
};

/// Puts the reply to a `patch` question into the value that it was about: an object from JSON Pointers (RFC 6901) to
/// values, healed as any reply. A pointer to a member or element that is not there yet adds it (`/list/-` at the list's
/// end), if what is around it is there. An object without such keys is taken as the whole value. Nothing is
/// changed unless every pointer can be followed. The outcome has not been checked: align or validate it.
/// O(value + reply).
///
/// @code
/// auto p = jsonheal::apply_patch(R"({"a": 1, "b": [2]})", R"({"/b/0": 3, "/c": 4})");
/// assert(p.ok && p.json == R"({"a":1,"b":[3],"c":4})");
/// @endcode
[[nodiscard]] patched apply_patch(std::string_view json, std::string_view reply,
                                  const heal_options& options = {});

/// @}

} // namespace jsonheal
