// Calls written as `f(a=1)` or `call:f{a:1}`.
#include "bytes.hpp"
#include "machine.hpp"

namespace jsonheal::dialect::detail {

namespace {

constexpr std::string_view name_marks = ".-:@/";

} // namespace

void machine::start_watch(view mark) {
    watch_ = bracket_watch(mark);
    watched_ = 0;
    watch_end_ = view::npos;
}

/// At a name, or between calls.
bool machine::python() {
    if (between_) {
        between_ = false;
        return python_ends(0);
    }
    const view w = rest();
    const bool delimited = !string_mark_.empty();
    const std::size_t p = delimited ? 5 : 0; // behind `call:`
    std::size_t open = p;
    while (open < w.size() && (is_name_byte(w[open]) || name_marks.find(w[open]) != view::npos ||
                               (delimited && w[open] == ' '))) {
        ++open;
    }
    const bool opens = open < w.size() && (w[open] == '(' || (delimited && w[open] == '{'));
    if (open == w.size() && !last_) { return wait(); }
    if (!opens || open == p) { return python_ends(0); }
    if (watched_ < open) { watched_ = open; }
    if (watch_end_ == view::npos) { watch_end_ = watch_.look(w, watched_); }
    const std::size_t end = watch_end_;
    if (end == view::npos && !last_) { return wait(watched_); }
    const view written = trimmed(w.substr(p, open - p));
    const std::size_t tool = tools_.meant(written);
    literal_style style;
    style.python = !delimited;
    style.closer = w[open] == '{' ? '}' : ')';
    style.quote = string_mark_;
    const auto name_of = [&](std::size_t i) -> view {
        if (tool == tool_names::none || i >= tools_.tools()[tool].parameters.size()) { return {}; }
        return tools_.tools()[tool].parameters[i];
    };
    const literal_result r = read_literals(w.substr(0, end), open + 1, style, name_of);
    using outcome = literal_result::outcome;
    if (r.what == outcome::cut &&
        end != view::npos) { // the strings know better than the watch: on to the next bracket
        watch_end_ = view::npos;
        return true;
    }
    if (r.what == outcome::wrong) {
        const std::size_t size = end == view::npos ? w.size() : end;
        return python_fails(size);
    }
    const std::size_t size = r.what == outcome::cut ? w.size() : r.end;
    // what is declared as it is written counts; else what the model may have meant
    begin_call(written, {}, any_ ? offset(0) : opener_);
    sink_.on_json(r.json);
    consume(size);
    end_call(r.what == outcome::cut ? call_ending::cut : call_ending::closed, offset(0));
    any_ = true;
    if (r.what == outcome::cut) {
        leave_body();
        return true;
    }
    return python_ends(0);
}

/// No call: what was read of this body is text, its closers too.
bool machine::python_fails(std::size_t size) {
    const view w = rest();
    if (any_) {
        say_upto(size);
        return python_ends(0);
    }
    std::size_t p = skip_blanks(w, size);
    if (bracketed_ && p < w.size() && w[p] == ']') {
        size = p + 1;
        p = skip_blanks(w, size);
    }
    std::size_t closer = 0;
    const attempt a = p < w.size() ? at_closer(w, p, closer) : attempt::no;
    if (a == attempt::wait || (p == w.size() && !last_)) { return wait(); }
    give_back(a == attempt::taken ? p + closer : size);
    return true;
}

/// Behind a call: a separator and the next one, `]`, a closer, or text.
bool machine::python_ends(std::size_t from) {
    const view w = rest();
    std::size_t p = from;
    bool parted = false;
    for (;;) {
        p = skip_blanks(w, p);
        if (p < w.size() && w[p] == ')' && printed_) {
            consume(p + 1); // print(f(…))
            printed_ = false;
            return python_ends(0);
        }
        if (p < w.size() && (w[p] == ',' || w[p] == ';')) {
            parted = true;
            ++p;
            continue;
        }
        break;
    }
    if (p == w.size() && !last_) { return python_waits(); }
    const bool next = p < w.size() && (is_name_byte(w[p]) || w[p] == '@');
    if (next && any_) {
        std::size_t q = p;
        while (q < w.size() && (is_name_byte(w[q]) || name_marks.find(w[q]) != view::npos) && q - p < 128) {
            ++q;
        }
        if (q == w.size() && !last_) { return python_waits(); }
        const bool called = q < w.size() && w[q] == '(' && string_mark_.empty();
        const bool counts = strength_ == strength::strong || bracketed_ ||
                            tools_.find(w.substr(p, q - p)) != tool_names::none;
        if (called && w.substr(p, q - p) == "print" && strength_ == strength::strong) {
            printed_ = true;
            consume(q + 1);
            start_watch({});
            state_ = state::python;
            return true;
        }
        if (called && counts) {
            consume(p);
            start_watch({});
            state_ = state::python;
            return true;
        }
    }
    if (!any_) {
        give_back(std::min<std::size_t>(1, w.size()));
        return true;
    }
    if (p < w.size() && w[p] == ']' && bracketed_) {
        bracketed_ = false;
        consume(p + 1);
    } else if (parted) {
        consume(skip_separators(w.substr(0, p)));
    }
    bracketed_ = false;
    has_outer_ = false;
    state_ = state::objects; // closers
    if (strength_ == strength::weak && !fenced_) { leave_body(); }
    return true;
}

/// More bytes tell what follows a call: until then nothing of it is taken.
bool machine::python_waits() {
    state_ = state::python;
    between_ = true;
    return wait();
}

/// Any text as arguments, up to its closer.
bool machine::loose() {
    const view w = rest();
    std::size_t size = 0;
    for (std::size_t i = scan_; i < w.size(); ++i) {
        if (w[i] != '<' && w[i] != '[' && w[i] != ']') { continue; }
        attempt a = at_any(w, i, text_closer_, size);
        if (a == attempt::no && text_closer_ != "]") { a = at_closer(w, i, size); }
        if (a == attempt::wait) {
            scan_ = i;
            return wait(i);
        }
        if (a != attempt::taken) { continue; }
        view body = trimmed(w.substr(0, i));
        const bool cdata = body.starts_with("<![CDATA[") && body.ends_with("]]>");
        if (body.starts_with("<![CDATA[") && !cdata) { continue; }
        if (cdata) { body = body.substr(9, body.size() - 12); }
        sink_.on_text(body, offset(static_cast<std::size_t>(body.data() - w.data())));
        consume(i + size);
        end_call(call_ending::closed, offset(0));
        state_ = state::objects;
        any_ = true;
        strength_ = strength::strong;
        bracketed_ = has_outer_ = false;
        return true;
    }
    scan_ = w.size();
    if (!last_) { return wait(w.size()); }
    const view body = trimmed(w);
    sink_.on_text(body, offset(static_cast<std::size_t>(body.data() - w.data())));
    const bool open_ended =
        row_ != nullptr && (row_->arranged == arrangement::harmony || row_->arranged == arrangement::react);
    consume(w.size());
    end_call(open_ended ? call_ending::closed : call_ending::cut, offset(0));
    leave_body();
    return true;
}

} // namespace jsonheal::dialect::detail
