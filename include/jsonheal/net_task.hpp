/// @file net_task.hpp
/// Coroutines of `net`: what handlers and upstream calls are, and how to wait.
///
/// Each core of a server is one thread with its own loop; a task stays on the core where it began and needs no locks against
/// other tasks there.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>

namespace jsonheal::net {

/// A Boost.Asio coroutine, so everything of Asio can be awaited in it too.
template <class T>
using task = boost::asio::awaitable<T>;

/// Waits. False, and at once, if the task was cancelled: the client of the request went away, or the server stops.
[[nodiscard]] task<bool> sleep(std::chrono::milliseconds duration);
/// True if the task was cancelled.
[[nodiscard]] task<bool> cancelled();

/// Runs a task, and what it waits for, in the calling thread until it is done; for programs and tests that call upstreams without
/// a server. Rethrows what the task throws.
void run(task<void> work);

} // namespace jsonheal::net
