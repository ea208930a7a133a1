#include "timing.hpp"

#include <algorithm>
#include <chrono>

namespace jsonheal::bench {
namespace {

double seconds(const subject& s, std::size_t repeats) {
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < repeats; ++i) { s.run(); }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// How many runs fill a sample; found by doubling, which warms up, too.
std::size_t repeats_for(const subject& s, double sample_seconds) {
    std::size_t repeats = 1;
    for (;;) {
        const double took = seconds(s, repeats);
        if (took >= sample_seconds / 2) {
            return std::max<std::size_t>(
                1, static_cast<std::size_t>(static_cast<double>(repeats) * sample_seconds / took));
        }
        repeats *= 2;
    }
}

} // namespace

std::vector<std::vector<double>> time_by_turns(const std::vector<subject>& subjects, const turns& t) {
    std::vector<std::size_t> repeats;
    for (const subject& s : subjects) { repeats.push_back(repeats_for(s, t.sample_seconds)); }
    std::vector<std::vector<double>> samples(subjects.size());
    for (std::size_t round = 0; round < t.rounds; ++round) {
        for (std::size_t i = 0; i < subjects.size(); ++i) {
            const std::size_t at = round % 2 == 0 ? i : subjects.size() - 1 - i;
            samples[at].push_back(seconds(subjects[at], repeats[at]) / static_cast<double>(repeats[at]));
        }
    }
    return samples;
}

double median(std::vector<double> samples) {
    std::sort(samples.begin(), samples.end());
    const std::size_t n = samples.size();
    return n % 2 == 1 ? samples[n / 2] : (samples[n / 2 - 1] + samples[n / 2]) / 2;
}

double median_ratio(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < a.size(); ++i) { ratios.push_back(a[i] / b[i]); }
    return median(std::move(ratios));
}

} // namespace jsonheal::bench
