// The table of codecs, and the names of things.
#include "anthropic.hpp"
#include "gemini.hpp"
#include "ollama.hpp"
#include "openai_chat.hpp"
#include "openai_responses.hpp"

#include <algorithm>
#include <array>

namespace jsonheal::wire {

namespace {

namespace chat = wire_detail::chat;
namespace anthropic = wire_detail::anthropic;
namespace responses = wire_detail::responses;
namespace gemini = wire_detail::gemini;
namespace ollama = wire_detail::ollama;

constexpr codec table[] = {
    {wire_id::openai_chat, "openai_chat", "/chat/completions", "/chat/completions", true,
     chat::decode_request, chat::encode_request, chat::decode_response, chat::encode_response,
     chat::decode_error, chat::encode_error, chat::make_decoder, chat::make_encoder},
    {wire_id::anthropic_messages, "anthropic_messages", "/v1/messages", "/v1/messages", true,
     anthropic::decode_request, anthropic::encode_request, anthropic::decode_response,
     anthropic::encode_response, anthropic::decode_error, anthropic::encode_error, anthropic::make_decoder,
     anthropic::make_encoder},
    {wire_id::openai_responses, "openai_responses", "/responses", "/responses", true,
     responses::decode_request, responses::encode_request, responses::decode_response,
     responses::encode_response, responses::decode_error, responses::encode_error, responses::make_decoder,
     responses::make_encoder},
    {wire_id::gemini, "gemini", "/v1beta/models/{model}:generateContent",
     "/v1beta/models/{model}:streamGenerateContent?alt=sse", true, gemini::decode_request,
     gemini::encode_request, gemini::decode_response, gemini::encode_response, gemini::decode_error,
     gemini::encode_error, gemini::make_decoder, gemini::make_encoder},
    {wire_id::ollama, "ollama", "/api/chat", "/api/chat", false, ollama::decode_request,
     ollama::encode_request, ollama::decode_response, ollama::encode_response, ollama::decode_error,
     ollama::encode_error, ollama::make_decoder, ollama::make_encoder},
};

constexpr std::array wire_names = {"none",   "openai_chat", "openai_responses", "anthropic_messages",
                                   "gemini", "ollama"};
constexpr std::array role_names = {"system", "developer", "user", "assistant", "tool"};
constexpr std::array finish_names = {"none",           "stop",  "length", "tool_calls", "content_filter",
                                     "malformed_call", "pause", "error",  "other"};

} // namespace

std::string_view name(wire_id w) noexcept { return wire_names[static_cast<std::size_t>(w)]; }
std::string_view name(role r) noexcept { return role_names[static_cast<std::size_t>(r)]; }
std::string_view name(finish_reason r) noexcept { return finish_names[static_cast<std::size_t>(r)]; }

std::optional<role> role_by_name(std::string_view name) noexcept {
    const auto* found = std::find(role_names.begin(), role_names.end(), name);
    if (found == role_names.end()) { return std::nullopt; }
    return static_cast<role>(found - role_names.begin());
}

std::span<const codec> codecs() noexcept { return table; }

const codec& get_codec(wire_id w) noexcept {
    return *std::find_if(std::begin(table), std::end(table), [&](const codec& c) { return c.id == w; });
}

const codec* find_codec(std::string_view name) noexcept {
    const auto* found =
        std::find_if(std::begin(table), std::end(table), [&](const codec& c) { return c.name == name; });
    return found == std::end(table) ? nullptr : found;
}

} // namespace jsonheal::wire
