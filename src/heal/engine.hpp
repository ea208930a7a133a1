// The engine: one resumable push parser for almost-JSON.
//
// It reads a window of the input and writes nothing but edits; `flush` replays them up to the settled offset, so the
// edit log is a proof by construction (law 2) and what was handed out is a prefix of the final text (law 6).
//
// How it suspends: every step first looks (see look.hpp), then acts. A look that asks for a byte that has not arrived
// sets `starved_`; the step then returns without having changed anything and is tried again when more bytes are there.
// A decision is therefore a function of the bytes alone and never of where a chunk ended (law 5).
#pragma once

#include "look.hpp"
#include "small_vector.hpp"
#include "wait.hpp"

#include <jsonheal/document.hpp>
#include <jsonheal/document_prefix.hpp>
#include <jsonheal/heal.hpp>
#include <jsonheal/scan.hpp>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::heal_detail {

/// An open bracket. One byte, because a text may hold a million of them.
struct frame {
    enum flag : std::uint8_t { object = 1, paren = 2, no_opener = 4, doubled = 8, call = 16, set = 32 };
    std::uint8_t flags = 0;

    [[nodiscard]] bool has(flag f) const noexcept { return (flags & f) != 0; }
    [[nodiscard]] bool is_object() const noexcept { return has(object); }
    /// The bracket that JSON wants here.
    [[nodiscard]] char closer() const noexcept { return is_object() ? '}' : ']'; }
    /// The bracket that the text is expected to have.
    [[nodiscard]] char awaits() const noexcept {
        return has(paren) || has(call) ? ')' : is_object() || has(set) ? '}' : ']';
    }
};

/// What the innermost open bracket waits for.
enum class phase : std::uint8_t {
    first, ///< just opened: a key, an element or the closer
    next,  ///< after a comma: a key or an element
    colon, ///< after a key
    value, ///< after a colon
    after  ///< after a member or an element
};

/// What the engine is in the middle of.
enum class mode : std::uint8_t {
    seek,      ///< outside any value: prose, fences, tags
    container, ///< between the tokens of a value
    string,    ///< inside a quoted string
    words,     ///< inside bare words that are a string
    digits,    ///< inside a number longer than the look-ahead
    comment    ///< inside a comment
};

enum class role : std::uint8_t { key, member, element, root };

/// How the string being read was opened, and so how it may close.
enum class delimiter : std::uint8_t {
    double_quote, ///< " or a typographic double quote
    single_quote, ///< ' or a typographic single quote
    backtick,
    triple_double,
    triple_single,
    escaped, ///< \" in a document that was escaped as a whole
    token    ///< a leaked quote token such as <|">
};

/// Where a number stands in its grammar.
enum class number_state : std::uint8_t { start, minus, zero, whole, point, fraction, e, sign, power, dead };

struct string_state {
    heal_detail::role role = role::root;
    heal_detail::delimiter delimiter = delimiter::double_quote;
    bool typographic = false; ///< opened by a typographic quote: its kin close it without further proof
    bool doubled = false;     ///< the opening quote was doubled
    bool low_open = false;    ///< the last typographic inner quote was a low one
    bool first_inner = false; ///< the content begins with an inner quote
    bool inner_open = false;  ///< an inner quote that looks like an opening one waits for its partner
    std::uint32_t pairs = 0;  ///< typographic inner quotes open
    std::uint32_t inner = 0;  ///< inner quotes escaped so far
    std::uint32_t nested =
        0; ///< depth of JSON-like text inside, once an inner quote has shown it to be there
    std::size_t escapes_checked = 0; ///< no escape before this is invalid
    std::size_t name_end = 0;        ///< key: the end of its leading name, as far as it was looked for
    std::size_t path_checked = 0;    ///< the last escape that was asked whether it belongs to a path
    bool path_shaped = false;        ///< and the answer
    std::size_t line_checked = 0;    ///< line ends before this were found to be text
    std::size_t open = 0;            ///< input offset of the opening quote
    std::size_t content = 0;         ///< first byte of the content
    std::size_t edits = 0;           ///< edits before the content
};

