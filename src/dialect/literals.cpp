#include "literals.hpp"

#include "bytes.hpp"

#include <jsonheal/document.hpp>

#include <array>
#include <charconv>

namespace jsonheal::dialect::detail {

namespace {

using outcome = literal_result::outcome;

/// Appends one code point as UTF-8, a surrogate as its JSON escape.
void append_code_point(std::uint32_t c, std::string& out) {
    constexpr std::string_view digits = "0123456789abcdef";
    if (c < 0x20 || c == '"' || c == '\\' || (c >= 0xD800 && c < 0xE000)) {
        out.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) { out.push_back(digits[c >> shift & 15]); }
    } else if (c < 0x80) {
        out.push_back(static_cast<char>(c));
    } else if (c < 0x800) {
        out.push_back(static_cast<char>(0xC0 | c >> 6));
        out.push_back(static_cast<char>(0x80 | (c & 63)));
    } else if (c < 0x10000) {
        out.push_back(static_cast<char>(0xE0 | c >> 12));
        out.push_back(static_cast<char>(0x80 | (c >> 6 & 63)));
        out.push_back(static_cast<char>(0x80 | (c & 63)));
    } else {
        out.push_back(static_cast<char>(0xF0 | c >> 18));
        out.push_back(static_cast<char>(0x80 | (c >> 12 & 63)));
        out.push_back(static_cast<char>(0x80 | (c >> 6 & 63)));
        out.push_back(static_cast<char>(0x80 | (c & 63)));
    }
}

/// A Python or JSON number as JSON writes it; empty if it is none.
/// `0x1F` → `31`, `1_000` → `1000`, `.5` → `0.5`
std::string json_number(std::string_view word) {
    std::string digits;
    const bool negative = word.starts_with('-');
    if (negative || word.starts_with('+')) { word.remove_prefix(1); }
    int base = 10;
    if (word.size() > 2 && word[0] == '0') {
        const char kind = to_lower(word[1]);
        base = kind == 'x' ? 16 : kind == 'o' ? 8 : kind == 'b' ? 2 : 10;
    }
    for (std::size_t i = base == 10 ? 0 : 2; i < word.size(); ++i) {
        const bool parted = word[i] == '_' && i > 0 && i + 1 < word.size() && word[i - 1] != '_';
        if (!parted) { digits.push_back(word[i]); }
    }
    if (base != 10) {
        std::uint64_t n = 0;
        const auto end = digits.data() + digits.size();
        const auto read = std::from_chars(digits.data(), end, n, base);
        return read.ec == std::errc() && read.ptr == end ? (negative ? "-" : "") + std::to_string(n)
                                                         : std::string();
    }
    if (digits.starts_with('.')) { digits.insert(0, 1, '0'); }
    if (const std::size_t dot = digits.find('.');
        dot != std::string::npos && (dot + 1 == digits.size() || !is_digit(digits[dot + 1]))) {
        digits.insert(dot + 1, 1, '0');
    }
    if (negative) { digits.insert(0, 1, '-'); }
    const parse_result parsed = document::parse_borrowed(digits);
    return parsed && parsed.value.root().is(value_kind::number) ? digits : std::string();
}

/// Reads with a stack of its own: depth costs heap.
class literal_reader {
public:
    literal_reader(std::string_view text, std::size_t begin, const literal_style& style,
                   const std::function<std::string_view(std::size_t)>& name_of)
        : text_(text), i_(begin), style_(style), name_of_(name_of) {}

    literal_result run() {
        out_ = "{";
        open_.push_back(style_.closer);
        safe_ = 1;
        literal_result r;
        r.what = read();
        r.end = i_;
        if (r.what == outcome::cut) {
            out_.resize(safe_);
            for (; !open_.empty(); open_.pop_back()) { out_.push_back(close_of(open_.back())); }
        }
        r.json = std::move(out_);
        return r;
    }

private:
    /// Of a closing bracket of the text the one that JSON has.
    [[nodiscard]] char close_of(char c) const { return open_.size() == 1 || c == '}' ? '}' : ']'; }
    [[nodiscard]] bool named() const { return open_.size() == 1 || open_.back() == '}'; }
    [[nodiscard]] bool done() const { return i_ >= text_.size(); }
    void skip() {
        for (; !done(); ++i_) {
            if (text_[i_] == '#' && style_.python) { // a comment, to the end of its line
                while (!done() && text_[i_] != '\n') { ++i_; }
                if (done()) { return; }
            } else if (!is_blank(text_[i_])) {
                return;
            }
        }
    }

