// The parts of Asio that are used here, in one place: this is also what is precompiled.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace jsonheal::net {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using loop_executor = asio::io_context::executor_type;
using tcp_socket = asio::basic_stream_socket<tcp, loop_executor>;
using loop_timer = asio::basic_waitable_timer<std::chrono::steady_clock,
                                              asio::wait_traits<std::chrono::steady_clock>, loop_executor>;
using boost::system::error_code;

/// Awaited operations give their error code as a value.
inline constexpr auto as_value = asio::as_tuple(asio::use_awaitable);

} // namespace jsonheal::net
