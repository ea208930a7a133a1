/// @file sse42.cpp
/// The kernel for x86-64 with SSE4.2: 16 bytes a vector.
#include "target.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

JSONHEAL_TARGET_BEGIN("sse4.2,popcnt,pclmul")

#include "vector_kernel.hpp"

namespace jsonheal::scan_detail {
namespace {

struct sse42 {
    static constexpr std::size_t size = 16;

    __m128i v;

    JSONHEAL_INLINE static sse42 load(const char* p) noexcept {
        return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))};
    }
    JSONHEAL_INLINE static sse42 all(unsigned char c) noexcept {
        return {_mm_load_si128(reinterpret_cast<const __m128i*>(repeated[c].bytes.data()))};
    }
    JSONHEAL_INLINE static sse42 table(const nibble_table& t) noexcept {
        return load(reinterpret_cast<const char*>(t.data()));
    }

    JSONHEAL_INLINE friend sse42 operator|(sse42 a, sse42 b) noexcept { return {_mm_or_si128(a.v, b.v)}; }
    JSONHEAL_INLINE friend sse42 operator&(sse42 a, sse42 b) noexcept { return {_mm_and_si128(a.v, b.v)}; }
    JSONHEAL_INLINE friend sse42 operator^(sse42 a, sse42 b) noexcept { return {_mm_xor_si128(a.v, b.v)}; }
    JSONHEAL_INLINE friend sse42 operator-(sse42 a, sse42 b) noexcept { return {_mm_sub_epi8(a.v, b.v)}; }
    JSONHEAL_INLINE friend sse42 minus_to_zero(sse42 a, sse42 b) noexcept {
        return {_mm_subs_epu8(a.v, b.v)};
    }

    [[nodiscard]] JSONHEAL_INLINE sse42 high_nibbles() const noexcept {
        return sse42{_mm_srli_epi16(v, 4)} & all(0x0F);
    }
    [[nodiscard]] JSONHEAL_INLINE sse42 look_up(sse42 nibbles) const noexcept {
        return {_mm_shuffle_epi8(v, nibbles.v)};
    }
    template <int N>
    [[nodiscard]] JSONHEAL_INLINE sse42 behind(sse42 before) const noexcept {
        return {_mm_alignr_epi8(v, before.v, 16 - N)};
    }

    [[nodiscard]] JSONHEAL_INLINE mask top_bits() const noexcept {
        return static_cast<std::uint32_t>(_mm_movemask_epi8(v));
    }
    [[nodiscard]] JSONHEAL_INLINE mask equal(sse42 b) const noexcept {
        return sse42{_mm_cmpeq_epi8(v, b.v)}.top_bits();
    }
    [[nodiscard]] JSONHEAL_INLINE mask at_most(sse42 b) const noexcept {
        return equal({_mm_min_epu8(v, b.v)});
    }
    [[nodiscard]] JSONHEAL_INLINE mask common(sse42 b) const noexcept {
        return (*this & b).equal(all(0)) ^ 0xFFFF;
    }

    JSONHEAL_INLINE static mask prefix_xor(mask bits) noexcept {
        const __m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, static_cast<long long>(bits)),
                                                     _mm_set1_epi8(static_cast<char>(0xFF)), 0);
        return static_cast<mask>(_mm_cvtsi128_si64(product));
    }
};

} // namespace

constinit const scan::kernel sse42_kernel = vector_kernel<sse42>("sse42");

} // namespace jsonheal::scan_detail

JSONHEAL_TARGET_END
#endif
