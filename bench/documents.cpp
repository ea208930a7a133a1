#include "documents.hpp"

#include <functional>
#include <iterator>
#include <utility>

namespace jsonheal::bench {
namespace {

// ---- chance: the standard library's distributions differ between libraries, these do not

class chance {
public:
    explicit chance(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() { // splitmix64
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    std::size_t below(std::size_t n) { return next() % n; }
    bool one_in(std::size_t n) { return below(n) == 0; }

private:
    std::uint64_t state_;
};

constexpr std::string_view words[] = {"the",         "open",   "ticket", "for",        "review",   "team",
                                      "fixed",       "before", "build",  "was",        "still",    "shared",
                                      "caf\xC3\xA9", "near",   "window", "invoice",    "total",    "Paris",
                                      "deliver",     "next",   "order",  "Zo\xC3\xAB", "weather",  "page",
                                      "summary",     "list",   "of",     "items",      "returned", "model"};
constexpr std::string_view tools[] = {"search_documents", "read_file", "create_ticket", "send_message",
                                      "run_query"};
constexpr std::string_view paths[] = {"src/main.go", "./pkg/util/io.cc", "/etc/hosts", "docs/read me.md",
                                      "https://example.org/a?b=7&c=d#e"};
constexpr std::string_view tags[] = {"urgent", "billing", "v2.1", "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E",
                                     "draft"};

std::string sentence(chance& c, std::size_t least, std::size_t most) {
    std::string s;
    for (std::size_t n = least + c.below(most - least + 1); n > 0; --n) {
        s += words[c.below(std::size(words))];
        if (n > 1) { s += ' '; }
    }
    return s;
}

// ---- writing

/// How a document is written. Each damage changes one part; the functions are asked once a place.
struct style {
    std::function<std::string(std::string_view)> key;    ///< plain name → token
    std::function<std::string(std::string_view)> string; ///< content without escapes → token
    std::string_view yes = "true", no = "false", null = "null";
    std::function<std::string()> comma = [] { return std::string(","); };
    std::function<std::string()> last = [] { return std::string(); };     ///< behind the last member
    std::function<std::string()> line_end = [] { return std::string(); }; ///< before a line break
};

/// `say "hi"` → `"say \"hi\""`
std::string quoted(std::string_view content) {
    std::string s = "\"";
    for (const char c : content) {
        if (c == '\n') {
            s += "\\n";
            continue;
        }
        if (c == '"' || c == '\\') { s += '\\'; }
        s += c;
    }
    return s + '"';
}

style json_style() {
    style s;
    s.key = s.string = quoted;
    return s;
}

/// A writer of one document: the content comes from `content_`, so all styles of a seed hold the same value.
class writer {
public:
    writer(std::uint64_t seed, const style& s) : content_(seed), style_(s) {}

    /// As many records as are asked for, or as the bytes asked for need.
    std::string document(std::size_t records, std::size_t bytes = 0) {
        out_ += '{';
        line(1);
        out_ += style_.key("calls") + ": [";
        for (std::size_t i = 0; i < records || out_.size() + closing_bytes < bytes; ++i) {
            if (i != 0) { out_ += style_.comma(); }
            line(2);
            record(i);
            records_ = i + 1;
        }
        out_ += style_.last();
        line(1);
        out_ += ']' + style_.last();
        line(0);
        out_ += "}\n";
        return std::move(out_);
    }
    [[nodiscard]] std::size_t records() const { return records_; }

private:
    static constexpr std::size_t closing_bytes = 7;

    void line(std::size_t depth) {
        out_ += style_.line_end();
        out_ += '\n';
        out_.append(2 * depth, ' ');
    }
    void member(std::string_view key, const std::string& token, bool first = false) {
        if (!first) { out_ += style_.comma(); }
        line(depth_);
        out_ += style_.key(key) + ": " + token;
    }
    void close(char bracket) {
        out_ += style_.last();
        line(--depth_);
        out_ += bracket;
    }
    void record(std::size_t id) {
        out_ += '{';
        depth_ = 3;
        member("id", std::to_string(id), true);
        member("tool", style_.string(tools[content_.below(std::size(tools))]));
        member("arguments", "{");
        depth_ = 4;
        member("query", style_.string(sentence(content_, 4, 12)), true);
        member("path", style_.string(paths[content_.below(std::size(paths))]));
        member("limit", std::to_string(content_.below(500)));
        member("threshold", "0." + std::to_string(1 + content_.below(9998)));
        member("recursive", std::string(content_.one_in(2) ? style_.yes : style_.no));
        member("cursor", std::string(content_.one_in(2) ? style_.null : style_.yes));
        member("tags", tag_list());
        member("note", style_.string(note(id)));
        close('}');
        close('}');
    }
    std::string tag_list() {
        std::string list = "[";
        for (std::size_t n = content_.below(4); n > 0; --n) {
            list += style_.string(tags[content_.below(std::size(tags))]);
            if (n > 1) { list += style_.comma() + ' '; }
        }
        return list + ']';
    }
    std::string note(std::size_t id) {
        switch (id % 4) {
        case 0: return "She said \"" + sentence(content_, 1, 3) + "\" and left.";
        case 1: return sentence(content_, 3, 9) + ".\n" + sentence(content_, 2, 6);
        case 2: return "it's " + sentence(content_, 6, 20) + "; then (" + sentence(content_, 1, 2) + ")";
        default: return sentence(content_, 10, 30) + ".";
        }
    }

    chance content_;
    const style& style_;
    std::string out_;
    std::size_t depth_ = 0, records_ = 0;
};

// ---- the damages

/// Where the faults of one damage fall: the first place is always hit, so that the smallest document has one, too.
class faults {
public:
    faults(std::uint64_t seed, std::size_t one_in) : chance_(seed), one_in_(one_in) {}
    bool hit() {
        const bool first = !std::exchange(begun_, true);
        return chance_.one_in(one_in_) || first;
    }

private:
    chance chance_;
    std::size_t one_in_;
    bool begun_ = false;
};

broken_text written(std::size_t bytes, std::uint64_t seed, const style& broken) {
    const style valid = json_style();
    writer w(seed, valid);
    broken_text b;
    b.wanted = w.document(0, bytes);
    b.text = writer(seed, broken).document(w.records());
    return b;
}

/// `it's "so"` → `'it\'s "so"'`, as Python and JavaScript write it.
std::string single_quoted(std::string_view content) {
    std::string s = "'";
    for (const char c : content) {
        if (c == '\n') {
            s += "\\n";
            continue;
        }
        if (c == '\'' || c == '\\') { s += '\\'; }
        s += c;
    }
    return s + '\'';
}

broken_text single_quotes(std::size_t bytes, std::uint64_t seed) {
    style s = json_style();
    s.key = s.string = single_quoted;
    return written(bytes, seed, s);
}

broken_text unquoted_keys(std::size_t bytes, std::uint64_t seed) {
    style s = json_style();
    s.key = [](std::string_view k) { return std::string(k); };
    return written(bytes, seed, s);
}

broken_text trailing_commas(std::size_t bytes, std::uint64_t seed) {
    style s = json_style();
    s.last = [f = faults(seed, 4)]() mutable { return std::string(f.hit() ? "," : ""); };
    return written(bytes, seed, s);
}

broken_text missing_commas(std::size_t bytes, std::uint64_t seed) {
    style s = json_style();
    s.comma = [f = faults(seed, 16)]() mutable { return std::string(f.hit() ? "" : ","); };
    return written(bytes, seed, s);
}

broken_text comments(std::size_t bytes, std::uint64_t seed) {
    style s = json_style();
    s.line_end = [f = faults(seed, 16), n = 0]() mutable {
        return std::string(!f.hit() ? "" : ++n % 2 == 0 ? " // optional" : " /* checked, twice */");
    };
    return written(bytes, seed, s);
}

broken_text python_literals(std::size_t bytes, std::uint64_t seed) {
    style s = json_style();
    s.yes = "True";
    s.no = "False";
    s.null = "None";
    return written(bytes, seed, s);
}

/// Inner quotes stand in the note of every fourth record.
broken_text unescaped_quotes(std::size_t bytes, std::uint64_t seed) {
    style s = json_style();
    s.string = [](std::string_view content) {
        if (content.find('"') == std::string_view::npos) { return quoted(content); }
        return '"' + std::string(content) + '"';
    };
    return written(bytes, seed, s);
}

broken_text missing_close(std::size_t bytes, std::uint64_t seed) {
    broken_text b;
    b.wanted = b.text = make_document(bytes, seed);
    b.text.resize(b.text.rfind("\n  ]"));
    return b;
}

/// Cut inside the name of the last record's tool.
broken_text truncated(std::size_t bytes, std::uint64_t seed) {
    constexpr std::string_view before = "\"tool\": \"";
    broken_text b;
    b.text = make_document(bytes, seed);
    b.text.resize(b.text.rfind(before) + before.size() + 4);
    b.wanted = b.text + "\"}]}";
    return b;
}

broken_text fence_prose(std::size_t bytes, std::uint64_t seed) {
    broken_text b;
    b.wanted = make_document(bytes, seed);
    b.text = "Here is the JSON you asked for:\n\n```json\n" + b.wanted +
             "```\n\nLet me know if you need anything else.\n";
    return b;
}

constexpr damage all_damages[] = {
    {"single_quotes", true, single_quotes},
    {"unquoted_keys", true, unquoted_keys},
    {"trailing_commas", false, trailing_commas},
    {"missing_close", false, missing_close},
    {"truncated", false, truncated},
    {"fence_prose", false, fence_prose},
    {"python_literals", false, python_literals},
    {"comments", false, comments},
    {"missing_commas", false, missing_commas},
    {"unescaped_quotes", false, unescaped_quotes},
};

} // namespace

std::span<const damage> damages() { return all_damages; }

std::string make_document(std::size_t bytes, std::uint64_t seed) {
    const style valid = json_style();
    return writer(seed, valid).document(1, bytes);
}

std::string make_prose(std::size_t bytes, std::uint64_t seed) {
    chance c(seed);
    std::string prose;
    prose.reserve(bytes + 256);
    while (prose.size() < bytes) {
        prose += sentence(c, 6, 24);
        switch (c.below(4)) {
        case 0: prose += ", he said: \"" + sentence(c, 2, 5) + "\""; break;
        case 1: prose += " [" + std::to_string(1 + c.below(40)) + "]"; break;
        case 2: prose += " (see " + std::string(paths[c.below(std::size(paths))]) + ")"; break;
        default: break;
        }
        prose += c.one_in(8) ? ".\n\n" : ". ";
    }
    return prose;
}

broken_text make_tool_call() {
    return {
        R"({'name': 'search_documents', 'arguments': {'query': 'open invoices for the Paris office', )"
        R"('limit': 20, 'recursive': True, 'cursor': None, 'tags': ['urgent', 'billing'], }, 'id': 'call_17'})",
        R"({"name": "search_documents", "arguments": {"query": "open invoices for the Paris office", )"
        R"("limit": 20, "recursive": true, "cursor": null, "tags": ["urgent", "billing"]}, "id": "call_17"})"};
}

} // namespace jsonheal::bench
