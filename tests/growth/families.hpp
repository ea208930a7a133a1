/// @file families.hpp
/// Families of texts that grow: each makes the same fault over and over until the text is as long as asked for.
///
/// They are what a hostile or a looping writer sends. Every family is a pure function of its size, so the same size
/// is the same text everywhere; a test asks only that the cost grows with the size and not faster.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace jsonheal::growth {

/// One family: `make(bytes)` gives a text of at least `bytes` and at most `bytes` + 256 bytes.
struct family {
    std::string_view name;
    std::string (*make)(std::size_t bytes);
};

/// `open`, then `unit` again and again, then `close`; at least `bytes` long.
inline std::string repeat(std::size_t bytes, std::string_view unit, std::string_view open = {},
                          std::string_view close = {}) {
    std::string text;
    text.reserve(bytes + open.size() + unit.size() + close.size());
    text += open;
    while (text.size() + close.size() < bytes) { text += unit; }
    text += close;
    return text;
}

/// As `repeat`, with a running number between `left` and `right`: no two pieces are the same.
inline std::string number(std::size_t bytes, std::string_view left, std::string_view right,
                          std::string_view open = {}, std::string_view close = {}) {
    std::string text;
    text.reserve(bytes + open.size() + left.size() + right.size() + close.size() + 16);
    text += open;
    for (std::size_t i = 0; text.size() + close.size() < bytes; ++i) {
        text += left;
        text += std::to_string(i);
        text += right;
    }
    text += close;
    return text;
}

/// `left` for half of the size, then `right` for the other half, with `middle` between.
inline std::string halves(std::size_t bytes, std::string_view left, std::string_view middle,
                          std::string_view right) {
    std::string text = repeat(bytes / 2, left);
    text += middle;
    text += repeat(bytes - bytes / 2, right);
    return text;
}

// ---- the measured families: each has broken some repair library

inline std::string deep_array(std::size_t n) { return repeat(n, "["); }
inline std::string deep_object(std::size_t n) { return repeat(n, "{\"a\":"); }
inline std::string open_braces(std::size_t n) { return repeat(n, "{"); }
inline std::string stray_quotes(std::size_t n) { return repeat(n, "say \"hi\" to ", "{\"a\":\"", "all\"}"); }
inline std::string quote_run(std::size_t n) { return repeat(n, "\"", "{\"a\":\"x", "y\"}"); }
inline std::string unclosed_commas(std::size_t n) { return repeat(n, "one, two: three, ", "{\"a\":\""); }
inline std::string missing_commas(std::size_t n) { return repeat(n, "{\"a\":1} ", "[", "]"); }
inline std::string ndjson(std::size_t n) { return number(n, "{\"id\":", ",\"ok\":true}\n"); }
inline std::string backslashes(std::size_t n) { return repeat(n, "\\", "{\"a\":\"", "\"}"); }
inline std::string unquoted_words(std::size_t n) { return repeat(n, "word ", "{a: ", "}"); }
inline std::string slashes(std::size_t n) { return repeat(n, "/"); }
inline std::string fences(std::size_t n) { return repeat(n, "```json\n"); }
inline std::string single_q_apos(std::size_t n) { return repeat(n, "it's Ann's ", "{'a':'", "'}"); }
inline std::string concat(std::size_t n) { return repeat(n, " + \"b\"", "{\"a\":\"a\"", "}"); }
inline std::string trailing_commas(std::size_t n) { return repeat(n, "[1,2,],", "[", "]"); }
inline std::string flat_valid(std::size_t n) { return number(n, ",{\"id\":", ",\"tag\":\"x\"}", "[0", "]"); }

// ---- blanks, commas and closers

inline std::string comma_then_blanks(std::size_t n) { return repeat(n, " ", "[1,", "2]"); }
inline std::string commas_and_blanks(std::size_t n) { return repeat(n, ", \n\t", "[1", "2]"); }
inline std::string only_blanks(std::size_t n) { return repeat(n, " \n"); }
inline std::string fullwidth_commas(std::size_t n) { return number(n, "，", "", "[0", "]"); }
inline std::string ellipses(std::size_t n) { return repeat(n, "1, ..., ", "[", "2]"); }
inline std::string closer_run(std::size_t n) { return repeat(n, "]}", "{\"a\":[1", ",2]}"); }
inline std::string early_closes(std::size_t n) { return number(n, ",\"k", "\":1}", "{\"a\":1}"); }
inline std::string value_mismatch(std::size_t n) { return repeat(n, "{\"a\":[}", "[", "]"); }
inline std::string mixed_brackets(std::size_t n) { return repeat(n, "[{(", "{\"a\":"); }
inline std::string bracket_soup(std::size_t n) { return repeat(n, "}[)]{("); }
inline std::string opened_then_closed_wrong(std::size_t n) { return halves(n, "[{\"a\":", "1", "]}"); }

