/// @file stream_delay.cpp
/// How far settled text trails its input, and behind what: reads records {"input": TEXT}, one a line, from standard input.
///
/// usage: jsonheal_stream_delay [CHUNK] [--examples]
///
/// After each chunk (4 bytes if left out) the delay is the number of input bytes from where the next byte of the healed text
/// comes to the end of what was fed: bytes that could have been handed out had the engine been sure. Prose around the value
/// is no delay. What waits is told by the byte that comes next and by where it stands.

#include <jsonheal/document.hpp>
#include <jsonheal/heal.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// For each byte of the healed text, and its end, the byte of the input where it comes from.
std::vector<std::size_t> sources(std::string_view input, const jsonheal::healing& h) {
    std::vector<std::size_t> out;
    std::size_t at = 0;
    for (const jsonheal::edit& e : h.edits) {
        for (; at < e.begin; ++at) { out.push_back(at); }
        for (std::size_t i = 0; i != e.text().size(); ++i) { out.push_back(e.begin); }
        at = std::max<std::size_t>(at, e.end);
    }
    for (; at < input.size(); ++at) { out.push_back(at); }
    out.resize(h.json().size(), input.size());
    out.push_back(input.size());
    return out;
}

/// Where the byte of the healed text stands.
struct places {
    std::vector<char>
        what; ///< s in a string, k in a key, q its first quote, e its last quote, p structure, n a number or word, b a blank
    explicit places(std::string_view json) {
        what.assign(json.size() + 1, 'z');
        bool in_string = false;
        for (std::size_t i = 0; i < json.size(); ++i) {
            const char c = json[i];
            if (in_string) {
                what[i] = c == '"' ? 'e' : 's';
                if (c == '\\' && i + 1 < json.size()) { what[++i] = 's'; }
                in_string = c != '"';
                continue;
            }
            in_string = c == '"';
            what[i] = c == '"'                                                        ? 'q'
                      : std::string_view(" \t\r\n").find(c) != std::string_view::npos ? 'b'
                      : std::string_view("{}[],:").find(c) != std::string_view::npos  ? 'p'
                                                                                      : 'n';
        }
    }
};

std::string cause(std::string_view json, const places& p, std::size_t next) {
    switch (p.what[next]) {
    case 's': return "inside a string";
    case 'e': return "a closing quote";
    case 'q': return "an opening quote";
    case 'n': return "a number or word";
    case 'b': {
        std::size_t behind = next;
        while (behind < json.size() && p.what[behind] == 'b') { ++behind; }
        return std::string("blanks before ") + (behind == json.size() ? "the end"
                                                : json.substr(behind, 1) == "\""
                                                    ? "a quote"
                                                    : std::string(json.substr(behind, 1)));
    }
    case 'p': return std::string("the structure ") + json[next];
    default: return "the end";
    }
}

struct tally {
    std::size_t count = 0, bytes = 0, most = 0;
    std::string example;
};

} // namespace

int main(int argc, char** argv) {
    const std::size_t chunk =
        argc > 1 && argv[1][0] != '-' ? static_cast<std::size_t>(std::max(1, std::atoi(argv[1]))) : 4;
    const bool examples = argc > 1 && std::string_view(argv[argc - 1]) == "--examples";
    std::vector<std::size_t> delays;
    std::map<std::string, tally> causes;
    std::size_t texts = 0, refused = 0;
    for (std::string line; std::getline(std::cin, line);) {
        const auto record = jsonheal::document::parse(line);
        const auto given = record ? record.value.root().find("input") : std::nullopt;
        if (!given || !given->is(jsonheal::value_kind::string)) { continue; }
        const std::string input = given->string();
        const jsonheal::healing whole =
            jsonheal::heal(std::string_view(input), jsonheal::heal_options::live());
        ++texts;
        if (!whole.ok()) {
            ++refused;
            continue;
        }
        const std::vector<std::size_t> from = sources(input, whole);
        const places place(whole.json());
        jsonheal::healer h(jsonheal::heal_options::live());
        for (std::size_t at = 0; at < input.size();) {
            const std::size_t size = std::min(chunk, input.size() - at);
            h.feed(std::string_view(input).substr(at, size));
            at += size;
            const std::size_t settled = h.settled().size();
            const std::size_t next = std::min(settled, from.size() - 1);
            const std::size_t delay = at - std::min(at, from[next]);
            delays.push_back(delay);
            if (delay == 0) { continue; }
            tally& t = causes[cause(whole.json(), place, next)];
            ++t.count;
            t.bytes += delay;
            if (delay > t.most) {
                t.most = delay;
                t.example = input.substr(from[next] - std::min<std::size_t>(from[next], 20),
                                         std::min<std::size_t>(20, from[next])) +
                            "⟨" + input.substr(from[next], std::min<std::size_t>(at - from[next], 160)) + "⟩";
            }
        }
        (void)h.finish();
    }
    if (delays.empty()) { return 1; }
    std::sort(delays.begin(), delays.end());
    const auto percentile = [&](double p) {
        return delays[static_cast<std::size_t>(p * static_cast<double>(delays.size() - 1))];
    };
    std::printf("%zu texts, %zu refused, %zu chunks of %zu bytes; delay: median %zu, 95 %% %zu, 99 %% %zu, "
                "most %zu\n",
                texts, refused, delays.size(), chunk, percentile(0.5), percentile(0.95), percentile(0.99),
                delays.back());
    std::vector<std::pair<std::string, tally>> rows(causes.begin(), causes.end());
    std::sort(rows.begin(), rows.end(),
              [](const auto& a, const auto& b) { return a.second.bytes > b.second.bytes; });
    std::printf("%-28s %9s %9s %6s\n", "what waits", "chunks", "mean", "most");
    for (const auto& [name, t] : rows) {
        std::printf("%-28s %9zu %9.1f %6zu\n", name.c_str(), t.count,
                    static_cast<double>(t.bytes) / static_cast<double>(t.count), t.most);
        if (examples) { std::printf("    %s\n", t.example.c_str()); }
    }
}
