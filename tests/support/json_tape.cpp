#include "json_tape.hpp"

#include "strict_json.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace jsonheal_test {
namespace {

unsigned hex_value(char c) {
    if (c >= '0' && c <= '9') { return static_cast<unsigned>(c - '0'); }
    return static_cast<unsigned>((c | 0x20) - 'a') + 10;
}

unsigned four_hex(std::string_view digits) {
    unsigned code = 0;
    for (char c : digits) { code = code * 16 + hex_value(c); }
    return code;
}

/// Adds to a decimal text of any length.
std::string add(std::string decimal, long delta) {
    // Exponents of test data fit; a longer one is kept as text, which still compares equal to itself.
    if (decimal.size() > 15) { return decimal + "+" + std::to_string(delta); }
    return std::to_string(std::stol(decimal) + delta);
}

/// A text that is the same for equal values: members sorted by key, one for each key.
std::string canonical(const json_tape& tape) {
    struct frame {
        std::map<std::string, std::string> members;
        std::string items;
        std::string key;
        bool object = false;
    };
    auto framed = [](const std::string& text) { return std::to_string(text.size()) + ":" + text + ";"; };
    std::vector<frame> open(1);
    for (const token& t : tape) {
        std::string value;
        switch (t.kind) {
        case token_kind::key: open.back().key = t.text; continue;
        case token_kind::open_object:
        case token_kind::open_array:
            open.emplace_back();
            open.back().object = t.kind == token_kind::open_object;
            continue;
        case token_kind::close_object:
            for (const auto& [key, member] : open.back().members) { value += framed(key) + framed(member); }
            value = "{" + value + "}";
            open.pop_back();
            break;
        case token_kind::close_array:
            value = "[" + open.back().items + "]";
            open.pop_back();
            break;
        case token_kind::string: value = "s" + t.text; break;
        case token_kind::number: value = "n" + t.text; break;
        case token_kind::literal: value = "l" + t.text; break;
        }
        frame& in = open.back();
        if (in.object) {
            in.members[in.key] = std::move(value);
        } else {
            in.items += framed(value);
        }
    }
    return open.front().items;
}

} // namespace

void append_utf8(std::string& out, unsigned code) {
    auto put = [&](unsigned byte) { out.push_back(static_cast<char>(byte)); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0 | (code >> 6));
        put(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        put(0xE0 | (code >> 12));
        put(0x80 | ((code >> 6) & 0x3F));
        put(0x80 | (code & 0x3F));
    } else {
        put(0xF0 | (code >> 18));
        put(0x80 | ((code >> 12) & 0x3F));
        put(0x80 | ((code >> 6) & 0x3F));
        put(0x80 | (code & 0x3F));
    }
}

std::string decode_string(std::string_view body) {
    std::string out;
    for (std::size_t i = 0; i < body.size(); ++i) {
        if (body[i] != '\\') {
            out.push_back(body[i]);
            continue;
        }
        char c = body[++i];
        switch (c) {
        case 'b': out.push_back('\b'); break;
        case 'f': out.push_back('\f'); break;
        case 'n': out.push_back('\n'); break;
        case 'r': out.push_back('\r'); break;
        case 't': out.push_back('\t'); break;
        case 'u': {
            unsigned code = four_hex(body.substr(i + 1, 4));
            i += 4;
            bool high = code >= 0xD800 && code < 0xDC00;
            if (high && i + 6 < body.size() && body[i + 1] == '\\' && body[i + 2] == 'u') {
                unsigned low = four_hex(body.substr(i + 3, 4));
                if (low >= 0xDC00 && low < 0xE000) {
                    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                    i += 6;
                }
            }
            append_utf8(out, code);
            break;
        }
        default: out.push_back(c);
        }
    }
    return out;
}

