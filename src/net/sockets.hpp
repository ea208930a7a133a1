// What every connected socket gets.
#pragma once

#include "asio.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

namespace jsonheal::net {

/// Small writes go out at once; a partner whose machine or network is gone is noticed within two minutes although nothing
/// is sent, as while a model thinks.
inline void prepare(tcp_socket& socket) {
    struct option {
        int level, name, value;
    };
    constexpr option options[] = {{IPPROTO_TCP, TCP_NODELAY, 1},
                                  {SOL_SOCKET, SO_KEEPALIVE, 1},
                                  {IPPROTO_TCP, TCP_KEEPIDLE, 60},
                                  {IPPROTO_TCP, TCP_KEEPINTVL, 15},
                                  {IPPROTO_TCP, TCP_KEEPCNT, 4}};
    for (const option& o : options) {
        ::setsockopt(socket.native_handle(), o.level, o.name, &o.value, sizeof o.value);
    }
    error_code ignored;
    socket.non_blocking(true, ignored);
}

} // namespace jsonheal::net
