// The reader: one state at a time over a window of the text. A step is a function of the bytes from the window's beginning on
// and of whether more may come; where a byte that it needs is not there it waits with nothing changed. So chunks do not matter.
#pragma once

#include "formats.hpp"
#include "literals.hpp"
#include "markers.hpp"

#include <jsonheal/document.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::dialect::detail {

/// What became of an attempt.
enum class attempt : std::uint8_t { taken, no, wait };

/// How sure a call is by what stands before it.
enum class strength : std::uint8_t { weak, strong };

/// Follows broken JSON to the end of one object.
struct object_track {
    std::size_t depth = 0;
    char quote = 0;       ///< of the string it is in
    char significant = 0; ///< the last byte outside strings that is no blank
    bool escape = false;
};

/// One call inside what was healed.
struct enveloped {
    std::string name, id;
    std::optional<value_view> arguments; ///< none: there were none
    std::string rest;                    ///< an object of the members that stand where the arguments should
};

/// What a key of a call's object says.
enum class envelope_key : std::uint8_t {
    name,
    arguments,
    either, ///< the name, or an object that holds both
    list,   ///< several calls
    aside,  ///< an id, a kind
    other
};
[[nodiscard]] envelope_key key_of(std::string_view key) noexcept;

/// `&lt;`, `&gt;`, `&amp;`, `&quot;`, `&apos;` and the numbers of quotes as what they stand for, once.
[[nodiscard]] std::string decode_entities(std::string_view text);

/// The tags of one call.
struct tag_track {
    const tag_style* style = nullptr;
    std::string name; ///< as written, for closers that repeat it
    std::size_t tool = tool_names::none;
    bool in_value = false;
    bool parent = false; ///< `<parameters>` around them
    std::string key;
    std::vector<std::string> seen;
    std::size_t scan = 0; ///< of the value, from the window's beginning
    std::size_t sent = 0;
    std::size_t nested = 0; ///< openers of calls inside the value
    std::size_t last_close = std::string_view::npos;
    bool held = false;   ///< nothing of the value is handed out before its end
    bool quoted = false; ///< a whole opener of a call stands in the value
    bool mended = false;
};

/// What the rows of formats, or one of them, have for markers.
struct format_markers {
    marker_set markers;     ///< outside of bodies
    marker_set closers;     ///< of calls and sections
    marker_set openers;     ///< of calls and sections
    marker_set style_opens; ///< of the tags of calls
    std::vector<style_id> styles;
};

class machine {
public:
    machine(const reader_options& options, sink& to);
    void feed(std::string_view chunk);
    void finish();

private:
    enum class state : std::uint8_t {
        text,
        reasoning,
        message,
        objects,
        object,
        tags,
        python,
        loose,
        dropped
    };
    using view = std::string_view;

    // ---- the window
    [[nodiscard]] view rest() const noexcept { return view(window_).substr(at_); }
    [[nodiscard]] std::size_t offset(std::size_t i) const noexcept { return base_ + at_ + i; }
    void consume(std::size_t n);
    void run();
    [[nodiscard]] bool step();
    [[nodiscard]] bool wait(std::size_t looked_from = 0);
    void say(view text);
    void say_upto(std::size_t n);
    /// Is `text` at `i`? `wait` if more bytes decide.
    [[nodiscard]] attempt at(view w, std::size_t i, view text) const noexcept;
    /// The longest of a list that stands one a line: its length in `size`.
    [[nodiscard]] attempt at_any(view w, std::size_t i, view list, std::size_t& size) const noexcept;
    /// The longest of a set.
    [[nodiscard]] attempt at_set(view w, std::size_t i, const marker_set& set,
                                 std::size_t& size) const noexcept;
    [[nodiscard]] attempt at_closer(view w, std::size_t i, std::size_t& size) const noexcept;
    [[nodiscard]] attempt at_opener(view w, std::size_t i) const noexcept;

    // ---- outside of bodies
    [[nodiscard]] bool text();
    [[nodiscard]] bool reasoning();
    [[nodiscard]] bool message();
    [[nodiscard]] attempt open(const marker& m);
    [[nodiscard]] attempt open_wrapped(std::size_t behind, strength s);
    [[nodiscard]] attempt at_style(std::size_t p, style_id& style) const noexcept;
    [[nodiscard]] attempt open_body(std::size_t p, strength s);
    [[nodiscard]] attempt open_list(std::size_t p, strength s);
    [[nodiscard]] attempt open_named(std::size_t p, strength s);
    [[nodiscard]] attempt open_tag(std::size_t p, style_id style, strength s);
    [[nodiscard]] attempt open_older_invoke(std::size_t p, std::size_t behind);
    [[nodiscard]] attempt open_python(std::size_t p, strength s);
    [[nodiscard]] attempt open_delimited(std::size_t p);
    [[nodiscard]] attempt open_attributes(std::size_t behind);
    [[nodiscard]] attempt open_children(std::size_t p);
    [[nodiscard]] attempt open_brackets(std::size_t behind);
    [[nodiscard]] attempt open_fence();
    [[nodiscard]] attempt open_weak_json();
    [[nodiscard]] attempt sniff_object(std::size_t p) const;
    [[nodiscard]] bool may_name(view name) const;
    [[nodiscard]] attempt open_weak_name(std::size_t size);
    [[nodiscard]] attempt open_weak_element(std::size_t size);
    [[nodiscard]] attempt open_header(const marker& m);
    [[nodiscard]] attempt open_recipient(std::size_t behind);
    [[nodiscard]] attempt open_label(const marker& m);
    [[nodiscard]] attempt open_action(std::size_t behind);
    [[nodiscard]] attempt first_bytes();

