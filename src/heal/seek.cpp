// The document level: prose, fences, tags and comments around the value, and where a value begins.

#include "engine.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace jsonheal::heal_detail {

namespace {

constexpr std::string_view reasoning_tags[] = {"think",      "thinking",   "thought",  "thoughts", "reasoning",
                                               "reflection", "scratchpad", "analysis", "rationale"};
// Fences of these languages hold the value itself; of any other, code that may show some JSON.
constexpr std::string_view value_fences[] = {"",      "json", "json5",      "jsonc",      "jsonl",    "ndjson", "text", "txt",
                                             "plain", "plaintext", "javascript", "js", "output", "tool_call", "tool_code"};

constexpr std::string_view labels[] = {"answer", "result", "results", "output", "json",  "response",
                                       "reply",  "example", "object", "array",  "input", "final"};

constexpr std::size_t tag_reach = 96;

/// Bytes of prose that need a look: what may begin a value, a fence, a tag, or a line.
constexpr std::array<bool, 256> make_stops() {
    std::array<bool, 256> stops{};
    for (const char c : {'{', '[', '(', '`', '<', '\n'}) { stops[static_cast<unsigned char>(c)] = true; }
    return stops;
}
constexpr auto stops = make_stops();

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool same(std::string_view word, std::string_view lower_case) noexcept {
    return std::equal(lower_case.begin(), lower_case.end(), word.begin(), word.end(), [](char a, char b) { return a == lower(b); });
}

template <std::size_t N>
bool listed(const std::string_view (&list)[N], std::string_view word) noexcept {
    return std::any_of(std::begin(list), std::end(list), [&](std::string_view w) {
        return std::equal(w.begin(), w.end(), word.begin(), word.end(), [](char a, char b) { return a == lower(b); });
    });
}

} // namespace

