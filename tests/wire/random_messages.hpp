// Random neutral values that every wire that knows their parts can say: canonical, so that they come back equal.
#pragma once

#include "random.hpp"

#include <jsonheal/wire.hpp>

#include <string>

namespace jsonheal_test {

/// Text with quotes, controls, escapes, characters of all lengths, and lone surrogates (WTF-8). Not empty.
[[nodiscard]] std::string random_text(random_source& r);
/// The JSON text of an object.
[[nodiscard]] std::string random_object(random_source& r);

/// What is common to the wires: text, calls, results in the turn after their call, a system prompt, tools, settings.
[[nodiscard]] jsonheal::wire::request random_request(random_source& r);
/// One choice or more; reasoning, text, refusal, calls.
[[nodiscard]] jsonheal::wire::response random_response(random_source& r);

} // namespace jsonheal_test
