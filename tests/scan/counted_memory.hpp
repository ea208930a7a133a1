/// @file counted_memory.hpp
/// Counts what the program takes from the heap, and can refuse it.
#pragma once

#include <cstddef>

namespace jsonheal_test {

struct counted_memory {
    static std::size_t allocations; ///< calls of `operator new` since the start
    static bool is_gone;            ///< while true every `operator new` throws
};

} // namespace jsonheal_test
