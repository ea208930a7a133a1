// Text without JSON: what stands around it, and whether it is a value or a command line.

#include "ascii.hpp"
#include "writer.hpp"

#include <algorithm>
#include <iterator>

namespace jsonheal::args_detail {

namespace {

// The first words with which a command line of @coder begins.
constexpr std::string_view subcommands[] = {"read",     "write",   "patch",       "tree",      "search",
                                            "exec",     "test",    "rollback",    "clean",     "git-status",
                                            "git-diff", "git-log", "git-changed", "git-branch"};
// What other languages write for "no arguments".
constexpr std::string_view null_words[] = {"null", "None", "undefined", "nil", "NULL", "Null", "NONE"};
// Fields that hold the name of a file or of a directory: [id].tsx is one.
constexpr std::string_view path_fields[] = {"file", "file_path", "filepath", "filename",
                                            "path", "dir",       "directory"};
constexpr std::string_view reasoning_tags[] = {"think", "thinking", "thought", "reasoning", "analysis"};

std::string_view first_word(std::string_view text) noexcept {
    std::size_t end = 0;
    while (end < text.size() && !is_blank(text[end])) { ++end; }
    return text.substr(0, end);
}

/// <|call|>, <|im_end|>, <｜end▁of▁sentence｜>: bytes of the token that the text ends with.
std::size_t token_behind(std::string_view text) noexcept {
    constexpr std::size_t longest = 64;
    const bool ascii = text.ends_with("|>"), wide = text.ends_with("\xEF\xBD\x9C>");
    if (!ascii && !wide) { return 0; }
    const std::size_t from = text.size() > longest ? text.size() - longest : 0;
    const std::size_t open = text.substr(from).rfind(ascii ? "<|" : "<\xEF\xBD\x9C");
    if (open == std::string_view::npos) { return 0; }
    const std::string_view token = text.substr(from + open);
    const std::size_t frame = ascii ? 2 : 4;
    if (token.size() < 2 * frame || std::any_of(token.begin() + 1, token.end() - 1, [](char c) {
            return is_blank(c) || c == '<' || c == '>' || c == '"' || c == '\'';
        })) {
        return 0;
    }
    return token.size();
}

/// <|…|> at the beginning.
std::size_t token_before(std::string_view text) noexcept {
    if (!text.starts_with("<|")) { return 0; }
    const std::size_t close = text.substr(0, 64).find("|>", 2);
    if (close == std::string_view::npos) { return 0; }
    return token_behind(text.substr(0, close + 2)) == close + 2 ? close + 2 : 0;
}

/// <think>…</think> at the beginning.
std::size_t reasoning_before(std::string_view text) noexcept {
    if (!text.starts_with('<')) { return 0; }
    for (const std::string_view tag : reasoning_tags) {
        if (!text.substr(1).starts_with(tag) || text.substr(1 + tag.size(), 1) != ">") { continue; }
        const std::size_t close = text.find("</", 1);
        for (std::size_t at = close; at != std::string_view::npos; at = text.find("</", at + 2)) {
            if (text.substr(at + 2).starts_with(tag) && text.substr(at + 2 + tag.size(), 1) == ">") {
                return at + 3 + tag.size();
            }
        }
    }
    return 0;
}

/// A fence around all of it: the range of the lines inside.
span inside_fence(std::string_view text, span s) noexcept {
    const std::string_view t = s.of(text);
    if (t.size() < 8 || !t.starts_with("```") || !t.ends_with("```")) { return s; }
    const std::size_t line = t.find('\n');
    const std::size_t last = t.size() - 3;
    if (line == std::string_view::npos || line >= last || t.find("```", 3) != last) { return s; }
    const std::string_view info = trimmed(t.substr(3, line - 3));
    if (std::any_of(info.begin(), info.end(), [](char c) { return is_blank(c); })) { return s; }
    return {s.begin + line + 1, s.begin + last};
}

/// <![CDATA[main.go]]>
span inside_cdata(std::string_view text, span s) noexcept {
    const std::string_view t = s.of(text);
    const bool all = t.starts_with(cdata_open) && t.find("]]>") == t.size() - 3;
    return all ? span{s.begin + cdata_open.size(), s.end - 3} : s;
}

/// `main.go` in Markdown's quotes. In a pattern they may be meant.
span inside_ticks(std::string_view text, span s, const tool_spec* spec) noexcept {
    const std::string_view t = s.of(text);
    const bool pattern = takes_any_text(spec) && !spec->is_shell();
    if (t.size() < 2 || !t.starts_with('`') || t.find('`', 1) != t.size() - 1 || pattern) { return s; }
    return {s.begin + 1, s.end - 1};
}

/// Behind `file:` or `file=`, the name of the tool's field; quotes around the rest go with it. `x=y` is shell.
span behind_label(std::string_view text, span s, const tool_spec* spec) noexcept {
    const std::string_view t = s.of(text);
    if (spec == nullptr || spec->field.empty() || t.size() <= spec->field.size() ||
        !same_word(t.substr(0, spec->field.size()), spec->field)) {
        return s;
    }
    std::size_t i = spec->field.size();
    if (t.substr(i).starts_with("://")) { return s; }
    if (t[i] != ':' && (t[i] != '=' || spec->is_shell())) { return s; }
    i += 1 + blanks_before(t.substr(i + 1));
    if (i >= t.size()) { return s; }
    span value{s.begin + i, s.end};
    const char quote = t[i];
    if ((quote == '"' || quote == '\'') && t.size() - i >= 2 && t.find(quote, i + 1) == t.size() - 1) {
        value = {value.begin + 1, value.end - 1};
    }
    return value;
}

span trim(std::string_view text, span s) noexcept {
    s.begin += blanks_before(s.of(text));
    s.end -= blanks_behind(s.of(text));
    return s;
}

} // namespace

bool is_null_word(std::string_view text, const tool_spec* spec) noexcept {
    if (takes_any_text(spec) && !spec->is_shell()) { return text == "null"; } // one may search for None
    return std::find(std::begin(null_words), std::end(null_words), text) != std::end(null_words);
}

bool looks_like_path(std::string_view text, const tool_spec* spec) noexcept {
    if (text.empty() || spec == nullptr ||
        std::find(std::begin(path_fields), std::end(path_fields), std::string_view(spec->field)) ==
            std::end(path_fields)) {
        return false;
    }
    const auto closes = [](char c) { return c == '}' || c == ']' || c == ')'; };
    if (closes(text.back()) ||
        (text.find('}') == std::string_view::npos && text.find(']') == std::string_view::npos &&
         text.find(')') == std::string_view::npos)) {
        return false;
    }
    std::size_t close = text.size() - 1;
    while (!closes(text[close])) { --close; }
    return (text[close + 1] == '.' || text[close + 1] == '/' || text[close + 1] == '\\' ||
            text[close + 1] == '-' || text[close + 1] == '_') &&
           text.find_first_of(" \t\r\n,:;\"'`") == std::string_view::npos;
}

std::size_t open_fence(std::string_view text, const tool_spec* spec) noexcept {
    const bool pattern = takes_any_text(spec) && !spec->is_shell();
    if (pattern || !text.starts_with("```") || text.find("```", 3) != std::string_view::npos) { return 0; }
    return std::min(text.find('\n'), text.size() - 1) + 1;
}

bool has_flag(std::string_view text) noexcept {
    std::size_t i = first_word(text).size();
    while (i < text.size()) {
        while (i < text.size() && is_blank(text[i])) { ++i; }
        const std::string_view word = first_word(text.substr(i));
        if (word.size() > 2 && word.starts_with("--") && is_letter(word[2])) { return true; }
        if (word.size() == 2 && word[0] == '-' && is_letter(word[1])) { return true; }
        i += word.size();
    }
    return false;
}

bool looks_like_command_line(std::string_view text, std::string_view tool, const tool_spec* spec) noexcept {
    if (spec != nullptr && spec->is_shell()) { return false; }
    const std::string_view first = first_word(text);
    if (trimmed(text).size() == first.size()) { return false; } // one word is a value
    if (has_flag(text)) { return true; }
    if (spec == nullptr) { return false; }
    if (spec->bare == tool_spec::bare_text::subcommands) {
        return std::any_of(std::begin(subcommands), std::end(subcommands),
                           [&](std::string_view s) { return same_word(s, first); });
    }
    return same_word(first, tool) || first == spec->name; // read main.go
}

span bare_core(std::string_view text, const tool_spec* spec) noexcept {
    span s = trim(text, {0, text.size()});
    for (;;) {
        const std::size_t before = std::max(token_before(s.of(text)), reasoning_before(s.of(text)));
        const std::size_t behind = token_behind(text.substr(s.begin + before, s.end - s.begin - before));
        if (before == 0 && behind == 0) { break; }
        s = trim(text, {s.begin + before, s.end - behind});
    }
    s = trim(text, inside_cdata(text, s));
    s = trim(text, inside_fence(text, s));
    s = trim(text, {s.begin + open_fence(s.of(text), spec), s.end});
    s = trim(text, inside_ticks(text, s, spec));
    return s.of(text).find('\n') == std::string_view::npos ? behind_label(text, s, spec) : s;
}

} // namespace jsonheal::args_detail
