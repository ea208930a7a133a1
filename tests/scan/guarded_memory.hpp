/// @file guarded_memory.hpp
/// Memory between two pages that nobody may read: one step too far ends the program, whatever it was compiled with.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace jsonheal_test {

class guarded_memory {
public:
    guarded_memory()
        : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
          map_(static_cast<char*>(mmap(nullptr, 3 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
        if (map_ == MAP_FAILED || mprotect(map_ + page_, page_, PROT_READ | PROT_WRITE) != 0) {
            throw std::bad_alloc();
        }
    }
    ~guarded_memory() { munmap(map_, 3 * page_); }
    guarded_memory(const guarded_memory&) = delete;
    guarded_memory& operator=(const guarded_memory&) = delete;

    /// A copy that ends where the memory does, and one that begins where it does; until the next call.
    /// @pre the text is shorter than a page
    [[nodiscard]] std::string_view at_end(std::string_view text) {
        return copy(text, map_ + 2 * page_ - text.size());
    }
    [[nodiscard]] std::string_view at_begin(std::string_view text) { return copy(text, map_ + page_); }

private:
    static std::string_view copy(std::string_view text, char* to) {
        if (!text.empty()) { std::memcpy(to, text.data(), text.size()); }
        return {to, text.size()};
    }

    std::size_t page_;
    char* map_;
};

} // namespace jsonheal_test
