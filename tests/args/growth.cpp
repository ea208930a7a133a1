// Texts that made earlier systems quadratic: ten times the text may take about ten times as long, and no more.
#include <jsonheal/args.hpp>
#include <jsonheal/args_command_line.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <string>

namespace {

std::string repeated(std::string_view piece, std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) { text += piece; }
    return text;
}

struct family {
    const char* name;
    std::string (*make)(std::size_t bytes);
};

// clang-format off
constexpr family families[] = {
    {"tags", [](std::size_t n) { return repeated("<tool x>", n); }},
    {"open_objects", [](std::size_t n) { return repeated("{\"a\":", n); }},
    {"bracket_paren", [](std::size_t n) { return "[" + repeated("(,", n); }},
    {"braces", [](std::size_t n) { return repeated("{", n); }},
    {"encoded", [](std::size_t n) { return "\"" + repeated("{\\\"a\\\":1}", n) + "\""; }},
    {"backslashes", [](std::size_t n) { return "{\"a\":\"" + repeated("\\\\", n) + "\"}"; }},
    {"copies", [](std::size_t n) { return repeated("{\"a\":1}", n); }},
    {"different", [](std::size_t n) {
         std::string text;
         for (std::size_t i = 0; text.size() < n; ++i) { text += "{\"a\":" + std::to_string(i) + "}"; }
         return text;
     }},
    {"parted", [](std::size_t n) {
         std::string text;
         for (std::size_t i = 0; text.size() < n; ++i) { text += "or {\"a\":" + std::to_string(i) + "} "; }
         return text;
     }},
    {"wrappers", [](std::size_t n) { return repeated("{\"name\":\"f\",\"arguments\":", n); }},
    {"calls", [](std::size_t n) { return repeated("{\"name\":\"f\",\"arguments\":{\"a\":1}}\n", n); }},
    {"restarts", [](std::size_t n) { return repeated("{\"aa\":\"x", n); }},
    {"curly", [](std::size_t n) { return "{\"a\":\"" + repeated("\xE2\x80\x9Cx\xE2\x80\x9D", n) + "\"}"; }},
    {"members", [](std::size_t n) { return "{" + repeated("path: x, ", n) + "}"; }},
    {"bare", [](std::size_t n) { return repeated("word \"x\" \\ ", n); }},
    {"flags", [](std::size_t n) { return repeated("- -x1 ", n); }},
    {"tokens", [](std::size_t n) { return repeated("<|x|>", n); }},
    {"reasoning", [](std::size_t n) { return repeated("<think></think>", n); }},
    {"fences", [](std::size_t n) { return repeated("```\n", n); }},
    {"close_tags", [](std::size_t n) { return "<think>" + repeated("</", n); }},
};
// clang-format on

/// Processor time of the fastest of some runs, in seconds.
double seconds(const std::function<void()>& run) {
    double best = 1e9;
    for (int i = 0; i < 3; ++i) {
        timespec from{}, to{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
        run();
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
        best = std::min(best, static_cast<double>(to.tv_sec - from.tv_sec) +
                                  static_cast<double>(to.tv_nsec - from.tv_nsec) * 1e-9);
    }
    return best;
}

class growth : public testing::TestWithParam<family> {};

TEST_P(growth, is_linear) {
    jsonheal::args_options o;
    o.aliases = true;
    const auto time_of = [&](std::size_t bytes) {
        const std::string text = GetParam().make(bytes);
        const std::string_view view = text;
        return seconds([&] {
            (void)jsonheal::normalize_args("f", view, o);
            (void)jsonheal::normalize_args("read_file", view, o);
            (void)jsonheal::arguments_map(view, o);
            (void)jsonheal::read_argv("@coder", view, o);
            (void)jsonheal::read_fields(view, "@coder", o);
        });
    };
    const double small = std::max(time_of(50'000), 1e-4);
    const double large = time_of(500'000);
    RecordProperty("milliseconds", static_cast<int>(large * 1000));
    // ten times the text: about ten times the time, a hundred times if it were quadratic; the rest is the memory's
    EXPECT_LT(large / small, 50) << small << " s, then " << large << " s";
}

INSTANTIATE_TEST_SUITE_P(families, growth, testing::ValuesIn(families),
                         [](const auto& row) { return std::string(row.param.name); });

} // namespace
