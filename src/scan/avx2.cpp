/// @file avx2.cpp
/// The kernel for x86-64 with AVX2: 32 bytes a vector.
#include "target.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

JSONHEAL_TARGET_BEGIN("avx2,bmi,bmi2,popcnt,pclmul")

#include "vector_kernel.hpp"

namespace jsonheal::scan_detail {
namespace {

struct avx2 {
    static constexpr std::size_t size = 32;

    __m256i v;

    JSONHEAL_INLINE static avx2 load(const char* p) noexcept {
        return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))};
    }
    JSONHEAL_INLINE static avx2 all(unsigned char c) noexcept {
        return {_mm256_load_si256(reinterpret_cast<const __m256i*>(repeated[c].bytes.data()))};
    }
    JSONHEAL_INLINE static avx2 table(const nibble_table& t) noexcept {
        return {_mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(t.data())))};
    }

    JSONHEAL_INLINE friend avx2 operator|(avx2 a, avx2 b) noexcept { return {_mm256_or_si256(a.v, b.v)}; }
    JSONHEAL_INLINE friend avx2 operator&(avx2 a, avx2 b) noexcept { return {_mm256_and_si256(a.v, b.v)}; }
    JSONHEAL_INLINE friend avx2 operator^(avx2 a, avx2 b) noexcept { return {_mm256_xor_si256(a.v, b.v)}; }
    JSONHEAL_INLINE friend avx2 operator-(avx2 a, avx2 b) noexcept { return {_mm256_sub_epi8(a.v, b.v)}; }
    JSONHEAL_INLINE friend avx2 minus_to_zero(avx2 a, avx2 b) noexcept {
        return {_mm256_subs_epu8(a.v, b.v)};
    }

    [[nodiscard]] JSONHEAL_INLINE avx2 high_nibbles() const noexcept {
        return avx2{_mm256_srli_epi16(v, 4)} & all(0x0F);
    }
    [[nodiscard]] JSONHEAL_INLINE avx2 look_up(avx2 nibbles) const noexcept {
        return {_mm256_shuffle_epi8(v, nibbles.v)};
    }
    template <int N>
    [[nodiscard]] JSONHEAL_INLINE avx2 behind(avx2 before) const noexcept {
        return {_mm256_alignr_epi8(v, _mm256_permute2x128_si256(before.v, v, 0x21), 16 - N)};
    }

    [[nodiscard]] JSONHEAL_INLINE mask top_bits() const noexcept {
        return static_cast<std::uint32_t>(_mm256_movemask_epi8(v));
    }
    [[nodiscard]] JSONHEAL_INLINE mask equal(avx2 b) const noexcept {
        return avx2{_mm256_cmpeq_epi8(v, b.v)}.top_bits();
    }
    [[nodiscard]] JSONHEAL_INLINE mask at_most(avx2 b) const noexcept {
        return equal({_mm256_min_epu8(v, b.v)});
    }
    [[nodiscard]] JSONHEAL_INLINE mask common(avx2 b) const noexcept {
        return (*this & b).equal(all(0)) ^ 0xFFFF'FFFF;
    }

    JSONHEAL_INLINE static mask prefix_xor(mask bits) noexcept {
        const __m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, static_cast<long long>(bits)),
                                                     _mm_set1_epi8(static_cast<char>(0xFF)), 0);
        return static_cast<mask>(_mm_cvtsi128_si64(product));
    }
};

} // namespace

constinit const scan::kernel avx2_kernel = vector_kernel<avx2>("avx2");

} // namespace jsonheal::scan_detail

JSONHEAL_TARGET_END
#endif
