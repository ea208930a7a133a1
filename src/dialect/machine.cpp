// The window, and text outside of bodies.
#include "machine.hpp"

#include "bytes.hpp"

#include <cstring>

namespace jsonheal::dialect {

namespace detail {

namespace {

/// Openers of whole messages, which every arrangement has its own of.
void add_arrangement(arrangement a, marker_set& m) {
    switch (a) {
    case arrangement::harmony:
        m.add("<|start|>", role::header);
        m.add("<|channel|>", role::header);
        break;
    case arrangement::glimmer: m.add("<|start|>", role::header); break;
    case arrangement::inkling: m.add("<|message_model|>", role::header); break;
    case arrangement::recipient: m.add(">>>", role::recipient); break;
    case arrangement::react:
        for (const std::string_view label :
             {"Thought:", "Action Input:", "Observation:", "Final Answer:", "Observ"}) {
            m.add(label, role::label);
        }
        break;
    default: break;
    }
}

bool is_weak(style_id s) noexcept {
    return s == style_id::function || s == style_id::invoke || s == style_id::function_name ||
           s == style_id::elements;
}

/// All that the rows say, or the only row.
format_markers read_rows(const format_row* only) {
    format_markers out;
    for (const format_row& r : rows()) {
        if (only != nullptr && &r != only) { continue; }
        const bool chatcli = r.info.shape == call_shape::lines && r.arranged == arrangement::markers;
        out.markers.add_lines(r.reasoning, role::reasoning);
        out.markers.add_lines(r.reasoning_ends, role::reasoning_end);
        out.markers.add_lines(r.sections, role::section);
        out.markers.add_lines(r.section_ends, role::section_end);
        if (chatcli) {
            out.markers.add("<tool_call", role::attributes);
            out.markers.add("<tool", role::attributes);
            out.markers.add("[tool:", role::brackets);
            out.markers.add("[tool_call:", role::brackets);
        } else {
            out.markers.add_lines(r.calls, role::call);
            out.openers.add_lines(r.calls, role::call);
        }
        out.markers.add_lines(r.call_ends == "```" ? std::string_view() : r.call_ends, role::call_end);
        out.markers.add_lines(r.wrappers, role::wrapper);
        // in a text of any format these words are prose
        const bool guessed =
            only == nullptr && (r.arranged == arrangement::react || r.arranged == arrangement::recipient ||
                                r.arranged == arrangement::glimmer);
        if (!guessed) { add_arrangement(r.arranged, out.markers); }
        out.openers.add_lines(r.sections, role::section);
        out.closers.add_lines(r.call_ends, role::call_end);
        out.closers.add_lines(r.section_ends, role::section_end);
        if (r.style != style_id::none &&
            std::find(out.styles.begin(), out.styles.end(), r.style) == out.styles.end()) {
            out.styles.push_back(r.style);
        }
    }
    // tokens that end a turn in any format
    out.markers.add_lines("<|im_end|>\n<|endoftext|>\n<|eot_id|>\n<|end_of_text|>\n<end_of_turn>",
                          role::wrapper);
    out.closers.add_lines("</arguments>\n</args>", role::call_end);
    for (const style_id s : out.styles) {
        const tag_style& style = style_of(s);
        if (style.call_name == name_place::element) { continue; }
        out.markers.add_lines(style.call_open, role::tag, s);
        out.style_opens.add_lines(style.call_open, role::tag, s);
        out.closers.add_lines(style.call_close, role::call_end);
    }
    out.markers.add("{", role::json);
    out.markers.add("[", role::json);
    out.markers.add("```", role::fence);
    for (marker_set* set : {&out.markers, &out.closers, &out.openers, &out.style_opens}) { set->sort(); }
    return out;
}

/// Made once for the process: it costs more than reading a short reply. Null: of any format.
const format_markers& markers_of(const format_row* row) {
    if (row == nullptr) {
        static const format_markers any = read_rows(nullptr);
        return any;
    }
    static const std::vector<format_markers> each = [] {
        std::vector<format_markers> out;
        for (const format_row& r : rows()) { out.push_back(read_rows(&r)); }
        return out;
    }();
    return each[static_cast<std::size_t>(row - rows().data())];
}

} // namespace

machine::machine(const reader_options& options, sink& to)
    : options_(options),
      sink_(to),
      row_(options.format != nullptr ? &row_of(*options.format) : nullptr),
      tools_(options.tools != nullptr ? *options.tools : no_tools_),
      sets_(markers_of(row_)) {
    markers_.extend(sets_.markers);
    for (const tool_names::tool& t : tools_.tools()) {
        markers_.add(t.name + "(", role::call_name);
        if (row_ == nullptr || row_->style == style_id::elements) {
            markers_.add("<" + t.name + ">", role::element);
        }
    }
    markers_.sort();
    state_ = options.open_reasoning ? state::reasoning : state::text;
}

// ---- the window

void machine::consume(std::size_t n) {
    if (n == 0) { return; }
    before_ = window_[at_ + n - 1];
    at_ += n;
    scan_ = 0;
}

bool machine::wait(std::size_t looked_from) {
    const std::size_t looked = window_.size() - at_ - std::min(looked_from, window_.size() - at_);
    retry_ = base_ + window_.size() + looked / 8 + 1;
    return false;
}

void machine::feed(std::string_view chunk) {
    window_.append(chunk);
    if (base_ + window_.size() >= retry_) { run(); }
}

void machine::finish() {
    last_ = true;
    run();
    if (state_ == state::text && !rest().empty()) { say_upto(rest().size()); }
}

void machine::run() {
    while (step()) {}
    // what may have to be given back stays
    const bool undecided = state_ == state::objects || state_ == state::object || state_ == state::python ||
                           state_ == state::loose;
    const std::size_t keep = undecided && !any_ && !told_ ? std::min(at_, opener_ - base_) : at_;
    if (keep > 4096 && keep > window_.size() / 2) {
        window_.erase(0, keep);
        at_ -= keep;
        base_ += keep;
    } else if (keep == window_.size()) {
        base_ += keep;
        at_ = 0;
        window_.clear();
    }
}

bool machine::step() {
    switch (state_) {
    case state::text: return text();
    case state::reasoning: return reasoning();
    case state::message: return message();
    case state::objects: return objects();
    case state::object: return object();
    case state::tags: return tags();
    case state::python: return python();
    case state::loose: return loose();
    case state::dropped: consume(rest().size()); return wait();
    }
    return false;
}

void machine::say(view text) {
    if (text.empty()) { return; }
    sink_.on_content(text);
    if (blank_text_) { blank_text_ = skip_blanks(text, 0) == text.size(); }
    const std::size_t line = text.rfind('\n');
    if (line != view::npos) {
        blank_line_ = true;
        text.remove_prefix(line + 1);
    }
    if (blank_line_) { blank_line_ = skip_blanks(text, 0) == text.size(); }
}

void machine::say_upto(std::size_t n) {
    say(rest().substr(0, n));
    consume(n);
}

attempt machine::at(view w, std::size_t i, view text) const noexcept {
    const view there = w.substr(i, text.size());
    if (there == text) { return attempt::taken; }
    return !last_ && i + there.size() == w.size() && text.starts_with(there) ? attempt::wait : attempt::no;
}

attempt machine::at_any(view w, std::size_t i, view list, std::size_t& size) const noexcept {
    attempt best = attempt::no;
    size = 0;
    any_of_lines(list, [&](view text) {
        if (text.empty()) { return false; }
        // most differ within three bytes
        const bool seen = i + 3 <= w.size() && text.size() >= 3;
        if (seen && (text[0] != w[i] || text[1] != w[i + 1] || text[2] != w[i + 2])) { return false; }
        const attempt a = at(w, i, text);
        if (a == attempt::taken && text.size() > size) { size = text.size(); }
        if (a == attempt::wait) { best = attempt::wait; }
        return false;
    });
    return best == attempt::wait ? best : size != 0 ? attempt::taken : attempt::no;
}

attempt machine::at_set(view w, std::size_t i, const marker_set& set, std::size_t& size) const noexcept {
    const marker_match m = set.match(w, i, last_);
    size = m.found != nullptr ? m.found->text.size() : 0;
    return m.what == marker_match::outcome::partial ? attempt::wait
           : size != 0                              ? attempt::taken
                                                    : attempt::no;
}

attempt machine::at_closer(view w, std::size_t i, std::size_t& size) const noexcept {
    return at_set(w, i, sets_.closers, size);
}

attempt machine::at_opener(view w, std::size_t i) const noexcept {
    std::size_t size = 0;
    const attempt a = at_set(w, i, sets_.openers, size);
    return a != attempt::no ? a : at_set(w, i, sets_.style_opens, size);
}

// ---- outside of bodies

bool machine::text() {
    if (in_section_ && skip_) {
        consume(skip_blanks(rest(), 0));
        if (rest().empty()) { return wait(); }
        skip_ = false;
    }
    if (!started_) {
        const attempt a = first_bytes();
        if (a == attempt::wait) { return wait(); }
        started_ = true;
        if (a == attempt::taken) { return true; }
    }
    view w = rest();
    for (std::size_t i = scan_;;) {
        i = markers_.next(w, i);
        if (i >= w.size()) {
            say_upto(w.size() - (last_ ? 0 : partial_character(w)));
            return wait();
        }
        const marker_match m = markers_.match(w, i, last_);
        if (m.what == marker_match::outcome::none) {
            ++i;
            continue;
        }
        say_upto(i);
        w = rest();
        if (m.what == marker_match::outcome::partial) { return wait(); }
        const attempt a = m.found != nullptr ? open(*m.found) : attempt::no;
        if (a == attempt::taken) { return true; }
        if (a == attempt::wait) { return wait(); }
        i = 1;
    }
}

/// Formats whose prompt ends inside the first header: the text begins with a recipient.
attempt machine::first_bytes() {
    if (row_ == nullptr ||
        (row_->arranged != arrangement::recipient && row_->arranged != arrangement::glimmer)) {
        return attempt::no;
    }
    const view w = rest();
    if (row_->arranged == arrangement::recipient) {
        return w.starts_with(">") ? attempt::no : open_recipient(0);
    }
    const attempt a = at(w, 0, " to=");
    if (a != attempt::taken) { return a; }
    return open_header({});
}

attempt machine::open(const marker& m) {
    const std::size_t size = m.text.size();
    opener_ = offset(0);
    any_ = told_ = fenced_ = bracketed_ = false;
    strength_ = strength::strong;
    switch (m.what) {
    case role::wrapper:
    case role::call_end:
    case role::reasoning_end: consume(size); return attempt::taken;
    case role::section_end:
        consume(size);
        in_section_ = false;
        return attempt::taken;
    case role::section:
    case role::call: {
        if (m.text == "Action:") { return open_action(size); }
        const attempt a = open_wrapped(size, strength::strong);
        if (a == attempt::taken && m.what == role::section) { in_section_ = true; }
        return a;
    }
    case role::reasoning:
        consume(size);
        state_ = state::reasoning;
        return attempt::taken;
    case role::header: return open_header(m);
    case role::recipient: return open_recipient(size);
    case role::label: return open_label(m);
    case role::attributes: return open_attributes(size);
    case role::brackets: return open_brackets(size);
    case role::tag: return open_tag(0, m.style, is_weak(m.style) ? strength::weak : strength::strong);
    case role::fence: return open_fence();
    case role::json: return open_weak_json();
    case role::call_name: return open_weak_name(size);
    case role::element: return open_weak_element(size);
    }
    return attempt::no;
}

/// Reasoning up to its end. An opener of a call holds the rest back: whether it is a draft is known only where the
/// reasoning ends, or does not.
bool machine::reasoning() {
    view w = rest();
    for (std::size_t i = scan_;;) {
        i = markers_.next(w, i);
        const std::size_t safe =
            i >= w.size() && !last_ ? w.size() - partial_character(w) : std::min(i, w.size());
        if (!draft_) {
            if (safe > 0) { sink_.on_reasoning(w.substr(0, safe)); }
            consume(safe);
            w = rest();
            i -= safe;
        }
        if (i >= w.size()) {
            scan_ = w.size();
            if (last_ && draft_) { // never closed: the calls count
                draft_ = false;
                scan_ = 0;
                state_ = state::text;
                return true;
            }
            return wait(w.size());
        }
        const marker_match m = markers_.match(w, i, last_);
        if (m.what == marker_match::outcome::partial) {
            scan_ = i;
            return wait(i);
        }
        const role what = m.found != nullptr ? m.found->what : role::json;
        if (what == role::reasoning_end) {
            if (i > 0) { sink_.on_reasoning(w.substr(0, i)); }
            consume(i + m.found->text.size());
            draft_ = false;
            state_ = state::text;
            return true;
        }
        const bool opener = what == role::section || what == role::call ||
                            (what == role::tag && !is_weak(m.found->style)) ||
                            (what == role::header && row_ != nullptr);
        if (opener && !draft_ && options_.in_reasoning != reasoning_calls::ignore &&
            m.found->text != "Action:") {
            if (options_.in_reasoning == reasoning_calls::read) {
                state_ = state::text;
                scan_ = 0;
                return true;
            }
            draft_ = true;
        }
        i += 1;
        if (!draft_) {
            sink_.on_reasoning(w.substr(0, 1));
            consume(1);
            w = rest();
            i = 0;
        }
    }
}

// ---- telling

void machine::begin_call(view name, view id, std::size_t begin) {
    const std::size_t tool = tools_.meant(name);
    told_ = any_ = true;
    const view declared = tool != tool_names::none ? view(tools_.tools()[tool].name) : view();
    sink_.on_call({declared.empty() || name.starts_with('@') ? name : declared, declared, id, begin});
}

void machine::end_call(call_ending ending, std::size_t end, std::span<const edit> edits) {
    sink_.on_call_end({ending, end, edits});
    told_ = false;
    blank_text_ = false;
}

/// What was taken for a call is text: from the opener up to `upto` of rest().
void machine::give_back(std::size_t upto) {
    const std::size_t from = opener_ - base_;
    say(view(window_).substr(from, at_ + upto - from));
    consume(upto);
    state_ = state::text;
}

/// The body is over: closers that follow belong to it.
void machine::leave_body() {
    state_ = state::text;
    skip_ = true;
    told_ = false;
}

} // namespace detail

reader::reader(const reader_options& options, sink& to)
    : machine_(std::make_unique<detail::machine>(options, to)) {}
reader::~reader() = default;
reader::reader(reader&&) noexcept = default;
reader& reader::operator=(reader&&) noexcept = default;
void reader::feed(std::string_view chunk) { machine_->feed(chunk); }
void reader::finish() { machine_->finish(); }

} // namespace jsonheal::dialect
