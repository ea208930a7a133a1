// Calls and results on wires that link them by the name of the tool and their order, for neutral ones are linked by ids.
#pragma once

#include "decoding.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace jsonheal::wire_detail {

/// While a history is read: gives ids to calls that have none, and finds the call of each result.
class call_linker {
public:
    /// A call, in order. Its id is made if it is empty: `call_0`, `call_1`, … by the number in the history.
    void called(tool_call& call) {
        if (call.id.empty()) { call.id = "call_" + std::to_string(number_); }
        ++number_;
        waiting_.push_back({call.name, call.id});
    }
    /// A result: that of the first call of its name that has none yet; without a name, of the first.
    void answered(tool_result& result) {
        for (auto w = waiting_.begin(); w != waiting_.end(); ++w) {
            const bool fits = result.call_id.empty() ? result.name.empty() || result.name == w->name
                                                     : result.call_id == w->id;
            if (!fits) { continue; }
            result.call_id = w->id;
            if (result.name.empty()) { result.name = w->name; }
            waiting_.erase(w);
            return;
        }
        if (result.call_id.empty()) {
            result.call_id = "call_of_" + result.name;
        } // of no call: the repair removes it
    }
    /// A new turn: results of the one before will not come any more.
    void turn() { waiting_.clear(); }

private:
    struct open_call {
        std::string name, id;
    };
    std::vector<open_call> waiting_;
    std::size_t number_ = 0;
};

/// While a history is written: the names of the tools that were called.
class call_names {
public:
    void called(const tool_call& call) { names_[call.id] = call.name; }
    [[nodiscard]] std::string_view of(const tool_result& result) const {
        if (!result.name.empty()) { return result.name; }
        const auto found = names_.find(result.call_id);
        return found == names_.end() ? std::string_view() : std::string_view(found->second);
    }

private:
    std::unordered_map<std::string, std::string> names_;
};

} // namespace jsonheal::wire_detail
