// Can the value that is being written still fit its schema?
//
// For each open value there is a set of threads, one for each subschema that has a say in it. A thread dies when no
// continuation can satisfy its subschema. What a thread's death means is written down as groups: a conjunct is a group of
// one, a union a group of its branches; a group that has no thread left kills its owner. When the root's thread dies
// nothing can fit. Keywords that are not understood here kill nothing, so the answer errs towards yes.
#pragma once

#include <jsonheal/schema.hpp>
#include <jsonheal/stream.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace jsonheal::stream_detail {

/// What this module asks of a subschema, looked up once.
struct node_facts {
    kind_set kinds;
    bool integers = false;
    std::optional<std::vector<value_view>> values;
    kind_set value_kinds;             ///< of `values`
    std::vector<std::string> strings; ///< the strings among them
    std::optional<std::uint32_t> reference;
    std::vector<std::uint32_t> all_of;
    std::vector<std::vector<std::uint32_t>> unions;
    std::vector<std::uint32_t> prefix;
    std::optional<std::uint32_t> rest, additional;
    std::optional<std::uint64_t> max_length, max_items, max_properties;
    std::string_view maximum, below, minimum, above; ///< numbers as they are spelled; empty: none
};

class fit_checker {
public:
    explicit fit_checker(const schema::program& p) : program_(p) {}

    void reset();
    [[nodiscard]] bool possible() const noexcept { return possible_; }
    [[nodiscard]] const schema::violation& violation() const noexcept { return violation_; }

    /// A value begins at that place, in byte `begin` of the healed text. Its parent is the open value.
    void begin(const stream_place& place, value_kind kind, std::size_t begin);
    /// More content of the string that is open, in WTF-8.
    void run(std::string_view wtf8);
    /// The open value is complete; `source` is its text if it is a scalar.
    void end(std::string_view source);
    /// Must the string that is open be one of a few?
    [[nodiscard]] bool one_of_few() const noexcept { return !values_.empty() && values_.back().few; }

private:
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;
    static constexpr std::size_t most_threads = 4096; // for one value; beyond it less is noticed

    struct thread {
        std::uint32_t node;
        std::uint32_t links = none; ///< groups that lose this thread with it
        bool dead = false;
    };
    struct link {
        std::uint32_t group, next;
    };
    struct group {
        std::uint32_t alive;
        std::uint32_t owner; ///< thread; none: the root
    };
    struct open_value {
        std::size_t threads, links, groups; ///< where its own begin
        value_kind kind;
        bool few = false;
        std::size_t begin = 0;
        std::size_t parts = 0;           ///< elements that have begun
        std::set<std::string> keys = {}; ///< different keys, where `maxProperties` counts them
    };

    [[nodiscard]] const node_facts& facts(std::uint32_t node);
    [[nodiscard]] schema::node_view view(std::uint32_t node) const {
        return program_.root().with_index(node);
    }
    void add(std::uint32_t node, std::uint32_t group);
    std::uint32_t new_group(std::uint32_t owner, std::size_t alive);
    void expand(std::uint32_t thread);
    void add_parts(std::uint32_t parent, const stream_place& place);
    void check_kind(std::uint32_t thread);
    void check_count(std::uint32_t parent, const open_value& v);
    void check_number(std::uint32_t thread, std::string_view source);
    void check_values(std::uint32_t thread, std::string_view source);
    void kill(std::uint32_t thread, std::string_view keyword, std::string expected, std::string got);

    schema::program program_;
    std::unordered_map<std::uint32_t, node_facts> facts_;
    std::vector<thread> threads_;
    std::vector<link> links_;
    std::vector<group> groups_;
    std::vector<open_value> values_;
    const stream_place* place_ = nullptr;
    std::string text_; ///< content so far of a string that must be one of a few
    std::uint64_t characters_ = 0;
    bool possible_ = true;
    schema::violation violation_;
};

} // namespace jsonheal::stream_detail
