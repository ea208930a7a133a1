/// @file redis_connection.hpp
/// A connection to Redis that sends many commands at once. For one thread.
#pragma once

#include "config.hpp"

#include <hiredis/hiredis.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::gateway::detail {

struct redis_free {
    void operator()(redisContext* c) const noexcept { redisFree(c); }
    void operator()(redisReply* r) const noexcept { freeReplyObject(r); }
};
using redis_reply = std::unique_ptr<redisReply, redis_free>;
using redis_command = std::vector<std::string>;

class redis_connection {
public:
    /// Connects and logs in. Blocks for at most a few timeouts. False with `why` set if it cannot.
    bool open(const redis_config& config);
    void close() noexcept { context_.reset(); }
    [[nodiscard]] bool is_open() const noexcept { return context_ != nullptr; }

    /// Puts a command into the batch.
    void send(const redis_command& command);
    /// The reply to the next command of the batch, or null. An error reply is null too. After null the connection is closed.
    [[nodiscard]] redis_reply receive();
    /// Both.
    [[nodiscard]] redis_reply call(const redis_command& command);

    [[nodiscard]] const std::string& why() const noexcept { return why_; }

private:
    redis_reply failed(std::string_view why);

    std::unique_ptr<redisContext, redis_free> context_;
    std::string why_;
};

} // namespace jsonheal::gateway::detail
