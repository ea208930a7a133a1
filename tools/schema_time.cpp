// schema_time SCHEMA INSTANCES [MILLISECONDS]: compile time, then the time that validation takes for each line of INSTANCES,
// parsed beforehand. Prints one JSON object for the peer comparison of tools/measure_schema.py.
#include <jsonheal/schema.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using namespace jsonheal;
using clock_type = std::chrono::steady_clock;

double nanoseconds(clock_type::duration d) { return std::chrono::duration<double, std::nano>(d).count(); }

/// The least time of one call over about `budget`, in nanoseconds. Batches are long enough for the clock.
template <class F>
double least_time(std::chrono::milliseconds budget, F&& call) {
    std::size_t batch = 1;
    double best = 1e300;
    const auto start = clock_type::now();
    do {
        const auto begin = clock_type::now();
        for (std::size_t i = 0; i != batch; ++i) { call(); }
        const double spent = nanoseconds(clock_type::now() - begin);
        best = std::min(best, spent / static_cast<double>(batch));
        if (spent < 50'000) { batch *= 2; }
    } while (clock_type::now() - start < budget);
    return best;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 3) { return 2; }
    const std::chrono::milliseconds budget(argc > 3 ? std::atoi(argv[3]) : 100);
    std::ifstream schema_file(argv[1], std::ios::binary);
    const document source = document::parse({std::istreambuf_iterator<char>(schema_file), {}}).value;
    double compile_time = 1e300;
    for (int i = 0; i != 7; ++i) { // large schemas take longer than the budget: one run says little
        compile_time = std::min(compile_time, least_time(std::min(budget, std::chrono::milliseconds(20)),
                                                         [&] { (void)schema::compile(source); }));
    }
    const schema::compile_result compiled = schema::compile(source);
    if (compiled.error) {
        std::fprintf(stderr, "%s: %s\n", compiled.error->pointer.c_str(), compiled.error->reason.c_str());
        return 1;
    }
    std::printf("{\"compile\":%.0f,\"times\":[", compile_time);
    std::string answers;
    std::ifstream lines(argv[2], std::ios::binary);
    for (std::string line; std::getline(lines, line);) {
        const document instance = document::parse(line).value;
        bool valid = false;
        const double t = least_time(budget, [&] { valid = schema::fits(compiled.value, instance.root()); });
        std::printf("%s%.1f", answers.empty() ? "" : ",", t);
        answers.append(answers.empty() ? "" : ",").append(valid ? "true" : "false");
    }
    std::printf("],\"valid\":[%s]}\n", answers.c_str());
    return 0;
}