    outcome read() {
        bool first = true;
        for (;;) {
            skip();
            if (done()) { return outcome::cut; }
            if (text_[i_] == open_.back()) {
                out_.push_back(close_of(open_.back()));
                open_.pop_back();
                ++i_;
                if (open_.empty()) { return outcome::whole; }
                safe_ = out_.size();
                first = false;
                continue;
            }
            if (!first) {
                if (text_[i_] != ',') {
                    // gemma forgets commas between members
                    if (style_.python || !named() || !is_name_byte(text_[i_])) { return outcome::wrong; }
                } else {
                    ++i_;
                    skip();
                    if (done()) { return outcome::cut; }
                    if (text_[i_] == open_.back()) { continue; }
                }
                out_.push_back(',');
            }
            if (named()) {
                const outcome o = key();
                if (o != outcome::whole) { return o; }
            }
            const outcome o = value();
            if (o != outcome::whole) { return o; }
            first = opened_;
        }
    }

    /// `a=`, `a:`, `"a":`, or nothing before a value by position.
    outcome key() {
        skip();
        if (done()) { return outcome::cut; }
        const std::size_t start = i_, safe = safe_;
        std::string name;
        const char c = text_[i_];
        if (c == '"' || c == '\'' || at_quote()) {
            const std::size_t before = out_.size();
            const outcome o = string_value();
            safe_ = safe; // a key alone is nothing that could stay
            if (o != outcome::whole) { return o; }
            name = out_.substr(before);
            out_.resize(before);
        } else {
            while (!done() && (is_name_byte(text_[i_]) || text_[i_] == '-')) { ++i_; }
            if (done()) { return outcome::cut; }
            if (i_ > start) { encode_string(text_.substr(start, i_ - start), name); }
        }
        skip();
        if (done()) { return outcome::cut; }
        const bool equals = text_[i_] == '=' && !(i_ + 1 < text_.size() && text_[i_ + 1] == '=');
        if (!name.empty() && (equals || text_[i_] == ':')) {
            ++i_;
            out_.append(name).push_back(':');
            return outcome::whole;
        }
        if (open_.size() != 1) { return outcome::wrong; }
        i_ = start;
        const std::string_view by_place = name_of_(positional_++);
        if (by_place.empty()) { return outcome::wrong; }
        encode_string(by_place, out_);
        out_.push_back(':');
        return outcome::whole;
    }

    outcome value() {
        opened_ = false;
        skip();
        if (done()) { return outcome::cut; }
        const char c = text_[i_];
        if (c == '[' || c == '(' || c == '{') {
            out_.push_back(c == '{' ? '{' : '[');
            open_.push_back(c == '[' ? ']' : c == '(' ? ')' : '}');
            ++i_;
            safe_ = out_.size();
            opened_ = true;
            return outcome::whole;
        }
        if (at_string()) { return string_value(); }
        return style_.python || is_digit(c) || c == '-' || c == '+' || c == '.' ? word() : bare();
    }

    [[nodiscard]] bool at_quote() const {
        return !style_.quote.empty() && text_.substr(i_).starts_with(style_.quote);
    }
    /// At a string, with its prefix (`r"`, `b'`) if it is Python's?
    [[nodiscard]] bool at_string() const {
        if (at_quote() || text_[i_] == '"' || text_[i_] == '\'') { return true; }
        std::size_t i = i_;
        while (style_.python && i < text_.size() && i < i_ + 2 &&
               std::string_view("rRbBuUfF").find(text_[i]) != std::string_view::npos) {
            ++i;
        }
        return i > i_ && i < text_.size() && (text_[i] == '"' || text_[i] == '\'');
    }

    /// One string, or several in a row, which are one.
    outcome string_value() {
        out_.push_back('"');
        for (;;) {
            const outcome o = at_quote() ? marked() : quoted();
            if (o != outcome::whole) { return o; }
            const std::size_t behind = i_;
            skip();
            if (style_.python && !done() && at_string()) { continue; }
            i_ = behind;
            break;
        }
        out_.push_back('"');
        safe_ = out_.size();
        return outcome::whole;
    }

