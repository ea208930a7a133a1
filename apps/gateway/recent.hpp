/// @file recent.hpp
/// A small cache of what was worked out for texts lately, for one thread.
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace jsonheal::gateway {

/// At most `most` texts, and none of over 1 MiB; the one that was not asked for longest is forgotten. All O(text).
template <class Value>
class recent {
public:
    explicit recent(std::size_t most) : most_(most) {}

    [[nodiscard]] const Value* find(std::string_view text) {
        const auto found = places_.find(text);
        if (found == places_.end()) { return nullptr; }
        order_.splice(order_.begin(), order_, found->second);
        return &found->second->second;
    }
    void put(std::string_view text, Value value) {
        if (text.size() > (std::size_t{1} << 20)) { return; }
        order_.emplace_front(std::string(text), std::move(value));
        places_[order_.front().first] = order_.begin();
        if (order_.size() > most_) {
            places_.erase(order_.back().first);
            order_.pop_back();
        }
    }

private:
    using row = std::pair<const std::string, Value>;
    std::size_t most_;
    std::list<row> order_;
    std::unordered_map<std::string_view, typename std::list<row>::iterator> places_;
};

} // namespace jsonheal::gateway
