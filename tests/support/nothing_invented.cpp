// Law 3. The shape of every edit is judged by rule_shapes; here the scalars of the healed text are traced to the
// run of input bytes that spells them.
#include "json_tape.hpp"
#include "laws.hpp"
#include "rule_shapes.hpp"
#include "show.hpp"

#include <algorithm>

namespace jsonheal_test {
namespace {

using jsonheal::edit;
using std::string_view;

/// Where each byte of the output comes from: runs of the input and replacements, in order.
struct segment {
    std::size_t out = 0;      ///< first byte of the output
    std::size_t size = 0;     ///< bytes of the output
    std::size_t begin = 0;    ///< first byte of the input
    std::size_t end = 0;      ///< one past the last
    const edit* by = nullptr; ///< null for a copied run
};

std::vector<segment> segments_of(string_view input, const std::vector<edit>& log) {
    std::vector<segment> out;
    std::size_t at = 0;
    std::size_t written = 0;
    auto copy_to = [&](std::size_t end) {
        if (end > at) { out.push_back({written, end - at, at, end, nullptr}); }
        written += end - at;
        at = end;
    };
    for (const edit& e : log) {
        copy_to(e.begin);
        out.push_back({written, e.size, e.begin, e.end, &e});
        written += e.size;
        at = e.end;
    }
    copy_to(input.size());
    return out;
}

/// What stands behind one token of the output.
struct source {
    std::size_t begin = ~std::size_t{0};
    std::size_t end = 0;
    std::vector<const edit*> edits;

    bool copied() const { return edits.empty(); }
    bool has(string_view rule) const {
        return std::any_of(edits.begin(), edits.end(),
                           [&](const edit* e) { return info(e->rule).id == rule; });
    }
    bool has_invented() const {
        return std::any_of(edits.begin(), edits.end(), [](const edit* e) {
            return e->risk() == jsonheal::risk::invented && e->size > 0;
        });
    }
};

/// A walk over the segments that serves tokens in order, each segment a constant number of times.
class tracer {
public:
    tracer(string_view input, const std::vector<edit>& log) : segments_(segments_of(input, log)) {}

    source trace(std::size_t begin, std::size_t end) {
        while (first_ < segments_.size() && segments_[first_].out + segments_[first_].size <= begin) {
            ++first_;
        }
        source s;
        for (std::size_t i = first_; i < segments_.size() && segments_[i].out < end; ++i) {
            const segment& g = segments_[i];
            if (g.by != nullptr) {
                s.begin = std::min(s.begin, g.begin);
                s.end = std::max(s.end, g.end);
                s.edits.push_back(g.by);
            } else {
                std::size_t from = g.begin + (std::max(begin, g.out) - g.out);
                std::size_t to = g.begin + (std::min(end, g.out + g.size) - g.out);
                s.begin = std::min(s.begin, from);
                s.end = std::max(s.end, to);
            }
        }
        // What was deleted right before or after may be a part of the spelling: a sign, a suffix.
        for (std::size_t i = first_; i-- > 0 && segments_[i].out == begin && part_of_number(segments_[i]);) {
            s.begin = std::min(s.begin, segments_[i].begin);
            s.edits.push_back(segments_[i].by);
        }
        return s;
    }

private:
    static bool part_of_number(const segment& g) {
        return g.by != nullptr && g.size == 0 && info(g.by->rule).id.substr(0, 6) == "number";
    }

