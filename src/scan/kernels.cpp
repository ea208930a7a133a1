/// @file kernels.cpp
/// Which kernels there are, and which of them is in use.
#include "kernels.hpp"

#include <algorithm>
#include <array>
#include <atomic>

namespace jsonheal::scan {
namespace {

constinit std::atomic<const kernel*> active{nullptr}; // null until someone asks

} // namespace

// From the most portable to the fastest. A kernel that needs more than the oldest processor is left out where it
// does not run; the choice is made once.
std::span<const kernel> kernels() noexcept {
    static const std::array<kernel, 1> usable{scan_detail::scalar_kernel};
    return usable;
}

const kernel& active_kernel() noexcept {
    if (const kernel* const chosen = active.load(std::memory_order_acquire)) { return *chosen; }
    const kernel* none = nullptr; // a kernel forced meanwhile stays
    const kernel* const best = &kernels().back();
    return active.compare_exchange_strong(none, best, std::memory_order_acq_rel) ? *best : *none;
}

bool force_kernel(std::string_view name) noexcept {
    const auto all = kernels();
    const auto found =
        std::find_if(all.begin(), all.end(), [name](const kernel& k) { return k.name == name; });
    if (found == all.end()) { return false; }
    active.store(&*found, std::memory_order_release);
    return true;
}

} // namespace jsonheal::scan
