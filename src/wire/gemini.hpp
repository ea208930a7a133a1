// Gemini generateContent: what its files share. https://ai.google.dev/api/generate-content
#pragma once

#include "decoding.hpp"
#include "writer.hpp"

#include <jsonheal/wire.hpp>

#include <memory>

namespace jsonheal::wire_detail::gemini {

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

/// Reads a part. Calls and results have the ids of the wire, or none.
[[nodiscard]] content_block read_part(decoding& in, value_view v);
/// Writes a part; `tool` is the name of the one that a result is of. False, with nothing written, if it is none.
bool write_part(writer& w, const content_block& b, std::size_t number, std::string_view tool, bool own,
                notes_for& notes);

[[nodiscard]] finish finish_of(std::string_view word);
[[nodiscard]] std::string_view word_of(const finish& f);
[[nodiscard]] usage read_usage(decoding& in, value_view v);
void write_usage(writer& w, const usage& u, bool own);

/// `{"code":429,"message":…,"status":"RESOURCE_EXHAUSTED"}`
void write_error(writer& w, const wire_error& e);
[[nodiscard]] std::optional<wire_error> read_error(value_view root, int status);

/// @}

} // namespace jsonheal::wire_detail::gemini