    std::vector<segment> segments_;
    std::size_t first_ = 0;
};

std::string lower(string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') { c = static_cast<char>(c + ('a' - 'A')); }
    }
    return out;
}

bool spells_literal(string_view literal, string_view from) {
    std::string word = lower(from);
    if (literal != "null") { return word == literal; }
    for (string_view other : {"null", "none", "nil", "undefined", "nan", "infinity", "-infinity", "+infinity",
                              "inf", "-inf", "+inf"}) {
        if (word == other) { return true; }
    }
    return false;
}

/// The value of digits in some base, as decimal text of any length.
std::string decimal_of(string_view digits, unsigned base) {
    std::string out = "0"; // lowest digit first
    for (char c : digits) {
        unsigned carry =
            c <= '9' ? static_cast<unsigned>(c - '0') : static_cast<unsigned>((c | 0x20) - 'a') + 10;
        for (char& d : out) {
            unsigned sum = static_cast<unsigned>(d - '0') * base + carry;
            d = static_cast<char>('0' + sum % 10);
            carry = sum / 10;
        }
        for (; carry > 0; carry /= 10) { out.push_back(static_cast<char>('0' + carry % 10)); }
    }
    std::reverse(out.begin(), out.end());
    return out;
}

/// A second, lenient reading of a number: the JSON numbers that the source may mean.
bool spells_number(string_view number, string_view from) {
    std::string text;
    for (char c : from) {
        bool separator =
            c == '_' || c == ',' || c == '\'' || c == ' ' || static_cast<unsigned char>(c) >= 0x80;
        if (!separator) { text.push_back(c); }
    }
    bool negative = false;
    if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
        negative = text.front() == '-';
        text.erase(0, 1);
    }
    std::string prefix = lower(text.substr(0, 2));
    unsigned base = prefix == "0x" ? 16 : prefix == "0o" ? 8 : prefix == "0b" ? 2 : 10;
    std::string decimal;
    if (base != 10) {
        std::size_t end = 2;
        while (end < text.size()) {
            char c = text[end] <= '9' ? text[end] : static_cast<char>(text[end] | 0x20);
            unsigned digit = c >= '0' && c <= '9'   ? static_cast<unsigned>(c - '0')
                             : c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a') + 10
                                                    : 99;
            if (digit >= base) { break; }
            ++end;
        }
        decimal = decimal_of(string_view(text).substr(2, end - 2), base);
    } else {
        // Digits, a fraction, an exponent; each may be missing where JSON wants it, and a suffix may follow.
        std::size_t i = 0;
        auto digits = [&] {
            std::size_t start = i;
            while (i < text.size() && text[i] >= '0' && text[i] <= '9') { ++i; }
            return text.substr(start, i - start);
        };
        std::string whole = digits();
        std::string fraction;
        if (i < text.size() && text[i] == '.') {
            ++i;
            fraction = digits();
        }
        if (whole.empty() && fraction.empty()) { return false; }
        decimal = (whole.empty() ? "0" : whole) + (fraction.empty() ? "" : "." + fraction);
        if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
            ++i;
            std::string sign;
            if (i < text.size() && (text[i] == '+' || text[i] == '-')) { sign = text[i++]; }
            std::string exponent = digits();
            if (!exponent.empty()) { decimal += "e" + sign + exponent; }
        }
    }
    return normal_number((negative ? "-" : "") + decimal) == normal_number(number);
}

failure check_scalar(string_view input, string_view json, const token& t, const source& s) {
    string_view spelling = json.substr(t.begin, t.end - t.begin);
    string_view from = s.begin < s.end ? input.substr(s.begin, s.end - s.begin) : string_view{};
    auto bad = [&](string_view what) {
        std::string out =
            "nothing invented: the " + std::string(what) + " " + show(spelling) + " stands for " + show(from);
        for (const edit* e : s.edits) { out += " " + show(*e); }
        return out;
    };
    if (s.has_invented()) { return std::nullopt; }
    switch (t.kind) {
    case token_kind::literal:
        if (!s.copied() && !spells_literal(spelling, from)) { return bad("literal"); }
        break;
    case token_kind::number:
        if (!s.copied() && !spells_number(spelling, from)) { return bad("number"); }
        break;
    case token_kind::string:
    case token_kind::key:
        // An empty string needs no byte of content, but it must come from somewhere.
        if (from.empty()) { return bad("string"); }
        break;
    default: break;
    }
    return std::nullopt;
}

} // namespace

failure check_nothing_invented(string_view input, const jsonheal::healing& h,
                               const jsonheal::heal_options& options) {
    edit comment; // a long one goes in pieces
    for (const edit& e : h.edits) {
        edit whole = e;
        if (e.rule == jsonheal::rule::comment) {
            if (comment.end == e.begin && comment.end - comment.begin >= 64) { whole.begin = comment.begin; }
            comment = whole;
        }
        if (auto why = check_edit_shape(input, whole)) {
            return "nothing invented: " + *why + "\n  got  " + show(h);
        }
        // A key that was held as long as it may be is out already, and needs its value.
        bool made_up =
            e.risk() == jsonheal::risk::invented && e.size > 0 && input.size() <= options.limits.hold_back;
        if (made_up && options.missing == jsonheal::missing_policy::drop) {
            return "nothing invented: a placeholder against the option\n  got  " + show(h);
        }
    }
    if (!h.ok()) { return std::nullopt; }
    auto tape = read_json(h.json());
    if (!tape) { return std::nullopt; } // the law of strictness says so
    tracer trace(input, h.edits);
    for (const token& t : *tape) {
        if (auto why = check_scalar(input, h.json(), t, trace.trace(t.begin, t.end))) {
            return *why + "\n  got  " + show(h);
        }
    }
    return std::nullopt;
}

} // namespace jsonheal_test
