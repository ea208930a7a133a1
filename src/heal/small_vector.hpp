// A vector of a few small things that takes memory only where they become many. A text of the usual size is healed with
// fewer allocations by it.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

namespace jsonheal::heal_detail {

/// T is copied byte by byte. Offers what the engine needs of std::vector; holds at most 2^31 of them.
template <class T, std::size_t Inline>
class small_vector {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    small_vector() = default;
    ~small_vector() = default;
    small_vector(const small_vector&) = delete;
    small_vector& operator=(const small_vector&) = delete;
    small_vector(small_vector&& other) noexcept { take(other); }
    small_vector& operator=(small_vector&& other) noexcept {
        if (this != &other) { take(other); }
        return *this;
    }

    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] T* begin() noexcept { return data_; }
    [[nodiscard]] T* end() noexcept { return data_ + size_; }
    [[nodiscard]] const T& operator[](std::size_t i) const noexcept {
        assert(i < size_);
        return data_[i];
    }
    [[nodiscard]] T& operator[](std::size_t i) noexcept {
        assert(i < size_);
        return data_[i];
    }
    [[nodiscard]] const T& front() const noexcept { return (*this)[0]; }
    [[nodiscard]] const T& back() const noexcept { return (*this)[size_ - 1]; }
    [[nodiscard]] T& back() noexcept { return (*this)[size_ - 1]; }

    void push_back(const T& value) {
        if (size_ == capacity_) { grow(); }
        data_[size_++] = value;
    }
    void pop_back() noexcept {
        assert(size_ != 0);
        --size_;
    }
    void clear() noexcept { size_ = 0; }

private:
    void grow() {
        auto more = std::make_unique<T[]>(std::size_t{2} * capacity_);
        std::memcpy(more.get(), data_, size_ * sizeof(T));
        heap_ = std::move(more);
        data_ = heap_.get();
        capacity_ *= 2;
    }
    void take(small_vector& other) noexcept {
        size_ = other.size_;
        capacity_ = other.capacity_;
        heap_ = std::move(other.heap_);
        data_ = heap_ ? heap_.get() : own_;
        if (!heap_) { std::memcpy(own_, other.own_, size_ * sizeof(T)); }
        other.data_ = other.own_;
        other.capacity_ = Inline;
        other.size_ = 0;
    }

    T own_[Inline];
    std::uint32_t size_ = 0, capacity_ = Inline;
    T* data_ = own_;
    std::unique_ptr<T[]> heap_;
};

} // namespace jsonheal::heal_detail
