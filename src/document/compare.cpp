/// @file compare.cpp
/// Equality and hashes of values.

#include "bytes.hpp"

#include <jsonheal/document.hpp>

#include <algorithm>
#include <deque>
#include <functional>
#include <utility>

namespace jsonheal {

using document_detail::decimal;

namespace {

using value_pair = std::pair<value_view, value_view>;

bool same_string(value_view a, value_view b) {
    if (!a.has_escape() && !b.has_escape()) { return a.source() == b.source(); }
    std::string scratch;
    return b.string_is(a.string(scratch));
}

/// Members by key. Keys that need decoding are kept in `decoded`, whose elements do not move.
class sorted_members {
public:
    struct entry {
        std::string_view key;
        value_view value;
    };
    sorted_members(member_range::iterator from, member_range::iterator to) {
        for (; from != to; ++from) {
            const member m = *from;
            std::string scratch;
            std::string_view key = m.key.string(scratch);
            if (m.key.has_escape()) { key = decoded_.emplace_back(std::move(scratch)); }
            entries_.push_back({key, m.value});
        }
        std::stable_sort(entries_.begin(), entries_.end(),
                         [](const entry& a, const entry& b) { return a.key < b.key; });
    }
    [[nodiscard]] const std::vector<entry>& entries() const noexcept { return entries_; }

private:
    std::deque<std::string> decoded_;
    std::vector<entry> entries_;
};

/// Pairs the members of two objects of one size; false if their keys differ. In step as long as the keys are
/// in the same order, by sorting from the first that is not.
bool pair_members(value_view a, value_view b, std::vector<value_pair>& todo) {
    const member_range left = a.members();
    const member_range right = b.members();
    auto i = left.begin();
    auto j = right.begin();
    for (; i != left.end() && same_string((*i).key, (*j).key); ++i, ++j) {
        todo.emplace_back((*i).value, (*j).value);
    }
    if (i == left.end()) { return true; }
    const sorted_members x(i, left.end());
    const sorted_members y(j, right.end());
    for (std::size_t n = 0; n != x.entries().size(); ++n) {
        if (x.entries()[n].key != y.entries()[n].key) { return false; }
        todo.emplace_back(x.entries()[n].value, y.entries()[n].value);
    }
    return true;
}

bool pair_elements(value_view a, value_view b, std::vector<value_pair>& todo) {
    auto j = b.elements().begin();
    for (const value_view element : a.elements()) {
        todo.emplace_back(element, *j);
        ++j;
    }
    return true;
}

/// Compares the two as far as their children, which it leaves in `todo`.
bool same_shallow(value_view a, value_view b, std::vector<value_pair>& todo) {
    if (a.kind() != b.kind()) { return false; }
    switch (a.kind()) {
    case value_kind::null: return true;
    case value_kind::boolean: return a.boolean() == b.boolean();
    case value_kind::number: return std::is_eq(compare_numbers(a.source(), b.source()));
    case value_kind::string: return same_string(a, b);
    case value_kind::array: return a.size() == b.size() && pair_elements(a, b, todo);
    case value_kind::object: return a.size() == b.size() && pair_members(a, b, todo);
    }
    return false;
}

/// The finalizer of splitmix64: every bit of the result depends on every bit of `x`.
constexpr std::uint64_t mix(std::uint64_t x) noexcept {
    x = (x ^ x >> 30) * 0xBF58'476D'1CE4'E5B9ull;
    x = (x ^ x >> 27) * 0x94D0'49BB'1331'11EBull;
    return x ^ x >> 31;
}
constexpr std::uint64_t combine(std::uint64_t a, std::uint64_t b) noexcept {
    return mix(a + 0x9E37'79B9'7F4A'7C15ull + mix(b));
}

std::uint64_t hash_number(std::string_view spelling) noexcept {
    const decimal d(spelling);
    if (d.is_zero()) { return 0; }
    std::uint64_t h = combine(d.negative ? 1 : 0, static_cast<std::uint64_t>(d.exponent));
    for (const char c : d.digits) {
        if (c != '.') { h = combine(h, static_cast<std::uint64_t>(c)); }
    }
    return h;
}

std::uint64_t hash_scalar(value_view v) {
    switch (v.kind()) {
    case value_kind::boolean: return v.boolean() ? 1 : 2;
    case value_kind::number: return hash_number(v.source());
    case value_kind::string: {
        std::string scratch;
        return std::hash<std::string_view>{}(v.string(scratch));
    }
    default: return 0;
    }
}

/// Takes the hashes of a container's children off the stack, the first child on top.
std::uint64_t hash_children(value_view v, std::vector<std::uint64_t>& stack) {
    const auto take = [&] {
        const std::uint64_t top = stack.back();
        stack.pop_back();
        return top;
    };
    std::uint64_t h = v.size();
    for (std::size_t n = v.size(); n != 0; --n) {
        if (v.is(value_kind::array)) {
            h = combine(h, take());
        } else {
            const std::uint64_t key = take();
            h += combine(key, take()); // a sum: the order of members does not matter
        }
    }
    return h;
}

} // namespace

bool same_value(value_view a, value_view b) {
    if (a.source() == b.source()) { return true; }
    std::vector<value_pair> todo{{a, b}};
    while (!todo.empty()) {
        const auto [x, y] = todo.back();
        todo.pop_back();
        if (!same_shallow(x, y, todo)) { return false; }
    }
    return true;
}

std::uint64_t hash_value(value_view v) {
    // The tape is in preorder: from its end backwards, children come before their parents.
    std::vector<std::uint64_t> stack;
    for (std::uint32_t i = v.end_index() - 1;; --i) {
        const value_view here = v.with_index(i);
        const bool container = here.is(value_kind::array) || here.is(value_kind::object);
        const std::uint64_t h = container ? hash_children(here, stack) : hash_scalar(here);
        stack.push_back(combine(static_cast<std::uint64_t>(here.kind()), h));
        if (i == v.index()) { return stack.back(); }
    }
}

} // namespace jsonheal