// ---- openers that lead nowhere, and text that only looks like a value

inline std::string candidate_openers(std::size_t n) { return repeat(n, "{\""); }
inline std::string prose_braces(std::size_t n) { return repeat(n, "use {name} or [x, y) here; ", "Note: "); }
inline std::string half_objects_in_prose(std::size_t n) { return repeat(n, "like {\"a\": so it goes, "); }
inline std::string citations(std::size_t n) { return number(n, "as said [", "] "); }
inline std::string backticks(std::size_t n) { return repeat(n, "`"); }
inline std::string reopened_fences(std::size_t n) { return number(n, "```\n{\"id\":", "\n```\nand\n"); }
inline std::string think_opened(std::size_t n) { return repeat(n, "<think>"); }
inline std::string think_drafts(std::size_t n) {
    return number(n, "<think>maybe {\"n\":", "}</think>\n", "", "{\"n\":0}");
}
inline std::string unclosed_tags(std::size_t n) { return repeat(n, "<tool_call {\"a\" "); }
inline std::string special_tokens(std::size_t n) { return repeat(n, "<|im_end|>", "{\"a\":1}"); }
inline std::string hash_lines(std::size_t n) { return repeat(n, "# note\n", "{\n"); }
inline std::string comments_nested(std::size_t n) { return repeat(n, "/* a // b\n", "[1,"); }
inline std::string comments_closed(std::size_t n) { return repeat(n, "/* a */ 1, // b\n", "[", "]"); }
inline std::string parentheses(std::size_t n) { return repeat(n, "(1,", "{\"a\":"); }

// ---- members and words

inline std::string key_only_objects(std::size_t n) { return number(n, "{\"k", "\"}, ", "[", "]"); }
inline std::string key_only_members(std::size_t n) { return number(n, "\"k", "\", ", "{", "\"z\":1}"); }
inline std::string quote_colon_run(std::size_t n) { return repeat(n, "\":", "{\"a\":\""); }
inline std::string lost_value_quotes(std::size_t n) {
    return number(n, "\"k", "\":\"some text, ", "{", "\"z\":1}");
}
inline std::string lost_key_quotes(std::size_t n) { return number(n, "k", "\": 1, ", "{", "z\":1}"); }
inline std::string yaml_lines(std::size_t n) { return number(n, "key", ": some words\n", "{\n", "}"); }
inline std::string long_word(std::size_t n) { return repeat(n, "a", "{\"a\":", "}"); }
inline std::string long_key(std::size_t n) { return repeat(n, "k", "{\"", "\":1}"); }
inline std::string long_number(std::size_t n) { return repeat(n, "1234567890", "[", "]"); }
inline std::string digits_and_separators(std::size_t n) { return repeat(n, "1_0,0-", "{\"a\":", "}"); }

// ---- inside strings

inline std::string unicode_escapes_bare(std::size_t n) { return repeat(n, "\\u", "[\"", "\"]"); }
inline std::string surrogate_escapes(std::size_t n) { return repeat(n, "\\ud83d", "[\"", "\"]"); }
inline std::string escaped_whole(std::size_t n) {
    return number(n, ",\\\"k", "\\\":\\\"v\\\"", "{\\\"a\\\":1", "}");
}
inline std::string escaped_quotes(std::size_t n) { return repeat(n, "\\\"", "{\"a\":\"", "\"}"); }
inline std::string triple_quotes(std::size_t n) { return repeat(n, "\"\"\"", "{\"a\":"); }
inline std::string single_quotes(std::size_t n) { return repeat(n, "'", "["); }
inline std::string curly_quotes(std::size_t n) { return repeat(n, "“a”, ", "[", "]"); }
inline std::string windows_paths(std::size_t n) { return repeat(n, "\"C:\\new\\table\\x\", ", "[", "]"); }
inline std::string latex(std::size_t n) { return repeat(n, "\\frac{1}{n} \\sigma ", "{\"a\":\"", "\"}"); }
inline std::string raw_lines(std::size_t n) { return repeat(n, "x = [1, 2]\n", "{\"a\":\"", "\"}"); }
inline std::string invalid_utf8(std::size_t n) { return repeat(n, "\xFF\xC3(", "[\"", "\"]"); }
inline std::string invalid_utf8_outside(std::size_t n) { return repeat(n, "\xE2\x80", "{\"a\":"); }

