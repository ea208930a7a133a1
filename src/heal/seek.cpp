// The document level: prose, fences, tags and comments around the value. begin.cpp says where a value begins, root.cpp
// what becomes of it.

#include "engine.hpp"
#include "lower_case.hpp"
#include "plain.hpp"

#include <algorithm>
#include <string_view>

namespace jsonheal::heal_detail {

namespace {

constexpr std::string_view reasoning_tags[] = {"think",      "thinking",  "thought",
                                               "thoughts",   "reasoning", "reflection",
                                               "scratchpad", "analysis",  "rationale"};
// Fences of these languages hold the value itself; of any other, code that may show some JSON.
constexpr std::string_view value_fences[] = {"",           "json", "json5",  "jsonc",     "jsonl",
                                             "ndjson",     "text", "txt",    "plain",     "plaintext",
                                             "javascript", "js",   "output", "tool_call", "tool_code"};

constexpr std::size_t tag_reach = 96;
constexpr std::size_t longest_fence = 4096; // backticks in a row

/// May this byte, first on a line of prose, begin a value, a fence, a tag, a comment or a bullet?
constexpr bool begins_line(unsigned char c) noexcept {
    return is_digit(c) || c >= 0x80 ||
           std::string_view("{[(`</\"-*").find(static_cast<char>(c)) != std::string_view::npos;
}

} // namespace

void engine::pass_over(std::size_t to, rule why) {
    drop(p_, to, why);
    p_ = to;
}

/// Does the text begin as UTF-16 and UTF-32 do: a byte order mark, or a zero beside each of two characters?
bool engine::wide_units() {
    const int a = byte(0), b = at(1);
    if ((a == 0xFF && b == 0xFE) || (a == 0xFE && b == 0xFF)) { return true; }
    if ((a == 0) == (b == 0)) { return false; }
    return (at(2) == 0) == (a == 0) && at(2) >= 0 && (at(3) == 0) == (b == 0) && at(3) >= 0;
}

bool engine::step_seek() {
    if (prose_run_ && p_ < end_) {
        skip_prose(true);
        return true;
    }
    while (p_ < end_ && is_blank(byte(p_))) {
        if (byte(p_) == '\n') { line_text_ = false; }
        ++p_;
    }
    if (p_ >= end_) {
        starved_ = !final_;
        return false;
    }
    const int c = byte(p_);
    if (p_ == 0 && wide_units()) {
        refuse("the text is UTF-16 or UTF-32; only UTF-8 is read", 0);
        return true;
    }
    if (starved_) { return false; }
    if (c >= 0x80) { return seek_sign(); }
    if (start_) {
        if (seek_start(c)) { return true; }
        if (starved_) { return false; }
    }
    if (!line_text_ && !found_.empty() && (c == '-' || c == '*' || is_digit(c))) {
        // - {"a":1}: a bullet parts nothing
        std::size_t j = p_;
        while (j < p_ + tag_reach && is_digit(at(j))) { ++j; }
        const bool mark = j == p_ || at(j) == '.' || at(j) == ')';
        ++j;
        const bool bullet = mark && at(j) == ' ' && (at(j + 1) == '{' || at(j + 1) == '[');
        if (starved_) { return false; }
        if (bullet) {
            pass_over(j + 1, rule::prose);
            return true;
        }
    }
    if (c == '[' && bracket_tag()) { return true; }
    if (starved_) { return false; }
    if (c == '"' && !line_text_ && !start_) {
        if (seek_member()) { return true; }
        if (starved_) { return false; }
    }
    switch (c) {
    case '{':
    case '[':
    case '(': return seek_candidate(c);
    case '`': return seek_backticks();
    case '<': return seek_tag();
    case '/':
        if (!line_text_ && (at(p_ + 1) == '/' || at(p_ + 1) == '*')) { return skip_comment(); }
        if (starved_) { return false; }
        break;
    case '}':
    case ']':
        if (!found_.empty() && !prose_seen_) {
            do {
                pass_over(p_ + 1, rule::closer_surplus);
            } while (!refused_ && p_ < end_ && (byte(p_) == '}' || byte(p_) == ']'));
            return true;
        }
        break;
    case ',':
    case ';':
        if (!found_.empty() && !prose_seen_) {
            // members behind the value: what was taken may be a part of what was meant
            look l(*this, p_);
            const std::size_t next = l.skip(p_ + 1).position;
            const bool members =
                !found_.back().scalar && (l.bare_key(next) == key_shape::colon ||
                                          (l.at(next) == '"' && l.quoted_key(next) == key_shape::colon));
            if (starved_) { return false; }
            pass_over(p_ + 1, members && !l.past ? rule::stray_word : rule::comma_surplus);
            return true;
        }
        break;
    default: break;
    }
    skip_prose();
    return true;
}

/// Text that is no JSON, up to the next byte that may begin something.
void engine::skip_prose(bool more) {
    std::size_t j = more ? p_ : p_ + 1;
    prose_run_ = false;
    // what is glued to a value and looks like more of it may be content: never dropped without a word
    const bool glued = more ? prose_rule_ == rule::stray_word
                            : !found_.empty() && found_.back().end == p_ && !found_.back().scalar &&
                                  (byte(p_) == '"' || byte(p_) == '\'' || byte(p_) == ':') &&
                                  found_.back().before != byte(p_); // the answer is "{…}".
    prose_rule_ = glued ? rule::stray_word : rule::prose;
    line_text_ = true;
    start_ = false;
    prose_seen_ = true;
    const char* const s = data_ - base_; // s[i] is byte i
    for (; j < end_; ++j) {
        j = static_cast<std::size_t>(kernel_.find_prose_stop(s + j, s + end_) - s);
        if (j >= end_ || byte(j) != '\n') { break; }
        if (glued) { break; } // its line alone is in doubt
        // a new line of prose goes on, unless it begins with a comment
        line_text_ = false;
        std::size_t k = j + 1;
        while (k < end_ && is_blank(byte(k))) { ++k; }
        if (k >= end_) { break; }
        const unsigned char d = byte(k);
        if (begins_line(d)) { break; }
        line_text_ = true;
        j = k;
    }
    prose_run_ = j >= end_;
    pass_over(j, prose_rule_);
}

/// A character outside ASCII at the document level.
bool engine::seek_sign() {
    const unsigned length = std::max(1u, unicode::sequence_length(byte(p_)));
    if (p_ + length > end_ && !final_) {
        starved_ = true;
        return false;
    }
    const unicode::decoded d = unicode::decode(view(p_, std::min(end_, p_ + length)));
    const unicode::sign s = d.size != 0 ? unicode::sign_of(d.code) : unicode::sign::none;
    if (s == unicode::sign::byte_order_mark) {
        pass_over(p_ + d.size, rule::byte_order_mark);
        return true;
    }
    if (s == unicode::sign::blank) {
        pass_over(p_ + d.size, rule::blank_character);
        return true;
    }
    if (start_ && (s == unicode::sign::double_quote || s == unicode::sign::single_quote)) {
        if (seek_start(s == unicode::sign::double_quote ? '"' : '\'')) { return true; }
        if (starved_) { return false; }
    }
    skip_prose();
    return true;
}

/// Three backticks or more open or close a fence; fewer are inline code, that is prose.
bool engine::seek_backticks() {
    std::size_t j = p_;
    while (j < p_ + longest_fence && at(j) == '`') { ++j; }
    if (starved_) { return false; }
    const std::size_t size = j - p_;
    if (size < 3) {
        skip_prose();
        return true;
    }
    if (in_fence_) {
        in_fence_ = fence_foreign_ = false;
        pass_over(j, rule::fence);
        line_text_ = false;
        return true;
    }
    // the info string: ```json
    std::size_t k = j;
    const auto info = [](int c) {
        return is_letter(c) || is_digit(c) || c == '+' || c == '#' || c == '-' || c == '_' || c == '.';
    };
    while (k < j + tag_reach && info(at(k))) { ++k; }
    if (starved_) { return false; }
    const std::string_view language = view(j, k);
    in_fence_ = true;
    fence_foreign_ = !listed(value_fences, language);
    pass_over(k, rule::fence);
    start_ = true;
    line_text_ = false;
    return true;
}

/// A special token such as <|im_end|>, a tag, or just a less-than sign.
bool engine::seek_tag() {
    const int c = at(p_ + 1);
    if (starved_) { return false; }
    const bool closes = c == '/';
    std::size_t name = p_ + (closes || c == '|' ? 2 : 1);
    if (!(c == '|' || is_letter(at(name)))) {
        if (starved_) { return false; }
        skip_prose();
        return true;
    }
    std::size_t j = name;
    while (j < p_ + tag_reach && at(j) >= 0 && at(j) != '>' && at(j) != '\n' && at(j) != '<' &&
           at(j) != '{') {
        ++j;
    }
    const bool complete = at(j) == '>';
    if (starved_) { return false; }
    if (!complete) {
        skip_prose();
        return true;
    }
    std::size_t end = name;
    while (end < j && (is_name(byte(end)) || byte(end) == '-' || byte(end) == ':')) { ++end; }
    const std::string_view word = view(name, end);
    std::string_view tag = word;
    if (const std::size_t colon = tag.find(':'); colon != std::string_view::npos) {
        tag.remove_prefix(colon + 1);
    } // <seed:think>
    const bool token = c == '|';
    const bool begins = token && same_word(tag, "begin_of_thought"),
               ends = token && same_word(tag, "end_of_thought");
    const bool reasoning = listed(reasoning_tags, tag) || begins || ends;
    if (reasoning && (closes || ends)) {
        if (reasoning_ != 0) {
            --reasoning_;
        } else {
            // the opening tag was in the prompt: all so far was reasoning
            for (found_value& v : found_) { v.reasoning = true; }
        }
    } else if (reasoning) {
        ++reasoning_;
    }
    pass_over(j + 1, reasoning ? rule::reasoning : rule::special_token);
    start_ = true;
    line_text_ = false;
    return true;
}

/// [THINK] and [/THINK], and the closing tags of models, which are written large: [/TOOL_CALLS]
bool engine::bracket_tag() {
    look l(*this, p_);
    const bool closes = l.at(p_ + 1) == '/';
    const std::size_t name = p_ + (closes ? 2 : 1);
    std::size_t j = name;
    bool large = true;
    for (int c = l.at(j); (is_letter(c) || c == '_') && j < name + 24; c = l.at(++j)) {
        large = large && (c < 'a' || c > 'z');
    }
    if (l.at(j) != ']' || starved_) { return false; }
    if (!listed(reasoning_tags, view(name, j))) {
        if (!closes || !large || j < name + 3) { return false; }
        pass_over(j + 1, rule::special_token);
        return true;
    }
    if (!closes) {
        ++reasoning_;
    } else if (reasoning_ != 0) {
        --reasoning_;
    } else {
        for (found_value& v : found_) { v.reasoning = true; }
    }
    pass_over(j + 1, rule::reasoning);
    start_ = true;
    line_text_ = false;
    return true;
}

/// Does an object or array begin at p_, or is the bracket part of the prose?
bool engine::seek_candidate(int c) {
    const bool passes_over = only_passing() || (options_.preset == preset::live && reasoning_ != 0);
    if (c == '{' && !passes_over && plain_path(*this).opens_object(p_)) {
        begin_root(false, false);
        push(frame::object, 1);
        return true;
    }
    look l(*this, p_);
    bool citation = false;
    bool accept = c == '{' ? object_begins(l, p_ + 1) : array_begins(l, p_ + 1, c, citation);
    // past the bound the reading of strict JSON wins, where the text could still be that
    if (l.past && c != '(' && found_.empty() && !prose_seen_) { accept = true; }
    if (starved_) { return false; }
    if (passes_over || (options_.preset == preset::live && citation)) { accept = false; }
    if (!accept) {
        skip_prose();
        return true;
    }
    begin_root(false, citation);
    return begin_open(c);
}

} // namespace jsonheal::heal_detail
