// Ollama's native chat: what its files share. https://github.com/ollama/ollama/blob/main/docs/api.md
#pragma once

#include "decoding.hpp"
#include "writer.hpp"

#include <jsonheal/wire.hpp>

#include <memory>

namespace jsonheal::wire_detail::ollama {

[[nodiscard]] reading<request> decode_request(std::string_view json, const decode_options& options);
[[nodiscard]] encoded encode_request(const request& r, const encode_options& options);
[[nodiscard]] reading<response> decode_response(std::string_view json, const decode_options& options);
[[nodiscard]] encoded encode_response(const response& r, const response_options& options);
[[nodiscard]] wire_error decode_error(int status, std::string_view body);
[[nodiscard]] std::string encode_error(const wire_error& e);
[[nodiscard]] std::unique_ptr<stream_decoder> make_decoder(const decode_options& options);
[[nodiscard]] std::unique_ptr<stream_encoder> make_encoder(const response_options& options);

/// @name Shared by request, response and stream
/// @{

/// A call; its id is that of the wire, or empty.
[[nodiscard]] tool_call read_call(decoding& in, value_view v);
void write_call(writer& w, const tool_call& c, std::size_t index, bool own, notes_for& notes);
/// Members of a message that the assistant may have: `content`, `thinking`, `tool_calls`, `images`.
bool read_message_member(decoding& in, std::string_view key, value_view v, message& out);

/// Counts and times of the last line; `created_at` as seconds since 1970.
struct trailer {
    std::optional<usage> used;
    finish end;
    bool done = false;
};
/// False: not one of them.
bool read_trailer_member(decoding& in, const member& m, std::string_view key, trailer& out);
[[nodiscard]] finish finish_of(std::string_view word);
[[nodiscard]] std::string_view word_of(const finish& f);
void write_trailer(writer& w, const finish& f, const std::optional<usage>& u, bool own);

/// `1700000000` → `2023-11-14T22:13:20Z`
[[nodiscard]] std::string time_text(std::int64_t seconds);
/// The other way, of a time in UTC; fractions are dropped. Nothing if it is none.
[[nodiscard]] std::optional<std::int64_t> time_of(std::string_view text) noexcept;

/// @}

} // namespace jsonheal::wire_detail::ollama
