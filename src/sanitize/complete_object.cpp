// Lost braces.

#include "lexer.hpp"
#include "rewriter.hpp"

#include <algorithm>
#include <string>

namespace jsonheal {

namespace {

using namespace sanitize_detail;

/// Closes a string, template or comment that the end of the text stands in.
void close_token(std::string_view text, open_token open, rewriter& out) {
    struct closer {
        std::string_view text;
        rule why;
    };
    constexpr closer closers[] = {
        {"", rule::cut_string},  {"\"", rule::cut_string},         {"'", rule::cut_string},
        {"`", rule::cut_string}, {"\n", rule::closer_missing_end}, {"*/", rule::closer_missing_end},
    };
    if (open == open_token::none) { return; }
    const std::size_t end = text.size();
    const std::size_t last = text.find_last_not_of('\\');
    const bool escaped = (end - (last == std::string_view::npos ? 0 : last + 1)) % 2 != 0;
    const bool string = open != open_token::line_comment && open != open_token::block_comment;
    if (string && escaped) { out.put(end - 1, end, {}, rule::cut_escape); }
    const closer& c = closers[static_cast<std::size_t>(open)];
    out.put(end, end, c.text, c.why);
}

rewritten complete(std::string_view text, const sanitize_options& options) {
    rewriter out(text, options);
    if (text.size() > options.limits.bytes) { out.refuse("the text is longer than the limit of bytes", 0); }
    const std::size_t mark = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    const bool lost = byte_at(text, skip_blanks(text, mark)) != '{';
    lexer lex(text, string_rule::json, options.limits.depth);
    if (lost) {
        out.put(mark, mark, "{", rule::opener_missing);
        lex.start_inside_object(mark);
    } else {
        lex.start(mark);
    }
    bool whole = lost; // until now nothing but the braces around the text is missing
    while (!out.refused() && lex.next().kind != token::end) { whole = whole && lex.depth() > 0; }
    if (lex.too_deep()) { out.refuse("the text is nested deeper than the limit", 0); }

    std::string braces;
    const std::vector<bracket>& open = lex.open_brackets();
    for (auto b = open.rbegin(); b != open.rend(); ++b) {
        if (*b == bracket::object || *b == bracket::block) { braces.push_back('}'); }
        if (*b == bracket::substitution) { braces.append("}`"); }
    }
    if (braces.empty()) { return out.finish(cut_place::none); }
    close_token(text, lex.open(), out);
    out.put(text.size(), text.size(), braces, rule::closer_missing_end);
    // Of a text that lost both its braces nothing else need be missing.
    whole = whole && open.size() == 1 && lex.open() == open_token::none;
    const bool in_string = lex.open() != open_token::none && lex.open() != open_token::line_comment &&
                           lex.open() != open_token::block_comment;
    return out.finish(whole ? cut_place::none : in_string ? cut_place::in_string : cut_place::closers);
}

} // namespace

rewritten complete_object(std::string_view text, const sanitize_options& options) {
    if (text.empty()) { return rewriter(text, options).finish(cut_place::none); }
    return complete(text, options);
}

} // namespace jsonheal
