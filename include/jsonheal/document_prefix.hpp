/// @file document_prefix.hpp
/// Strict JSON that is still being written: where its text stands, and what would make it whole.
///
/// A healed stream hands out the beginning of a strict text and never takes any of it back. This reader follows that
/// text in pieces of any size, so that what has been read can be forgotten: it keeps one byte an open bracket and
/// nothing else. It tells a sink what it meets; a sink that does nothing costs nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace jsonheal {

/// What a `prefix_reader` meets. All offsets are bytes from the beginning of the text. A sink derives from this and
/// hides what it wants to hear; runs of bytes are valid during the call.
struct prefix_sink {
    /// A container, a string or a token (number or literal) begins; `first` is its first byte.
    void value_begins(char /*first*/, std::size_t /*at*/) {}
    /// Content of the string or bytes of the token that is open. Never ends inside an escape or a surrogate pair.
    void value_run(std::string_view /*bytes*/) {}
    /// The value that is open ends; `end` is one past its last byte.
    void value_ends(std::size_t /*end*/) {}
    void key_begins(std::size_t /*at*/) {}
    void key_run(std::string_view /*bytes*/) {}
    void key_ends(std::size_t /*end*/) {}
};

/// Follows a strict JSON text (RFC 8259) that arrives in pieces.
///
/// @pre What is read is the beginning of a strict text, and no piece ends inside a UTF-8 character. Of anything else the answers are unspecified, though
/// memory-safe.
///
/// @code
/// jsonheal::prefix_sink nothing;
/// jsonheal::prefix_reader reader(nothing);
/// reader.read("{\"a\": [1, \"he");
/// assert(reader.whole() == 13);
/// std::string closers;
/// reader.append_closers(closers);
/// assert(closers == "\"]}");
/// @endcode
template <class Sink>
class prefix_reader {
public:
    explicit prefix_reader(Sink& sink) noexcept : sink_(&sink) {}

    /// Ready for another text; keeps its memory.
    void reset() noexcept {
        open_.clear();
        size_ = whole_ = unit_ = 0;
        place_ = place::value;
        step_ = 0;
    }
    void set_sink(Sink& sink) noexcept { sink_ = &sink; }

    /// Reads on. Amortised O(bytes).
    void read(std::string_view more) {
        const char* p = more.data();
        const char* const end = p + more.size();
        begin_ = p;
        while (p != end) {
            switch (place_) {
            case place::in_string:
            case place::in_key: p = read_string(p, end); break;
            case place::in_token: p = read_token(p, end); break;
            default:
                if (is_blank(*p)) {
                    p = read_blanks(p, end);
                } else {
                    read_structure(*p, at(p));
                    ++p;
                }
            }
        }
        size_ += more.size();
    }

    /// A number or literal at the end of what was read is known to be whole: the text is over, or somebody says so.
    void end_token() {
        if (place_ == place::in_token) { token_done(size_); }
    }

    /// Where the number or literal began that the text ends in; nothing if it ends elsewhere.
    [[nodiscard]] std::optional<std::size_t> token_begin() const noexcept {
        return place_ == place::in_token ? std::optional(token_begin_) : std::nullopt;
    }
    /// @pre token_begin(). As if the text ended before it.
    void drop_token() noexcept {
        place_ = place::value;
        size_ = token_begin_;
    }

    /// Bytes read so far.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// Brackets open.
    [[nodiscard]] std::size_t depth() const noexcept { return open_.size(); }
    /// The longest beginning that closers alone make whole. 0: no value has begun, or only a token that may go on.
    /// `token_ended`: the number or literal at the end, if there is one, is known to be whole.
    [[nodiscard]] std::size_t whole(bool token_ended = false) const noexcept {
        return token_ended && place_ == place::in_token ? size_ : whole_;
    }
    /// Appends what makes the text up to `whole()` whole: a quote if it ends in a string, and brackets. O(depth).
    void append_closers(std::string& out) const {
        if (place_ == place::in_string) { out.push_back('"'); }
        out.append(open_.rbegin(), open_.rend());
    }
    /// @pre kept <= depth(). Appends the brackets that close the outermost `kept` containers. O(kept).
    void append_brackets(std::string& out, std::size_t kept) const {
        for (std::size_t i = kept; i != 0; --i) { out.push_back(open_[i - 1]); }
    }
    /// Does it end where a value must come, within a container?
    [[nodiscard]] bool awaits_value() const noexcept { return place_ == place::value && !open_.empty(); }
    /// Does it end behind a key whose colon must come?
    [[nodiscard]] bool awaits_colon() const noexcept { return place_ == place::colon; }
    /// Is the innermost open bracket that of an object?
    [[nodiscard]] bool in_object() const noexcept { return !open_.empty() && open_.back() == '}'; }
    /// Is the end of what was read inside a string that is a value?
    [[nodiscard]] bool in_string() const noexcept { return place_ == place::in_string; }
    /// Appends what makes all that was read whole, with null for a value that has not begun. O(depth).
    /// `{"a` → `":null}`
    void append_ending(std::string& out) const {
        switch (place_) {
        case place::value: out.append("null"); break;
        case place::key: out.append("\"\":null"); break;
        case place::in_key: out.append("\":null"); break;
        case place::colon: out.append(":null"); break;
        default: break;
        }
        append_closers(out);
    }

private:
    enum class place : std::uint8_t {
        value,         ///< a value must come
        first_element, ///< a value or the end of the array
        first_key,     ///< a key or the end of the object
        key,           ///< a key must come
        colon,
        in_key,
        in_string,
        in_token,
        after ///< a value has ended
    };

