// A bare value becomes the member of the tool's field, or passes through.

#include "ascii.hpp"
#include "writer.hpp"

#include <array>
#include <utility>

namespace jsonheal {

namespace {

using namespace args_detail;

/// Bytes that stand for themselves inside of a JSON string.
constexpr std::array<bool, 256> plain_bytes = [] {
    std::array<bool, 256> table{};
    for (std::size_t c = 0x20; c < 0x80; ++c) { table[c] = c != '"' && c != '\\'; }
    return table;
}();

/// The escapes that bare text needs inside of a JSON string, as changes of [s.begin, s.end).
void escape(std::string_view text, span s, edit_log& log) {
    constexpr std::string_view hex = "0123456789abcdef";
    for (std::size_t i = s.begin; i < s.end;) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (plain_bytes[c]) {
            ++i;
            continue;
        }
        if (c >= 0x80) {
            const unicode::decoded d = unicode::decode(text.substr(i, s.end - i));
            if (d.size == 0) { log.emplace_back(i, i + d.bad, "\xEF\xBF\xBD", rule::invalid_utf8); }
            i += d.size != 0 ? d.size : d.bad;
            continue;
        }
        if (c == '"' || c == '\\') {
            log.emplace_back(i, i, "\\", rule::arguments_field);
        } else if (c < 0x20) {
            constexpr std::string_view letters = "\bb\ff\nn\rr\tt";
            const std::size_t at = letters.find(static_cast<char>(c));
            std::string escaped = "\\u00";
            if (at != std::string_view::npos && at % 2 == 0) {
                escaped = {'\\', letters[at + 1]};
            } else {
                escaped += hex[c >> 4];
                escaped += hex[c & 15];
            }
            log.emplace_back(i, i + 1, escaped, rule::arguments_field);
        }
        ++i;
    }
}

/// The content of a draft that is one JSON string and nothing else.
std::optional<std::string> string_content(const draft& d) {
    const std::size_t begin = skip_blanks(d.text, 0);
    if (!d.mine && !d.log.empty()) { return std::nullopt; }
    if (begin == d.text.size() || d.text[begin] != '"') { return std::nullopt; }
    std::string content;
    const std::size_t end = skip_string(d.text, begin);
    if (skip_blanks(d.text, end) != d.text.size()) { return std::nullopt; }
    if (!decode_string(d.text.substr(begin, end - begin), content)) { return std::nullopt; }
    return content;
}

} // namespace

void args_writer::pass(std::string_view message) {
    out_.passthrough = true;
    out_.why = {message, 0, false, {}};
}

void args_writer::wrap_bare(draft& d) {
    const tool_spec* tool = spec();
    std::optional<std::string> content = string_content(d);
    const span core = content ? span{} : bare_core(d.text, tool);
    const std::string_view value = content ? std::string_view(*content) : core.of(d.text);
    const bool command_line = looks_like_command_line(value, tool_, tool);
    if (!content && is_other_notation(value, tool_)) {
        pass("a call in another notation than JSON");
        out_.borrowed_ = raw_;
        return;
    }
    // ```bash, ls -l, and no end of the fence; of ```json nothing has come yet
    const std::string_view all = trimmed(d.text);
    if (const std::size_t line = content ? 0 : open_fence(all, tool); line != 0) {
        const bool data = trimmed(all.substr(0, line)).starts_with("```json");
        if (value.empty() || data) { return finish(d, refuse("the text was cut off before its value", 0)); }
        d.cut = cut_place::closers;
    }
    const bool unknown = tool == nullptr || tool->field.empty() || !options_.bare_values;
    if (value.empty() || (!content && is_null_word(value, tool))) {
        return finish(d, empty(d));
    } // a fence or a token around nothing
    if (!command_line && !unknown) { return wrap(d, tool->field, content.has_value()); }
    pass(command_line ? "a command line: for a positional parser"
                      : "a bare value, and the tool has no field for it");
    if (content && (command_line || opened_)) {
        out_.owned_ = std::move(*content);
    } else {
        out_.borrowed_ = raw_;
    }
}

/// `main.go` → `{"file":"main.go"}`. Quoted text keeps its quotes.
void args_writer::wrap(draft& d, std::string_view field, bool quoted) {
    std::string before = "{";
    encode_string(field, before);
    before += quoted ? ":" : ":\"";
    edit_log log;
    if (quoted) {
        const std::size_t begin = skip_blanks(d.text, 0), end = skip_string(d.text, begin);
        put(log, 0, begin, before, rule::arguments_field);
        put(log, end, d.text.size(), "}", rule::arguments_field);
    } else {
        const span core = bare_core(d.text, spec());
        log.reserve(expected_edits(d.text.size()));
        put(log, 0, core.begin, before, rule::arguments_field);
        escape(d.text, core, log);
        put(log, core.end, d.text.size(), "\"}", rule::arguments_field);
    }
    d.apply(std::move(log));
    finish(d, shape::object);
}

} // namespace jsonheal
