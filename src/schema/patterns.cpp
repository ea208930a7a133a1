/// @file patterns.cpp
/// The translator of regular expressions.

#include "patterns.hpp"

#include "code_points.hpp"
#include "unicode_properties.hpp"

#include <jsonheal/unicode.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace jsonheal::schema::detail {

namespace {

constexpr std::uint32_t most_repeats_linear = 1'000;  // RE2 allows no more, nested ones multiplied
constexpr std::uint32_t most_repeats_engine = 65'535; // PCRE2 allows no more in one quantifier
constexpr std::uint32_t most_repeats = 1'000'000;
constexpr std::uint32_t most_depth = 200; // PCRE2's own limit is 250

/// One character of the pattern, lone surrogates included.
struct read_char {
    char32_t code = 0;
    std::size_t size = 0;
};

read_char read_wtf8(std::string_view text) noexcept {
    const unicode::decoded d = unicode::decode(text);
    if (d.size != 0) { return {d.code, d.size}; }
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (text.size() >= 3 && byte(0) == 0xED && byte(1) >= 0xA0) {
        return {static_cast<char32_t>(0xD000 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F)), 3};
    }
    return {0xFFFD, 1};
}

class translator {
public:
    explicit translator(std::string_view pattern) : rest_(pattern) {}

    translation run() {
        plain_ = rest_.starts_with('^');
        prefix_only_ = plain_;
        find_groups();
        while (!rest_.empty() && error_.empty()) { term(); }
        if (error_.empty() && !groups_.empty()) { fail("a group is not closed"); }
        translation t;
        t.needs_backtracking = backtracking_ || repeats_ > most_repeats_linear;
        t.error = std::move(error_);
        if (t.error.empty() && plain_ && atoms_ == 1 && asserted_ == 2) { t.plain = plain_shape_; }
        if (t.error.empty() && prefix_only_) { t.prefix = std::move(prefix_); }
        if (t.error.empty()) { t.text = std::move(out_); }
        return t;
    }

private:
    struct open_group {
        std::size_t begin = 0;     ///< in the output
        std::uint64_t repeats = 1; ///< the most that anything inside is repeated
        bool quantifiable = true;
    };

    void fail(std::string why) {
        if (error_.empty()) { error_ = std::move(why); }
    }
    bool take(std::string_view text) {
        if (!rest_.starts_with(text)) { return false; }
        rest_.remove_prefix(text.size());
        return true;
    }
    char32_t next() {
        const read_char c = read_wtf8(rest_);
        rest_.remove_prefix(c.size);
        return c.code;
    }

    /// Numbers the capturing groups, since `\k<name>` and `\2` may stand before theirs.
    void find_groups() {
        bool in_class = false;
        for (std::size_t i = 0; i < rest_.size(); ++i) {
            const char c = rest_[i];
            if (c == '\\') {
                ++i;
            } else if (in_class) {
                in_class = c != ']';
            } else if (c == '[') {
                in_class = true;
            } else if (c == '(') {
                const std::string_view tail = rest_.substr(i + 1);
                if (!tail.starts_with('?')) { ++group_count_; }
                if (!tail.starts_with("?<") || tail.starts_with("?<=") || tail.starts_with("?<!")) {
                    continue;
                }
                ++group_count_;
                names_[std::string(tail.substr(2, tail.find('>') - 2))] = group_count_;
            }
        }
    }

