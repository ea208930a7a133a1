#include "reports.hpp"

#include <deque>
#include <mutex>
#include <unordered_map>

namespace jsonheal::gateway {

struct report_ring::state {
    struct report {
        std::string id, owner, json;
        [[nodiscard]] std::size_t size() const { return id.size() + owner.size() + json.size(); }
    };

    std::size_t most = 0, most_bytes = 0;
    mutable std::mutex mutex;
    std::deque<report> reports; ///< oldest first
    std::size_t bytes = 0;
    std::uint64_t first = 0;                                ///< number of the oldest report
    std::unordered_map<std::string, std::uint64_t> numbers; ///< of the newest report of an id and its owner

    /// Ids may come from clients, so one client's must not hide another's. Names of owners have no NUL.
    [[nodiscard]] static std::string key(std::string_view id, std::string_view owner) {
        return std::string(owner).append(1, '\0').append(id);
    }
    void forget_oldest() {
        const report& r = reports.front();
        const auto place = numbers.find(key(r.id, r.owner));
        if (place != numbers.end() && place->second == first) { numbers.erase(place); }
        bytes -= r.size();
        reports.pop_front();
        ++first;
    }
};

report_ring::report_ring(std::size_t most, std::size_t most_bytes) : state_(std::make_unique<state>()) {
    state_->most = most;
    state_->most_bytes = most_bytes;
}

report_ring::~report_ring() = default;

void report_ring::put(std::string id, std::string owner, std::string json) {
    state& s = *state_;
    state::report r{std::move(id), std::move(owner), std::move(json)};
    if (s.most == 0 || r.size() > s.most_bytes / 4) { return; }
    const std::lock_guard lock(s.mutex);
    s.numbers.insert_or_assign(state::key(r.id, r.owner), s.first + s.reports.size());
    s.bytes += r.size();
    s.reports.push_back(std::move(r));
    while (s.reports.size() > s.most || s.bytes > s.most_bytes) { s.forget_oldest(); }
}

std::optional<std::string> report_ring::find(std::string_view id, std::string_view owner) const {
    const state& s = *state_;
    const std::lock_guard lock(s.mutex);
    const auto place = s.numbers.find(state::key(id, owner));
    if (place == s.numbers.end()) { return std::nullopt; }
    return s.reports[place->second - s.first].json;
}

std::vector<std::string> report_ring::latest(std::size_t most, std::string_view owner) const {
    const state& s = *state_;
    std::vector<std::string> out;
    const std::lock_guard lock(s.mutex);
    for (auto r = s.reports.rbegin(); r != s.reports.rend() && out.size() < most; ++r) {
        if (r->owner == owner) { out.push_back(r->json); }
    }
    return out;
}

} // namespace jsonheal::gateway
