// Deadlines of a core: a wheel of lists, so that arming and disarming cost a few stores, and one timer drives all.
#pragma once

#include "asio.hpp"

#include <array>
#include <chrono>
#include <cstdint>

namespace jsonheal::net {

using steady = std::chrono::steady_clock;

/// One deadline. Belongs to what it ends; disarms itself when destroyed. Deadlines fire up to a tick (20 ms) late, never early.
class deadline {
public:
    /// `fire(self)` is called on the core's thread, once for each time it was armed.
    deadline(void (*fire)(void*), void* self) : fire_(fire), self_(self) {}
    /// The head of a list of deadlines.
    deadline() : next_(this), prev_(this) {}
    deadline(const deadline&) = delete;
    deadline& operator=(const deadline&) = delete;
    ~deadline() { disarm(); }

    void disarm() noexcept {
        if (next_ == nullptr) { return; }
        prev_->next_ = next_;
        next_->prev_ = prev_;
        next_ = prev_ = nullptr;
    }
    [[nodiscard]] bool armed() const noexcept { return next_ != nullptr; }

private:
    friend class timer_wheel;
    void (*fire_)(void*) = nullptr;
    void* self_ = nullptr;
    deadline* next_ = nullptr;
    deadline* prev_ = nullptr;
    std::uint64_t due_ = 0;    // the tick at which it fires
    std::uint64_t linked_ = 0; // the tick in whose list it is: at most due_
};

class timer_wheel {
public:
    explicit timer_wheel(asio::io_context& context);
    ~timer_wheel();
    timer_wheel(const timer_wheel&) = delete;
    timer_wheel& operator=(const timer_wheel&) = delete;

    void arm(deadline& d, steady::time_point at);
    void arm_in(deadline& d, std::chrono::milliseconds duration) { arm(d, steady::now() + duration); }

private:
    static constexpr std::uint64_t slots = 512;
    static constexpr std::chrono::milliseconds tick{20};

    [[nodiscard]] std::uint64_t ticks_until(steady::time_point at) const;
    void link(deadline& d, std::uint64_t now);
    void wake_at(std::uint64_t at);
    void turn();

    steady::time_point start_ = steady::now();
    std::array<deadline, slots> lists_;
    std::uint64_t done_ = 0; // all lists up to and with this tick were looked at
    std::uint64_t wake_ = UINT64_MAX;
    loop_timer timer_;
};

} // namespace jsonheal::net
