// Neutral values as JSON, for cases to compare with. What is empty or zero is left out.
#pragma once

#include <jsonheal/wire.hpp>

#include <string>

namespace jsonheal_test {

/// `{"text":"Hi"}`, `{"call":0,"id":"call_1","name":"f"}`, `{"finish":"stop"}`, `{"done":true}`, …
[[nodiscard]] std::string show(const jsonheal::wire::stream_event& event);
[[nodiscard]] std::string show(const jsonheal::wire::wire_error& error);

} // namespace jsonheal_test
