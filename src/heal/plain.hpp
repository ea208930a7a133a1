// The plain path: runs of tokens whose reading is beyond doubt, taken in one loop.
//
// Most of a broken text is whole, and most of its faults are of a few simple kinds: other quotes, bare keys, bare words,
// trailing commas, comments, literals of other languages. Every token that is taken here is one that the steps of the engine would read
// in the same way, with the same edits and into the same state: its end is proved by structure that follows in full,
// as the looks of look.hpp would prove it. Where anything else turns up nothing has been changed, and the step that
// knows about it goes on. So the path changes nothing but the speed, and tests compare both.
#pragma once

#include "engine.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jsonheal::heal_detail {

class plain_path {
public:
    explicit plain_path(engine& owner) noexcept;

    /// Takes what it can from p_ on.
    void run();
    /// Does the brace at an offset open an object beyond doubt: is a plain key and its colon right behind it?
    [[nodiscard]] bool opens_object(std::size_t i) noexcept;
    /// Takes the closing quote at p_ of a string that the steps have read up to it, if beyond doubt.
    void close_string();

private:
    enum class step : std::uint8_t { taken, bracket, other }; ///< bracket: the innermost one is another now

    bool enter() noexcept;
    step token(std::size_t i);
    step member(std::size_t i, bool has_key);
    step key(std::size_t i);
    step value(std::size_t i);
    step string(std::size_t i);
    step number(std::size_t i);
    step word(std::size_t i);
    step bare_words(std::size_t i);
    step open(std::size_t i);
    step close(std::size_t i);
    step comment(std::size_t i);

    void add(std::size_t from, std::size_t to, std::string_view text, rule why);
    void add_inner_quotes(std::size_t i, std::size_t close, char quote);
    /// May the log hold so many more? Else the steps refuse.
    [[nodiscard]] bool room(std::size_t edits) const noexcept {
        return e_.edits_.size() + e_.dropped_edits_ + edits <= e_.options_.limits.edits;
    }

    [[nodiscard]] std::size_t key_string_end(std::size_t i, std::size_t stop, char quote) const noexcept;
    [[nodiscard]] std::size_t string_end(std::size_t i, char quote, std::size_t& inner) const noexcept;
    [[nodiscard]] std::size_t escape_end(std::size_t i, std::size_t content, bool& host,
                                         std::size_t& inner) const noexcept;
    [[nodiscard]] std::size_t character_end(std::size_t i, char quote) const noexcept;
    [[nodiscard]] std::size_t key_end(std::size_t i, std::size_t stop) const noexcept;
    [[nodiscard]] bool key_and_colon(std::size_t i, std::size_t stop) noexcept;
    [[nodiscard]] bool value_follows(std::size_t i, std::size_t stop) const noexcept;
    [[nodiscard]] bool token_ends(std::size_t i, std::size_t stop) const noexcept;
    [[nodiscard]] bool ends_well(std::size_t i, bool deep) noexcept;
    [[nodiscard]] bool ends_somehow(std::size_t i, bool deep) noexcept;
    [[nodiscard]] bool object_follows(std::size_t i, std::size_t stop) const noexcept;
    [[nodiscard]] bool after_line_end(std::size_t i, std::size_t from) const noexcept;
    [[nodiscard]] bool begins_plainly(std::size_t i) const noexcept;

    [[nodiscard]] unsigned char byte(std::size_t i) const noexcept {
        return static_cast<unsigned char>(s_[i]);
    }
    [[nodiscard]] std::size_t skip(std::size_t i, std::size_t stop) const noexcept;
    [[nodiscard]] std::size_t skip_comments(std::size_t i, std::size_t stop, bool& seen) const noexcept;
    [[nodiscard]] std::size_t comment_end(std::size_t i, std::size_t stop) const noexcept;

    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    engine& e_;
    const char* s_;          // s_[i] is byte i of the input, for what is in the window
    std::size_t end_;        // of the window
    std::size_t reach_;      // bytes from a decision that a look surely sees
    bool in_object_ = false; // the innermost bracket is one

    // The key seen last. The proof of a value's end finds the next key, and so each is read once.
    struct {
        std::size_t at, close, value; ///< its first byte, the byte behind it, the byte behind its colon
    } key_{none, 0, 0};

    // What the proof of a value's end has found right behind it, with nothing but blanks between.
    struct {
        std::size_t comma = none, next = 0; ///< a comma, and the token behind it
    } behind_;
};

} // namespace jsonheal::heal_detail