void engine::pass_over(std::size_t to, rule why) {
    drop(p_, to, why);
    p_ = to;
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
    if (c >= 0x80) { return seek_sign(); }
    if (start_) {
        if (seek_start(c)) { return true; }
        if (starved_) { return false; }
    }
    if (!line_text_ && !found_.empty() && (c == '-' || c == '*' || is_digit(c))) {
        // - {"a":1}: a bullet parts nothing
        std::size_t j = p_;
        while (is_digit(at(j))) { ++j; }
        if (j > p_ ? at(j) == '.' || at(j) == ')' : true) { ++j; }
        const bool bullet = at(j) == ' ' && (at(j + 1) == '{' || at(j + 1) == '[');
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
            pass_over(p_ + 1, rule::closer_surplus);
            return true;
        }
        break;
    case ',':
    case ';':
        if (!found_.empty() && !prose_seen_) {
            // members behind the value: what was taken may be a part of what was meant
            look l(*this, p_);
            const std::size_t next = l.skip(p_ + 1).position;
            const bool members = !found_.back().scalar && (l.bare_key(next) == key_shape::colon || (l.at(next) == '"' && l.quoted_key(next) == key_shape::colon));
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
                                  (byte(p_) == '"' || byte(p_) == '\'' || byte(p_) == ':') && !quoted_whole(p_);
    prose_rule_ = glued ? rule::stray_word : rule::prose;
    line_text_ = true;
    start_ = false;
    prose_seen_ = true;
    for (; j < end_; ++j) {
        const unsigned char c = byte(j);
        if (!stops[c]) { continue; }
        if (c != '\n') { break; }
        if (glued) { break; } // its line alone is in doubt
        // a new line of prose goes on, unless it begins with a comment
        line_text_ = false;
        std::size_t k = j + 1;
        while (k < end_ && is_blank(byte(k))) { ++k; }
        if (k >= end_) { break; }
        const unsigned char d = byte(k);
        if (stops[d] || d == '/' || d == '"' || d >= 0x80) { break; }
        line_text_ = true;
        j = k;
    }
    prose_run_ = j >= end_;
    pass_over(j, prose_rule_);
}

/// Does the quote at i close one that stood right before the value? `The answer is "{"a":1}".`
bool engine::quoted_whole(std::size_t i) const noexcept {
    const std::size_t begin = found_.back().begin;
    return begin > base_ && byte(begin - 1) == byte(i);
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
    while (at(j) == '`') { ++j; }
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
    const auto info = [](int c) { return is_letter(c) || is_digit(c) || c == '+' || c == '#' || c == '-' || c == '_' || c == '.'; };
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
    while (j < p_ + tag_reach && at(j) >= 0 && at(j) != '>' && at(j) != '\n' && at(j) != '<' && at(j) != '{') { ++j; }
    if (starved_) { return false; }
    if (at(j) != '>') {
        skip_prose();
        return true;
    }
    std::size_t end = name;
    while (end < j && (is_name(byte(end)) || byte(end) == '-' || byte(end) == ':')) { ++end; }
    const std::string_view word = view(name, end);
    std::string_view tag = word;
    if (const std::size_t colon = tag.find(':'); colon != std::string_view::npos) { tag.remove_prefix(colon + 1); } // <seed:think>
    const bool token = c == '|';
    const bool begins = token && same(tag, "begin_of_thought"), ends = token && same(tag, "end_of_thought");
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

/// [THINK] and [/THINK]
bool engine::bracket_tag() {
    look l(*this, p_);
    const bool closes = l.at(p_ + 1) == '/';
    const std::size_t name = p_ + (closes ? 2 : 1);
    std::size_t j = name;
    while (is_letter(l.at(j)) && j < name + 12) { ++j; }
    if (l.at(j) != ']' || starved_ || !listed(reasoning_tags, view(name, j))) { return false; }
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

/// At the very start of the text, of a fence or of a tag a value may be a string, a number or a literal, and an
/// object may have lost its opening brace.
bool engine::seek_start(int c) {
    if (only_passing() || (options_.preset == preset::live && reasoning_ != 0)) { return false; }
    look l(*this, p_);
    if (c == '"' || c == '\'') {
        std::size_t size = 1;
        l.sign_at(p_, size);
        const std::size_t close = l.quoted_end(p_, size, static_cast<char>(c));
        const bool whole = close != 0 && l.at(l.skip(close).position) < 0; // nothing but this string
        if (!whole && !l.past) {
            const key_shape shape = l.quoted_key(p_);
            if (starved_) { return false; }
            const bool value = shape == key_shape::no_colon && member_follows(l, close);
            // "10:30 is a string that was cut, "owner: null a key that lost its quote
            const bool lost = shape == key_shape::lost_close && (close != 0 || lost_key_alone(l));
            if (starved_) { return false; }
            if ((shape == key_shape::colon || lost || value) && !l.past) {
                begin_root(false, false);
                put(p_, p_, "{", rule::opener_missing);
                push(frame::object | frame::no_opener, 0);
                return true;
            }
        }
        if (starved_) { return false; }
        bool string = close == 0;
        if (!string) {
            string = l.past || l.after_root(l.skip(close)) >= fit::good;
            if (!string) {
                // "x {"k":1} y": one string if its last quote is the text's last character
                std::size_t j = close, last = close;
                for (int d = l.at(j); d >= 0; d = l.at(++j)) {
                    if (!is_blank(d)) { last = j; }
                }
                string = !l.past && l.at(last) == c;
            }
        }
        if (starved_ || !string) { return false; }
        begin_root(true, false);
        return open_string(role::root, c);
    }
    if (is_digit(c) || c == '-' || c == '+' || c == '.') {
        std::size_t j = p_;
        while (l.name_at(j) || l.at(j) == '.' || l.at(j) == '+' || l.at(j) == '-') { ++j; }
        const gap g = l.skip(j);
        const bool mark = l.at(g.position) == ';' || l.at(g.position) == ',';
        const bool alone = l.past || l.at(g.position) < 0 || (g.newline && !in_fence_) || l.ends_document(g.position) ||
                           (mark && l.at(l.skip(g.position + 1).position) < 0);
        if (starved_ || !alone || !number_like(view(p_, j))) { return false; }
        begin_root(true, false);
        return number_or_text();
    }
    if (is_name_start(c)) {
        std::size_t j = p_;
        while (l.name_at(j)) { ++j; }
        const gap g = l.skip(j);
        if (starved_) { return false; }
        if (l.value_starts(p_) || l.word_is(p_, "NaN") || l.word_is(p_, "undefined")) {
            const bool alone = l.at(g.position) < 0 || g.newline || l.ends_document(g.position) || l.at(g.position) == ';';
            if (!alone || starved_) { return false; }
            begin_root(true, false);
            if (literal(view(p_, j), j)) { return true; }
            found_.pop_back();
            in_root_ = false;
            mode_ = mode::seek;
            return false;
        }
        if (lost_root(l) && !starved_) {
            begin_root(false, false);
            put(p_, p_, "{", rule::opener_missing);
            push(frame::object | frame::no_opener, 0);
            return true;
        }
    }
    return false;
}

/// Is all that follows the quote at p_ a name, a colon, and a value that is no number?
bool engine::lost_key_alone(look& l) {
    std::size_t j = p_ + 1;
    if (!is_name_start(l.at(j))) { return false; }
    while (l.name_at(j)) { ++j; }
    const int c = l.at(l.skip(j + 1).position);
    return l.at(j) == ':' && !is_digit(c) && c != '-';
}

/// The end of the value that begins at v, if it is a string, a bracket that closes within reach, or a plain token; 0
/// if it is none of these.
std::size_t engine::simple_value_end(look& l, std::size_t v) {
    const int c = l.at(v);
    std::size_t size = 1;
    const char sign = l.sign_at(v, size);
    if (sign == '"' || sign == '\'' || sign == '`') { return l.quoted_end(v, size, sign); }
    if (c == '{' || c == '[') {
        std::size_t depth = 0;
        for (std::size_t k = v;; ++k) {
            const int d = l.at(k);
            if (d < 0) { return 0; }
            if (d == '"') {
                k = l.quoted_end(k, 1, '"');
                if (k == 0) { return 0; }
                --k;
            } else if (d == '{' || d == '[') {
                ++depth;
            } else if ((d == '}' || d == ']') && --depth == 0) {
                return k + 1;
            }
        }
    }
    if (!l.value_starts(v)) { return 0; }
    std::size_t end = v + 1;
    while (l.name_at(end) || l.at(end) == '.' || l.at(end) == '-' || l.at(end) == '+') { ++end; }
    return end;
}

/// `"a" 1, "b": 2` at the start of the text: does a member's end follow the value behind a key without colon?
bool engine::member_follows(look& l, std::size_t key_end) {
    const std::size_t v = l.skip(key_end).position;
    const std::size_t end = simple_value_end(l, v);
    if (end == 0) { return l.at(v) == '{' || l.at(v) == '['; }
    const gap g = l.skip(end);
    const int c = l.at(g.position);
    if (c == '}' || (c < 0 && !l.past)) { return true; }
    return c == ',' && l.quoted_key(l.skip(g.position + 1).position) == key_shape::colon;
}

/// `config: {a: 1}, …`: a name in lower case before a value whose keys are bare, too, is a key. `Result: {"a": 1}` and
/// the usual words for an answer are labels.
bool engine::member_not_label(look& l, std::size_t name_end, std::size_t v) {
    const std::string_view word = view(p_, name_end);
    if (word[0] < 'a' || word[0] > 'z' || listed(labels, word)) { return false; }
    std::size_t i = l.skip(v + 1).position;
    if (l.at(v) == '[' && l.at(i) == '{') { i = l.skip(i + 1).position; }
    const int inner = l.at(i);
    if (is_name_start(inner) && l.bare_key(i) == key_shape::colon) { return true; }
    if (l.at(v) != '[') { return false; }
    const std::size_t end = simple_value_end(l, v);
    return end != 0 && !l.past && l.at(l.skip(end).position) < 0;
}

/// Do a value and then a comma and another key follow a name in lower case?
bool engine::two_members(look& l, std::size_t name_end, std::size_t v) {
    const std::string_view word = view(p_, name_end);
    if (word[0] < 'a' || word[0] > 'z' || listed(labels, word)) { return false; }
    const std::size_t end = simple_value_end(l, v);
    if (end == 0 || l.past) { return false; }
    const gap g = l.skip(end);
    return l.at(g.position) == ',' && l.member_after_comma(l.skip(g.position + 1), 0, 0) >= fit::good && !l.past;
}

/// `id: 5, name: "x"}` at the start of the text: an object that lost its brace, if its first member is one and
/// another follows. A label (`Result: {…}`) and YAML are not.
bool engine::lost_root(look& l) {
    std::size_t j = p_;
    while (l.name_at(j) || l.at(j) == '-') { ++j; }
    const bool quote = l.at(j) == '"'; // id": 5
    bool other = false;
    if (!l.colon_at(quote ? j + 1 : j, other)) { return false; }
    const std::size_t v = l.skip(l.skip(quote ? j + 1 : j).position + 1).position;
    const int c = l.at(v);
    const std::size_t end = simple_value_end(l, v);
    // `Output = {` and `Result: {` are labels, `content": [` is not
    if (quote && !l.past && (end == 0 || l.at(l.skip(end).position) < 0)) { return l.value_starts(v); }
    if (!quote && (c == '{' || c == '[')) { return member_not_label(l, j, v) || two_members(l, j, v); }
    if (end == 0 || l.past) { return false; }
    const gap g = l.skip(end);
    if (l.at(g.position) == '}') { return true; }
    if (l.at(g.position) != ',') { return quote && g.newline; }
    const gap n = l.skip(g.position + 1);
    const int d = l.at(n.position);
    if (d == '"' || d == '\'') { return l.quoted_key(n.position) == key_shape::colon && !l.past; }
    return l.bare_key(n.position) == key_shape::colon;
}

/// A member alone at the start of a line, below prose: an object that lost its opening brace.
bool engine::seek_member() {
    if (only_passing() || (options_.preset == preset::live && reasoning_ != 0)) { return false; }
    look l(*this, p_);
    const std::size_t close = l.quoted_end(p_, 1, '"');
    bool other = false;
    if (close == 0 || l.past || !l.colon_at(close, other) || other) { return false; }
    const std::size_t v = l.skip(l.skip(close).position + 1).position;
    const int c = l.at(v);
    if (!(c == '{' || c == '[')) {
        const std::size_t end = simple_value_end(l, v);
        if (end == 0 || l.past) { return false; }
        const int d = l.at(l.skip(end).position);
        if (d != '}' && !(d == ',' && l.quoted_key(l.skip(l.skip(end).position + 1).position) == key_shape::colon)) { return false; }
    }
    if (l.past || starved_) { return false; }
    begin_root(false, false);
    put(p_, p_, "{", rule::opener_missing);
    push(frame::object | frame::no_opener, 0);
    return true;
}

/// Does an object or array begin at p_, or is the bracket part of the prose?
bool engine::seek_candidate(int c) {
    look l(*this, p_);
    bool citation = false;
    bool accept = c == '{' ? object_begins(l, p_ + 1) : array_begins(l, p_ + 1, c, citation);
    // past the bound the reading of strict JSON wins, where the text could still be that
    if (l.past && c != '(' && found_.empty() && !prose_seen_) { accept = true; }
    if (starved_) { return false; }
    if (only_passing() || (options_.preset == preset::live && (reasoning_ != 0 || citation))) { accept = false; }
    if (!accept) {
        skip_prose();
        return true;
    }
    begin_root(false, citation);
    return begin_open(c);
}

bool engine::object_begins(look& l, std::size_t i) {
    l.equals = true;
    gap g = l.skip(i);
    while (l.at(g.position) == '\\' && (l.at(g.position + 1) == 'n' || l.at(g.position + 1) == 't')) { g = l.skip(g.position + 2); }
    const int d = l.at(g.position);
    if (l.past) { return true; }
    if (d < 0) { return !line_text_; }
    std::size_t size = 1;
    const char s = l.sign_at(g.position, size);
    if (s == '"' || s == '\'' || s == '`') {
        const key_shape shape = l.quoted_key(g.position);
        if (shape == key_shape::cut || shape == key_shape::none) { return !line_text_ || shape == key_shape::cut; }
        if (shape != key_shape::alone) { return true; }
        const std::size_t close = l.quoted_end(g.position, size, s);
        const int e = l.at(l.skip(close).position);
        return e == ',' || e == '}' || (!line_text_ && (l.at(close) == s || is_name(e)));
    }
    if (d == '}') { return !line_text_ || l.after_root(l.skip(g.position + 1)) >= fit::good; }
    if (d == ']') { return start_ && l.at(l.skip(g.position + 1).position) < 0; } // {]
    if (d == '\\') { return l.at(g.position + 1) == '"' || l.at(g.position + 1) == '\''; }
    if (d == '<') { return l.word_is(g.position, "<|\""); }
    if (d == '{') { return !prose_seen_ ? true : object_begins(l, g.position + 1); }
    if (d == ',') { return !line_text_ && object_begins(l, g.position + 1); }
    if (g.comment) { return true; }
    if (is_name(d)) {
        const key_shape shape = l.bare_key(g.position);
        if (shape == key_shape::colon) { return true; }
        if (shape == key_shape::cut) { return !line_text_; }
        std::size_t j = g.position;
        while (l.name_at(j) || l.at(j) == ' ' || l.at(j) == '-' || l.at(j) == '.' || l.at(j) == '\\') { ++j; }
        if (l.at(j) == ':' || l.at(j) == '=' ) { return true; }
        if (is_digit(d) && (l.at(j) == ',' || l.at(j) == '}')) { return !line_text_; }
        // {te!st: 1} at the very start of the text
        if (start_ && found_.empty()) {
            std::size_t k = j;
            for (int e = l.at(k); e > ' ' && e != ',' && e != '{' && e != '}' && e != '[' && e != ']' && e != '"' && e != ':'; e = l.at(++k)) {}
            if (l.at(k) == ':') { return true; }
        }
        // {a, "b": 1}
        return l.at(j) == ',' && l.quoted_key(l.skip(j + 1).position) == key_shape::colon && !l.past;
    }
    return false;
}

bool engine::array_begins(look& l, std::size_t i, int bracket, bool& citation) {
    const gap g = l.skip(i);
    const int d = l.at(g.position);
    if (bracket == '(' && !start_) { return false; }
    if (l.past) { return true; }
    if (d < 0) { return !line_text_ && bracket == '['; }
    std::size_t size = 1;
    const char s = l.sign_at(g.position, size);
    if (s == '"' || s == '\'' || s == '`') {
        const std::size_t close = l.quoted_end(g.position, size, s);
        if (close == 0) { return !line_text_ || l.past; }
        const gap n = l.skip(close);
        const int e = l.at(n.position);
        return e == ',' || e == ']' || e == ':' || e < 0 || e == '+' || (bracket == '(' && e == ')') || !line_text_;
    }
    if (d == ']') { return bracket == '[' && (!line_text_ || l.after_root(l.skip(g.position + 1)) >= fit::good); }
    if (d == '}') { return start_ && bracket == '['; } // [}]
    if (d == '{') { return object_begins(l, g.position + 1); }
    if (d == '[' || d == '(') {
        const int e = l.at(l.skip(g.position + 1).position);
        if (e < 0) { return !line_text_; }
        if (is_name(e)) {
            std::size_t j = l.skip(g.position + 1).position;
            while (l.name_at(j)) { ++j; }
            if (l.at(j) < 0) { return !line_text_; } // [[n, cut
        }
        return e == '"' || e == '\'' || e == '[' || e == '{' || e == ']' || e == '(' || e == '-' || is_digit(e) || l.value_starts(l.skip(g.position + 1).position);
    }
    if (d == '<') { return l.word_is(g.position, "<|\""); }
    if (d == '/' && bracket == '[') { return !line_text_ && !is_blank(l.at(g.position + 1)); }
    if (d == ',') { return !line_text_ && bracket == '['; }
    if (d == '\\') { return l.at(g.position + 1) == '"'; }
    if (g.comment) { return true; }
    if (is_digit(d) || d == '-' || d == '+' || d == '.') {
        std::size_t j = g.position;
        bool numbers = true;
        for (int e = l.at(j); e >= 0 && e != ']' && e != ')'; e = l.at(++j)) {
            numbers = numbers && (is_digit(e) || is_blank(e) || e == ',' || e == '.' || e == '-' || e == '+' || e == 'e' || e == 'E' || e == '_');
            if (e == '\n' && line_text_) { numbers = false; }
            if (!numbers) { break; }
        }
        if (l.past) { return true; }
        if (!numbers) { return !line_text_; }
        if (bracket == '(') { return l.at(j) == ')' && l.at(l.skip(j + 1).position) < 0; }
        const gap n = l.skip(j + 1);
        citation = line_text_ || (l.at(j) == ']' && !n.newline && l.at(n.position) >= 0 && !l.ends_document(n.position) &&
                                  l.at(n.position) != '}' && l.at(n.position) != ']' && l.at(n.position) != ',' && l.at(n.position) != '[' && l.at(n.position) != '{' );
        return true;
    }
    if (l.value_starts(g.position) && bracket == '[') { return true; }
    if (!is_name(d) || !start_ || bracket == '(') { return false; }
    // [a, b] at the very start
    std::size_t j = g.position;
    while (l.name_at(j) || l.at(j) == ' ' || l.at(j) == '-' || l.at(j) == '.' || l.at(j) == '\\' || l.at(j) == '/') { ++j; }
    if (l.at(j) == ']') {
        const gap n = l.skip(j + 1);
        return l.at(n.position) < 0 || ((l.at(n.position) == ',' || l.at(n.position) == ';') && l.at(l.skip(n.position + 1).position) < 0);
    }
    return l.at(j) == ',' || l.at(j) < 0 || l.at(j) == '"';
}

/// A value begins at p_.
void engine::begin_root(bool scalar, bool citation) {
    found_value v;
    v.begin = p_;
    v.scalar = scalar;
    v.citation = citation;
    v.reasoning = reasoning_ != 0;
    v.foreign = fence_foreign_;
    v.fenced = in_fence_;
    v.after_prose = prose_seen_;
    if (options_.preset == preset::live) { cover(edits_, 0, out_to_, p_); }
    v.edit_begin = edits_.size();
    found_.push_back(v);
    stack_.clear();
    comma_ = member_ = none;
    last_string_ = false;
    value_end_ = p_;
    deepest_ = 0;
    cut_ = cut_place::none;
    bare_keys_ = quoted_keys_ = doubled_keys_ = equals_seen_ = escaped_blanks_ = inner_seen_ = escaped_ = false;
    start_ = false;
    in_root_ = true;
    mode_ = mode::container;
    phase_ = phase::first;
}

void engine::end_root(cut_place cut) {
    found_value& v = found_.back();
    v.end = p_;
    v.edit_end = edits_.size();
    v.cut = cut;
    v.depth = deepest_;
    v.empty = v.edit_end - v.edit_begin <= 2 && v.end - v.begin < 256 && is_empty_text(healed_text(v));
    in_root_ = false;
    prose_seen_ = false;
    line_text_ = v.citation; // more of them may follow on the line
    gap_ = p_;
    cut_ = cut;
    mode_ = mode::seek;
}

/// Makes a run of edits cover a gap without holes, so that blanks between dropped texts go with them. A gap of
/// blanks alone is left as it is.
void engine::cover(std::vector<edit>& log, std::size_t first, std::size_t from, std::size_t to) {
    if (first >= log.size()) { return; }
    std::size_t kept = first;
    log[first].begin = static_cast<std::uint32_t>(from);
    for (std::size_t i = first; i < log.size(); ++i) {
        log[i].end = static_cast<std::uint32_t>(i + 1 < log.size() ? log[i + 1].begin : to);
        if (i != kept && log[i].rule == log[kept].rule && (log[i].rule == rule::prose || log[i].rule == rule::stray_word)) {
            log[kept].end = log[i].end;
        } else if (i != first) {
            log[++kept] = log[i];
        }
    }
    log.resize(kept + 1);
}

/// The text is over. Ends what is open, as far as it is certain, and picks the answer.
void engine::end_of_text() {
    while (!refused_ && mode_ != mode::seek) {
        switch (mode_) {
        case mode::container:
            if (p_ < end_) { // nothing could be made of the rest
                close_all(cut_place::closers);
            } else {
                p_ = end_;
                close_all(cut_place::closers);
            }
            break;
        case mode::string: end_string_cut(); break;
        case mode::words: {
            end_words(word_end_, 0);
            if (!stack_.empty()) {
                const bool only_virtual = stack_.size() == 1 && stack_.back().has(frame::no_opener);
                while (p_ < end_ && is_blank(byte(p_))) { ++p_; }
                close_all(only_virtual ? cut_place::closers : cut_place::in_string);
            }
            break;
        }
        case mode::comment:
            p_ = end_;
            end_comment();
            break;
        default:
            starved_ = false;
            if (!step()) { refuse("the text could not be read", p_); }
            break;
        }
        run();
    }
    if (refused_) { return; }
    if (options_.preset == preset::whole) {
        choose();
        return;
    }
    if (found_.empty()) { return refuse("there is no JSON in the text", 0); }
    cover(edits_, found_.back().edit_end, found_.back().end, end_); // what follows the value goes with its blanks
}

/// The text ended inside a string.
void engine::end_string_cut() {
    if (str_.role == role::key) {
        look l(*this, p_);
        const std::size_t where = key_lost_close(l, p_);
        if (where != none) {
            close_at(where, rule::quote_missing_close);
            return;
        }
        if (!drop_pending(end_, rule::cut_member)) {
            if (refuse_placeholder()) { return; }
            if (p_ < end_) { put(p_, end_, {}, rule::cut_escape); }
            put(end_, end_, "\":null", rule::value_missing);
            commit_comma();
        }
        p_ = end_;
        mode_ = mode::container;
        phase_ = phase::after;
        return close_all(cut_place::in_key);
    }
    if (p_ == end_ && string_end_of_text()) { return; }
    if (p_ == end_) {
        // "x<|im_end|>: the token is none of the string's
        const std::size_t back = std::min({end_ - str_.content, std::size_t{40}, std::size_t{options_.limits.look_back}});
        const std::size_t at = view(end_ - back, end_).rfind("<|");
        const std::size_t from = end_ - back + (at != std::string_view::npos ? at : 0);
        bool token = at != std::string_view::npos && from + 4 < end_ && byte(end_ - 1) == '>' && byte(end_ - 2) == '|';
        for (std::size_t i = from + 2; token && i + 2 < end_; ++i) { token = is_name(byte(i)); }
        if (token) {
            p_ = from;
            roll_back(p_, str_.edits);
            put(p_, end_, {}, rule::special_token);
            p_ = end_;
        }
    }
    if (p_ < end_) { put(p_, end_, {}, rule::cut_escape); }
    p_ = end_;
    put(end_, end_, "\"", rule::cut_string);
    if (stack_.empty()) { return end_root(cut_place::in_string); }
    value_done();
    close_all(cut_place::in_string);
}

} // namespace jsonheal::heal_detail
