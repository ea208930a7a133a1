// Tokens of JavaScript in JSON-like text.

#include "lexer.hpp"

#include <algorithm>

namespace jsonheal::sanitize_detail {

namespace {

enum class keyword : std::uint8_t { none, operation, control, statement };

struct keyword_row {
    std::string_view word;
    keyword kind;
};

// After these no operator can stand (ECMA-262, the contexts of InputElementRegExp). All others are like names.
constexpr keyword_row keywords[] = {
    {"return", keyword::operation},  {"typeof", keyword::operation},  {"case", keyword::operation},
    {"delete", keyword::operation},  {"void", keyword::operation},    {"throw", keyword::operation},
    {"new", keyword::operation},     {"in", keyword::operation},      {"of", keyword::operation},
    {"yield", keyword::operation},   {"await", keyword::operation},   {"instanceof", keyword::operation},
    {"default", keyword::operation}, {"extends", keyword::operation}, {"if", keyword::control},
    {"while", keyword::control},     {"for", keyword::control},       {"with", keyword::control},
    {"else", keyword::statement},    {"do", keyword::statement},      {"try", keyword::statement},
    {"finally", keyword::statement},
};

keyword find_keyword(std::string_view word) noexcept {
    if (word.size() < 2 || word.size() > 10) { return keyword::none; }
    for (const keyword_row& row : keywords) {
        if (row.word == word) { return row.kind; }
    }
    return keyword::none;
}

/// Letters before the quote of a Python string, such as r in r'\d'.
bool is_string_prefix(std::string_view word) noexcept {
    return word.size() <= 2 && word.find_first_not_of("rRbBuUfF") == std::string_view::npos;
}

/// The end of a name or number. In `1.5e-3` the point and the sign belong to it.
std::size_t end_of_word(std::string_view text, std::size_t p) noexcept {
    if (!is_digit(text[p])) { return skip_word(text, p); }
    const bool decimal = byte_at(text, p + 1) != 'x' && byte_at(text, p + 1) != 'X';
    std::size_t i = p;
    for (; i < text.size(); ++i) {
        const char c = text[i];
        const bool exponent_sign = decimal && (c == '+' || c == '-') &&
                                   (text[i - 1] == 'e' || text[i - 1] == 'E') &&
                                   is_digit(byte_at(text, i + 1));
        if (!is_word(c) && c != '.' && !exponent_sign) { break; }
    }
    return i;
}

bool are_regex_flags(std::string_view flags) noexcept {
    if (flags.size() > 8) { return false; }
    for (std::size_t i = 0; i < flags.size(); ++i) {
        if (std::string_view("dgimsuvy").find(flags[i]) == std::string_view::npos) { return false; }
        if (flags.find(flags[i], i + 1) != std::string_view::npos) { return false; }
    }
    return true;
}

bool is_line_end(char c) noexcept { return c == '\n' || c == '\r'; }

/// Schemes before which a label or a `case` is out of the question, also in code.
constexpr std::string_view schemes[] = {"http", "https", "ftp", "file", "ws", "wss", "data"};

} // namespace

void lexer::push(bracket kind) {
    if (stack_.size() >= max_depth_) {
        too_deep_ = true;
        position_ = text_.size();
        return;
    }
    stack_.push_back(kind);
    ++counts_[index(kind)];
}

bracket lexer::pop() {
    const bracket kind = stack_.back();
    stack_.pop_back();
    --counts_[index(kind)];
    return kind;
}

void lexer::start(std::size_t position) {
    position_ = position;
    stack_.clear();
    std::fill(std::begin(counts_), std::end(counts_), std::size_t{0});
    after_ = context::operation;
    open_ = open_token::none;
    after_dot_ = after_control_ = false;
    word_begin_ = word_end_ = 0;
}

lexeme lexer::give(token kind, std::size_t begin, std::size_t end, context after) {
    // Once it is too deep there is only the end.
    position_ = too_deep_ ? text_.size() : end;
    after_ = after;
    after_dot_ = after_control_ = false;
    if (kind != token::word) { word_end_ = 0; }
    return {kind, begin, end};
}

/// As if it were part of a word.
lexeme lexer::plain(std::size_t p, std::size_t size) {
    const std::size_t end = std::min(p + size, text_.size());
    const std::size_t word_begin = word_end_ == p && word_end_ != 0 ? word_begin_ : p;
    lexeme l = give(token::plain, p, end, context::operand);
    word_begin_ = word_begin;
    word_end_ = end;
    return l;
}

lexeme lexer::next() {
    if (too_deep_ || position_ >= text_.size()) { return {token::end, text_.size(), text_.size()}; }
    const std::size_t p = position_;
    switch (class_of(text_[p])) {
    case byte_class::blank: return read_blanks(p);
    case byte_class::word: return read_word(p);
    case byte_class::quote: return read_quote(p);
    case byte_class::opener: return read_opener(p);
    case byte_class::closer: return read_closer(p);
    case byte_class::other: break;
    }
    if (text_[p] == '/') { return read_slash(p); }
    if (text_[p] == '\\') { // \" opens no string; C:\} ends in one
        const char next = byte_at(text_, p + 1);
        return plain(p, next == '\\' || class_of(next) == byte_class::quote ? 2 : 1);
    }
    if (text_[p] == '#') {
        if (const std::size_t end = comment_end(p); end != p && word_end_ == 0) {
            return read_comment(p, end);
        }
    }
    return read_punctuator(p);
}

lexeme lexer::read_blanks(std::size_t p) {
    lexeme blanks{token::blank, p, p};
    for (; blanks.end < text_.size() && is_blank(text_[blanks.end]); ++blanks.end) {
        blanks.newline = blanks.newline || text_[blanks.end] == '\n';
    }
    position_ = blanks.end;
    return blanks;
}

lexeme lexer::read_word(std::size_t p) {
    const std::size_t end = end_of_word(text_, p);
    const keyword kind = after_dot_ ? keyword::none : find_keyword(text_.substr(p, end - p));
    const context after = kind == keyword::operation   ? context::operation
                          : kind == keyword::statement ? context::statement
                                                       : context::operand;
    const lexeme word = give(token::word, p, end, after);
    after_control_ = kind == keyword::control;
    word_begin_ = p;
    word_end_ = kind == keyword::none ? end : 0;
    return word;
}

// ---- strings

/// The offset behind the closing quote, or npos.
std::size_t lexer::string_end(std::size_t p) noexcept {
    const char quote = text_[p];
    bool& unclosed = quote == '"' ? no_double_quote_ : no_single_quote_;
    if (unclosed) { return std::string_view::npos; }
    for (std::size_t i = p + 1; i < text_.size(); ++i) {
        const char c = text_[i];
        if (c == quote) { return i + 1; }
        if (c == '\\') { ++i; }
        if (strings_ == string_rule::code && is_line_end(c)) { return std::string_view::npos; }
    }
    unclosed = strings_ == string_rule::json;
    return std::string_view::npos;
}

/// Does a quote close on this line as one closes, with no letter behind it? `rock 'n' roll` has one, `the '90s` none.
bool lexer::closes_on_line(std::size_t p) {
    if (p < no_close_before_ || !is_word(byte_at(text_, p + 1))) { return false; }
    std::size_t i = p + 1;
    for (; i < text_.size() && !is_line_end(text_[i]); ++i) {
        if (text_[i] == '\\') {
            ++i;
        } else if (text_[i] == '\'' && !is_word(byte_at(text_, i + 1))) {
            return true;
        }
    }
    no_close_before_ = i;
    return false;
}

/// Is the single quote part of a word? A value cannot follow a name, so no string begins there.
bool lexer::is_apostrophe(std::size_t p) {
    if (word_end_ == 0) { return false; }
    const bool attached = word_end_ == p;
    if (attached && !is_string_prefix(text_.substr(word_begin_, word_end_ - word_begin_))) { return true; }
    return !closes_on_line(p);
}

lexeme lexer::read_quote(std::size_t p) {
    const bool attached = word_end_ != 0 && word_end_ == p;
    if (text_[p] == '`') {
        const bool closes = last_back_tick_ != std::string_view::npos && last_back_tick_ > p;
        if (!closes && (attached || strings_ == string_rule::code)) { return plain(p, 1); }
        return read_template(p, p + 1);
    }
    if (text_[p] == '\'' && is_apostrophe(p)) { return plain(p, 1); }
    if (text_[p] == '"' && attached && strings_ == string_rule::code &&
        !is_string_prefix(text_.substr(word_begin_, word_end_ - word_begin_))) {
        return plain(p, 1); // 5" or a quote whose mate was lost
    }
    return read_string(p);
}

lexeme lexer::read_string(std::size_t p) {
    const std::size_t end = string_end(p);
    if (end != std::string_view::npos) { return give(token::string, p, end, context::operand); }
    if (strings_ == string_rule::code) { return plain(p, 1); }
    open_ = text_[p] == '"' ? open_token::double_quoted : open_token::single_quoted;
    return give(token::string, p, text_.size(), context::operand);
}

/// The part of a template that begins at `from`, up to its end or the next `${`.
lexeme lexer::read_template(std::size_t p, std::size_t from) {
    for (std::size_t i = from; i < text_.size(); ++i) {
        if (text_[i] == '`') { return give(token::template_part, p, i + 1, context::operand); }
        if (text_[i] == '\\') {
            ++i;
        } else if (text_[i] == '$' && byte_at(text_, i + 1) == '{') {
            push(bracket::substitution);
            return give(token::template_part, p, i + 2, context::operation);
        }
    }
    open_ = open_token::in_template;
    return give(token::template_part, p, text_.size(), context::operand);
}

// ---- brackets

lexeme lexer::read_opener(std::size_t p) {
    const char c = text_[p];
    if (c == '(') {
        push(after_control_ ? bracket::control_paren : bracket::paren);
        return give(token::opener, p, p + 1, context::operation);
    }
    if (c == '[') {
        push(bracket::square);
        return give(token::opener, p, p + 1, context::operation);
    }
    const bool block = after_ != context::operation;
    push(block ? bracket::block : bracket::object);
    return give(token::opener, p, p + 1, block ? context::statement : context::operation);
}

/// Does the closer close something? A brace also closes what was left open inside it.
bool lexer::matches(char closer) const noexcept {
    if (stack_.empty()) { return false; }
    const bracket top = stack_.back();
    if (closer == ')') { return top == bracket::paren || top == bracket::control_paren; }
    if (closer == ']') { return top == bracket::square; }
    return has_open(bracket::object) || has_open(bracket::block) || has_open(bracket::substitution);
}

lexeme lexer::read_closer(std::size_t p) {
    if (!matches(text_[p])) {
        lexeme stray = give(token::closer, p, p + 1, context::operand);
        stray.matched = false;
        return stray;
    }
    bracket closed = pop();
    if (text_[p] == '}') {
        while (closed != bracket::object && closed != bracket::block && closed != bracket::substitution) {
            closed = pop();
        }
    }
    if (closed == bracket::substitution) { return read_template(p, p + 1); }
    const bool statement = closed == bracket::block || closed == bracket::control_paren;
    return give(token::closer, p, p + 1, statement ? context::statement : context::operand);
}

// ---- slashes

/// `//` behind a scheme, as in http://x.y, or inside a bare word, as in a//b.
bool lexer::begins_address(std::size_t slash) const noexcept {
    if (slash == 0 || slash + 2 >= text_.size() || is_blank(text_[slash + 2])) { return false; }
    const bool code = has_open(bracket::block);
    if (is_word(text_[slash - 1])) { return !code && is_word(text_[slash + 2]); }
    if (text_[slash - 1] != ':') { return false; }
    std::size_t begin = slash - 1;
    while (begin > 0 && slash - begin < 16 && is_letter(text_[begin - 1])) { --begin; }
    const std::string_view scheme = text_.substr(begin, slash - 1 - begin);
    const bool known = std::find(std::begin(schemes), std::end(schemes), scheme) != std::end(schemes);
    return known || (!code && scheme.size() > 1);
}

std::size_t lexer::line_end(std::size_t i) const noexcept {
    const bool ends = last_line_end_ != std::string_view::npos && last_line_end_ > i;
    return ends ? text_.find('\n', i) : text_.size();
}

std::size_t lexer::slash_comment_end(std::size_t i) const noexcept {
    const char c = byte_at(text_, i + 1);
    if (c == '/' && !begins_address(i)) { return line_end(i); }
    if (c != '*') { return i; }
    const bool closes = last_comment_end_ != std::string_view::npos && last_comment_end_ >= i + 2;
    if (closes) { return text_.find("*/", i + 2) + 2; }
    // src/*.js, and nothing that could be the end of a comment
    return i > 0 && is_word(text_[i - 1]) ? i : text_.size();
}

std::size_t lexer::comment_end(std::size_t i) const noexcept {
    if (byte_at(text_, i) == '/') { return slash_comment_end(i); }
    // Python's: only where no word could go on, and with a blank behind it, since # also begins colours.
    const bool hash =
        byte_at(text_, i) == '#' && is_blank(byte_at(text_, i + 1)) && !has_open(bracket::block);
    return hash ? line_end(i) : i;
}

std::size_t lexer::skip_gap(std::size_t i) const noexcept {
    for (;;) {
        i = sanitize_detail::skip_blanks(text_, i);
        const std::size_t end = comment_end(i);
        if (end == i) { return i; }
        i = end;
    }
}

/// The end of the regular expression at a slash, or npos if it is none: it must close on its line, with known flags,
/// and nothing may follow that cannot follow a value.
std::size_t lexer::regex_end(std::size_t p) {
    if (p < no_slash_before_) { return std::string_view::npos; }
    bool in_class = false;
    std::size_t i = p + 1;
    for (; i < text_.size() && !is_line_end(text_[i]); ++i) {
        const char c = text_[i];
        if (c == '\\') {
            ++i;
        } else if (in_class) {
            in_class = c != ']';
        } else if (c == '/') {
            break;
        } else if (c == '[') {
            if (i < no_class_end_before_) { return std::string_view::npos; }
            in_class = true;
        }
    }
    if (i >= text_.size() || is_line_end(text_[i])) {
        (in_class ? no_class_end_before_ : no_slash_before_) = std::min(i, text_.size());
        return std::string_view::npos;
    }
    const std::size_t end = skip_word(text_, i + 1);
    if (!are_regex_flags(text_.substr(i + 1, end - i - 1))) { return std::string_view::npos; }
    const char follower = byte_at(text_, std::min(text_.find_first_not_of(" \t", end), text_.size()));
    return follower == '"' || follower == '\'' || is_word(follower) ? std::string_view::npos : end;
}

lexeme lexer::read_slash(std::size_t p) {
    if (const std::size_t end = comment_end(p); end != p) { return read_comment(p, end); }
    if (byte_at(text_, p + 1) == '/') { return plain(p, 2); }
    // ./a, ../a, ~/a: a path, and no expression is written so
    const bool path = p > 0 && (text_[p - 1] == '.' || text_[p - 1] == '~');
    if (after_ != context::operand && !path) {
        const std::size_t end = regex_end(p);
        if (end != std::string_view::npos) { return give(token::regex, p, end, context::operand); }
    }
    return give(token::punctuator, p, p + 1, context::operation);
}

lexeme lexer::read_comment(std::size_t p, std::size_t end) {
    if (end == text_.size()) {
        const bool block = byte_at(text_, p + 1) == '*';
        const bool closed = block && end >= p + 4 && text_.substr(end - 2) == "*/";
        if (!closed) { open_ = block ? open_token::block_comment : open_token::line_comment; }
    }
    position_ = end;
    return {token::comment, p, end};
}

lexeme lexer::read_punctuator(std::size_t p) {
    const char c = text_[p];
    const char second = byte_at(text_, p + 1);
    if (c == '=' && second == '>') { return give(token::arrow, p, p + 2, context::statement); }
    if ((c == '+' || c == '-') && second == c) { return give(token::punctuator, p, p + 2, after_); }
    if (c == '.') {
        std::size_t end = p + 1;
        while (byte_at(text_, end) == '.') { ++end; }
        const lexeme dots = give(token::punctuator, p, end, context::operation);
        after_dot_ = end == p + 1;
        return dots;
    }
    return give(token::punctuator, p, p + 1, c == ';' ? context::statement : context::operation);
}

} // namespace jsonheal::sanitize_detail
