/// @file machine.hpp
/// The evaluator: runs a program over an instance with a stack of its own.
///
/// `machine<false>` answers yes or no and stops at the first fault. `machine<true>` goes through all of it and
/// records units, from which reports are made. A frame is one subschema applied to one value; an instruction that
/// needs another subschema pushes a frame and is called again, `resumed`, once that has been decided.
#pragma once

#include "numbers.hpp"
#include "program.hpp"
#include "regex.hpp"
#include "unique.hpp"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <vector>

namespace jsonheal::schema::detail {

/// Why evaluation ended before its time.
enum class stop_reason : std::uint8_t {
    nothing,
    steps,   ///< `validate_limits::steps`
    pattern, ///< a regular expression took too many steps
    cycle,   ///< a dynamic reference leads back to itself
    enough   ///< more violations than are wanted
};

enum class unit_reason : std::uint8_t {
    keyword,  ///< the keyword's own assertion failed
    required, ///< `extra`: index of the missing key in the object shape's properties, or in the required list
    forbidden, ///< the schema `false`
    several,   ///< oneOf: more than one branch fits; `extra`: how many
    too_few,   ///< contains; `extra`: how many fit
    too_many,
    dependency, ///< `extra`: index of the dependency; `name`: of the missing name
    branch, ///< of a union; `extra`: its number. No fault by itself, but those before it, from `first_child`
    repeated, ///< has been evaluated before, with faults
    stopped   ///< see `machine::stopped`
};

/// A fault, or a group of them. Those that it is made of stand before it, from `first_child`.
struct unit {
    unit_reason reason{};
    detail::keyword keyword{};
    std::uint32_t path = 0; ///< of the frame
    std::uint32_t instruction = none;
    std::uint32_t location = none; ///< of the keyword's value in the schema
    std::uint32_t value = 0;       ///< of the instance; a key where the member is not wanted at all
    std::uint32_t first_child = none;
    std::uint32_t extra = 0;
    std::uint32_t name = 0;
    bool tentative = false; ///< inside a branch that others may make up for
};

/// How evaluation came to a subschema.
struct path_entry {
    std::uint32_t parent = none;
    std::uint32_t node = 0;
    std::uint32_t instruction = none; ///< of the parent
};

struct frame {
    std::uint32_t node;
    std::uint32_t value; ///< index in the instance
    std::uint32_t ip;
    std::uint32_t end;
    std::uint32_t cursor; ///< what an instruction keeps while subschemas are evaluated
    std::uint32_t count;
    std::uint32_t hint; ///< the property that the next key is likely to be
    std::uint64_t mask;
    std::uint32_t marks; ///< marks of this frame begin here
    std::uint32_t undo;  ///< dynamic bindings of this frame begin here
    std::uint32_t chain; ///< frames of the same value below
    std::uint32_t path;
    std::uint32_t units; ///< units of this frame begin here
    std::uint32_t saved; ///< units of the current instruction begin here
    bool second;         ///< the instructions for any kind are running
    bool resumed;
    bool failed;
    bool track; ///< what is evaluated has to be marked
    bool tentative;
};

/// Frames; the first few without the heap.
class frame_stack {
public:
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] frame& top() noexcept { return data_[size_ - 1]; }
    [[nodiscard]] frame& below_top() noexcept { return data_[size_ - 2]; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    void pop() noexcept { --size_; }
    /// The new frame's members are not set.
    frame& push() {
        if (size_ == capacity_) { grow(); }
        return data_[size_++];
    }

private:
    void grow() {
        std::unique_ptr<frame[]> larger(new frame[capacity_ * 2]);
        std::copy(data_, data_ + size_, larger.get());
        heap_ = std::move(larger);
        data_ = heap_.get();
        capacity_ *= 2;
    }
    static constexpr std::size_t few = 24;
    frame first_[few]; // NOLINT: set by whoever pushes
    std::unique_ptr<frame[]> heap_;
    frame* data_ = first_;
    std::size_t size_ = 0;
    std::size_t capacity_ = few;
};

template <bool Report>
class machine {
public:
    machine(const program_data& p, value_view root, const validate_limits& limits)
        : p_(p),
          root_(root),
          limit_(root.source().data() + root.source().size()),
          limits_(limits),
          pattern_budget_(limits.pattern_steps),
          remember_after_(1024 + 8 * std::uint64_t{root.end_index() - root.index()}) {}

