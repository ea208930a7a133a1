// The end of a value that is no JSON.

#include "expression.hpp"

#include <algorithm>

namespace jsonheal::sanitize_detail {

namespace {

constexpr std::size_t none = std::string_view::npos;
/// Bytes that a look at what follows reads. Longer keys and parameter lists are taken for text.
constexpr std::size_t reach = 512;
/// Brackets inside one another that it reads; more are no parameters and no key, but somebody's nonsense.
constexpr std::size_t most_nested = 16;

/// A value that begins with one of these is code, so a comma ends it whatever follows.
constexpr std::string_view code_words[] = {"function", "async", "class", "typeof", "void", "await", "import"};

constexpr std::string_view modifiers[] = {"async", "get", "set", "static"};
/// Words with parentheses and a block behind them that are no methods.
constexpr std::string_view statements[] = {"if",    "for",  "while",    "switch",
                                           "catch", "with", "function", "return"};

template <std::size_t N>
bool is_one_of(std::string_view word, const std::string_view (&list)[N]) noexcept {
    return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

std::string_view word_at(std::string_view text, std::size_t i) noexcept {
    return text.substr(i, skip_word(text.substr(0, std::min(text.size(), i + reach)), i) - i);
}

/// The end of the name of a member at `i`: a word, a string or `[…]`; none if there is none.
std::size_t name_end(std::string_view text, std::size_t i) {
    switch (byte_at(text, i)) {
    case '"':
    case '\'': return near_string_end(text, i);
    case '[': return near_close(text, i);
    case '#': ++i; break;
    default: break;
    }
    const std::size_t size = word_at(text, i).size();
    return size == 0 || size == reach ? none : i + size;
}

bool is_colon(std::string_view text, std::size_t i) noexcept {
    // http://x and A::B are text
    return byte_at(text, i) == ':' && byte_at(text, i + 1) != ':' && text.substr(i + 1, 2) != "//";
}

bool is_digits(std::string_view text) noexcept { return std::all_of(text.begin(), text.end(), is_digit); }

} // namespace

std::size_t near_string_end(std::string_view text, std::size_t i) {
    const char quote = text[i];
    const std::size_t end = std::min(text.size(), i + reach);
    for (++i; i < end; ++i) {
        if (text[i] == quote) { return i + 1; }
        if (text[i] == '\\') { ++i; }
        if (i < end && text[i] == '\n') { break; }
    }
    return none;
}

std::size_t near_close(std::string_view text, std::size_t i) {
    const std::size_t end = std::min(text.size(), i + reach);
    std::size_t depth = 0;
    while (i < end) {
        const byte_class c = class_of(text[i]);
        if (c == byte_class::quote) {
            const std::size_t close = near_string_end(text, i);
            i = close == none ? i + 1 : close;
            continue;
        }
        if (c == byte_class::opener && ++depth > most_nested) { return none; }
        if (c == byte_class::closer && --depth == 0) { return i + 1; }
        ++i;
    }
    return none;
}

method_head find_method(const lexer& lex, std::string_view text, std::size_t i) {
    for (unsigned count = 0; count < 4; ++count) {
        if (byte_at(text, i) == '*') { i = lex.skip_gap(i + 1); }
        const std::string_view word = word_at(text, i);
        const std::size_t end = name_end(text, i);
        if (end == none) { return {}; }
        const std::size_t next = lex.skip_gap(end);
        if (byte_at(text, next) == '(') {
            if (is_one_of(word, statements)) { return {}; }
            const std::size_t close = near_close(text, next);
            const bool body = close != none && byte_at(text, lex.skip_gap(close)) == '{';
            return body ? method_head{i, end, next} : method_head{};
        }
        if (!is_one_of(word, modifiers)) { return {}; }
        i = next;
    }
    return {};
}

bool begins_member(const lexer& lex, std::string_view text, std::size_t i) {
    const char c = byte_at(text, i);
    const std::size_t end = name_end(text, i);
    if (end != none) {
        const std::size_t colon = lex.skip_gap(end);
        const bool clock = is_digits(text.substr(i, end - i)) && !is_blank(byte_at(text, colon + 1)); // 10:30
        if (is_colon(text, colon) && !clock) { return true; }
    }
    if ((c == '"' || c == '\'') && end == none && text.size() - i <= reach) {
        return text.find('\n', i) == none &&
               text.find(c, i + 1) == none; // a key that the end of the text cut
    }
    return find_method(lex, text, i).parameters != 0;
}

bool member_follows(const lexer& lex, std::string_view text, std::size_t i) {
    i = lex.skip_gap(i);
    const char c = byte_at(text, i);
    if (i >= text.size() || c == '}' || c == ']' || c == ',') { return true; }
    if (text.substr(i, 3) == "...") {
        const char first = byte_at(text, i + 3);
        return is_word(first) || class_of(first) == byte_class::opener;
    }
    return begins_member(lex, text, i);
}

// ---- the scan

namespace {

class expression_scan {
public:
    expression_scan(lexer& lex, std::string_view text, std::size_t begin, surroundings in)
        : lex_(lex), text_(text), in_(in) {
        found_.begin = found_.end = begin;
    }