/// All families, in the order above.
inline std::span<const family> families() {
#define JSONHEAL_FAMILY(f)                                                                                   \
    family { #f, f }
    static constexpr family all[] = {
        JSONHEAL_FAMILY(deep_array),
        JSONHEAL_FAMILY(deep_object),
        JSONHEAL_FAMILY(open_braces),
        JSONHEAL_FAMILY(stray_quotes),
        JSONHEAL_FAMILY(quote_run),
        JSONHEAL_FAMILY(unclosed_commas),
        JSONHEAL_FAMILY(missing_commas),
        JSONHEAL_FAMILY(ndjson),
        JSONHEAL_FAMILY(backslashes),
        JSONHEAL_FAMILY(unquoted_words),
        JSONHEAL_FAMILY(slashes),
        JSONHEAL_FAMILY(fences),
        JSONHEAL_FAMILY(single_q_apos),
        JSONHEAL_FAMILY(concat),
        JSONHEAL_FAMILY(trailing_commas),
        JSONHEAL_FAMILY(flat_valid),
        JSONHEAL_FAMILY(comma_then_blanks),
        JSONHEAL_FAMILY(commas_and_blanks),
        JSONHEAL_FAMILY(only_blanks),
        JSONHEAL_FAMILY(fullwidth_commas),
        JSONHEAL_FAMILY(ellipses),
        JSONHEAL_FAMILY(closer_run),
        JSONHEAL_FAMILY(early_closes),
        JSONHEAL_FAMILY(value_mismatch),
        JSONHEAL_FAMILY(mixed_brackets),
        JSONHEAL_FAMILY(bracket_soup),
        JSONHEAL_FAMILY(opened_then_closed_wrong),
        JSONHEAL_FAMILY(candidate_openers),
        JSONHEAL_FAMILY(prose_braces),
        JSONHEAL_FAMILY(half_objects_in_prose),
        JSONHEAL_FAMILY(citations),
        JSONHEAL_FAMILY(backticks),
        JSONHEAL_FAMILY(reopened_fences),
        JSONHEAL_FAMILY(think_opened),
        JSONHEAL_FAMILY(think_drafts),
        JSONHEAL_FAMILY(unclosed_tags),
        JSONHEAL_FAMILY(special_tokens),
        JSONHEAL_FAMILY(hash_lines),
        JSONHEAL_FAMILY(comments_nested),
        JSONHEAL_FAMILY(comments_closed),
        JSONHEAL_FAMILY(parentheses),
        JSONHEAL_FAMILY(key_only_objects),
        JSONHEAL_FAMILY(key_only_members),
        JSONHEAL_FAMILY(quote_colon_run),
        JSONHEAL_FAMILY(lost_value_quotes),
        JSONHEAL_FAMILY(lost_key_quotes),
        JSONHEAL_FAMILY(yaml_lines),
        JSONHEAL_FAMILY(long_word),
        JSONHEAL_FAMILY(long_key),
        JSONHEAL_FAMILY(long_number),
        JSONHEAL_FAMILY(digits_and_separators),
        JSONHEAL_FAMILY(unicode_escapes_bare),
        JSONHEAL_FAMILY(surrogate_escapes),
        JSONHEAL_FAMILY(escaped_whole),
        JSONHEAL_FAMILY(escaped_quotes),
        JSONHEAL_FAMILY(triple_quotes),
        JSONHEAL_FAMILY(single_quotes),
        JSONHEAL_FAMILY(curly_quotes),
        JSONHEAL_FAMILY(windows_paths),
        JSONHEAL_FAMILY(latex),
        JSONHEAL_FAMILY(raw_lines),
        JSONHEAL_FAMILY(invalid_utf8),
        JSONHEAL_FAMILY(invalid_utf8_outside),
    };
#undef JSONHEAL_FAMILY
    return all;
}

} // namespace jsonheal::growth