    /// Whether the instance fits. False as well if it stopped before that was known.
    bool run() { return run(p_.root); }
    /// The same for one subschema of the program.
    bool run(std::uint32_t root);

    [[nodiscard]] stop_reason stopped() const noexcept { return stopped_; }
    [[nodiscard]] const std::vector<unit>& units() const noexcept { return units_; }
    [[nodiscard]] const std::vector<path_entry>& paths() const noexcept { return paths_; }

private:
    enum class verdict : std::uint8_t { fail, pass, pushed };
    static verdict to_verdict(bool ok) noexcept { return ok ? verdict::pass : verdict::fail; }

    [[nodiscard]] value_view at(std::uint32_t index) const noexcept { return root_.with_index(index); }
    void stop(stop_reason why) noexcept {
        if (stopped_ == stop_reason::nothing) { stopped_ = why; }
    }

    // machine.hpp
    verdict enter(const edge& e, std::uint32_t value, bool tentative = false);
    /// A step that passes if all its children do. `next(edge, value)` sets the next child from `cursor`, which begins at
    /// `first`, and is false where there is none. `count`: whether one failed.
    template <class Next>
    verdict every_child(frame& f, std::uint32_t first, Next next);
    void push(std::uint32_t node_index, std::uint32_t value, bool tentative);
    void leave(bool ok);
    verdict step(frame& f, const instruction& in);

    // machine_leaf.hpp
    bool leaf(const instruction& in, value_view v);
    bool run_leaves(const node& n, value_view v);
    bool number_leaf(const instruction& in, value_view v);
    bool string_leaf(const instruction& in, value_view v);
    bool in_value_set(const value_set& set, value_view v);
    bool matches(std::uint32_t regex, std::string_view text);
    bool has_required(const std::vector<std::string>& names, value_view object);
    bool has_dependencies(const std::vector<dependency>& list, value_view object);
    static std::size_t distinct_keys(value_view object);

    // machine_object.hpp
    std::uint32_t property_of(const object_shape& shape, std::uint32_t key, std::uint32_t& hint);
    verdict step_properties(frame& f, const instruction& in);
    verdict step_pattern_properties(frame& f, const instruction& in, const object_shape& shape);
    verdict enter_member(frame& f, const edge& e, std::uint32_t value, std::uint32_t key,
                         const object_shape& shape);
    verdict finish_properties(frame& f, const instruction& in, const object_shape& shape);
    verdict step_property_names(frame& f, const instruction& in);
    verdict step_dependent_schemas(frame& f, const instruction& in);
    verdict step_unevaluated_properties(frame& f, const instruction& in);

    // machine_array.hpp
    verdict step_items(frame& f, const instruction& in);
    verdict step_contains(frame& f, const instruction& in);
    verdict step_unevaluated_items(frame& f, const instruction& in);

    // machine_union.hpp
    verdict step_reference(frame& f, const instruction& in);
    verdict step_all_of(frame& f, const instruction& in);
    verdict step_union(frame& f, const instruction& in);
    verdict finish_union(frame& f, const instruction& in);
    verdict step_negation(frame& f, const instruction& in);
    verdict step_condition(frame& f, const instruction& in);

    // What is evaluated: indices of members' and elements' values; an index of the value itself stands for all.
    void mark(const frame& f, std::uint32_t index) {
        if (f.track) { marks_.push_back(index); }
    }
    void sort_marks(const frame& f) { std::sort(marks_.begin() + f.marks, marks_.end()); }
    [[nodiscard]] bool is_marked(const frame& f, std::uint32_t index) const {
        return std::binary_search(marks_.begin() + f.marks, marks_.end(), index);
    }

    void bind(std::uint32_t resource);
    void unbind(std::uint32_t undo);

