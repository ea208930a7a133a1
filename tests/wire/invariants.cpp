#include "invariants.hpp"

#include <map>
#include <set>

namespace jsonheal_test {
namespace {

using namespace jsonheal::wire;

struct choice_seen {
    std::vector<bool> arguments; // of each call: some went out
    std::set<std::string> ids;
    std::vector<bool> custom;
    bool finished = false;
};

/// Looks at events one by one.
class order_check {
public:
    std::optional<std::string> look(const stream_event& event) {
        if (done_) { return "an event after the end"; }
        const bool is_start = std::holds_alternative<message_start>(event);
        if (is_start == started_) { return is_start ? "a second start" : "an event before the start"; }
        started_ = true;
        if (failed_ && !std::holds_alternative<stream_done>(event)) { return "an event after an error"; }
        return std::visit([&](const auto& e) { return one(e); }, event);
    }
    [[nodiscard]] bool done() const { return done_; }

private:
    using verdict = std::optional<std::string>;
    choice_seen& at(std::size_t i) { return choices_[i]; }
    verdict delta(std::size_t choice) {
        if (used_ || any_finished_) { return "a delta behind the ends"; }
        at(choice);
        return {};
    }
    verdict one(const message_start&) { return {}; }
    verdict one(const text_delta& e) { return e.text.empty() ? verdict("an empty text") : delta(e.choice); }
    verdict one(const refusal_delta& e) {
        return e.text.empty() ? verdict("an empty refusal") : delta(e.choice);
    }
    verdict one(const reasoning_delta& e) {
        if (e.text.empty() && e.signature.empty() && e.redacted.empty()) { return "an empty thought"; }
        return delta(e.choice);
    }
    verdict one(const extra_delta&) {
        return used_ || any_finished_ ? verdict("members behind the ends") : verdict();
    }
    verdict one(const call_begin& e) {
        choice_seen& c = at(e.choice);
        if (e.call != c.arguments.size()) { return "a call's index is not the next"; }
        if (e.name.empty() || e.id.empty()) { return "a call without name or id"; }
        if (!c.ids.insert(e.id).second) { return "two calls of one id"; }
        c.arguments.push_back(e.custom);
        return delta(e.choice);
    }
    verdict one(const call_arguments& e) {
        choice_seen& c = at(e.choice);
        if (e.call >= c.arguments.size()) { return "arguments before their call"; }
        if (e.text.empty()) { return "empty arguments"; }
        c.arguments[e.call] = true;
        return delta(e.choice);
    }
    verdict one(const choice_finish& e) {
        choice_seen& c = at(e.choice);
        if (used_) { return "an end behind the usage"; }
        if (c.finished) { return "a second end"; }
        c.finished = any_finished_ = true;
        for (const bool told : c.arguments) {
            if (!told) { return "a call without arguments"; }
        }
        if (e.finish.reason == finish_reason::none) { return "an end without a reason"; }
        if (c.arguments.empty() == (e.finish.reason == finish_reason::tool_calls)) {
            const bool may = !c.arguments.empty() && e.finish.reason != finish_reason::stop;
            if (!may) { return "the reason does not agree with the calls"; }
        }
        return {};
    }
    verdict one(const usage_total&) {
        if (used_) { return "a second usage"; }
        used_ = true;
        return {};
    }
    verdict one(const stream_error& e) {
        failed_ = true;
        return e.error.message.empty() || e.error.status == 0 ? verdict("an error that says nothing")
                                                              : verdict();
    }
    verdict one(const stream_done&) {
        done_ = true;
        if (failed_) { return {}; }
        if (choices_.empty()) { return "no choice and no error"; }
        for (const auto& [index, c] : choices_) {
            if (!c.finished) { return "a choice without an end"; }
        }
        return {};
    }

    std::map<std::size_t, choice_seen> choices_;
    bool started_ = false, failed_ = false, done_ = false, used_ = false, any_finished_ = false;
};

} // namespace

std::optional<std::string> broken_order(std::span<const stream_event> events) {
    order_check check;
    for (const stream_event& e : events) {
        if (auto wrong = check.look(e)) { return wrong; }
    }
    if (!check.done()) { return "no end"; }
    return std::nullopt;
}

} // namespace jsonheal_test
