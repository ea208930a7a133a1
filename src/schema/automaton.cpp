/// @file automaton.cpp
/// The subset construction.

#include "automaton.hpp"

#include "automaton_parse.hpp"

#include <algorithm>
#include <bitset>
#include <map>

namespace jsonheal::schema::detail {

/// A deterministic state is, for each part, the set of steps that wait for a byte, or that the part has matched.
class subset_builder {
public:
    subset_builder(const nfa& n, std::uint32_t memory) : nfa_(n), memory_(memory), seen_(n.steps.size(), 0) {}

    std::optional<automaton> run() {
        find_classes();
        sets initial(nfa_.parts.size());
        for (std::size_t i = 0; i != initial.size(); ++i) {
            ++mark_;
            close(nfa_.parts[i].start, true, false, initial[i]);
            settle(initial[i]);
        }
        add_row(); // the two final states have no rows of their own
        made_.start_ = state_of(std::move(initial), true);
        for (std::size_t i = 0; i != states_.size() && ok_; ++i) { expand(i); }
        if (!ok_) { return std::nullopt; }
        return std::move(made_);
    }

private:
    using set = std::vector<std::uint32_t>; ///< sorted; `{match step}` alone once it has matched
    using sets = std::vector<set>;

    /// Bytes that every range holds both of or neither.
    void find_classes() {
        std::bitset<257> begins;
        for (const nfa_step& s : nfa_.steps) {
            if (s.what != nfa_step::sort::byte || s.low > s.high) { continue; }
            begins.set(s.low);
            begins.set(std::size_t{s.high} + 1);
        }
        unsigned current = 0;
        samples_.push_back(0);
        for (unsigned b = 1; b != 256; ++b) {
            if (begins[b]) {
                ++current;
                samples_.push_back(static_cast<std::uint8_t>(b));
            }
            made_.classes_[b] = static_cast<std::uint8_t>(current);
        }
        width_ = std::max<std::size_t>(samples_.size(), 2); // no row may begin where a final state is
    }

    /// Adds the steps that are reached without a byte.
    void close(std::uint32_t from, bool at_begin, bool at_end, set& out) {
        todo_.assign(1, from);
        while (!todo_.empty()) {
            const std::uint32_t here = todo_.back();
            todo_.pop_back();
            if (seen_[here] == mark_) { continue; }
            seen_[here] = mark_;
            if (++work_ > most_work) { ok_ = false; }
            const nfa_step& s = nfa_.steps[here];
            switch (s.what) {
            case nfa_step::sort::byte:
            case nfa_step::sort::match: out.push_back(here); break;
            case nfa_step::sort::split:
                todo_.push_back(s.next);
                todo_.push_back(s.other);
                break;
            case nfa_step::sort::begin:
                if (at_begin) { todo_.push_back(s.next); }
                break;
            case nfa_step::sort::end:
                if (at_end) {
                    todo_.push_back(s.next);
                } else {
                    out.push_back(here);
                }
                break;
            }
        }
    }
    [[nodiscard]] bool is_match(std::uint32_t step) const {
        return nfa_.steps[step].what == nfa_step::sort::match;
    }
    [[nodiscard]] bool has_matched(const set& s) const { return s.size() == 1 && is_match(s.front()); }
    void settle(set& s) const {
        const auto match = std::find_if(s.begin(), s.end(), [this](std::uint32_t i) { return is_match(i); });
        if (match != s.end()) {
            s = set{*match};
        } else {
            std::sort(s.begin(), s.end());
        }
    }

    /// Whether the string is decided before its end.
    [[nodiscard]] std::optional<bool> decided(const sets& all) const {
        bool every = true;
        for (std::size_t i = 0; i != all.size(); ++i) {
            const bool yes = has_matched(all[i]);
            const bool never = all[i].empty();
            if (nfa_.parts[i].wanted ? never : yes) { return false; }
            every = every && (nfa_.parts[i].wanted ? yes : never);
        }
        if (every) { return true; }
        return std::nullopt;
    }

    bool may_end(const sets& all, bool at_begin) {
        for (std::size_t i = 0; i != all.size(); ++i) {
            bool yes = has_matched(all[i]);
            set reached;
            ++mark_;
            for (const std::uint32_t step : all[i]) {
                if (nfa_.steps[step].what == nfa_step::sort::end) { close(step, at_begin, true, reached); }
            }
            yes = yes || std::any_of(reached.begin(), reached.end(),
                                     [this](std::uint32_t step) { return is_match(step); });
            if (yes != nfa_.parts[i].wanted) { return false; }
        }
        return true;
    }

    void add_row() {
        rows_ += 1;
        made_.next_.resize(rows_ * width_);
        made_.ends_.resize(rows_ * width_);
        if (rows_ > most_states || rows_ * width_ > 0xFFFF || rows_ * width_ * 3 > memory_) { ok_ = false; }
    }

    std::uint32_t state_of(sets all, bool at_begin) {
        if (const std::optional<bool> known = decided(all); known && !at_begin) {
            return *known ? automaton::accepted : automaton::rejected;
        }
        const auto [found, fresh] = numbers_.try_emplace(std::pair(at_begin, std::move(all)), 0);
        if (fresh) {
            found->second = static_cast<std::uint32_t>(rows_ * width_);
            add_row();
            if (!ok_) { return 0; }
            made_.ends_[found->second] = may_end(found->first.second, at_begin) ? 1 : 0;
            states_.push_back(&*found);
        }
        return found->second;
    }

    void expand(std::size_t index) {
        const auto& [key, number] = *states_[index];
        for (std::size_t c = 0; c != samples_.size() && ok_; ++c) {
            sets next(key.second.size());
            for (std::size_t i = 0; i != next.size(); ++i) { step(key.second[i], i, samples_[c], next[i]); }
            made_.next_[number + c] = static_cast<std::uint16_t>(state_of(std::move(next), false));
        }
    }
    void step(const set& from, std::size_t part, std::uint8_t byte, set& to) {
        if (has_matched(from)) {
            to = from;
            return;
        }
        ++mark_;
        for (const std::uint32_t here : from) {
            const nfa_step& s = nfa_.steps[here];
            ++work_;
            if (s.what == nfa_step::sort::byte && s.low <= byte && byte <= s.high) {
                close(s.next, false, false, to);
            }
        }
        if (nfa_.parts[part].anywhere) { close(nfa_.parts[part].start, false, false, to); }
        settle(to);
    }

    static constexpr std::size_t most_states = 512;
    static constexpr std::uint64_t most_work = 400'000;

    const nfa& nfa_;
    std::uint32_t memory_;
    std::vector<std::uint32_t> seen_;
    std::uint32_t mark_ = 0;
    std::uint64_t work_ = 0;
    std::vector<std::uint32_t> todo_;
    std::vector<std::uint8_t> samples_; ///< by class: one of its bytes
    std::map<std::pair<bool, sets>, std::uint32_t> numbers_;
    std::vector<const std::pair<const std::pair<bool, sets>, std::uint32_t>*> states_;
    std::size_t width_ = 0;
    std::size_t rows_ = 0;
    automaton made_;
    bool ok_ = true;
};

std::optional<automaton> automaton::make(std::string_view translated, std::uint32_t memory) {
    const std::optional<nfa> n = parse_nfa(translated);
    if (!n) { return std::nullopt; }
    return subset_builder(*n, memory).run();
}

} // namespace jsonheal::schema::detail
