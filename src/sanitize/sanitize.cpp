// The pass over JSON-like text: objects, arrays, keys, and the text around them.

#include "sanitizer.hpp"

#include <jsonheal/scan.hpp>

#include <algorithm>

namespace jsonheal::sanitize_detail {

namespace {

constexpr std::size_t none = std::string_view::npos;

std::size_t skip_byte_order_mark(std::string_view text) noexcept {
    return text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
}

} // namespace

sanitizer::sanitizer(std::string_view text, const sanitize_options& options)
    : text_(text),
      options_(options),
      out_(text, options),
      lex_(text, string_rule::code, options.limits.depth),
      single_(text) {}

rewritten sanitizer::run() {
    if (text_.size() > options_.limits.bytes) {
        out_.refuse("the text is longer than the limit of bytes", 0);
    } else {
        read_root();
    }
    while (p_ < text_.size() && !out_.refused()) {
        if (frames_.empty()) {
            step_outside();
        } else {
            step_inside();
        }
        if (lex_.too_deep()) { out_.refuse("the text is nested deeper than the limit", p_); }
    }
    return out_.finish(cut());
}

cut_place sanitizer::cut() const {
    if (cut_ != cut_place::none || frames_.empty()) { return cut_; }
    const frame& last = frames_.back();
    if (last.implicit && last.at == place::after) { return cut_place::none; }
    switch (last.at) {
    case place::key: return last.has_member ? cut_place::between : cut_place::closers;
    case place::colon: return cut_place::in_key;
    case place::value: return last.kind == surroundings::object ? cut_place::after_colon : cut_place::between;
    case place::after: break;
    }
    return cut_place::closers;
}

// ---- outside objects and arrays

/// The first token may be the whole text: a string, an expression, or a member of an object that lost its braces.
void sanitizer::read_root() {
    p_ = lex_.skip_gap(skip_byte_order_mark(text_));
    if (at(p_) == '"' || at(p_) == '\'') {
        const std::size_t begin = p_;
        const std::size_t end = skip_strings(false);
        const std::size_t next = lex_.skip_gap(end);
        if (at(next) == ':') {
            frames_.push_back({out_.mark_at(begin), surroundings::object, place::key, 0, true, false});
        } else if (next >= text_.size() && (at(p_) == '"' || text_.find('{', p_) == none)) {
            p_ = skip_strings(true);
        }
        return;
    }
    if (!is_root_expression()) { return; }
    const expression found = scan_expression(lex_, text_, p_, surroundings::root);
    put_value(found);
    p_ = found.stop;
}

/// `function (`, `function* name(` at `i`.
bool sanitizer::begins_function(std::size_t i) const {
    if (word_at(i) == "async") { i = lex_.skip_gap(i + 5); }
    if (word_at(i) != "function") { return false; }
    i = lex_.skip_gap(i + 8);
    if (at(i) == '*') { i = lex_.skip_gap(i + 1); }
    return at(lex_.skip_gap(skip_word(text_, i))) == '(';
}

/// `x =>`, `(a, b) =>`, `async x =>` at `i`.
bool sanitizer::begins_arrow(std::size_t i) {
    if (word_at(i) == "async") {
        const std::size_t next = lex_.skip_gap(i + 5);
        if (is_word(at(next)) || at(next) == '(') { i = next; }
    }
    std::size_t end = skip_word(text_, i);
    if (at(i) == '(') {
        lex_.start(i);
        do { end = lex_.next().end; } while (lex_.depth() > 0 && end < text_.size());
        lex_.start(end);
    }
    const std::size_t next = lex_.skip_gap(end);
    return end > i && at(next) == '=' && at(next + 1) == '>';
}

bool sanitizer::is_root_expression() {
    const std::string_view word = word_at(p_);
    const std::size_t next = lex_.skip_gap(p_ + word.size());
    if (word == "undefined" || word == "NaN" || word == "Infinity") { return next >= text_.size(); }
    if (word == "new") {
        const std::size_t end = skip_word(text_, next);
        return end > next && (at(end) == '(' || at(end) == '.');
    }
    if (word == "class") {
        const std::size_t after_name = lex_.skip_gap(skip_word(text_, next));
        return at(after_name) == '{' || word_at(after_name) == "extends";
    }
    if (at(p_) == '/') {
        lex_.start(p_);
        const lexeme first = lex_.next();
        return first.kind == token::regex && lex_.skip_gap(first.end) >= text_.size();
    }
    if (begins_function(p_) || begins_arrow(p_)) { return true; }
    if (at(p_) != '(') { return false; }
    const std::size_t inner = lex_.skip_gap(p_ + 1); // (function () { … })()
    return begins_function(inner) || begins_arrow(inner);
}

/// Runs through prose to the next bracket that may be JSON's.
void sanitizer::step_outside() {
    const char* const base = text_.data();
    p_ = static_cast<std::size_t>(scan::find_prose_stop(base + p_, base + text_.size()) - base);
    if (at(p_) == '{' && opens_object(p_)) { return open(surroundings::object); }
    if (at(p_) == '[' && opens_array(p_)) { return open(surroundings::array); }
    p_ = std::min(p_ + 1, text_.size());
}

/// In prose and code a brace opens an object only if a member begins in it.
bool sanitizer::opens_object(std::size_t i) const {
    i = lex_.skip_gap(i + 1);
    const char c = at(i);
    if (i >= text_.size() || c == '}' || c == '{' || text_.substr(i, 3) == "...") { return true; }
    if (begins_member(lex_, text_, i)) { return true; }
    const std::size_t end = c == '"'    ? string_end(i)
                            : c == '\'' ? near_string_end(text_, i)
                                        : skip_word(text_, i);
    if (end == none || end == i) { return false; }
    const std::size_t next = lex_.skip_gap(end);
    // A key longer than any look; one that the end of the text cut; {a, b: 1}
    return (c == '"' && at(next) == ':') || next >= text_.size() || (begins_name(c) && at(next) == ',');
}

bool sanitizer::opens_array(std::size_t i) const {
    const char c = at(lex_.skip_gap(i + 1));
    if (c == '{' || c == '[' || c == '"' || c == '\'') { return true; }
    // [link](address) and [INFO] are prose
    const std::size_t last = text_.find_last_not_of(" \t\r\n;");
    return lex_.skip_gap(skip_byte_order_mark(text_)) == i &&
           (text_[last] == ']' || text_.find(']', i) == none);
}

// ---- brackets and separators

void sanitizer::open(surroundings kind) {
    if (frames_.size() >= options_.limits.depth) {
        return out_.refuse("the text is nested deeper than the limit", p_);
    }
    const bool object = kind == surroundings::object;
    frames_.push_back({out_.mark_at(p_), kind, object ? place::key : place::value, 0, false, false});
    arrays_ += object ? 0U : 1U;
    ++p_;
}

/// A closer also closes what was left open inside its bracket; one that closes nothing stays where it is.
void sanitizer::close(char closer) {
    const surroundings kind = closer == '}' ? surroundings::object : surroundings::array;
    const std::size_t count = kind == surroundings::array ? arrays_ : frames_.size() - arrays_;
    if (count == 0) {
        ++p_;
        return;
    }
    while (top().kind != kind) {
        arrays_ -= top().kind == surroundings::array ? 1U : 0U;
        frames_.pop_back();
    }
    ++p_;
    close_frame();
}

/// An array on which a method is called was no array but the begin of an expression: `[1, 2].map(f)`.
void sanitizer::close_frame() {
    constexpr std::uint8_t most_undone = 4; // every byte is read again at most this often
    frame closed = top();
    arrays_ -= closed.kind == surroundings::array ? 1U : 0U;
    frames_.pop_back();
    if (frames_.empty()) { return; }
    const bool undo =
        closed.kind == surroundings::array && closed.undone < most_undone && operator_follows(p_);
    closed.undone = static_cast<std::uint8_t>(closed.undone + (undo ? 1 : 0));
    top().undone = std::max(top().undone, closed.undone);
    if (!undo) { return value_done(p_); }
    out_.go_back(closed.before);
    p_ = closed.before.position;
    read_expression();
}

/// One token inside an object or array.
void sanitizer::step_inside() {
    p_ = lex_.skip_gap(p_);
    const char c = at(p_);
    if (p_ >= text_.size()) { return; }
    if (c == '}' || c == ']') { return close(c); }
    if (c == ',' || (c == ';' && top().at == place::after)) {
        top().at = top().kind == surroundings::object ? place::key : place::value;
        ++p_;
        return;
    }
    switch (top().at) {
    case place::key: return read_key();
    case place::colon: return read_colon();
    case place::value: return read_value();
    case place::after: return read_after();
    }
}

// ---- keys

void sanitizer::read_key() {
    const char c = at(p_);
    if (c == '{') { return open(surroundings::object); }
    if (text_.substr(p_, 3) == "...") { return read_spread(); }
    if (is_word(c) || c == '*' || c == '[' || c == '"' || c == '\'') {
        const method_head head = find_method(lex_, text_, p_);
        if (head.parameters != 0) { return read_method(head); }
    }
    if (c == '"' || c == '\'') { return read_quoted_key(); }
    if (c == '[') {
        if (!read_computed_key()) { open(surroundings::array); }
        return;
    }
    if (is_word(c) && read_name()) { return; }
    if (c == ':') { return read_colon(); }
    p_ = skip_one(p_);
    if (is_word(c)) { top().at = place::colon; }
}

void sanitizer::read_quoted_key() {
    top().at = place::colon;
    if (at(p_) == '\'') {
        const quoted_run run = single_.find(p_);
        put_string(out_, text_, run);
        p_ = run.end();
        if (run.cut) { cut_ = cut_place::in_key; }
        return;
    }
    const std::size_t begin = p_;
    p_ = string_end(p_);
    if (p_ < begin + 2 || text_[p_ - 1] != '"') { cut_ = cut_place::in_key; }
}

void sanitizer::read_colon() {
    const char c = at(p_);
    if (c == ':' || c == '=') {
        top().at = place::value;
        top().has_member = true;
        p_ += c == '=' && at(p_ + 1) == '>' ? 2U : 1U;
    } else if (c == '"' || c == '\'') {
        read_quoted_key();
    } else if (c == '{' || c == '[') {
        top().at = place::value;
    } else {
        p_ = skip_one(p_);
    }
}

/// `[k]: 1` → `"[k]": 1`.
bool sanitizer::read_computed_key() {
    const std::size_t end = near_close(text_, p_);
    if (end == none || at(lex_.skip_gap(end)) != ':') { return false; }
    out_.put(p_, p_, "\"", rule::key_unquoted);
    escape_content(out_, text_, p_, end, content::source);
    out_.put(end, end, "\"", rule::key_unquoted);
    p_ = end;
    top().at = place::colon;
    return true;
}

/// `load(url) { … }` → `load: "load(url) { … }"`.
void sanitizer::read_method(const method_head& head) {
    const std::string_view name = text_.substr(head.name_begin, head.name_end - head.name_begin);
    std::string key;
    if (is_word(name.front())) {
        key = name;
    } else {
        const bool quoted = name.front() != '[';
        append_source(key.append("\""), quoted ? name.substr(1, name.size() - 2) : name);
        key.push_back('"');
    }
    lex_.start(head.parameters);
    std::size_t end = 0;
    for (bool body = false; !body || lex_.depth() > 0;) {
        const lexeme l = lex_.next();
        end = l.end;
        if (l.kind == token::end) { break; }
        body = body || (lex_.depth() > 0 && lex_.open_brackets().front() == bracket::block);
    }
    const bool is_cut = end == text_.size() && lex_.depth() > 0;
    out_.put(p_, p_, key + ": \"", rule::value_unquoted);
    escape_content(out_, text_, p_, end, content::source);
    out_.put(end, end, "\"", is_cut ? rule::cut_string : rule::value_unquoted);
    if (is_cut) { cut_ = cut_place::in_string; }
    lex_.start(end);
    top().has_member = true;
    value_done(end);
}

/// `...base` → `"...base": "base"`.
void sanitizer::read_spread() {
    std::size_t begin = p_;
    while (at(begin) == '.') { ++begin; }
    if (!is_word(at(begin)) && class_of(at(begin)) != byte_class::opener) { // an ellipsis
        p_ = begin;
        return;
    }
    const expression found = scan_expression(lex_, text_, begin, surroundings::object);
    std::string key = "\"...";
    append_source(key, text_.substr(begin, found.end - begin));
    out_.put(p_, begin, key + "\": \"", rule::value_unquoted);
    escape_content(out_, text_, begin, found.end, content::source);
    out_.put(found.end, found.end, "\"", found.cut ? rule::cut_string : rule::value_unquoted);
    if (found.cut) { cut_ = cut_place::in_string; }
    lex_.start(found.stop);
    top().has_member = true;
    value_done(found.stop);
}

/// Is the name that ends there a member of its own, as in `{a, b, c: 1}`? Only where the object has others: `{a}` and
/// `{not json}` are prose.
bool sanitizer::is_shorthand(std::size_t name_end) {
    std::size_t i = lex_.skip_gap(name_end);
    if (at(i) != ',' && at(i) != '}') { return false; }
    if (p_ < names_until_) { return are_members_; }
    while (at(i) == ',') {
        const std::size_t next = lex_.skip_gap(i + 1);
        if (!begins_name(at(next)) || begins_member(lex_, text_, next)) {
            are_members_ = member_follows(lex_, text_, next) && at(next) != '}' && next < text_.size();
            break;
        }
        i = lex_.skip_gap(skip_word(text_, next));
        are_members_ = false;
    }
    names_until_ = std::max(i, p_ + 1);
    are_members_ = are_members_ || top().has_member;
    return are_members_;
}

/// A name on its own gets its value: `a` → `a: "a"`. False if it is a key.
bool sanitizer::read_name() {
    const std::size_t end = skip_word(text_, p_);
    if (!begins_name(at(p_)) || !is_shorthand(end)) { return false; }
    out_.put(end, end, ": \"" + std::string(text_.substr(p_, end - p_)) + "\"", rule::value_unquoted);
    top().has_member = true;
    value_done(end);
    return true;
}

/// Behind a value without a comma: the next member, or the rest of what only looked like a string.
void sanitizer::read_after() {
    const char c = at(p_);
    const bool array = top().kind == surroundings::array;
    if (c == '"' || c == '\'') {
        if (array) {
            top().at = place::value;
        } else if (begins_member(lex_, text_, p_)) {
            top().at = place::key;
        } else {
            p_ = c == '"' ? skip_strings(false) : p_ + 1;
        }
        return;
    }
    if (array && (c == '{' || c == '[')) {
        return open(c == '{' ? surroundings::object : surroundings::array);
    }
    if (!is_word(c)) {
        p_ = skip_one(p_);
        return;
    }
    const std::size_t line = text_.find_last_not_of(" \t\r", p_ - 1);
    if (!array && line != none && text_[line] == '\n' && begins_member(lex_, text_, p_)) {
        top().at = place::key;
    } else {
        p_ = skip_word(text_, p_);
    }
}

} // namespace jsonheal::sanitize_detail

namespace jsonheal {

rewritten sanitize(std::string_view text, const sanitize_options& options) {
    return sanitize_detail::sanitizer(text, options).run();
}

} // namespace jsonheal