    /// The text stops inside a string: what there is of it stays.
    outcome cut_string() {
        out_.push_back('"');
        safe_ = out_.size();
        return outcome::cut;
    }

    /// `<|"|>…<|"|>`: closed where something of the structure follows.
    outcome marked() {
        i_ += style_.quote.size();
        const std::size_t begin = i_;
        for (std::size_t from = begin;;) {
            const std::size_t at = text_.find(style_.quote, from);
            if (at == std::string_view::npos) {
                std::string_view rest = text_.substr(begin);
                rest.remove_suffix(partial_at_end(rest, style_.quote));
                append_escaped(rest);
                i_ = text_.size();
                return cut_string();
            }
            std::size_t next = at + style_.quote.size();
            while (next < text_.size() && is_blank(text_[next])) { ++next; }
            std::size_t key = next;
            while (key < text_.size() && is_name_byte(text_[key])) { ++key; }
            const bool member = key > next && key < text_.size() && text_[key] == ':'; // the comma is missing
            if (member || next == text_.size() ||
                std::string_view(",}])>:").find(text_[next]) != std::string_view::npos) {
                append_escaped(text_.substr(begin, at - begin));
                i_ = at + style_.quote.size();
                return outcome::whole;
            }
            from = at + style_.quote.size();
        }
    }

    outcome quoted() {
        bool raw = false, formatted = false;
        for (; text_[i_] != '"' && text_[i_] != '\''; ++i_) {
            raw = raw || to_lower(text_[i_]) == 'r';
            formatted = formatted || to_lower(text_[i_]) == 'f';
        }
        const char q = text_[i_];
        const bool triple = text_.substr(i_).starts_with(std::string(3, q));
        const std::string delimiter(triple ? 3 : 1, q);
        i_ += delimiter.size();
        for (;;) {
            std::size_t run = i_;
            while (run < text_.size() && text_[run] != q && text_[run] != '\\' &&
                   !(formatted && text_[run] == '{')) {
                ++run;
            }
            append_escaped(text_.substr(i_, run - i_));
            i_ = run;
            if (done()) { return cut_string(); }
            if (text_[i_] == '{') { return outcome::wrong; } // an expression inside
            if (text_[i_] == q) {
                const std::string_view rest = text_.substr(i_);
                if (rest.starts_with(delimiter)) {
                    i_ += delimiter.size();
                    return outcome::whole;
                }
                if (rest.size() < delimiter.size() && std::string_view(delimiter).starts_with(rest)) {
                    i_ = text_.size();
                    return cut_string();
                }
                append_escaped(text_.substr(i_++, 1));
                continue;
            }
            if (!escape(raw)) {
                i_ = text_.size();
                return cut_string();
            }
        }
    }

    /// One escape. False if the text stops inside.
    bool escape(bool raw) {
        if (i_ + 1 >= text_.size()) { return false; }
        const char c = text_[i_ + 1];
        if (raw) {
            append_escaped(text_.substr(i_, 2));
            i_ += 2;
            return true;
        }
        constexpr std::string_view from = "ntrbf\\'\"av0", to = "\n\t\r\b\f\\'\"\a\v\0";
        if (const std::size_t k = from.find(c); k != std::string_view::npos) {
            append_escaped(std::string_view(k == 10 ? "\0" : to.data() + k, 1));
            i_ += 2;
            return true;
        }
        if (c == '\n') {
            i_ += 2;
            return true;
        }
        const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
        if (digits != 0 && i_ + 2 + digits > text_.size()) { return false; }
        std::uint32_t code = 0;
        const char* const first = text_.data() + i_ + 2;
        const auto read = digits != 0 ? std::from_chars(first, first + digits, code, 16)
                                      : std::from_chars_result{first, std::errc::invalid_argument};
        if (read.ec == std::errc() && read.ptr == first + digits && code < 0x110000) {
            if (code >= 0xD800 && code < 0xDC00 && i_ + 2 + digits + 6 > text_.size()) {
                return false;
            } // its other half
            append_code_point(code, out_);
            i_ += 2 + digits;
            return true;
        }
        append_escaped(text_.substr(i_, 2)); // as Python: not an escape
        i_ += 2;
        return true;
    }

    void append_escaped(std::string_view text) {
        const std::size_t before = out_.size();
        encode_string(text, out_);
        out_.pop_back();
        out_.erase(before, 1);
    }

