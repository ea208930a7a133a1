// How long healing takes as the text grows, one line a family: milliseconds at 64 KiB, 256 KiB and 1 MiB, and the
// exponent e of t ~ bytes^e between the last two. A measure for people, not a test: it asserts nothing.
//
//     growth_time [--live | --chunk N] [FAMILY...]
#include "families.hpp"

#include <jsonheal/heal.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace jsonheal;

struct settings {
    heal_options options;
    std::size_t chunk = 0; ///< 0: the text at once
    std::vector<std::string_view> names;
};

verdict heal_once(const std::string& text, const settings& s) {
    if (s.chunk == 0) { return heal(text, s.options).verdict; }
    healer h(s.options);
    for (std::size_t at = 0; at < text.size(); at += s.chunk) {
        h.feed(std::string_view(text).substr(at, s.chunk));
    }
    return h.finish().verdict;
}

/// The best of three runs, in milliseconds.
double time_of(const std::string& text, const settings& s, verdict& out) {
    double best = 1e300;
    for (int run = 0; run < 3; ++run) {
        const auto begin = std::chrono::steady_clock::now();
        out = heal_once(text, s);
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
        best = std::min(best, took.count());
    }
    return best;
}

bool read_arguments(int argc, char** argv, settings& s) {
    s.options.log = log_policy::counted;
    s.options.fast_path = false;
    for (int i = 1; i < argc; ++i) {
        const std::string_view arg = argv[i];
        if (arg == "--live") {
            s.options.preset = preset::live;
        } else if (arg == "--chunk" && i + 1 < argc) {
            const std::string_view n = argv[++i];
            const auto [end, error] = std::from_chars(n.data(), n.data() + n.size(), s.chunk);
            if (error != std::errc{} || end != n.data() + n.size() || s.chunk == 0) { return false; }
            s.options.preset = preset::live;
        } else if (arg.starts_with("-")) {
            return false;
        } else {
            s.names.push_back(arg);
        }
    }
    return true;
}

} // namespace

int main(int argc, char** argv) {
    settings s;
    if (!read_arguments(argc, argv, s)) {
        std::fprintf(stderr, "usage: growth_time [--live | --chunk N] [FAMILY...]\n");
        return 2;
    }
    constexpr std::size_t kib = 1024;
    std::printf("%-28s %10s %10s %10s %8s  verdict\n", "family", "64K ms", "256K ms", "1M ms", "exponent");
    for (const growth::family& f : growth::families()) {
        if (!s.names.empty() && std::find(s.names.begin(), s.names.end(), f.name) == s.names.end()) {
            continue;
        }
        verdict v{};
        double ms[3];
        const std::size_t sizes[3] = {64 * kib, 256 * kib, 1024 * kib};
        for (int i = 0; i < 3; ++i) { ms[i] = time_of(f.make(sizes[i]), s, v); }
        const double exponent = std::log(std::max(ms[2], 1e-6) / std::max(ms[1], 1e-6)) / std::log(4.0);
        std::printf("%-28.*s %10.3f %10.3f %10.3f %8.2f  %.*s\n", static_cast<int>(f.name.size()),
                    f.name.data(), ms[0], ms[1], ms[2], exponent, static_cast<int>(name(v).size()),
                    name(v).data());
    }
    return 0;
}
