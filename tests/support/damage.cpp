// Damage: what models, languages and networks do to a document. One row a kind; kinds combine freely.
#include "corpus.hpp"

#include <algorithm>
#include <functional>

namespace jsonheal_test {
namespace {

using std::string_view;

/// Calls `change` on some of the pieces of these kinds, at least one if there is one.
template <class Change>
void some(random_source& random, pieces& doc, string_view kinds, Change change) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < doc.size(); ++i) {
        if (kinds.find(doc[i].kind) != string_view::npos) { found.push_back(i); }
    }
    if (found.empty()) { return; }
    std::size_t sure = random.below(found.size());
    std::size_t percent = random.chance(30) ? 100 : 25;
    for (std::size_t n = 0; n < found.size(); ++n) {
        if (n == sure || random.chance(percent)) { change(doc[found[n]]); }
    }
}

template <class Change>
void all(pieces& doc, string_view kinds, Change change) {
    for (piece& p : doc) {
        if (kinds.find(p.kind) != string_view::npos) { change(p); }
    }
}

void replace_all(std::string& text, string_view from, string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
        text.replace(at, from.size(), to);
    }
}

/// A string without its quotes; as it is if another damage took them.
std::string body(const piece& p) { return p.text.size() < 2 ? p.text : p.text.substr(1, p.text.size() - 2); }

bool is_word(string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
    });
}

/// Quotes of another kind around every string; the double quotes inside lose their backslash.
auto quoted_by(string_view open, string_view close) {
    return [=](random_source&, pieces& doc) {
        all(doc, "ks", [&](piece& p) {
            std::string inner = body(p);
            replace_all(inner, "\\\"", "\"");
            if (close == "'") { replace_all(inner, "'", "\\'"); }
            p.text = std::string(open) + inner + std::string(close);
        });
    };
}

auto texts_for(string_view kinds, std::vector<string_view> texts) {
    return [=](random_source& random, pieces& doc) {
        some(random, doc, kinds, [&](piece& p) { p.text = texts[random.below(texts.size())]; });
    };
}

/// Puts one of the texts before or after some pieces.
auto beside(string_view kinds, bool before, std::vector<string_view> texts) {
    return [=](random_source& random, pieces& doc) {
        some(random, doc, kinds, [&](piece& p) {
            string_view text = texts[random.below(texts.size())];
            (before ? p.blank : p.text).append(text);
        });
    };
}

auto wrapped(string_view kinds, std::vector<std::pair<string_view, string_view>> around) {
    return [=](random_source& random, pieces& doc) {
        some(random, doc, kinds, [&](piece& p) {
            auto [open, close] = around[random.below(around.size())];
            p.text = std::string(open) + p.text + std::string(close);
        });
    };
}

void unescape_inner(random_source&, pieces& doc) {
    all(doc, "ks", [](piece& p) {
        std::string inner = body(p);
        replace_all(inner, "\\\"", "\"");
        p.text = '"' + inner + '"';
    });
}

void raw_controls(random_source&, pieces& doc) {
    all(doc, "ks", [](piece& p) {
        replace_all(p.text, "\\n", "\n");
        replace_all(p.text, "\\t", "\t");
    });
}

void single_backslashes(random_source&, pieces& doc) {
    all(doc, "ks", [](piece& p) { replace_all(p.text, "\\\\", "\\"); });
}

void odd_escapes(random_source& random, pieces& doc) {
    constexpr string_view escapes[] = {"\\d",   "\\'",     "\\_", "\\ ", "\\\n", "\\x41",
                                       "\\u12", "\\uZZZZ", "\\`", "\\(", "\\é"};
    some(random, doc, "ks", [&](piece& p) {
        if (p.text.size() > 1) { p.text.insert(random.between(1, p.text.size() - 1), random.pick(escapes)); }
    });
}

void bare_keys(random_source&, pieces& doc) {
    all(doc, "k", [](piece& p) {
        if (is_word(body(p))) { p.text = body(p); }
    });
}

void bare_values(random_source& random, pieces& doc) {
    some(random, doc, "s", [](piece& p) { p.text = body(p); });
}

void lost_quote(random_source& random, pieces& doc) {
    some(random, doc, "ks", [&](piece& p) {
        if (!p.text.empty()) { p.text.erase(random.chance(50) ? 0 : p.text.size() - 1, 1); }
    });
}

void split_strings(random_source& random, pieces& doc) {
    some(random, doc, "s", [&](piece& p) {
        constexpr string_view joints[] = {"\" + \"", "\"\n+\"", "\" \"", "\"+'"};
        string_view joint = random.pick(joints);
        if (p.text.empty()) { return; }
        p.text.insert(1, joint);
        if (joint.back() == '\'') { p.text.back() = '\''; }
    });
}

