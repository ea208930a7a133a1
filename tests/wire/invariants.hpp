// What every stream of neutral events keeps, whoever made it.
#pragma once

#include <jsonheal/wire.hpp>

#include <optional>
#include <span>
#include <string>

namespace jsonheal_test {

/// The first thing that is wrong with the order of the events of a whole stream, ended by `stream_done`. See
/// `wire_stream.hpp`.
[[nodiscard]] std::optional<std::string> broken_order(std::span<const jsonheal::wire::stream_event> events);

} // namespace jsonheal_test
