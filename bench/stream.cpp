// Times the push face: a text in small chunks, drained after each. bench/stream.py runs it beside the JavaScript parsers.
//
//     bench_stream --inputs DIR            writes the texts: valid and broken, 10 KB, 100 KB, 1 MB, 10 MB
//     bench_stream SUBJECT FILE CHUNK      seconds of processor time for one pass, the best of a few, as a line of JSON
//     bench_stream --delay FILE...         how far settled text trails the input, in 4-byte chunks, over all files
//
// Subjects: `text` (healer, text and log drained), `snapshots` (also a snapshot every 64 chunks), `events` (stream with a
// handler), `document` (stream with a live document).
#include "documents.hpp"
#include "timing.hpp"

#include <jsonheal/stream.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <time.h>
#include <utility>
#include <vector>

namespace {

using namespace jsonheal;

double processor_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) { throw std::runtime_error("cannot read " + path); }
    return {std::istreambuf_iterator<char>(in), {}};
}

void write_inputs(const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    for (const auto& [name, bytes] :
         {std::pair{"10KB", 10'000U}, {"100KB", 100'000U}, {"1MB", 1'000'000U}, {"10MB", 10'000'000U}}) {
        const auto write = [&, size = std::string(name)](std::string_view kind, const std::string& text) {
            std::ofstream(folder / (std::string(kind) + "-" + size), std::ios::binary) << text;
        };
        write("valid", bench::make_document(bytes, 7));
        for (const bench::damage& d : bench::damages()) { write(d.name, d.make(bytes, 7).text); }
    }
}

/// Bytes that came out of a pass over the text.
std::size_t pass(std::string_view subject, std::string_view text, std::size_t chunk) {
    std::size_t out = 0, looked = 0;
    const auto feed = [&](auto& s) {
        for (std::size_t i = 0; i < text.size(); i += chunk) {
            s.feed(text.substr(i, chunk));
            out += s.drain().size();
            out += s.drain_edits().size();
            if (subject == "snapshots" && ++looked % 64 == 0) { out += s.snapshot().tail.size(); }
        }
        const healing h = s.finish();
        if (!h.ok()) { throw std::runtime_error("the text was refused"); }
        out += h.json().size();
    };
    if (subject == "text" || subject == "snapshots") {
        healer h;
        feed(h);
        return out;
    }
    stream_options o;
    o.sink = subject == "document" ? stream_sink::document : stream_sink::text;
    if (subject == "events") {
        o.on_event = [&out](const stream_event& e) { out += e.text.size(); };
    }
    stream s(std::move(o));
    feed(s);
    return out;
}

void time_subject(std::string_view subject, const std::string& path, std::size_t chunk) {
    const std::string text = read_file(path);
    // the answer first
    healer h;
    for (std::size_t i = 0; i < text.size(); i += chunk) { h.feed(std::string_view(text).substr(i, chunk)); }
    if (h.finish().json() != heal(std::string_view(text), heal_options::live()).json()) {
        throw std::runtime_error("the stream and the whole text disagree");
    }
    double best = 1e9;
    for (int i = 0; i != 5; ++i) {
        const double from = processor_seconds();
        bench::keep(pass(subject, text, chunk));
        best = std::min(best, processor_seconds() - from);
    }
    std::printf("{\"seconds\": %.6f, \"bytes\": %zu}\n", best, text.size());
}

/// Bytes of input between what was fed and what has settled, after each chunk.
void measure_delay(std::string_view text, std::vector<std::size_t>& delays) {
    healer h;
    std::size_t settled = 0; // input
    for (std::size_t i = 0; i < text.size(); i += 4) {
        h.feed(text.substr(i, 4));
        settled += h.drain().size();
        for (const edit& e : h.drain_edits()) { settled = settled + (e.end - e.begin) - e.size; }
        const std::size_t fed = std::min(i + 4, text.size());
        delays.push_back(fed > settled ? fed - settled : 0);
    }
}

} // namespace

int main(int count, char** words) {
    const std::vector<std::string> w(words + 1, words + count);
    if (w.size() == 2 && w[0] == "--inputs") {
        write_inputs(w[1]);
    } else if (w.size() >= 2 && w[0] == "--delay") {
        std::vector<std::size_t> delays;
        for (std::size_t i = 1; i != w.size(); ++i) { measure_delay(read_file(w[i]), delays); }
        std::sort(delays.begin(), delays.end());
        const auto at = [&](std::size_t percent) { return delays[(delays.size() - 1) * percent / 100]; };
        std::printf("{\"p50\": %zu, \"p90\": %zu, \"p95\": %zu, \"p99\": %zu, \"most\": %zu}\n", at(50),
                    at(90), at(95), at(99), delays.back());
    } else if (w.size() == 3) {
        time_subject(w[0], w[1], static_cast<std::size_t>(std::atoi(w[2].c_str())));
    } else {
        std::fputs("usage: see the head of bench/stream.cpp\n", stderr);
        return 2;
    }
    return 0;
}
