// Valid JSON: ordinary documents, and documents that do all they can to look broken.
#include "corpus.hpp"

#include <array>

namespace jsonheal_test {
namespace {

using std::string_view;

constexpr string_view plain_keys[] = {"id",         "name",    "path", "content", "items", "tags",
                                      "created_at", "enabled", "x-y",  "line 2",  "ключ",  "キー",
                                      "$ref",       "a.b",     "",     "count",   "null",  "1"};

constexpr string_view plain_strings[] = {
    "",
    "plain",
    "two words",
    "It was late, and the build still ran.",
    "src/main.cpp",
    "C:\\\\Users\\\\ada\\\\notes.txt",
    "say \\\"hi\\\" and go",
    "def f(x):\\n    return x + 1\\n",
    "if (a == \\\"b\\\") { return [1, 2]; } // done",
    "SELECT * FROM t WHERE name = 'x' AND n > 3;",
    "https://example.org/a?b=1&c=d#e",
    "it's ours",
    "^[a-z]+\\\\d{2,}(\\\\.\\\\w+)?$",
    "日本語、と：「引用」",
    "a, b: c; {d} [e]",
    "2026-11-03T10:00:00Z",
    "Zo\\u00eb \\ud83d\\ude00",
    "— “quoted” –",
    "tab\\there",
    "\\\\frac{a}{b}",
    "true",
    "12",
};

constexpr string_view plain_numbers[] = {"0",    "1",   "-1",     "42",     "3.14",
                                         "-0.5", "1e9", "2.5E-3", "100000", "1234567890123"};

std::string pick_string(random_source& random) { return '"' + std::string(random.pick(plain_strings)) + '"'; }

/// Writes a document; the layout is chosen once, so that it looks as a program or a model would print it.
class writer {
public:
    explicit writer(random_source& random)
        : random_(random), indent_(random.below(3)), after_colon_(random.chance(60) ? " " : "") {}

    void value(std::size_t depth, std::string blank) {
        std::size_t roll = random_.below(100);
        if (depth == 0 || roll < 50) {
            scalar(std::move(blank));
        } else if (roll < 80) {
            container('{', '}', depth, std::move(blank));
        } else {
            container('[', ']', depth, std::move(blank));
        }
    }

    void container(char open, char close, std::size_t depth, std::string blank) {
        put(open, std::string(1, open), std::move(blank));
        std::size_t count = random_.below(5);
        ++level_;
        for (std::size_t i = 0; i < count; ++i) {
            if (i > 0) { put(',', ",", ""); }
            std::string before = line(i == 0);
            if (open == '{') {
                put('k', '"' + std::string(random_.pick(plain_keys)) + '"', std::move(before));
                put(':', ":", "");
                before = after_colon_;
            }
            value(depth - 1, std::move(before));
        }
        --level_;
        put(close, std::string(1, close), count == 0 ? "" : line(true));
    }

    pieces take() { return std::move(out_); }

private:
    void scalar(std::string blank) {
        std::size_t roll = random_.below(10);
        if (roll < 6) {
            put('s', pick_string(random_), std::move(blank));
        } else if (roll < 8) {
            put('n', std::string(random_.pick(plain_numbers)), std::move(blank));
        } else {
            constexpr string_view literals[] = {"true", "false", "null"};
            put('l', std::string(random_.pick(literals)), std::move(blank));
        }
    }

    std::string line(bool at_bracket) const {
        if (indent_ == 0) { return at_bracket ? "" : " "; }
        return "\n" + std::string(level_ * indent_, ' ');
    }

    void put(char kind, std::string text, std::string blank) {
        out_.push_back({kind, std::move(text), std::move(blank)});
    }