    expression run() {
        lex_.start(found_.begin);
        for (;;) {
            const bool due = lex_.after_operand();
            const std::size_t depth = lex_.depth();
            const lexeme l = lex_.next();
            if (l.kind == token::end || ends(l, depth, due)) {
                found_.stop = l.begin;
                break;
            }
            if (closes_text(l)) {
                found_.end = l.begin + 1;
                lex_.start(found_.end);
                continue;
            }
            take(l);
        }
        found_.cut =
            found_.stop == text_.size() && (lex_.depth() > 0 || lex_.open() == open_token::in_template);

        return found_;
    }

private:
    /// Does the value end before this token? `due`: an operator was due before it.
    bool ends(const lexeme& l, std::size_t depth, bool due) const {
        const char c = text_[l.begin];
        if (l.kind == token::closer) { return !l.matched && ends_at_stray(c); }
        if (depth != 0) { return c == ',' && lost_parenthesis(l.end); }
        switch (l.kind) {
        case token::blank: return ends_at_blank(l);
        case token::string:
            return (due || !has_question_) && in_ == surroundings::object && l.begin > found_.begin &&
                   begins_member(lex_, text_, l.begin);
        case token::punctuator: break;
        default: return false;
        }
        if (c == ',') {
            return in_ != surroundings::object || is_whole() || member_follows(lex_, text_, l.end);
        }
        if (c != ';' || in_ == surroundings::root) { return false; }
        return member_follows(lex_, text_, l.end) || (in_ == surroundings::array && is_whole() && !code_);
    }

    /// Behind blanks a member may begin that lost its comma, or behind a number the next element: `[1 2]`.
    bool ends_at_blank(const lexeme& l) const {
        if (in_ == surroundings::root) { return false; }
        const bool whole = is_whole() && !code_;
        if (!whole && (!l.newline || in_ == surroundings::array)) { return false; }
        const std::size_t next = lex_.skip_gap(l.end);
        if (in_ == surroundings::object) { return begins_member(lex_, text_, next); }
        const char c = byte_at(text_, next);
        const std::string_view word = word_at(text_, next);
        if (word == "true" || word == "false" || word == "null") { return true; }
        return is_digit(c) || c == '"' || c == '\'' || (c == '-' && is_digit(byte_at(text_, next + 1)));
    }

    /// A quote that ends a text which lost its opening one: `"a": so it is.", "b": 1`.
    bool closes_text(const lexeme& l) const {
        if (l.kind != token::string || code_ || lex_.depth() > 0 || l.begin == found_.begin) { return false; }
        const std::size_t next = lex_.skip_gap(l.begin + 1);
        return in_ == surroundings::object && byte_at(text_, next) == ',' &&
               begins_member(lex_, text_, lex_.skip_gap(next + 1));
    }

    /// A key in JSON's quotes among the arguments of a call: `f(1, "b": 2` lost its parenthesis.
    bool lost_parenthesis(std::size_t i) const {
        if (in_ != surroundings::object || has_question_ || has_brace()) { return false; }
        i = lex_.skip_gap(i);
        return byte_at(text_, i) == '"' && begins_member(lex_, text_, i);
    }

