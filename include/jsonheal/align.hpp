/// @file align.hpp
/// From a value that nearly fits a JSON Schema to one that does, by the least change, each change told.
///
/// Models write `"3"` for 3, `"Paused"` for `PAUSED`, a list in a string, the value under a key of their own. Alignment
/// makes such values fit by the coercions of `align_rules.def`: each is a row with its risk and cost. Among all ways
/// that lead to a value which fits, the one with the least sum of costs is taken, whatever the order of a union's branches.
///
/// What holds: a value that fits is never touched. What is said to fit passes `schema::fits`. No number wraps, rounds or
/// loses a digit. No required value is invented, unless `align_options::defaults` asks for the schema's own. Aligning the
/// outcome again changes nothing. Beyond the keywords of JSON Schema `x-aliases` (a list of further names, in the schema of
/// a property) and `x-enum-aliases` (an object from values of an enum to lists of further spellings) are understood; the
/// real name always matches too.
///
/// @code
/// auto schema = jsonheal::schema::compile(jsonheal::document::parse(R"({"properties": {"n": {"type": "integer"}}})").value);
/// auto value = jsonheal::document::parse(R"({"n": "12"})").value;
/// auto a = jsonheal::align(value, schema.value);
/// assert(a.fits && a.json == R"({"n": 12})" && a.changes.at(0).pointer == "/n");
/// @endcode
#pragma once

#include <jsonheal/document.hpp>
#include <jsonheal/edits.hpp>
#include <jsonheal/schema.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal {

/// The coercions, in the order of `align_rules.def`.
enum class align_rule : std::uint8_t {
#define JSONHEAL_ALIGN_RULE(id, risk, cost, meaning, schema, before, after) id,
#include <jsonheal/align_rules.def>
#undef JSONHEAL_ALIGN_RULE
};

/// One row of the table of coercions. All text is static.
struct align_rule_info {
    std::string_view id;      ///< stable name
    jsonheal::risk risk;      ///< of every change under the rule
    std::uint32_t cost;       ///< of one change
    std::string_view meaning; ///< one line
    std::string_view schema;  ///< an example: under this schema
    std::string_view before;  ///< this value
    std::string_view after;   ///< becomes this one
};

/// All coercions, indexed by `static_cast<std::size_t>(align_rule)`. O(1), static storage.
[[nodiscard]] std::span<const align_rule_info> align_rules() noexcept;
/// The row of one rule. O(1).
[[nodiscard]] const align_rule_info& info(align_rule r) noexcept;

/// One change. In their order the changes lead from the aligned value to the outcome: each takes the value (for rules of
/// keys: the key) at `pointer` as it is by then from `before` to `after`. A member or an element that is dropped has an
/// empty `after`; one that is added an empty `before`.
struct change {
    std::string pointer; ///< JSON Pointer (RFC 6901) in the outcome; of what was dropped: where it stood
    std::string before;  ///< JSON text
    std::string after;   ///< JSON text
    align_rule rule{};
    jsonheal::risk risk{};
    std::size_t begin =
        0; ///< bytes of the aligned document's text that it is about; where the value stood in JSON that
    std::size_t end = 0; ///< a string held, those of the string; for what was added, those of the object
};

/// What a separator in a number means where its digits allow both: `1,234` and `1.234` in a string.
enum class number_locale : std::uint8_t {
    unknown, ///< such a number is not read
    point,   ///< the point stands before decimals, as in English
    comma    ///< the comma does, as in German
};

/// Bounds on untrusted input. Passing one makes the value count as unfit, with a violation of the keyword `limit`.
struct align_limits {
    std::uint64_t steps =
        10'000'000; ///< pairs of a subschema and a value, or a member, looked at; each new pair takes
                    ///< some 200 bytes
    std::uint32_t shapes = 100'000;         ///< sets of subschemas that hold together
    std::uint64_t check_bytes = 256u << 20; ///< bytes of parts that are checked on the way
    std::uint32_t healed_bytes = 64u << 20; ///< bytes of strings that are read as JSON, together
};

struct align_options {
    /// A change of a higher risk is not made. With `invented` or `lossy` the rules of these risks are used as well.
    risk max_risk = risk::likely;
    /// Absent members get what the schema says: `default`, the value of `const` or of an enum of one, null where that is
    /// allowed and the member required. Risk invented, so `max_risk` must allow it. Also done where the value fits.
    bool defaults = false;
    /// How `1,234` is read. Risk likely.
    number_locale locale = number_locale::unknown;
    /// `1/5` in a string is 0.2, if its decimals end. Risk likely.
    bool fractions = false;
    schema::validate_limits validation; ///< of the last check, and for the violations
    align_limits limits;
};

/// Between which branches of a union was decided, where more than one could be made to fit.
struct union_choice {
    std::string pointer;   ///< of the value, in the outcome
    std::string taken;     ///< location of the branch's schema
    std::string runner_up; ///< of the next best
    std::uint64_t cost = 0;
    std::uint64_t runner_up_cost = 0; ///< equal to `cost`: a tie, and the risk is at least likely
};

/// What a change above the caller's ceiling would have been.
struct align_offender {
    std::string pointer;
    align_rule rule{};
    jsonheal::risk risk{};
};

/// The outcome.
struct alignment {
    bool fits = false;
    jsonheal::risk risk = jsonheal::risk::exact; ///< the highest of all changes and of choices that were ties
    std::uint64_t cost = 0;                      ///< the sum over the changes
    /// The text of the outcome: byte for byte that of the document if nothing was changed. Where nothing fits, the best
    /// attempt: what could be mended is, the rest stands as it was.
    std::string json;
    std::vector<change> changes;
    std::vector<union_choice> choices;
    std::vector<schema::violation>
        violations; ///< of `json`, if it does not fit; their bytes are those of `json`
    std::optional<align_offender>
        offender;            ///< set if it would fit with a change above the ceiling: the first
    std::uint64_t steps = 0; ///< of `align_limits::steps` used
};

/// Aligns a value. O(subschemas × values) steps in the worst case, O(values) for usual schemas; no recursion on the
/// depth of either. Never throws but std::bad_alloc.
[[nodiscard]] alignment align(const document& value, const schema::program& program,
                              const align_options& options = {});

/// Aligns a value, or a part of one, to the subschema that holds for it: for readers that go value by value. As above, but
/// `json` is that value's alone, and neither `violations` nor `offender` is worked out. What is only done around a whole
/// value (opening a wrapper of any name) is done where `part` is the root of its document.
///
/// @code
/// auto schema = jsonheal::schema::compile(jsonheal::document::parse(R"({"properties": {"n": {"type": "integer"}}})").value);
/// auto list = jsonheal::document::parse(R"(["12"])").value;
/// assert(jsonheal::align(list.root().at(0), *schema.value.root().property_node("n")).json == "12");
/// @endcode
[[nodiscard]] alignment align(value_view part, const schema::node_view& schema,
                              const align_options& options = {});

} // namespace jsonheal
