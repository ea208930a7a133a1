/// @file metric_series.hpp
/// Counters and histograms told apart by labels, for many writers: finding one that is there takes no lock.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jsonheal::gateway::detail {

template <std::size_t Labels>
using label_values = std::array<std::string_view, Labels>;

/// Cells by label values. They are only ever added, so a reader walks the chains while a writer puts one in front.
/// Beyond `most` of them all further ones are one, whose labels are `other`.
template <class Cell, std::size_t Labels>
class series {
public:
    explicit series(std::size_t most) : most_(most) {}
    series(const series&) = delete;
    series& operator=(const series&) = delete;
    ~series() {
        for (std::atomic<node*>& head : heads_) {
            for (node* n = head.load(); n != nullptr;) { delete std::exchange(n, n->next); }
        }
    }

    /// The cell of those labels, made if it is not there. O(1) as long as there are not many more than 256.
    Cell& at(const label_values<Labels>& labels) {
        std::atomic<node*>& head = heads_[place(labels)];
        if (node* const n = find(head.load(std::memory_order_acquire), labels)) { return n->cell; }
        if (Cell* const c = other_.load(std::memory_order_acquire)) {
            return *c;
        } // it is there once all is full
        const std::lock_guard lock(mutex_);
        if (node* const n = find(head.load(std::memory_order_relaxed), labels)) { return n->cell; }
        if (size_ >= most_) { return other(); }
        return add(head, labels);
    }
    /// Whether `at` has a cell of its own for those labels.
    [[nodiscard]] bool tells_apart(const label_values<Labels>& labels) {
        Cell& c = at(labels);
        return other_.load(std::memory_order_acquire) != &c;
    }

    struct entry {
        const std::array<std::string, Labels>* labels;
        const Cell* cell;
    };
    /// All cells, by label. O(n log n).
    [[nodiscard]] std::vector<entry> entries() const {
        std::vector<entry> out;
        for (const std::atomic<node*>& head : heads_) {
            for (const node* n = head.load(std::memory_order_acquire); n != nullptr; n = n->next) {
                out.push_back({&n->labels, &n->cell});
            }
        }
        std::sort(out.begin(), out.end(),
                  [](const entry& a, const entry& b) { return *a.labels < *b.labels; });
        return out;
    }

private:
    struct node {
        std::array<std::string, Labels> labels;
        Cell cell{};
        node* next = nullptr;
    };

    [[nodiscard]] static std::size_t place(const label_values<Labels>& labels) {
        std::size_t h = 0;
        for (const std::string_view l : labels) { h = h * 31 + std::hash<std::string_view>()(l); }
        return h % buckets;
    }
    [[nodiscard]] static node* find(node* n, const label_values<Labels>& labels) {
        while (n != nullptr && !std::equal(labels.begin(), labels.end(), n->labels.begin())) { n = n->next; }
        return n;
    }
    Cell& add(std::atomic<node*>& head, const label_values<Labels>& labels) {
        node* const n = new node;
        std::copy(labels.begin(), labels.end(), n->labels.begin());
        n->next = head.load(std::memory_order_relaxed);
        head.store(n, std::memory_order_release);
        ++size_;
        return n->cell;
    }
    Cell& other() {
        if (Cell* const c = other_.load(std::memory_order_relaxed)) { return *c; }
        label_values<Labels> labels;
        labels.fill("other");
        std::atomic<node*>& head = heads_[place(labels)];
        node* const n = find(head.load(std::memory_order_relaxed), labels);
        Cell& c = n != nullptr ? n->cell : add(head, labels);
        other_.store(&c, std::memory_order_release);
        return c;
    }

    static constexpr std::size_t buckets = 256;
    std::array<std::atomic<node*>, buckets> heads_{};
    std::mutex mutex_; ///< for adding
    std::size_t size_ = 0;
    std::size_t most_;
    std::atomic<Cell*> other_{nullptr};
};

struct counter {
    std::atomic<std::uint64_t> value{0};
    void add(std::uint64_t n) { value.fetch_add(n, std::memory_order_relaxed); }
};

/// Counts of values by size. `Bounds` are upper ends, in whole units.
template <const auto& Bounds>
struct histogram {
    std::array<std::atomic<std::uint64_t>, std::size(Bounds) + 1> counts{};
    std::atomic<std::uint64_t> sum{0};

    void put(std::uint64_t value) {
        const auto place = std::lower_bound(std::begin(Bounds), std::end(Bounds), value) - std::begin(Bounds);
        counts[static_cast<std::size_t>(place)].fetch_add(1, std::memory_order_relaxed);
        sum.fetch_add(value, std::memory_order_relaxed);
    }
};

} // namespace jsonheal::gateway::detail