    void begin_atom() {
        ++atoms_;
        plain_ = plain_ && class_atom_ && asserted_ == 1;
        class_atom_ = false;
        atom_ = out_.size();
        atom_repeats_ = 1;
        quantifiable_ = true;
    }
    void no_atom() { quantifiable_ = false; }
    void literal(char32_t c) {
        prefix_only_ = prefix_only_ && c < 0x80;
        if (prefix_only_) { prefix_.push_back(static_cast<char>(c)); }
        begin_atom();
        append_literal(c, out_);
    }
    void atom(std::string_view spelled) {
        prefix_only_ = false;
        begin_atom();
        out_.append(spelled);
    }
    void atom(const code_point_set& set, bool negated) {
        const auto ascii = set.as_ascii(negated);
        class_atom_ = ascii.has_value();
        if (ascii) { plain_shape_ = {ascii->first, ascii->second, false, 1, 1}; }
        atom(set.spell(negated));
    }
    void assertion(std::string_view spelled) {
        const bool in_place =
            spelled == "\\A" ? atoms_ == 0 && asserted_ == 0 : spelled == "\\z" && atoms_ == 1;
        plain_ = plain_ && in_place;
        prefix_only_ = prefix_only_ && in_place && atoms_ == 0;
        ++asserted_;
        out_.append(spelled);
        no_atom();
    }

    /// `.`: all but the four line terminators.
    void any_character() {
        rest_.remove_prefix(1);
        class_atom_ = true;
        plain_shape_ = {};
        plain_shape_.ascii.set().reset('\n').reset('\r');
        plain_shape_.beyond_ascii = true;
        plain_shape_.no_separators = true;
        atom("[^\\n\\r\\x{2028}\\x{2029}]");
    }

    void term() {
        switch (rest_.front()) {
        case '^': rest_.remove_prefix(1); return assertion("\\A");
        case '$': rest_.remove_prefix(1); return assertion("\\z");
        case '.': return any_character();
        case '|': rest_.remove_prefix(1); return assertion("|");
        case '(': return open();
        case ')': return close();
        case '[': return character_class();
        case '\\': rest_.remove_prefix(1); return escape();
        case '*':
        case '+':
        case '?': return quantifier();
        case '{':
            if (counted()) { return quantifier(); }
            break;
        default: break;
        }
        literal(next());
    }

    // Groups

    void open() {
        plain_ = false;
        prefix_only_ = false;
        struct row {
            std::string_view ecma;
            std::string_view spelled;
            bool look;
        };
        constexpr row rows[] = {{"(?:", "(?:", false},  {"(?=", "(?=", true},   {"(?!", "(?!", true},
                                {"(?<=", "(?<=", true}, {"(?<!", "(?<!", true}, {"(?<", "(", false}};
        if (groups_.size() == most_depth) { return fail("groups are nested deeper than the limit"); }
        open_group g;
        g.begin = out_.size();
        for (const row& r : rows) {
            if (!take(r.ecma)) { continue; }
            if (r.ecma == "(?<") {
                const std::size_t end = rest_.find('>');
                if (end == std::string_view::npos || end == 0) {
                    return fail("a group's name is not closed");
                }
                rest_.remove_prefix(end + 1);
            }
            backtracking_ = backtracking_ || r.look;
            out_.append(r.spelled);
            groups_.push_back(g);
            return no_atom();
        }
        rest_.remove_prefix(1);
        if (rest_.starts_with('?')) {
            return fail("there is no such group as (" + std::string(rest_.substr(0, 2)));
        }
        out_.push_back('(');
        groups_.push_back(g);
        no_atom();
    }

    void close() {
        rest_.remove_prefix(1);
        if (groups_.empty()) { return fail("a ) closes nothing"); }
        const open_group g = groups_.back();
        groups_.pop_back();
        out_.push_back(')');
        atom_ = g.begin;
        atom_repeats_ = g.repeats;
        quantifiable_ = true;
        seen_repeats(g.repeats);
    }

    void seen_repeats(std::uint64_t n) {
        std::uint64_t& most = groups_.empty() ? repeats_ : groups_.back().repeats;
        most = std::max(most, n);
    }

    // Quantifiers

    struct repeat {
        std::uint32_t least = 0;
        std::uint32_t most = 0;
        bool unbounded = false;
        std::size_t size = 0; ///< of its spelling
    };

