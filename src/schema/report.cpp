/// @file report.cpp
/// From recorded faults to violations.

#include "report.hpp"

#include "uri.hpp"

#include <algorithm>

namespace jsonheal::schema {

namespace detail {

std::vector<std::uint32_t> outermost(const std::vector<unit>& units, std::uint32_t begin, std::uint32_t end) {
    std::vector<std::uint32_t> found;
    while (end > begin) { // a unit stands behind its parts
        found.push_back(end - 1);
        end = std::max(begin, units[end - 1].first_child);
    }
    std::reverse(found.begin(), found.end());
    return found;
}

namespace {

bool is_union_fault(const unit& u) noexcept {
    return u.reason == unit_reason::keyword && (u.keyword == keyword::any_of || u.keyword == keyword::one_of);
}

/// Turns the units of a recording into violations, one after the other.
class reporter {
public:
    reporter(const program_data& p, value_view root, const recording& r, const validate_limits& limits,
             validation& out)
        : p_(p), root_(root), r_(r), limits_(limits), out_(out) {}

    void run() {
        const auto size = static_cast<std::uint32_t>(r_.units.size());
        push(outermost(r_.units, 0, size));
        while (!todo_.empty()) {
            const unit& u = r_.units[todo_.back()];
            todo_.pop_back();
            if (out_.violations.size() >= std::max(limits_.violations, 1u) ||
                bytes_ > limits_.pointer_bytes) {
                out_.complete = false;
                return;
            }
            if (u.reason == unit_reason::branch) { continue; }
            add(u);
            if (is_union_fault(u)) { push(nearest_branch(u)); }
        }
    }

private:
    void push(const std::vector<std::uint32_t>& units) {
        todo_.insert(todo_.end(), units.rbegin(), units.rend());
    }

    void add(const unit& u) {
        violation v;
        v.instance = pointer_of(root_, u.value);
        const value_view at = root_.with_index(u.value);
        v.begin = at.begin();
        v.end = at.end();
        const std::uint32_t n = r_.paths.empty() ? p_.root : r_.paths[u.path].node;
        v.schema = p_.location_of(n, u.location == none ? p_.nodes[n].location : u.location);
        wording w = words_for(p_, root_, r_, u, v.instance);
        v.keyword = std::move(w.keyword);
        v.expected = std::move(w.expected);
        v.got = std::move(w.got);
        v.message = std::move(w.message);
        bytes_ += v.instance.size() + v.schema.size() + v.message.size();
        out_.violations.push_back(std::move(v));
    }

    /// The faults of the branch that came nearest to fitting; none if no branch is for this kind of value.
    [[nodiscard]] std::vector<std::uint32_t> nearest_branch(const unit& u) const {
        const auto self = static_cast<std::uint32_t>(&u - r_.units.data());
        std::vector<std::uint32_t> best;
        std::size_t least = far;
        for (const std::uint32_t b : outermost(r_.units, u.first_child, self)) {
            const unit& branch = r_.units[b];
            if (branch.reason != unit_reason::branch) { continue; }
            std::vector<std::uint32_t> faults = outermost(r_.units, branch.first_child, b);
            const std::size_t d = distance(u, faults);
            if (d < least) {
                least = d;
                best = std::move(faults);
            }
        }
        return best;
    }

    /// How far a value is from a branch: another kind is out of the question; a wrong constant in a member is
    /// most likely the discriminator; else the number of faults.
    [[nodiscard]] std::size_t distance(const unit& u, const std::vector<std::uint32_t>& faults) const {
        std::size_t sum = 0;
        for (const std::uint32_t i : faults) {
            const unit& fault = r_.units[i];
            const bool constant = fault.keyword == keyword::constant || fault.keyword == keyword::enumeration;
            if (fault.value == u.value && (fault.keyword == keyword::type || constant)) { return far; }
            if (fault.value == u.value && fault.reason == unit_reason::forbidden) { return far; }
            sum += constant ? 1000 : 1;
        }
        return sum;
    }

    static constexpr std::size_t far = ~std::size_t{0};
    const program_data& p_;
    value_view root_;
    const recording& r_;
    const validate_limits& limits_;
    validation& out_;
    std::vector<std::uint32_t> todo_; ///< the next one last
    std::size_t bytes_ = 0;
};

} // namespace

std::string program_data::location_of(std::uint32_t node, std::uint32_t location) const {
    const detail::node& n = nodes[node];
    const resource& r = resources[n.resource];
    std::string out = r.uri + "#";
    append_pointer(value_at(r.document, r.location), location, out);
    return out;
}

} // namespace detail

validation validate(const program& p, value_view instance, const validate_limits& limits) {
    validation v;
    if (fits(p, instance, limits)) { return v; }
    v.valid = false;
    const detail::recording r = detail::record_faults(p.data(), instance, limits);
    v.complete = r.stopped == detail::stop_reason::nothing;
    detail::reporter(p.data(), instance, r, limits, v).run();
    return v;
}

} // namespace jsonheal::schema
