// The cost of healing grows with the text and not faster, whatever the text is. What is counted is `healing::work`,
// the bytes looked at beyond the first time, so these tests say the same on a slow machine and on a fast one.
#include "families.hpp"

#include <jsonheal/heal.hpp>

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>

namespace jsonheal::growth {
namespace {

constexpr std::size_t kib = 1024;
constexpr std::size_t work_per_byte = 64;
constexpr std::size_t work_at_rest = 4096;
constexpr double most_growth_from_64k_to_256k = 4.8;

heal_options options_for(preset p) {
    heal_options o = p == preset::live ? heal_options::live() : heal_options{};
    o.log = log_policy::counted;
    o.fast_path = false; // the engine itself is judged, also on valid text
    return o;
}

healing heal_in_chunks(std::string_view text, std::size_t chunk, const heal_options& options) {
    healer h(options);
    for (std::size_t at = 0; at < text.size(); at += chunk) { h.feed(text.substr(at, chunk)); }
    return h.finish();
}

bool is_verdict(verdict v) {
    return v == verdict::intact || v == verdict::healed || v == verdict::truncated || v == verdict::refused;
}

} // namespace

std::ostream& operator<<(std::ostream& out, const family& f) { return out << f.name; }

namespace {

class growth_family : public testing::TestWithParam<family> {
protected:
    static void expect_bounded(const healing& h, std::size_t bytes) {
        EXPECT_TRUE(is_verdict(h.verdict));
        EXPECT_LE(h.work, work_per_byte * bytes + work_at_rest) << bytes << " bytes";
        if (h.verdict == verdict::refused) { EXPECT_FALSE(h.why.message.empty()); }
    }
};

TEST_P(growth_family, makes_the_size_asked_for) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, 5 * kib, 64 * kib}) {
        const std::string text = GetParam().make(bytes);
        EXPECT_GE(text.size(), bytes);
        EXPECT_LE(text.size(), bytes + 256);
        EXPECT_EQ(text, GetParam().make(bytes)) << "the same size is the same text";
    }
}

TEST_P(growth_family, whole_is_linear) {
    for (const std::size_t bytes : {64 * kib, 128 * kib, 256 * kib}) {
        const std::string text = GetParam().make(bytes);
        expect_bounded(heal(text, options_for(preset::whole)), text.size());
    }
}

TEST_P(growth_family, live_is_linear) {
    for (const std::size_t bytes : {64 * kib, 128 * kib, 256 * kib}) {
        const std::string text = GetParam().make(bytes);
        expect_bounded(heal(text, options_for(preset::live)), text.size());
    }
}

TEST_P(growth_family, live_in_chunks_of_seven_bytes_is_linear_and_the_same) {
    const std::string text = GetParam().make(64 * kib);
    const healing chunked = heal_in_chunks(text, 7, options_for(preset::live));
    expect_bounded(chunked, text.size());
    const healing at_once = heal(text, options_for(preset::live));
    EXPECT_EQ(chunked.verdict, at_once.verdict);
    EXPECT_EQ(chunked.edit_count, at_once.edit_count);
    EXPECT_TRUE(chunked.json() == at_once.json()) << "bytes differ";
}

TEST_P(growth_family, four_times_the_text_is_about_four_times_the_work) {
    for (const preset p : {preset::whole, preset::live}) {
        const std::string small = GetParam().make(64 * kib);
        const std::string large = GetParam().make(256 * kib);
        const double before = static_cast<double>(heal(small, options_for(p)).work);
        const double after = static_cast<double>(heal(large, options_for(p)).work);
        // Work that is next to nothing grows by jumps; the bound per byte above judges it.
        if (before < static_cast<double>(work_at_rest)) {
            EXPECT_LE(after, most_growth_from_64k_to_256k * static_cast<double>(work_at_rest));
        } else {
            EXPECT_LE(after / before, most_growth_from_64k_to_256k) << before << " -> " << after;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(all, growth_family, testing::ValuesIn(families().begin(), families().end()),
                         [](const testing::TestParamInfo<family>& p) { return std::string(p.param.name); });

TEST(growth_depth, a_million_open_brackets_are_closed) {
    constexpr std::size_t depth = 1'000'000;
    const std::string text(depth, '[');
    for (const preset p : {preset::whole, preset::live}) {
        const healing h = heal(text, options_for(p));
        EXPECT_EQ(h.verdict, verdict::truncated);
        EXPECT_TRUE(h.json() == text + std::string(depth, ']'));
        EXPECT_LE(h.work, work_per_byte * depth + work_at_rest);
    }
}

TEST(growth_depth, one_more_than_the_limit_is_refused) {
    heal_options o = options_for(preset::whole);
    o.limits.depth = 1000;
    EXPECT_EQ(heal(std::string_view(std::string(1000, '[')), o).verdict, verdict::truncated);
    const std::string text(1001, '[');
    const healing h = heal(text, o);
    EXPECT_EQ(h.verdict, verdict::refused);
    EXPECT_FALSE(h.why.message.empty());
}

TEST(growth_depth, valid_depth_comes_back_as_it_was) {
    constexpr std::size_t depth = 500'000;
    const std::string text = std::string(depth, '[') + std::string(depth, ']');
    const healing h = heal(text, options_for(preset::whole));
    EXPECT_EQ(h.verdict, verdict::intact);
    EXPECT_TRUE(h.json() == text);
}

} // namespace
} // namespace jsonheal::growth
