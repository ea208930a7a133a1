/// @file automaton_parse.cpp
/// Reads a translation into a tree, then writes the tree as steps, from its end to its beginning.

#include "automaton_parse.hpp"

#include "code_points.hpp"

#include <algorithm>
#include <string>

namespace jsonheal::schema::detail {

namespace {

constexpr std::size_t most_steps = 4'000;
constexpr std::size_t most_trees = 2'000;
constexpr std::uint32_t unbounded = 0xFFFF'FFFFu;

using code_range = std::pair<char32_t, char32_t>;

struct tree {
    enum class sort : std::uint8_t { characters, sequence, choice, repeat, begin, end, ahead };
    sort what{};
    bool negated = false; ///< ahead
    std::uint32_t least = 0;
    std::uint32_t most = 0;
    std::vector<code_range> ranges;
    std::vector<std::uint32_t> parts;
};

class reader {
public:
    explicit reader(std::string_view text) : rest_(text) {}

    /// The root's index; nothing where something is not understood.
    std::optional<std::uint32_t> run() {
        const std::uint32_t root = choice();
        if (!ok_ || !rest_.empty()) { return std::nullopt; }
        return root;
    }
    std::vector<tree> trees;

private:
    std::uint32_t add(tree t) {
        if (trees.size() == most_trees) { ok_ = false; }
        trees.push_back(std::move(t));
        return static_cast<std::uint32_t>(trees.size() - 1);
    }
    std::uint32_t add(tree::sort what) {
        tree t;
        t.what = what;
        return add(std::move(t));
    }
    bool take(std::string_view text) {
        if (!rest_.starts_with(text)) { return false; }
        rest_.remove_prefix(text.size());
        return true;
    }
    void fail() { ok_ = false; }

    // The translator bounds how deep groups nest, so these calls nest no deeper.
    std::uint32_t choice() {
        tree t;
        t.what = tree::sort::choice;
        do { t.parts.push_back(sequence()); } while (ok_ && take("|"));
        return t.parts.size() == 1 ? t.parts.front() : add(std::move(t));
    }

    std::uint32_t sequence() {
        tree t;
        t.what = tree::sort::sequence;
        while (ok_ && !rest_.empty() && rest_.front() != '|' && rest_.front() != ')') {
            std::uint32_t part = term();
            if (ok_) { part = quantified(part); }
            t.parts.push_back(part);
        }
        return add(std::move(t));
    }

    std::uint32_t term() {
        if (take("\\A")) { return add(tree::sort::begin); }
        if (take("\\z")) { return add(tree::sort::end); }
        if (take("(?s:.)")) { return characters({{0, last_code_point}}); }
        if (take("(?=")) { return look(false); }
        if (take("(?!")) { return look(true); }
        if (rest_.starts_with("(?<")) { return fail(), 0; }
        if (take("(?:") || take("(")) { return group(); }
        if (take("[")) { return character_class(); }
        const std::optional<char32_t> c = character();
        return c ? characters({{*c, *c}}) : 0;
    }

    std::uint32_t group() {
        const std::uint32_t inner = choice();
        if (!take(")")) { fail(); }
        return inner;
    }
    std::uint32_t look(bool negated) {
        tree t;
        t.what = tree::sort::ahead;
        t.negated = negated;
        t.parts.push_back(group());
        return add(std::move(t));
    }

    std::uint32_t characters(std::vector<code_range> ranges) {
        tree t;
        t.what = tree::sort::characters;
        t.ranges = std::move(ranges);
        return add(std::move(t));
    }

    std::optional<char32_t> character() {
        if (take("\\n")) { return '\n'; }
        if (take("\\r")) { return '\r'; }
        if (take("\\x{")) {
            const std::size_t end = rest_.find('}');
            if (end == std::string_view::npos) { return fail(), std::nullopt; }
            char32_t value = 0;
            for (const char c : rest_.substr(0, end)) {
                value = value * 16 + static_cast<char32_t>(c <= '9' ? c - '0' : c - 'A' + 10);
            }
            rest_.remove_prefix(end + 1);
            return value;
        }
        const char c = rest_.empty() ? '\\' : rest_.front();
        const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (!plain) { return fail(), std::nullopt; }
        rest_.remove_prefix(1);
        return static_cast<char32_t>(c);
    }