/// A value found at the document level.
struct found_value {
    std::size_t begin = 0, end = 0;           ///< bytes of the input
    std::size_t edit_begin = 0, edit_end = 0; ///< its edits
    std::size_t depth = 0;                    ///< brackets open at once
    cut_place cut = cut_place::none;
    bool reasoning = false; ///< inside a reasoning tag
    bool foreign = false;   ///< inside a fence of another language
    bool citation = false;  ///< bare numbers in brackets within a line of prose
    bool scalar = false;
    bool empty = false;                       ///< {} or []
    bool copy = false;                        ///< the same as an earlier one
    bool misfit = false;                      ///< the schema's chooser says that it cannot be meant
    bool fenced = false;                      ///< inside a Markdown fence
    unsigned char before = 0;                 ///< the byte right before it
    [[nodiscard]] rule fate() const noexcept; ///< the rule under which it goes, if it is not taken
    bool after_prose = false;                 ///< prose stands between it and the value before
};

/// The engine; its members are named by the file that holds them.
class engine {
public:
    explicit engine(const heal_options& options);

    /// One-shot: reads the caller's bytes in place.
    void read_all(std::string_view text);
    void feed(std::string_view chunk);
    void catch_up();
    [[nodiscard]] bool feed_string(std::size_t fresh);
    [[nodiscard]] bool feed_value();
    [[nodiscard]] bool wakes(std::string_view chunk);
    [[nodiscard]] bool waits_for_next_token();
    [[nodiscard]] next_token_wait::brackets brackets_around() const noexcept;
    void look_again();
    void end();
    [[nodiscard]] healing result();
    void reset();
    /// Memory to be written over.
    void recycle(std::string&& text, std::vector<edit>&& log) noexcept;

    [[nodiscard]] const heal_options& options() const noexcept { return options_; }
    [[nodiscard]] bool ended() const noexcept { return final_; }
    [[nodiscard]] std::string_view settled() const noexcept { return std::string_view(out_).substr(taken_); }
    [[nodiscard]] std::string_view drain();
    [[nodiscard]] std::span<const edit> drain_edits();
    [[nodiscard]] jsonheal::snapshot snapshot();
    [[nodiscard]] bool token_ended() const noexcept;

private:
    friend struct look;
    friend class plain_path;

    static constexpr std::size_t near_back =
        96; ///< bytes behind p_ that may be looked at whatever the look-back is
    static constexpr std::size_t compact_at =
        128; ///< a window is shifted down only when so much of it is done with

    // ---- engine.cpp, settle.cpp: window, loop, output
    void run();
    bool step();
    void settle();
    [[nodiscard]] std::size_t settle_point();
    [[nodiscard]] std::size_t settle_gap() noexcept;
    void flush(std::size_t upto, bool through = false);
    void flush_all(std::size_t upto);
    void copy_input(std::size_t upto);
    void replay_edits(char* out, const char* out_end, std::size_t count);
    [[nodiscard]] bool above_ceiling(const edit& e) const noexcept;
    void refuse(std::string_view message, std::size_t offset);
    void refuse_edit(const edit& e);
    void compact_window();
    void forget_drained(bool all = false);
    void forget_edits(std::size_t count);
    void follow_output();
    [[nodiscard]] bool held_too_long(std::size_t mark) const noexcept;
    [[nodiscard]] bool value_certain() const noexcept;
    [[nodiscard]] bool begins_value(std::size_t i, bool member) const noexcept;
    [[nodiscard]] std::size_t before_blanks(std::size_t i) const noexcept;
    [[nodiscard]] bool ends_before_value() const noexcept;
    bool drop_refused_number();
    void keep_certain();

