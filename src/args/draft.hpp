// A text on its way from what a model wrote to arguments, with the edits that lead from one to the other.
#pragma once

#include <jsonheal/heal.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::args_detail {

using edit_log = std::vector<edit>;

/// Appends a change whose text may be longer than an edit holds: the first entry replaces, the next insert behind it.
/// Characters are never split.
void put(edit_log& log, std::size_t from, std::size_t to, std::string_view text, rule why);

/// The one log that does what two do in a row: `first` makes B of A, `second` makes C of B. O(both).
[[nodiscard]] edit_log compose(const edit_log& first, const edit_log& second);

/// The raw text, what has become of it so far, and the proof.
struct draft {
    explicit draft(std::string_view raw) noexcept : text(raw) {}
    // `text` may show `owned`, whose bytes move with it if they are few
    draft(const draft& other) : text(other.text), owned(other.owned), log(other.log), cut(other.cut), mine(other.mine) { look(); }
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
    void apply(const edit_log& changes);
    /// Takes over what `heal` made of `text`. @pre h.ok()
    void take(healing&& h);
    /// Keeps [begin, end) of `text` and drops the rest.
    void keep(std::size_t begin, std::size_t end, rule why);

private:
    void add(edit_log&& changes) { log = log.empty() ? std::move(changes) : compose(log, changes); }
    void look() noexcept {
        if (mine) { text = owned; }
    }
};

} // namespace jsonheal::args_detail