    // ---- bodies
    [[nodiscard]] bool objects();
    [[nodiscard]] bool object();
    void begin_object(std::size_t at, view name, view id);
    [[nodiscard]] std::size_t track(view w, std::size_t& i, bool& closer, bool& stuck);
    [[nodiscard]] bool quote_closes(view w, std::size_t i, bool& stuck) const;
    [[nodiscard]] bool marker_in_string(view w, std::size_t i, bool& stuck) const;
    void heal_upto(std::size_t end);
    void pump();
    void probe(view settled);
    bool end_object(std::size_t end, bool by_closer, bool cut);
    [[nodiscard]] std::vector<enveloped> calls_in(value_view root) const;
    void call_in(value_view v, std::size_t level, std::string id, std::vector<enveloped>& out) const;
    void tell_call(const enveloped& c, call_ending ending, std::size_t begin, std::size_t end,
                   std::span<const edit> edits);
    [[nodiscard]] attempt weak_may_follow(std::size_t end) const;
    void leave_body();

    [[nodiscard]] bool tags();
    [[nodiscard]] bool tag_between();
    [[nodiscard]] bool tag_value();
    [[nodiscard]] attempt param_at(view w, std::size_t i, std::string& key, type_hint& hint,
                                   std::size_t& size) const;
    [[nodiscard]] attempt param_close_at(view w, std::size_t i, std::size_t& size) const;
    [[nodiscard]] attempt call_close_at(view w, std::size_t i, std::size_t& size) const;
    [[nodiscard]] attempt quoted_call_at(view w, std::size_t i) const;
    [[nodiscard]] bool half_tag(view w, std::size_t i) const noexcept;
    [[nodiscard]] attempt follows_value(view w, std::size_t i) const;
    [[nodiscard]] attempt follows_call(view w, std::size_t i) const;
    void send_value(std::size_t upto);
    void end_value(std::size_t end, std::size_t size, bool whole);
    [[nodiscard]] std::size_t half_closer(view w) const noexcept;
    void end_tags(std::size_t size, call_ending ending);
    [[nodiscard]] attempt attributes(view w, std::size_t i, view tag_end,
                                     std::vector<std::pair<std::string, std::string>>& all,
                                     std::size_t& size) const;

    void start_watch(view mark);
    [[nodiscard]] bool python();
    [[nodiscard]] attempt out_of_text() const noexcept;
    [[nodiscard]] bool python_fails(std::size_t size);
    [[nodiscard]] bool python_ends(std::size_t from);
    [[nodiscard]] bool python_waits();
    [[nodiscard]] bool loose();

    // ---- telling
    void begin_call(view name, view id, std::size_t begin);
    void end_call(call_ending ending, std::size_t end, std::span<const edit> edits = {});
    void give_back(std::size_t upto);
    void give_object_back(std::size_t end);
    std::size_t hand_out_json(view json);
    [[nodiscard]] static std::size_t skip_separators(view w) noexcept;

    reader_options options_;
    sink& sink_;
    const format_row* row_ = nullptr; // null: any
    tool_names no_tools_;
    const tool_names& tools_;
    const format_markers& sets_;
    marker_set markers_; // outside of bodies, those of the tools as well
    view string_mark_;   // of the delimited body that is read
    view message_ends_;

    std::string window_;
    std::size_t at_ = 0;    // of the window: consumed
    std::size_t base_ = 0;  // of the text: where the window begins
    std::size_t retry_ = 0; // of the text: nothing new is known before it reaches this
    bool last_ = false;     // no more comes

    state state_ = state::text;
    std::size_t scan_ = 0;   // of rest(): looked at
    char before_ = '\n';     // the byte before rest()
    bool blank_line_ = true; // only blanks since the last line end
    bool blank_text_ = true; // only blanks so far
    bool in_section_ = false;
    bool skip_ = false;      // blanks between calls of a section are layout
    bool started_ = false;   // the first bytes were looked at
    bool draft_ = false;     // reasoning has an opener of a call: it is held until its end is seen
    bool fenced_ = false;    // a fence is to be closed behind the body
    bool bracketed_ = false; // a `[` is
    bool printed_ = false;   // `print(` stands around a call
    bool any_ = false;       // the body had a call
    strength strength_ = strength::strong;
    bool message_reasoning_ = false;
    std::size_t scan_label_ = 0; // of rest(): lines of a thought that were looked at
    view text_closer_;           // of a loose body
    std::size_t no_message_before_ =
        0; // of the text: no `<|message|>` begins before it, seen from the last header

    // one object
    std::size_t opener_ = 0;  // of the text: where the opener of the body stands
    std::size_t call_at_ = 0; // of the text: where the call begins
    object_track track_;
    std::optional<healer> healer_;
    std::size_t fed_ = 0; // of rest(): what the engine has
    std::string outer_name_, outer_id_;
    bool has_outer_ = false;
    bool counter_name_ = false;               // a counter stands in place of the name
    bool told_ = false;                       // on_call was sent
    bool probing_ = false;                    // it may still be streamed
    bool streaming_ = false;                  // its arguments go out as they settle
    std::size_t json_at_ = 0, json_sent_ = 0; // of what has settled
    object_track json_track_;
    bool json_done_ = false;

    tag_track tag_;
    mutable bool attributes_cut_ = false; // the text stopped inside a tag
    bool between_ = false;                // of calls in Python, waiting for what follows
    mutable bool no_double_closes_ = false, no_single_closes_ = false; // ahead, up to the end of the text
    bool value_begun_ = false;                                         // its first line end was looked at
    bool wrapper_value_ = false;                                       // it holds all the arguments
    bool cdata_ = false;
    bracket_watch watch_;
    std::size_t watched_ = 0;
    std::size_t watch_end_ = std::string_view::npos; // the bracket that it has found
};

} // namespace jsonheal::dialect::detail