    // Results that may be asked for again, once there has been more work than usual.
    struct memory {
        bool ok = false;
        std::vector<std::uint32_t> marks;
    };
    struct memory_key {
        std::uint32_t node;
        std::uint32_t value;
        std::uint64_t scope;
        bool track;
        friend bool operator==(const memory_key&, const memory_key&) = default;
    };
    struct memory_hash {
        std::size_t operator()(const memory_key& k) const noexcept {
            const std::uint64_t h = (std::uint64_t{k.node} << 32 | k.value) * 0x9E37'79B9'7F4A'7C15ull;
            return static_cast<std::size_t>(h ^ h >> 29 ^ k.scope ^ (k.track ? 1 : 0));
        }
    };
    [[nodiscard]] bool remembers(const node& n) const noexcept {
        return pushes_ > remember_after_ && (n.flags & node::shared) != 0;
    }
    verdict recall(std::uint32_t node_index, std::uint32_t value, bool track, const memory*& found);

    // Recording, for reports only.
    void record(const frame& f, unit u);
    void record_keyword(const frame& f, const instruction& in, unit_reason reason, std::uint32_t extra = 0);
    void record_forbidden(const frame& f, const instruction& in, const node& schema, std::uint32_t value);
    void record_stop();
    void forget_units(const frame& f) { units_.resize(f.saved); }

