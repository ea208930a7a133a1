/// @file random.hpp
/// A small generator of random numbers whose sequence is the same on every machine and library.
///
/// The distributions of <random> differ between standard libraries; a failing seed must mean the same text everywhere.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jsonheal_test {

/// splitmix64: one word of state, good enough for making texts.
class random_source {
public:
    explicit random_source(std::uint64_t seed) noexcept : state_(seed) {}

    std::uint64_t next() noexcept {
        state_ += 0x9E37'79B9'7F4A'7C15ull;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EBull;
        return z ^ (z >> 31);
    }
    /// A number below `bound`; 0 if the bound is 0. The bias is far below what a test could see.
    std::size_t below(std::size_t bound) noexcept {
        return bound == 0 ? 0 : static_cast<std::size_t>(next() % bound);
    }
    /// A number from `low` to `high`, both possible.
    std::size_t between(std::size_t low, std::size_t high) noexcept { return low + below(high - low + 1); }
    /// True in `percent` of 100 calls.
    bool chance(std::size_t percent) noexcept { return below(100) < percent; }

    template <class T, std::size_t N>
    const T& pick(const std::array<T, N>& from) noexcept {
        return from[below(N)];
    }
    template <std::size_t N>
    std::string_view pick(const std::string_view (&from)[N]) noexcept {
        return from[below(N)];
    }
    char pick(std::string_view from) noexcept { return from[below(from.size())]; }

private:
    std::uint64_t state_;
};

} // namespace jsonheal_test