auto lost(string_view kinds, bool in_a_row = false) {
    return [=](random_source& random, pieces& doc) {
        some(random, doc, kinds, [&](piece& p) {
            bool space = !in_a_row && random.chance(50);
            p.text = space ? " " : "";
        });
    };
}

void lost_end(random_source& random, pieces& doc) {
    auto closer_last = [&] { return !doc.empty() && (doc.back().kind == ']' || doc.back().kind == '}'); };
    for (std::size_t n = random.between(1, 3); n > 0 && closer_last(); --n) { doc.pop_back(); }
}

void lost_start(random_source& random, pieces& doc) {
    if (!doc.empty()) { doc.front().text.clear(); }
    if (!doc.empty() && random.chance(50)) { doc.back().text.clear(); }
}

void sets(random_source& random, pieces& doc) {
    // An object of keys alone, or an array of pairs.
    if (random.chance(50)) {
        for (std::size_t i = 0; i + 2 < doc.size(); ++i) {
            bool pair = doc[i].kind == 'k' && doc[i + 1].kind == ':';
            auto after_key = doc.begin() + static_cast<std::ptrdiff_t>(i) + 1;
            if (pair && random.chance(60)) { doc.erase(after_key, after_key + 2); }
        }
    } else {
        all(doc, "{", [](piece& p) { p.text = "["; });
        all(doc, "}", [](piece& p) { p.text = "]"; });
    }
}

// ---- on the written text

auto around(std::vector<string_view> before, std::vector<string_view> after) {
    return [=](random_source& random, std::string& text) {
        text = std::string(before[random.below(before.size())]) + text +
               std::string(after[random.below(after.size())]);
    };
}

void twice(random_source& random, std::string& text) {
    constexpr string_view between[] = {
        "", "\n", " ", "\n\n", " or rather ", ",", "\n```\n```json\n", "\nCorrected version:\n"};
    std::string other = random.chance(50) ? text : join(random_document(random));
    text += std::string(random.pick(between)) + other;
}

void escaped_whole(random_source&, std::string& text) {
    replace_all(text, "\\", "\\\\");
    replace_all(text, "\"", "\\\"");
    replace_all(text, "\n", "\\n");
}

void cut(random_source& random, std::string& text) { text.resize(random.below(text.size() + 1)); }

void odd_bytes(random_source& random, std::string& text) {
    constexpr string_view bytes[] = {
        "\xFF", "\xC3", "\xE2\x80", "\x80", "\xED\xA0\x80", string_view("\0", 1), "\x1B", "\xF5\x80\x80\x80"};
    for (std::size_t n = random.between(1, 3); n > 0; --n) {
        text.insert(random.below(text.size() + 1), random.pick(bytes));
    }
}

struct kind {
    string_view name;
    std::function<void(random_source&, pieces&)> on_pieces;
    std::function<void(random_source&, std::string&)> on_text;
};

