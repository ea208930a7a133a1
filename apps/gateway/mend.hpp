/// @file mend.hpp
/// An answer of a model, healed: its content by what was asked for, its calls by their tools. No sockets, no waiting.
#pragma once

#include "plan.hpp"
#include "report.hpp"

#include <span>
#include <string>

namespace jsonheal::gateway {

/// What became of one choice.
struct mending {
    bool good = false;     ///< it can go out
    bool cut = false;      ///< it stopped before its value did
    std::string said;      ///< what the model wrote, as the conversation goes on with it
    std::string feedback;  ///< if not good: what to say to the model
    std::string candidate; ///< if not good: the best attempt, or empty
};

/// Heals a choice in place: calls that stand in the text become calls, arguments become JSON that fits the tool, content what
/// `plan.content` wants; `finish.reason` says what is there. Adds to `report`. A refusal, a content filter and a turn
/// that ends in calls are no failures of the content.
[[nodiscard]] mending mend_choice(const request_plan& plan, const healing_config& config,
                                  wire::choice& choice, unsigned attempt, healing_report& report);

/// One call's arguments, healed and aligned. False: they are cut off in a way that the policy does not accept, or no object; `feedback` then
/// says so to the model.
[[nodiscard]] bool mend_call(const request_plan& plan, const healing_config& config, wire::tool_call& call,
                             bool cut_off, std::size_t choice, unsigned attempt, healing_report& report,
                             std::string& feedback);

/// What to say to the model about content that is not the JSON that was asked for: cut off, no JSON, or these violations.
[[nodiscard]] std::string content_feedback(bool cut, std::span<const schema::violation> violations);

/// The conversation with a failed answer and what is wrong with it: the request of the next attempt, for one choice.
[[nodiscard]] wire::request ask_again(const wire::request& asked, const mending& failed, bool continues);

} // namespace jsonheal::gateway
