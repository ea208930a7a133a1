/// @file scalar.cpp
/// The portable kernel: eight bytes a step, no instruction that an old processor lacks.
#include "kernels.hpp"
#include "validator.hpp"
#include "words.hpp"

#include <algorithm>

namespace jsonheal::scan_detail {
namespace {

/// Steps by words to the first byte that `Marks` marks. @pre `Marks` marks NUL, which stands beyond the end
template <word (*Marks)(word) noexcept>
JSONHEAL_INLINE const char* find(const char* p, const char* end) noexcept {
    for (;;) {
        const word found = Marks(load(p, end));
        p += first_mark(found);
        if (found != 0) { return p; }
    }
}

struct word_runs {
    JSONHEAL_INLINE static const char* string_end(const char* p, const char* end) noexcept {
        return find<string_ends>(p, end);
    }

    JSONHEAL_INLINE static const char* non_digit(const char* p, const char* end) noexcept {
        return find<non_digits>(p, end);
    }

    /// Line ends and tabs come one or few at a time, indentation comes in runs of spaces.
    [[gnu::noinline]] static const char* non_blank(const char* p, const char* end) noexcept {
        while (p != end && is(*p, blank)) {
            if (*p++ != ' ') { continue; }
            p = find<non_spaces>(p, end);
        }
        return p;
    }
};

bool is_json(std::string_view text, std::uint32_t max_depth) {
    level_store store;
    return validator<word_runs>(text, max_depth, store).run().valid;
}

} // namespace

const char* find_string_stop(const char* p, const char* end) noexcept { return find<string_stops>(p, end); }

const char* find_prose_stop(const char* p, const char* end) noexcept {
    for (; end - p > static_cast<std::ptrdiff_t>(word_size); p += word_size) {
        const word found = prose_stops(load(p, end));
        if (found != 0) { return p + first_mark(found); }
    }
    return std::min(p + first_mark(prose_stops(load(p, end))), end); // NUL is no stop
}

const char* find_non_blank(const char* p, const char* end) noexcept { return word_runs::non_blank(p, end); }

scan::validation locate_fault(std::string_view text, std::uint32_t max_depth) {
    level_store store;
    return validator<word_runs>(text, max_depth, store).run();
}

constinit const scan::kernel scalar_kernel{"scalar", is_json, find_string_stop, find_non_blank,
                                           find_prose_stop};

} // namespace jsonheal::scan_detail
