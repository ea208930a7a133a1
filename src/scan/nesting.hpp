/// @file nesting.hpp
/// Which sort of bracket is open at each level: one bit a level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace jsonheal::scan_detail {

/// Where the validator puts its bits, 64 levels at a time, when its register is full: on the stack, then on the heap.
class level_store {
public:
    level_store() = default;
    level_store(const level_store&) = delete; // it points into itself
    level_store& operator=(const level_store&) = delete;

    void push(std::uint64_t bits) {
        if (size_ == capacity_) { grow(); }
        data_[size_++] = bits;
    }
    /// @pre something was pushed
    [[nodiscard]] std::uint64_t pop() noexcept { return data_[--size_]; }

private:
    static constexpr std::size_t on_stack = 1024 / 64;

    void grow();

    std::size_t size_ = 0;
    std::size_t capacity_ = on_stack;
    std::unique_ptr<std::uint64_t[]> heap_;
    std::uint64_t first_[on_stack]; // read only where written
    std::uint64_t* data_ = first_;
};

} // namespace jsonheal::scan_detail
