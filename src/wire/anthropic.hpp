// Anthropic Messages: what its files share. https://docs.anthropic.com/en/api/messages
#pragma once

#include "decoding.hpp"
#include "writer.hpp"

#include <jsonheal/wire.hpp>

#include <memory>

namespace jsonheal::wire_detail::anthropic {

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

/// A block of a message, or of the result of a tool. Of a sort that is not known: an `other_block`.
[[nodiscard]] content_block read_block(decoding& in, value_view v);

/// Which blocks may go out, and with what.
struct block_rules {
    bool own = true;   ///< members and blocks that only this wire knows go out too
    bool marks = true; ///< `cache_control` goes out
};
/// Writes a block as an object; false, with nothing written, if the wire has no place for it or it says nothing. What is lost is
/// noted.
bool write_block(writer& w, const content_block& b, std::size_t number, block_rules rules, notes_for& notes);

[[nodiscard]] finish finish_of(std::string_view word);
/// The word for a reason; empty: null.
[[nodiscard]] std::string_view word_of(const finish& f);

/// Counts as this wire has them: `input` is without what the cache gave or took.
struct counts {
    std::optional<std::int64_t> input, output, cache_read, cache_write;
    extra_members extra;

    /// Later counts replace earlier ones.
    void read(decoding& in, value_view v);
    [[nodiscard]] usage total() const;
};
void write_usage(writer& w, const usage& u, bool own);

/// The error object that the wire has inside `{"type":"error","error":…}`.
void write_error(writer& w, const wire_error& e);
[[nodiscard]] std::optional<wire_error> read_error(value_view root, int status);

/// @}

} // namespace jsonheal::wire_detail::anthropic
