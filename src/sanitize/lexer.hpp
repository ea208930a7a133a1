/// @file lexer.hpp
/// Tokens of JavaScript that stands in JSON-like text, as far as they decide where a value or an object ends.
///
/// The text need not be valid: an apostrophe in a word, `//` in an address and a quote that never closes are plain
/// characters. Every byte is looked at a constant number of times; open brackets live on the heap.
#pragma once

#include "characters.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace jsonheal::sanitize_detail {

enum class token : std::uint8_t {
    end,
    blank,
    comment,
    string,
    template_part, ///< from ` or } to ${ or `
    regex,
    word,  ///< a name, keyword or number
    plain, ///< a quote or an escape that means nothing where it stands
    opener,
    closer,
    arrow,
    punctuator
};

struct lexeme {
    token kind = token::end;
    std::size_t begin = 0;
    std::size_t end = 0;
    bool matched = true;  ///< closers: it closes a bracket that was opened since the start
    bool newline = false; ///< blanks: a line ends in them
};

enum class bracket : std::uint8_t { paren, control_paren, square, object, block, substitution };

/// What the end of the text stands in.
enum class open_token : std::uint8_t {
    none,
    double_quoted,
    single_quoted,
    in_template,
    line_comment,
    block_comment
};

/// Where the text is JSON rather than code, strings may hold raw line ends, and one that is never closed reaches to
/// the end of the text. In an expression such a quote is a plain character.
enum class string_rule : std::uint8_t { json, code };

class lexer {
public:
    lexer(std::string_view text, string_rule strings, std::uint32_t max_depth)
        : text_(text),
          strings_(strings),
          max_depth_(max_depth),
          last_back_tick_(text.rfind('`')),
          last_comment_end_(text.rfind("*/")),
          last_line_end_(text.rfind('\n')) {}

    /// Begins anew at an offset, where a value may stand.
    void start(std::size_t position);
    /// The same inside an object whose brace the text has lost.
    void start_inside_object(std::size_t position) {
        start(position);
        push(bracket::object);
    }
    lexeme next();

    /// How many brackets are open.
    [[nodiscard]] std::size_t depth() const noexcept { return stack_.size(); }
    [[nodiscard]] const std::vector<bracket>& open_brackets() const noexcept { return stack_; }
    [[nodiscard]] bool has_open(bracket kind) const noexcept { return counts_[index(kind)] != 0; }
    /// Was the last token one that ends a value, so that an operator is due?
    [[nodiscard]] bool after_operand() const noexcept { return after_ == context::operand; }
    [[nodiscard]] open_token open() const noexcept { return open_; }
    [[nodiscard]] bool too_deep() const noexcept { return too_deep_; }

    /// The end of the comment at `i`, or `i` if none begins there.
    [[nodiscard]] std::size_t comment_end(std::size_t i) const noexcept;
    /// Behind blanks and comments.
    [[nodiscard]] std::size_t skip_gap(std::size_t i) const noexcept;

private:
    enum class context : std::uint8_t { operand, operation, statement };

    static constexpr std::size_t index(bracket kind) noexcept { return static_cast<std::size_t>(kind); }
    void push(bracket kind);
    bracket pop();

    lexeme read_blanks(std::size_t p);
    lexeme read_word(std::size_t p);
    lexeme read_quote(std::size_t p);
    lexeme read_string(std::size_t p);
    lexeme read_template(std::size_t p, std::size_t from);
    lexeme read_opener(std::size_t p);
    lexeme read_closer(std::size_t p);
    lexeme read_slash(std::size_t p);
    lexeme read_comment(std::size_t p, std::size_t end);
    lexeme read_punctuator(std::size_t p);
    lexeme give(token kind, std::size_t begin, std::size_t end, context after);
    lexeme plain(std::size_t p, std::size_t size);

    [[nodiscard]] std::size_t string_end(std::size_t p) noexcept;
    [[nodiscard]] std::size_t line_end(std::size_t i) const noexcept;
    [[nodiscard]] bool is_apostrophe(std::size_t p);
    [[nodiscard]] bool closes_on_line(std::size_t p);
    [[nodiscard]] std::size_t regex_end(std::size_t p);
    [[nodiscard]] std::size_t slash_comment_end(std::size_t i) const noexcept;
    [[nodiscard]] bool begins_address(std::size_t slash) const noexcept;
    [[nodiscard]] bool matches(char closer) const noexcept;

    std::string_view text_;
    string_rule strings_;
    std::uint32_t max_depth_;
    std::size_t last_back_tick_, last_comment_end_, last_line_end_; ///< npos if there is none
    std::size_t position_ = 0;
    std::vector<bracket> stack_;
    std::size_t counts_[6] = {};
    context after_ = context::operation;
    open_token open_ = open_token::none;
    bool after_dot_ = false;     ///< the next word is the name of a property, whatever it spells
    bool after_control_ = false; ///< the next parenthesis is that of `if`, `while`, `for` or `with`
    bool too_deep_ = false;
    std::size_t word_begin_ = 0,
                word_end_ = 0; ///< the last name that is no keyword, if it was the last token
    // Searches that failed once fail for every start before these offsets.
    bool no_double_quote_ = false, no_single_quote_ = false; ///< a string of that kind did not close
    std::size_t no_close_before_ = 0, no_class_end_before_ = 0, no_slash_before_ = 0;
};

} // namespace jsonheal::sanitize_detail
