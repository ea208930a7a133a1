/// @file exchange.hpp
/// One request on its way: asking, healing, asking again, answering.
#pragma once

#include "keys.hpp"
#include "log.hpp"
#include "mend.hpp"
#include "reports.hpp"
#include "upstream.hpp"

#include <jsonheal/net_server.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace jsonheal::gateway {

/// What requests share. All of it changes together when the configuration is read again; a running request keeps what it began with.
struct settings {
    gateway_config config;
    std::shared_ptr<shared_limits> limits; ///< null: this gateway counts for itself
    std::unique_ptr<key_ring> keys;
    std::unique_ptr<upstreams> models;
};
struct services {
    metrics counts;
    report_ring reports;
    logger log;
};

struct exchange {
    const settings& with;
    services& shared;
    request_plan plan;
    caller who;
    std::string owner; ///< the key's name
    healing_report report;
    std::optional<wire::usage> usage; ///< over all attempts
    std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();

    void add_usage(const std::optional<wire::usage>& more);
    /// Whether another generation may be asked for, after `attempt` ones for this choice.
    [[nodiscard]] bool may_ask_again(unsigned attempt) const;
    /// The documented failure, with what went wrong last.
    [[nodiscard]] wire::wire_error exhausted(const std::string& candidate);
};

using answer_or_failure = std::variant<wire::response, upstream_failure>;
/// Asks the upstream once.
using asker = std::function<net::task<answer_or_failure>(const wire::request& conversation)>;

/// Asks until every choice is good, or no further attempt is allowed. The answer is healed; its usage is that of all attempts.
[[nodiscard]] net::task<answer_or_failure> heal_answer(exchange& x, asker ask);

/// Answers a client that wants the whole answer at once. The status that went out.
[[nodiscard]] net::task<int> answer_whole(exchange& x, net::responder& to);
/// Answers a client that wants a stream: healed first and then sent (`buffer`), or as it settles (`live`).
[[nodiscard]] net::task<int> answer_buffered(exchange& x, net::responder& to);
[[nodiscard]] net::task<int> answer_live(exchange& x, net::responder& to);
/// Passes the client's request and the upstream's response through as they are.
[[nodiscard]] net::task<int> pass_through(exchange& x, const net::request& rq, net::responder& to);

/// The headers of an answer that say what was done.
[[nodiscard]] net::fields answer_headers(const exchange& x, std::string_view type);
/// An error as the client's wire has it, with Retry-After where there is one.
[[nodiscard]] net::task<int> send_failure(exchange& x, net::responder& to, const upstream_failure& failed);
[[nodiscard]] net::task<int> send_exhausted(exchange& x, net::responder& to, const wire::wire_error& e);

} // namespace jsonheal::gateway
