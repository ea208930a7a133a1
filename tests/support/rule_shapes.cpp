#include "rule_shapes.hpp"

#include "json_tape.hpp"
#include "show.hpp"
#include "strict_json.hpp"

#include <algorithm>

namespace jsonheal_test {
namespace {

using std::string_view;

/// A set of bytes: the ASCII ones by name, all others together.
struct byte_set {
    string_view ascii;
    bool others = false;
    bool all = false;

    bool holds(string_view text) const {
        return all || std::all_of(text.begin(), text.end(), [&](char c) {
                   bool other = static_cast<unsigned char>(c) >= 0x80;
                   return other ? others : ascii.find(c) != string_view::npos;
               });
    }
};

constexpr byte_set anything{.ascii = {}, .others = true, .all = true};
constexpr byte_set nothing{""};
constexpr byte_set quote{"\""};
constexpr byte_set any_quote{"\"'`", true};
constexpr byte_set escaped_quote{"\"'`\\", true};
constexpr byte_set backslash{"\\"};
constexpr byte_set backslash_or_quote{"\\\""};
constexpr byte_set comma{","};
constexpr byte_set colon{":"};
constexpr byte_set commas_and_blanks{", \t\r\n;", true};
constexpr byte_set closers{"]}"};
constexpr byte_set closers_and_blanks{"]}) \t\r\n,"};
constexpr byte_set brackets{"[]{}"};
constexpr byte_set letters{"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"};
constexpr byte_set literal_letters{"truefalsn"};
constexpr byte_set number_bytes{"0123456789+-.eE"};
constexpr byte_set ascii_marks_or_other{"!#$%&*+-./:;<=>?@^_|~\\,", true};

// ---- what a set of bytes cannot say

using special = bool (*)(string_view removed, string_view inserted);

/// The escape put in spells the bytes taken away.
bool spells_control(string_view removed, string_view inserted) {
    if (removed.empty()) { return false; }
    bool control = std::all_of(removed.begin(), removed.end(), [](char c) {
        auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 || byte == 0x7F;
    });
    return control && inserted.size() >= 2 && inserted.front() == '\\' && decode_string(inserted) == removed;
}

bool broken_utf8(string_view removed, string_view inserted) {
    constexpr string_view replacement = "\xEF\xBF\xBD";
    for (; inserted.substr(0, 3) == replacement; inserted.remove_prefix(3)) {}
    return inserted.empty() && !removed.empty() && !is_utf8(removed);
}

/// The blanks around what is dropped may go with it.
string_view without_blanks(string_view text) {
    std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

bool mark_of_byte_order(string_view removed, string_view) {
    return without_blanks(removed) == "\xEF\xBB\xBF";
}

/// Blanks that JSON does not know: not a visible ASCII character among them.
bool foreign_blank(string_view removed, string_view) {
    return !removed.empty() &&
           std::none_of(removed.begin(), removed.end(), [](char c) { return c > 0x20 && c < 0x7F; });
}

bool comment_opener(string_view removed, string_view) {
    for (string_view opener : {"//", "/*", "#", "<!--", "--"}) {
        if (without_blanks(removed).substr(0, opener.size()) == opener) { return true; }
    }
    return false;
}

/// Quotes, a plus, blanks and comments; in a document that was escaped as a whole a blank may be an escape.
bool joint(string_view removed, string_view) {
    for (std::size_t i = 0; i < removed.size(); ++i) {
        bool block = removed.substr(i, 2) == "/*";
        if (block || removed.substr(i, 2) == "//" || removed[i] == '#') {
            std::size_t end = removed.find(block ? "*/" : "\n", i + 1);
            if (end == string_view::npos) { return false; }
            i = end + (block ? 1 : 0);
            continue;
        }
        char c = removed[i];
        bool escape = c == '\\' && i + 1 < removed.size() &&
                      string_view("nrt").find(removed[i + 1]) != string_view::npos;
        i += escape ? 1 : 0;
        bool known = string_view("\"'`+ \t\r\n\\").find(c) != string_view::npos ||
                     static_cast<unsigned char>(c) >= 0x80;
        if (!known) { return false; }
    }
    return true;
}

/// The line end put in is the one that stood there.
bool line_end(string_view removed, string_view inserted) {
    return removed.find_first_not_of("\\\r\n") == string_view::npos &&
           inserted.find_first_not_of("\\rn") == string_view::npos;
}

bool one_quote_or_two(string_view removed, string_view inserted) {
    return !removed.empty() && (inserted == "\"" || inserted == "\"\"");
}

bool ellipsis_dots(string_view removed, string_view) {
    return removed.find('.') != string_view::npos || removed.find("\xE2\x80\xA6") != string_view::npos;
}

/// A placeholder, with the end of the key and the colon that it needs; or nothing.
bool placeholder(string_view, string_view inserted) {
    return inserted.empty() || inserted == "null" || inserted == ":null" || inserted == "\":null";
}

struct shape {
    string_view id;
    byte_set removed;
    byte_set inserted;
    special also = nullptr;
};

constexpr shape shapes[] = {
    // blanks and comments
    {"byte_order_mark", anything, nothing, mark_of_byte_order},
    {"blank_character", anything, nothing, foreign_blank},
    {"comment", anything, nothing, comment_opener},
    // quotes
    {"quote_style", any_quote, quote, one_quote_or_two},
    {"key_unquoted", nothing, quote},
    {"value_unquoted", nothing, quote},
    {"quote_missing_open", nothing, quote},
    {"quote_missing_close", nothing, quote},
    {"quote_surplus", escaped_quote, quote},
    {"quote_triple", {"\"'`\r\n", true}, quote},
    {"quote_token", {"<|\\\">", true}, quote},
    {"inner_quote", quote, backslash_or_quote},
    {"inner_quote_other", quote, backslash_or_quote},
    {"inner_quote_unclear", any_quote, backslash_or_quote},
    {"string_prefix", {"rRbBuUfF@$L8"}, nothing},
    {"concatenation", anything, nothing, joint},
    // escapes and bytes inside strings
    {"control_character", anything, {"\\bfnrtu0123456789abcdefABCDEF"}, spells_control},
    {"escape_invalid", backslash, backslash},
    {"escape_quote", escaped_quote, any_quote},
    {"escape_path", backslash, backslash},
    {"escape_latex", backslash, backslash},
    {"escape_markdown", backslash, nothing},
    {"escape_structure", {"\\\"'/nrt \n\r\t"}, {"\\\"/nrt \n\r\t"}},
    {"escape_closing", backslash, nothing},
    {"line_continuation", anything, {"\\rn"}, line_end},
    {"invalid_utf8", anything, {"", true}, broken_utf8},
    // separators
    {"comma_trailing", commas_and_blanks, nothing},
    {"comma_surplus", commas_and_blanks, nothing},
    {"comma_missing", nothing, comma},
    {"colon_missing", nothing, colon},
    {"colon_surplus", {": \t\r\n", true}, nothing},
    {"separator_style", ascii_marks_or_other, {",:"}},
    {"ellipsis", {".,; \t\r\n\"'", true}, nothing, ellipsis_dots},
    // brackets
    {"closer_missing_end", nothing, closers},
    {"closer_missing", nothing, closers},
    {"closer_surplus", closers_and_blanks, nothing},
    {"closer_early", closers_and_blanks, nothing},
    {"closer_wrong", {"]})>"}, closers},
    {"bracket_style", {"()"}, brackets},
    {"opener_missing", nothing, {"{["}},
    {"pair_in_array", nothing, {"{}"}},
    {"set_as_array", {"{}"}, {"[]"}},
    {"braces_doubled", {"{} \t\r\n"}, nothing},
    {"value_missing", anything, {"nul:\""}, placeholder},
    {"stray_word", anything, nothing},
    {"stray_character", anything, nothing},
    // literals and numbers
    {"literal_style", letters, literal_letters},
    {"literal_undefined", letters, {"nul\""}},
    {"literal_nonfinite", {"NaInfityaINTYF+-"}, {"nul\""}},
    {"number_style", {"0123456789abcdefABCDEFxXoObB+-._, eE"}, number_bytes},
    {"number_separator", {"_,' ", true}, nothing},
    {"number_suffix", letters, nothing},
    {"number_as_text", nothing, quote},
    {"regex_literal", {"/\"", false}, {"\"\\/"}},
    {"call_wrapper", anything, nothing},
    // text that was cut off
    {"cut_member", anything, nothing},
    {"cut_escape", anything, nothing},
    {"cut_literal", anything, nothing},
    {"cut_string", nothing, quote},
    // text around the value
    {"prose", anything, nothing},
    {"fence", anything, nothing},
    {"reasoning", anything, nothing},
    {"special_token", anything, nothing},
    {"repeated_value", anything, nothing},
    {"empty_value", anything, nothing},
    {"values_listed", {", \t\r\n[]"}, {"[],"}},
    {"value_dropped", anything, nothing},
};

const shape* shape_of(string_view id) {
    auto found =
        std::find_if(std::begin(shapes), std::end(shapes), [&](const shape& s) { return s.id == id; });
    return found == std::end(shapes) ? nullptr : &*found;
}

} // namespace

failure check_edit_shape(std::string_view input, const jsonheal::edit& e) {
    string_view removed = input.substr(e.begin, e.end - e.begin);
    string_view inserted = e.text();
    if (removed.empty() && inserted.empty()) { return "an edit that changes nothing: " + show(e); }
    // The closing quote that is a guess may stay as it is: the edit then only carries the risk.
    bool mark = jsonheal::info(e.rule).id == "inner_quote_unclear" && removed == "\"";
    if (removed == inserted && !mark) { return "an edit that puts back what it takes: " + show(e); }
    const shape* s = shape_of(jsonheal::info(e.rule).id);
    if (s == nullptr) { return "no shape is written for the rule of " + show(e); }
    if (!s->removed.holds(removed)) { return "the rule may not remove " + show(removed) + ": " + show(e); }
    if (!s->inserted.holds(inserted)) { return "the rule may not insert this: " + show(e); }
    if (s->also != nullptr && !s->also(removed, inserted)) {
        return "the rule does not turn " + show(removed) + " into this: " + show(e);
    }
    return std::nullopt;
}

std::string rules_without_shape() {
    std::string out;
    for (const auto& r : jsonheal::rules().first(jsonheal::healing_rules)) {
        if (shape_of(r.id) == nullptr) { out += std::string(r.id) + " "; }
    }
    return out;
}

} // namespace jsonheal_test