    /// `True`, `None`, `1_000`. Anything else is an expression.
    outcome word() {
        const std::size_t begin = i_;
        while (!done() && !is_blank(text_[i_]) &&
               std::string_view(",)]}:;").find(text_[i_]) == std::string_view::npos) {
            ++i_;
        }
        if (done()) { return outcome::cut; }
        const std::string_view w = text_.substr(begin, i_ - begin);
        std::string spelled(literal(w));
        if (spelled.empty()) { spelled = json_number(w); }
        if (spelled.empty()) {
            if (style_.python) { return outcome::wrong; }
            i_ = begin;
            return bare();
        }
        out_.append(spelled);
        safe_ = out_.size();
        return outcome::whole;
    }

    static std::string_view literal(std::string_view w) {
        if (w == "True" || w == "true") { return "true"; }
        if (w == "False" || w == "false") { return "false"; }
        return w == "None" || w == "null" ? "null" : std::string_view();
    }

    /// Text without quotes, up to a comma or the closer.
    outcome bare() {
        const std::size_t begin = i_;
        while (!done() && text_[i_] != ',' && text_[i_] != open_.back()) {
            if (at_quote()) { break; }
            ++i_;
        }
        if (done()) { return outcome::cut; }
        std::string_view w = text_.substr(begin, i_ - begin);
        while (!w.empty() && is_blank(w.back())) { w.remove_suffix(1); }
        if (at_quote()) { i_ += style_.quote.size(); } // only its closing delimiter is there
        if (const std::string_view l = literal(w); !l.empty()) {
            out_.append(l);
        } else {
            encode_string(w, out_);
        }
        safe_ = out_.size();
        return outcome::whole;
    }

    std::string_view text_;
    std::size_t i_;
    const literal_style& style_;
    const std::function<std::string_view(std::size_t)>& name_of_;
    std::string out_;
    std::string open_;     // closers that are wanted, the innermost last
    std::size_t safe_ = 0; // bytes of `out_` that stay if the text stops here
    std::size_t positional_ = 0;
    bool opened_ = false; // the last value was an opening bracket
};

} // namespace

literal_result read_literals(std::string_view text, std::size_t begin, const literal_style& style,
                             const std::function<std::string_view(std::size_t)>& name_of) {
    return literal_reader(text, begin, style, name_of).run();
}

bool bracket_watch::in_string(std::string_view text, std::size_t& i) {
    while (i < text.size()) {
        const char c = text[i];
        if (c == '\\' && open_ != quote_) {
            if (i + 1 >= text.size()) { return false; }
            i += 2;
            continue;
        }
        if (c == open_[0]) {
            const std::string_view rest = text.substr(i);
            if (rest.starts_with(open_)) {
                i += open_.size();
                open_ = {};
                return true;
            }
            if (rest.size() < open_.size() && open_.starts_with(rest)) { return false; }
        }
        ++i;
    }
    return false;
}

std::size_t bracket_watch::look(std::string_view text, std::size_t& i) {
    while (i < text.size()) {
        if (!open_.empty()) {
            if (!in_string(text, i)) { return std::string_view::npos; }
            continue;
        }
        const char c = text[i];
        const std::string_view rest = text.substr(i);
        if (!quote_.empty() && c == quote_[0]) {
            if (rest.size() < quote_.size() && quote_.starts_with(rest)) { return std::string_view::npos; }
            if (rest.starts_with(quote_)) {
                open_ = quote_;
                i += quote_.size();
                continue;
            }
        }
        if (c == '"' || (c == '\'' && quote_.empty())) {
            constexpr std::string_view double_quotes = "\"\"\"", single_quotes = "'''";
            const std::string_view three = c == '"' ? double_quotes : single_quotes;
            if (rest.size() < 3 && three.starts_with(rest)) { return std::string_view::npos; }
            open_ = rest.starts_with(three) ? three : three.substr(0, 1);
            i += open_.size();
            continue;
        }
        ++i;
        if (c == '(' || c == '[' || c == '{') { ++depth_; }
        if ((c == ')' || c == ']' || c == '}') && (depth_ == 0 || --depth_ == 0)) { return i; }
    }
    return std::string_view::npos;
}

} // namespace jsonheal::dialect::detail
