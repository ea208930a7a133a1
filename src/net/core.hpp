// What belongs to one loop and its thread: deadlines, scratch memory, the date, pools of upstream connections.
#pragma once

#include "asio.hpp"
#include "wheel.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::net {

class upstreams;

class core {
public:
    core();
    ~core();
    core(const core&) = delete;
    core& operator=(const core&) = delete;

    /// The core whose loop runs in this thread; null outside of one.
    [[nodiscard]] static core* current() noexcept;
    /// Runs the loop until it is out of work or stopped.
    void run();

    /// `Date: …\r\n`, made anew once a second.
    [[nodiscard]] std::string_view date_line();
    /// Memory for one read; its content lasts until the next use.
    [[nodiscard]] std::vector<char>& scratch() noexcept { return scratch_; }
    /// An empty text that keeps its memory; its content lasts until the next use.
    [[nodiscard]] std::string& text() noexcept {
        text_.clear();
        return text_;
    }
    [[nodiscard]] upstreams& upstream_pools() noexcept { return *upstreams_; }

    /// Ends every task and pending operation, so that what they hold goes before what they use.
    void shut() { context.shut(); }

    struct loop_context : asio::io_context {
        using asio::io_context::io_context;
        void shut() { shutdown(); }
    };
    loop_context context;
    timer_wheel wheel;

private:
    std::vector<char> scratch_;
    std::string text_;
    std::string date_line_;
    std::int64_t date_second_ = -1;
    std::unique_ptr<upstreams> upstreams_;
};

} // namespace jsonheal::net
