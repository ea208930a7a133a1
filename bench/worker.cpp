// Does one piece of timing after another, as the driver asks for it, so that subjects of several languages can be
// timed by turns. bench/peers/worker.mjs speaks the same lines.
//
//     bench_worker                     reads lines from standard input, answers each with one line of JSON:
//         subjects                                             the names
//         check <tab> SUBJECT <tab> FILE <tab> WANTED_FILE     right, wrong or refused
//         time <tab> SUBJECT <tab> FILE <tab> SECONDS          seconds a run, over at least SECONDS
//         forget                                               drops texts and buffers
//     bench_worker --inputs DIR        writes every text that is timed, and FILE.wanted where it has one answer
//     bench_worker --once SUBJECT FILE the first run of a fresh process: seconds
//     bench_worker --peak SUBJECT FILE peak memory of one run beyond the text, program code aside
#include "../tests/growth/families.hpp"
#include "answers.hpp"
#include "documents.hpp"
#include "subjects.hpp"
#include "timing.hpp"

#include <jsonheal/edits.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <time.h>
#include <utility>
#include <vector>

namespace {

using namespace jsonheal::bench;
namespace fs = std::filesystem;

constexpr std::uint64_t seed = 7;
constexpr std::pair<const char*, std::size_t> sizes[] = {
    {"1KB", 1'000}, {"100KB", 100'000}, {"10MB", 10'000'000}};
constexpr std::pair<const char*, std::size_t> growth_sizes[] = {
    {"10KB", 10'000}, {"100KB", 100'000}, {"1MB", 1'000'000}};

double now(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

/// Seconds since it was made: those on the wall, or those of this process's processor time if they are fewer, so
/// that other programs on the machine disturb less.
class stopwatch {
public:
    [[nodiscard]] double wall() const { return now(CLOCK_MONOTONIC) - wall_; }
    [[nodiscard]] double seconds() const {
        return std::min(wall(), now(CLOCK_PROCESS_CPUTIME_ID) - processor_);
    }

private:
    double wall_ = now(CLOCK_MONOTONIC), processor_ = now(CLOCK_PROCESS_CPUTIME_ID);
};

/// The file in a string of just its size.
std::string read_file(const fs::path& path) {
    std::string text(fs::file_size(path), '\0');
    std::ifstream in(path, std::ios::binary);
    if (!in.read(text.data(), static_cast<std::streamsize>(text.size()))) {
        throw std::runtime_error("cannot read " + path.string());
    }
    return text;
}

void write_file(const fs::path& path, std::string_view text) {
    std::ofstream out(path, std::ios::binary);
    if (!out.write(text.data(), static_cast<std::streamsize>(text.size()))) {
        throw std::runtime_error("cannot write " + path.string());
    }
}

void write_pair(const fs::path& path, const broken_text& pair) {
    write_file(path, pair.text);
    write_file(path.string() + ".wanted", pair.wanted);
}

void write_inputs(const fs::path& folder) {
    fs::create_directories(folder);
    for (const auto& [name, bytes] : sizes) {
        const std::string suffix = std::string("-") + name;
        const std::string valid = make_document(bytes, seed);
        write_pair(folder / ("valid" + suffix), {valid, valid});
        for (const damage& d : damages()) {
            write_pair(folder / (std::string(d.name) + suffix), d.make(bytes, seed));
        }
        write_file(folder / ("prose" + suffix), make_prose(bytes, seed));
    }
    write_pair(folder / "tool_call", make_tool_call());
    for (const auto& [name, bytes] : growth_sizes) {
        for (const auto& family : jsonheal::growth::families()) {
            write_file(folder / ("family-" + std::string(family.name) + "-" + name), family.make(bytes));
        }
    }
}

// ---- jobs, made once a subject and text

class jobs {
public:
    const job& get(const std::string& subject, const std::string& file) {
        const auto [text, fresh_text] = texts_.try_emplace(file);
        if (fresh_text) { text->second = read_file(file); }
        const auto [work, fresh] = jobs_.try_emplace({subject, file});
        if (fresh) { work->second = find(subject).make(text->second); }
        return work->second;
    }
    void forget() {
        jobs_.clear();
        texts_.clear();
    }

    static const subject_kind& find(const std::string& name) {
        const auto& kinds = subject_kinds();
        const auto at =
            std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.name == name; });
        if (at == kinds.end()) { throw std::runtime_error("no subject " + name); }
        return *at;
    }

private:
    std::map<std::string, std::string> texts_; // nodes: the texts stay where they are
    std::map<std::pair<std::string, std::string>, job> jobs_;
};

