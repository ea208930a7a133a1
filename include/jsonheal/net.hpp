/// @file net.hpp
/// HTTP/1.1 server, upstream client and server-sent events: all of the module `net`.
///
/// Not part of the library jsonheal::jsonheal: link jsonheal::net, which brings Boost.Asio, OpenSSL and zlib. Only the headers of
/// server, client and tasks include Boost.
#pragma once

#include <jsonheal/net_client.hpp>
#include <jsonheal/net_http.hpp>
#include <jsonheal/net_result.hpp>
#include <jsonheal/net_server.hpp>
#include <jsonheal/net_sse.hpp>
#include <jsonheal/net_task.hpp>
#include <jsonheal/net_url.hpp>