std::string normal_number(std::string_view number) {
    bool negative = !number.empty() && number.front() == '-';
    if (negative) { number.remove_prefix(1); }
    std::size_t e = number.find_first_of("eE");
    std::string exponent = e == std::string_view::npos ? "0" : std::string(number.substr(e + 1));
    if (exponent.front() == '+') { exponent.erase(0, 1); }
    std::string_view mantissa = number.substr(0, e);
    std::string digits;
    long fraction = 0;
    bool after_point = false;
    for (char c : mantissa) {
        if (c == '.') {
            after_point = true;
            continue;
        }
        digits.push_back(c);
        fraction += after_point ? 1 : 0;
    }
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
    while (!digits.empty() && digits.back() == '0') {
        digits.pop_back();
        --fraction;
    }
    if (digits.empty()) { return "0"; }
    return (negative ? "-" : "") + digits + "e" + add(exponent, -fraction);
}

std::optional<json_tape> read_json(std::string_view text) {
    if (!check_strict_json(text).valid) { return std::nullopt; }
    json_tape tape;
    std::vector<std::size_t> open;
    bool key_next = false;
    for (std::size_t i = 0; i < text.size();) {
        char c = text[i];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',') {
            if (c == ',') { key_next = !open.empty() && tape[open.back()].kind == token_kind::open_object; }
            ++i;
            continue;
        }
        if (c == ':') {
            key_next = false;
            ++i;
            continue;
        }
        token t;
        t.begin = i;
        t.depth = open.size();
        switch (c) {
        case '{':
        case '[':
            t.kind = c == '{' ? token_kind::open_object : token_kind::open_array;
            t.end = ++i;
            key_next = c == '{';
            open.push_back(tape.size());
            break;
        case '}':
        case ']':
            t.kind = c == '}' ? token_kind::close_object : token_kind::close_array;
            t.end = ++i;
            tape[open.back()].close = tape.size();
            open.pop_back();
            t.depth = open.size();
            key_next = false;
            break;
        case '"': {
            std::size_t j = i + 1;
            while (text[j] != '"') { j += text[j] == '\\' ? 2U : 1U; }
            t.kind = key_next ? token_kind::key : token_kind::string;
            t.end = j + 1;
            t.text = decode_string(text.substr(i + 1, j - i - 1));
            i = t.end;
            break;
        }
        default: {
            std::size_t j = text.find_first_of(",:]} \t\r\n", i);
            t.end = j == std::string_view::npos ? text.size() : j;
            std::string_view word = text.substr(i, t.end - i);
            bool literal = word == "true" || word == "false" || word == "null";
            t.kind = literal ? token_kind::literal : token_kind::number;
            t.text = literal ? std::string(word) : normal_number(word);
            i = t.end;
        }
        }
        tape.push_back(std::move(t));
    }
    return tape;
}

bool same_tokens(const json_tape& a, const json_tape& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const token& x, const token& y) { return x.kind == y.kind && x.text == y.text; });
}

bool same_value(const json_tape& a, const json_tape& b) { return canonical(a) == canonical(b); }

std::size_t json_view::last(std::size_t at) const {
    const token& t = (*tape_)[at];
    bool opener = t.kind == token_kind::open_object || t.kind == token_kind::open_array;
    return opener ? t.close : at;
}

std::string_view json_view::source() const {
    std::size_t begin = (*tape_)[at_].begin;
    return text_.substr(begin, (*tape_)[last(at_)].end - begin);
}

std::vector<std::pair<std::string, json_view>> json_view::members() const {
    std::vector<std::pair<std::string, json_view>> out;
    bool object = kind() == token_kind::open_object;
    if (!object && kind() != token_kind::open_array) { return out; }
    for (std::size_t i = at_ + 1; i < last(at_); i = last(i) + 1) {
        std::string key;
        if (object) { key = (*tape_)[i++].text; }
        out.emplace_back(std::move(key), json_view(text_, *tape_, i));
    }
    return out;
}

std::optional<json_view> json_view::get(std::string_view key) const {
    for (auto& [name, value] : members()) {
        if (name == key) { return value; }
    }
    return std::nullopt;
}

} // namespace jsonheal_test