    const program_data& p_;
    value_view root_;
    const char* limit_; ///< where the root's text ends
    const validate_limits& limits_;
    frame_stack frames_;
    bool child_ok_ = false;
    stop_reason stopped_ = stop_reason::nothing;
    std::uint64_t steps_ = 0;
    std::uint64_t pattern_budget_;
    std::uint64_t pushes_ = 0;
    std::uint64_t remember_after_;
    std::vector<std::uint32_t> marks_;
    std::vector<std::uint32_t> bindings_; ///< by dynamic anchor: node, or `none`
    std::vector<std::pair<std::uint32_t, std::uint32_t>>
        undo_;                ///< anchors that were bound, and the scope before
    std::uint64_t scope_ = 0; ///< a hash of `bindings_`
    std::unordered_map<memory_key, memory, memory_hash> memory_;
    hash_cache hashes_;
    std::string scratch_;
    std::vector<unit> units_;
    std::vector<path_entry> paths_;
    std::uint32_t certain_ = 0; ///< units that nothing makes up for
};

template <bool Report>
void machine<Report>::bind(std::uint32_t resource) {
    if (bindings_.empty()) { bindings_.assign(p_.dynamic_anchors.size(), none); }
    for (const auto& [anchor, target] : p_.resources[resource].dynamic) {
        if (bindings_[anchor] != none) { continue; } // the outermost counts
        bindings_[anchor] = target;
        undo_.emplace_back(anchor, target);
        scope_ += (std::uint64_t{anchor} << 32 | target) * 0xD6E8'FEB8'6659'FD93ull + 1;
    }
}

template <bool Report>
void machine<Report>::unbind(std::uint32_t undo) {
    while (undo_.size() > undo) {
        const auto [anchor, target] = undo_.back();
        undo_.pop_back();
        bindings_[anchor] = none;
        scope_ -= (std::uint64_t{anchor} << 32 | target) * 0xD6E8'FEB8'6659'FD93ull + 1;
    }
}

template <bool Report>
template <class Next>
typename machine<Report>::verdict machine<Report>::every_child(frame& f, std::uint32_t first, Next next) {
    if (!f.resumed) {
        f.cursor = first;
        f.count = 0;
    } else if (!child_ok_) {
        if constexpr (!Report) { return verdict::fail; }
        f.count = 1;
    }
    edge to;
    std::uint32_t value = f.value;
    while (next(to, value)) {
        const verdict v = enter(to, value);
        if (v == verdict::pushed) { return v; }
        if (v == verdict::fail) {
            if constexpr (!Report) { return v; }
            f.count = 1;
        }
    }
    return to_verdict(f.count == 0);
}

/// Decides a subschema at once if that needs no frame, else pushes one.
template <bool Report>
inline typename machine<Report>::verdict machine<Report>::enter(const edge& e, std::uint32_t value,
                                                                bool tentative) {
    const std::uint32_t index = Report ? e.at : e.run;
    const node& n = p_.nodes[index];
    if constexpr (!Report) {
        const value_view v = at(value);
        const auto k = static_cast<unsigned>(v.kind());
        if ((n.kinds >> k & 1u) == 0) { return verdict::fail; }
        if ((n.trivial >> k & 1u) != 0) { return verdict::pass; }
        if ((n.leaf >> k & 1u) != 0) { return to_verdict(run_leaves(n, v)); }
    } else {
        if ((n.flags & node::false_schema) != 0) {
            const frame& f = frames_.top();
            record_forbidden(f, p_.code[f.ip], n, value);
            return verdict::fail;
        }
    }
    if (remembers(n)) {
        const frame& f = frames_.top();
        const bool track = (n.flags & node::unevaluated) != 0 || (f.track && f.value == value);
        const memory* found = nullptr;
        const verdict known = recall(index, value, track, found);
        if (found != nullptr) { return known; }
    }
    push(index, value, tentative);
    return verdict::pushed;
}

template <bool Report>
typename machine<Report>::verdict machine<Report>::recall(std::uint32_t node_index, std::uint32_t value,
                                                          bool track, const memory*& found) {
    const auto known = memory_.find({node_index, value, scope_, track});
    if (known == memory_.end()) { return verdict::fail; }
    found = &known->second;
    const frame& f = frames_.top();
    if (found->ok && f.value == value) {
        marks_.insert(marks_.end(), found->marks.begin(), found->marks.end());
        steps_ += found->marks.size();
    }
    if constexpr (Report) {
        if (!found->ok) {
            unit u;
            u.reason = unit_reason::repeated;
            u.value = value;
            u.instruction = f.ip;
            u.keyword = p_.code[f.ip].keyword;
            u.location = p_.code[f.ip].location;
            record(f, u);
        }
    }
    return to_verdict(found->ok);
}

template <bool Report>
void machine<Report>::push(std::uint32_t node_index, std::uint32_t value, bool tentative) {
    const node& n = p_.nodes[node_index];
    const bool first = frames_.empty();
    frame& f = frames_.push();
    const frame* const parent = first ? nullptr : &frames_.below_top();
    const bool in_place = parent != nullptr && parent->value == value;
    const group g = group_of(at(value).kind());
    ++pushes_;
    f.node = node_index;
    f.value = value;
    f.second = g == group::any;
    const auto own = static_cast<std::size_t>(g);
    f.ip = n.first + (own == 0 ? 0 : n.ends[own - 1]);
    f.end = n.first + n.ends[own];
    f.resumed = false;
    f.failed = false;
    f.saved = 0;
    f.track = (n.flags & node::unevaluated) != 0 || (in_place && parent->track);
    f.tentative = tentative || (parent != nullptr && parent->tentative);
    f.marks = static_cast<std::uint32_t>(marks_.size());
    f.undo = static_cast<std::uint32_t>(undo_.size());
    f.chain = in_place ? parent->chain + 1 : 0;
    // A node may come twice for one value, under other bindings, but not more often than there are bindings.
    if (f.chain > p_.nodes.size() * (p_.dynamic_anchors.size() + 1)) { stop(stop_reason::cycle); }
    if (p_.has_dynamic && (first || p_.nodes[parent->node].resource != n.resource)) { bind(n.resource); }
    if constexpr (Report) {
        f.units = static_cast<std::uint32_t>(units_.size());
        f.path = static_cast<std::uint32_t>(paths_.size());
        paths_.push_back({first ? none : parent->path, node_index, first ? none : parent->ip});
        if ((n.kinds & bit(at(value).kind())) == 0) {
            f.failed = true;
            unit u;
            u.keyword = keyword::type;
            u.value = value;
            const auto type = p_.value_at(n.document, n.location);
            u.location = type.is(value_kind::object) ? type.find("type")->index() : none;
            u.reason = u.location == none ? unit_reason::forbidden : unit_reason::keyword;
            record(f, u);
        }
    }
}

template <bool Report>
void machine<Report>::leave(bool ok) {
    const frame& f = frames_.top();
    const bool first = frames_.size() == 1;
    unbind(f.undo);
    if (f.track && marks_.size() - f.marks > 2 * at(f.value).size() + 8) { // branches mark the same again
        sort_marks(f);
        marks_.erase(std::unique(marks_.begin() + f.marks, marks_.end()), marks_.end());
    }
    if (remembers(p_.nodes[f.node])) {
        memory& m = memory_[{f.node, f.value, scope_, f.track}];
        m.ok = ok;
        if (ok && f.track) { m.marks.assign(marks_.begin() + f.marks, marks_.end()); }
    }
    // For a report what failed counts as evaluated, too: one fault, one violation.
    const bool drop = !ok && (!Report || f.tentative);
    if (drop || first || frames_.below_top().value != f.value) { marks_.resize(f.marks); }
    if constexpr (Report) {
        if (units_.size() == f.units) { paths_.resize(f.path); }
    }
    child_ok_ = ok;
    frames_.pop();
    if (!first) { frames_.top().resumed = true; }
}

template <bool Report>
inline typename machine<Report>::verdict machine<Report>::step(frame& f, const instruction& in) {
    switch (in.op) {
    case opcode::properties: return step_properties(f, in);
    case opcode::items: return step_items(f, in);
    case opcode::contains: return step_contains(f, in);
    case opcode::property_names: return step_property_names(f, in);
    case opcode::dependent_schemas: return step_dependent_schemas(f, in);
    case opcode::reference:
    case opcode::dynamic_reference: return step_reference(f, in);
    case opcode::all_of: return step_all_of(f, in);
    case opcode::any_of:
    case opcode::one_of: return step_union(f, in);
    case opcode::negation: return step_negation(f, in);
    case opcode::condition: return step_condition(f, in);
    case opcode::unevaluated_items: return step_unevaluated_items(f, in);
    case opcode::unevaluated_properties: return step_unevaluated_properties(f, in);
    default: break;
    }
    const bool ok = leaf(in, at(f.value));
    if constexpr (Report) {
        if (!ok && stopped_ == stop_reason::nothing && in.op != opcode::required &&
            in.op != opcode::dependent_required) {
            record_keyword(f, in, unit_reason::keyword);
        }
    }
    return to_verdict(ok);
}

template <bool Report>
bool machine<Report>::run(std::uint32_t root) {
    push(Report ? root : p_.nodes[root].run, root_.index(), false);
    if constexpr (!Report) {
        const node& n = p_.nodes[frames_.top().node];
        if ((n.kinds & bit(root_.kind())) == 0) { return false; }
    }
    while (true) {
        frame& f = frames_.top();
        if (f.ip == f.end) {
            const node& n = p_.nodes[f.node];
            if (!f.second) {
                f.second = true;
                f.ip = n.first + n.ends[static_cast<std::size_t>(group::object)];
                f.end = n.first + n.ends[static_cast<std::size_t>(group::any)];
                continue;
            }
            leave(!f.failed);
            if (frames_.empty()) { return child_ok_; }
            continue;
        }
        const instruction& in = p_.code[f.ip];
        if (++steps_ > limits_.steps) { stop(stop_reason::steps); }
        if constexpr (Report) {
            if (!f.resumed) { f.saved = static_cast<std::uint32_t>(units_.size()); }
        }
        const verdict v = step(f, in);
        if (stopped_ != stop_reason::nothing) {
            if constexpr (Report) {
                if (stopped_ != stop_reason::enough) { record_stop(); }
            }
            return false;
        }
        if (v == verdict::pushed) { continue; }
        f.resumed = false;
        ++f.ip;
        if (v == verdict::fail) {
            if constexpr (Report) {
                f.failed = true;
            } else {
                leave(false);
                if (frames_.empty()) { return false; }
            }
        }
    }
}

} // namespace jsonheal::schema::detail
