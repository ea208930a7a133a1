#include "strict_json.hpp"

#include <string>
#include <vector>

namespace jsonheal_test {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// Reads tokens off the front of a text. Every function returns the reason of a failure, or nothing.
class reader {
public:
    explicit reader(std::string_view text) : text_(text) {}

    std::size_t at = 0;

    bool done() const { return at >= text_.size(); }
    char peek() const { return done() ? '\0' : text_[at]; }
    bool is(char c) const { return !done() && text_[at] == c; }

    void blanks() {
        while (is(' ') || is('\t') || is('\n') || is('\r')) { ++at; }
    }

    std::string_view word(std::string_view literal) {
        for (char c : literal) {
            if (!is(c)) { return "not a literal"; }
            ++at;
        }
        return {};
    }

    std::string_view digits() {
        if (done() || !is_digit(peek())) { return "a digit must stand here"; }
        while (!done() && is_digit(peek())) { ++at; }
        return {};
    }

    std::string_view number() {
        if (is('-')) { ++at; }
        if (is('0')) {
            ++at;
        } else if (auto why = digits(); !why.empty()) {
            return why;
        }
        if (is('.')) {
            ++at;
            if (auto why = digits(); !why.empty()) { return why; }
        }
        if (is('e') || is('E')) {
            ++at;
            if (is('+') || is('-')) { ++at; }
            if (auto why = digits(); !why.empty()) { return why; }
        }
        return {};
    }

    std::string_view string() {
        if (!is('"')) { return "a quote must stand here"; }
        ++at;
        while (true) {
            if (done()) { return "the string does not end"; }
            if (is('"')) {
                ++at;
                return {};
            }
            if (byte_at(text_, at) < 0x20) { return "a control character in a string"; }
            if (is('\\')) {
                ++at;
                if (done()) { return "the escape does not end"; }
                if (std::string_view("\"\\/bfnrt").find(peek()) != std::string_view::npos) {
                    ++at;
                } else if (is('u')) {
                    ++at;
                    for (int i = 0; i < 4; ++i) {
                        if (done() || !is_hex(peek())) { return "four hexadecimal digits must follow \\u"; }
                        ++at;
                    }
                } else {
                    return "no such escape";
                }
                continue;
            }
            std::size_t size = utf8_character(text_, at);
            if (size == 0) { return "not UTF-8"; }
            at += size;
        }
    }

    std::string_view scalar() {
        switch (peek()) {
        case '"': return string();
        case 't': return word("true");
        case 'f': return word("false");
        case 'n': return word("null");
        default: return number();
        }
    }

private:
    std::string_view text_;
};

strict_result fail(const reader& r, std::string_view reason, std::size_t depth) {
    return {false, r.at, reason, depth};
}

} // namespace

std::size_t utf8_character(std::string_view text, std::size_t at) noexcept {
    auto tail = [&](std::size_t k, unsigned low, unsigned high) {
        return at + k < text.size() && byte_at(text, at + k) >= low && byte_at(text, at + k) <= high;
    };
    if (at >= text.size()) { return 0; }
    // Table 3-7 of the Unicode standard, row by row.
    unsigned lead = byte_at(text, at);
    if (lead <= 0x7F) { return 1; }
    if (lead >= 0xC2 && lead <= 0xDF) { return tail(1, 0x80, 0xBF) ? 2 : 0; }
    if (lead >= 0xE0 && lead <= 0xEF) {
        unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
        unsigned high = lead == 0xED ? 0x9F : 0xBF;
        return tail(1, low, high) && tail(2, 0x80, 0xBF) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        unsigned low = lead == 0xF0 ? 0x90 : 0x80;
        unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
        return tail(1, low, high) && tail(2, 0x80, 0xBF) && tail(3, 0x80, 0xBF) ? 4 : 0;
    }
    return 0;
}

bool is_utf8(std::string_view text) noexcept {
    for (std::size_t at = 0; at < text.size();) {
        std::size_t size = utf8_character(text, at);
        if (size == 0) { return false; }
        at += size;
    }
    return true;
}

strict_result check_strict_json(std::string_view text) {
    reader r(text);
    std::string open; // one '{' or '[' for every bracket still open
    std::size_t depth = 0;
    while (true) {
        // A value must begin here.
        r.blanks();
        if (r.done()) { return fail(r, "a value must stand here", depth); }
        bool opened = false;
        if (r.is('[') || r.is('{')) {
            open.push_back(r.peek());
            depth = open.size() > depth ? open.size() : depth;
            ++r.at;
            r.blanks();
            // An empty container is closed by the loop below; any other needs its first member.
            opened = !r.is(open.back() == '[' ? ']' : '}');
        } else if (auto why = r.scalar(); !why.empty()) {
            return fail(r, why, depth);
        }
        // A value ended here, or an opener waits for its first member.
        while (!opened) {
            r.blanks();
            if (open.empty()) {
                if (!r.done()) { return fail(r, "text after the value", depth); }
                return {true, r.at, {}, depth};
            }
            if (r.is(open.back() == '[' ? ']' : '}')) {
                open.pop_back();
                ++r.at;
                continue;
            }
            if (!r.is(',')) { return fail(r, "a comma or a closer must stand here", depth); }
            ++r.at;
            break;
        }
        if (open.back() == '{') {
            r.blanks();
            if (auto why = r.string(); !why.empty()) { return fail(r, why, depth); }
            r.blanks();
            if (!r.is(':')) { return fail(r, "a colon must stand here", depth); }
            ++r.at;
        }
    }
}

} // namespace jsonheal_test
