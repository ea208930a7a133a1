// Waiting for what decides where a value ends.
//
// In most texts a value is followed by a comma, a key and its colon, and only then is it certain that it ended. While nothing
// but the beginning of that arrives, a look would starve again and need not be tried; anything else is worth a look.
#pragma once

#include "look.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace jsonheal::heal_detail {

class next_token_wait {
public:
    enum class state : std::uint8_t {
        token,   ///< in a number or literal
        value,   ///< behind a value
        comma,   ///< behind the comma
        key,     ///< in a quoted key
        key_end, ///< behind it
        done     ///< something to look at has come
    };

    void begin(state s, std::size_t at, bool in_object) noexcept {
        state_ = s;
        at_ = at;
        in_object_ = in_object;
    }
    [[nodiscard]] std::size_t at() const noexcept { return at_; }
    [[nodiscard]] state now() const noexcept { return state_; }

    /// Reads on. Returns whether a look is worth while. O(size).
    bool read(const char* s, std::size_t size) noexcept {
        at_ += size;
        for (const char* const end = s + size; s != end && state_ != state::done; ++s) { state_ = next(*s); }
        return state_ == state::done;
    }

private:
    [[nodiscard]] state next(char c) const noexcept {
        const auto u = static_cast<unsigned char>(c);
        switch (state_) {
        case state::token:
            if (token_bytes[u]) { return state::token; }
            [[fallthrough]];
        case state::value: return is_blank(u) ? state::value : c == ',' ? state::comma : state::done;
        case state::comma:
            return is_blank(u) ? state::comma : c == '"' && in_object_ ? state::key : state::done;
        case state::key: return c == '"' ? state::key_end : c == '\\' || u < 0x20 ? state::done : state::key;
        case state::key_end: return is_blank(u) ? state::key_end : state::done;
        case state::done: break;
        }
        return state::done;
    }

    static constexpr std::array<bool, 256> token_bytes = [] {
        std::array<bool, 256> table{};
        for (int c = 0; c < 128; ++c) {
            table[static_cast<std::size_t>(c)] = is_name(c) || c == '.' || c == '-' || c == '+';
        }
        return table;
    }();

    std::size_t at_ = 0; ///< input offset of the next byte
    state state_ = state::done;
    bool in_object_ = false;
};

} // namespace jsonheal::heal_detail