    [[nodiscard]] unsigned char byte(std::size_t i) const noexcept {
        assert(i >= base_ && i < end_);
        return static_cast<unsigned char>(data_[i - base_]);
    }
    /// The byte at an offset; -1 at the end of the text, or where it has not arrived (then `starved_` is set).
    [[nodiscard]] int at(std::size_t i) noexcept {
        if (i < end_) { return byte(i); }
        starved_ = !final_;
        return -1;
    }
    [[nodiscard]] std::string_view view(std::size_t from, std::size_t to) const noexcept {
        return {data_ + (from - base_), to - from};
    }

    // ---- edits
    void put(std::size_t from, std::size_t to, std::string_view text, rule why);
    void grow_log();
    void drop(std::size_t from, std::size_t to, rule why);
    void drop_in_gap(std::size_t from, std::size_t to, rule why);
    void close_gap(std::size_t end) noexcept;
    [[nodiscard]] bool gap_has_edits() const noexcept {
        return edits_.size() > (found_.empty() ? 0 : found_.back().edit_end);
    }
    void insert_at(std::size_t index, const edit& e);
    void roll_back(std::size_t position, std::size_t floor);

    // ---- seek.cpp, begin.cpp, root.cpp: the document level
    bool step_seek();
    [[nodiscard]] bool wide_units();
    bool seek_backticks();
    bool seek_tag();
    bool seek_start(int c);
    bool start_quoted(int c);
    bool start_number();
    bool start_word();
    void begin_lost_root();
    bool seek_candidate(int c);
    void skip_prose(bool more = false);
    [[nodiscard]] bool only_passing() const noexcept {
        return options_.preset == preset::live && !found_.empty();
    }
    bool seek_sign();
    bool seek_member();
    bool bracket_tag();
    [[nodiscard]] bool two_members(look& l, std::size_t name_end, std::size_t v);
    [[nodiscard]] bool lost_root(look& l);
    [[nodiscard]] bool lost_key_alone(look& l);
    [[nodiscard]] bool member_not_label(look& l, std::size_t name_end, std::size_t v);
    [[nodiscard]] static std::size_t simple_value_end(look& l, std::size_t v);
    [[nodiscard]] static bool member_follows(look& l, std::size_t key_end);
    [[nodiscard]] bool object_begins(look& l, std::size_t i, unsigned braces = 0);
    [[nodiscard]] bool array_begins(look& l, std::size_t i, int bracket, bool& citation);
    static std::size_t cover(std::span<edit> run, std::size_t from, std::size_t to) noexcept;
    void end_string_cut();
    void begin_root(bool scalar, bool citation);
    void end_root(cut_place cut);
    void pass_over(std::size_t to, rule why);
    void end_of_text();

    // ---- choose.cpp: which of the values found is the answer
    void choose();
    [[nodiscard]] bool usual_choice(std::vector<std::size_t>& kept);
    void ask_chooser(std::vector<std::size_t>& kept, bool& list);
    void list_candidates(const std::vector<std::size_t>& kept);
    void compose(const std::vector<std::size_t>& kept, bool list);
    void compose_only();
    [[nodiscard]] std::string healed_text(const found_value& v) const;
    [[nodiscard]] std::string compact_text(const found_value& v) const;
    [[nodiscard]] bool is_empty_value(const found_value& v) const noexcept;

    // ---- container.cpp
    bool step_container();
    bool step_key(int c);
    bool step_colon(int c);
    bool step_value(int c);
    bool step_after(int c);
    bool leave_call();
    bool step_separator(std::size_t size);
    bool step_sign(int c);
    bool step_array_key(int c);
    bool step_foreign(int c);
    bool skip_comment();
    void end_comment();
    bool begin_value(int c);
    bool begin_open(int c);
    bool begin_set();
    [[nodiscard]] bool begins_text(look& l, int c);
    void push(std::uint8_t flags, std::size_t size);
    bool refuse_depth();
    void pop();
    void value_done();
    void commit_comma();
    void kill_comma(rule why);
    void take_comma(std::size_t size, bool style);
    void put_after_value(std::string_view text, rule why);
    void missing_comma();
    [[nodiscard]] std::string_view blanks_behind() const noexcept;
    void close_all(cut_place cut);
    void value_missing_here();
    [[nodiscard]] std::size_t pending() const noexcept;
    [[nodiscard]] bool pending_released() const noexcept;
    [[nodiscard]] bool comma_released() const noexcept;
    bool refuse_released_comma();
    bool drop_pending(std::size_t to, rule why);
    void drop_unsure(rule why, cut_place cut);
    bool refuse_placeholder();
    void trim_log();
    [[nodiscard]] bool in_object() const noexcept { return !stack_.empty() && stack_.back().is_object(); }
    [[nodiscard]] const frame& frame_below(std::size_t depth) const noexcept {
        return stack_[stack_.size() - 1 - depth];
    }

