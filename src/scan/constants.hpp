/// @file constants.hpp
/// Every byte 32 times, in memory.
///
/// Where a compiler knows the value it makes such a vector anew, in three instructions, each time it runs out of
/// registers; and the validator has more constants than there are registers. From memory it costs none of its own.
#pragma once

#include <array>

namespace jsonheal::scan_detail {

struct alignas(32) repeated_byte {
    std::array<unsigned char, 32> bytes;
};
using repeated_bytes = std::array<repeated_byte, 256>;

[[gnu::visibility("hidden")]] extern const repeated_bytes repeated;

} // namespace jsonheal::scan_detail
