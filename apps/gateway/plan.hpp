/// @file plan.hpp
/// What a client asked for, and what the gateway will do about it: decided once, before anything is sent.
#pragma once

#include "config.hpp"

#include <jsonheal/answer.hpp>
#include <jsonheal/calls.hpp>
#include <jsonheal/wire.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace jsonheal::gateway {

/// A schema that answers must fit, compiled.
struct answer_schema {
    std::string text; ///< JSON text
    schema::program program;
    answerer reader; ///< for one core: see `schema_of`
};

/// What the content of the answer must be.
enum class content_rule : std::uint8_t {
    any,   ///< text; not looked at
    json,  ///< any JSON
    schema ///< JSON that fits `request_plan::schema`
};

struct request_plan {
    wire::request
        asked; ///< what goes upstream: without the gateway's own members, model as the upstream calls it
    std::string shown_model; ///< as the client called it
    const upstream_config* upstream = nullptr;

    content_rule content = content_rule::any;
    std::shared_ptr<answer_schema> schema;     ///< of this core
    unsigned max_attempts = 1;                 ///< generations for one choice
    stream_policy stream = stream_policy::off; ///< how healed content is streamed
    bool client_streams = false;
    bool client_wants_usage = false;

    std::shared_ptr<const tool_set> tools; ///< null: none were declared
    const call_format* text_calls =
        nullptr; ///< calls come as text in this format: the upstream has no tools of its own

    /// Nothing is to be done: the answer may go through byte for byte.
    [[nodiscard]] bool passes() const noexcept {
        return (content == content_rule::any && !tools) || (client_streams && stream == stream_policy::off);
    }
    /// The request as it came may go upstream byte for byte.
    bool body_unchanged = false;
};

/// Decides. `body` is the client's JSON. What cannot be done is an error of status 400 or 404 that names the field.
///
/// Healing is on by `response_schema`; by `response_format.json_schema.healing_options`; by a plugin `response-healing`
/// (or `response_healing`) beside a `response_format`; for every `response_format` where the key says so. A plain
/// `response_format` is only checked where the configuration says so, and is then never asked again.
[[nodiscard]] std::variant<request_plan, wire::wire_error>
plan_request(std::string_view body, const gateway_config& config, const key_config* key);

/// Where a model's name leads.
struct route {
    const upstream_config* upstream = nullptr;
    std::string model; ///< as the upstream calls it
};
/// An alias; `upstream/model`; a model that an upstream lists; the first upstream that takes any. Nothing fits: no upstream.
[[nodiscard]] route find_route(const gateway_config& config, std::string_view model);

/// The compiled schema of a text, kept for this thread's next requests.
[[nodiscard]] std::variant<std::shared_ptr<answer_schema>, std::string> schema_of(std::string_view json);
/// The same for a list of tools as JSON text (OpenAI's form).
[[nodiscard]] std::variant<std::shared_ptr<const tool_set>, std::string> tools_of(std::string_view json);

} // namespace jsonheal::gateway
