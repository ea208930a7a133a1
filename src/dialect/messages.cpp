// Formats that arrange the whole text: messages with headers, recipients, labelled lines, attributes.
#include "bytes.hpp"
#include "machine.hpp"

namespace jsonheal::dialect::detail {

namespace {

constexpr std::size_t header_bytes = 1024;

/// The word behind the last `to=` of a header, and whether its last channel is reasoning.
struct header {
    std::string_view recipient;
    bool reasoning = false;
};

header read_header(std::string_view text) noexcept {
    header h;
    if (const std::size_t to = text.rfind("to="); to != std::string_view::npos) {
        std::string_view word = text.substr(to + 3);
        h.recipient = word.substr(0, word.find_first_of(" \n\t<"));
    }
    const std::size_t channel = text.rfind("<|channel|>");
    const std::string_view last = channel == std::string_view::npos ? text : text.substr(channel + 11);
    h.reasoning = trimmed(last).starts_with("analysis") || trimmed(last).starts_with("thought");
    return h;
}

} // namespace

/// `<|channel|>commentary to=functions.f <|constrain|>json<|message|>`, ` to=f<|message|>`, `<|message_model|>f<|content_…|>`
attempt machine::open_header(const marker& m) {
    const view w = rest();
    if (m.text == "<|message_model|>") {
        const std::size_t kind = find_near(w, "<|content_", m.text.size(), header_bytes);
        const std::size_t end = kind == view::npos ? kind : find_near(w, "|>", kind, 64);
        if (end == view::npos) {
            if (!last_) { return w.size() > header_bytes ? attempt::no : attempt::wait; }
            consume(w.size());
            return attempt::taken;
        }
        const view what = w.substr(kind, end + 2 - kind);
        if (what == "<|content_invoke_tool_json|>" || what == "<|content_invoke_tool_text|>") {
            const std::string name(trimmed(w.substr(m.text.size(), kind - m.text.size())));
            const std::size_t body = skip_blanks(w, end + 2);
            if (body == w.size() && !last_) { return attempt::wait; }
            if (body < w.size() && w[body] == '{') {
                begin_object(body, name, {});
                return attempt::taken;
            }
            begin_call(name, {}, opener_);
            text_closer_ = "<|end_message|>";
            consume(end + 2);
            state_ = state::loose;
            return attempt::taken;
        }
        consume(end + 2);
        message_reasoning_ = what == "<|content_thinking|>";
        message_ends_ = "<|end_message|>";
        state_ = state::message;
        return attempt::taken;
    }
    constexpr view end_of_header = "<|message|>";
    const std::size_t known = no_message_before_ - std::min(no_message_before_, offset(0));
    const std::size_t message =
        known > header_bytes ? view::npos : find_near(w, end_of_header, known, header_bytes - known);
    if (message == view::npos && w.size() >= end_of_header.size()) {
        const std::size_t looked = std::min(w.size(), header_bytes + end_of_header.size());
        no_message_before_ = std::max(no_message_before_, offset(looked - end_of_header.size() + 1));
    }
    if (message == view::npos || message > header_bytes) {
        if (message == view::npos && !last_ && w.size() <= header_bytes) { return attempt::wait; }
        if (last_ && w.size() <= header_bytes &&
            trimmed(w).find('\n') == view::npos) { // cut inside the header
            consume(w.size());
            return attempt::taken;
        }
        return attempt::no;
    }
    const header h = read_header(w.substr(0, message));
    const std::size_t behind = message + 11;
    const bool glimmer = row_ != nullptr && row_->arranged == arrangement::glimmer;
    view recipient = h.recipient;
    if (recipient == "self" || recipient == "user" || recipient == "assistant" || recipient == "all") {
        recipient = {};
    }
    if (recipient.empty() || recipient.starts_with("user")) {
        message_reasoning_ = h.reasoning || h.recipient == "self";
        message_ends_ = glimmer ? "<|eom|>\n<|eot|>" : "<|end|>\n<|return|>\n<|call|>\n<|start|>";
        consume(behind);
        state_ = state::message;
        return attempt::taken;
    }
    const std::size_t body = skip_blanks(w, behind);
    if (body == w.size() && !last_) { return attempt::wait; }
    if (glimmer) {
        if (body < w.size() && w[body] == '<') { // the markers inside say which calls
            consume(behind);
            return attempt::taken;
        }
    }
    if (recipient.starts_with("functions.") && tools_.find(recipient) == tool_names::none) {
        recipient.remove_prefix(10);
    }
    if (body < w.size() && w[body] == '{') {
        begin_object(body, recipient, {});
        return attempt::taken;
    }
    begin_call(recipient, {}, opener_);
    text_closer_ = glimmer ? "<|eom|>\n<|eot|>" : "<|call|>\n<|end|>\n<|return|>\n<|start|>";
    consume(behind);
    state_ = state::loose;
    return attempt::taken;
}

/// Text of a message, up to its end.
bool machine::message() {
    const view w = rest();
    std::size_t size = 0;
    const auto tell = [&](view text) {
        if (message_reasoning_) {
            if (!text.empty()) { sink_.on_reasoning(text); }
        } else {
            say(text);
        }
    };
    for (std::size_t i = scan_; i < w.size(); ++i) {
        if (w[i] != '<') { continue; }
        const attempt a = at_any(w, i, message_ends_, size);
        if (a == attempt::no) { continue; }
        tell(w.substr(0, i));
        if (a == attempt::wait) {
            consume(i);
            return wait();
        }
        const bool next = w.substr(i, size) == "<|start|>";
        consume(i + (next ? 0 : size));
        state_ = state::text;
        return true;
    }
    const std::size_t safe = w.size() - (last_ ? 0 : partial_character(w));
    tell(w.substr(0, safe));
    consume(safe);
    return wait();
}

/// `>>>f⏎{…}`, `>>>all⏎text`
attempt machine::open_recipient(std::size_t behind) {
    const view w = rest();
    const std::size_t line = find_near(w, "\n", behind, 128);
    const std::size_t brace = find_near(w, "{", behind, 128);
    const std::size_t end = std::min(line, brace);
    if (end == view::npos || end - behind > 128) {
        return last_ || w.size() - behind > 128 ? attempt::no : attempt::wait;
    }
    const view name = trimmed(w.substr(behind, end - behind));
    if (name == "all") {
        consume(end + 1);
        return attempt::taken;
    }
    if (name.empty() || tools_.meant(name) == tool_names::none) { return attempt::no; }
    const std::size_t body = skip_blanks(w, end);
    if (body == w.size() && !last_) { return attempt::wait; }
    opener_ = offset(0);
    any_ = told_ = fenced_ = bracketed_ = false;
    strength_ = strength::strong;
    if (body < w.size() && w[body] == '{') {
        begin_object(body, name, {});
        return attempt::taken;
    }
    begin_call(name, {}, opener_);
    text_closer_ = ">>>";
    consume(end + 1);
    state_ = state::loose;
    return attempt::taken;
}

/// `Thought:`, `Observation:`, `Final Answer:` at the beginning of a line.
attempt machine::open_label(const marker& m) {
    if (!blank_line_) { return attempt::no; }
    const view w = rest();
    if (m.text == "Thought:") {
        // reasoning up to the next label
        std::size_t i = scan_label_ > m.text.size() ? scan_label_ : m.text.size();
        for (;;) {
            const std::size_t line = w.find('\n', i);
            const std::size_t next = line == view::npos ? w.size() : line + 1;
            const std::size_t p = skip_blanks(w, next);
            bool label = false, maybe = false;
            for (const view l : {"Action:", "Final Answer:", "Observation:", "Action Input:"}) {
                const attempt a = at(w, std::min(p, w.size()), l);
                label = label || a == attempt::taken;
                maybe = maybe || a == attempt::wait;
            }
            if (label || (line == view::npos && last_)) {
                sink_.on_reasoning(w.substr(m.text.size(), next - m.text.size()));
                consume(next);
                blank_line_ = true;
                scan_label_ = 0;
                return attempt::taken;
            }
            if (line == view::npos || maybe) {
                scan_label_ = i;
                return attempt::wait;
            }
            i = next;
        }
    }
    if (m.text == "Final Answer:") {
        consume(m.text.size());
        return attempt::taken;
    }
    if (m.text.starts_with("Observ")) {
        if (m.text == "Observ" && !last_) { return attempt::no; }
        if (m.text == "Observ" && w.size() > 12) { return attempt::no; }
        state_ = state::dropped;
        return attempt::taken;
    }
    return attempt::no;
}

/// `Action: f⏎Action Input: …`, `Action:` and a fence with the call.
attempt machine::open_action(std::size_t behind) {
    if (!blank_line_) { return attempt::no; }
    const view w = rest();
    const std::size_t p = skip_blanks(w, behind);
    if (p == w.size()) { return last_ ? attempt::no : attempt::wait; }
    if (w[p] == '`' || w[p] == '{' || w[p] == '[') { return open_body(p, strength::strong); }
    const std::size_t line = find_near(w, "\n", p, 256);
    if (line == view::npos) { return last_ || w.size() - p > 256 ? attempt::no : attempt::wait; }
    view name = trimmed(w.substr(p, line - p));
    while (!name.empty() &&
           (name.front() == '"' || name.front() == '\'' || name.front() == '`' || name.front() == '[')) {
        name.remove_prefix(1);
    }
    while (!name.empty() &&
           (name.back() == '"' || name.back() == '\'' || name.back() == '`' || name.back() == ']')) {
        name.remove_suffix(1);
    }
    const bool own = row_ != nullptr && row_->arranged == arrangement::react;
    if (name.empty() || (tools_.meant(name) == tool_names::none && !own)) { return attempt::no; }
    const std::size_t label = skip_blanks(w, line);
    if (label == w.size()) { return last_ ? attempt::no : attempt::wait; }
    const attempt a = at(w, label, "Action Input:");
    if (a != attempt::taken) { return a; }
    std::size_t body = skip_blanks(w, label + 13);
    if (body == w.size() && !last_) { return attempt::wait; }
    const std::string kept(name);
    if (body < w.size() && w[body] == '`') {
        const std::size_t fence = find_near(w, "\n", body, 256);
        if (fence == view::npos && !last_) { return w.size() - body > 256 ? attempt::no : attempt::wait; }
        if (fence != view::npos) {
            const std::size_t inner = skip_blanks(w, fence);
            if (inner == w.size() && !last_) { return attempt::wait; }
            if (inner < w.size() && w[inner] == '{') {
                body = inner;
                fenced_ = true;
            }
        }
    }
    if (body < w.size() && w[body] == '{') {
        begin_object(body, kept, {});
        return attempt::taken;
    }
    const std::size_t end = w.find('\n', body);
    if (end == view::npos && !last_) { return attempt::wait; }
    const std::size_t stop = std::min(end, w.size());
    begin_call(kept, {}, opener_);
    sink_.on_text(trimmed(w.substr(body, stop - body)), offset(body));
    consume(stop);
    end_call(call_ending::closed, offset(0));
    leave_body();
    return attempt::taken;
}

/// `<tool_call name="@f" args='…' />`, the paired form, `<tool_call>` with children or a body.
attempt machine::open_attributes(std::size_t behind) {
    const view w = rest();
    if (before_ == '`') { return attempt::no; }
    if (behind == w.size()) { return last_ ? attempt::no : attempt::wait; }
    if (!is_blank(w[behind]) && w[behind] != '/' && w[behind] != '>') { return attempt::no; }
    std::vector<std::pair<std::string, std::string>> all;
    std::size_t end = 0;
    const attempt a = attributes(w, behind, ">", all, end);
    if (a == attempt::wait) { return a; }
    std::string name, args;
    bool has_args = false;
    for (const auto& [key, value] : all) {
        if (key == "name" && name.empty()) { name = trimmed(value); }
        if (key == "args" || key == "arguments") {
            args = value;
            has_args = true;
        }
    }
    if (a == attempt::no) {
        if (!attributes_cut_ || name.empty() || !has_args) { return attempt::no; }
        begin_call(name, {}, opener_); // cut inside the tag
        sink_.on_text(args, view::npos);
        consume(w.size());
        end_call(call_ending::cut, offset(0));
        leave_body();
        return attempt::taken;
    }
    const bool closed = w.substr(0, end).ends_with("/>");
    if (name.empty()) {
        if (!all.empty() || closed) { return attempt::no; }
        return open_wrapped(end, strength::strong);
    }
    if (closed || has_args) {
        begin_call(name, {}, opener_);
        sink_.on_text(args, view::npos);
        consume(end);
        end_call(call_ending::closed, offset(0));
        leave_body();
        return attempt::taken;
    }
    // the body of a paired tag is the arguments
    const std::size_t body = skip_blanks(w, end);
    if (body == w.size() && !last_) { return attempt::wait; }
    if (body < w.size() && w[body] == '{') {
        begin_object(body, name, {});
        return attempt::taken;
    }
    begin_call(name, {}, opener_);
    text_closer_ = "</tool_call>\n</tool>";
    consume(end);
    state_ = state::loose;
    return attempt::taken;
}

/// `[tool: @f {…}]`, `[tool: @f words]`
attempt machine::open_brackets(std::size_t behind) {
    const view w = rest();
    if (before_ == '`') { return attempt::no; }
    const std::size_t p = skip_blanks(w, behind);
    std::size_t q = p;
    while (q < w.size() && (is_name_byte(w[q]) || view("@.-:").find(w[q]) != view::npos) && q - p < 128) {
        ++q;
    }
    if (q == w.size()) { return last_ ? attempt::no : attempt::wait; }
    std::string name(w.substr(p, q - p));
    if (name.empty()) { return attempt::no; }
    if (tools_.meant(name) == tool_names::none && name.front() != '@') { name.insert(0, 1, '@'); }
    const std::size_t body = skip_blanks(w, q);
    if (body == w.size()) { return last_ ? attempt::no : attempt::wait; }
    if (w[body] == '{') {
        begin_object(body, name, {});
        bracketed_ = true;
        return attempt::taken;
    }
    // words, up to the bracket that closes: brackets inside them have their own
    std::size_t depth = 0, i = body;
    for (; i < w.size() && w[i] != '\n'; ++i) {
        if (w[i] == '[') {
            ++depth;
            if (w.substr(i).starts_with("[tool")) { return attempt::no; } // another call begins
        }
        if (w[i] == ']' && depth-- == 0) { break; }
    }
    if (i == w.size()) { return last_ ? attempt::no : attempt::wait; }
    if (w[i] != ']') { return attempt::no; }
    begin_call(name, {}, opener_);
    sink_.on_text(trimmed(w.substr(body, i - body)), offset(body));
    consume(i + 1);
    end_call(call_ending::closed, offset(0));
    leave_body();
    return attempt::taken;
}

} // namespace jsonheal::dialect::detail
