#include "cut_reading.hpp"

#include "strict_json.hpp"

#include <algorithm>

namespace jsonheal_test {
namespace {

using jsonheal::cut_place;
using std::string_view;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// The end of the part of a cut string (its opening quote included) that stands for whole characters.
std::size_t certain_part(string_view text) {
    std::size_t i = 1;
    std::size_t before_surrogate = 0; // where a high surrogate waits for its low half
    while (i < text.size()) {
        std::size_t size = 0;
        bool high = false;
        if (text[i] != '\\') {
            size = utf8_character(text, i);
        } else if (i + 1 < text.size()) {
            size = text[i + 1] == 'u' ? 6 : 2;
            if (i + size > text.size()) { size = 0; }
            string_view digits = size == 6 ? text.substr(i + 2, 2) : string_view{};
            high = !digits.empty() && (digits[0] == 'd' || digits[0] == 'D') &&
                   string_view("89abAB").find(digits[1]) != string_view::npos;
        }
        if (size == 0) { break; }
        before_surrogate = high ? i : 0;
        i += size;
    }
    return before_surrogate > 0 ? before_surrogate : i;
}

/// The longest beginning of a cut number that is a number; empty if none is.
string_view certain_number(string_view text) {
    while (!text.empty() && !check_strict_json(text).valid) { text.remove_suffix(1); }
    return text;
}

} // namespace

cut_reading read_cut(string_view prefix) {
    cut_reading out;
    std::string open;
    std::string json;       // all that is certain
    std::size_t member = 0; // where in it the last comma or key begins that has no value yet
    bool key_next = false;
    bool value_done = false; // the last token ended a value
    char last = '\0';        // the last token: a bracket, `,`, `:`, k for a key, v for a value
    std::size_t i = 0;
    auto stop = [&](std::vector<cut_place> places) {
        out.places = std::move(places);
        std::for_each(open.rbegin(), open.rend(), [&](char c) { json.push_back(c == '[' ? ']' : '}'); });
        out.json = std::move(json);
        return out;
    };
    while (i < prefix.size()) {
        char c = prefix[i];
        if (is_blank(c)) {
            ++i;
            continue;
        }
        if (c == '[' || c == '{') {
            open.push_back(c);
            json.push_back(c);
            key_next = c == '{';
            value_done = false;
            member = json.size();
            last = c;
            ++i;
        } else if (c == ']' || c == '}') {
            open.pop_back();
            json.push_back(c);
            value_done = true;
            member = json.size();
            last = c;
            ++i;
        } else if (c == ',') {
            json.push_back(c);
            key_next = open.back() == '{';
            value_done = false;
            last = c;
            ++i;
        } else if (c == ':') {
            json.push_back(c);
            key_next = false;
            last = c;
            ++i;
        } else if (c == '"') {
            std::size_t end = i + 1;
            while (end < prefix.size() && prefix[end] != '"') { end += prefix[end] == '\\' ? 2U : 1U; }
            if (end >= prefix.size()) {
                if (key_next) {
                    json.resize(member);
                    return stop({cut_place::in_key});
                }
                string_view rest = prefix.substr(i);
                json.append(rest.substr(0, certain_part(rest))).push_back('"');
                return stop({cut_place::in_string});
            }
            json.append(prefix.substr(i, end + 1 - i));
            i = end + 1;
            last = key_next ? 'k' : 'v';
            value_done = !key_next;
            if (value_done) { member = json.size(); }
        } else {
            std::size_t end = i;
            while (end < prefix.size() && string_view(",:]} \t\r\n").find(prefix[end]) == string_view::npos) {
                ++end;
            }
            string_view word = prefix.substr(i, end - i);
            bool literal = c == 't' || c == 'f' || c == 'n';
            bool complete = check_strict_json(word).valid;
            bool at_end = end == prefix.size();
            if (at_end && !complete && literal) {
                out.nothing = open.empty();
                json.resize(member);
                return stop({cut_place::in_literal});
            }
            if (at_end && !literal && !(open.empty() && complete)) {
                string_view number = certain_number(word);
                out.nothing = open.empty() && number.empty();
                number.empty() ? json.resize(member) : static_cast<void>(json.append(number));
                return stop({cut_place::in_number});
            }
            json.append(word);
            member = json.size();
            value_done = true;
            last = 'v';
            i = end;
        }
    }
    if (last == '\0') {
        out.nothing = true;
        return out;
    }
    if (value_done) {
        out.whole = open.empty();
        return stop({cut_place::closers});
    }
    json.resize(member);
    switch (last) {
    case ',': return stop({cut_place::between});
    case ':': return stop({cut_place::after_colon});
    // A key that is whole, but has no colon, has no name of its own.
    case 'k': return stop({cut_place::in_key, cut_place::between, cut_place::after_colon});
    default: return stop({cut_place::closers, cut_place::between});
    }
}

} // namespace jsonheal_test