const std::vector<kind>& kinds() {
    static const std::vector<kind> table = {
        {"single_quotes", quoted_by("'", "'"), {}},
        {"curly_quotes", quoted_by("“", "”"), {}},
        {"backticks", quoted_by("`", "`"), {}},
        {"triple_quotes", quoted_by("\"\"\"", "\"\"\""), {}},
        {"quote_tokens", quoted_by("<|\"|>", "<|\"|>"), {}},
        {"doubled_quotes", quoted_by("\"\"", "\"\""), {}},
        {"unequal_quotes", quoted_by("'", "\""), {}},
        {"inner_quotes", unescape_inner, {}},
        {"raw_controls", raw_controls, {}},
        {"single_backslashes", single_backslashes, {}},
        {"odd_escapes", odd_escapes, {}},
        {"bare_keys", bare_keys, {}},
        {"bare_values", bare_values, {}},
        {"lost_quote", lost_quote, {}},
        {"string_prefix", beside("s", true, {"r", "f", "b", "u"}), {}},
        {"split_strings", split_strings, {}},
        {"calls", wrapped("s", {{"ObjectId(", ")"}, {"datetime(", ")"}, {"(", ")"}, {"str(", ""}}), {}},
        {"tuples", wrapped("sn", {{"(", ", 1)"}, {"(", ",)"}}), {}},
        {"python_literals", texts_for("l", {"True", "False", "None", "TRUE", "Null", "nil"}), {}},
        {"odd_literals",
         texts_for("l", {"undefined", "NaN", "-Infinity", "Infinity", "inf", "tru", "yes"}),
         {}},
        {"odd_numbers",
         texts_for("n", {"+1", ".5", "5.", "0x1F", "1_000", "1,000", "007", "10n", "1L", "1/3", "12px", "1e",
                         "-", "--1", "1.2.3", "0b11", "0o17", "1e5.5", "٣"}),
         {}},
        {"regex", texts_for("s", {"/a.b/i", "/[\"']/", "/x\\/y/"}), {}},
        {"no_value", texts_for("snl", {"", " ", ","}), {}},
        {"no_comma", lost(","), {}},
        {"no_colon", lost(":"), {}},
        {"two_commas", beside(",", false, {",", " ,", ",,,"}), {}},
        {"two_colons", beside(":", false, {":", " :"}), {}},
        {"trailing_comma", beside("]}", true, {",", ", ", ",\n", ",,"}), {}},
        {"leading_comma", beside("[{", false, {",", " , "}), {}},
        {"full_width", texts_for(",", {"，", "；", "、"}), {}},
        {"full_width_colon", texts_for(":", {"：", "=", "=>", "->", " = "}), {}},
        {"semicolons", texts_for(",", {";", "; ", "\n"}), {}},
        {"ellipsis", beside("]}", true, {", ...", "...", "…", ",\"...\"", ", // ...\n"}), {}},
        {"comments",
         beside(",:]}ks", true,
                {"/* c */", "// c\n", "# c\n", "/* \"k\": 1, */", "<!-- c -->", "/**/", "/* open"}),
         {}},
        {"odd_blanks",
         beside(",:]}ksn", true, {"\xC2\xA0", "\xE3\x80\x80", "\xE2\x80\x8B", "\f", "\v", "\xE2\x80\xA8"}),
         {}},
        {"stray",
         beside(",:]}ks", true, {"@", "|", "word ", "NOISE\n", "*", "\\", "$", "two words ", "- "}),
         {}},
        {"no_closer", lost("]}", true), {}},
        {"no_end", lost_end, {}},
        {"no_opener", lost("[{", true), {}},
        {"no_start", lost_start, {}},
        {"wrong_closer", texts_for("]}", {"}", "]", ")", ">"}), {}},
        {"two_closers", beside("]}", false, {"}", "]", "]}", "}}"}), {}},
        {"two_openers", beside("[{", false, {"{", "[", "{{"}), {}},
        {"round_brackets",
         [](random_source&, pieces& doc) {
             all(doc, "[", [](piece& p) { p.text = "("; });
             all(doc, "]", [](piece& p) { p.text = ")"; });
         },
         {}},
        {"sets", sets, {}},
        {"fence",
         {},
         around({"```json\n", "```\n", "Here:\n\n```json\n", "~~~\n", "```json5 "},
                {"\n```", "\n```\nBye.", "", "```"})},
        {"prose",
         {},
         around({"Sure: ", "I saw [1] and {x}. ", "Output = ", "", "json\n", "\xEF\xBB\xBF"},
                {" (end)", "\nHope this helps!", "", " [2]", "}"})},
        {"reasoning",
         {},
         around({"<think>maybe {\"draft\": 1}</think>\n", "<think>open {", "</think>"}, {""})},
        {"special_tokens",
         {},
         around({"", "<|start|>", "<tool_call>"}, {"<|im_end|>", "</s>", "<|endoftext|>", "</tool_call>"})},
        {"braces_doubled", {}, around({"{", "[", "{{"}, {"}", "]", ""})},
        {"twice", {}, twice},
        {"escaped_whole", {}, escaped_whole},
        {"in_quotes", {}, around({"\"", "'", "`"}, {"\"", "'", "`"})},
        {"cut", {}, cut},
        {"odd_bytes", {}, odd_bytes},
    };
    return table;
}

std::string damaged_by(random_source& random, const std::vector<const kind*>& chosen) {
    pieces doc = random_document(random);
    for (const kind* k : chosen) {
        if (k->on_pieces) { k->on_pieces(random, doc); }
    }
    std::string text = join(doc);
    for (const kind* k : chosen) {
        if (k->on_text) { k->on_text(random, text); }
    }
    return text;
}

} // namespace

std::span<const string_view> damage_kinds() {
    static const std::vector<string_view> names = [] {
        std::vector<string_view> out;
        for (const kind& k : kinds()) { out.push_back(k.name); }
        return out;
    }();
    return names;
}

std::string damaged(random_source& random, string_view name) {
    auto found = std::find_if(kinds().begin(), kinds().end(), [&](const kind& k) { return k.name == name; });
    return found == kinds().end() ? std::string() : damaged_by(random, {&*found});
}

std::string damaged(random_source& random, std::size_t count) {
    std::vector<const kind*> chosen;
    for (std::size_t i = 0; i < count; ++i) { chosen.push_back(&kinds()[random.below(kinds().size())]); }
    return damaged_by(random, chosen);
}

} // namespace jsonheal_test
