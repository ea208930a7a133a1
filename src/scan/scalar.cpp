/// @file scalar.cpp
/// The portable kernel: eight bytes a step, no instruction that an old processor lacks.
#include "kernels.hpp"
#include "validator.hpp"
#include "words.hpp"

#include <algorithm>

namespace jsonheal::scan_detail {
namespace {

struct word_runs {
    static const char* string_end(const char* p, const char* end) noexcept {
        for (;;) {
            const word found = string_ends(load(p, end)); // marks what stands for bytes beyond the end
            p += first_mark(found);
            if (found != 0) { return p; }
        }
    }

    static const char* non_digit(const char* p, const char* end) noexcept {
        for (;;) {
            const word found = non_digits(load(p, end));
            p += first_mark(found);
            if (found != 0) { return p; }
        }
    }

    [[gnu::noinline]] static const char* non_blank(const char* p, const char* end) noexcept {
        while (p != end && is(*p, blank)) {
            if (*p++ == ' ') {
            // Line ends come alone, indentation comes in runs of one byte.
            word differs;
            do { differs = load(p, end) ^ all(' '); p += first_mark(differs); } while (differs == 0);
            }
        }
        return p;
    }
};

scan::validation validate(std::string_view text, std::uint32_t max_depth) {
    level_store store;
    return validator<word_runs>(text, max_depth, store).run();
}

const char* find_string_stop(const char* p, const char* end) noexcept {
    for (;;) {
        const word found = string_stops(load(p, end));
        p += first_mark(found);
        if (found != 0) { return p; }
    }
}

const char* find_prose_stop(const char* p, const char* end) noexcept {
    for (; static_cast<std::size_t>(end - p) > word_size; p += word_size) {
        const word found = prose_stops(load(p, end));
        if (found != 0) { return p + first_mark(found); }
    }
    return std::min(p + first_mark(prose_stops(load(p, end))), end);
}

} // namespace

constinit const scan::kernel scalar_kernel{"scalar", validate, find_string_stop, word_runs::non_blank,
                                           find_prose_stop};

} // namespace jsonheal::scan_detail