    // ---- value.cpp and closer.cpp
    bool step_closer(char c);
    [[nodiscard]] bool same_first_key(look& l);
    void close_top(std::size_t size, char written);
    [[nodiscard]] std::size_t matching_frame(char c) const noexcept;

    // ---- string.cpp
    bool open_string(role r, int c);
    void begin_string(role r, delimiter d, std::size_t size);
    bool step_string();
    bool string_quote(std::size_t size, bool typographic);
    bool quote_run();
    bool string_control(unsigned char c);
    bool string_bytes();
    void close_string(std::size_t from, std::size_t to);
    bool close_at(std::size_t position, rule why);
    void string_ended();
    bool string_end_of_text();
    bool join_strings();

    // ---- escape.cpp
    bool string_escape();
    bool escape_unicode();
    bool escape_is_data(look& l, char letter, rule& why);
    bool escape_in_escaped();
    [[nodiscard]] static bool names_latex(std::string_view word) noexcept;
    bool escaped_close();
    [[nodiscard]] bool closes_path(std::size_t j);
    [[nodiscard]] bool path_shaped() noexcept;
    [[nodiscard]] bool run_is_path() const noexcept;
    bool escape_invalid(rule why);

    // ---- quote.cpp
    enum class closing : std::uint8_t { inner, closes, doubled, unclear, starts_next };
    [[nodiscard]] closing judge_quote(std::size_t size, bool typographic, std::size_t& where);
    [[nodiscard]] closing judge_key_quote(look& l, std::size_t after);
    [[nodiscard]] bool foreign_closes(look& l, std::size_t q, std::size_t after);
    [[nodiscard]] std::size_t key_name_end(look& l, std::size_t q);
    [[nodiscard]] std::size_t key_lost_close(look& l, std::size_t q);
    [[nodiscard]] std::size_t lost_close(look& l, std::size_t q, bool at_end);
    [[nodiscard]] std::size_t tail_start(std::size_t q, bool hold) const noexcept;
    [[nodiscard]] bool balanced_closer(std::size_t c) const noexcept;
    [[nodiscard]] bool looks_opening(look& l, std::size_t q, std::size_t size) const noexcept;
    [[nodiscard]] bool opens_bracket(std::size_t c) const noexcept;
    [[nodiscard]] bool leads_to(look& l, std::size_t c, std::size_t q);
    [[nodiscard]] bool tail_empties(look& l, std::size_t c) noexcept;
    [[nodiscard]] bool pairs_up(std::size_t q, std::size_t size);
    [[nodiscard]] bool last_quote(look& l, std::size_t q, std::size_t size);
    void note_inner(look& l, std::size_t q, std::size_t size);

    // ---- expected.cpp: what a schema says may come
    void enter_place();
    void note_value() noexcept;
    void note_key(std::size_t from, std::size_t to);
    void close_at_known_key();
    [[nodiscard]] bool knows_key(const expectation* object, std::string_view key) const noexcept;
    [[nodiscard]] const expectation* expected_value();
    [[nodiscard]] bool wants_text(value_kind other);
    [[nodiscard]] bool wants_number();
    enum class named : std::uint8_t { unsure, known, unknown };
    [[nodiscard]] named key_after(look& l, std::size_t after);

