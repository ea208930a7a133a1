// History that every provider takes: each call has exactly one result, right behind it.
#include <jsonheal/wire.hpp>

#include <algorithm>
#include <deque>
#include <iterator>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace jsonheal::wire {

namespace {

/// A result and the message it stood in.
struct found_result {
    content_block block;
    extra_members extra; ///< of its message
    bool used = false;
};

/// The turn of one message of the assistant: its calls, and what stands up to the next one.
class turn_repair {
public:
    turn_repair(message& assistant, std::size_t number, history_repair& report)
        : assistant_(assistant), number_(number), report_(report) {}

    /// `rest`: the messages up to the next of the assistant. Appends what they become.
    void run(std::vector<message> rest, std::vector<message>& out) {
        std::vector<message> others;
        bool behind = true; // nothing but results has come yet
        for (message& m : rest) { split(std::move(m), behind, others); }
        answer(out);
        for (found_result& r : results_) {
            if (!r.used) { ++report_.removed; }
        }
        std::move(others.begin(), others.end(), std::back_inserter(out));
    }

private:
    /// Takes the results out of a message; what else it holds stays.
    void split(message m, bool& behind, std::vector<message>& others) {
        std::vector<content_block> kept;
        for (content_block& b : m.blocks) {
            if (b.get<tool_result>() == nullptr) {
                kept.push_back(std::move(b));
                behind = false;
            } else {
                waiting_[b.get<tool_result>()->call_id].push_back(results_.size());
                results_.push_back({std::move(b), m.role == role::tool ? m.extra : extra_members{}, false});
                displaced_.push_back(!behind);
            }
        }
        if (m.role != role::tool) {
            behind = false;
            const bool emptied = kept.empty() && !m.blocks.empty();
            m.blocks = std::move(kept);
            if (!emptied) { others.push_back(std::move(m)); }
        }
    }

    /// The first unused result of that id, so that of several calls of one id each gets its own.
    std::size_t take(const std::string& id) {
        const auto found = waiting_.find(id);
        if (found == waiting_.end() || found->second.empty()) { return results_.size(); }
        const std::size_t first = found->second.front();
        found->second.pop_front();
        return first;
    }

    /// An id that no call of the turn has: `call_3_0`, the numbers of message and call.
    std::string new_id(std::size_t call) const {
        std::string id = "call_" + std::to_string(number_) + "_" + std::to_string(call);
        while (ids_.count(id) != 0) { id += "_"; }
        return id;
    }

    void answer(std::vector<message>& out) {
        for (const content_block& b : assistant_.blocks) {
            if (const auto* call = b.get<tool_call>()) { ids_.insert(call->id); }
        }
        std::unordered_set<std::string> seen;
        std::size_t number = 0;
        for (content_block& b : assistant_.blocks) {
            auto* call = b.get<tool_call>();
            if (call == nullptr) { continue; }
            const std::size_t at = take(call->id);
            if (call->id.empty() || seen.count(call->id) != 0) {
                call->id = new_id(number);
                ids_.insert(call->id);
                ++report_.renamed;
            }
            seen.insert(call->id);
            ++number;
            if (at == results_.size()) {
                missing(*call, out);
            } else {
                place(at, *call, out);
            }
        }
    }

    void missing(const tool_call& call, std::vector<message>& out) {
        tool_result result;
        result.call_id = call.id;
        result.name = call.name;
        result.content = "The tool was not run: no result was recorded for this call.";
        result.is_error = true;
        result.error_code = "missing_result";
        out.push_back({role::tool, {{std::move(result), {}, {}}}, {}, {}});
        ++report_.missing;
    }

    void place(std::size_t at, const tool_call& call, std::vector<message>& out) {
        found_result& r = results_[at];
        r.used = true;
        r.block.get<tool_result>()->call_id = call.id;
        if (displaced_[at]) { ++report_.moved; }
        out.push_back({role::tool, {std::move(r.block)}, {}, std::move(r.extra)});
    }

    message& assistant_;
    std::size_t number_;
    history_repair& report_;
    std::vector<found_result> results_;
    std::unordered_map<std::string, std::deque<std::size_t>> waiting_; ///< results by the id of their call
    std::unordered_set<std::string> ids_;                              ///< of all calls of the turn
    std::vector<bool> displaced_; ///< of each result: it did not stand right behind its call
};

/// Results before any call are of no call.
void drop_results(message m, history_repair& report, std::vector<message>& out) {
    const std::size_t before = m.blocks.size();
    std::erase_if(m.blocks, [](const content_block& b) { return b.get<tool_result>() != nullptr; });
    report.removed += before - m.blocks.size();
    const bool emptied = m.blocks.empty() && before != 0;
    if (!emptied && m.role != role::tool) { out.push_back(std::move(m)); }
}

} // namespace

history_repair repair_history(std::vector<message>& messages) {
    history_repair report;
    std::vector<message> out;
    out.reserve(messages.size());
    std::size_t i = 0;
    for (; i < messages.size() && messages[i].role != role::assistant; ++i) {
        drop_results(std::move(messages[i]), report, out);
    }
    while (i < messages.size()) {
        std::size_t next = i + 1;
        while (next < messages.size() && messages[next].role != role::assistant) { ++next; }
        std::vector<message> rest(
            std::make_move_iterator(messages.begin() + static_cast<std::ptrdiff_t>(i) + 1),
            std::make_move_iterator(messages.begin() + static_cast<std::ptrdiff_t>(next)));
        message assistant = std::move(messages[i]);
        std::vector<message> behind;
        turn_repair(assistant, i, report).run(std::move(rest), behind);
        out.push_back(std::move(assistant));
        std::move(behind.begin(), behind.end(), std::back_inserter(out));
        i = next;
    }
    messages = std::move(out);
    return report;
}

} // namespace jsonheal::wire
