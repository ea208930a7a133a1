// The plain path: runs of tokens whose reading is beyond doubt, taken in one loop.
//
// Most of a broken text is whole, and most of its faults are of a few simple kinds: other quotes, bare keys, trailing
// commas, literals of other languages. Every token that is taken here is one that the steps of the engine would read
// in the same way, with the same edits and into the same state: its end is proved by structure that follows in full,
// as the looks of look.hpp would prove it. Where anything else turns up nothing has been changed, and the step that
// knows about it goes on. So the path changes nothing but the speed, and tests compare both.
#pragma once

#include "engine.hpp"

#include <cstddef>
#include <cstdint>

namespace jsonheal::heal_detail {

class plain_path {
public:
    explicit plain_path(engine& owner) noexcept;

    /// Takes what it can from p_ on.
    void run();
    /// Takes the closing quote at p_ of a string that the steps have read up to it, if beyond doubt.
    void close_string();

private:
    enum class step : std::uint8_t { taken, other };

    step key(std::size_t i);
    step value(std::size_t i);
    step string(std::size_t i);
    step number(std::size_t i);
    step word(std::size_t i);
    step open(std::size_t i);
    step close(std::size_t i);

    [[nodiscard]] std::size_t string_end(std::size_t i, std::size_t stop, char quote,
                                         bool escapes) const noexcept;
    [[nodiscard]] std::size_t escape_end(std::size_t i, std::size_t content, bool& host) const noexcept;
    [[nodiscard]] std::size_t character_end(std::size_t i, char quote) const noexcept;
    [[nodiscard]] std::size_t key_end(std::size_t i, std::size_t stop) const noexcept;
    [[nodiscard]] bool key_and_colon(std::size_t i, std::size_t stop) noexcept;
    [[nodiscard]] bool value_follows(std::size_t i, std::size_t stop) const noexcept;
    [[nodiscard]] bool token_ends(std::size_t i, std::size_t stop) const noexcept;
    [[nodiscard]] bool ends_well(std::size_t i, bool deep) noexcept;
    [[nodiscard]] bool begins_plainly(std::size_t i) const noexcept;

    [[nodiscard]] unsigned char byte(std::size_t i) const noexcept {
        return static_cast<unsigned char>(s_[i]);
    }
    [[nodiscard]] std::size_t skip(std::size_t i, std::size_t stop) const noexcept;

    engine& e_;
    const char* s_;     // s_[i] is byte i of the input, for what is in the window
    std::size_t end_;   // of the window
    std::size_t reach_; // bytes from a decision that a look surely sees

    // The key seen last. The proof of a value's end finds the next key, and so each is read once.
    struct {
        std::size_t at, close, value; ///< its first byte, the byte behind it, the byte behind its colon
    } key_{static_cast<std::size_t>(-1), 0, 0};
};

} // namespace jsonheal::heal_detail
