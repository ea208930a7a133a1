#include "inflate.hpp"

#include <algorithm>
#include <climits>
#include <new>
#include <zlib.h>

namespace jsonheal::net {

inflater::inflater() : stream_(std::make_unique<z_stream>()), out_(block) {
    constexpr int zlib_or_gzip = 15 + 32;
    if (inflateInit2(stream_.get(), zlib_or_gzip) != Z_OK) { throw std::bad_alloc(); }
}

inflater::~inflater() { inflateEnd(stream_.get()); }

std::string_view inflater::decode(std::string_view& in) {
    if (failed_ || (in.empty() && !more_)) { return {}; }
    if (ended_ && !in.empty()) { // one gzip member after another is one text
        ended_ = false;
        inflateReset(stream_.get());
    }
    const std::size_t given = std::min<std::size_t>(in.size(), UINT_MAX / 2);
    stream_->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data())); // NOLINT: zlib only reads
    stream_->avail_in = static_cast<uInt>(given);
    stream_->next_out = reinterpret_cast<Bytef*>(out_.data()); // NOLINT: bytes are bytes
    stream_->avail_out = static_cast<uInt>(out_.size());
    // "deflate" without zlib's wrapper, which some servers send: its first byte is never that of a wrapper.
    if (!begun_ && in.front() != '\x1f' && (in.front() & 0x0f) != 8) { inflateReset2(stream_.get(), -15); }
    const int code = inflate(stream_.get(), Z_SYNC_FLUSH);
    begun_ = true;
    const std::size_t size = out_.size() - stream_->avail_out;
    in.remove_prefix(given - stream_->avail_in);
    more_ = stream_->avail_out == 0;
    ended_ = code == Z_STREAM_END;
    if (ended_) { more_ = false; }
    failed_ = code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR;
    return {out_.data(), failed_ ? 0 : size};
}

} // namespace jsonheal::net