    random_source& random_;
    std::size_t indent_;
    std::string after_colon_;
    std::size_t level_ = 0;
    pieces out_;
};

// ---- hostile

constexpr string_view fragments[] = {
    "\\\"",
    "\\\\",
    "\\\\\\\"",
    ",",
    ":",
    "{",
    "}",
    "[",
    "]",
    "'",
    "`",
    " ",
    "a",
    "\\\",\\\"",
    "\\\":\\\"",
    "\\\": 1, \\\"b\\\": 2",
    "{\\\"a\\\":1}",
    "\\\"},{\\\"",
    "\\\"],[\\\"",
    ", \\\"c\\\": ",
    "'b': 'c'",
    "{'a': True}",
    "None",
    "NaN",
    "undefined",
    "...",
    "…",
    "/*",
    "*/",
    "// x",
    "# y",
    "<!--",
    "```",
    "```json",
    "~~~",
    "<think>",
    "</think>",
    "<|im_end|>",
    "<|\\\"|>",
    "<tool_call>",
    "</s>",
    "\\n",
    "\\n\\n",
    "\\r\\n",
    "\\t",
    "\\b\\f",
    "\\/",
    "\\u0022",
    "\\u005c",
    "\\u005C\\u0022",
    "\\u000a",
    "\\u0000",
    "\\ud800",
    "\\uDC00",
    "\\ud83d\\ude00",
    "\\uD800\\uD800",
    "C:\\\\temp\\\\new",
    "C:\\temp\\new",
    "\\\\frac \\\\sigma",
    "\\frac \\nu \\beta",
    "\\\\d+\\\\.",
    "，",
    "：",
    "“",
    "”",
    "‘",
    "’",
    "«",
    "\xC2\xA0",
    "\xEF\xBB\xBF",
    "\xE2\x80\xA8",
    "\x7F",
    "\xF0\x9F\x98\x80",
    "+",
    "=",
    "=>",
    ";",
    "1",
    "0x1F",
    "1,000",
    "(1, 2)",
    "ObjectId(\\\"1\\\")",
    "r'",
    "\\\" + \\\"",
    "Here is the JSON:",
    "\\\\n",
    "\\\\\\\\",
    "&quot;",
    "%22",
    "@",
    "key\\\": ",
    "}}",
    "]]",
    "\\\"\\\"\\\"",
    "\\\"\\\"",
};

constexpr string_view templates[] = {
    "{\"A\":\"B\"}",
    "{\"A\": \"B\", \"k\": [\"B\", \"A\"]}",
    "[\"A\",\"B\"]",
    "[\"A\", 1, \"B\", {\"A\":null}]",
    "{\"k\":\"AB\",\"A\":{\"B\":[]}}",
    "[\n  \"A\" ,\n\t\"B\"\r\n]",
    "{\"a\":\"A\"\n,\"B\":1 ,\"c\":\"B\"}",
};

constexpr string_view by_hand[] = {
    "null",
    "true",
    "false",
    "0",
    "-0",
    "-0.0e-5",
    "1E400",
    "-1e-400",
    "123456789012345678901234567890.000",
    "0.1",
    "\"\"",
    "\"a\"",
    "\"\\u2028\\ud83d\\ude00\"",
    "\"\\\"\"",
    "\"\\\\\"",
    "[]",
    "{}",
    "[[]]",
    "[{}]",
    "{\"\":{}}",
    " [ ] ",
    "\t{\r\n}\n",
    "[null,true,false]",
    "{\"a\":1,\"a\":2}",
    "[1,2,3]",
    "[1]",
    "[ 0 , -1 ]",
    "{\"a\":{\"b\":[1,{\"c\":\"d\"}]}}",
    "\"{}\"",
    "\"[1,2]\"",
    "\"{\\\"a\\\":1}\"",
    "\"Here you go: {'a':1}\"",
    "[\"a\",\"b\",\"c\"]",
    "{\"{\":\"}\"}",
    "{\"a,\":\",b\"}",
    "{\"a\\\":\":\"\\\",\"}",
    "[\"\\\",\\\"\"]",
    "{\"a\":\"b, \\\"c\\\":1\"}",
    "\"\\/\\b\\f\\n\\r\\t\"",
    "[\"\\u0000\"]",
    "[\"\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBF\"]",
    "[1e1,1E1,1e+1,1e-1,1.0e0]",
    "\n\n\n1\n\n\n",
    " \"a\" ",
    "\r\"a\"\r",
    "{\"a\":1}\n",
    "{\"undefined\":null,\"NaN\":0}",
    "[\"True\",\"None\"]",
    "{\"```json\":\"```\"}",
    "[\"</think>\"]",
    "{\"a\":\"\xEF\xBB\xBF\"}",
    "[\"C:\\temp\\new\"]",
    "[\"\\frac\\beta\\nu\"]",
    "{\"a\":[1,2],\"b\":{\"c\":[]},\"d\":\"\"}",
};

std::string blanks(random_source& random) {
    if (random.chance(70)) { return {}; }
    std::string out;
    std::size_t count = random.chance(2) ? random.between(500, 1500) : random.between(1, 4);
    for (std::size_t i = 0; i < count; ++i) { out.push_back(random.pick(string_view(" \t\r\n"))); }
    return out;
}

std::string hostile_number(random_source& random) {
    std::string out = random.chance(30) ? "-" : "";
    auto digits = [&](std::size_t most) {
        for (std::size_t n = random.between(1, most); n > 0; --n) {
            out.push_back(random.pick(string_view("0123456789")));
        }
    };
    if (random.chance(30)) {
        out += "0";
    } else {
        out.push_back(random.pick(string_view("123456789")));
        digits(random.chance(5) ? 400 : 20);
    }
    if (random.chance(40)) {
        out += ".";
        digits(12);
    }
    if (random.chance(30)) {
        out.push_back(random.pick(string_view("eE")));
        if (random.chance(60)) { out.push_back(random.pick(string_view("+-"))); }
        digits(4);
    }
    return out;
}

std::string hostile_scalar(random_source& random) {
    std::size_t roll = random.below(10);
    if (roll < 6) { return hostile_string(random); }
    if (roll < 8) { return hostile_number(random); }
    constexpr string_view literals[] = {"true", "false", "null"};
    return std::string(random.pick(literals));
}

} // namespace

std::string join(const pieces& document) {
    std::string out;
    for (const piece& p : document) { out.append(p.blank).append(p.text); }
    return out;
}

pieces random_document(random_source& random) {
    writer w(random);
    if (random.chance(80)) {
        w.container('{', '}', random.between(1, 4), "");
    } else if (random.chance(80)) {
        w.container('[', ']', random.between(1, 4), "");
    } else {
        w.value(0, "");
    }
    return w.take();
}

std::span<const string_view> hostile_fragments() { return fragments; }

std::span<const string_view> valid_by_hand() { return by_hand; }

std::string hostile_string(random_source& random) {
    std::string out = "\"";
    std::size_t count = random.below(6);
    if (random.chance(4)) { count = random.between(60, 400); }
    // One fragment repeated outlasts a look-ahead without a change of state.
    bool same = count > 6 && random.chance(50);
    string_view one = random.pick(fragments);
    for (std::size_t i = 0; i < count; ++i) { out += same ? one : random.pick(fragments); }
    return out + '"';
}

std::string hostile_valid(random_source& random) {
    std::string out = blanks(random);
    std::string open;
    std::size_t most = random.chance(3) ? random.between(100, 3000) : random.between(0, 40);
    bool deep = most > 100;
    // One value after another; what is open is closed at a whim, and all of it at the end.
    for (std::size_t i = 0;; ++i) {
        bool last = i >= most;
        bool opens = !last && random.chance(deep ? 90 : open.empty() ? 85 : 35);
        if (!open.empty() && open.back() == '{') {
            out += hostile_string(random) + blanks(random) + ":" + blanks(random);
        }
        bool empty = false;
        if (opens) {
            open.push_back(random.pick(string_view("[{")));
            out.push_back(open.back());
            out += blanks(random);
            empty = random.chance(deep ? 1 : 20);
            if (!empty) { continue; }
        } else {
            out += hostile_scalar(random);
        }
        while (!open.empty() && (empty || last || random.chance(25))) {
            empty = false;
            out += blanks(random);
            out.push_back(open.back() == '[' ? ']' : '}');
            open.pop_back();
        }
        out += blanks(random);
        if (open.empty()) { return out; }
        out += "," + blanks(random);
    }
}

std::size_t hostile_pair_count() {
    return std::size(fragments) * std::size(fragments) * std::size(templates);
}

std::string hostile_pair(std::size_t index) {
    string_view a = fragments[index % std::size(fragments)];
    index /= std::size(fragments);
    string_view b = fragments[index % std::size(fragments)];
    index /= std::size(fragments);
    std::string out;
    for (char c : templates[index % std::size(templates)]) {
        if (c == 'A') {
            out += a;
        } else if (c == 'B') {
            out += b;
        } else {
            out.push_back(c);
        }
    }
    return out;
}

} // namespace jsonheal_test