    std::uint32_t character_class() {
        const bool negated = take("^");
        std::vector<code_range> ranges;
        while (ok_ && !take("]")) {
            const std::optional<char32_t> first = character();
            std::optional<char32_t> last = first;
            if (first && take("-")) { last = character(); }
            if (first && last) { ranges.emplace_back(*first, *last); }
        }
        if (!negated) { return characters(std::move(ranges)); }
        std::sort(ranges.begin(), ranges.end());
        std::vector<code_range> others;
        char32_t next = 0;
        for (const code_range& r : ranges) {
            if (next < r.first) { others.emplace_back(next, r.first - 1); }
            next = std::max<char32_t>(next, r.second + 1);
        }
        if (next <= last_code_point) { others.emplace_back(next, last_code_point); }
        return characters(std::move(others));
    }

    std::uint32_t number() {
        std::uint32_t value = 0;
        while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') {
            value = std::min<std::uint32_t>(value * 10 + static_cast<std::uint32_t>(rest_.front() - '0'),
                                            10'000'000);
            rest_.remove_prefix(1);
        }
        return value;
    }

    std::uint32_t quantified(std::uint32_t part) {
        tree t;
        t.what = tree::sort::repeat;
        if (take("*")) {
            t.most = unbounded;
        } else if (take("+")) {
            t.least = 1;
            t.most = unbounded;
        } else if (take("?")) {
            t.most = 1;
        } else if (take("{")) {
            t.least = number();
            t.most = t.least;
            if (take(",")) { t.most = rest_.starts_with("}") ? unbounded : number(); }
            if (!take("}")) { fail(); }
        } else {
            return part;
        }
        (void)take("?"); // lazy or not, it matches or does not
        t.parts.push_back(part);
        return add(std::move(t));
    }

    std::string_view rest_;
    bool ok_ = true;
};

class writer {
public:
    writer(const std::vector<tree>& trees, nfa& out) : trees_(trees), out_(out) {}
    [[nodiscard]] bool ok() const noexcept { return ok_; }

    std::uint32_t add(nfa_step s) {
        if (out_.steps.size() >= most_steps) { ok_ = false; }
        if (!ok_) { return 0; }
        out_.steps.push_back(s);
        return static_cast<std::uint32_t>(out_.steps.size() - 1);
    }

    /// The steps of a tree, behind which `next` stands. Returns the first.
    std::uint32_t write(std::uint32_t index, std::uint32_t next) {
        const tree& t = trees_[index];
        if (!ok_) { return 0; }
        switch (t.what) {
        case tree::sort::characters: return characters(t.ranges, next);
        case tree::sort::begin: return add({nfa_step::sort::begin, 0, 0, next, 0});
        case tree::sort::end: return add({nfa_step::sort::end, 0, 0, next, 0});
        case tree::sort::sequence:
            for (std::size_t i = t.parts.size(); i-- != 0;) { next = write(t.parts[i], next); }
            return next;
        case tree::sort::choice: {
            std::uint32_t first = write(t.parts.back(), next);
            for (std::size_t i = t.parts.size() - 1; i-- != 0;) {
                const std::uint32_t way = write(t.parts[i], next);
                first = add({nfa_step::sort::split, 0, 0, way, first});
            }
            return first;
        }
        case tree::sort::repeat: return repeat(t, next);
        case tree::sort::ahead: break; // but for those that stand first, which do not come here
        }
        ok_ = false;
        return 0;
    }

private:
    std::uint32_t repeat(const tree& t, std::uint32_t next) {
        std::uint32_t first = next;
        if (t.most == unbounded) {
            const std::uint32_t loop = add({nfa_step::sort::split, 0, 0, 0, next});
            const std::uint32_t body = write(t.parts.front(), loop);
            if (ok_) { out_.steps[loop].next = body; }
            first = loop;
        } else {
            for (std::uint32_t i = t.least; i < t.most && ok_; ++i) {
                first = add({nfa_step::sort::split, 0, 0, write(t.parts.front(), first), next});
            }
        }
        for (std::uint32_t i = 0; i != t.least && ok_; ++i) { first = write(t.parts.front(), first); }
        return first;
    }

