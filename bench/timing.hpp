// Timing by turns: every subject is run once a round, so that a drift of the machine hits all alike.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace jsonheal::bench {

/// Something to time. `run` does the work once; what it throws away must not be optimised out.
struct subject {
    std::string name;
    std::function<void()> run;
};

struct turns {
    std::size_t rounds = 15;       ///< samples of each subject
    double sample_seconds = 0.002; ///< a sample repeats the work until it takes about as long
};

/// The samples of each subject in seconds a run, in order of the rounds. Every second round goes backwards.
[[nodiscard]] std::vector<std::vector<double>> time_by_turns(const std::vector<subject>& subjects,
                                                             const turns& t);

[[nodiscard]] double median(std::vector<double> samples);

/// The median of the ratios a / b, round by round.
[[nodiscard]] double median_ratio(const std::vector<double>& a, const std::vector<double>& b);

/// Keeps a value from being optimised out.
template <typename T>
inline void keep(const T& value) {
    asm volatile("" : : "r"(&value) : "memory");
}

} // namespace jsonheal::bench
