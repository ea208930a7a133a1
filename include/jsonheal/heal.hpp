/// @file heal.hpp
/// The engine: turns what a language model wrote into the JSON it meant, and says what it changed.
///
/// Two faces over one parser: `heal(text)` for a text that is all there, `healer` for one that still arrives.
/// With the same options both give the same bytes, the same edits and the same verdict, however the text is cut
/// into chunks.
#pragma once

#include <jsonheal/edits.hpp>

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal {

/// What became of a text.
enum class verdict : std::uint8_t {
    intact,    ///< it was valid JSON and is unchanged
    healed,    ///< a whole value came out
    truncated, ///< the text stopped before its value did; what was certain is there
    refused    ///< no value, or a change above the caller's ceiling; see `healing::why()`
};

/// Where a truncated text stopped.
enum class cut_place : std::uint8_t {
    none,
    closers,
    between,
    after_colon,
    in_key,
    in_string,
    in_number,
    in_literal
};

[[nodiscard]] std::string_view name(verdict v) noexcept;
[[nodiscard]] std::string_view name(cut_place c) noexcept; ///< `none` gives an empty view

/// What a text with several values means, and with it what can be settled early.
enum class preset : std::uint8_t {
    whole, ///< the best value of the whole text; nothing is settled before the end
    live   ///< the first value; bytes settle as they come
};

enum class several_policy : std::uint8_t {
    automatic, ///< glued or one a line: a list; parted by prose: the last outside reasoning
    first,
    last,
    all ///< a list whenever there is more than one
};
enum class missing_policy : std::uint8_t { null, drop };        ///< `{"a":,"b":1}`
enum class nonfinite_policy : std::uint8_t { string, null };    ///< `NaN`, `Infinity`
enum class undefined_policy : std::uint8_t { null, string };    ///< `undefined`
enum class call_policy : std::uint8_t { unwrap, source };       ///< `new Date(1)`: 1, or its text as a string
enum class cut_number_policy : std::uint8_t { keep, withhold }; ///< a number at the end of a cut text
enum class log_policy : std::uint8_t { off, counted, kept };    ///< what becomes of the edit log

/// A set of rules, for switching tolerances off.
class rule_set {
public:
    rule_set& add(rule r) noexcept {
        bits_.set(static_cast<std::size_t>(r));
        return *this;
    }
    [[nodiscard]] bool has(rule r) const noexcept { return bits_.test(static_cast<std::size_t>(r)); }
    [[nodiscard]] bool empty() const noexcept { return bits_.none(); }

private:
    std::bitset<128> bits_;
};

/// Bounds on untrusted input. Each is checked; passing one is a refusal that names it.
struct heal_limits {
    std::uint64_t bytes = 0xFFFF'FFFEull; ///< input bytes (4 GiB less two)
    std::uint32_t depth = 1'000'000;      ///< open brackets at once; they live on the heap
    std::uint32_t edits = 16'000'000;     ///< entries of the log
    std::uint32_t look_ahead = 512;       ///< bytes from the point of decision; less than 8 counts as 8
    std::uint32_t look_back = 256;        ///< bytes before a lost quote
    std::uint32_t hold_back =
        65'536; ///< bytes of one undecided key or run of blanks; of a piece of a comment
};

class expectation; // document.hpp
class value_chooser;

/// Options of the engine. The defaults are the policies that docs/policies.md lists.
struct heal_options {
    jsonheal::preset preset = jsonheal::preset::whole;
    several_policy several = several_policy::automatic;
    missing_policy missing = missing_policy::null;
    nonfinite_policy nonfinite = nonfinite_policy::string;
    undefined_policy undefined = undefined_policy::null;
    call_policy calls = call_policy::unwrap;
    cut_number_policy cut_number = cut_number_policy::keep;
    risk max_risk = risk::lossy; ///< above it the answer is `refused`, naming the first offender
    rule_set forbidden;          ///< an edit under one of these rules is a refusal
    log_policy log = log_policy::kept;
    bool fast_path = true;  ///< one-shot only: try the strict validator first
    bool plain_path = true; ///< read runs of plain tokens in one loop; off, the same answer takes longer
    bool list_candidates = false; ///< fill `healing::candidates` (preset `whole` only)
    /// What a schema says may come, for deciding between readings; outlives the call. Null: nothing is known.
    const expectation* expect = nullptr;
    /// A key that its object does not know, but one around it does, ends the objects between: `{"a":{"b":1,"c":2}`
    /// is `{"a":{"b":1},"c":2}` where `c` belongs beside `a`. Needs `expect`; not with `preset::live`. For texts of
    /// which a first reading has shown that a bracket is missing.
    bool close_at_known_keys = false;
    /// Asked where a text holds several values (preset `whole` only); outlives the call. Null: `several` decides.
    value_chooser* chooser = nullptr;
    heal_limits limits;

    /// The stream's defaults: `preset::live`.
    [[nodiscard]] static heal_options live() {
        heal_options o;
        o.preset = jsonheal::preset::live;
        return o;
    }
};

/// Why a text was refused. `message` is static text.
struct refusal {
    std::string_view message;
    std::size_t offset = 0; ///< byte of the input
    bool by_rule = false;   ///< a change above the ceiling, or a forbidden one: see `rule`
    jsonheal::rule rule{};
};

/// A value found in the text, whether it was taken or not.
struct candidate {
    std::size_t begin = 0, end = 0; ///< bytes of the input
    std::string json;               ///< healed
    cut_place cut = cut_place::none;
    bool fenced = false;    ///< inside a Markdown fence
    bool reasoning = false; ///< inside a reasoning tag
    bool taken = false;     ///< part of the answer
    rule why{};             ///< if not taken: the rule under which it was dropped
};

/// Decides which of several values found in a text is the one meant.
class value_chooser {
public:
    struct choice {
        std::size_t index = as_usual;     ///< the value to take; `as_usual`: those marked `taken`
        std::vector<std::size_t> misfits; ///< those that cannot be meant; dropping them is no loss
        std::vector<std::size_t> copies;  ///< those that say the same as the one taken
    };
    static constexpr std::size_t as_usual = static_cast<std::size_t>(-1);
    virtual ~value_chooser() = default;
    /// `found`: in order of position; `taken` says what `heal_options::several` would take. Called once a text.
    virtual choice choose(std::span<const candidate> found) = 0;

protected:
    value_chooser() = default;
    value_chooser(const value_chooser&) = default;
    value_chooser& operator=(const value_chooser&) = default;
};

/// The outcome of a healing.
///
/// An intact one-shot result borrows the caller's bytes: `json()` is then valid only as long as the text given.
/// All other results own theirs. Move-only views follow the object.
class healing {
public:
    jsonheal::verdict verdict = jsonheal::verdict::refused;
    cut_place cut = cut_place::none;
    jsonheal::risk risk = jsonheal::risk::exact; ///< the highest of all edits
    std::size_t edit_count = 0;                  ///< also where the log is not kept
    std::vector<edit> edits;                     ///< in order of position, where the log is kept
    refusal why;                                 ///< set if refused
    /// The bytes of the input that hold the value taken, of a list the first one; all of an intact text that was
    /// validated only; 0 and 0 if refused.
    std::size_t value_begin = 0, value_end = 0;
    std::vector<candidate> candidates; ///< in order of position, if `list_candidates` was asked for
    std::size_t work = 0; ///< bytes looked at beyond the first time; bounded by a constant times the input

    /// True unless refused.
    [[nodiscard]] bool ok() const noexcept { return verdict != jsonheal::verdict::refused; }
    /// The healed text. Empty if refused before anything was settled.
    [[nodiscard]] std::string_view json() const noexcept {
        return borrowed_.data() ? borrowed_ : std::string_view(owned_);
    }
    /// Takes the text out (copies it if it was borrowed).
    [[nodiscard]] std::string take_json();

    void set_owned(std::string text) noexcept;
    void set_borrowed(std::string_view text) noexcept { borrowed_ = text; }

private:
    friend class healer; // takes the buffers back
    std::string owned_;
    std::string_view borrowed_;
};

/// Heals a text. O(text) time; memory at most three times the text plus the log.
/// Never throws but std::bad_alloc; bad input is a verdict.
///
/// @code
/// auto h = jsonheal::heal("{'a': True,}");
/// assert(h.json() == R"({"a": true})" && h.edits.size() == 4);
/// @endcode
[[nodiscard]] healing heal(std::string_view text, const heal_options& options = {});
[[nodiscard]] inline healing heal(const char* text, const heal_options& options = {}) {
    return heal(std::string_view(text), options);
}
healing heal(std::string&&, const heal_options& = {}) = delete; // the result may borrow the text

namespace heal_detail {
class engine;
}

/// A beginning of the healed text and what makes it whole: `settled` up to `settled_length`, then `tail`, is strict JSON.
///
/// Numbers and literals are in it only when they are complete, a key only when its value has begun. So from one snapshot
/// to the next strings and containers grow, and nothing else changes.
struct snapshot {
    std::size_t settled_length = 0; ///< bytes from the beginning of the healed text; 0: no value has begun
    std::string tail;               ///< a quote, if the text stops in a string, and closing brackets
};

/// The push face: feed the text as it arrives.
///
/// `settled()` is a prefix of the final text and only grows; with `preset::live` it follows the input closely.
/// Any call but `reset` and `heal` after `finish` throws std::logic_error: a caller's mistake.
///
/// A long stream is drained: `drain` and `drain_edits` hand over what has settled since they were asked last, and forget
/// it. What is left is then a few hundred bytes, an open bracket a byte, and what is held back (docs/limits.md).
/// From the first `drain` on, `settled()` and the `json()` of the result are only what has not been handed over, so that
/// all that was handed over and `json()` together are the healed text; the same goes for edits. Counts, risk and
/// verdict are those of the whole text. With `preset::whole` nothing is handed over before `finish`.
///
/// @code
/// jsonheal::healer h;
/// std::string out;
/// for (std::string_view chunk : {"{'a': 1,", " 'b': [2"}) {
///     h.feed(chunk);
///     out += h.drain();
/// }
/// auto s = h.snapshot(); // of out, s.settled_length bytes and s.tail: {"a": 1, "b": []}
/// out += h.finish().json();
/// assert(out == R"({"a": 1, "b": [2]})");
/// @endcode
class healer {
public:
    /// Throws std::invalid_argument if the options contradict each other (see law 6): `preset::live` with a
    /// policy that can only be decided at the end.
    explicit healer(const heal_options& options = heal_options::live());
    ~healer();
    healer(healer&&) noexcept;
    healer& operator=(healer&&) noexcept;

    /// Amortised O(chunk). The bytes need not stay valid.
    void feed(std::string_view chunk);
    /// Ends the text. The result owns its bytes.
    [[nodiscard]] healing finish();
    /// What is certain so far and was not drained. Valid until the next call.
    [[nodiscard]] std::string_view settled() const noexcept;
    /// Hands over the settled bytes that were not handed over yet. Valid until the next call, then forgotten. O(result).
    [[nodiscard]] std::string_view drain();
    /// The same for edits, where the log is kept: those that lie before the settled text's end in the input.
    /// If no value comes, or the text is refused before anything has settled, those that were handed over so far only
    /// say what was passed over, and the result counts none.
    [[nodiscard]] std::span<const edit> drain_edits();
    /// Whether a number or literal at the end of the settled text is known to be whole.
    [[nodiscard]] bool token_ended() const noexcept;
    /// Decides at once all that the bytes so far decide. `feed` alone tries a hard decision again only when an eighth more
    /// has arrived; after this call what has settled is a function of the bytes and not of chunks. O(look-ahead).
    void settle();
    /// `settle`, and what can be shown then. O(depth + look-ahead), and amortised O(bytes settled since the last call).
    [[nodiscard]] jsonheal::snapshot snapshot();
    /// Ready for another text, keeping its buffers.
    void reset();
    /// The same, and takes back the buffers of a result that is not needed any more, so that texts of about one size
    /// are healed without an allocation.
    void reset(healing&& used);
    /// Heals a whole text as the function `heal` does, with these options and buffers; what was fed before is
    /// forgotten. The result may borrow the text. O(text).
    ///
    /// @code
    /// jsonheal::healer worker(jsonheal::heal_options{});
    /// auto h = worker.heal("[1,2,]");   // h.json() == "[1,2]"
    /// worker.reset(std::move(h));
    /// @endcode
    [[nodiscard]] healing heal(std::string_view text);

private:
    std::unique_ptr<heal_detail::engine> engine_;
};

} // namespace jsonheal
