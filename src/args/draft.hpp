// A text on its way from what a model wrote to arguments, with the edits that lead from one to the other.
#pragma once

#include <jsonheal/heal.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::args_detail {

using edit_log = std::vector<edit>;

/// Room for the changes that a text is likely to need where quotes are escaped or lose their escapes.
[[nodiscard]] constexpr std::size_t expected_edits(std::size_t bytes) noexcept {
    return 4 + (bytes < 4096 ? bytes : 4096) / 6;
}

/// The rules that a log names.
class rules_used {
public:
    explicit rules_used(const edit_log& log) noexcept {
        for (const edit& e : log) { bits_[index(e.rule) / 64] |= bit(e.rule); }
    }
    [[nodiscard]] bool has(rule r) const noexcept { return (bits_[index(r) / 64] & bit(r)) != 0; }
    /// Calls f with each.
    template <class F>
    void each(F f) const {
        for (std::size_t word = 0; word < bits_.size(); ++word) {
            for (std::uint64_t left = bits_[word]; left != 0; left &= left - 1) {
                f(static_cast<rule>(word * 64 + static_cast<unsigned>(std::countr_zero(left))));
            }
        }
    }

private:
    static std::size_t index(rule r) noexcept { return static_cast<std::size_t>(r); }
    static std::uint64_t bit(rule r) noexcept { return std::uint64_t{1} << index(r) % 64; }
    std::array<std::uint64_t, 2> bits_{}; // as many as `rule_set` has
};

/// Appends a change whose text may be longer than an edit holds: the first entry replaces, the next insert behind it.
/// Characters are never split.
void put(edit_log& log, std::size_t from, std::size_t to, std::string_view text, rule why);

/// The one log that does what two do in a row: `first` makes B of A, `second` makes C of B. O(both).
[[nodiscard]] edit_log compose(const edit_log& first, const edit_log& second);

/// The raw text, what has become of it so far, and the proof.
struct draft {
    explicit draft(std::string_view raw) noexcept : text(raw) {}
    // `text` may show `owned`, whose bytes move with it if they are few
    draft(const draft& other)
        : text(other.text), owned(other.owned), log(other.log), cut(other.cut), mine(other.mine) {
        look();
    }
    draft(draft&& other) noexcept
        : text(other.text),
          owned(std::move(other.owned)),
          log(std::move(other.log)),
          cut(other.cut),
          mine(other.mine) {
        look();
    }
    draft& operator=(draft&& other) noexcept {
        text = other.text;
        owned = std::move(other.owned);
        log = std::move(other.log);
        cut = other.cut;
        mine = other.mine;
        look();
        return *this;
    }

    std::string_view text;
    std::string owned;
    edit_log log; ///< from the raw text to `text`
    cut_place cut = cut_place::none;
    bool mine = false; ///< `text` is `owned`

    /// Makes changes to `text`, in order of position.
    void apply(edit_log&& changes);
    /// The draft that those changes make of this one.
    [[nodiscard]] draft with(edit_log changes) const;
    /// Takes over what `heal` made of `text`. @pre h.ok()
    void take(healing&& h);
    /// Keeps [begin, end) of `text` and drops the rest.
    void keep(std::size_t begin, std::size_t end, rule why);

private:
    void write(const edit_log& changes, std::string& out) const;
    void add(edit_log&& changes) { log = log.empty() ? std::move(changes) : compose(log, changes); }
    void look() noexcept {
        if (mine) { text = owned; }
    }
};

} // namespace jsonheal::args_detail
