// Values that are no JSON: what is kept, and how it comes out.

#include "sanitizer.hpp"

#include <jsonheal/unicode.hpp>

#include <algorithm>

namespace jsonheal::sanitize_detail {

namespace {

constexpr std::size_t none = std::string_view::npos;

struct literal_row {
    std::string_view word;
    std::string_view json;
};

// The spellings of other languages; JSON's own are found here too and stay as they are.
constexpr literal_row literals[] = {
    {"true", "true"},   {"True", "true"},   {"TRUE", "true"}, {"false", "false"},
    {"False", "false"}, {"FALSE", "false"}, {"null", "null"}, {"Null", "null"},
    {"NULL", "null"},   {"None", "null"},   {"none", "null"}, {"nil", "null"},
};

const literal_row* find_literal(std::string_view word) noexcept {
    const auto* const row = std::find_if(std::begin(literals), std::end(literals),
                                         [word](const literal_row& r) { return r.word == word; });
    return row == std::end(literals) ? nullptr : row;
}

bool is_nonfinite(std::string_view word) noexcept {
    if (word.starts_with('-') || word.starts_with('+')) { word.remove_prefix(1); }
    return word == "NaN" || word == "Infinity";
}

/// What the end of the text left of a literal or number; heal decides about it.
bool is_cut_literal(std::string_view source) noexcept {
    if (source == "-" || source == "+") { return true; }
    return source.size() > 1 &&
           std::any_of(std::begin(literals), std::end(literals),
                       [source](const literal_row& r) { return r.word.starts_with(source); });
}

bool begins_like_number(std::string_view source) noexcept {
    const std::size_t i = source.find_first_not_of("+-.");
    return i != none && i < 3 && is_digit(source[i]);
}

} // namespace

void sanitizer::value_done(std::size_t end) {
    p_ = end;
    if (!frames_.empty()) { top().at = place::after; }
}

void sanitizer::read_value() {
    switch (at(p_)) {
    case '{': return open(surroundings::object);
    case '[': return open(surroundings::array);
    case '"':
    case '\'': return read_strings();
    case '`': return read_template();
    case ')':
    case ':':
    case '=': ++p_; return; // :: and ==
    case '\\':              // a document that was escaped as a whole
        if (const std::size_t end = at(p_ + 1) == '"' ? text_.find("\\\"", p_ + 2) : none; end != none) {
            return value_done(end + 2);
        }
        break;
    case '(':
        if (const std::size_t end = tuple_end(); end != none) { return value_done(end); }
        break;
    case '.': {
        const std::size_t end = std::min(text_.find_first_not_of('.', p_), text_.size());
        if (end >= p_ + 3 && !is_word(at(end)) && class_of(at(end)) != byte_class::opener) {
            return value_done(end); // an ellipsis
        }
        break;
    }
    default:
        if (const std::size_t end = prefixed_string_end(); end != none) { return value_done(end); }
        if (static_cast<unsigned char>(at(p_)) >= 0x80) {
            const unicode::decoded u = unicode::decode(text_.substr(p_));
            const unicode::sign sign = u.size == 0 ? unicode::sign::none : unicode::sign_of(u.code);
            if (sign == unicode::sign::double_quote || sign == unicode::sign::single_quote) {
                if (const std::size_t end = curly_string_end(); end != none) { return value_done(end); }
            } else if (sign != unicode::sign::none) { // a blank or bracket of another script: for heal
                p_ += u.size;
                return;
            }
        }
        break;
    }
    read_expression();
}

// ---- strings

/// The end of the string at `p_`, and of those that `+` joins to it, which heal makes one. Writes them if asked to.
std::size_t sanitizer::skip_strings(bool write) {
    std::size_t i = p_;
    for (;;) {
        if (at(i) == '"') {
            const std::size_t end = string_end(i);
            if (write && (end < i + 2 || text_[end - 1] != '"')) { cut_ = cut_place::in_string; }
            i = end;
        } else {
            const quoted_run run = single_.find(i);
            if (write) { put_string(out_, text_, run); }
            if (write && run.cut) { cut_ = cut_place::in_string; }
            i = run.end();
        }
        const std::size_t plus = lex_.skip_gap(i);
        if (at(plus) != '+') { return i; }
        const std::size_t next = lex_.skip_gap(plus + 1);
        if (at(next) != '"' && at(next) != '\'') { return i; }
        i = next;
    }
}

void sanitizer::read_strings() {
    if (operator_follows(skip_strings(false))) { return read_expression(); }
    value_done(skip_strings(true));
}

/// Does an expression go on behind the value that ends there? An operator, and something behind it.
bool sanitizer::operator_follows(std::size_t end) const {
    const std::size_t i = lex_.skip_gap(end);
    const char c = at(i);
    const char second = at(i + 1);
    if (c == '.') { return begins_name(second); }
    if (c == 'i') { // "x" in y
        const std::string_view word = word_at(i);
        return (word == "in" || word == "instanceof") && begins_name(at(lex_.skip_gap(i + word.size())));
    }
    const bool doubled = second == c && (c == '|' || c == '&' || c == '=' || c == '?');
    if (!doubled && c != '+' && c != '?' && !(c == '!' && second == '=')) { return false; }
    const std::size_t operand = lex_.skip_gap(i + (doubled ? 2 : 1));
    return operand < text_.size() && std::string_view(",;:}])").find(text_[operand]) == none;
}

/// A template without `${}` is a string; with one it is code.
void sanitizer::read_template() {
    lex_.start(p_);
    lexeme part = lex_.next();
    if (part.kind == token::plain) { // no back-tick follows
        const quoted_run run = unclosed_run(text_, p_);
        put_string(out_, text_, run);
        if (run.cut) { cut_ = cut_place::in_string; }
        return value_done(run.end());
    }
    const bool code = lex_.depth() > 0 || at(part.end) == '`' || operator_follows(part.end);
    if (code) { return read_expression(); }
    put_string(out_, text_, {p_, part.end - 1, true, false});
    value_done(part.end);
}

/// The end of Python's r"a" or b'a' at `p_`, which heal knows, or npos.
std::size_t sanitizer::prefixed_string_end() const {
    const std::string_view prefix = word_at(p_);
    const std::size_t quote = p_ + prefix.size();
    if (prefix.empty() || prefix.size() > 2 || prefix.find_first_not_of("rRbBuUfF") != none) { return none; }
    return at(quote) == '"' || at(quote) == '\'' ? near_string_end(text_, quote) : none;
}

/// The end of the string in typographic quotes at `p_`, or npos: heal knows them, so they stay.
std::size_t sanitizer::curly_string_end() const {
    const auto sign_at = [this](std::size_t i) {
        const unicode::decoded u = unicode::decode(text_.substr(i));
        return u.size == 0 ? unicode::sign::none : unicode::sign_of(u.code);
    };
    const unicode::sign quote = sign_at(p_);
    if (quote != unicode::sign::double_quote && quote != unicode::sign::single_quote) { return none; }
    for (std::size_t i = p_ + 2; i < text_.size() && text_[i] != '\n'; ++i) {
        const auto c = static_cast<unsigned char>(text_[i]);
        if (c >= 0xC2 && sign_at(i) == quote) { return i + unicode::sequence_length(c); }
    }
    return none;
}

/// The end of `(1, 'b')`, which heal makes an array; npos for parentheses that hold anything but literals.
std::size_t sanitizer::tuple_end() const {
    std::size_t count = 0;
    std::size_t i = p_;
    do {
        i = lex_.skip_gap(i + 1);
        if (at(i) == ')') { break; }
        ++count;
        std::size_t end = i;
        if (at(i) == '"' || at(i) == '\'') {
            end = near_string_end(text_, i);
        } else {
            while (is_word(at(end)) || at(end) == '.' || at(end) == '-') { ++end; }
            const std::string_view item = text_.substr(i, end - i);
            if (!is_number(item) && find_literal(item) == nullptr) { return none; }
        }
        if (end == none) { return none; }
        i = lex_.skip_gap(end);
    } while (at(i) == ',');
    const bool one = count == 1 && text_.substr(p_, i - p_).find(',') == none; // (1) is JavaScript
    if (at(i) != ')' || one) { return none; }
    const char next = at(lex_.skip_gap(i + 1));
    return next == ',' || next == '}' || next == ']' || next == '\0' ? i + 1 : none;
}

// ---- expressions

void sanitizer::read_expression() {
    const expression found = scan_expression(lex_, text_, p_, top().kind);
    lex_.start(found.stop);
    if (found.end == found.begin) {
        ++p_;
        return;
    }
    put_value(found);
    const bool open_end = found.stop == text_.size() && !found.comment_behind && !top().implicit;
    if (found.cut || open_end) {
        const std::string_view source = text_.substr(found.begin, found.end - found.begin);
        const bool literal = find_literal(source) != nullptr || is_cut_literal(source);
        cut_ = is_number(source) ? cut_place::in_number
               : literal         ? cut_place::in_literal
                                 : cut_place::in_string;
    }
    value_done(found.comment_behind ? found.end : found.stop);
}

void sanitizer::put_value(const expression& found) {
    const std::string_view source = text_.substr(found.begin, found.end - found.begin);
    if (const literal_row* row = find_literal(source)) {
        if (row->word != row->json) { out_.put(found.begin, found.end, row->json, rule::literal_style); }
        return;
    }
    if (is_number(source) || (found.stop == text_.size() && is_cut_literal(source))) { return; }
    put_kept(found, is_nonfinite(source)         ? rule::literal_nonfinite
                    : found.is_regex             ? rule::regex_literal
                    : begins_like_number(source) ? rule::number_as_text
                                                 : rule::value_unquoted);
}

/// Puts quotes around a source. Blanks behind it go with the closing one: `x ,` → `"x",`.
void sanitizer::put_kept(const expression& found, rule why) {
    const std::string_view source = text_.substr(found.begin, found.end - found.begin);
    if (source.find('"') == source.size() - 1) { // hello"
        out_.put(found.begin, found.begin, "\"", rule::quote_missing_open);
        return escape_content(out_, text_, found.begin, found.end - 1, content::source);
    }
    out_.put(found.begin, found.begin, "\"", why);
    escape_content(out_, text_, found.begin, found.end, content::source);
    const bool ended = found.stop == text_.size() || std::string_view(",}]").find(text_[found.stop]) != none;
    const std::size_t blanks_end = ended && !found.comment_behind ? found.stop : found.end;
    out_.put(found.end, blanks_end, "\"", found.cut ? rule::cut_string : why);
}

} // namespace jsonheal::sanitize_detail
