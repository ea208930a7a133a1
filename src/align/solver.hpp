/// @file solver.hpp
/// The search for the least change: a table of the best plan for each pair of a shape and a value.
///
/// A state is worked on by plain functions that ask for the plans of other states. Where one is not there yet it is put on
/// a stack, and the asking state is worked on again once it is. So depth costs heap, and every plan is made once.
#pragma once

#include "shape.hpp"

#include <jsonheal/align.hpp>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace jsonheal::align_detail {

/// Added for each place that cannot be made to fit, so that the best attempt is the one with the fewest.
inline constexpr std::uint64_t misfit = std::uint64_t{1} << 40;

enum class act : std::uint8_t {
    keep,  ///< as it stands
    text,  ///< another scalar, or the text of a container as a string: `plan::text`
    same,  ///< as another state of the same value has it: a branch of a union
    inner, ///< another value in its place, that of state `child`: out of a list, a wrapper, a string
    wrap,  ///< a list of the one value of state `child`
    key,   ///< an object with the one key `text` and the value of state `child`
    parts  ///< member by member, element by element
};

/// What becomes of one member or element.
struct part_plan {
    static constexpr std::uint8_t kept = 0, renamed = 1, dropped = 2, added = 3;
    std::uint8_t what = kept;
    align_rule rule{};                ///< of what is not kept
    std::uint32_t child = nothing;    ///< state of its value
    std::uint32_t property = nothing; ///< index in the shape: the new key of what is renamed or added
};

/// What becomes of one value.
struct plan {
    std::uint64_t cost = misfit;
    align_detail::act act = act::keep;
    bool changed = false;
    align_rule rule{};
    jsonheal::risk risk = jsonheal::risk::exact;
    std::uint32_t child = nothing;
    std::uint32_t runner_up = nothing; ///< state of the next best branch
    std::string text;
    std::vector<part_plan> parts;

    [[nodiscard]] bool fits() const noexcept { return cost < misfit; }
};

struct state {
    enum class progress : std::uint8_t { waiting, active, solved };
    std::uint32_t shape;
    value_view value;
    std::uint8_t mode;
    progress status = progress::waiting;
    std::uint32_t node = nothing; ///< of the branch that it stands for
    plan best;
};

class solver {
public:
    /// A change of a higher risk than `ceiling` is not planned. The references must outlive the solver.
    solver(value_view value, const schema::node_view& schema, const align_options& options, risk ceiling)
        : options_(options), ceiling_(ceiling), shapes_(schema), root_value_(value) {}

    /// Finds the plan of the root. False if a limit was passed.
    bool run();

