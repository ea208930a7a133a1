/// @file sanitizer.hpp
/// The pass over JSON-like text that knows, at every byte, whether a key or a value may stand there.
#pragma once

#include "expression.hpp"
#include "lexer.hpp"
#include "rewriter.hpp"
#include "strings.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace jsonheal::sanitize_detail {

class sanitizer {
public:
    sanitizer(std::string_view text, const sanitize_options& options);
    rewritten run();

private:
    enum class place : std::uint8_t { key, colon, value, after };

    struct frame {
        rewriter::mark before; ///< its opener, and what had come out before it
        surroundings kind;     ///< never root
        place at;
        std::uint8_t undone = 0; ///< how often parts of it were taken back, to be read as an expression
        bool implicit = false;   ///< an object whose brace was lost
        bool has_member = false;
    };

    // the text outside objects and arrays
    void read_root();
    void step_outside();
    [[nodiscard]] bool opens_object(std::size_t i) const;
    [[nodiscard]] bool opens_array(std::size_t i) const;
    [[nodiscard]] bool is_root_expression();
    [[nodiscard]] bool begins_function(std::size_t i) const;
    [[nodiscard]] bool begins_arrow(std::size_t i);

    // inside
    void step_inside();
    void open(surroundings kind);
    void close(char closer);
    void close_frame();
    bool read_separator(char c);
    void read_key();
    void read_quoted_key();
    void read_method(const method_head& head);
    void read_spread();
    bool read_computed_key();
    bool read_name();
    [[nodiscard]] bool is_shorthand(std::size_t name_end);
    void read_colon();
    void read_after();

    // values
    void read_value();
    void read_strings();
    [[nodiscard]] std::size_t skip_strings(bool write);
    void read_template();
    [[nodiscard]] std::size_t tuple_end() const;
    [[nodiscard]] std::size_t curly_string_end() const;
    [[nodiscard]] std::size_t prefixed_string_end() const;
    void read_expression();
    [[nodiscard]] bool operator_follows(std::size_t end) const;
    void put_value(const expression& found);
    void put_kept(const expression& found, rule why);
    void value_done(std::size_t end);

    [[nodiscard]] char at(std::size_t i) const noexcept { return byte_at(text_, i); }
    /// The offset behind the double-quoted string at `i`.
    [[nodiscard]] std::size_t string_end(std::size_t i) const noexcept {
        for (++i; i < text_.size() && text_[i] != '"'; ++i) { i += text_[i] == '\\' ? 1U : 0U; }
        return std::min(i + 1, text_.size());
    }
    /// Behind the word or character at `i`; an escape is one character.
    [[nodiscard]] std::size_t skip_one(std::size_t i) const noexcept {
        if (is_word(at(i))) { return skip_word(text_, i); }
        return std::min(text_.size(), i + (at(i) == '\\' ? 2U : 1U));
    }
    [[nodiscard]] frame& top() noexcept { return frames_.back(); }
    [[nodiscard]] std::string_view word_at(std::size_t i) const noexcept {
        return text_.substr(i, skip_word(text_, i) - i);
    }
    [[nodiscard]] cut_place cut() const;

    std::string_view text_;
    const sanitize_options& options_;
    rewriter out_;
    lexer lex_;
    single_quotes single_;
    std::vector<frame> frames_;
    std::size_t arrays_ = 0;
    std::size_t p_ = 0;
    std::size_t names_until_ = 0; ///< up to here names in a row were looked at: `{a, b, c: 1}`
    bool are_members_ = false;    ///< and each is a member of its own
    cut_place cut_ = cut_place::none;
};

} // namespace jsonheal::sanitize_detail
