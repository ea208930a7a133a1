/// @file nesting.hpp
/// Which sort of bracket is open at each level, for the levels that do not fit into a register.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace jsonheal::scan_detail {

/// Where a validator puts the bits of its outer levels, at least 31 at a time: on the stack, then on the heap.
class level_store {
public:
    level_store() = default;
    level_store(const level_store&) = delete; // it points into itself
    level_store& operator=(const level_store&) = delete;

    void push(std::uint64_t bits) {
        if (size_ == capacity_) { grow(); }
        data_[size_++] = bits;
    }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    /// @pre it is not empty
    [[nodiscard]] std::uint64_t pop() noexcept { return data_[--size_]; }

private:
    static constexpr std::size_t on_stack = 1024 / 31 + 1;

    void grow();

    std::size_t size_ = 0;
    std::size_t capacity_ = on_stack;
    std::unique_ptr<std::uint64_t[]> heap_;
    std::uint64_t first_[on_stack]; // read only where written
    std::uint64_t* data_ = first_;
};

} // namespace jsonheal::scan_detail
