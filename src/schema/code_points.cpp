/// @file code_points.cpp
/// Sets of code points for classes.

#include "code_points.hpp"

#include <algorithm>

namespace jsonheal::schema::detail {

namespace {

using code_range = std::pair<char32_t, char32_t>;

void append_hex(char32_t c, std::string& out) {
    constexpr char digits[] = "0123456789ABCDEF";
    std::string reversed;
    do {
        reversed.push_back(digits[c % 16]);
        c /= 16;
    } while (c != 0);
    out.append("\\x{").append(reversed.rbegin(), reversed.rend()).append("}");
}

std::vector<code_range> merged(std::vector<code_range> ranges) {
    std::sort(ranges.begin(), ranges.end());
    std::vector<code_range> out;
    for (const code_range& r : ranges) {
        if (!out.empty() && r.first <= out.back().second + 1) {
            out.back().second = std::max(out.back().second, r.second);
        } else {
            out.push_back(r);
        }
    }
    return out;
}

} // namespace

void code_point_set::add(const code_point_set& other) {
    ranges_.insert(ranges_.end(), other.ranges_.begin(), other.ranges_.end());
    properties_.append(other.properties_);
}

void code_point_set::add_complement(const code_point_set& other) {
    char32_t next = 0;
    for (const code_range& r : merged(other.ranges_)) {
        if (next < r.first) { add(next, r.first - 1); }
        next = r.second + 1;
    }
    if (next <= last_code_point) { add(next, last_code_point); }
}

std::vector<code_range> code_point_set::normal() const {
    constexpr char32_t before = first_surrogate - 1;
    constexpr char32_t behind = last_surrogate + 1;
    std::vector<code_range> moved;
    for (const code_range& r : merged(ranges_)) {
        if (r.first < first_surrogate) { moved.emplace_back(r.first, std::min(r.second, before)); }
        if (r.second > last_surrogate) { moved.emplace_back(std::max(r.first, behind), r.second); }
        const char32_t first = std::max(r.first, first_surrogate);
        const char32_t last = std::min(r.second, last_surrogate);
        if (first <= last) {
            moved.emplace_back(first - first_surrogate + hidden_surrogates,
                               last - first_surrogate + hidden_surrogates);
        }
    }
    return merged(std::move(moved));
}

std::string code_point_set::spell(bool negated) const {
    const std::vector<code_range> ranges = normal();
    if (ranges.empty() && properties_.empty()) { // nothing, or anything at all
        return negated ? "(?s:.)" : "[^\\x{0}-\\x{10FFFF}]";
    }
    std::string out = negated ? "[^" : "[";
    for (const code_range& r : ranges) {
        append_hex(r.first, out);
        if (r.first == r.second) { continue; }
        out.push_back('-');
        append_hex(r.second, out);
    }
    return out.append(properties_).append("]");
}

std::optional<std::pair<std::bitset<128>, bool>> code_point_set::as_ascii(bool negated) const {
    constexpr char32_t beyond = 0x80;
    if (!properties_.empty()) { return std::nullopt; }
    std::bitset<128> ascii;
    bool all = false;
    for (const code_range& r : merged(ranges_)) {
        for (char32_t c = r.first; c <= r.second && c < beyond; ++c) { ascii.set(c); }
        if (r.second < beyond) { continue; }
        if (r.first > beyond || r.second != last_code_point) { return std::nullopt; }
        all = true;
    }
    return std::pair(negated ? ~ascii : ascii, all != negated);
}

const code_point_set& class_escape(char letter) {
    static const code_point_set digits = [] {
        code_point_set s;
        s.add('0', '9');
        return s;
    }();
    static const code_point_set words = [] {
        code_point_set s;
        s.add('0', '9');
        s.add('A', 'Z');
        s.add('a', 'z');
        s.add('_');
        return s;
    }();
    // WhiteSpace and LineTerminator of ECMA-262 sections 12.2 and 12.3.
    static const code_point_set blanks = [] {
        code_point_set s;
        s.add(0x09, 0x0D);
        s.add(0x2000, 0x200A);
        s.add(0x2028, 0x2029);
        for (const char32_t c : {U' ', U'\u00A0', U'\u1680', U'\u202F', U'\u205F', U'\u3000', U'\uFEFF'}) {
            s.add(c);
        }
        return s;
    }();
    return letter == 'd' ? digits : letter == 'w' ? words : blanks;
}

void append_literal(char32_t c, std::string& out) {
    const bool letter = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (letter) {
        out.push_back(static_cast<char>(c));
        return;
    }
    if (c >= first_surrogate && c <= last_surrogate) { c = c - first_surrogate + hidden_surrogates; }
    append_hex(c, out);
}

} // namespace jsonheal::schema::detail
