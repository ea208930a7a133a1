#include "output.hpp"

#include <vector>

namespace jsonheal::heal_detail {

namespace {

constexpr bool blank(char c) noexcept { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// Walks a prefix of strict JSON and remembers the last place where closers alone would make it whole.
struct walker {
    std::string open;         // closers owed, innermost last
    std::size_t complete = 0; // prefix that is whole but for `owed`
    std::string owed;
    bool whole_tokens = true;
    std::string_view wants; // what must come first if the text ends here

    void mark(std::size_t at) {
        complete = at;
        owed = open;
    }
    void walk(std::string_view text);
    std::size_t string(std::string_view text, std::size_t i, bool is_key);
};

/// Returns the offset after the string, or the end.
std::size_t walker::string(std::string_view text, std::size_t i, bool is_key) {
    std::size_t j = i + 1;
    if (!is_key) {
        complete = j;
        owed = open + '"';
        wants = {};
    }
    while (j < text.size() && text[j] != '"') {
        const std::size_t step = text[j] == '\\' ? (j + 1 < text.size() && text[j + 1] == 'u' ? 6 : 2) : 1;
        if (j + step > text.size()) { return text.size(); }
        j += step;
        while (j < text.size() && (static_cast<unsigned char>(text[j]) & 0xC0) == 0x80) { ++j; }
        if (!is_key) { complete = j; }
    }
    if (j >= text.size()) {
        if (is_key) { wants = "\":null"; }
        return text.size();
    }
    if (is_key) {
        wants = ":null";
    } else {
        wants = {};
        mark(j + 1);
    }
    return j + 1;
}

void walker::walk(std::string_view text) {
    bool expects_key = false;
    std::size_t i = 0;
    while (i < text.size()) {
        const char c = text[i];
        if (c == '"') {
            const bool is_key = expects_key;
            i = string(text, i, is_key);
            expects_key = false;
            continue;
        }
        if (c == '{' || c == '[') {
            open.push_back(c == '{' ? '}' : ']');
            expects_key = c == '{';
            wants = {};
            mark(i + 1);
        } else if (c == '}' || c == ']') {
            if (!open.empty()) { open.pop_back(); }
            expects_key = false;
            wants = {};
            mark(i + 1);
        } else if (c == ',') {
            expects_key = !open.empty() && open.back() == '}';
            wants = expects_key ? "\"\":null" : "null";
        } else if (c == ':') {
            wants = "null";
        } else if (!blank(c)) {
            wants = {};
            std::size_t j = i;
            while (j < text.size() && !blank(text[j]) && text[j] != ',' && text[j] != '}' && text[j] != ']') {
                ++j;
            }
            if (j < text.size() || whole_tokens) { mark(j); }
            i = j;
            continue;
        }
        ++i;
    }
}

} // namespace

std::size_t complete_prefix(std::string_view json, bool whole_tokens) {
    walker w;
    w.whole_tokens = whole_tokens;
    w.walk(json);
    const bool in_string = !w.owed.empty() && w.owed.back() == '"';
    std::size_t end = w.complete;
    while (!in_string && end < json.size() && blank(json[end])) { ++end; }
    return end;
}

std::string closers_of(std::string_view json) {
    walker w;
    w.walk(json);
    std::string out(w.wants);
    const std::string& owed = w.wants.empty() ? w.owed : w.open;
    out.append(owed.rbegin(), owed.rend());
    return out;
}

bool same_but_blanks(std::string_view a, std::string_view b) noexcept {
    std::size_t i = 0, j = 0;
    bool in_string = false;
    for (;;) {
        if (!in_string) {
            while (i < a.size() && blank(a[i])) { ++i; }
            while (j < b.size() && blank(b[j])) { ++j; }
        }
        if (i == a.size() || j == b.size()) { return i == a.size() && j == b.size(); }
        if (a[i] != b[j]) { return false; }
        if (in_string && a[i] == '\\') {
            ++i;
            ++j;
            if (i == a.size() || j == b.size() || a[i] != b[j]) { return false; }
        } else if (a[i] == '"') {
            in_string = !in_string;
        }
        ++i;
        ++j;
    }
}

} // namespace jsonheal::heal_detail
