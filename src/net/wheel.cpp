#include "wheel.hpp"

#include <algorithm>

namespace jsonheal::net {

timer_wheel::timer_wheel(asio::io_context& context) : timer_(context.get_executor()) {}

timer_wheel::~timer_wheel() {
    for (deadline& list : lists_) {
        while (list.next_ != &list) { list.next_->disarm(); }
    }
}

std::uint64_t timer_wheel::ticks_until(steady::time_point at) const {
    return at <= start_ ? 0 : static_cast<std::uint64_t>((at - start_) / tick);
}

void timer_wheel::arm(deadline& d, steady::time_point at) {
    const std::uint64_t due = std::max(ticks_until(at) + 1, done_ + 1);
    d.due_ = due;
    // A later deadline stays in its list: it is moved on when that list's turn comes. Most are moved later again before.
    if (d.armed() && d.linked_ <= due) { return; }
    d.disarm();
    link(d, done_);
}

void timer_wheel::link(deadline& d, std::uint64_t now) {
    d.linked_ = std::min(d.due_, now + slots - 1);
    deadline& list = lists_[d.linked_ % slots];
    d.next_ = &list;
    d.prev_ = list.prev_;
    d.prev_->next_ = &d;
    list.prev_ = &d;
    if (d.linked_ < wake_) { wake_at(d.linked_); }
}

void timer_wheel::wake_at(std::uint64_t at) {
    wake_ = at;
    timer_.expires_at(start_ + tick * static_cast<std::int64_t>(at));
    timer_.async_wait([this](error_code ec) {
        if (!ec) { turn(); }
    });
}

void timer_wheel::turn() {
    const std::uint64_t now = ticks_until(steady::now());
    wake_ = 0; // nothing armed meanwhile starts the timer
    while (done_ < now) {
        const std::uint64_t current = ++done_;
        deadline& list = lists_[current % slots];
        deadline due; // what fires may arm and disarm others, so the list is taken over first
        while (list.next_ != &list) {
            deadline& d = *list.next_;
            d.disarm();
            if (d.due_ > current) {
                link(d, current);
                continue;
            }
            d.next_ = &due;
            d.prev_ = due.prev_;
            d.prev_->next_ = &d;
            due.prev_ = &d;
        }
        while (due.next_ != &due) {
            deadline& d = *due.next_;
            d.disarm();
            d.fire_(d.self_);
        }
        if (now - done_ > slots) { done_ = now - slots; } // asleep for long: every list once is enough
    }
    wake_ = UINT64_MAX;
    for (std::uint64_t i = 1; i < slots; ++i) {
        const deadline& list = lists_[(done_ + i) % slots];
        if (list.next_ != &list) { return wake_at(done_ + i); }
    }
}

} // namespace jsonheal::net
