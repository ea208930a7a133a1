#include "redis_connection.hpp"

#include <sys/time.h>

namespace jsonheal::gateway::detail {

bool redis_connection::open(const redis_config& config) {
    const auto us = std::chrono::duration_cast<std::chrono::microseconds>(config.timeout).count();
    const timeval timeout{static_cast<time_t>(us / 1'000'000), static_cast<suseconds_t>(us % 1'000'000)};
    context_.reset(config.socket.empty() ? redisConnectWithTimeout(config.host.c_str(), config.port, timeout)
                                         : redisConnectUnixWithTimeout(config.socket.c_str(), timeout));
    if (context_ == nullptr || context_->err != 0) {
        failed(context_ == nullptr ? "no memory" : context_->errstr);
        return false;
    }
    redisSetTimeout(context_.get(), timeout);
    if (!config.password.empty()) {
        redis_command login{"AUTH"};
        if (!config.user.empty()) { login.push_back(config.user); }
        login.push_back(config.password);
        if (!call(login)) { return false; }
    }
    return config.database == 0 || call({"SELECT", std::to_string(config.database)}) != nullptr;
}

void redis_connection::send(const redis_command& command) {
    if (context_ == nullptr) { return; }
    std::vector<const char*> texts;
    std::vector<std::size_t> sizes;
    for (const std::string& argument : command) {
        texts.push_back(argument.data());
        sizes.push_back(argument.size());
    }
    if (redisAppendCommandArgv(context_.get(), static_cast<int>(texts.size()), texts.data(), sizes.data()) !=
        REDIS_OK) {
        failed(context_->errstr);
    }
}

redis_reply redis_connection::receive() {
    if (context_ == nullptr) { return nullptr; }
    void* raw = nullptr;
    if (redisGetReply(context_.get(), &raw) != REDIS_OK || raw == nullptr) {
        return failed(context_->errstr);
    }
    redis_reply reply(static_cast<redisReply*>(raw));
    if (reply->type == REDIS_REPLY_ERROR) {
        return failed({reply->str, static_cast<std::size_t>(reply->len)});
    }
    return reply;
}

redis_reply redis_connection::call(const redis_command& command) {
    send(command);
    return receive();
}

redis_reply redis_connection::failed(std::string_view why) {
    why_ = why;
    context_.reset();
    return nullptr;
}

} // namespace jsonheal::gateway::detail