void print_check(const job& work, const std::string& wanted_file) {
    const answer a = work.solve();
    const bool right = !a.refused && same_value(a.json, read_file(wanted_file));
    std::printf("{\"answer\":\"%s\",\"edits\":%zu,\"edit_bytes\":%zu}\n",
                a.refused ? "refused"
                : right   ? "right"
                          : "wrong",
                a.edits, sizeof(jsonheal::edit));
}

void print_time(const job& work, double wanted_seconds) {
    constexpr double clock_step = 50e-6; // the clock is read about this often, so that it costs nothing
    const stopwatch watch;
    std::size_t runs = 0;
    double took = 0, before = 0;
    for (std::size_t batch = 1; took < wanted_seconds; before = took) {
        for (std::size_t i = 0; i < batch; ++i) { work.run(); }
        runs += batch;
        took = watch.wall();
        if (took - before < clock_step) { batch *= 2; }
    }
    std::printf("{\"seconds\":%.9g,\"runs\":%zu}\n", watch.seconds() / static_cast<double>(runs), runs);
}

std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields;
    for (std::size_t at = 0; at <= line.size();) {
        const std::size_t tab = std::min(line.find('\t', at), line.size());
        fields.push_back(line.substr(at, tab - at));
        at = tab + 1;
    }
    return fields;
}

void answer_line(jobs& all, const std::string& line) {
    const std::vector<std::string> f = fields_of(line);
    if (f[0] == "subjects") {
        std::string names;
        for (const auto& k : subject_kinds()) {
            names += (names.empty() ? "\"" : ",\"") + std::string(k.name) + '"';
        }
        std::printf("[%s]\n", names.c_str());
    } else if (f[0] == "check" && f.size() == 4) {
        print_check(all.get(f[1], f[2]), f[3]);
    } else if (f[0] == "time" && f.size() == 4) {
        print_time(all.get(f[1], f[2]), std::stod(f[3]));
    } else if (f[0] == "forget") {
        all.forget();
        std::puts("{}");
    } else {
        throw std::runtime_error("cannot read the line: " + line);
    }
    std::fflush(stdout);
}

/// The most memory that this process had at once since `forget_peak`, in KiB (Linux). `getrusage` will not do: its
/// figure begins with that of the process that started this one.
long peak_kib() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) { return std::stol(line.substr(6)); }
    }
    throw std::runtime_error("no VmHWM in /proc/self/status");
}

void forget_peak() { write_file("/proc/self/clear_refs", "5"); }

void run_once(const std::string& subject, const std::string& file) {
    const std::string text = read_file(file);
    const job work = jobs::find(subject).make(text);
    const stopwatch watch;
    work.run();
    std::printf("{\"seconds\":%.9g,\"bytes\":%zu}\n", watch.seconds(), text.size());
}

void measure_peak(const std::string& subject, const std::string& file) {
    // A small text first: the pages of the program itself are no memory for the text.
    const std::string text = read_file(file), small = make_tool_call().text;
    jobs::find(subject).make(small).run();
    const job work = jobs::find(subject).make(text);
    forget_peak();
    const long before = peak_kib();
    work.run();
    std::printf("{\"peak_bytes\":%ld}\n", (peak_kib() - before) * 1024);
}

int work(const std::vector<std::string>& arguments) {
    if (arguments.size() == 2 && arguments[0] == "--inputs") {
        write_inputs(arguments[1]);
    } else if (arguments.size() == 3 && arguments[0] == "--once") {
        run_once(arguments[1], arguments[2]);
    } else if (arguments.size() == 3 && arguments[0] == "--peak") {
        measure_peak(arguments[1], arguments[2]);
    } else if (arguments.empty()) {
        jobs all;
        for (std::string line; std::getline(std::cin, line);) { answer_line(all, line); }
    } else {
        std::fputs("usage: bench_worker [--inputs DIR | --once SUBJECT FILE | --peak SUBJECT FILE]\n",
                   stderr);
        return 2;
    }
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return work({argv + 1, argv + argc});
    } catch (const std::exception& e) {
        std::fprintf(stderr, "bench_worker: %s\n", e.what());
        return 1;
    }
}
