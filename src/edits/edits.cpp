/// @file edits.cpp
/// Replaying a log, and turning byte offsets into lines and columns.
#include <jsonheal/edits.hpp>

#include <algorithm>
#include <cassert>

namespace jsonheal {
namespace {

/// The size of the text that a log makes, or nothing if the log does not fit the input.
std::optional<std::size_t> replayed_size(std::size_t input_size, std::span<const edit> log) noexcept {
    std::size_t at = 0;
    std::size_t size = input_size;
    for (const edit& e : log) {
        if (e.begin < at || e.end < e.begin || e.end > input_size || e.size > edit::max_text) {
            return std::nullopt;
        }
        at = e.end;
        // Never below zero: the ranges taken off do not overlap and lie within the input.
        size = size - (e.end - e.begin) + e.size;
    }
    return size;
}

} // namespace

std::optional<std::string> replay(std::string_view input, std::span<const edit> log) {
    const auto size = replayed_size(input.size(), log);
    if (!size) { return std::nullopt; }
    std::string out(*size, '\0');
    char* const end = edits_detail::replay(input.data(), input.data() + input.size(), 0, log, out.data(),
                                           out.data() + out.size());
    input.remove_prefix(log.empty() ? 0 : log.back().end);
    std::copy(input.begin(), input.end(), end);
    return out;
}

char* edits_detail::replay(const char* in, const char* in_end, std::size_t at, std::span<const edit> edits,
                           char* out, const char* out_end) noexcept {
    constexpr std::ptrdiff_t chunk = 16;
    const char* from = in + at;
    // bytes for which a chunk can surely be read, and a chunk and a replacement be written
    std::ptrdiff_t room = out_end - out - 2 * chunk, ahead = in_end - from - chunk;
    for (const edit& e : edits) {
        assert(e.begin >= at);
        const std::ptrdiff_t run = e.begin - static_cast<std::ptrdiff_t>(at);
        if (run <= chunk && room >= 0 && ahead >= 0) {
            std::memcpy(out, from, chunk);
            std::memcpy(out + run, e.bytes, edit::max_text);
        } else {
            if (run != 0) { std::memcpy(out, from, static_cast<std::size_t>(run)); }
            std::memcpy(out + run, e.bytes, e.size);
        }
        const std::ptrdiff_t taken = e.end - static_cast<std::ptrdiff_t>(at);
        out += run + e.size;
        room -= run + e.size;
        from += taken;
        ahead -= taken;
        at = e.end;
    }
    return out;
}

text_position locate(std::string_view text, std::size_t offset) noexcept {
    offset = std::min(offset, text.size());
    text_position place;
    std::size_t line_start = 0;
    for (std::size_t i = 0; i < offset; ++i) {
        // A CR before an LF is not the line's end: the LF is, so a place between the two is still on the line.
        const bool ends_line =
            text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'));
        if (ends_line) {
            ++place.line;
            line_start = i + 1;
        }
    }
    place.column = offset - line_start + 1;
    return place;
}

} // namespace jsonheal
