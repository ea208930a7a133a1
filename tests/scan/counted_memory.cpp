// In a file of its own: where both are inlined, compilers take `operator new` and `free` for a mismatch.
#include "counted_memory.hpp"

#include <cstdlib>
#include <new>

std::size_t jsonheal_test::counted_memory::allocations = 0;
bool jsonheal_test::counted_memory::is_gone = false;

void* operator new(std::size_t size) {
    ++jsonheal_test::counted_memory::allocations;
    void* const memory = jsonheal_test::counted_memory::is_gone ? nullptr : std::malloc(size);
    if (memory == nullptr) { throw std::bad_alloc(); }
    return memory;
}
void* operator new[](std::size_t size) { return operator new(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
