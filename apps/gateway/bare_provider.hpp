/// @file bare_provider.hpp
/// A script served as a provider would serve it, faults of its sockets among them: what the gateway is tested against.
#pragma once

#include "script.hpp"

#include <jsonheal/net_server.hpp>

#include <memory>

namespace jsonheal::gateway {

/// Answers `POST …/chat/completions` and `GET …/models` by the script.
[[nodiscard]] net::handler bare_provider(std::shared_ptr<const script> from);

} // namespace jsonheal::gateway