    bool has_brace() const noexcept {
        return lex_.has_open(bracket::object) || lex_.has_open(bracket::block) ||
               lex_.has_open(bracket::substitution);
    }

    /// A brace or bracket that closes nothing of the value closes what is around it.
    bool ends_at_stray(char c) const noexcept {
        if (c == ')') { return is_whole() && !code_ && in_ != surroundings::root; }
        return !has_brace() && (c == '}' || !lex_.has_open(bracket::square));
    }

    /// Does a comma end the value, whatever follows? Code and single values do; bare text may go on.
    bool is_whole() const noexcept {
        if (code_ || went_on_) { return code_; }
        const std::string_view source = text_.substr(found_.begin, found_.end - found_.begin);
        return is_number(source) || source == "true" || source == "false" || source == "null";
    }

    void take(const lexeme& l) {
        if (l.kind == token::blank) { return; }
        if (l.kind == token::comment) {
            found_.comment_behind = true;
            return;
        }
        code_ = code_ || is_code(l);
        found_.is_regex = l.kind == token::regex && l.begin == found_.begin;
        has_question_ = has_question_ || text_[l.begin] == '?';
        went_on_ = went_on_ || (lex_.depth() == 0 && text_[l.begin] == ',');
        found_.end = l.end;
        found_.comment_behind = false;
    }

    bool is_code(const lexeme& l) const noexcept {
        const bool first = l.begin == found_.begin;
        switch (l.kind) {
        case token::word: return first && is_one_of(text_.substr(l.begin, l.end - l.begin), code_words);
        case token::opener: return first || text_[l.begin] == '{' || found_.end == l.begin;
        case token::string: return first;
        case token::arrow:
        case token::regex:
        case token::template_part: return true;
        default: return false;
        }
    }

    lexer& lex_;
    std::string_view text_;
    surroundings in_;
    expression found_;
    bool code_ = false;
    bool has_question_ = false;
    bool went_on_ = false; ///< behind a comma that was part of the text
};

} // namespace

expression scan_expression(lexer& lex, std::string_view text, std::size_t begin, surroundings in) {
    return expression_scan(lex, text, begin, in).run();
}

// ---- numbers

namespace {

/// Digits with `_` between them; `i` moves behind them. False if there is none.
bool read_digits(std::string_view text, std::size_t& i, std::string_view digits) noexcept {
    const std::size_t begin = i;
    while (i < text.size() && (digits.find(text[i]) != none ||
                               (text[i] == '_' && i > begin && digits.find(byte_at(text, i + 1)) != none))) {
        ++i;
    }
    return i > begin;
}

std::string_view digits_after(char prefix) noexcept {
    switch (prefix) {
    case 'x':
    case 'X': return "0123456789abcdefABCDEF";
    case 'o':
    case 'O': return "01234567";
    case 'b':
    case 'B': return "01";
    default: return {};
    }
}

} // namespace

bool is_number(std::string_view text) noexcept {
    constexpr std::string_view decimal = "0123456789";
    std::size_t i = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
    const std::size_t begin = i;
    bool integer = true;
    const std::string_view digits = byte_at(text, i) == '0' ? digits_after(byte_at(text, i + 1)) : "";
    if (!digits.empty()) {
        i += 2;
        if (!read_digits(text, i, digits)) { return false; }
    } else {
        const bool whole = read_digits(text, i, decimal);
        if (whole && i > begin + 1 && text[begin] == '0') { // 007 is text, 07 a month
            return text.size() == begin + 2 && text[begin + 1] != '0';
        }
        if (byte_at(text, i) == '.') {
            ++i;
            integer = false;
            if (!read_digits(text, i, decimal) && !whole) { return false; }
        } else if (!whole) {
            return false;
        }
        if (byte_at(text, i) == 'e' || byte_at(text, i) == 'E') {
            ++i;
            integer = false;
            if (byte_at(text, i) == '-' || byte_at(text, i) == '+') { ++i; }
            (void)read_digits(text, i, decimal); // heal knows unfinished exponents
        }
    }
    const bool suffix = integer && i + 1 == text.size() && std::string_view("nLlUu").find(text[i]) != none;
    return i + (suffix ? 1 : 0) == text.size();
}

} // namespace jsonheal::sanitize_detail
