// What is done to arguments once they are strict JSON: plain quotes in strings, names of members, and the account of it.

#include "ascii.hpp"
#include "writer.hpp"

#include <jsonheal/quotes.hpp>

#include <algorithm>
#include <iterator>

namespace jsonheal::args_detail {

namespace {

// Members that hold code, for a tool of which nothing is known.
constexpr std::string_view code_fields[] = {
    "code",       "content",    "contents", "command", "cmd",   "script",  "search", "replace", "diff",
    "old_string", "new_string", "patch",    "source",  "query", "pattern", "sql",    "regex"};

bool holds_code(std::string_view key, const tool_spec* spec) noexcept {
    if (spec != nullptr && !spec->code_fields.empty()) {
        return std::find(spec->code_fields.begin(), spec->code_fields.end(), key) != spec->code_fields.end();
    }
    return std::find(std::begin(code_fields), std::end(code_fields), key) != std::end(code_fields);
}

/// May a text hold a curly quote? Each begins with one of two bytes.
bool may_be_curly(std::string_view text) noexcept {
    return text.find('\xE2') != std::string_view::npos || text.find('\xC2') != std::string_view::npos;
}

void straighten(std::string_view json, span string, edit_log& log) {
    for (std::size_t i = string.begin; i < string.end; ++i) {
        if (json[i] != '\xE2' && json[i] != '\xC2') { continue; }
        const unicode::decoded d = unicode::decode(json.substr(i));
        const std::string_view plain =
            d.size != 0 ? plain_quote(d.code, quote_set::standard) : std::string_view();
        if (!plain.empty()) {
            log.emplace_back(i, i + d.size, plain == "\"" ? std::string_view("\\\"") : plain,
                             rule::arguments_quotes);
        }
    }
}

args_step step_of(rule r) noexcept {
    switch (r) {
    case rule::quote_style: return args_step::single_quotes;
    case rule::inner_quote_other: return args_step::single_quotes;
    case rule::key_unquoted: return args_step::unquoted_keys;
    case rule::comma_trailing: return args_step::trailing_commas;
    case rule::comma_surplus: return args_step::trailing_commas;
    case rule::value_unquoted: return args_step::object_literal;
    case rule::number_as_text: return args_step::object_literal;
    case rule::regex_literal: return args_step::object_literal;
    case rule::prose: return args_step::extracted;
    case rule::fence: return args_step::extracted;
    case rule::reasoning: return args_step::extracted;
    case rule::special_token: return args_step::extracted;
    case rule::closer_missing_end: return args_step::completed;
    case rule::cut_member: return args_step::completed;
    case rule::cut_escape: return args_step::completed;
    case rule::cut_literal: return args_step::completed;
    case rule::cut_string: return args_step::completed;
    case rule::repeated_value: return args_step::one_of_copies;
    case rule::values_listed: return args_step::listed;
    case rule::value_dropped: return args_step::chosen;
    case rule::arguments_empty: return args_step::empty;
    case rule::arguments_field: return args_step::bare_value;
    case rule::arguments_encoded: return args_step::decoded;
    case rule::arguments_list: return args_step::array_of_one;
    case rule::arguments_wrapper:
    case rule::arguments_notation: return args_step::unwrapped;
    case rule::arguments_quotes: return args_step::straightened;
    case rule::arguments_renamed: return args_step::renamed;
    default: return args_step::repaired;
    }
}

} // namespace

edit_log straightening(std::string_view json, string_quotes mode, const tool_spec* spec) {
    edit_log log;
    if (mode == string_quotes::off || !may_be_curly(json)) { return log; }
    bool wanted = mode == string_quotes::all; // by the key that was read last
    for (std::size_t i = 0; i < json.size();) {
        if (json[i] != '"') {
            ++i;
            continue;
        }
        const span s{i, skip_string(json, i)};
        i = skip_blanks(json, s.end);
        const bool is_key = i < json.size() && json[i] == ':';
        if (mode == string_quotes::code_fields && is_key) {
            wanted = holds_code(json.substr(s.begin + 1, s.end - s.begin - 2), spec);
        } else if (wanted) {
            straighten(json, s, log);
        }
    }
    return log;
}

edit_log renaming(std::string_view json, std::size_t begin, const tool_spec* spec) {
    // The tool knows a name if its schema has it or, without one, if it is its field or a member that holds code.
    const auto known = [&](std::string_view key) {
        if (spec->has_schema) { return spec->find_property(key) != nullptr; }
        return key == spec->field ||
               std::find(spec->code_fields.begin(), spec->code_fields.end(), key) != spec->code_fields.end();
    };
    // What can be renamed at all: names that the tool knows, which are not there under that name.
    const auto table = member_aliases();
    std::vector<bool> open(table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
        open[i] = known(table[i].name) && !known(table[i].alias);
    }
    const auto close = [&](std::string_view name) {
        for (std::size_t i = 0; i < table.size(); ++i) { open[i] = open[i] && table[i].name != name; }
    };
    edit_log log;
    if (std::find(open.begin(), open.end(), true) == open.end()) { return log; }
    member_span m;
    for (member_walk walk(json, begin); walk.next(m);) { close(m.name(json)); }
    for (member_walk walk(json, begin); walk.next(m);) {
        for (std::size_t i = 0; i < table.size(); ++i) {
            if (!open[i] || table[i].alias != m.name(json)) { continue; }
            log.emplace_back(m.key.begin + 1, m.key.end - 1, table[i].name, rule::arguments_renamed);
            close(table[i].name);
            break;
        }
    }
    return log;
}

args_steps steps_of(const rules_used& used) {
    args_steps steps;
    used.each([&](rule r) { steps.add(step_of(r)); });
    return steps;
}

} // namespace jsonheal::args_detail

namespace jsonheal {

std::string_view name(args_step s) noexcept {
    switch (s) {
    case args_step::valid: return "valid";
    case args_step::single_quotes: return "single_quotes";
    case args_step::unquoted_keys: return "unquoted_keys";
    case args_step::trailing_commas: return "trailing_commas";
    case args_step::bare_value: return "bare_value";
    case args_step::object_literal: return "object_literal";
    case args_step::repaired: return "repaired";
    case args_step::extracted: return "extracted";
    case args_step::completed: return "completed";
    case args_step::empty: return "empty";
    case args_step::decoded: return "decoded";
    case args_step::array_of_one: return "array_of_one";
    case args_step::unwrapped: return "unwrapped";
    case args_step::one_of_copies: return "one_of_copies";
    case args_step::listed: return "listed";
    case args_step::chosen: return "chosen";
    case args_step::straightened: return "straightened";
    case args_step::renamed: break;
    }
    return "renamed";
}

std::vector<args_step> args_steps::list() const {
    std::vector<args_step> all;
    for (unsigned i = 0; i <= static_cast<unsigned>(args_step::renamed); ++i) {
        if (has(static_cast<args_step>(i))) { all.push_back(static_cast<args_step>(i)); }
    }
    return all;
}

} // namespace jsonheal
