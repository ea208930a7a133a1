#include "solver.hpp"

#include "render.hpp"

#include <algorithm>

namespace jsonheal::align_detail {

bool solver::run() {
    root_ = state_of(shapes_.root(), root_value_, 0);
    stack_.push_back(root_);
    while (!stack_.empty() && !out_of_bounds_) {
        const std::uint32_t number = stack_.back();
        if (states_[number].status == state::progress::solved) {
            stack_.pop_back();
            continue;
        }
        states_[number].status = state::progress::active;
        pending_ = false;
        plan best;
        work(number, best);
        count(1);
        const align_limits& most = options_.limits;
        out_of_bounds_ = out_of_bounds_ || steps_ + shapes_.work() > most.steps ||
                         shapes_.size() > most.shapes || checked_bytes_ > most.check_bytes;
        if (pending_) { continue; }
        states_[number].best = std::move(best);
        states_[number].status = state::progress::solved;
        stack_.pop_back();
    }
    return !out_of_bounds_;
}

std::uint32_t solver::state_of(std::uint32_t shape, value_view value, std::uint8_t mode) {
    const state_key key{value.source().data(), shape, mode};
    const auto [place, added] = numbers_.try_emplace(key, static_cast<std::uint32_t>(states_.size()));
    if (added) { states_.push_back({shape, value, mode, state::progress::waiting, nothing, {}}); }
    return place->second;
}

const plan& solver::ask(std::uint32_t number) {
    count(1);
    const state& s = states_[number];
    if (s.status == state::progress::solved) { return s.best; }
    if (s.status == state::progress::waiting) {
        stack_.push_back(number);
        pending_ = true;
    }
    return none_;
}

void solver::work(std::uint32_t number, plan& best) {
    if (shape_of(states_[number]).choice.node != nothing) {
        decide(number, best);
    } else {
        align_here(states_[number], best);
    }
}

void solver::decide(std::uint32_t number, plan& best) {
    const state& s = states_[number];
    const open_union choice = shape_of(states_[number]).choice;
    const std::span<const branch> all = shapes_.branches(s.shape);
    // A discriminator decides before anything else does; only if its branch cannot be had are the others asked.
    std::vector<branch> near;
    if (s.value.is(value_kind::object)) {
        const std::vector<schema::node_view> kept = node(choice.node).candidates(choice.of_one_of, s.value);
        for (const branch& b : all) {
            const bool is_near = std::any_of(kept.begin(), kept.end(),
                                             [&](schema::node_view n) { return n.index() == b.node; });
            if (is_near) { near.push_back(b); }
        }
    }
    if (!near.empty() && near.size() < all.size()) {
        choose_branch(s, choice, near, best);
        if (pending_ || best.fits()) { return; }
        best = plan();
    }
    choose_branch(s, choice, all, best);
}

/// A branch that can be had, and what it costs.
struct solver::offer {
    std::uint64_t cost;
    std::uint32_t state;
};

void solver::choose_branch(const state& s, const open_union& choice, std::span<const branch> branches,
                           plan& best) {
    std::vector<offer> offers;
    for (const branch& b : branches) {
        const std::uint32_t number = state_of(b.shape, s.value, s.mode);
        if (states_[number].node == nothing) { states_[number].node = b.node; }
        if (std::any_of(offers.begin(), offers.end(), [&](const offer& o) { return o.state == number; })) {
            continue;
        }
        offers.push_back({ask(number).cost, number});
    }
    if (pending_ || offers.empty()) { return; }
    std::stable_sort(offers.begin(), offers.end(),
                     [](const offer& a, const offer& b) { return a.cost < b.cost; });
    settle_ties(offers);
    for (std::size_t i = 0; i != offers.size(); ++i) {
        const plan& own = states_[offers[i].state].best;
        plan p;
        p.act = act::same;
        p.child = offers[i].state;
        p.cost = own.cost;
        p.changed = own.changed;
        if (i + 1 < offers.size() && p.cost != 0 && offers[i + 1].cost < misfit) {
            p.runner_up = offers[i + 1].state;
        }
        const bool sure = p.runner_up == nothing || offers[i + 1].cost != p.cost || ceiling_ != risk::exact;
        if (i == 0) { best = p; }
        if (!p.fits()) { break; }
        const bool alone = !choice.of_one_of || (p.changed ? made_passes({node(choice.node)}, outcome(s, p))
                                                           : accept({node(choice.node)}, s.value));
        if (sure && alone) {
            best = p;
            return;
        }
    }
    if (best.fits()) { best.cost += misfit; }
}

/// Branches of one cost are put in the order of the texts they lead to, so that the schema's order decides nothing.
/// Those that lead to the same text are one.
void solver::settle_ties(std::vector<offer>& offers) {
    if (offers[0].cost == 0 || offers[0].cost >= misfit || offers.size() < 2 ||
        offers[1].cost != offers[0].cost) {
        return;
    }
    std::vector<std::pair<std::string, offer>> tied;
    std::size_t count = 0;
    for (; count != offers.size() && offers[count].cost == offers[0].cost; ++count) {
        const state& own = states_[offers[count].state];
        tied.emplace_back(outcome(own, own.best), offers[count]);
    }
    std::stable_sort(tied.begin(), tied.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    tied.erase(std::unique(tied.begin(), tied.end(),
                           [](const auto& a, const auto& b) { return a.first == b.first; }),
               tied.end());
    offers.erase(offers.begin(), offers.begin() + static_cast<std::ptrdiff_t>(count));
    std::vector<offer> sorted;
    for (const auto& [text, one] : tied) { sorted.push_back(one); }
    offers.insert(offers.begin(), sorted.begin(), sorted.end());
}

void solver::align_here(const state& s, plan& best) {
    best = as_it_stands(s);
    if (pending_) { return; }
    const bool container = s.value.is(value_kind::array) || s.value.is(value_kind::object);
    if (best.fits() && container && !passes(s, best)) { best.cost += misfit; }
    if (best.cost == 0) { return; }
    std::vector<plan> moves;
    scalar_moves(s, moves);
    bound_ = best.cost;
    for (const plan& p : moves) {
        if (passes(s, p)) { bound_ = std::min(bound_, p.cost); }
    }
    structural_moves(s, moves);
    if (pending_) { return; }
    std::stable_sort(moves.begin(), moves.end(),
                     [](const plan& a, const plan& b) { return a.cost < b.cost; });
    for (plan& p : moves) {
        if (p.cost >= best.cost) { break; }
        if (passes(s, p)) {
            best = std::move(p);
            return;
        }
    }
}

plan solver::as_it_stands(const state& s) {
    plan p;
    const shape& sh = shapes_.at(s.shape);
    const value_view v = s.value;
    const bool container = v.is(value_kind::array) || v.is(value_kind::object);
    if (!sh.kinds.has(v.kind())) { return p; }
    if (!container) {
        if (scalar_fits(sh, v)) { p.cost = 0; }
        return p;
    }
    if (sh.limits_values) {
        const bool named =
            std::any_of(sh.values.begin(), sh.values.end(), [&](value_view o) { return same_value(o, v); });
        p.cost = named ? 0 : misfit;
        return p;
    }
    p.cost = 0;
    if (v.is(value_kind::object)) {
        align_object(s, p);
    } else {
        align_array(s, p);
    }
    return p;
}

bool solver::scalar_fits(const shape& sh, value_view v) {
    return std::all_of(sh.parts.begin(), sh.parts.end(),
                       [&](const part& p) { return node(p.node).accepts(v, options_.validation); });
}

bool solver::accept(const std::vector<schema::node_view>& nodes, value_view v) {
    return std::all_of(nodes.begin(), nodes.end(), [&](schema::node_view n) {
        checked_bytes_ += v.end() - v.begin();
        return n.accepts(v, options_.validation);
    });
}

bool solver::made_passes(const std::vector<schema::node_view>& nodes, std::string text) {
    const parse_result made = document::parse(std::move(text));
    return made && accept(nodes, made.value.root());
}

bool solver::passes(const state& s, const plan& p) {
    const shape& sh = shapes_.at(s.shape);
    if (p.act == act::same || p.act == act::inner) { return true; } // those states have been asked
    if (p.act == act::text) {
        const parse_result made = document::parse(p.text);
        return made && scalar_fits(sh, made.value.root());
    }
    if (sh.checks.empty()) { return true; }
    return p.changed ? made_passes(sh.checks, outcome(s, p)) : accept(sh.checks, s.value);
}

std::string solver::outcome(const state& s, const plan& p) {
    std::string text;
    renderer(*this).write(s, p, text);
    checked_bytes_ += text.size();
    return text;
}

} // namespace jsonheal::align_detail