    [[nodiscard]] std::size_t at(const char* p) const noexcept {
        return size_ + static_cast<std::size_t>(p - begin_);
    }
    [[nodiscard]] static bool is_blank(char c) noexcept {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    /// Is one of eight bytes this one?
    [[nodiscard]] static bool holds_byte(std::uint64_t eight, char c) noexcept {
        constexpr std::uint64_t ones = 0x0101010101010101u;
        const std::uint64_t x = eight ^ ones * static_cast<unsigned char>(c);
        return ((x - ones) & ~x & ones << 7) != 0;
    }

    const char* read_blanks(const char* p, const char* end) noexcept {
        const char* q = p + 1;
        for (std::uint64_t eight; end - q >= 8; q += 8) { // indentation
            std::memcpy(&eight, q, 8);
            if (eight != 0x2020202020202020u) { break; }
        }
        while (q != end && is_blank(*q)) { ++q; }
        const bool behind_value =
            place_ == place::after || place_ == place::first_element || place_ == place::first_key;
        if (behind_value && whole_ == at(p)) { whole_ = at(q); }
        return q;
    }

    void read_structure(char c, std::size_t i) {
        switch (c) {
        case '{':
        case '[':
            sink_->value_begins(c, i);
            open_.push_back(c == '{' ? '}' : ']');
            place_ = c == '{' ? place::first_key : place::first_element;
            whole_ = i + 1;
            return;
        case '}':
        case ']':
            if (!open_.empty()) { open_.pop_back(); }
            sink_->value_ends(i + 1);
            done(i + 1);
            return;
        case ',': place_ = !open_.empty() && open_.back() == '}' ? place::key : place::value; return;
        case ':': place_ = place::value; return;
        case '"':
            if (place_ == place::key || place_ == place::first_key) {
                place_ = place::in_key;
                sink_->key_begins(i);
            } else {
                place_ = place::in_string;
                sink_->value_begins(c, i);
                whole_ = i + 1;
            }
            return;
        default:
            place_ = place::in_token;
            token_begin_ = i;
            sink_->value_begins(c, i);
            sink_->value_run({&c, 1});
            return;
        }
    }

    void done(std::size_t end) noexcept {
        place_ = place::after;
        whole_ = end;
    }

    const char* read_token(const char* p, const char* end) {
        const char* q = p;
        while (q != end && !is_blank(*q) && *q != ',' && *q != '}' && *q != ']') { ++q; }
        if (q != p) { sink_->value_run({p, static_cast<std::size_t>(q - p)}); }
        if (q != end) { token_done(at(q)); }
        return q;
    }

    void token_done(std::size_t end) {
        sink_->value_ends(end);
        done(end);
    }

    // ---- strings

    // The unit that is unfinished at the end of what was read: an escape, or a surrogate pair in escapes.
    enum : std::uint8_t {
        no_unit = 0,
        backslash = 1,
        hex = 2,
        high = 6,
        high_backslash = 7,
        low_hex = 8,
        unit_end = 12
    };

    const char* read_string(const char* p, const char* end) {
        if (step_ != no_unit) { return read_unit(p, end); }
        const char* q = p;
        for (std::uint64_t eight; end - q >= 8; q += 8) {
            std::memcpy(&eight, q, 8);
            if (holds_byte(eight, '"') || holds_byte(eight, '\\')) { break; }
        }
        while (q != end && *q != '"' && *q != '\\') { ++q; }
        if (q != p) { run({p, static_cast<std::size_t>(q - p)}, at(q)); }
        if (q == end) { return q; }
        if (*q == '\\') {
            start_unit();
            return q + 1;
        }
        const std::size_t behind = at(q) + 1;
        if (place_ == place::in_key) {
            sink_->key_ends(behind);
            place_ = place::colon;
        } else {
            sink_->value_ends(behind);
            done(behind);
        }
        return q + 1;
    }

    void run(std::string_view bytes, std::size_t end) {
        if (place_ == place::in_key) {
            sink_->key_run(bytes);
        } else {
            sink_->value_run(bytes);
            whole_ = end;
        }
    }

    void start_unit() noexcept {
        step_ = backslash;
        held_[0] = '\\';
        unit_ = 1;
    }

    /// One more byte of the unit, or its end before p.
    const char* read_unit(const char* p, const char*) {
        const char c = *p;
        if ((step_ == high && c != '\\') || (step_ == high_backslash && c != 'u')) {
            // no low half follows: what was held is a unit of its own
            const bool escape = step_ == high_backslash;
            step_ = no_unit;
            run({held_, std::size_t{6}}, at(p) - (escape ? 1 : 0));
            if (escape) { start_unit(); }
            return p;
        }
        held_[unit_++] = c;
        switch (step_) {
        case backslash: step_ = c == 'u' ? std::uint8_t{hex} : std::uint8_t{unit_end}; break;
        case hex + 3: step_ = is_high() ? std::uint8_t{high} : std::uint8_t{unit_end}; break;
        default: ++step_;
        }
        if (step_ == unit_end) {
            step_ = no_unit;
            run({held_, unit_}, at(p) + 1);
        }
        return p + 1;
    }

    /// Is the escape that is held the high half of a surrogate pair?
    [[nodiscard]] bool is_high() const noexcept {
        const char second = static_cast<char>(held_[3] | 0x20);
        return (held_[2] | 0x20) == 'd' &&
               (held_[3] == '8' || held_[3] == '9' || second == 'a' || second == 'b');
    }

    Sink* sink_;
    const char* begin_ = nullptr;
    std::string open_; ///< closers owed, innermost last
    std::size_t size_ = 0, whole_ = 0, token_begin_ = 0;
    place place_ = place::value;
    std::uint8_t step_ = no_unit;
    char held_[12] = {};
    std::size_t unit_ = 0; ///< bytes of `held_`
};

} // namespace jsonheal
