// Is an object that stands in a text the arguments? `Here: {"a":1}` has arguments, `curl -d '{"a":1}'` is a command.

#include "ascii.hpp"
#include "writer.hpp"

#include <algorithm>
#include <iterator>

namespace jsonheal::args_detail {

namespace {

// Fields whose values are patterns and phrases: brackets and braces are at home in them.
constexpr std::string_view pattern_fields[] = {"pattern", "term", "regex", "query", "glob", "search"};

/// Is the first key quoted, whatever the quotes? The typographic ones begin with bytes of E2.
bool first_key_quoted(std::string_view text, std::size_t begin) noexcept {
    std::size_t i = begin + 1;
    while (i < text.size() && (is_blank(text[i]) || text[i] == '{')) { ++i; }
    return i < text.size() &&
           (text[i] == '"' || text[i] == '\'' || text[i] == '`' || text[i] == '\\' || text[i] == '\xE2');
}

/// Is one of its keys one that the tool takes, or is it a call of the tool?
bool has_known_key(std::string_view json, std::string_view tool, const tool_spec* spec) {
    const std::size_t begin = skip_blanks(json, 0);
    if (begin >= json.size() || json[begin] != '{') { return false; }
    if (wrapped_arguments(json, begin, tool, spec)) { return true; }
    if (spec == nullptr) { return false; }
    member_walk walk(json, begin);
    member_span m;
    while (walk.next(m)) {
        if (m.name(json) == spec->field || spec->find_property(m.name(json)) != nullptr) { return true; }
    }
    return false;
}

/// Does what stands before a place announce a value: a line of its own, a bullet, a colon, a tag, a fence, the end of a sentence?
bool is_announced(std::string_view before) noexcept {
    const std::string_view core = before.substr(0, before.size() - blanks_behind(before));
    if (core.empty() || before.substr(core.size()).find('\n') != std::string_view::npos) { return true; }
    if (std::string_view(":>`.!?").find(core.back()) != std::string_view::npos) { return true; }
    if (core.back() == '*' || core.back() == '-') { // else an operator
        const std::size_t line = core.rfind('\n');
        return trimmed(core.substr(line == std::string_view::npos ? 0 : line)).size() == 1;
    }
    return core.ends_with("\xEF\xBC\x9A") || core.ends_with("\xE3\x80\x82"); // ： 。
}

/// Is a place glued to what stands before it, as in `'{"a":1}'` or `f({a: 1})`?
bool is_glued(std::string_view before) noexcept {
    if (before.empty()) { return false; }
    const char c = before.back();
    return !is_blank(c) && c != ':' && c != '>' && c != '`' && static_cast<unsigned char>(c) < 0x80;
}

/// The whole text in quotes: `'{"a":1}'`
bool is_quoted_whole(std::string_view text, place where) noexcept {
    const std::string_view before = trimmed(text.substr(0, where.begin)),
                           behind = trimmed(text.substr(where.end));
    return before.size() == 1 && before == behind && (before == "'" || before == "\"" || before == "`");
}

bool is_empty_object(std::string_view json) noexcept {
    const std::size_t begin = skip_blanks(json, 0);
    return begin < json.size() && json[begin] == '{' && skip_blanks(json, begin + 1) < json.size() &&
           json[skip_blanks(json, begin + 1)] == '}';
}

} // namespace

bool takes_any_text(const tool_spec* spec) noexcept {
    return spec != nullptr &&
           (spec->is_shell() || std::find(std::begin(pattern_fields), std::end(pattern_fields),
                                          std::string_view(spec->field)) != std::end(pattern_fields));
}

bool is_meant(std::string_view text, place where, std::string_view healed, std::string_view tool,
              const tool_spec* spec) {
    const std::string_view before = text.substr(0, where.begin);
    const bool quoted = first_key_quoted(text, where.begin);
    if (where.starts_text) {
        if (!takes_any_text(spec)) { return true; }
        if (text[where.begin] != '{') {
            return has_known_key(healed, tool, spec);
        } // "name": "x" is a fine pattern
        if (quoted) { return true; }
        // { echo a:b; } is a group of the shell, {cmd: ls} is not
        const bool blank = where.begin + 1 < text.size() && is_blank(text[where.begin + 1]);
        return has_known_key(healed, tool, spec) || (!blank && where.end == text.size());
    }
    if (is_quoted_whole(text, where)) { return true; }
    const std::size_t call = call_notation(trimmed(before), tool);
    if (call != 0 && call == trimmed(before).size()) { return true; } // f({"a":1})
    const bool empty = is_empty_object(healed);
    if (spec == nullptr || spec->field.empty()) {
        return !(empty && !is_announced(before)) && !(has_flag(before) && !is_announced(before));
    }
    if (takes_any_text(spec)) {
        return is_announced(before) && before.find("<<") == std::string_view::npos &&
               has_known_key(healed, tool, spec);
    }
    if (empty) { return is_announced(before) && !is_glued(before); }
    if (is_glued(before) || (has_flag(before) && !is_announced(before))) { return false; }
    return quoted || is_announced(before) || has_known_key(healed, tool, spec);
}

} // namespace jsonheal::args_detail
