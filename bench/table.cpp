// A quick look for who works on the engine: heal() over valid and broken documents beside simdjson's DOM parse of the undamaged ones, by turns in one process.
//
//     bench_table [KIND...]      valid, or the name of a damage; all of them if none is named
#include "answers.hpp"
#include "documents.hpp"
#include "timing.hpp"

#include <jsonheal/heal.hpp>

#include <simdjson.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace jsonheal;
using namespace jsonheal::bench;

constexpr std::uint64_t seed = 7;
constexpr struct {
    const char* name;
    std::size_t bytes;
} sizes[] = {{"1 KB", 1'000}, {"100 KB", 100'000}, {"10 MB", 10'000'000}};

struct row {
    std::string kind;
    broken_text pair;
};

void time_size(const char* name, std::size_t bytes, const std::vector<std::string_view>& kinds) {
    const auto asked = [&](std::string_view kind) {
        return kinds.empty() || std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
    };
    const std::string valid = make_document(bytes, seed);
    std::vector<row> rows;
    if (asked("valid")) { rows.push_back({"valid", {valid, valid}}); }
    for (const damage& d : damages()) {
        if (asked(d.name)) { rows.push_back({std::string(d.name), d.make(bytes, seed)}); }
    }

    const simdjson::padded_string padded(valid);
    simdjson::dom::parser parser;
    std::vector<subject> subjects = {{"simdjson", [&] {
                                          simdjson::dom::element root;
                                          if (parser.parse(padded).get(root) != simdjson::SUCCESS) {
                                              std::abort();
                                          }
                                          keep(root);
                                      }}};
    std::vector<std::string> notes = {""};
    for (const row& r : rows) {
        const healing h = heal(r.pair.text);
        char note[80];
        std::snprintf(note, sizeof note, "%s%8zu edits", same_value(h.json(), r.pair.wanted) ? "" : "WRONG ",
                      h.edit_count);
        notes.emplace_back(note);
        subjects.push_back({r.kind, [&r] { keep(heal(r.pair.text)); }});
    }
    const auto samples =
        time_by_turns(subjects, {bytes > 1'000'000 ? std::size_t{7} : std::size_t{21}, 0.002});
    for (std::size_t i = 0; i < subjects.size(); ++i) {
        const double size = static_cast<double>(i == 0 ? valid.size() : rows[i - 1].pair.text.size());
        const double speed = size / median(samples[i]) / 1e6;
        const double ratio = median_ratio(samples[0], samples[i]) * size / static_cast<double>(valid.size());
        std::printf("%-7s %-17s %8.0f MB/s %6.3f of simdjson  %12.2f us  %s\n", name,
                    subjects[i].name.c_str(), speed, ratio, median(samples[i]) * 1e6, notes[i].c_str());
    }
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    const std::vector<std::string_view> kinds(argv + 1, argv + argc);
    for (const auto& s : sizes) { time_size(s.name, s.bytes, kinds); }
}
