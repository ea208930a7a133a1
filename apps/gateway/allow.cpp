#include "allow.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <mutex>

namespace jsonheal::gateway {

namespace {

namespace asio = boost::asio;

/// Where the answer is put, by whichever thread has it. Outlives the coroutine if that is cancelled.
struct slot {
    std::mutex mutex;
    asio::steady_timer* timer = nullptr; ///< of the coroutine that waits; null once it does not
    std::optional<key_ring::decision> decision;

    void put(const std::shared_ptr<slot>& self, key_ring::decision d) {
        const std::lock_guard lock(mutex);
        if (timer == nullptr) { return; } // nobody wants it: the grant is given back
        decision = std::move(d);
        asio::post(timer->get_executor(), [self] {
            const std::lock_guard again(self->mutex);
            if (self->timer != nullptr) { self->timer->cancel(); }
        });
    }
};

/// The coroutine waits as long as this lives.
struct waiter {
    slot& at;
    waiter(slot& s, asio::steady_timer& t) : at(s) { at.timer = &t; }
    waiter(const waiter&) = delete;
    waiter& operator=(const waiter&) = delete;
    ~waiter() {
        const std::lock_guard lock(at.mutex);
        at.timer = nullptr;
    }
};

} // namespace

net::task<key_ring::decision> allow(const key_ring& ring, std::optional<std::string_view> presented) {
    key_ring::decision d = ring.ask(presented, key_ring::clock::now());
    if (!key_ring::is_shared(d)) { co_return d; }

    asio::steady_timer timer(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
    const auto place = std::make_shared<slot>();
    const waiter waits(*place, timer);
    key_ring::confirm(std::move(d), [place](key_ring::decision c) { place->put(place, std::move(c)); });
    boost::system::error_code ignored; // the timer is only ever cancelled
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    const std::lock_guard lock(place->mutex);
    if (!place->decision) { co_return key_ring::decision{{}, 503, "The request was given up.", {}}; }
    co_return std::move(*place->decision);
}

} // namespace jsonheal::gateway
