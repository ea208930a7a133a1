// Waiting for what decides where a value ends.
//
// In most texts a value is followed by a comma, a key and its colon, or by brackets that close, and only then is it certain
// that it ended. While nothing but the beginning of that arrives, a look would starve and need not be tried; anything
// else is worth a look. The same goes for a key, of which nothing is known before its colon.
#pragma once

#include "look.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace jsonheal::heal_detail {

class next_token_wait {
public:
    enum class state : std::uint8_t {
        token,    ///< in a number or literal
        value,    ///< behind a value
        member,   ///< where a key, an element or a closer may stand
        element,  ///< in the first words of a quoted element, which may be a key where none can stand
        key,      ///< in a quoted key
        bare_key, ///< in a key without quotes
        key_end,  ///< behind either
        done      ///< something to look at has come
    };

    /// The brackets that may close before it is certain that a value has ended: the innermost first.
    struct brackets {
        std::uint8_t objects = 0; ///< a bit for each that is one
        std::uint8_t count = 0;
        static constexpr std::uint8_t most = closers_proved + 1;
    };

    void begin(state s, std::size_t at, brackets open) noexcept {
        state_ = s;
        at_ = at;
        open_ = open;
        closed_ = blanks_ = 0;
    }
    [[nodiscard]] std::size_t at() const noexcept { return at_; }
    [[nodiscard]] state now() const noexcept { return state_; }

    /// Reads on. Returns whether a look is worth while. O(size).
    bool read(const char* s, std::size_t size) noexcept {
        at_ += size;
        const char* const end = s + size;
        while (s != end && state_ != state::done) {
            if (state_ == state::key) {
                while (s != end && key_bytes[static_cast<unsigned char>(*s)]) { ++s; }
            } else {
                while (s != end && *s == ' ' && state_ != state::element) {
                    if (state_ == state::token) { state_ = state::value; }
                    if (state_ == state::bare_key) { state_ = state::key_end; }
                    ++s;
                }
            }
            if (s != end) { state_ = next(*s++); }
        }
        return state_ == state::done;
    }

private:
    [[nodiscard]] state next(char c) noexcept {
        const auto u = static_cast<unsigned char>(c);
        switch (state_) {
        case state::token:
            if (token_bytes[u]) { return state::token; }
            [[fallthrough]];
        case state::value:
            return is_blank(u) ? state::value : c == ',' ? state::member : closes(c) ? close() : state::done;
        case state::member:
            if (is_blank(u)) { return state::member; }
            if (!in_object()) { return state::done; }
            quote_ = c;
            return c == '"' || c == '\''          ? state::key
                   : is_name_start(u) && u < 0x80 ? state::bare_key
                                                  : state::done;
        case state::element:
            return (c == ' ' && ++blanks_ < 3) || (token_bytes[u] && c != '+') ? state::element : state::done;
        case state::key:
            return c == quote_                         ? state::key_end
                   : c == '\\' || u < 0x20 || c == '"' ? state::done
                                                       : state::key;
        case state::bare_key:
            if (token_bytes[u] && c != '+') { return state::bare_key; }
            [[fallthrough]];
        case state::key_end: return is_blank(u) ? state::key_end : state::done;
        case state::done: break;
        }
        return state::done;
    }

    [[nodiscard]] bool in_object() const noexcept { return (open_.objects >> closed_ & 1) != 0; }
    [[nodiscard]] bool closes(char c) const noexcept {
        return closed_ < open_.count && c == (in_object() ? '}' : ']');
    }
    /// Enough of them are proof, and behind the root other things count.
    [[nodiscard]] state close() noexcept {
        ++closed_;
        return closed_ == open_.count ? state::done : state::value;
    }

    static constexpr std::array<bool, 256> token_bytes = [] {
        std::array<bool, 256> table{};
        for (int c = 0; c < 128; ++c) {
            table[static_cast<std::size_t>(c)] = is_name(c) || c == '.' || c == '-' || c == '+';
        }
        return table;
    }();

    /// Bytes of a quoted key that neither end it nor need a look.
    static constexpr std::array<bool, 256> key_bytes = [] {
        std::array<bool, 256> table{};
        for (std::size_t c = 0x20; c < 256; ++c) { table[c] = c != '"' && c != '\'' && c != '\\'; }
        return table;
    }();

    std::size_t at_ = 0; ///< input offset of the next byte
    state state_ = state::done;
    brackets open_;
    std::uint8_t closed_ = 0; ///< of them
    std::uint8_t blanks_ = 0; ///< in an element
    char quote_ = 0;          ///< of the key
};

} // namespace jsonheal::heal_detail
