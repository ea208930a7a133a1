/// @file text_laws.hpp
/// The laws that bind `sanitize`, `extract_objects`, `complete_object` and `normalize_quotes`: proof, bounds, and what
/// each promises for any text. Who includes it links the modules `sanitize` and `unicode`.
#pragma once

#include "laws.hpp"
#include "show.hpp"

#include <jsonheal/quotes.hpp>
#include <jsonheal/sanitize.hpp>

#include <algorithm>

namespace jsonheal_test {

/// Law 2 and the fields that must agree with each other.
inline failure check_rewritten(std::string_view input, const jsonheal::rewritten& r) {
    using jsonheal::verdict;
    if (!r.ok()) {
        return r.text.empty() && !r.why.message.empty() ? failure() : "a refusal without a reason";
    }
    const auto replayed = jsonheal::replay(input, r.edits);
    if (!replayed) { return "the log does not fit the text"; }
    if (*replayed != r.text) { return "the log gives " + show(*replayed) + ", not " + show(r.text); }
    if ((r.verdict == verdict::truncated) != (r.cut != jsonheal::cut_place::none)) {
        return "verdict and cut disagree";
    }
    if (r.verdict == verdict::intact && r.text != input) { return "intact, but changed"; }
    jsonheal::risk worst = jsonheal::risk::exact;
    for (const jsonheal::edit& e : r.edits) {
        worst = std::max(worst, e.risk());
        if (e.begin == e.end && e.size == 0) { return "an edit that changes nothing"; }
    }
    return worst == r.risk ? failure() : "the risk is not that of the log";
}

inline failure check_sanitize(std::string_view input) {
    return check_rewritten(input, jsonheal::sanitize(input));
}

/// What is complete stays as it is. Where a back-tick, an apostrophe or a slash stands, what it means may depend on the
/// text behind it, and completing puts more there.
inline failure check_complete(std::string_view input) {
    const jsonheal::rewritten once = jsonheal::complete_object(input);
    if (failure f = check_rewritten(input, once)) { return f; }
    if (input.find_first_of("`'/") != std::string_view::npos) { return std::nullopt; }
    const jsonheal::rewritten twice = jsonheal::complete_object(once.text);
    return twice.text == once.text ? failure()
                                   : "completed again " + show(once.text) + " is " + show(twice.text);
}

/// The objects are parts of the text, in order, apart, and each is one object by itself.
inline failure check_extract(std::string_view input) {
    const char* end = input.data();
    for (const std::string_view object : jsonheal::extract_objects(input)) {
        if (object.data() < end || object.data() + object.size() > input.data() + input.size()) {
            return "an object out of place";
        }
        end = object.data() + object.size();
        if (object.size() < 2 || object.front() != '{' || object.back() != '}') {
            return "no object: " + show(object);
        }
    }
    return std::nullopt;
}

/// Law 2; nothing of the set is left; nothing else is touched.
inline failure check_quotes(std::string_view input) {
    for (const auto set :
         {jsonheal::quote_set::curly, jsonheal::quote_set::standard, jsonheal::quote_set::all}) {
        const jsonheal::normalized_quotes once = jsonheal::normalize_quotes(input, {.set = set});
        if (jsonheal::replay(input, once.edits) != once.text) { return "the log does not give the text"; }
        const jsonheal::normalized_quotes twice = jsonheal::normalize_quotes(once.text, {.set = set});
        if (!twice.edits.empty()) { return "a quote was left: " + show(once.text); }
    }
    return std::nullopt;
}

inline failure check_text_laws(std::string_view input) {
    for (const auto check : {check_sanitize, check_complete, check_extract, check_quotes}) {
        if (failure f = check(input)) { return f; }
    }
    return std::nullopt;
}

} // namespace jsonheal_test
