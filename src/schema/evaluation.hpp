/// @file evaluation.hpp
/// What both ways of running a program share: the instance, the budgets, and the instructions that look at a value alone.
#pragma once

#include "formats.hpp"
#include "numbers.hpp"
#include "program.hpp"
#include "regex.hpp"
#include "unique.hpp"

#include <algorithm>
#include <string>
#include <string_view>
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

/// Code points of WTF-8: bytes that do not continue one.
[[nodiscard]] inline std::size_t count_code_points(std::string_view wtf8) noexcept {
    return static_cast<std::size_t>(std::count_if(
        wtf8.begin(), wtf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

class evaluation {
protected:
    using entry = document_detail::node;

    evaluation(const program_data& p, value_view root, const validate_limits& limits)
        : p_(p),
          tape_(root.tape().nodes.data()),
          text_(root.tape().text.data()),
          limit_(text_ + root.tape().text.size()),
          root_(root),
          limits_(limits),
          pattern_budget_(limits.pattern_steps) {}

    [[nodiscard]] value_view at(std::uint32_t index) const noexcept { return root_.with_index(index); }
    [[nodiscard]] std::string_view spelling(const entry& e) const noexcept {
        return {text_ + e.begin, e.end - e.begin};
    }
    /// The content of a string, in `scratch_` where it has to be decoded.
    [[nodiscard]] std::string_view content(std::uint32_t index) {
        const entry& e = tape_[index];
        if ((e.bits & entry::has_escape) != 0) [[unlikely]] { return at(index).string(scratch_); }
        return {text_ + e.begin + 1, e.end - e.begin - 2};
    }
    /// The same with its ends.
    [[nodiscard]] std::string_view content(std::uint32_t index, key_ends& ends) {
        const entry& e = tape_[index];
        if ((e.bits & entry::has_escape) != 0) [[unlikely]] {
            const std::string_view decoded = at(index).string(scratch_);
            ends = ends_of(decoded);
            return decoded;
        }
        const std::string_view text{text_ + e.begin + 1, e.end - e.begin - 2};
        ends = ends_of(text, head_within(text, limit_));
        return text;
    }
    void stop(stop_reason why) noexcept {
        if (stopped_ == stop_reason::nothing) { stopped_ = why; }
    }

    /// An instruction that looks at no other subschema. Others hold.
    bool leaf(const instruction& in, std::uint32_t value) {
        switch (in.op) {
        case opcode::integer: return is_whole(spelling(tape_[value])) || at(value).is_integer();
        case opcode::minimum: return compare(spelling(tape_[value]), p_.bounds[in.a]) >= 0;
        case opcode::exclusive_minimum: return compare(spelling(tape_[value]), p_.bounds[in.a]) > 0;
        case opcode::maximum: return compare(spelling(tape_[value]), p_.bounds[in.a]) <= 0;
        case opcode::exclusive_maximum: return compare(spelling(tape_[value]), p_.bounds[in.a]) < 0;
        case opcode::multiple_of: return is_multiple(spelling(tape_[value]), p_.divisors[in.a]);
        // A code point has one to four bytes: often the length says it all.
        case opcode::min_length: {
            const std::string_view text = content(value);
            return text.size() >= in.a && (text.size() / 4 >= in.a || count_code_points(text) >= in.a);
        }
        case opcode::max_length: {
            const std::string_view text = content(value);
            return text.size() <= in.a || count_code_points(text) <= in.a;
        }
        case opcode::pattern: return matches(in.a, content(value));
        case opcode::format: return has_format(in.a, content(value));
        case opcode::min_items: return at(value).size() >= in.a;
        case opcode::max_items: return at(value).size() <= in.a;
        case opcode::unique_items: return is_unique(value);
        case opcode::min_properties: {
            const value_view v = at(value);
            return v.size() >= in.a && (in.a == 1 || distinct_keys(v) >= in.a);
        }
        case opcode::max_properties: return at(value).size() <= in.a || distinct_keys(at(value)) <= in.a;
        case opcode::required: return has_required(p_.required_lists[in.a], value);
        case opcode::dependent_required:
            return !for_each_missing(p_.dependencies[in.a], value,
                                     [](std::uint32_t, std::uint32_t) { return true; });
        case opcode::value_set: return in_value_set(p_.value_sets[in.a], value);
        default: return true;
        }
    }

    bool matches(std::uint32_t regex, std::string_view text) {
        switch (p_.regexes[regex]->find_in(text, pattern_budget_)) {
        case match::yes: return true;
        case match::limit: stop(stop_reason::pattern); return false;
        case match::no: break;
        }
        return false;
    }

    bool in_value_set(const value_set& set, std::uint32_t value) {
        const value_kind kind = tape_[value].kind();
        if ((set.kinds & bit(kind)) == 0) { return false; }
        if (kind == value_kind::string) {
            key_ends ends;
            const std::string_view text = content(value, ends);
            return set.strings.find(text, ends) != key_table::not_found;
        }
        steps_ += set.others.size();
        const value_view v = at(value);
        return std::any_of(set.others.begin(), set.others.end(), [&](value_view other) {
            return other.kind() == kind && (other.source() == v.source() || same_value(other, v));
        });
    }

    bool is_unique(std::uint32_t array) {
        steps_ += at(array).size();
        return all_distinct(root_, at(array), hashes_);
    }

    /// Which of the names are there.
    std::vector<bool> names_seen(const std::vector<std::string>& names, std::uint32_t object) {
        std::vector<bool> seen(names.size(), false);
        for (const member m : at(object).members()) {
            const std::string_view key = content(m.key.index());
            const auto found = std::lower_bound(names.begin(), names.end(), key);
            if (found != names.end() && *found == key) {
                seen[static_cast<std::size_t>(found - names.begin())] = true;
            }
        }
        return seen;
    }
    bool has_required(const std::vector<std::string>& names, std::uint32_t object) {
        const std::vector<bool> seen = names_seen(names, object);
        return std::find(seen.begin(), seen.end(), false) == seen.end();
    }

    /// Calls `f(dependency, name)` for every name that is missing beside its key, until one call says that this is enough.
    /// Returns whether one did.
    template <class F>
    bool for_each_missing(const std::vector<dependency>& list, std::uint32_t object, F&& f) {
        const value_view o = at(object);
        for (std::uint32_t i = 0; i != list.size(); ++i) {
            steps_ += o.size();
            if (!o.find(list[i].key)) { continue; }
            for (std::uint32_t j = 0; j != list[i].names.size(); ++j) {
                steps_ += o.size();
                if (!o.find(list[i].names[j]) && f(i, j)) { return true; }
            }
        }
        return false;
    }

    static std::size_t distinct_keys(value_view object) {
        std::vector<std::string> keys;
        keys.reserve(object.size());
        for (const member m : object.members()) { keys.push_back(m.key.string()); }
        std::sort(keys.begin(), keys.end());
        return static_cast<std::size_t>(std::unique(keys.begin(), keys.end()) - keys.begin());
    }

    const program_data& p_;
    const entry* tape_;
    const char* text_;
    const char* limit_; ///< where the document's text ends
    value_view root_;
    const validate_limits& limits_;
    std::uint64_t steps_ = 0;
    std::uint64_t pattern_budget_;
    stop_reason stopped_ = stop_reason::nothing;
    std::string scratch_;
    hash_cache hashes_;
};

} // namespace jsonheal::schema::detail
