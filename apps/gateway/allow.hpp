/// @file allow.hpp
/// Asking for a request's grant from a coroutine.
#pragma once

#include "keys.hpp"

#include <jsonheal/net_task.hpp>

#include <optional>
#include <string_view>

namespace jsonheal::gateway {

/// What the ring and the limits that it shares with other gateways say. Waits only for those, and gives up (status 503) if the client goes
/// away meanwhile. The ring must outlive the task.
[[nodiscard]] net::task<key_ring::decision> allow(const key_ring& ring,
                                                  std::optional<std::string_view> presented);

} // namespace jsonheal::gateway
