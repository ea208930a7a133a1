// What a drained stream keeps: counted by the allocator of this program.
#include <jsonheal/heal.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>

namespace {

std::size_t live_bytes = 0, most_bytes = 0;
constexpr std::size_t header = alignof(std::max_align_t);

} // namespace

void* operator new(std::size_t size) {
    auto* const p = static_cast<unsigned char*>(std::malloc(size + header));
    if (p == nullptr) { throw std::bad_alloc(); }
    *reinterpret_cast<std::size_t*>(p) = size;
    live_bytes += size;
    most_bytes = std::max(most_bytes, live_bytes);
    return p + header;
}
void operator delete(void* p) noexcept {
    if (p == nullptr) { return; }
    auto* const from = static_cast<unsigned char*>(p) - header;
    live_bytes -= *reinterpret_cast<std::size_t*>(from);
    std::free(from);
}
void operator delete(void* p, std::size_t) noexcept { operator delete(p); }

namespace jsonheal {
namespace {

/// Feeds `head`, then `part` until `bytes` are fed, in small chunks, drained. Returns the most bytes that were alive.
std::size_t most_kept(std::string_view head, std::string_view part, std::size_t bytes, healing& outcome) {
    const std::size_t before = live_bytes;
    most_bytes = live_bytes;
    std::size_t most = 0;
    {
        healer h;
        const auto feed = [&](std::string_view text) {
            for (std::size_t i = 0; i < text.size(); i += 4) {
                h.feed(text.substr(i, 4));
                (void)h.drain();
                (void)h.drain_edits();
            }
        };
        feed(head);
        for (std::size_t fed = 0; fed < bytes; fed += part.size()) { feed(part); }
        most = most_bytes - before;
        outcome = h.finish();
    }
    return most;
}

TEST(stream_memory, a_shallow_stream_keeps_two_kilobytes) {
    healing h;
    for (std::string_view part : {std::string_view("{\"id\": 12, \"name\": \"some text\", \"ok\": true}, "),
                                  std::string_view("{'id': 12, name: 'some text', 'ok': True,}, "),
                                  std::string_view("\"a string of some length, with a comma\", ")}) {
        const std::size_t most = most_kept("[", part, 1'000'000, h);
        // beside the bytes that may be looked back at (256 and 96) and those held of this text
        EXPECT_LE(most, 2048U + 352U + 256U) << part;
        EXPECT_TRUE(h.ok());
    }
}

TEST(stream_memory, nothing_that_goes_on_for_ever_is_held) {
    const heal_limits limits;
    const std::size_t bound = 4 * std::size_t{limits.hold_back} + 8192; // growth by doubling
    const struct {
        std::string_view head, part;
        jsonheal::verdict verdict;
    } cases[] = {
        {"", "prose without any value, line after line.\n", verdict::refused},
        {"", "<b>tags</b> and ```fences``` ", verdict::refused},
        {"", " \n", verdict::refused},
        {"{\"a\": 1}", "prose behind the value. <i>And</i> tags.\n", verdict::healed},
        {"{\"a\": 1}", "\n", verdict::intact},
        {"{\"a\": \"", "a string that never ends, ", verdict::truncated},
        {"{\"a\": \"", "\\n\\u00e9", verdict::truncated},
        {"{\"a\": ", "1234567890", verdict::truncated},
        {"{\"a\": /*", "a comment that never ends", verdict::truncated},
        {"{\"a\": 1 ", "        ", verdict::truncated},
        {"{\"a\": 1, ", "        ", verdict::refused},
        {"{\"a\": \"x\" ", "        ", verdict::truncated},
        {"[\"a\",", "\n\n", verdict::refused},
        {"{a: some words", "        ", verdict::truncated},
        {"[", "1,", verdict::truncated},
        {"[", "'a' 'b',", verdict::truncated},
        {"{\"a\": 1} ", "7", verdict::healed},
        {"", "`", verdict::refused},
    };
    for (const auto& c : cases) {
        healing h;
        const std::size_t most = most_kept(c.head, c.part, 3'000'000, h);
        EXPECT_LE(most, bound) << c.head << " then " << c.part;
        EXPECT_EQ(name(h.verdict), name(c.verdict)) << c.head << " then " << c.part;
    }
}

TEST(stream_memory, a_key_that_never_ends_is_handed_out_at_the_bound) {
    healing h;
    const std::size_t most = most_kept("{\"", "a key ", 3'000'000, h);
    EXPECT_LE(most, 4 * std::size_t{heal_limits{}.hold_back} + 8192);
    EXPECT_EQ(h.verdict, verdict::truncated);
}

TEST(stream_memory, reuse_allocates_nothing) {
    healer h;
    const std::string_view text =
        "Sure: {'id': 12, name: 'some text', 'ok': True, \"more\": [1, 2, {\"a\": \"b\"}],} Bye.";
    const auto run = [&] {
        std::size_t out = 0;
        for (std::size_t i = 0; i < text.size(); i += 5) {
            h.feed(text.substr(i, 5));
            out += h.drain().size();
            (void)h.drain_edits();
        }
        healing result = h.finish();
        out += result.json().size();
        h.reset(std::move(result));
        return out;
    };
    for (int i = 0; i < 3; ++i) { (void)run(); }
    const std::size_t before = live_bytes;
    most_bytes = live_bytes;
    EXPECT_GT(run(), 40U);
    EXPECT_EQ(most_bytes, before);
}

} // namespace
} // namespace jsonheal
