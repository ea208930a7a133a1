// What stands behind an opener: which body it is, and whether it is one at all.
#include "bytes.hpp"
#include "machine.hpp"

namespace jsonheal::dialect::detail {

namespace {

constexpr std::size_t header_bytes = 512; // of what stands between an opener and its body

/// Between a name and its arguments; all may be left out.
constexpr std::string_view separators =
    "[ARGS]\n<|tool_call_argument_begin|>\n<｜tool▁sep｜>\n<|tool▁sep|>\n<|tool_sep|>\n<｜tool_sep｜>\n<tool_"
    "sep>\n"
    "<|plamo:end_tool_name:plamo|>\n<|plamo:begin_tool_arguments:plamo|>\n<|plamo:constrain|>json\n"
    "<|plamo:msg|>\n<|content_invoke_tool_json|>";

/// Before a name.
constexpr std::string_view name_openers = "<|plamo:begin_tool_name:plamo|>\n<｜tool▁sep｜>\n<｜tool_sep｜>";

/// `call00003`: a counter in place of a name.
bool is_counter(std::string_view name) noexcept {
    std::size_t end = name.size();
    while (end > 0 && is_digit(name[end - 1])) { --end; }
    if (end == name.size()) { return false; }
    const std::string_view word = name.substr(0, end);
    return word.empty() || word == "call" || word == "call_" || word == "tool" || word == "tool_" ||
           word == "functions.";
}

} // namespace

/// Other openers may stand between one and its body: `<tool_calls><tool_call>`.
attempt machine::open_wrapped(std::size_t behind, strength s) {
    const view w = rest();
    std::size_t p = behind;
    for (int nested = 0; nested < 4; ++nested) {
        const std::size_t q = skip_blanks(w, p);
        std::size_t size = 0;
        const attempt a = at_set(w, q, sets_.openers, size);
        if (a == attempt::wait && q < w.size()) { return attempt::wait; }
        if (a != attempt::taken) { break; }
        p = q + size;
    }
    return open_body(p, s);
}

/// The opening tag of a call at `p` of rest(), and its style: of one that several have, that which is first.
attempt machine::at_style(std::size_t p, style_id& style) const noexcept {
    const view w = rest();
    std::size_t size = 0;
    if (at_set(w, p, sets_.style_opens, size) == attempt::no) { return attempt::no; }
    for (const style_id s : sets_.styles) {
        if (style_of(s).call_name == name_place::element) { continue; }
        const attempt a = at_any(w, p, style_of(s).call_open, size);
        style = s;
        if (a != attempt::no) { return a; }
    }
    return attempt::no;
}

attempt machine::open_body(std::size_t p, strength s) {
    const view w = rest();
    p = skip_blanks(w, p);
    if (p == w.size()) {
        if (!last_) { return attempt::wait; }
        consume(w.size());
        return attempt::taken;
    }
    if (w[p] == '`') {
        const std::size_t line = find_near(w, "\n", p, header_bytes);
        const attempt a = at(w, p, "```");
        if (a != attempt::taken) { return a; }
        if (line == view::npos) { return last_ || w.size() - p > header_bytes ? attempt::no : attempt::wait; }
        fenced_ = true;
        return open_body(line + 1, s);
    }
    if (w[p] == '{' || w[p] == '[') { return open_list(p, s); }
    style_id tag = style_id::none;
    const attempt tagged = at_style(p, tag);
    if (tagged == attempt::taken) { return open_tag(p, tag, strength::strong); }
    if (tagged == attempt::wait) { return tagged; }
    for (const view child : {"<server_name>", "<tool_name>", "<name>"}) {
        const attempt a = at(w, p, child);
        if (a == attempt::taken) { return open_children(p); }
        if (a == attempt::wait) { return a; }
    }
    const attempt call = at(w, p, "call:");
    if (call == attempt::taken && (row_ == nullptr || row_->info.shape == call_shape::delimited)) {
        return open_delimited(p);
    }
    if (call == attempt::wait) { return call; }
    const attempt named = open_named(p, s);
    if (named != attempt::no) { return named; }
    // prose between a wrapper and the call that it is for
    for (std::size_t q = p; q < w.size() && q - p < header_bytes / 2; ++q) {
        if (w[q] == '\n') { return attempt::no; }
        if (w[q] != '<') { continue; }
        const attempt a = at_style(q, tag);
        return a == attempt::taken ? open_tag(q, tag, strength::weak) : a;
    }
    return last_ || w.size() - p >= header_bytes / 2 || sets_.styles.empty() ? attempt::no : attempt::wait;
}

/// `{…}`, `[{…}]`, `[f(…)]`.
attempt machine::open_list(std::size_t p, strength s) {
    const view w = rest();
    if (w[p] == '[') {
        const std::size_t q = skip_blanks(w, p + 1);
        if (q == w.size()) { return last_ ? attempt::no : attempt::wait; }
        if (w[q] != '{' && w[q] != ']') {
            return is_name_byte(w[q]) || w[q] == '@' ? open_python(p, s) : attempt::no;
        }
    }
    strength_ = s;
    has_outer_ = false;
    bracketed_ = w[p] == '[';
    consume(p + (bracketed_ ? 1 : 0));
    state_ = state::objects;
    return attempt::taken;
}

/// `f[ARGS]{…}`, `functions.f:0<|tool_call_argument_begin|>{…}`, `f<arg_key>…`, `f</tool_call>`.
attempt machine::open_named(std::size_t p, strength s) {
    const view w = rest();
    std::size_t size = 0;
    bool parted = false;
    std::string id;
    view name;
    for (;;) {
        for (;;) {
            const attempt a = at_any(w, p, name_openers, size);
            if (a == attempt::wait) { return a; }
            if (a == attempt::no) { break; }
            p += size;
        }
        std::size_t q = p;
        while (q < w.size() && q - p < header_bytes && view("<[{(\n`").find(w[q]) == view::npos) { ++q; }
        if (q == w.size()) {
            if (!last_) { return attempt::wait; }
            if (w.size() - p >= header_bytes || trimmed(w.substr(p)).find_first_of(" \n") != view::npos) {
                return attempt::no;
            }
            consume(w.size()); // cut inside a name
            return attempt::taken;
        }
        name = trimmed(w.substr(p, q - p));
        if (name.empty() || name.size() > 128) { return attempt::no; }
        if (name.find(' ') != view::npos && tools_.meant(name) == tool_names::none) { return attempt::no; }
        if (w[q] == '(') { return open_python(p, s); }
        p = q;
        bool again = false;
        for (;;) { // separators and an id
            const std::size_t b = skip_blanks(w, p);
            if (b == w.size() && !last_) { return attempt::wait; }
            const attempt call_id = at(w, b, "[CALL_ID]");
            if (call_id == attempt::wait) { return call_id; }
            if (call_id == attempt::taken) {
                const std::size_t end =
                    std::min(find_near(w, "[", b + 9, header_bytes), find_near(w, "{", b + 9, header_bytes));
                if (end == view::npos) {
                    return last_ || w.size() - b > header_bytes ? attempt::no : attempt::wait;
                }
                id = trimmed(w.substr(b + 9, end - b - 9));
                p = end;
                parted = true;
                continue;
            }
            const attempt a = at_any(w, b, separators, size);
            if (a == attempt::wait && b < w.size()) { return a; }
            if (a != attempt::taken) { break; }
            if (w.substr(b, size) == "<|tool_call_argument_begin|>") { id = name; }
            again = name == "function" && w.substr(b, size).find("sep") != view::npos;
            parted = true;
            p = b + size;
            if (again) { break; }
        }
        if (!again) { break; }
        // the kind of a call stood there; its tags or its name follow
        const std::size_t b = skip_blanks(w, p);
        for (const style_id style : sets_.styles) {
            if (style_of(style).call_name != name_place::attribute) { continue; }
            const attempt a = at_any(w, b, style_of(style).call_open, size);
            if (a == attempt::taken) { return open_tag(b, style, strength::strong); }
            if (a == attempt::wait) { return a; }
        }
        p = b;
    }
    const std::size_t b = skip_blanks(w, p);
    const view head = name;
    const std::size_t begin = offset(0);
    if (b == w.size()) { // what follows a whole name was cut off
        if (!last_) { return attempt::wait; }
        if (parted) {
            begin_call(head, id, begin);
            sink_.on_text({}, view::npos);
            end_call(call_ending::cut, offset(w.size()));
        }
        consume(w.size());
        return attempt::taken;
    }
    if (w[b] == '`') {
        const attempt fence = at(w, b, "```");
        const std::size_t line = find_near(w, "\n", b, header_bytes);
        if (fence != attempt::taken) { return fence; }
        if (line == view::npos) { return last_ || w.size() - b > header_bytes ? attempt::no : attempt::wait; }
        const std::size_t body = skip_blanks(w, line + 1);
        if (body == w.size()) { return last_ ? attempt::no : attempt::wait; }
        if (w[body] != '{') { return attempt::no; }
        fenced_ = true;
        begin_object(body, head, id);
        return attempt::taken;
    }
    if (w[b] == '{') {
        // `f {` in prose
        if (!parted && s == strength::weak) { return attempt::no; }
        const bool counter = is_counter(head) && tools_.meant(head) == tool_names::none;
        begin_object(b, head, id);
        counter_name_ = counter;
        probing_ = probing_ && !counter;
        return attempt::taken;
    }
    for (const style_id style : sets_.styles) {
        const tag_style& t = style_of(style);
        // tags of pairs; or the tag around the name was lost
        if (t.call_name != name_place::line &&
            (t.call_name != name_place::bare || tools_.meant(head) == tool_names::none)) {
            continue;
        }
        const attempt a = at_any(w, b, t.param_open, size);
        if (a == attempt::wait) { return a; }
        if (a != attempt::taken) { continue; }
        tag_ = {};
        tag_.style = &t;
        tag_.name = head;
        tag_.tool = tools_.meant(head);
        begin_call(head, id, begin);
        consume(b);
        state_ = state::tags;
        return attempt::taken;
    }
    const attempt closer = at_closer(w, b, size);
    if (closer == attempt::wait) { return closer; }
    if (closer == attempt::taken) { // no arguments
        begin_call(head, id, begin);
        sink_.on_text({}, view::npos);
        consume(b + size);
        end_call(call_ending::closed, offset(0));
        leave_body();
        return attempt::taken;
    }
    return attempt::no;
}

/// `call:f{…}` between markers.
attempt machine::open_delimited(std::size_t p) {
    const view w = rest();
    const std::size_t end = std::min(find_near(w, "{", p, header_bytes), find_near(w, "(", p, header_bytes));
    if (end == view::npos || end - p > header_bytes) {
        if (!last_) { return w.size() - p > header_bytes ? attempt::no : attempt::wait; }
        consume(w.size());
        return attempt::taken;
    }
    string_mark_ = row_ == nullptr ? (w.starts_with("<start_function_call>") ? "<escape>" : "<|\"|>")
                   : row_->info.name == "functiongemma" ? "<escape>"
                                                        : "<|\"|>";
    consume(p);
    start_watch(string_mark_);
    state_ = state::python;
    return attempt::taken;
}

/// `[f(…), g(…)]`, `f(…)`.
attempt machine::open_python(std::size_t p, strength s) {
    const view w = rest();
    bracketed_ = w[p] == '[';
    std::size_t q = skip_blanks(w, p + (bracketed_ ? 1 : 0));
    const std::size_t name = q;
    while (q < w.size() && (is_name_byte(w[q]) || view(".-:@/").find(w[q]) != view::npos) && q - name < 128) {
        ++q;
    }
    if (q == w.size()) { return last_ ? attempt::no : attempt::wait; }
    if (w[q] != '(' || q == name) { return attempt::no; }
    if (w.substr(name, q - name) == "print" && s == strength::strong) {
        strength_ = s;
        string_mark_ = {};
        printed_ = true;
        consume(q + 1);
        start_watch({});
        state_ = state::python;
        return attempt::taken;
    }
    if (s == strength::weak && tools_.find(w.substr(name, q - name)) == tool_names::none) {
        return attempt::no;
    }
    strength_ = s;
    string_mark_ = {};
    printed_ = false;
    consume(name);
    start_watch({});
    state_ = state::python;
    return attempt::taken;
}

/// `<tool_name>f</tool_name><arguments>{…}</arguments>`
attempt machine::open_children(std::size_t p) {
    const view w = rest();
    std::string name;
    for (int children = 0; children < 4; ++children) {
        p = skip_blanks(w, p);
        const std::size_t end = find_near(w, ">", p, header_bytes);
        if (p == w.size() || end == view::npos) {
            return last_ || w.size() - p > header_bytes ? attempt::no : attempt::wait;
        }
        const view tag = w.substr(p, end + 1 - p);
        if (tag == "<arguments>" || tag == "<args>" || tag == "<parameters>") {
            if (name.empty()) { return attempt::no; }
            const std::size_t body = skip_blanks(w, end + 1);
            if (body == w.size() && !last_) { return attempt::wait; }
            if (body < w.size() && w[body] == '{') {
                begin_object(body, name, {});
                return attempt::taken;
            }
            begin_call(name, {}, opener_);
            text_closer_ = tag == "<args>"        ? "</args>"
                           : tag == "<arguments>" ? "</arguments>"
                                                  : "</parameters>";
            consume(end + 1);
            state_ = state::loose;
            return attempt::taken;
        }
        if (tag.size() > header_bytes ||
            (tag != "<server_name>" && tag != "<tool_name>" && tag != "<name>")) {
            return attempt::no;
        }
        const std::size_t close = find_near(w, "</", end, header_bytes);
        const std::size_t behind = close == view::npos ? close : find_near(w, ">", close, header_bytes);
        if (behind == view::npos) {
            return last_ || w.size() - end > header_bytes ? attempt::no : attempt::wait;
        }
        if (tag != "<server_name>") { name = trimmed(w.substr(end + 1, close - end - 1)); }
        p = behind + 1;
    }
    return attempt::no;
}

// ---- weak openers

/// A fence in which nothing but a call stands.
attempt machine::open_fence() {
    const view w = rest();
    const std::size_t line = find_near(w, "\n", 0, 64);
    if (line == view::npos) { return last_ || w.size() > 64 ? attempt::no : attempt::wait; }
    const view language = trimmed(w.substr(3, line - 3));
    if (!blank_line_) { return attempt::no; }
    for (const view known : {"", "json", "tool_call", "tool_code", "python", "xml", "json5", "tool"}) {
        if (language != known) { continue; }
        const std::size_t p = skip_blanks(w, line);
        if (p == w.size()) { return last_ ? attempt::no : attempt::wait; }
        fenced_ = true;
        if (is_name_byte(w[p])) { return open_python(p, strength::weak); }
        if (w[p] != '{' && w[p] != '[') { return attempt::no; }
        return open_list(p, strength::weak);
    }
    return attempt::no;
}

/// A call in bare JSON: only if a key that calls have comes first, and not in back-ticks.
attempt machine::open_weak_json() {
    if (before_ == '`') { return attempt::no; }
    const view w = rest();
    if (w[0] == '[') {
        const std::size_t q = skip_blanks(w, 1);
        if (q == w.size()) { return last_ || q > header_bytes ? attempt::no : attempt::wait; }
        if (is_name_byte(w[q])) { return open_python(0, strength::weak); }
        if (w[q] != '{') { return attempt::no; }
        const attempt a = sniff_object(q);
        return a == attempt::taken ? open_list(0, strength::weak) : a;
    }
    const attempt a = sniff_object(0);
    return a == attempt::taken ? open_list(0, strength::weak) : a;
}

/// Does an object begin as a call does? `{"name": "f"` of a declared tool, `{"arguments":`, `{"tool_call": {`
attempt machine::sniff_object(std::size_t p) const {
    const view w = rest();
    for (int steps = 0; steps < 12; ++steps) {
        p = skip_blanks(w, p + 1); // behind a brace or a comma
        if (p >= w.size()) { break; }
        const char q = w[p] == '"' || w[p] == '\'' ? w[p] : '\0';
        std::size_t end = q != 0 ? find_near(w, view(&q, 1), p + 1, header_bytes) : p;
        while (q == 0 && end < w.size() && end - p < header_bytes && is_name_byte(w[end])) { ++end; }
        if (end >= w.size()) { break; }
        const view key = w.substr(p + (q != 0), end - p - (q != 0));
        p = skip_blanks(w, end + (q != 0));
        if (p >= w.size()) { break; }
        if (w[p] != ':') { return attempt::no; }
        p = skip_blanks(w, p + 1);
        if (p >= w.size()) { break; }
        switch (key_of(key)) {
        case envelope_key::arguments: return attempt::taken;
        case envelope_key::name:
        case envelope_key::either:
        case envelope_key::list: {
            if (w[p] == '{') { continue; }
            if (w[p] == '[') {
                p = skip_blanks(w, p + 1);
                if (p < w.size() && w[p] == ']') { return attempt::no; }
                if (p < w.size() && w[p] != '{') { return attempt::no; }
                continue;
            }
            if (w[p] != '"' && w[p] != '\'') { return attempt::no; }
            const std::size_t close = find_near(w, w.substr(p, 1), p + 1, 256);
            if (close == view::npos) { return last_ || w.size() - p > 256 ? attempt::no : attempt::wait; }
            return may_name(w.substr(p + 1, close - p - 1)) ? attempt::taken : attempt::no;
        }
        case envelope_key::aside: { // a scalar: on to the next key
            const std::size_t close =
                w[p] == '"' || w[p] == '\'' ? find_near(w, w.substr(p, 1), p + 1, 256) : p;
            const std::size_t behind =
                close == view::npos ? close : w.substr(close, 256).find_first_of(",}{[");
            const std::size_t comma = behind == view::npos ? behind : close + behind;
            if (comma == view::npos) { return last_ || w.size() - p > 256 ? attempt::no : attempt::wait; }
            if (w[comma] != ',') { return attempt::no; }
            p = comma;
            continue;
        }
        case envelope_key::other:
            // a tool's name as the key
            return w[p] == '{' && tools_.find(key) != tool_names::none ? attempt::taken : attempt::no;
        }
    }
    return last_ || w.size() > header_bytes ? attempt::no : attempt::wait;
}

/// A name that a call without markers may have.
bool machine::may_name(view name) const {
    if (name == "multi_tool_use.parallel") { return true; }
    if (tools_.meant(name) != tool_names::none) { return true; }
    return name.size() > 1 && name.front() == '@' && (row_ == nullptr || row_->info.name == "chatcli") &&
           is_name_byte(name[1]);
}

/// `f(…)` at the beginning of a line.
attempt machine::open_weak_name(std::size_t size) {
    const view w = rest();
    (void)size;
    if (before_ == '`' || (!blank_line_ && before_ != ';' && before_ != '\n')) { return attempt::no; }
    (void)w;
    return open_python(0, strength::weak);
}

/// `<f>` with a declared parameter inside, or nothing.
attempt machine::open_weak_element(std::size_t size) {
    if (before_ == '`') { return attempt::no; }
    const view w = rest();
    const view name = w.substr(1, size - 2);
    const std::size_t p = skip_blanks(w, size);
    if (p == w.size()) { return last_ ? attempt::no : attempt::wait; }
    tag_track t;
    t.style = &style_of(style_id::elements);
    t.name = name;
    t.tool = tools_.find(name);
    tag_ = t;
    std::string key;
    type_hint hint{};
    std::size_t n = 0;
    const attempt close = call_close_at(w, p, n);
    const attempt param = close == attempt::taken ? close : param_at(w, p, key, hint, n);
    if (close == attempt::wait || param == attempt::wait) { return attempt::wait; }
    if (param != attempt::taken) { return attempt::no; }
    begin_call(name, {}, offset(0));
    consume(size);
    state_ = state::tags;
    return attempt::taken;
}

} // namespace jsonheal::dialect::detail