    [[nodiscard]] std::uint32_t root() const noexcept { return root_; }
    [[nodiscard]] const state& at(std::uint32_t number) const { return states_[number]; }
    [[nodiscard]] const shape& shape_of(const state& s) { return shapes_.at(s.shape); }
    [[nodiscard]] std::uint32_t member_shape(const state& s, std::string_view key) {
        return shapes_.member(s.shape, key);
    }
    [[nodiscard]] schema::node_view node(std::uint32_t index) const { return shapes_.node(index); }
    [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
    /// What an absent member gets, as JSON text, and under which rule. Empty: nothing.
    [[nodiscard]] std::string absent_value(std::uint32_t member_shape, const named_property& p,
                                           align_rule& rule);

private:
    /// How a state came about: how many values have been opened on the way to it, and whether one was wrapped.
    static constexpr std::uint8_t most_opened = 6;
    static constexpr std::uint8_t wrapped = 8;

    struct state_key {
        const char* place; ///< where the value begins: no two values begin at one byte
        std::uint32_t shape;
        std::uint32_t mode;
        friend bool operator==(const state_key&, const state_key&) = default;
    };
    struct state_hash {
        std::size_t operator()(const state_key& k) const noexcept {
            const auto place = reinterpret_cast<std::uintptr_t>(k.place);
            return (place * 0x9E37'79B9'7F4A'7C15ull) ^
                   (std::uint64_t{k.shape} * 0xD134'2543'DE82'EF95ull + k.mode);
        }
    };
    /// The JSON that a string holds.
    struct held_json {
        std::optional<document> value;
        jsonheal::risk risk = jsonheal::risk::exact;
        bool strict = false;
    };

    [[nodiscard]] std::uint32_t state_of(std::uint32_t shape, value_view value, std::uint8_t mode);
    /// The plan of a state; one that does not fit, and `pending_`, if it has not been found yet.
    [[nodiscard]] const plan& ask(std::uint32_t number);
    [[nodiscard]] bool allowed(align_rule r) const noexcept { return info(r).risk <= ceiling_; }
    /// Whether a move that opens or wraps the value at hand can be of use.
    [[nodiscard]] bool worthwhile(align_rule r) const noexcept { return allowed(r) && info(r).cost < bound_; }
    void count(std::uint64_t steps) { steps_ += steps; }

    struct offer;
    void work(std::uint32_t number, plan& best);
    void decide(std::uint32_t number, plan& best);
    void choose_branch(const state& s, const open_union& choice, std::span<const branch> branches,
                       plan& best);
    void settle_ties(std::vector<offer>& offers);
    void align_here(const state& s, plan& best);
    [[nodiscard]] plan as_it_stands(const state& s);
    [[nodiscard]] bool scalar_fits(const shape& sh, value_view v);
    /// Whether the parts of the shape that say more than is known here hold for what the plan makes.
    [[nodiscard]] bool passes(const state& s, const plan& p);
    [[nodiscard]] bool accept(const std::vector<schema::node_view>& nodes, value_view v);
    [[nodiscard]] bool made_passes(const std::vector<schema::node_view>& nodes, std::string text);
    [[nodiscard]] std::string outcome(const state& s, const plan& p);

    void align_object(const state& s, plan& out);
    void align_array(const state& s, plan& out);
    void add_absent(const state& s, const std::vector<bool>& present, plan& out);

    void scalar_moves(const state& s, std::vector<plan>& out);
    void string_moves(const shape& sh, value_view v, std::vector<plan>& out);
    void value_moves(const shape& sh, std::string_view text, std::vector<plan>& out);
    void number_moves(const shape& sh, value_view v, std::vector<plan>& out);
    void boolean_moves(const shape& sh, value_view v, std::vector<plan>& out);
    void structural_moves(const state& s, std::vector<plan>& out);
    void wrap_move(const state& s, std::vector<plan>& out);
    void key_move(const state& s, std::vector<plan>& out);
    void list_moves(const state& s, std::vector<plan>& out);
    void held_move(const state& s, std::vector<plan>& out);
    [[nodiscard]] bool is_own(const state& s, const member& m);
    [[nodiscard]] bool may_open(const state& s, std::string_view folded_key);
    void wrapper_moves(const state& s, std::vector<plan>& out);
    void add_text(align_rule rule, std::string text, std::vector<plan>& out) const;
    void add_around(act what, align_rule rule, std::uint32_t child, std::string text, std::vector<plan>& out);
    void add_inner(const state& s, align_rule rule, value_view inner, std::vector<plan>& out);
    [[nodiscard]] const held_json& held_in(value_view string);
    void read_held(value_view string, held_json& out);

    const align_options& options_;
    risk ceiling_;
    shape_table shapes_;
    value_view root_value_;
    std::uint32_t root_ = nothing;
    std::deque<state> states_;
    std::unordered_map<state_key, std::uint32_t, state_hash> numbers_;
    std::vector<std::uint32_t> stack_;
    std::unordered_map<const char*, held_json> held_;
    plan none_; ///< of a state that leads back to itself
    bool pending_ = false;
    std::uint64_t bound_ = misfit; ///< of the state at hand: moves that cost as much are of no use
    std::uint64_t steps_ = 0;
    std::uint64_t checked_bytes_ = 0;
    std::uint64_t healed_bytes_ = 0;
    bool out_of_bounds_ = false;
};

} // namespace jsonheal::align_detail
