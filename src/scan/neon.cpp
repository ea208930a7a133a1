/// @file neon.cpp
/// The kernel for 64-bit ARM, all of which have NEON: 16 bytes a vector.
#include "target.hpp"

#if defined(__aarch64__)
#include "vector_kernel.hpp"

#include <arm_neon.h>

namespace jsonheal::scan_detail {
namespace {

struct neon {
    static constexpr std::size_t size = 16;

    uint8x16_t v;

    JSONHEAL_INLINE static neon load(const char* p) noexcept {
        return {vld1q_u8(reinterpret_cast<const unsigned char*>(p))};
    }
    JSONHEAL_INLINE static neon all(unsigned char c) noexcept { return {vdupq_n_u8(c)}; }
    JSONHEAL_INLINE static neon table(const nibble_table& t) noexcept { return {vld1q_u8(t.data())}; }

    JSONHEAL_INLINE friend neon operator|(neon a, neon b) noexcept { return {vorrq_u8(a.v, b.v)}; }
    JSONHEAL_INLINE friend neon operator&(neon a, neon b) noexcept { return {vandq_u8(a.v, b.v)}; }
    JSONHEAL_INLINE friend neon operator^(neon a, neon b) noexcept { return {veorq_u8(a.v, b.v)}; }
    JSONHEAL_INLINE friend neon operator-(neon a, neon b) noexcept { return {vsubq_u8(a.v, b.v)}; }
    JSONHEAL_INLINE friend neon minus_to_zero(neon a, neon b) noexcept { return {vqsubq_u8(a.v, b.v)}; }

    [[nodiscard]] JSONHEAL_INLINE neon high_nibbles() const noexcept { return {vshrq_n_u8(v, 4)}; }
    [[nodiscard]] JSONHEAL_INLINE neon look_up(neon nibbles) const noexcept {
        return {vqtbl1q_u8(v, nibbles.v)};
    }
    template <int N>
    [[nodiscard]] JSONHEAL_INLINE neon behind(neon before) const noexcept {
        return {vextq_u8(before.v, v, 16 - N)};
    }

    [[nodiscard]] JSONHEAL_INLINE mask top_bits() const noexcept {
        return bits(vcltzq_s8(vreinterpretq_s8_u8(v)));
    }
    [[nodiscard]] JSONHEAL_INLINE mask equal(neon b) const noexcept { return bits(vceqq_u8(v, b.v)); }
    [[nodiscard]] JSONHEAL_INLINE mask at_most(neon b) const noexcept { return bits(vcleq_u8(v, b.v)); }
    [[nodiscard]] JSONHEAL_INLINE mask common(neon b) const noexcept { return bits(vtstq_u8(v, b.v)); }

    JSONHEAL_INLINE static mask prefix_xor(mask bits) noexcept {
        for (unsigned n = 1; n != 64; n *= 2) { bits ^= bits << n; }
        return bits;
    }

private:
    /// One bit a byte, of bytes that are all ones or all zeros: each keeps the bit of its place, and pairs are added up.
    JSONHEAL_INLINE static mask bits(uint8x16_t bytes) noexcept {
        constexpr nibble_table places = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
        uint8x16_t sums = vandq_u8(bytes, vld1q_u8(places.data()));
        sums = vpaddq_u8(sums, sums);
        sums = vpaddq_u8(sums, sums);
        sums = vpaddq_u8(sums, sums);
        return vgetq_lane_u16(vreinterpretq_u16_u8(sums), 0);
    }
};

} // namespace

constinit const scan::kernel neon_kernel = vector_kernel<neon>("neon");

} // namespace jsonheal::scan_detail
#endif