    // ---- words.cpp: bare keys, bare words, literals
    bool bare_key(int c);
    void put_bare_key(std::size_t end, rule why);
    bool begin_word();
    bool literal(std::string_view word, std::size_t end);
    [[nodiscard]] static bool is_literal(std::string_view word) noexcept;
    [[nodiscard]] static bool is_boolean(std::string_view word) noexcept;
    bool step_words();
    bool words_end(look& l, std::size_t i, int c, bool& quote);
    [[nodiscard]] std::size_t quoted_words_end(look& l, std::size_t i, int quote);
    void begin_words(rule why);
    bool begin_at_root(int c);
    void end_words(std::size_t end, std::size_t quote);
    bool call_wrapper(std::size_t word_end);
    bool words_escape();

    // ---- number.cpp
    bool number_or_text();
    [[nodiscard]] static bool number_like(std::string_view token) noexcept;
    bool step_digits();
    bool number_token(std::string_view token, bool at_end);
    bool radix_number(std::string_view token);
    bool decimal_number(std::string_view token, bool at_end);

    heal_options options_;
    scan::kernel kernel_ = scan::active_kernel();

    // The window: data_[i - base_] is byte i of the input, for base_ <= i < end_.
    const char* data_ = nullptr;
    std::size_t base_ = 0, end_ = 0;
    std::string buffer_;           ///< room for the window; its size is no more than that
    std::size_t compact_from_ = 0; ///< bytes in the window below which no byte is dropped from it
    bool final_ = false, starved_ = false;
    std::size_t retry_at_ = 0;     ///< a step that starved is not tried again before this much has arrived
    std::size_t tried_at_ = 0;     ///< how much had arrived when it was tried last
    std::size_t caught_up_at_ = 0; ///< and when all that can be decided was
    bool catching_up_ = false;
    /// What the look that starved first was passing over: while only more of that arrives it would starve again.
    enum class waits : std::uint8_t { any, double_quote, single_quote, other_than_blank, next_token };
    waits waits_ = waits::any;
    std::size_t waits_until_ = 0; ///< and how far it would look
    bool woken_ = false;          ///< what it waits for has arrived since
    next_token_wait next_;        ///< for `waits::next_token`
    std::size_t quiet_tail_ =
        0; ///< no separator, closer or token stands at the end of the string that ends here so far

    std::size_t p_ = 0; ///< the next byte to read
    heal_detail::mode mode_ = mode::seek;
    heal_detail::phase phase_ = phase::first;
    small_vector<frame, 16> stack_;
    std::size_t last_open_ = 0, last_open_depth_ = 0; ///< the bracket opened last
    std::size_t record_key_ = none; ///< a key in an array that begins a record whose brace was lost
    std::size_t deepest_ = 0;       ///< brackets open at once in the value being read

    // A comma or a key that may still be dropped: where it stands, and the edits before it.
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::size_t comma_ = none, comma_edit_ = 0, comma_size_ = 0;
    std::size_t member_ = none, member_edit_ = 0;
    std::size_t value_end_ = 0;  ///< end of the last token of the value
    bool last_string_ = false;   ///< the last value was a string (so + may join)
    std::size_t last_close_ = 0; ///< edits before the closing quote of that string
    std::size_t last_quote_ = 0; ///< where that quote stands

    string_state str_;
    std::size_t word_end_ = 0; ///< bare words: end of the last byte that is no blank
    rule words_rule_{};
    unsigned word_depth_ = 0;    ///< brackets open inside bare words
    std::size_t word_quote_ = 0; ///< a quoted part of bare words goes on up to here
    enum class comment_kind : std::uint8_t { line, block, html };
    comment_kind comment_kind_ = comment_kind::line;
    std::size_t comment_begin_ = 0;
    heal_detail::mode comment_from_ = mode::seek;

    number_state digits_state_ = number_state::start;
    std::size_t digits_good_ = 0; ///< where the number read so far could end

