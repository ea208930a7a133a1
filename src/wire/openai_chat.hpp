// OpenAI chat completions: what its files share. https://platform.openai.com/docs/api-reference/chat
#pragma once

#include "decoding.hpp"
#include "writer.hpp"

#include <jsonheal/wire.hpp>

namespace jsonheal::wire_detail::chat {

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

/// A message of the assistant is the same in requests and responses. Members that the caller knows are not for it.
/// True if the member was read.
bool read_assistant_member(decoding& in, std::string_view key, value_view v, message& out);
/// One element of `tool_calls`.
[[nodiscard]] tool_call read_call(decoding& in, value_view v);
/// `data:image/png;base64,AAAA` → media type and bytes; any other URL stays a link.
void set_image_url(std::string url, image_block& image);
[[nodiscard]] std::string image_url(const image_block& image);
/// `content`: a string, or parts. Appends blocks.
void read_content(decoding& in, value_view v, std::vector<content_block>& out);

/// The member that reasoning goes out as: the one that it came by, if it is of this wire.
[[nodiscard]] std::string_view reasoning_member(std::string_view wanted) noexcept;
/// Whether `content` may be parts, or must be a string.
enum class content_form : bool { text, parts };
/// `content`: null where a message of the assistant has none, a string where that says all or `form` wants it, else parts.
void write_content(writer& w, const message& m, const encode_options& options, content_form form,
                   notes_for& notes);
/// Writes `content`, `refusal`, reasoning and `tool_calls` of an assistant's message into an open object.
void write_assistant(writer& w, const message& m, const encode_options& options, content_form form,
                     notes_for& notes);
/// One call, as an object; `index` is for streams.
void write_call(writer& w, const tool_call& c, std::optional<std::size_t> index);

/// The reason that the wire's word means. Words it does not know are `other`.
[[nodiscard]] finish finish_of(std::string_view word);
/// The word for a reason, `calls` being those of the choice.
[[nodiscard]] std::string_view word_of(const finish& f, std::size_t calls);

/// An object of counts, of which one is known.
void read_details(decoding& in, value_view v, std::string_view known, std::optional<std::int64_t>& out,
                  extra_members& extra);
[[nodiscard]] usage read_usage(decoding& in, value_view v);
void write_usage(writer& w, const usage& u);

/// Whether the object is an error in place of an answer: `{"error":…}`, `{"object":"error",…}`.
[[nodiscard]] std::optional<wire_error> read_error(value_view root, int status);
/// The value of a member `error`: an object or a string.
[[nodiscard]] wire_error read_error_value(value_view v, int status);
/// `{"message":…,"type":…,"param":…,"code":…}`
void write_error(writer& w, const wire_error& e);

/// @}

} // namespace jsonheal::wire_detail::chat
