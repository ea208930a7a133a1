/// @file kernels.cpp
/// Which kernels there are, and which of them is in use.
#include "kernels.hpp"

#include "bytes.hpp"

#include <algorithm>
#include <array>
#include <atomic>

namespace jsonheal::scan {
namespace {

/// Those that this processor runs, from the most portable to the fastest.
struct usable_kernels {
    std::array<kernel, 4> all{};
    std::size_t count = 0;

    usable_kernels() noexcept {
        add(scan_detail::scalar_kernel, true);
#if defined(__x86_64__)
        const bool sse42 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt") &&
                           __builtin_cpu_supports("pclmul");
        const bool avx2 = sse42 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                          __builtin_cpu_supports("bmi2");
        const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
        add(scan_detail::sse42_kernel, sse42);
        add(scan_detail::avx2_kernel, avx2);
        add(scan_detail::avx512_kernel, avx512);
#elif defined(__aarch64__)
        add(scan_detail::neon_kernel, true); // every 64-bit ARM has it
#endif
    }

    void add(const kernel& k, bool runs) noexcept {
        if (runs) { all[count++] = k; }
    }
};

/// Does a text that is no bracket begin as a string or a number, or is it a literal?
bool is_scalar(std::string_view text) noexcept {
    const char c = text.front();
    return c == '"' || c == '-' || scan_detail::is(c, scan_detail::digit) || text == "true" ||
           text == "false" || text == "null";
}

/// What the ends of a text tell: an object or an array that ends where the text ends, and what stands inside its braces.
/// Most broken texts, whatever kernel would look at them, are told by it.
bool may_be_json(std::string_view text) noexcept {
    using scan_detail::blank, scan_detail::is;
    std::size_t first = 0, end = text.size();
    while (first < end && is(text[first], blank)) { ++first; }
    while (end > first && is(text[end - 1], blank)) { --end; }
    if (first == end) { return false; }
    if (text[first] == '[') { return text[end - 1] == ']'; }
    if (text[first] != '{') { return is_scalar(text.substr(first, end - first)); }
    if (text[--end] != '}') { return false; }
    do { --end; } while (is(text[end], blank));
    if (text[end] == ',') { return false; }
    do { ++first; } while (is(text[first], blank));
    return text[first] == '"' || text[first] == '}';
}

constinit std::atomic<const kernel*> active{nullptr}; // null until someone asks

} // namespace

validation kernel::validate_json(std::string_view text, std::uint32_t max_depth) const {
    if (is_json(text, max_depth)) { return {true, text.size()}; }
    return {false, scan_detail::locate_fault(text, max_depth).offset};
}

std::span<const kernel> kernels() noexcept {
    static const usable_kernels usable;
    return {usable.all.data(), usable.count};
}

const kernel& active_kernel() noexcept {
    if (const kernel* const chosen = active.load(std::memory_order_acquire)) { return *chosen; }
    const kernel* none = nullptr; // a kernel forced meanwhile stays
    const kernel* const best = &kernels().back();
    return active.compare_exchange_strong(none, best, std::memory_order_acq_rel) ? *best : *none;
}

bool is_json(std::string_view text, std::uint32_t max_depth) {
    return may_be_json(text) && active_kernel().is_json(text, max_depth);
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
