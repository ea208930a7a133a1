// Is an object that stands in a text the arguments? `Here: {"a":1}` has arguments, `curl -d '{"a":1}'` is a command.

#include "ascii.hpp"
#include "writer.hpp"

#include <algorithm>
#include <iterator>

namespace jsonheal::args_detail {

namespace {

// Fields whose values are patterns and phrases: brackets and braces are at home in them.
constexpr std::string_view pattern_fields[] = {"pattern", "term", "regex", "query", "glob", "search"};

// Commands that models write for a shell, with which no sentence begins.
constexpr std::string_view shell_commands[] = {
    "awk",     "aws",    "az",        "cat",     "cd",    "chmod", "cp",     "curl",  "docker", "echo",
    "env",     "export", "find",      "gcloud",  "gh",    "git",   "go",     "grep",  "head",   "helm",
    "http",    "java",   "jq",        "kubectl", "ls",    "make",  "mkdir",  "mongo", "mv",     "mysql",
    "node",    "npm",    "npx",       "perl",    "php",   "pip",   "printf", "psql",  "pwsh",   "python",
    "python3", "rg",     "rm",        "rsync",   "ruby",  "scp",   "sed",    "sh",    "ssh",    "sudo",
    "tail",    "tee",    "terraform", "wget",    "xargs", "yq",    "zsh"};
// const args = {…}
constexpr std::string_view declarations[] = {"const", "let", "var", "auto"};

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

/// Letters, blanks, apostrophes and commas, and no more.
bool is_words(std::string_view text) noexcept {
    return std::all_of(text.begin(), text.end(), [](char c) {
        return is_letter(c) || is_blank(c) || c == '\'' || c == ',' || static_cast<unsigned char>(c) >= 0x80;
    });
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

/// const args = {a: 1}
bool is_assignment(std::string_view before) noexcept {
    std::string_view core = trimmed(before);
    if (!core.ends_with('=')) { return false; }
    core = trimmed(core.substr(0, core.size() - 1));
    const std::size_t blank = core.find_first_of(" \n\t");
    return blank != std::string_view::npos &&
           std::find(std::begin(declarations), std::end(declarations), core.substr(0, blank)) !=
               std::end(declarations) &&
           is_words(core.substr(blank));
}

/// What a shell would take for its own: an object in quotes, behind a flag, or before a redirection.
/// `git commit -m "fix: {cmd: x}"`, `echo command: {"command":"x"} > f`
bool is_part_of_command(std::string_view text, place where) noexcept {
    const std::string_view before = text.substr(0, where.begin);
    const std::string_view line = before.substr(before.rfind('\n') + 1);
    const std::string_view behind = text.substr(where.end);
    // a fence inside a quoted word, and `date` {…}
    if (const std::size_t fence = before.rfind("```"); fence != std::string_view::npos) {
        if (fence != 0 && (before[fence - 1] == '"' || before[fence - 1] == '\'')) { return true; }
    } else if (!before.empty() && is_blank(before.back()) && trimmed(line).ends_with('`')) {
        return true;
    }
    const std::string_view start = trimmed(before);
    if (has_flag(line) || std::binary_search(std::begin(shell_commands), std::end(shell_commands),
                                             start.substr(0, start.find_first_of(" \n\t")))) {
        return true;
    }
    for (const char quote : {'"', '\''}) {
        const bool open = std::count(line.begin(), line.end(), quote) % 2 != 0;
        if (open && behind.substr(0, behind.find('\n')).find(quote) != std::string_view::npos) {
            return true;
        }
    }
    const std::string_view rest = trimmed(behind.substr(0, behind.find('\n')));
    return !rest.empty() && std::string_view(">|&;<").find(rest.front()) != std::string_view::npos &&
           !rest.starts_with("</") && !rest.starts_with("<|") && rest != ";" && rest != "<";
}

/// Words of a sentence that leads to an object: `The command is {…}`. A command of the shell begins with a small letter.
bool is_sentence(std::string_view before) noexcept {
    const std::string_view core = trimmed(before);
    return core == "json" || (!core.empty() && core.front() >= 'A' && core.front() <= 'Z' && is_words(core) &&
                              core.find(' ') != std::string_view::npos);
}

/// A comment, commas, escaped line ends: nothing that means something.
bool is_noise(std::string_view before) noexcept {
    std::string_view core = trimmed(before);
    if (core.starts_with("/*")) { return core.find("*/") == core.size() - 2; }
    while (!core.empty()) {
        if (core.starts_with("\\n") || core.starts_with("\\r") || core.starts_with("\\t")) {
            core.remove_prefix(2);
        } else if (core.front() == ',' || core.front() == ';' || is_blank(core.front())) {
            core.remove_prefix(1);
        } else {
            return false;
        }
    }
    return true;
}

/// Is a place glued to what stands before it, as in `'{"a":1}'` or `f({a: 1})`?
bool is_glued(std::string_view before) noexcept {
    if (before.empty()) { return false; }
    const char c = before.back();
    return !is_blank(c) && c != ':' && c != '>' && c != '`' && static_cast<unsigned char>(c) < 0x80;
}

/// <parameter=settings>{"a":1}: the value of one argument, not all of them
bool is_parameter(std::string_view before) noexcept {
    const std::string_view core = trimmed(before);
    const std::size_t tag = core.rfind('<');
    return core.ends_with('>') && tag != std::string_view::npos &&
           (core.substr(tag).starts_with("<parameter") || core.substr(tag).starts_with("<arg_value"));
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

bool is_frame(std::string_view before) noexcept {
    constexpr std::string_view shells[] = {"sh", "bash", "shell", "zsh", "console", "powershell"};
    std::string_view core = trimmed(before);
    if (core.starts_with("```")) {
        const std::string_view info = core.substr(3);
        return is_words(info) && info.find_first_of(" \n") == std::string_view::npos &&
               std::find(std::begin(shells), std::end(shells), info) == std::end(shells);
    }
    if (core.starts_with('<')) {
        return core.find('>') == core.size() - 1 && core.find(' ') == std::string_view::npos;
    }
    if (!core.ends_with(':')) { return false; }
    core.remove_suffix(1);
    return !core.empty() && core.front() >= 'A' && core.front() <= 'Z' && is_words(core);
}

bool takes_any_text(const tool_spec* spec) noexcept {
    return spec != nullptr &&
           (spec->is_shell() || std::find(std::begin(pattern_fields), std::end(pattern_fields),
                                          std::string_view(spec->field)) != std::end(pattern_fields));
}

bool is_meant(std::string_view text, place where, std::string_view healed, std::string_view tool,
              const tool_spec* spec) {
    const std::string_view before = text.substr(0, where.begin), core = trimmed(before);
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
    if (is_parameter(before)) { return false; }
    if (core.ends_with('(') && call_notation(core, tool) == core.size()) { return true; } // f({"a":1})
    const bool empty = is_empty_object(healed);
    if (is_null_word(core, spec) || core == "\"\"") { return !empty; } // null{"a":1}
    if (is_noise(before)) { return quoted && !empty; }
    if (is_name_of(core, tool)) { return quoted; } // f:0 {"a":1}
    if (spec == nullptr || spec->field.empty()) {
        return is_announced(before) || !(empty || has_flag(before));
    }
    if (takes_any_text(spec)) {
        return (is_announced(before) || (quoted && is_sentence(before))) &&
               before.find("<<") == std::string_view::npos && !is_part_of_command(text, where) &&
               (has_known_key(healed, tool, spec) ||
                (quoted && !empty && spec->is_shell() && is_frame(before)));
    }
    if (empty) { return is_announced(before) && !is_glued(before); }
    if (is_glued(before) || (!is_announced(before) && has_flag(before))) { return false; }
    return quoted || is_announced(before) || is_assignment(before) || has_known_key(healed, tool, spec);
}

} // namespace jsonheal::args_detail
