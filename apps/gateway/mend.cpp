#include "mend.hpp"

#include "script.hpp"

#include <algorithm>

namespace jsonheal::gateway {

namespace {

bool has_calls(const wire::message& m) {
    return std::any_of(m.blocks.begin(), m.blocks.end(),
                       [](const wire::content_block& b) { return b.get<wire::tool_call>() != nullptr; });
}

bool has_refusal(const wire::message& m) {
    return std::any_of(m.blocks.begin(), m.blocks.end(),
                       [](const wire::content_block& b) { return b.get<wire::refusal_block>() != nullptr; });
}

/// Puts one text in the place of all text blocks; none if it is empty.
void replace_text(wire::message& m, std::string text) {
    const auto is_text = [](const wire::content_block& b) { return b.get<wire::text_block>() != nullptr; };
    const auto first = std::find_if(m.blocks.begin(), m.blocks.end(), is_text);
    const auto place = first - m.blocks.begin();
    m.blocks.erase(std::remove_if(m.blocks.begin(), m.blocks.end(), is_text), m.blocks.end());
    if (!text.empty()) {
        m.blocks.insert(m.blocks.begin() + std::min<std::ptrdiff_t>(place, std::ssize(m.blocks)),
                        wire::make_text(std::move(text)));
    }
}

/// Calls that the model wrote as text. Their arguments have been through the engine and the schema already.
bool read_text_calls(const request_plan& plan, wire::choice& choice, unsigned attempt, healing_report& report,
                     mending& m) {
    const std::string text = choice.message.text();
    if (text.empty()) { return false; }
    call_options options;
    options.tools = plan.tools.get();
    options.format = plan.text_calls;
    options.id_prefix = "call_" + report.request_id + "_" + std::to_string(choice.index) + "_";
    calls_reading read = read_calls(text, options);
    std::erase_if(read.calls, [](const read_call& c) { return !c.declared; });
    if (read.calls.empty()) { return false; }
    for (read_call& c : read.calls) {
        healed_part part;
        part.what = c.name;
        part.choice = static_cast<std::size_t>(choice.index);
        part.attempt = attempt;
        part.before = text.substr(c.begin_offset, c.end_offset - c.begin_offset);
        part.after = c.arguments;
        part.verdict = c.status == call_status::complete     ? verdict::intact
                       : c.status == call_status::repaired   ? verdict::healed
                       : c.status == call_status::incomplete ? verdict::truncated
                                                             : verdict::refused;
        for (const edit& e : c.edits) { part.risk = std::max(part.risk, e.risk()); }
        m.cut = m.cut || c.status == call_status::incomplete;
        report.parts.push_back(std::move(part));
    }
    m.feedback = correction_message(read, *plan.tools);
    replace_text(choice.message,
                 read.content.find_first_not_of(" \t\r\n") == std::string::npos ? "" : read.content);
    if (!read.reasoning.empty()) {
        wire::reasoning_block thought;
        thought.text = std::move(read.reasoning);
        choice.message.blocks.insert(choice.message.blocks.begin(), {std::move(thought), {}, {}});
    }
    for (read_call& c : read.calls) {
        wire::tool_call call;
        call.id = std::move(c.id);
        call.name = std::move(c.name);
        call.arguments = std::move(c.arguments);
        choice.message.blocks.push_back({std::move(call), {}, {}});
    }
    return true;
}

healed_part part_of(const wire::choice& choice, unsigned attempt, std::string before) {
    healed_part part;
    part.what = "content";
    part.choice = static_cast<std::size_t>(choice.index);
    part.attempt = attempt;
    part.before = std::move(before);
    return part;
}

/// Content that must be JSON, of any kind.
void mend_json(wire::choice& choice, unsigned attempt, healing_report& report, mending& m) {
    healed_part part = part_of(choice, attempt, m.said);
    const answered a = answer(part.before);
    part.verdict = a.result.verdict;
    part.cut = a.result.cut;
    part.risk = a.result.risk;
    part.edits = a.result.edits;
    part.after = a.result.json();
    m.good = part.verdict == verdict::intact || part.verdict == verdict::healed;
    m.cut = part.verdict == verdict::truncated;
    if (m.good) {
        replace_text(choice.message, part.after);
    } else {
        m.candidate = part.after;
        m.feedback = content_feedback(m.cut, {});
        part.note = m.cut ? "cut off" : "no JSON";
    }
    report.parts.push_back(std::move(part));
}

void mend_to_schema(const request_plan& plan, wire::choice& choice, unsigned attempt, healing_report& report,
                    mending& m) {
    healed_part part = part_of(choice, attempt, m.said);
    const fitted f = plan.schema->reader.answer(part.before);
    part.verdict = f.text.verdict;
    part.cut = f.text.cut;
    part.risk = f.risk();
    part.fits = f.value.fits;
    part.edits = f.text.edits;
    part.changes = f.value.changes;
    part.violations = f.value.violations;
    part.after = f.json();
    m.cut = f.text.verdict == verdict::truncated;
    m.good = f.fits() && !m.cut;
    if (m.good) {
        replace_text(choice.message, part.after);
    } else {
        m.candidate = part.after;
        m.feedback = std::string(feedback_mark) + "cannot be used.\n" + reask_message(f);
        part.note = m.cut ? "cut off" : f.text.ok() ? "does not fit the schema" : "no JSON";
    }
    report.parts.push_back(std::move(part));
}

/// The calls of a choice. False if one of them cannot go out.
bool mend_calls(const request_plan& plan, const healing_config& config, wire::choice& choice,
                unsigned attempt, healing_report& report, mending& m) {
    const bool cut_off = choice.finish.reason == wire::finish_reason::length;
    wire::tool_call* last = nullptr;
    for (wire::content_block& b : choice.message.blocks) {
        if (auto* call = b.get<wire::tool_call>()) { last = call; }
    }
    bool good = true;
    for (wire::content_block& b : choice.message.blocks) {
        auto* call = b.get<wire::tool_call>();
        if (call == nullptr || call->custom) { continue; }
        std::string feedback;
        // Only the last call can be the one that the limit of tokens cut.
        if (!mend_call(plan, config, *call, cut_off && call == last, static_cast<std::size_t>(choice.index),
                       attempt, report, feedback)) {
            good = false;
            m.cut = m.cut || cut_off;
            m.said.append(m.said.empty() ? "" : "\n").append(call->name).append(" ").append(call->arguments);
            m.feedback.append(m.feedback.empty() ? "" : "\n").append(feedback);
        }
    }
    return good;
}

} // namespace

bool mend_call(const request_plan& plan, const healing_config& config, wire::tool_call& call, bool cut_off,
               std::size_t choice, unsigned attempt, healing_report& report, std::string& feedback) {
    const call_tool* tool = plan.tools ? plan.tools->find(call.name) : nullptr;
    healed_part part;
    part.what = call.name;
    part.choice = choice;
    part.attempt = attempt;
    part.before = call.arguments;
    args_options options;
    // A model that calls a declared tool natively means an object: a bare value is not put into a field by its name.
    options.bare_values = tool == nullptr;
    options.quotes = string_quotes::code_fields;
    const arguments a = normalize_args(call.name, part.before, options);
    part.verdict = a.verdict;
    part.cut = a.cut;
    part.risk = a.risk;
    part.edits = a.edits;
    part.after = a.json();
    bool good = a.ok() && !a.several();
    if (good && tool != nullptr && tool->has_schema) {
        alignment fit = std::move(align_arguments(a, tool->program).front());
        part.fits = fit.fits;
        part.risk = std::max(part.risk, fit.risk);
        part.changes = std::move(fit.changes);
        part.violations = std::move(fit.violations);
        if (fit.fits) { part.after = std::move(fit.json); }
    }
    // The provider's word counts too: what the limit of tokens cut may still look whole.
    const bool truncated = a.verdict == verdict::truncated || (cut_off && a.verdict != verdict::intact);
    if (truncated) {
        const bool closers = a.cut == cut_place::closers || a.cut == cut_place::none;
        good = good && (config.cut_calls == cut_call_policy::accept ||
                        (config.cut_calls == cut_call_policy::accept_closers && closers));
    }
    if (good) {
        call.arguments = part.after;
    } else {
        feedback = std::string(feedback_mark) + "holds a call of " + call.name +
                   (truncated     ? " whose arguments were cut off."
                    : a.several() ? " with several different objects as its arguments."
                                  : " whose arguments are not a JSON object.") +
                   " Write the call again, with one complete JSON object as its arguments.";
        part.note = truncated ? "cut off" : "no object";
    }
    report.parts.push_back(std::move(part));
    return good;
}

std::string content_feedback(bool cut, std::span<const schema::violation> violations) {
    std::string text(feedback_mark);
    if (cut) {
        return text + "was cut off before its JSON was whole. Answer again with one complete JSON value, "
                      "shorter if need be, and nothing else.";
    }
    text += violations.empty() ? "holds no JSON." : "cannot be used:";
    for (const schema::violation& v : violations) {
        text.append("\n- ");
        if (!v.instance.empty()) { text.append("at ").append(v.instance).append(": "); }
        text.append(v.message);
    }
    return text + "\nAnswer again with one JSON value and nothing else.";
}

mending mend_choice(const request_plan& plan, const healing_config& config, wire::choice& choice,
                    unsigned attempt, healing_report& report) {
    using reason = wire::finish_reason;
    mending m;
    m.said = choice.message.text();
    if (plan.tools) {
        if (!has_calls(choice.message) && read_text_calls(plan, choice, attempt, report, m)) {
            m.good = config.cut_calls == cut_call_policy::accept || !m.cut;
        } else if (has_calls(choice.message)) {
            m.good = mend_calls(plan, config, choice, attempt, report, m);
        }
    }
    if (has_calls(choice.message)) {
        const bool said_so = choice.finish.reason == reason::tool_calls;
        if (m.good && !said_so && choice.finish.reason != reason::content_filter) {
            choice.finish = {};
            choice.finish.reason = reason::tool_calls;
        }
        m.good = m.good || !plan.tools; // calls that nobody declared are not ours to judge
        return m;
    }
    const bool will_not = has_refusal(choice.message) || choice.finish.reason == reason::content_filter;
    if (plan.content == content_rule::any || will_not) {
        m.good = true;
        return m;
    }
    if (plan.content == content_rule::json) {
        mend_json(choice, attempt, report, m);
    } else {
        mend_to_schema(plan, choice, attempt, report, m);
    }
    if (m.good && choice.finish.reason == reason::length) {
        // A whole value came out before the limit: what was cut was text behind it.
        choice.finish = {};
        choice.finish.reason = reason::stop;
    }
    return m;
}

wire::request ask_again(const wire::request& asked, const mending& failed, bool continues) {
    wire::request next = asked;
    next.n.reset();
    if (failed.cut && continues && !failed.said.empty()) {
        wire::message so_far{wire::role::assistant, {wire::make_text(failed.said)}, {}, {}};
        so_far.extra.push_back({"partial", "true"});
        next.messages.push_back(std::move(so_far));
        return next;
    }
    if (!failed.said.empty()) {
        next.messages.push_back({wire::role::assistant, {wire::make_text(failed.said)}, {}, {}});
    }
    next.messages.push_back({wire::role::user, {wire::make_text(failed.feedback)}, {}, {}});
    return next;
}

} // namespace jsonheal::gateway
