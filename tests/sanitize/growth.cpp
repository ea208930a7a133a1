// Time grows with the text and not faster: what repeats makes no look ahead start over.
//
// Times are of the processor, so that a busy machine does not matter; the bounds are far from what linear code needs and
// near to nothing for quadratic code.
#include <jsonheal/quotes.hpp>
#include <jsonheal/sanitize.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <string>

namespace {

using namespace jsonheal;

constexpr std::string_view openers[] = {
    "", "{", "[", "{\"a\":", "{\"a\":x ", "{a:f(){", "{a:'x' ", "{\"a\":`"};
constexpr std::string_view units[] = {
    "{",       "}",       "[",      "(",      "\"",    "'",       "`",    "/",      "//",   "/*",   "*/",
    "\\",      "${",      "`${",    ",",      "a,",    ",\"",     ",'a",  "'a ",    "{a,",  "[a,",  "x(",
    "f(){",    "{f(){",   "...x,",  "{//",    "{/*",   "{\"a\":", "{a:",  "/[",     "[{",   "{[",   "\\'",
    "\\\"",    "\\`",     ",x(",    "(1,'b'", "[[].a", "[1].f(",  "# ",   "a//b ",  "\n\"", "\na:", "a=>",
    "{\"\\\"", "[[1].b]", "\u201C", "\u00AB", "{\"",   "\"{\" ",  "get ", "async ",
};

std::string repeat(std::string_view opener, std::string_view unit, std::size_t bytes) {
    std::string text(opener);
    while (text.size() < bytes) { text += unit; }
    return text;
}

template <class Function>
double seconds(Function f, const std::string& text) {
    double best = 1e9;
    for (int run = 0; run < 2; ++run) {
        const std::clock_t begin = std::clock();
        f(text);
        best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    return best;
}

template <class Function>
void expect_linear(std::string_view what, Function f) {
    for (const std::string_view opener : openers) {
        for (const std::string_view unit : units) {
            const double small = seconds(f, repeat(opener, unit, 1 << 13));
            const double large = seconds(f, repeat(opener, unit, 1 << 17));
            // 16 times the text; quadratic code would need 256 times the time.
            EXPECT_LE(large, 64 * std::max(small, 0.001)) << what << " of " << opener << " and many " << unit;
        }
    }
}

TEST(growth, sanitize) {
    expect_linear("sanitize", [](const std::string& t) { (void)sanitize(t); });
}
TEST(growth, extract_objects) {
    expect_linear("extract_objects", [](const std::string& t) { (void)extract_objects(t); });
}
TEST(growth, complete_object) {
    expect_linear("complete_object", [](const std::string& t) { (void)complete_object(t); });
}
TEST(growth, normalize_quotes) {
    expect_linear("normalize_quotes", [](const std::string& t) { (void)normalize_quotes(t); });
}

} // namespace