    std::uint32_t characters(const std::vector<code_range>& ranges, std::uint32_t next) {
        constexpr char32_t before = first_surrogate - 1;
        constexpr char32_t behind = last_surrogate + 1;
        ways_.clear();
        for (const code_range& r : ranges) {
            // Surrogates of the string stand at their own place, those of the translation where they were moved to.
            if (r.first < first_surrogate) { bytes(r.first, std::min(r.second, before), next); }
            if (r.second > last_surrogate) { bytes(std::max(r.first, behind), r.second, next); }
            if (r.second >= hidden_surrogates) {
                const char32_t from = std::max(r.first, hidden_surrogates) - hidden_surrogates;
                bytes(first_surrogate + from, first_surrogate + (r.second - hidden_surrogates), next);
            }
        }
        std::uint32_t first = 0;
        if (ways_.empty()) { // no character at all
            first = add({nfa_step::sort::byte, 1, 0, next, 0});
        }
        for (std::size_t i = 0; i != ways_.size(); ++i) {
            first = i == 0 ? ways_[i] : add({nfa_step::sort::split, 0, 0, ways_[i], first});
        }
        return first;
    }

    static unsigned size_of(char32_t c) noexcept {
        return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    }
    static std::uint8_t byte_of(char32_t c, unsigned size, unsigned place) noexcept {
        constexpr unsigned leads[] = {0, 0, 0xC0, 0xE0, 0xF0};
        const char32_t part = c >> 6 * (size - 1 - place);
        return static_cast<std::uint8_t>(place == 0 ? leads[size] | part : 0x80 | (part & 0x3F));
    }

    /// Parts a range until each part is a product of ranges of bytes: U+0000 to U+0800 is 00-7F, C2-DF 80-BF and E0 A0 80.
    void bytes(char32_t first, char32_t last, std::uint32_t next) {
        std::vector<code_range> todo{{first, last}};
        while (!todo.empty() && ok_) {
            const auto [low, high] = todo.back();
            todo.pop_back();
            if (const std::optional<char32_t> cut = cut_of(low, high)) {
                todo.emplace_back(low, *cut - 1);
                todo.emplace_back(*cut, high);
                continue;
            }
            const unsigned size = size_of(low);
            std::uint32_t way = next;
            for (unsigned i = size; i-- != 0;) {
                way = add({nfa_step::sort::byte, byte_of(low, size, i), byte_of(high, size, i), way, 0});
            }
            ways_.push_back(way);
        }
    }
    /// Where the second part of a range begins, if it has to be parted.
    static std::optional<char32_t> cut_of(char32_t low, char32_t high) noexcept {
        for (const char32_t limit : {char32_t{0x80}, char32_t{0x800}, char32_t{0x10000}}) {
            if (low < limit && high >= limit) { return limit; }
        }
        for (unsigned i = 1; i < size_of(low); ++i) {
            const char32_t tail = (char32_t{1} << 6 * i) - 1;
            if ((low & ~tail) == (high & ~tail)) { continue; }
            if ((low & tail) != 0) { return (low | tail) + 1; }
            if ((high & tail) != tail) { return high & ~tail; }
        }
        return std::nullopt;
    }

    const std::vector<tree>& trees_;
    nfa& out_;
    std::vector<std::uint32_t> ways_;
    bool ok_ = true;
};

} // namespace

std::optional<nfa> parse_nfa(std::string_view translated) {
    reader r(translated);
    const std::optional<std::uint32_t> root = r.run();
    if (!root) { return std::nullopt; }
    nfa out;
    writer w(r.trees, out);
    const std::uint32_t match = w.add({nfa_step::sort::match, 0, 0, 0, 0});
    out.parts.push_back({0, true, true});
    // `\A(?=…)(?!…)…`: the look-aheads become parts of their own, and nothing is left of them in the pattern.
    std::vector<std::uint32_t> ahead;
    if (tree& top = r.trees[*root]; top.what == tree::sort::sequence && !top.parts.empty() &&
                                    r.trees[top.parts.front()].what == tree::sort::begin) {
        while (top.parts.size() > 1 && r.trees[top.parts[1]].what == tree::sort::ahead) {
            ahead.push_back(top.parts[1]);
            top.parts.erase(top.parts.begin() + 1);
        }
    }
    out.parts.front().start = w.write(*root, match);
    for (const std::uint32_t index : ahead) {
        const tree& t = r.trees[index];
        out.parts.push_back({w.write(t.parts.front(), match), !t.negated, false});
    }
    if (!w.ok()) { return std::nullopt; }
    return out;
}

} // namespace jsonheal::schema::detail