    // What the document has shown so far; evidence for later decisions.
    bool inner_seen_ = false;      ///< some string held unescaped quotes
    bool bad_escape_seen_ = false; ///< an escape that JSON does not know
    bool bare_keys_ = false, quoted_keys_ = false;
    bool doubled_keys_ = false;   ///< keys have doubled quotes: {""a"": …}
    bool equals_seen_ = false;    ///< = stands for the colon in this document
    bool escaped_blanks_ = false; ///< \n and \t stand for blanks between tokens
    bool escaped_ = false;        ///< keys are quoted by \\": the document was escaped as a whole

    // With `heal_options::expect`: what is expected in each open bracket (brackets closed since are still there, see
    // enter_place), and the key of the member being read.
    struct place {
        const expectation* here = nullptr;
        std::size_t index = 0; ///< elements read
    };
    std::vector<place> places_;
    std::string key_text_;

    // Document level.
    small_vector<found_value, 1> found_;
    std::size_t taken_value_ = 0; ///< which of them is the answer, or the first of it
    rule prose_rule_ = rule::prose;
    bool prose_run_ = false;  ///< the window ended inside a run of prose
    bool line_text_ = false;  ///< prose stands on this line before p_
    bool prose_seen_ = false; ///< since the last value
    bool start_ = true;       ///< nothing but blanks since the text, a fence or a tag began
    bool in_root_ = false, in_fence_ = false, fence_foreign_ = false;
    unsigned reasoning_ = 0;
    cut_place cut_ = cut_place::none;

    std::vector<edit> edits_;
    std::size_t flushed_ = 0; ///< edits already replayed
    std::size_t out_to_ = 0;  ///< input replayed so far
    risk worst_ = risk::exact;
    std::size_t edit_total_ = 0;
    std::string out_;
    healing result_;
    bool refused_ = false;
    bool keep_settled_ = false; ///< a key or a comma was handed out before its value: completed with null

    // Outside a value a live stream passes over what stands there. Only the last edit of such a gap is still open.
    std::size_t gap_begin_ = 0;  ///< where the edits of the gap begin, or will
    bool head_released_ = false; ///< more blanks than may be held stood before the value, and were handed out

    // What was drained is forgotten at the next call.
    std::size_t taken_ = 0;         ///< bytes at the front of out_ that were handed over and are still there
    std::size_t out_base_ = 0;      ///< bytes handed over and forgotten before those
    std::size_t edits_taken_ = 0;   ///< edits at the front of the log that were handed over
    std::size_t dropped_edits_ = 0; ///< edits forgotten; what they did to the text:
    std::size_t dropped_at_ = 0, dropped_out_ = 0; ///< input and output up to the end of the last of them
    risk dropped_worst_ = risk::exact;
    prefix_reader<prefix_sink> written_; ///< follows the output, as far as somebody asked
    std::size_t digits_end_ = none;      ///< where a number ended that was handed out while it was read
    std::size_t work_ = 0;
};

// Here, because every token passes through them.
inline void engine::commit_comma() {
    comma_ = none;
    member_ = none;
}

inline void engine::take_comma(std::size_t size, bool style) {
    comma_ = p_;
    comma_size_ = size;
    comma_edit_ = edits_.size();
    if (style) { put(p_, p_ + size, ",", rule::separator_style); }
    p_ += size;
    phase_ = phase::next;
    last_string_ = false;
}

/// A member or an element is whole; so is the root, if nothing is open.
inline void engine::value_done() {
    commit_comma();
    value_end_ = p_;
    phase_ = phase::after;
    mode_ = mode::container;
    if (options_.expect != nullptr) { note_value(); }
    if (stack_.empty()) { end_root(cut_place::none); }
}

inline void engine::pop() {
    stack_.pop_back();
    last_string_ = false;
    value_done();
}

inline look::look(engine& owner, std::size_t position) noexcept
    : e(owner), from(position), limit(position + owner.options_.limits.look_ahead) {}

// Here, because every byte of every look passes through it.
inline int look::at(std::size_t i) noexcept {
    if (i >= limit) [[unlikely]] {
        past = true;
        return -1;
    }
    ++e.work_;
    return e.at(i);
}

} // namespace jsonheal::heal_detail