    /// `{2}`, `{2,}`, `{2,3}`; whatever else begins with a brace is literal.
    [[nodiscard]] std::optional<repeat> counted() const {
        repeat r;
        std::size_t i = 1;
        const auto number = [&](std::uint32_t& value) {
            const std::size_t from = i;
            std::uint64_t n = 0;
            for (; i < rest_.size() && rest_[i] >= '0' && rest_[i] <= '9'; ++i) {
                n = std::min<std::uint64_t>(n * 10 + static_cast<std::uint64_t>(rest_[i] - '0'),
                                            most_repeats + 1);
            }
            value = static_cast<std::uint32_t>(n);
            return i != from;
        };
        if (!number(r.least)) { return std::nullopt; }
        r.most = r.least;
        if (i < rest_.size() && rest_[i] == ',') {
            ++i;
            r.unbounded = !number(r.most);
        }
        if (i >= rest_.size() || rest_[i] != '}') { return std::nullopt; }
        r.size = i + 1;
        return r;
    }

    void quantifier() {
        prefix_only_ = false;
        if (!quantifiable_) { return fail("there is nothing to repeat"); }
        repeat r;
        switch (rest_.front()) {
        case '*': r = {0, 0, true, 1}; break;
        case '+': r = {1, 0, true, 1}; break;
        case '?': r = {0, 1, false, 1}; break;
        default: r = *counted(); break;
        }
        const std::string_view spelled = rest_.substr(0, r.size);
        rest_.remove_prefix(r.size);
        const bool lazy = take("?");
        if (!r.unbounded && r.most < r.least) { return fail("a repeat has more at least than at most"); }
        if (std::max(r.least, r.most) > most_repeats) { return fail("a repeat is more than the limit"); }
        const std::uint64_t times = std::max<std::uint64_t>({r.least, r.most, 1});
        seen_repeats(std::min<std::uint64_t>(atom_repeats_ * times, most_repeats * std::uint64_t{2}));
        plain_shape_.least = r.least;
        plain_shape_.most = r.unbounded ? std::string_view::npos : r.most;
        if (std::max(r.least, r.most) > most_repeats_engine) {
            split_repeat(r);
        } else {
            out_.append(spelled);
        }
        if (lazy) { out_.push_back('?'); }
        no_atom();
    }

    /// x{70000,} → x{65535}x{4465,}
    void split_repeat(repeat r) {
        const std::string operand = out_.substr(atom_);
        if (group_count_ > 0 && operand.find('(') != std::string::npos && has_references_) {
            return fail("a repeat is more than the limit");
        }
        out_.resize(atom_);
        const auto put = [&](std::uint32_t least, std::string_view most) {
            out_.append(operand).append("{").append(std::to_string(least)).append(most).append("}");
        };
        std::uint32_t optional = r.most - std::min(r.least, r.most);
        for (; r.least > most_repeats_engine; r.least -= most_repeats_engine) {
            put(most_repeats_engine, "");
        }
        put(r.least, r.unbounded ? "," : "");
        if (r.unbounded) { return; }
        while (optional > 0) {
            const std::uint32_t part = std::min(optional, most_repeats_engine);
            put(0, "," + std::to_string(part));
            optional -= part;
        }
    }

    // Escapes

