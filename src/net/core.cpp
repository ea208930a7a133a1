#include "core.hpp"

#include "upstreams.hpp"

#include <jsonheal/net_task.hpp>

#include <array>
#include <cstdio>
#include <ctime>
#include <exception>

namespace jsonheal::net {

namespace {

thread_local core* current_core = nullptr;

} // namespace

// One thread runs the loop, so its sockets need no locks; only posting from other threads does.
core::core()
    : context(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO),
      wheel(context),
      scratch_(64 << 10),
      upstreams_(std::make_unique<upstreams>(*this)) {}
core::~core() { shut(); }

core* core::current() noexcept { return current_core; }

void core::run() {
    core* const before = current_core;
    current_core = this;
    struct restore {
        core* value;
        ~restore() { current_core = value; }
    } guard{before};
    context.run();
}

std::string_view core::date_line() {
    const std::time_t now = std::time(nullptr);
    if (now == date_second_) { return date_line_; }
    date_second_ = now;
    std::tm parts{};
    gmtime_r(&now, &parts);
    constexpr const char* days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr const char* months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    std::array<char, 64> text{};
    const int size = std::snprintf(text.data(), text.size(), "Date: %s, %02d %s %04d %02d:%02d:%02d GMT\r\n",
                                   days[parts.tm_wday], parts.tm_mday, months[parts.tm_mon],
                                   parts.tm_year + 1900, parts.tm_hour, parts.tm_min, parts.tm_sec);
    date_line_.assign(text.data(), static_cast<std::size_t>(size));
    return date_line_;
}

task<bool> cancelled() {
    const asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
    co_return state.cancelled() != asio::cancellation_type::none;
}

task<bool> sleep(std::chrono::milliseconds duration) {
    if (co_await cancelled()) { co_return false; }
    asio::steady_timer timer(co_await asio::this_coro::executor, duration);
    const auto [ec] = co_await timer.async_wait(as_value);
    co_return !ec;
}

void run(task<void> work) {
    core c;
    std::exception_ptr thrown;
    asio::co_spawn(c.context, std::move(work), [&](std::exception_ptr e) {
        thrown = e;
        c.context.stop();
    });
    c.run();
    if (thrown) { std::rethrow_exception(thrown); }
}

} // namespace jsonheal::net
