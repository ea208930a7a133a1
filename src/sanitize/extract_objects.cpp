// Balanced objects in a text.

#include "lexer.hpp"

#include <jsonheal/sanitize.hpp>

#include <algorithm>

namespace jsonheal {

namespace {

using namespace sanitize_detail;

constexpr std::size_t none = std::string_view::npos;

class object_finder {
public:
    object_finder(std::string_view text, std::uint32_t max_depth)
        : text_(text), lex_(text, string_rule::json, max_depth) {}

    std::vector<std::string_view> run() {
        std::size_t p = 0;
        while ((p = text_.find_first_of("{\"", p)) != none) {
            p = text_[p] == '{' ? read_object(p) : skip_quoted_brace(p);
            if (lex_.too_deep()) { return {}; }
        }
        return std::move(found_);
    }

private:
    struct opener {
        std::size_t begin;
        std::size_t found_before; ///< objects listed before it; those behind are inside it
    };

    /// Lists the object at `p`, or if it never closes those inside. Returns where to go on.
    std::size_t read_object(std::size_t p) {
        open_.clear();
        lex_.start(p);
        for (;;) {
            const lexeme l = lex_.next();
            if (l.kind == token::end) { return text_.size(); }
            if (l.kind == token::opener && text_[l.begin] == '{') {
                open_.push_back({l.begin, found_.size()});
            }
            if (l.kind == token::closer && l.matched && text_[l.begin] == '}') {
                close(l.end);
                if (open_.empty()) { return l.end; }
            }
            // What never closes hides nothing: the text goes on behind its quote.
            if (lex_.open() != open_token::none) { return l.begin + 1; }
        }
    }

    void close(std::size_t end) {
        const opener o = open_.back();
        open_.pop_back();
        found_.resize(o.found_before);
        found_.push_back(text_.substr(o.begin, end - o.begin));
    }

    /// In prose quotes hide no object, but braces without a mate between them are no object's: `"{"`.
    std::size_t skip_quoted_brace(std::size_t p) const {
        const bool opens =
            p == 0 || is_blank(text_[p - 1]) || std::string_view("([,:=").find(text_[p - 1]) != none;
        if (!opens) { return p + 1; }
        std::size_t depth = 0;
        bool lone = false;
        std::size_t i = p + 1;
        for (; i < text_.size() && text_[i] != '"' && text_[i] != '\n'; ++i) {
            if (text_[i] == '\\') {
                ++i;
            } else if (text_[i] == '{') {
                ++depth;
            } else if (text_[i] == '}') {
                depth == 0 ? void(lone = true) : void(--depth);
            }
        }
        const char next = byte_at(text_, i + 1);
        const bool closes = byte_at(text_, i) == '"' && (i + 1 == text_.size() || is_blank(next) ||
                                                         std::string_view(".,;:!?)]").find(next) != none);
        return closes && (lone || depth > 0) ? i + 1 : p + 1;
    }

    std::string_view text_;
    lexer lex_;
    std::vector<std::string_view> found_;
    std::vector<opener> open_;
};

} // namespace

std::vector<std::string_view> extract_objects(std::string_view text, const sanitize_limits& limits) {
    if (text.size() > limits.bytes) { return {}; }
    return object_finder(text, limits.depth).run();
}

} // namespace jsonheal