    static bool is_letter(char32_t c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

    void escape() {
        if (rest_.empty()) { return fail("it ends in a backslash"); }
        const char c = rest_.front();
        switch (c) {
        case 'b': rest_.remove_prefix(1); return assertion("\\b");
        case 'B': rest_.remove_prefix(1); return assertion("\\B");
        case 'd':
        case 's':
        case 'w': rest_.remove_prefix(1); return atom(class_escape(c), false);
        case 'D':
        case 'S':
        case 'W': rest_.remove_prefix(1); return atom(class_escape(static_cast<char>(c - 'A' + 'a')), true);
        case 'p':
        case 'P': {
            code_point_set set;
            if (property(set)) { atom(set, false); }
            return;
        }
        case 'k': rest_.remove_prefix(1); return named_reference();
        default: break;
        }
        if (c >= '1' && c <= '9') { return numbered_reference(); }
        if (const std::optional<char32_t> code = character_escape()) { literal(*code); }
    }

    void reference(std::uint32_t number) {
        backtracking_ = true;
        has_references_ = true;
        atom("\\g{" + std::to_string(number) + "}");
    }
    void named_reference() {
        const std::size_t end = rest_.find('>');
        if (!rest_.starts_with('<') || end == std::string_view::npos) { return fail("\\k has no name"); }
        const auto found = names_.find(std::string(rest_.substr(1, end - 1)));
        if (found == names_.end()) { return fail("\\k names no group"); }
        rest_.remove_prefix(end + 1);
        reference(found->second);
    }
    void numbered_reference() {
        std::uint32_t number = 0;
        while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') {
            number = std::min<std::uint32_t>(number * 10 + static_cast<std::uint32_t>(rest_.front() - '0'),
                                             100'000);
            rest_.remove_prefix(1);
        }
        if (number > group_count_) { return fail("a reference names no group"); }
        reference(number);
    }

    /// The letters behind `\u` and `\x`.
    std::optional<char32_t> hexadecimal(std::size_t digits) {
        if (rest_.size() < digits) { return std::nullopt; }
        char32_t value = 0;
        for (const char c : rest_.substr(0, digits)) {
            const bool digit = c >= '0' && c <= '9';
            const char lower = static_cast<char>(c | 0x20);
            if (!digit && (lower < 'a' || lower > 'f')) { return std::nullopt; }
            value = value * 16 + static_cast<char32_t>(digit ? c - '0' : lower - 'a' + 10);
            if (value > last_code_point) { return std::nullopt; }
        }
        rest_.remove_prefix(digits);
        return value;
    }
    std::optional<char32_t> unicode_escape() {
        if (take("{")) {
            const std::size_t end = rest_.find('}');
            if (end == std::string_view::npos || end == 0) { return std::nullopt; }
            const std::optional<char32_t> value = hexadecimal(end);
            rest_.remove_prefix(1);
            return value;
        }
        const std::optional<char32_t> high = hexadecimal(4);
        if (!high || *high < 0xD800 || *high > 0xDBFF || !rest_.starts_with("\\u")) { return high; }
        const std::string_view before = rest_;
        rest_.remove_prefix(2);
        const std::optional<char32_t> low = hexadecimal(4);
        if (low && *low >= 0xDC00 && *low <= 0xDFFF) {
            return 0x10000 + ((*high - 0xD800) << 10) + (*low - 0xDC00);
        }
        rest_ = before;
        return high;
    }

    /// The character that an escape stands for, inside and outside of classes. Nothing: it has been said why.
    std::optional<char32_t> character_escape() {
        const char32_t c = next();
        switch (c) {
        case 't': return '\t';
        case 'n': return '\n';
        case 'v': return '\v';
        case 'f': return '\f';
        case 'r': return '\r';
        case '0':
            if (rest_.empty() || rest_.front() < '0' || rest_.front() > '9') { return 0; }
            break;
        case 'c':
            if (!rest_.empty() && is_letter(static_cast<unsigned char>(rest_.front()))) {
                return next() % 32;
            }
            break;
        case 'x':
            if (const auto value = hexadecimal(2)) { return value; }
            break;
        case 'u':
            if (const auto value = unicode_escape()) { return value; }
            break;
        default:
            if (!is_letter(c) && !(c >= '0' && c <= '9')) { return c; }
            break;
        }
        std::string why = "there is no such escape as \\";
        if (c < 0x80) { why.push_back(static_cast<char>(c)); }
        fail(std::move(why));
        return std::nullopt;
    }

    bool property(code_point_set& set) {
        const bool negated = rest_.front() == 'P';
        rest_.remove_prefix(1);
        const std::size_t end = rest_.find('}');
        if (!rest_.starts_with('{') || end == std::string_view::npos) {
            fail("\\p has no name in braces");
            return false;
        }
        const std::string_view name = rest_.substr(1, end - 1);
        rest_.remove_prefix(end + 1);
        if (add_unicode_property(name, negated, set)) { return true; }
        fail("there is no such property as " + std::string(name));
        return false;
    }

    // Classes

    void character_class() {
        rest_.remove_prefix(1);
        const bool negated = take("^");
        code_point_set set;
        while (!rest_.starts_with(']') && error_.empty()) {
            if (rest_.empty()) { return fail("a class is not closed"); }
            class_member(set);
        }
        if (!error_.empty()) { return; }
        rest_.remove_prefix(1);
        atom(set, negated);
    }

    /// A character, a range, or an escape that stands for many.
    void class_member(code_point_set& set) {
        const std::optional<char32_t> first = class_atom(set);
        if (!first || !rest_.starts_with('-') || rest_.starts_with("-]")) {
            if (first) { set.add(*first); }
            return;
        }
        rest_.remove_prefix(1);
        if (rest_.empty()) { return fail("a class is not closed"); }
        const std::optional<char32_t> last = class_atom(set);
        if (!error_.empty()) { return; }
        if (!last) { // [a-\d]: the hyphen is itself
            set.add(*first);
            return set.add('-');
        }
        if (*last < *first) { return fail("a range ends before it begins"); }
        set.add(*first, *last);
    }

    /// One character, or nothing where a whole set was added (or it has been said what is wrong).
    std::optional<char32_t> class_atom(code_point_set& set) {
        if (!take("\\")) { return next(); }
        if (rest_.empty()) {
            fail("it ends in a backslash");
            return std::nullopt;
        }
        const char c = rest_.front();
        switch (c) {
        case 'b': rest_.remove_prefix(1); return '\b';
        case 'd':
        case 's':
        case 'w':
            rest_.remove_prefix(1);
            set.add(class_escape(c));
            return std::nullopt;
        case 'D':
        case 'S':
        case 'W':
            rest_.remove_prefix(1);
            set.add_complement(class_escape(static_cast<char>(c - 'A' + 'a')));
            return std::nullopt;
        case 'p':
        case 'P': (void)property(set); return std::nullopt;
        default: return character_escape();
        }
    }

    std::string_view rest_;
    std::string out_;
    std::string error_;
    std::vector<open_group> groups_;
    std::map<std::string, std::uint32_t> names_;
    std::uint32_t group_count_ = 0;
    std::uint64_t repeats_ = 1;
    bool plain_ = false;       ///< so far it is `^` and one class
    bool prefix_only_ = false; ///< so far it is `^` and literals of ASCII
    std::string prefix_;
    bool class_atom_ = false;
    unsigned atoms_ = 0;
    unsigned asserted_ = 0;
    plain_pattern plain_shape_;
    std::size_t atom_ = 0; ///< where the last atom begins in the output
    std::uint64_t atom_repeats_ = 1;
    bool quantifiable_ = false;
    bool backtracking_ = false;
    bool has_references_ = false;
};

} // namespace

translation translate_pattern(std::string_view ecma) { return translator(ecma).run(); }

bool has_surrogate(std::string_view wtf8) noexcept {
    for (std::size_t i = wtf8.find('\xED'); i < wtf8.size(); i = wtf8.find('\xED', i + 1)) {
        if (i + 1 < wtf8.size() && static_cast<unsigned char>(wtf8[i + 1]) >= 0xA0) { return true; }
    }
    return false;
}

std::string hide_surrogates(std::string_view wtf8) {
    std::string out;
    out.reserve(wtf8.size() + 16);
    while (!wtf8.empty()) {
        const read_char c = read_wtf8(wtf8);
        if (c.code >= first_surrogate && c.code <= last_surrogate) {
            const char32_t moved = c.code - first_surrogate + hidden_surrogates;
            for (const unsigned shift : {18u, 12u, 6u, 0u}) {
                const unsigned lead = shift == 18 ? 0xF0 : 0x80;
                out.push_back(static_cast<char>(lead | (moved >> shift & (shift == 18 ? 0x07 : 0x3F))));
            }
        } else {
            out.append(wtf8.substr(0, c.size));
        }
        wtf8.remove_prefix(c.size);
    }
    return out;
}

} // namespace jsonheal::schema::detail
