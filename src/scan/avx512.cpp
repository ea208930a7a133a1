/// @file avx512.cpp
/// The kernel for x86-64 with AVX-512 F and BW: a block is one vector, and comparisons make masks.
#include "target.hpp"

#if defined(__x86_64__)
#if !defined(__clang__)
// GCC takes the operands of its own intrinsics that are left undefined on purpose for mistakes (bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

JSONHEAL_TARGET_BEGIN("avx512f,avx512bw,avx2,bmi,bmi2,popcnt,pclmul")

#include "vector_kernel.hpp"

namespace jsonheal::scan_detail {
namespace {

struct avx512 {
    static constexpr std::size_t size = 64;

    __m512i v;

    JSONHEAL_INLINE static avx512 load(const char* p) noexcept { return {_mm512_loadu_si512(p)}; }
    JSONHEAL_INLINE static avx512 all(unsigned char c) noexcept {
        return {_mm512_set1_epi8(static_cast<char>(c))};
    }
    JSONHEAL_INLINE static avx512 table(const nibble_table& t) noexcept {
        return {_mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(t.data())))};
    }

    JSONHEAL_INLINE friend avx512 operator|(avx512 a, avx512 b) noexcept {
        return {_mm512_or_si512(a.v, b.v)};
    }
    JSONHEAL_INLINE friend avx512 operator&(avx512 a, avx512 b) noexcept {
        return {_mm512_and_si512(a.v, b.v)};
    }
    JSONHEAL_INLINE friend avx512 operator^(avx512 a, avx512 b) noexcept {
        return {_mm512_xor_si512(a.v, b.v)};
    }
    JSONHEAL_INLINE friend avx512 operator-(avx512 a, avx512 b) noexcept {
        return {_mm512_sub_epi8(a.v, b.v)};
    }
    JSONHEAL_INLINE friend avx512 minus_to_zero(avx512 a, avx512 b) noexcept {
        return {_mm512_subs_epu8(a.v, b.v)};
    }

    [[nodiscard]] JSONHEAL_INLINE avx512 high_nibbles() const noexcept {
        return avx512{_mm512_srli_epi16(v, 4)} & all(0x0F);
    }
    [[nodiscard]] JSONHEAL_INLINE avx512 look_up(avx512 nibbles) const noexcept {
        return {_mm512_shuffle_epi8(v, nibbles.v)};
    }
    template <int N>
    [[nodiscard]] JSONHEAL_INLINE avx512 behind(avx512 before) const noexcept {
        return {_mm512_alignr_epi8(v, _mm512_alignr_epi64(v, before.v, 6), 16 - N)};
    }

    [[nodiscard]] JSONHEAL_INLINE mask top_bits() const noexcept { return _mm512_movepi8_mask(v); }
    [[nodiscard]] JSONHEAL_INLINE mask equal(avx512 b) const noexcept {
        return _mm512_cmpeq_epi8_mask(v, b.v);
    }
    [[nodiscard]] JSONHEAL_INLINE mask at_most(avx512 b) const noexcept {
        return _mm512_cmple_epu8_mask(v, b.v);
    }
    [[nodiscard]] JSONHEAL_INLINE mask common(avx512 b) const noexcept {
        return _mm512_test_epi8_mask(v, b.v);
    }

    JSONHEAL_INLINE static mask prefix_xor(mask bits) noexcept {
        const __m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, static_cast<long long>(bits)),
                                                     _mm_set1_epi8(static_cast<char>(0xFF)), 0);
        return static_cast<mask>(_mm_cvtsi128_si64(product));
    }
};

} // namespace

constinit const scan::kernel avx512_kernel = vector_kernel<avx512>("avx512");

} // namespace jsonheal::scan_detail

JSONHEAL_TARGET_END
#endif
