#include "reference.hpp"

#include "../support/strict_json.hpp"

namespace jsonheal_test {
namespace {

using jsonheal::scan::validation;

/// How many of the bytes at `at` begin some well-formed character, found by trying what could follow them.
std::size_t begun_character(std::string_view text, std::size_t at) {
    std::size_t begun = 0;
    for (std::size_t n = 1; n <= 4 && at + n <= text.size(); ++n) {
        for (const std::string_view rest : {"\x80\x80\x80", "\x90\x80\x80", "\xA0\x80\x80"}) {
            if (utf8_character(std::string(text.substr(at, n)).append(rest), 0) > n) { begun = n; }
        }
    }
    return begun;
}

/// The first bracket before `limit` that is one too many, or `limit`. What stands before `limit` begins valid JSON.
std::size_t bracket_too_many(std::string_view text, std::size_t limit, std::uint32_t max_depth) {
    std::size_t depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < limit; ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') { ++i; }
            if (c == '"') { in_string = false; }
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            if (depth == max_depth) { return i; }
            ++depth;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return limit;
}

bool is_one_of(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }

} // namespace

validation expected_validation(std::string_view text, std::uint32_t max_depth) {
    const strict_result judged = check_strict_json(text);
    const std::size_t deep = bracket_too_many(text, judged.offset, max_depth);
    if (deep != judged.offset) { return {false, deep}; }
    // The checker names the start of a character that is not UTF-8.
    const std::size_t begun = judged.reason == "not UTF-8" ? begun_character(text, judged.offset) : 0;
    return {judged.valid, judged.offset + begun};
}

const char* plain_string_stop(const char* begin, const char* end) noexcept {
    for (; begin != end; ++begin) {
        const auto byte = static_cast<unsigned char>(*begin);
        if (byte < 0x20 || byte >= 0x80 || is_one_of("\"'\\`<", *begin)) { break; }
    }
    return begin;
}

const char* plain_skip_blanks(const char* begin, const char* end) noexcept {
    while (begin != end && is_one_of(" \t\n\r", *begin)) { ++begin; }
    return begin;
}

const char* plain_prose_stop(const char* begin, const char* end) noexcept {
    while (begin != end && !is_one_of("{[(`<\n", *begin)) { ++begin; }
    return begin;
}

std::string shown(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7F) {
            out += c;
        } else {
            out += {'<', digits[byte / 16], digits[byte % 16], '>'};
        }
    }
    return out;
}

std::string disagreement(std::string_view text, std::uint32_t max_depth, const validation& wanted) {
    const exact_copy copy(text);
    for (const auto& kernel : jsonheal::scan::kernels()) {
        const validation got = kernel.validate_json(copy.text(), max_depth);
        if (got == wanted) { continue; }
        const auto say = [](const validation& v) {
            return std::string(v.valid ? "valid" : "invalid") + " at " + std::to_string(v.offset);
        };
        return std::string(kernel.name) + " says " + say(got) + ", wanted " + say(wanted) + ", depth " +
               std::to_string(max_depth) + ": " + shown(text);
    }
    return {};
}

} // namespace jsonheal_test
