// OpenAI Responses: what its files share. https://platform.openai.com/docs/api-reference/responses
#pragma once

#include "decoding.hpp"
#include "writer.hpp"

#include <jsonheal/wire.hpp>

#include <memory>

namespace jsonheal::wire_detail::responses {

[[nodiscard]] reading<request> decode_request(std::string_view json, const decode_options& options);
[[nodiscard]] encoded encode_request(const request& r, const encode_options& options);
[[nodiscard]] reading<response> decode_response(std::string_view json, const decode_options& options);
[[nodiscard]] encoded encode_response(const response& r, const response_options& options);
[[nodiscard]] wire_error decode_error(int status, std::string_view body);
[[nodiscard]] std::string encode_error(const wire_error& e);
[[nodiscard]] std::unique_ptr<stream_decoder> make_decoder(const decode_options& options);
[[nodiscard]] std::unique_ptr<stream_encoder> make_encoder(const response_options& options);

/// @name Items
/// A message, a call, a result or a thought is an item of its own. What an item of text knows beside its parts (`id`, `status`)
/// is the extra member `item` of its first block, an object.
/// @{

/// Reads an item of the assistant into the blocks it stands for. False: it is not one.
bool read_output_item(decoding& in, value_view item, std::string_view type, std::vector<content_block>& out);
/// Parts of content; of the assistant or the user.
void read_parts(decoding& in, value_view v, std::vector<content_block>& out);

/// How the parts of a message are called.
enum class speaker : std::uint8_t { user, assistant };
/// Writes a part. False, with nothing written, if it is none.
bool write_part(writer& w, const content_block& b, speaker who, bool own);

/// An id for an item that has none: `msg_…`, `fc_…`, `rs_…`, the same for the same answer and place.
[[nodiscard]] std::string item_id(std::string_view prefix, std::string_view response, std::size_t index);

/// Writes a block of the assistant as a whole item: a call, a thought, or (its content open for more parts) a message.
struct item_place {
    std::string_view response; ///< its id, of which ids of items are made
    std::size_t index = 0;
    bool own = true;
    bool answer = true; ///< items of an answer have a status; those of a request need none
};
void write_call_item(writer& w, const tool_call& c, const item_place& place);
void write_thought_item(writer& w, const content_block& b, const reasoning_block& r, const item_place& place);
/// Opens a message and its content.
void open_message_item(writer& w, const content_block& first, const item_place& place);

/// @}

[[nodiscard]] usage read_usage(decoding& in, value_view v);
/// Members of the object of an answer that is read whole, as in `response.completed`.
void read_response(decoding& in, value_view v, response& out);
/// The error of an answer that failed.
[[nodiscard]] std::optional<wire_error> failure_of(value_view response);
/// Writes the object of an answer. `status` is that of one still in progress, or empty.
void write_response(writer& w, const response& r, const response_options& options, std::string_view status,
                    std::vector<note>& notes);

} // namespace jsonheal::wire_detail::responses
